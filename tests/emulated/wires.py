"""The emulated table's wires, read from boards/wiring.json: a signal by name, with its polarity, on its pin."""

from __future__ import annotations

import json
from typing import Any

from tests.conftest import ROOT

WIRING = json.loads((ROOT / "boards" / "wiring.json").read_text())
ENTRY = {entry["signal"]: entry for entry in WIRING["pins"]}


def pin(signal: str) -> int:
    return int(ENTRY[signal]["pin"])


class Wires:
    """Drives inputs of the chip by signal name; True is active, whatever level that is."""

    def __init__(self, mcu: Any) -> None:
        self.mcu = mcu
        for name, entry in ENTRY.items():
            if entry["direction"] == "in":
                self.set(name, False)

    def set(self, signal: str, active: bool) -> None:
        low = ENTRY[signal]["active"] == "low"
        self.mcu.gpio[pin(signal)].set_input_value(active != low)
