"""One is singular, in every text that counts."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from wheelwright import wording

from tests.conftest import ROOT

THINGS = ("record", "wager", "spin", "round", "page", "frame", "start", "trie", "block", "check", "row", "table",
          "board", "port", "event", "command", "sample", "second", "tilt")  # fmt: skip
COUNTED = re.compile(rf"^ (new |short |bonus |wrong )?({'|'.join(THINGS)})s\b")


@pytest.mark.parametrize(("n", "words", "text"), [
    (0, ("wager",), "0 wagers"), (1, ("wager",), "1 wager"), (2, ("wager",), "2 wagers"), (-1, ("wager",), "-1 wagers"),
    (1, ("rest on a peg", "rests on a peg"), "1 rest on a peg"),
    (3, ("rest on a peg", "rests on a peg"), "3 rests on a peg"),
])  # fmt: skip
def test_a_count_and_its_word_agree(n: int, words: tuple[str, ...], text: str) -> None:
    assert wording.count(n, *words) == text


def test_records_that_count_one_thing_say_so() -> None:
    closed = wording.record("BETS_CLOSED", {"round": 1, "count": 1, "mills": 5000})
    torn = wording.record("TORN", {"after": 7, "pages": 1})
    assert "1 wager," in closed
    assert "(1 page)" in torn


def spelled(path: Path) -> list[str]:
    """The f-strings of a file that put a thing behind a number without `count`; `n of m things` is no count of one."""
    found = []
    for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        parts = text.values if isinstance(text, ast.JoinedStr) else []
        for before, value, after in zip([None, *parts], parts, parts[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            total = isinstance(before, ast.Constant) and str(before.value).endswith(" of ")
            if COUNTED.match(str(after.value)) and not total and not ast.unparse(value.value).isupper():
                found.append(f"{path.name}:{text.lineno} ...{ast.unparse(value.value)}{after.value}")
    return found


def test_every_text_that_counts_things_goes_by_the_one_way_to_count() -> None:
    files = sorted((ROOT / "host_tools" / "wheelwright").rglob("*.py"))
    assert [line for path in files for line in spelled(path)] == []
