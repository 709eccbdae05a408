"""The start of a chip: nobody gets its prompt, or its boot loader, before the secret of the hidden values is gone."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

ZEROS = ("program", bytes(256))


@pytest.fixture
def chip(load: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`start`, `reset`, and `done`: what is done to flash, Ctrl-C and boot loader, in its order."""
    done: list[tuple[str, Any]] = []
    found = MagicMock(done=done, asked=False, held=False, faulted=False)
    machine = sys.modules["machine"]
    machine.mem32 = {}
    machine.bootloader = lambda: done.append(("boot loader", None))
    machine.Pin.return_value.value = lambda: not found.held
    sys.modules["micropython"].kbd_intr = lambda sign: done.append(("Ctrl-C", sign))  # type: ignore[attr-defined]
    sys.modules["wheel_build"].REGIONS = {"files": (1000, 1), "secret": (9000, 4096)}  # type: ignore[attr-defined]
    store = MagicMock(PAGE=256)
    store.Store = lambda start, size: MagicMock(
        program=lambda _at, page: done.append(("program" if (start, size) == (8000, 4096) else "elsewhere", page))
    )
    monkeypatch.setitem(sys.modules, "tabletop.hal.rp2.store", store)
    for name in ("vault", "reset", "start"):
        module = load(name)
        monkeypatch.setitem(sys.modules, f"tabletop.hal.rp2.{name}", module)
        monkeypatch.setattr(sys.modules["tabletop.hal.rp2"], name, module, raising=False)
        setattr(found, name, module)
    monkeypatch.setattr(found.reset, "console_asked", lambda: found.asked)
    monkeypatch.setattr(found.reset, "faulted_before", lambda: found.faulted)
    monkeypatch.setattr(found.reset, "reason", lambda: "POWER_ON")
    monkeypatch.setitem(sys.modules, "tabletop.hal.rp2.board", MagicMock())
    monkeypatch.setattr(sys, "print_exception", lambda _error: None, raising=False)
    return found


@pytest.mark.parametrize("way", ["asked", "held"])
def test_the_secret_is_overwritten_before_the_prompt_hears_anybody(chip: Any, way: str) -> None:
    setattr(chip, way, True)
    chip.start.start(lambda _hal: pytest.fail("the table runs"), None)
    assert chip.done == [("Ctrl-C", -1), ZEROS, ("Ctrl-C", 3)]


def test_a_table_that_runs_keeps_its_secret_and_hears_no_ctrl_c(chip: Any) -> None:
    chip.start.start(lambda _hal: None, None)
    assert chip.done == [("Ctrl-C", -1)]


def test_a_table_that_failed_twice_is_left_to_whoever_comes_without_its_secret(chip: Any) -> None:
    def run(_hal: object) -> None:
        raise ValueError("made up")

    chip.faulted = True
    chip.start.start(run, None)
    assert chip.done == [("Ctrl-C", -1), ZEROS, ("Ctrl-C", 3)]


def test_the_boot_loader_reads_no_secret_either(chip: Any) -> None:
    chip.reset.restart("HOST")
    assert not chip.done
    chip.reset.restart("UPDATE")
    assert chip.done == [ZEROS, ("boot loader", None)]
