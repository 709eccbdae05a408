"""Modules become one, and every name in it still means what it meant."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright.compiling import compiled
from wheelwright.compiling.linked import ROOTS, linked

SIZES = b"""
import struct
_STEP = 3
def size(of): return len(of) * _STEP
def max(a, b): return "ours"
class Box:
    size = 7
    def __init__(self, size): self.size = size
    def same(self): return size("ab")
"""
PARTS = b"""
import struct as packed
from app import sizes
from app.sizes import Box as Crate
_STEP = 10
total = 0
def count(size):
    global total
    total += sizes.size(size) + _STEP
    return total, max(1, 2), [size for size in "ab"], sizes.max(1, 2)
def crate(): return Crate(packed.calcsize(">H"))
"""
ROOT = b"""
from app import parts
from app.parts import count, Crate
from app.outside import known
def run():
    from app.late import again, twice
    return count("abc"), parts.total, twice(known("x")), again("abcd"), Crate(5).size, Crate.size, Crate(5).same()
"""
OUTSIDE = b"""
def known(x): return x + "!"
"""
LATE = b"""
from app import sizes as widths
from app.parts import Crate, count as counted
def twice(x): return x * 2, widths.size(x), isinstance(Crate(1), widths.Box)
def again(size): return counted(size)[0], widths.max(size, 1)
"""
TEXTS = {
    "app/__init__.py": b"", "app/sizes.py": SIZES, "app/parts.py": PARTS, "app/root.py": ROOT,
    "app/outside.py": OUTSIDE, "app/late.py": LATE,
}  # fmt: skip


def said(texts: dict[str, bytes], folder: Path) -> str:
    """What the program says."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    command = [sys.executable, "-c", "import app.root as root; print(root.run(), root.run())"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_unit_does_what_its_modules_did(tmp_path: Path) -> None:
    texts = linked(TEXTS, ["app.root"])
    assert set(texts) == {"app/__init__.py", "app/root.py", "app/late.py"}
    assert said(texts, tmp_path / "linked") == said(TEXTS, tmp_path / "plain")


def test_what_other_modules_need_is_imported_from_the_unit_under_its_name_there() -> None:
    late = linked(TEXTS, ["app.root"])["app/late.py"]
    assert b"app.sizes" not in late
    assert b"from app import root as widths" in late


def test_a_module_that_went_is_never_looked_for_in_vain() -> None:
    as_value = {"a/__init__.py": b"", "a/b.py": b"from a import c\nkept = [c]\n", "a/c.py": b"x = 1\n"}
    with pytest.raises(RuntimeError, match=r"^a/b.py line 2: the module a.c as a value"):
        linked(as_value, ["a.b"])
    dotted = dict(as_value) | {"a/b.py": b"from a import c\n", "a/d.py": b"import a.c\n"}
    with pytest.raises(RuntimeError, match=r"^a/d.py line 1: import a.c, which is linked"):
        linked(dotted, ["a.b"])


def test_the_firmware_is_a_third_as_many_modules_and_none_of_them_is_missing() -> None:
    before = compiled.sources()
    after = linked(before)
    there = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in after}
    assert set(ROOTS) <= there
    assert len(before) - len(after) > 35
    for path, text in after.items():
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.ImportFrom)
                and str(node.module).startswith("tabletop")
                and "rp2" not in str(node.module)
            ):
                assert node.module in there, f"{path} imports {node.module}"
