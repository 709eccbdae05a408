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


@pytest.mark.parametrize(("value", "unit", "text"), [
    (1, "pictures", "1 picture"), (2, "pictures", "2 pictures"), (0, "frames", "0 frames"), (1.0, "turns", "1 turn"),
    (1, "counts a turn", "1 count a turn"), (1, "s", "1 s"), (1, "ms", "1 ms"), (1.0, "turns/s", "1 turn/s"),
    (1, "", "1"), (0.123456789, "of the time", "0.123457 of the time"), ("54 pegs", "", "54 pegs"),
    (1, "pages free", "1 page free"), (1, "boot", "1 boot"),
])  # fmt: skip
def test_a_measured_value_and_its_unit_agree(value: object, unit: str, text: str) -> None:
    assert wording.measure(value, unit) == text


@pytest.mark.parametrize(("first", "last", "text"), [
    (1, 9, "records 1 to 9"), (4, 4, "record 4"), (1, 0, "no record"), (0, 0, "no record"), (8, 7, "no record"),
])  # fmt: skip
def test_records_from_the_last_to_the_first_are_none(first: int, last: int, text: str) -> None:
    assert wording.records(first, last) == text


def test_a_time_that_was_set_is_told_as_a_time() -> None:
    said = wording.record("TIME_SET", {"unix_ms": 1_764_540_000_123, "was_ms": 1_000_000_000_000})
    assert said == "time set to 2025-11-30 22:00:00 UTC (it was 2001-09-09 01:46:40 UTC)"
    assert wording.record("TIME_SET", {"unix_ms": 0, "was_ms": 0}) == "time set to 1970-01-01 00:00:00 UTC"
    assert "ms" in wording.record("TIME_SET", {"unix_ms": 2**80, "was_ms": 0})
