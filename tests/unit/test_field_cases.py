"""Every public failure story that was looked into has a test that is named after what it prevents."""

from __future__ import annotations

import re

from tests.conftest import ROOT

CASES = (2, 19, 20, 21, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 37, 38, 39, 42, 43, 44, 46, 47, 48, 50, 51,
         53, 54, 55, 56, 57, 64, 65, 66)
FILES = sorted((ROOT / "tests").rglob("test_*.py"))


def named() -> dict[int, list[str]]:
    """Case number -> the tests whose names begin with it."""
    found: dict[int, list[str]] = {}
    for path in FILES:
        for name in re.findall(r"^def (test_cases?_\w+)", path.read_text(), re.MULTILINE):
            numbers = re.match(r"test_cases?_((?:\d+_(?:and_)?)+)", name)
            assert numbers, name
            for number in re.findall(r"\d+", numbers[1]):
                found.setdefault(int(number), []).append(name)
    return found


def test_no_field_case_is_without_a_test() -> None:
    tests = named()
    assert [case for case in CASES if case not in tests] == []


def test_the_page_of_field_cases_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "field-cases.md").read_text()
    rows = dict(re.findall(r"^\| (\d+) \| .* \| `(test_\w+)` \|$", page, re.MULTILINE))
    tests = named()
    assert sorted(map(int, rows)) == list(CASES)
    for case, name in rows.items():
        assert name in tests[int(case)], case
