"""The wiring of the bench as data, and what is wrong with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

FILE = Path(__file__).resolve().parent / "bench.json"
USABLE = (*range(23), 26, 27, 28)  # of a Pico; the others are its own
NEEDED = ("ENCODER_A", "ENCODER_B", "INDEX", "CLAPPER", "KEY_SERVICE", "VOID", "NO_MORE_BETS")


@dataclass(frozen=True)
class Wire:
    """From a pin of the rig to the pin of the table that has this signal."""

    signal: str
    rig: int
    table: int


def table_pins() -> dict[str, dict[str, Any]]:
    """Signal -> its entry in boards/wiring.json: the one place that says where it is on the table."""
    return {entry["signal"]: entry for entry in json.loads((ROOT / "boards" / "wiring.json").read_text())["pins"]}


def problems(bench: dict[str, Any]) -> list[str]:
    """Everything wrong with a bench, one sentence each; empty when it can be built."""
    found = []
    pins = table_pins()
    used: dict[int, str] = {}
    signals = [wire["signal"] for wire in bench["wires"]]
    for name, pin in [*((wire["signal"], wire["rig"]) for wire in bench["wires"]), ("power", bench["power"]["rig"])]:
        if pin not in USABLE:
            found.append(f"{name}: GP{pin} is no free pin of the rig; use one of GP0-22, 26-28")
        elif pin in used:
            found.append(f"GP{pin} of the rig is used twice, by {used[pin]} and {name}; move one of them")
        used[pin] = name
    for name in signals:
        if name not in pins:
            found.append(f"{name} is no signal of boards/wiring.json")
        elif pins[name]["direction"] != "in":
            found.append(f"{name} is an output of the table: two outputs on one wire would fight")
        if signals.count(name) > 1:
            found.append(f"{name} is wired twice")
    found += [f"{name} is missing: the tests need it" for name in NEEDED if name not in signals]
    if bench["off_ms"] < 500:
        found.append(f"off_ms is {bench['off_ms']}: below 500 the capacitors keep the table alive")
    return sorted(set(found))


def wires(bench: dict[str, Any]) -> list[Wire]:
    pins = table_pins()
    return [Wire(wire["signal"], wire["rig"], pins[wire["signal"]]["pin"]) for wire in bench["wires"]]


def load(path: Path = FILE) -> dict[str, Any]:
    """The bench of a file. ValueError with every problem, a line each."""
    bench: dict[str, Any] = json.loads(path.read_text())
    wrong = problems(bench)
    if wrong:
        raise ValueError("\n".join(wrong))
    return bench
