"""Calibrates a table: measures its wheel, shows before and after, writes it, and looks whether it came true."""

from __future__ import annotations

from binascii import crc32
from typing import Any, NamedTuple

from tabletop import cbor
from tabletop.rules.dreamcatcher import LAYOUT

from wheelwright import calibrating_lamps, calibration, supervising
from wheelwright.bench.capture import mirrored
from wheelwright.bench.session import Bench
from wheelwright.errors import WheelwrightError

MARK = 0  # the section that the technician turns under the pointer


class Proposal(NamedTuple):
    """What was measured: the calibration that holds, the one to be written, and what differs."""

    before: dict[str, Any]
    after: dict[str, Any]
    differences: list[tuple[str, str, str]]


def current(bench: Bench) -> tuple[dict[str, Any], dict[str, Any]]:
    """The calibration that the table has, and the one before it; empty ones are the board's own numbers."""
    reply = bench.call("CALIBRATE")
    return reply["calibration"], reply["before"]


def propose(bench: Bench) -> Proposal:
    """Spins each way and a section under the pointer: what this wheel is. E-7410, E-7411."""
    before, _ = current(bench)
    told = bench.wheel
    forward, backward = bench.motion(1), bench.motion(-1)
    measured = calibration.measure(forward, backward, told)
    turned = measured.direction != told.direction
    begin = (mirrored(backward) if turned else backward).pulses()[-1].begin
    if not bench.technician.place(MARK, LAYOUT[MARK]):
        raise WheelwrightError(7412, section=MARK)
    bench.technician.settle()
    count = ~bench.count() if turned else bench.count()
    at = calibration.index_at(measured, told, count, begin, 1000 * MARK + 500)
    after = calibration.of(measured, bench.client.hello.serial, at, before)
    return Proposal(before, after, calibration.differences(before, after))


def propose_lamps(bench: Bench, look: bool, leds: int | None, digits: int | None) -> Proposal:
    """Other lamps, the wheel as it is: how the strips are wired, by what is seen (`look`), and how bright. E-7415."""
    before, _ = current(bench)
    after = {**before, "version": calibration.VERSION, "serial": bench.client.hello.serial}
    if look:
        after = calibrating_lamps.propose(bench, after)
    after |= {name: value for name, value in (("leds", leds), ("digits", digits)) if value is not None}
    return Proposal(before, after, calibration.differences(before, after))


def write(bench: Bench, key: bytes, calibrated: dict[str, Any], operator: str) -> int:
    """Have the table take a calibration; the number of its record. The service key must be turned."""
    reply = supervising.command(
        bench.client, key, "CALIBRATE", calibration=calibrated, sum=crc32(cbor.dumps(calibrated)), operator=operator
    )
    bench.recalibrated()
    return int(reply["record"])


def came_true(bench: Bench) -> bool | None:
    """A spin: does the table now say the section in which the pointer stands? None: nobody could tell."""
    bench.watch(1, lambda: bench.technician.spin(1))
    section = bench.call("STATUS")["section"]
    return bench.technician.pointer(section, LAYOUT[section]) if section >= 0 else False
