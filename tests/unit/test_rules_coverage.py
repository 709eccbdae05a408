"""docs/rules-coverage.md names every paragraph of the rules, and only rules and tests that exist."""

from __future__ import annotations

import ast
import importlib
import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "rules-coverage.md").read_text(encoding="utf-8")
RULES = ROOT / "firmware" / "tabletop" / "rules"
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


LETTERS, UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
# What labels the paragraphs of a chapter, level by level: (a), (1), (i), (A), (I).
LEVELS = (tuple(LETTERS), tuple(map(str, range(1, 30))), ROMAN, tuple(UPPER), tuple(r.upper() for r in ROMAN))


def chapter(text: str) -> list[str]:
    """Labels such as 635c.1(h)(4), of a text with numbered sections whose paragraphs are not set in.

    A label goes on at the deepest level of which it is the next; or it opens the level below, as the first there. (i)
    can be both: after a colon it opens a list. A label that is neither goes to the outermost level: a slip of the text.
    """
    section, before = "", ""
    path: list[str] = []
    found: list[str] = []
    for line in text.splitlines():
        head = re.match(r"§ (\w+\.\d+)|58 Pa. Code § (\w+\.\d+)", line)
        if head:
            section, path = head[1] or head[2], []
        match = re.match(r"(?:\s*\d+\. )?\((\w+)\) ", line)
        if match and section:
            path = _placed(path, match[1], before.rstrip().endswith(":"))
            found.append(section + "".join(f"({label})" for label in path))
        if line.strip():
            before = line
    return found


def _placed(path: list[str], label: str, opens: bool) -> list[str]:
    deeper = len(path) < len(LEVELS) and label == LEVELS[len(path)][0]
    if deeper and opens:
        return [*path, label]
    for depth in reversed(range(len(path))):
        level = LEVELS[depth]
        at = level.index(path[depth]) + 1
        if at < len(level) and level[at] == label:
            return [*path[:depth], label]
    return [*path, label] if deeper else [label]


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


CHAPTERS = tuple(
    f"seeds/{name}.txt" for name in ("match_the_dealer", "monster_match_dynamic", "pai_gow", "players_edge")
)
TEXTS = ("chapter_689a.txt", "seeds/wonderspins.txt", "seeds/money_mountain.txt", "seeds/bonus_city.txt", *CHAPTERS)
PEOPLE = "people: "  # what a paragraph asks of people; the last column says how the product helps


@pytest.mark.parametrize("source", TEXTS)
def test_every_paragraph_is_there_once_and_in_its_order(source: str) -> None:
    text = (ROOT / "tests" / "data" / source).read_text(encoding="utf-8")
    parse = sections if source.startswith("chapter") else chapter if source in CHAPTERS else paragraphs
    wanted = parse(text)
    assert len(wanted) >= 12
    assert [paragraph for where, paragraph, _, _ in rows() if where == source] == wanted


def test_every_section_with_the_must_hit_by_bonus_has_the_paragraphs_of_the_page() -> None:
    source = "seeds/must_hit_by.txt"
    found = chapter((ROOT / "tests" / "data" / source).read_text(encoding="utf-8"))
    wanted = [paragraph for where, paragraph, _, _ in rows() if where == source]
    listed = re.findall(r"\d{3}c\.\d", PAGE.split(f"<!-- {source} -->", 1)[1].split(":", 1)[0])
    assert len(listed) == 13
    assert found == [section + paragraph for section in listed for paragraph in wanted]


def test_the_parser_sees_the_paragraphs_of_all_depths() -> None:
    text = "1. (a) One.\n2. (b) Two.\n\n   1. (1) Three:\n       1. (i) Four.\n   2. (2) Five.\n3. (c) Six.\nNone."
    assert paragraphs(text) == ["(a)", "(b)", "(b)(1)", "(b)(1)(i)", "(b)(2)", "(c)"]
    assert sections("§ 1a.1. Name.\n(a) One.\n| x |\n§ 1a.2. Name.\n(b) Two.") == ["1a.1(a)", "1a.2(b)"]


def test_the_parser_sees_the_levels_of_a_chapter_that_sets_nothing_in() -> None:
    text = (
        "§ 1c.1. Name.\n(a) A.\n(1) B.\n(2) C.\n(b) D.\n(c) E:\n(1) F:\n(i) G:\n(A) H:\n(I) I.\n(II) J.\n(B) K.\n"
        "(ii) L.\n(2) M.\n(i) N.\n(a) A slip.\n(1) O."
    )
    assert chapter(text) == ["1c.1" + label for label in (
        "(a)", "(a)(1)", "(a)(2)", "(b)", "(c)", "(c)(1)", "(c)(1)(i)", "(c)(1)(i)(A)", "(c)(1)(i)(A)(I)",
        "(c)(1)(i)(A)(II)", "(c)(1)(i)(B)", "(c)(1)(ii)", "(c)(2)", "(c)(2)(i)", "(a)", "(a)(1)",
    )]  # fmt: skip
    letter_i = "58 Pa. Code § 1b.2 - Name.\n\n(h) A:\n1. (1) B.\n2. (2) C.\n\n(i) D:\n1. (1) E:\n  1. (i) F."
    assert chapter(letter_i) == ["1b.2" + label for label in ("(h)", "(h)(1)", "(h)(2)", "(i)", "(i)(1)", "(i)(1)(i)")]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} {row[1]}")
def test_every_rule_and_every_test_of_a_row_exists(row: tuple[str, str, list[str], list[str]]) -> None:
    _, _, rules, tests = row
    for name in rules:
        module, attribute = name.rsplit(".", 1)
        assert hasattr(importlib.import_module(f"tabletop.rules.{module}"), attribute), name
    for name in tests:
        file, function = name.split(".")
        tree = ast.parse((ROOT / "tests" / "vm" / f"{file}.py").read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_every_row_has_a_rule_and_a_test_or_says_what_people_do() -> None:
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0] not in ("paragraph", "---"):
            if cells[1].startswith(PEOPLE):
                assert len(cells[1]) > len(PEOPLE), line
                assert cells[2], line
            else:
                assert "`" in cells[1], line
                assert "`" in cells[2], line


def test_every_rule_that_names_a_paragraph_is_listed_for_it() -> None:
    listed = {name for _, _, rules, _ in rows() for name in rules}
    games = ["wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio"]
    games += [f"progressive.{path.stem}" for path in sorted((RULES / "progressive").glob("*.py"))]
    for game in games:
        tree = ast.parse((RULES / f"{game.replace('.', '/')}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and (ast.get_docstring(node) or "").startswith("("):
                assert f"{game}.{node.name}" in listed, node.name
