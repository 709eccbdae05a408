"""What `--json` of each command prints, as JSON Schemas read from the manual: the shapes there are what is tested.

A shape is JSON without its plain values: `{"file", "events": [{"t_us"}], "p": {test: number}, "more"?: {...}}`. A name
stands for any value, one with `?` may be left out; `...` for fields that are not told; words without quotation marks
for names or values of any kind. A row that says "as `log show`" has the shapes of that command too.
"""

import re
from typing import Any

import jsonschema

from tests.conftest import ROOT

Schema = dict[str, Any]
MANUAL = ROOT / "docs" / "operations.md"
TOKEN = re.compile(r'\s*(?:"(?P<name>\w+)"(?P<may>\??)|(?P<sign>[][{},:])|(?P<dots>\.\.\.)|(?P<words>[^][{},:"]+))')


def shapes(command: str) -> list[Schema]:
    """The schemas of a command, one for each shape that its rows of the manual show."""
    page = MANUAL.read_text(encoding="utf-8")
    rows = re.findall(rf"^\| `{command}(?: FILE)?`(?: of a bonus game)? \| (.*) \|$", page, re.MULTILINE)
    own = [_schema(code) for row in rows for code in re.findall(r"`([\[{][^`]*)`", row)]
    return own + [schema for row in rows for other in re.findall(r"\bas `([a-z ]+)`", row) for schema in shapes(other)]


def fits(command: str, value: object) -> None:
    """AssertionError unless the value has one of the command's shapes, or is that of an error."""
    if isinstance(value, dict) and set(value) == {"error"}:
        assert set(value["error"]) == {"code", "name", "what", "advice"}
        return
    wrong = []
    for schema in shapes(command):
        error = next(jsonschema.Draft202012Validator(schema).iter_errors(value), None)
        if error is None:
            return
        wrong.append(f"{error.json_path}: {error.message[:300]}")
    raise AssertionError(f"{command} --json printed what docs/operations.md does not show: {wrong}")


def _schema(shape: str) -> Schema:
    tokens = [match for match in TOKEN.finditer(shape) if match[0].strip()]
    schema, end = _value(tokens, 0)
    assert end == len(tokens), f"the manual shows no shape: {shape}"
    return schema


def _value(tokens: list[re.Match[str]], at: int) -> tuple[Schema, int]:
    if tokens[at]["sign"] == "{":
        return _object(tokens, at + 1)
    if tokens[at]["sign"] == "[":
        return _array(tokens, at + 1)
    while at < len(tokens) and not (tokens[at]["sign"] and tokens[at]["sign"] in ",]}"):
        at += 1  # words for a value
    return {}, at


def _object(tokens: list[re.Match[str]], at: int) -> tuple[Schema, int]:
    schema: Schema = {"type": ["object", "null"], "properties": {}, "required": [], "additionalProperties": False}
    while tokens[at]["sign"] != "}":
        token, at = tokens[at], at + 1
        inner: Schema = {}
        if tokens[at]["sign"] == ":":
            inner, at = _value(tokens, at + 1)
        if token["name"]:
            schema["properties"][token["name"]] = inner
            schema["required"] += [] if token["may"] else [token["name"]]
        elif token["dots"] or token["words"]:
            schema["additionalProperties"] = inner
        if tokens[at]["sign"] == ",":
            at += 1
    return schema, at + 1


def _array(tokens: list[re.Match[str]], at: int) -> tuple[Schema, int]:
    schema: Schema = {"type": ["array", "null"]}
    while tokens[at]["sign"] != "]":
        inner, at = _value(tokens, at)
        if inner:
            schema["items"] = inner
        if tokens[at]["sign"] == ",":
            at += 1
    return schema, at + 1
