"""Faults on the pins of the emulated chip are named by the diagnosis, as those of a virtual table are.

Motions are as short as the evidence for a fault allows, since an emulated second costs three: a hand starts the wheel
and holds it again. What the journal says stays out, as it would tell of the faults before; so does a table at rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from wheelwright import ports
from wheelwright.bench import session, technician
from wheelwright.diagnosis import evidence
from wheelwright.diagnosis.ranking import ranked
from wheelwright.hand import Hand
from wheelwright.link import Client, Line

from tests.diagnosis import CASES, first
from tests.emulated.process import START_S, Process

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
READY = "TE5T"  # seven segments
LOOK_MS = 120  # the probe keeps 256 events: four times what comes meanwhile
RAMP_MS = 100


class Push(NamedTuple):
    """How the wheel is moved, each way: by a hand that holds it again after `ms`; 0: it runs out."""

    mturns_s: int
    ms: int


BRIEF, HALF, WHOLE, TWICE = Push(2000, 150), Push(2000, 300), Push(2500, 450), Push(3000, 750)
SLOW, FREE = Push(1000, 700), Push(1100, 0)
REST = Push(0, 0)  # nobody turns it
PUSHES = {  # a line whose other one is dead must be seen at both levels, at ticks that may come in its own time
    "a_dead": HALF, "clapper_dead": HALF, "index_noise": WHOLE, "button_stuck": REST, "link_noise": REST,
    "b_dead": HALF, "encoder_dead": BRIEF, "clapper_stuck": HALF, "clapper_worn": HALF, "slips": WHOLE,
    "index_dead": WHOLE, "index_width": WHOLE, "hand": WHOLE, "swapped": SLOW, "b_loose": SLOW,
    "wrong_encoder": TWICE, "bearing": FREE,
}  # fmt: skip
SOME = ("a_dead", "clapper_dead", "index_noise", "button_stuck", "link_noise")
CAUSES = tuple(PUSHES) if os.environ.get("LONG") else SOME


class Brisk(technician.Virtual):
    """Moves the wheel as `push` says."""

    patience_s = START_S
    push = BRIEF

    def __init__(self, hand: Hand) -> None:
        super().__init__(lambda: hand)
        self.hand = hand

    def spin(self, direction: int) -> bool:
        speed, ms = self.push
        self.hand("spin", speed_mturns_s=speed, direction=direction, ramp_ms=RAMP_MS)
        if ms:
            self.hand("push", speed_mturns_s=1, ramp_ms=RAMP_MS, after_ms=ms)
        return True

    def settle(self) -> None:
        """It is held."""


class Sparing(session.Bench):
    """Asks a table whose wheel turns no more often than it must: each answer costs the chip 15 ms."""

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        hand = self.technician.hand  # type: ignore[attr-defined]
        if name == "PROBE" and hand("state", START_S)["moving"]:
            hand("pass", START_S, ms=LOOK_MS)
        return super().call(name, **args)


@pytest.fixture(scope="module")
def table(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with Process(tmp_path_factory.mktemp("table") / "emulator.log") as process:
        process.until(READY)
        process.run_for(1100)  # a wheel that turns sooner was turning before the start
        yield process


@pytest.fixture(scope="module")
def port(table: Process) -> Line:
    return ports.open_port(table.address)


@pytest.fixture(scope="module")
def bench(table: Process, port: Line) -> Iterator[session.Bench]:
    with Client.open(table.address, START_S, keepalive_s=None, opener=lambda _address, _baud: port) as client:
        yield Sparing(client, Brisk(table.hand))


@pytest.mark.parametrize("cause", CAUSES)
def test_a_fault_on_the_pins_is_named_first(table: Process, port: Line, bench: session.Bench, cause: str) -> None:
    fault = CASES[cause]
    if fault:
        table.hand("fault", fault=fault[0], value=fault[1])
    if cause == "link_noise":
        port.write(bytes(range(255, 0, -1)) + b"\0")
    if cause == "button_stuck":
        table.run_for(100)  # until its contact is believed
    push = PUSHES[cause]
    bench.technician.push = push  # type: ignore[attr-defined]
    bench.forget_motions()
    bench.rows.clear()
    suspects = ranked(evidence.of_table(bench, set(), spin=push != REST))
    if fault:
        table.hand("fault", fault=fault[0], value=0)
    assert first(suspects) == cause, suspects
    assert suspects[0].certainty != "possible" or cause == "link_noise"


def test_a_fault_that_no_pin_can_show_is_refused(table: Process) -> None:
    with pytest.raises(Exception, match="no fault led_dead on the emulated table"):
        table.hand("fault", fault="led_dead", value=1)
