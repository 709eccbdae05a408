"""Imports point one way, and pure packages touch no clock and no hardware (docs/architecture.md)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

TABLETOP = ROOT / "firmware" / "tabletop"
LEAVES = {"ticks", "cbor", "codes", "const", "digest", "drawn", "person"}
CORES = {"sensing", "chance", "rules", "journal", "link", "scenes"}
MAY_IMPORT: dict[str, set[str]] = {
    **dict.fromkeys(LEAVES, LEAVES),
    **{core: LEAVES | {core} for core in CORES},
    "table": LEAVES | CORES | {"table"},
    "hal": LEAVES | {"hal"},
}
# Modules that both interpreters have and that compute only. `time` and `os` are absent on purpose.
PURE_STANDARD = {"array", "binascii", "hashlib", "micropython", "struct", "math"}


def modules() -> list[Path]:
    return [path for path in sorted(TABLETOP.rglob("*.py")) if path.relative_to(TABLETOP) != Path("__init__.py")]


def package_of(path: Path) -> str:
    return path.relative_to(TABLETOP).with_suffix("").parts[0]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative imports hide the direction"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" for alias in node.names} if base == "tabletop" else {base}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(TABLETOP)))
def test_imports_point_one_way(path: Path) -> None:
    package = package_of(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "tabletop" and len(parts) > 1 and parts[1] != "VERSION":
            assert parts[1] in MAY_IMPORT[package], f"{package} may not import {name}"


@pytest.mark.parametrize(
    "path", [p for p in modules() if package_of(p) in CORES | LEAVES], ids=lambda p: str(p.relative_to(TABLETOP))
)
def test_pure_packages_import_no_clock_and_no_hardware(path: Path) -> None:
    for name in imports(path):
        if not name.startswith("tabletop"):
            assert name.split(".")[0] in PURE_STANDARD, f"{path.name} imports {name}"


def test_the_check_itself_sees_a_forbidden_import(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("import machine\nfrom tabletop import cbor\nfrom tabletop.table import phases\n")
    assert imports(bad) == {"machine", "tabletop.cbor", "tabletop.table"}


def test_no_result_code_imports_random() -> None:
    for path in modules():
        assert "random" not in imports(path), path
