"""A chip that is made up, for tests of its HAL in CPython."""

from __future__ import annotations

import builtins
import importlib
import sys
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads a module of `tabletop.hal.rp2` without a chip."""
    micropython = ModuleType("micropython")
    micropython.viper = lambda function: function  # type: ignore[attr-defined]
    micropython.const = lambda value: value  # type: ignore[attr-defined]
    micropython.kbd_intr = lambda _character: None  # type: ignore[attr-defined]
    rp2 = MagicMock()
    rp2.asm_pio = lambda **_how: lambda program: program
    made_up = {"micropython": micropython, "rp2": rp2, "machine": MagicMock()}
    made_up |= {name: MagicMock() for name in ("wheel_build", "uctypes", "_rp2")}
    for name, module in made_up.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys.implementation, "_machine", "RP2040", raising=False)
    monkeypatch.setattr(builtins, "ptr8", object, raising=False)
    monkeypatch.setattr(builtins, "ptr16", object, raising=False)
    monkeypatch.setattr(builtins, "ptr32", object, raising=False)

    def module(name: str) -> Any:
        whole = f"tabletop.hal.rp2.{name}"
        monkeypatch.delitem(sys.modules, whole, raising=False)
        loaded = importlib.import_module(whole)
        monkeypatch.delitem(sys.modules, whole)
        return loaded

    return module
