"""The chips of the wiring table, modelled as their data sheets have them, against the firmware that reads them."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

from tests.conftest import ROOT

spec = importlib.util.spec_from_file_location("boards_wiring", ROOT / "boards" / "wiring.py")
assert spec and spec.loader
wiring = importlib.util.module_from_spec(spec)
sys.path.insert(0, str(ROOT / "boards"))
try:
    spec.loader.exec_module(wiring)
finally:
    sys.path.remove(str(ROOT / "boards"))
PINS_165 = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}  # Nexperia 74HC165, table 2
PINS_595 = {"QA": 15, "QB": 1, "QC": 2, "QD": 3, "QE": 4, "QF": 5, "QG": 6, "QH": 7}  # TI SN74HC595, pin functions


class Chain:
    """Two 74HC165 and two 74HC595 on one SPI bus, the first of each on the Pico's wires; the most significant bit of a
    byte comes first."""

    def __init__(self) -> None:
        self.inputs = {(chip, name): 0 for chip in (0, 1) for name in PINS_165}
        self.outputs = {(chip, name): 0 for chip in (0, 1) for name in PINS_595}

    def readinto(self, buf: bytearray) -> None:
        stages = [self.inputs[chip, name] for chip in (1, 0) for name in PINS_165]  # A of the second to H of the first
        for at in range(len(buf)):
            for _ in range(8):
                buf[at] = buf[at] << 1 & 0xFF | stages[-1]  # QH
                stages = [0, *stages[:-1]]

    def write(self, data: bytes) -> None:
        places = list(self.outputs)
        for value in data:
            for bit in range(7, -1, -1):
                levels = [value >> bit & 1, *(self.outputs[place] for place in places[:-1])]
                self.outputs = dict(zip(places, levels, strict=True))


@pytest.fixture
def chain(load: Any) -> tuple[Any, Chain]:
    panel = load("panel").Panel(3)
    panel.spi = Chain()
    return panel, panel.spi


def test_each_sensor_on_the_pin_of_the_wiring_table_is_read_as_its_bit(chain: tuple[Any, Chain]) -> None:
    panel, bus = chain
    assert panel.seats() == 0
    for entry in wiring.load()["expander_in"]:
        chip, name, number = wiring.input_place(entry["bit"])
        assert PINS_165[name] == number
        bus.inputs[chip, name] = 1
        assert panel.seats() == 1 << entry["bit"], entry["signal"]
        bus.inputs[chip, name] = 0


def test_each_lamp_on_the_pin_of_the_wiring_table_is_lit_by_its_bit(chain: tuple[Any, Chain]) -> None:
    panel, bus = chain
    for entry in wiring.load()["expander_out"]:
        chip, name, number = wiring.output_place(entry["bit"])
        assert PINS_595[name] == number
        panel._set(1 << entry["bit"])
        assert [place for place, level in bus.outputs.items() if level] == [(chip, name)], entry["signal"]


def test_lamps_tower_and_motor_light_what_the_wiring_names(chain: tuple[Any, Chain]) -> None:
    panel, bus = chain
    bits = {entry["signal"]: entry["bit"] for entry in wiring.load()["expander_out"]}
    for call, lit in (
        (lambda: panel.lamps(1 | 256 << 6), ("START_LAMP", "LAMP_7")), (lambda: panel.tower("tilt"), ("TOWER_RED",)),
        (lambda: panel.motor(True), ("SHAKER_MOTOR",)),
    ):  # fmt: skip
        panel._set(0)
        call()
        wanted = {wiring.output_place(bits[name])[:2] for name in lit}
        assert {place for place, level in bus.outputs.items() if level} == wanted


def test_the_table_names_spare_pins_and_the_button_of_reset() -> None:
    table = wiring.wiring_table(wiring.load())
    assert "| 14 | - | first | G | 5 | none: tie it to ground |" in table
    assert "| 30 | RUN (J4-6) | push button to ground" in table
    assert "RUN (J4-6): button to ground" in wiring.picture(wiring.load())
