"""The bench and its rig, without either: what is wrong with them is noticed before a test believes them."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.hardware import bench as bench_data
from tests.hardware.bench import problems, wires
from tests.hardware.rig import Invalid, Life, Rig, check_wires

BENCH = bench_data.load()
WIRES = wires(BENCH)
POWER = BENCH["power"]["rig"]


class FakePins:
    """Levels by pin; nothing is driven at first."""

    def __init__(self) -> None:
        self.driven: dict[int, int] = {}

    def drive(self, pin: int, level: int) -> None:
        self.driven[pin] = level

    def release(self, pin: int) -> None:
        self.driven.pop(pin, None)

    def level(self, pin: int) -> int:
        raise AssertionError("the rig drives")


class FakeTable(FakePins):
    """Sees what the rig drives, through `cables`: its pin -> pins of the rig; unconnected ones are pulled up."""

    def __init__(self, rig: FakePins, cables: dict[int, list[int]]) -> None:
        super().__init__()
        self.rig, self.cables = rig, cables

    def level(self, pin: int) -> int:
        return min((self.rig.driven.get(other, 1) for other in self.cables.get(pin, [])), default=1)


class Powered:
    """A table with its own idea of power: `stuck` relay, `usb` power that keeps it alive, a restart by `resets`."""

    def __init__(self, *, stuck: bool = False, comes_back: bool = True, says: str = "POWER_ON", boots: int = 1) -> None:
        self.pins = FakePins()
        self.pins.drive(POWER, 1)
        self.stuck, self.comes_back, self.says, self.boots = stuck, comes_back, says, boots
        self.was = Life(7, "HOST")
        self.looks = 0

    def life(self) -> Life | None:
        on = self.pins.driven[POWER] == BENCH["power"]["on"] or self.stuck
        if not on:
            self.was = Life(7 + self.boots, self.says)
            return None
        if self.was.boot > 7 and not self.comes_back:
            return None
        return self.was

    @staticmethod
    def wait(until: Callable[[], bool], seconds: float) -> bool:
        return any(until() for _ in range(int(seconds * 5)))

    def rig(self) -> Rig:
        return Rig(BENCH, self.pins, self.life, self.wait)


def cables() -> dict[int, list[int]]:
    return {wire.table: [wire.rig] for wire in WIRES}


def test_a_bench_in_order_passes_its_own_checks() -> None:
    rig = FakePins()
    check_wires(WIRES, rig, FakeTable(rig, cables()))
    assert rig.driven == {}, "the rig lets go of every pin"
    Powered().rig().cut_power()


def test_a_power_cut_that_did_not_cut_power_is_invalid_and_not_a_pass() -> None:
    with pytest.raises(Invalid, match="INVALID: the power cut did not cut power: the table went on answering"):
        Powered(stuck=True).rig().cut_power()


@pytest.mark.parametrize(("says", "boots"), [("WATCHDOG", 1), ("RUN_PIN", 1), ("POWER_ON", 0), ("POWER_ON", 2)])
def test_a_cut_that_the_table_does_not_confirm_is_invalid(says: str, boots: int) -> None:
    with pytest.raises(Invalid, match=f"INVALID: the power cut did not cut power: the table says {says}, boot"):
        Powered(says=says, boots=boots).rig().cut_power()


def test_a_table_that_does_not_come_back_is_invalid_and_has_its_power_again() -> None:
    bench = Powered(comes_back=False)
    with pytest.raises(Invalid, match="INVALID: the table did not come back within 20 s"):
        bench.rig().cut_power()
    assert bench.pins.driven[POWER] == BENCH["power"]["on"]


def test_a_table_that_was_silent_before_proves_nothing() -> None:
    bench = Powered()
    bench.pins.drive(POWER, 0)
    with pytest.raises(Invalid, match="INVALID: the table did not answer before"):
        bench.rig().cut_power()


def broken(name: str) -> dict[int, list[int]]:
    found = cables()
    first, second = WIRES[0], WIRES[1]
    if name == "open":
        del found[first.table]
    elif name == "swapped":
        found[first.table], found[second.table] = found[second.table], found[first.table]
    elif name == "short":
        found[first.table] = found[second.table] = [first.rig, second.rig]
    return found


@pytest.mark.parametrize(("name", "words"), [
    ("open", "ENCODER_A (rig GP2 to table GP6) is open"), ("swapped", "ENCODER_A (rig GP2) also moves ENCODER_B"),
    ("short", "ENCODER_B (rig GP3) also moves ENCODER_A"),
])  # fmt: skip
def test_a_wire_that_is_open_swapped_or_shorted_is_named_before_any_test_uses_it(name: str, words: str) -> None:
    rig = FakePins()
    with pytest.raises(Invalid) as caught:
        check_wires(WIRES, rig, FakeTable(rig, broken(name)))
    assert words in str(caught.value)


def test_a_wire_held_low_is_named() -> None:
    rig = FakePins()
    table = FakeTable(rig, {**cables(), WIRES[0].table: [WIRES[0].rig, 99]})
    rig.drive(99, 0)
    with pytest.raises(Invalid, match=r"ENCODER_A .* stays low"):
        check_wires(WIRES, rig, table)


def spoilt(name: str) -> dict[str, Any]:
    bench = copy.deepcopy(BENCH)
    first = bench["wires"][0]
    if name == "pin twice":
        first["rig"] = bench["wires"][1]["rig"]
    elif name == "no pin":
        first["rig"] = 24
    elif name == "power on a wire":
        bench["power"]["rig"] = first["rig"]
    elif name == "unknown":
        first["signal"] = "CLOCK"
    elif name == "output":
        first["signal"] = "RIM"
    elif name == "missing":
        bench["wires"] = bench["wires"][1:]
    elif name == "wired twice":
        bench["wires"].append({"signal": first["signal"], "rig": 20})
    else:
        bench["off_ms"] = 100
    return bench


@pytest.mark.parametrize(("name", "words"), [
    ("pin twice", "GP3 of the rig is used twice"), ("no pin", "GP24 is no free pin"), ("power on a wire", "used twice"),
    ("unknown", "CLOCK is no signal"), ("output", "RIM is an output of the table"), ("missing", "ENCODER_A is missing"),
    ("wired twice", "ENCODER_A is wired twice"), ("short cut", "below 500"),
])  # fmt: skip
def test_what_is_wrong_with_a_bench_is_named_before_anything_is_driven(name: str, words: str) -> None:
    assert any(words in problem for problem in problems(spoilt(name)))


def test_without_a_board_the_hardware_tests_skip_with_one_sentence_even_where_nothing_may_be_missing() -> None:
    words = [sys.executable, "-m", "pytest", "-rs", "-p", "no:xdist", "tests/hardware"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False,
                          env={"PATH": str(Path(sys.executable).parent), "REQUIRE_ALL": "1"})  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    skipped = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert skipped
    assert set(skipped) == {"There is no board: name its port, for example: make hardware ARGS='--port /dev/ttyACM0'"}
    assert "passed" not in done.stdout.splitlines()[-1]
