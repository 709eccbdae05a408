"""docs/rules-coverage.md names every paragraph of the rules, and only rules and tests that exist."""

from __future__ import annotations

import ast
import importlib
import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "rules-coverage.md").read_text(encoding="utf-8")
LEVEL = 3  # blanks by which a paragraph of the texts is set in under its parent


def paragraphs(text: str) -> list[str]:
    """Labels such as (f)(4)(iii), in the order of a text whose paragraphs are set in as a list."""
    path: list[str] = []
    found = []
    for line in text.splitlines():
        match = re.match(r"( *)\d+\. (\(\w+\)) ", line)
        if match:
            depth = len(match[1]) // LEVEL
            assert depth <= len(path), line
            path[depth:] = [match[2]]
            found.append("".join(path))
    return found


def sections(text: str) -> list[str]:
    """Labels such as 689a.2(d), of a text with numbered sections."""
    section, found = "", []
    for line in text.splitlines():
        head = re.match(r"§ (\w+\.\d+)\.", line)
        section = head[1] if head else section
        match = re.match(r"(\(\w\)) ", line)
        if match:
            found.append(section + match[1])
    return found


def rows() -> list[tuple[str, str, list[str], list[str]]]:
    """(text, paragraph, rules, tests) of each row of the page."""
    found, source = [], ""
    for line in PAGE.splitlines():
        mark = re.match(r"<!-- (\S+) -->", line)
        source = mark[1] if mark else source
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0] not in ("paragraph", "---"):
            found.append((source, cells[0], re.findall(r"`(\S+?)`", cells[1]), re.findall(r"`(\S+?)`", cells[2])))
    return found


TEXTS = ("chapter_689a.txt", "seeds/wonderspins.txt", "seeds/money_mountain.txt", "seeds/bonus_city.txt")


@pytest.mark.parametrize("source", TEXTS)
def test_every_paragraph_is_there_once_and_in_its_order(source: str) -> None:
    text = (ROOT / "tests" / "data" / source).read_text(encoding="utf-8")
    wanted = sections(text) if source.startswith("chapter") else paragraphs(text)
    assert len(wanted) >= 12
    assert [paragraph for where, paragraph, _, _ in rows() if where == source] == wanted


def test_the_parser_sees_the_paragraphs_of_all_depths() -> None:
    text = "1. (a) One.\n2. (b) Two.\n\n   1. (1) Three:\n       1. (i) Four.\n   2. (2) Five.\n3. (c) Six.\nNone."
    assert paragraphs(text) == ["(a)", "(b)", "(b)(1)", "(b)(1)(i)", "(b)(2)", "(c)"]
    assert sections("§ 1a.1. Name.\n(a) One.\n| x |\n§ 1a.2. Name.\n(b) Two.") == ["1a.1(a)", "1a.2(b)"]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} {row[1]}")
def test_every_rule_and_every_test_of_a_row_exists(row: tuple[str, str, list[str], list[str]]) -> None:
    _, _, rules, tests = row
    assert rules
    assert tests
    for name in rules:
        module, attribute = name.split(".")
        assert hasattr(importlib.import_module(f"tabletop.rules.{module}"), attribute), name
    for name in tests:
        file, function = name.split(".")
        tree = ast.parse((ROOT / "tests" / "vm" / f"{file}.py").read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_every_rule_that_names_a_paragraph_is_listed_for_it() -> None:
    listed = {name for _, _, rules, _ in rows() for name in rules}
    for game in ("wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio"):
        tree = ast.parse((ROOT / "firmware" / "tabletop" / "rules" / f"{game}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and (ast.get_docstring(node) or "").startswith("("):
                assert f"{game}.{node.name}" in listed, node.name
