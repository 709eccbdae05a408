"""Numbers take the place of public constants, and only where a name can mean nothing else."""

from __future__ import annotations

import ast

import pytest
from wheelwright import compiled
from wheelwright.written_in import written_in

SIZES = b"""
PAGE = const(1 << 8)  # bytes
LEAST, MOST = -PAGE, 4 * PAGE
NAME, KEPT = "PAGE", 5
CHECK = 3
moved = 1
moved += 1

def pages(size):
    return (size + PAGE - 1) // PAGE
"""
USER = b"""
from tabletop.sizes import (
    MOST,
    PAGE, pages,
)
from tabletop import sizes

def told(game):
    from tabletop.sizes import LEAST
    return 1 - LEAST, MOST, sizes.LEAST, pages(PAGE + 1), game.CHECK
"""


@pytest.fixture
def texts() -> dict[str, bytes]:
    return written_in({"tabletop/sizes.py": SIZES, "tabletop/user.py": USER})


def test_numbers_stand_where_the_names_were_read(texts: dict[str, bytes]) -> None:
    sizes: dict[str, object] = {"const": int}
    exec(texts["tabletop/sizes.py"], sizes)  # noqa: S102 - our own text, edited
    user = {"pages": sizes["pages"]}
    text = texts["tabletop/user.py"].replace(b"from tabletop.sizes import pages", b"")
    assert b"import" not in text, "no module is imported for its numbers alone"
    exec(text, user)  # noqa: S102
    game = type("Game", (), {"CHECK": 7})
    assert user["told"](game) == (257, 1024, -256, 2, 7)  # type: ignore[operator]
    assert "PAGE" not in sizes


def test_what_else_a_name_may_mean_stays(texts: dict[str, bytes]) -> None:
    text = texts["tabletop/sizes.py"]
    assert b'NAME, KEPT = "PAGE", 5' in text, "not all of them are numbers"
    assert b"CHECK = 3" in text, "read of an object that may be this module"
    assert b"moved = 1" in text, "bound twice"


def test_lines_stay_where_they_are(texts: dict[str, bytes]) -> None:
    assert texts["tabletop/sizes.py"].count(b"\n") == SIZES.count(b"\n")
    assert texts["tabletop/user.py"].count(b"\n") == USER.count(b"\n")
    told = b"def told(game):"
    assert texts["tabletop/user.py"].split(b"\n").index(told) == USER.split(b"\n").index(told)


def imported(text: bytes) -> set[str]:
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in nodes for alias in node.names}


def test_the_firmware_imports_no_number_and_still_every_module_it_needs() -> None:
    before = compiled.sources()
    after = written_in(before)
    assert b"kinds" not in after["tabletop/table/records.py"]
    assert after["tabletop/journal/kinds.py"].count(b"pass") > 20
    for path, text in after.items():
        read = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert read & imported(before[path]) <= imported(text), path
