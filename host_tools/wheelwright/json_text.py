"""JSON from files that people edit: what is no JSON, or is made to break its reader, is a ValueError that says so."""

import json
from typing import Any, NoReturn

DEEPEST = 50  # no file of this tool is nested a tenth as deep


def parse(text: str, **options: Any) -> Any:
    """What `text` holds; `options` as of `json.loads`. ValueError."""
    try:
        value = json.loads(text, parse_constant=_no_number, **options)
    except RecursionError:
        raise ValueError(f"it is nested deeper than {DEEPEST}") from None
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return value
    raise ValueError(f"it is nested deeper than {DEEPEST}")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
