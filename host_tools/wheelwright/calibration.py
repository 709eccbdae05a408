"""The calibration of a wheel, measured: counts a turn, direction, width and place of the index, the clapper's window.

Nothing here is believed that two spins do not show. Positions in sections, `index_at` in counts as the table takes it.
"""

from __future__ import annotations

import json
from binascii import crc32
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from tabletop import cbor

from wheelwright import whole
from wheelwright.bench import encoder, pegs
from wheelwright.bench.capture import Capture, Pulse, mirrored, sound
from wheelwright.bench.encoder import Wheel
from wheelwright.bench.finding import CAUSES
from wheelwright.calibrating_lamps import AS_DRAWN
from wheelwright.configuration import read_json
from wheelwright.errors import WheelwrightError

VERSION = 2  # 1 had no lamps
SPREAD = 0.15  # of a section that pegs may stand apart from an even grid
DEFAULTS = {"counts_per_turn": 0, "direction": 1, "index_at": 0, "index_width_counts": 0}
BOARDS = ("counts_per_turn", "index_width_counts")  # 0: the board's
LAMPS = {"rim": AS_DRAWN, "inner": AS_DRAWN, "tiles": AS_DRAWN, "leds": 100, "digits": 8}
UNITS = {"leds": " % bright", "digits": " of 15 bright"}


class Measured(NamedTuple):
    """What two spins showed of the wheel; `window`: the clapper's, in thousandths of a section around a line."""

    counts_per_turn: int
    direction: int
    index_width: int
    window: tuple[int, int]
    grid: float  # where lines stand behind the index, in counts: 0 up to a section


def refuse(fault: str, detail: str) -> WheelwrightError:
    """E-7410: the numbers of this wheel do not add up, and why."""
    return WheelwrightError(7410, detail=detail, cause=CAUSES[fault].what, advice=CAUSES[fault].next_step)


def counts_a_turn(captures: tuple[Capture, Capture], wheel: Wheel) -> int:
    """Counts from index to index, as they were measured. E-7410."""
    turns: list[int] = []
    for capture in captures:
        pulses = sound(capture.pulses(), wheel.index_width) or capture.pulses()
        turns += encoder.turns_of(pulses)
    if len(turns) < 2:
        raise refuse("index_dead", f"the index came {sum(len(one.pulses()) for one in captures)} times in two spins")
    usual = round(median(turns))
    if max(turns) - min(turns) > max(1, usual // 600):
        loose = next((found for one in captures if (found := encoder.loose_line(one, wheel)[0])), "index_wanders")
        raise refuse(loose, f"turns have {min(turns)} to {max(turns)} counts")
    return usual


def index_width(captures: tuple[Capture, Capture], wheel: Wheel) -> int:
    """Counts of the index, in every turn and both ways; what the table was told when none can be seen. E-7410."""
    turns = sum(len(one.passings()) for one in captures) / wheel.sections
    widths = encoder.index_widths(captures, turns)
    if len(widths) > 1:
        raise refuse("index_ungated", f"the index is {widths[0]} to {widths[-1]} counts wide")
    if widths and 2 * turns * widths[0] > sum(abs(one.way) for one in captures):
        raise refuse("index_inverted", f"the index is active over {widths[0]} counts of a turn")
    return widths[0] if widths else wheel.index_width


def measure(forward: Capture, backward: Capture, told: Wheel) -> Measured:
    """What the wheel is, whatever the table was told. E-7410 with the likely cause when it does not add up."""
    both = (forward, backward)
    for capture in both:
        dead = encoder.dead_line(capture)
        if dead:
            raise refuse(dead, "the count stands still while pegs go by")
    ways = {capture.direction * capture.asked for capture in both}
    if len(ways) != 1 or 0 in ways:
        raise WheelwrightError(7411)
    direction = ways.pop()
    if direction < 0:
        both = (mirrored(forward), mirrored(backward))
    wheel = told._replace(index_at=0, direction=1, index_width=index_width(both, told))
    wheel = wheel._replace(counts_per_turn=counts_a_turn(both, wheel))
    for judge in (encoder.lines, encoder.index, pegs.clapper):
        found = judge(*both, wheel)
        if found.verdict != "PASS":
            raise refuse(found.fault or "counts_lost", found.detail)
    grid, window = _grid(both, wheel)
    return Measured(wheel.counts_per_turn, direction * told.direction, wheel.index_width, window, grid)


def _index(capture: Capture, wheel: Wheel) -> Pulse:
    return sound(capture.pulses(), wheel.index_width)[0]


def _grid(both: tuple[Capture, Capture], wheel: Wheel) -> tuple[float, tuple[int, int]]:
    """Where lines stand behind the index, 0 up to a section in counts, and the clapper's window around them."""
    section = wheel.section
    middles: list[float] = []
    for capture in both:
        begin = _index(capture, wheel).begin
        passings = capture.main()
        middles += [(passing.middle + 0.5 - begin) % section for passing in passings]
    first = middles[0]
    around = [(middle - first + section / 2) % section - section / 2 for middle in middles]
    if max(around) - min(around) > 2 * SPREAD * section:
        wide = (max(around) - min(around)) / section / 2
        raise refuse("peg_off", f"pegs stand up to {wide:.2f} section out of place")
    half = pegs.half_window(both, wheel)
    return (first + fmean(around)) % section, (-half, half)


def index_at(measured: Measured, told: Wheel, count: int, begin: int, section_milli: int) -> int:
    """Where the index begins, in counts behind line 0, when the pointer is at `section_milli` and the count is `count`.

    `begin` is the count of an index pulse. The pointer need only be well within its section: lines are where pegs are.
    """
    cpt = measured.counts_per_turn
    section = cpt / told.sections
    # as far as the eye can tell
    line_0 = count + 0.5 - section * section_milli / 1000
    behind = (line_0 - begin - measured.grid) / section
    line = begin + measured.grid + round(behind) * section
    return round(begin - line) % cpt


def of(measured: Measured, serial: str, index_at_counts: int, before: dict[str, Any]) -> dict[str, Any]:
    """The calibration as the table takes it; the lamps stay as they were `before`."""
    return {
        **{name: before[name] for name in LAMPS if name in before},
        "version": VERSION, "serial": serial, "counts_per_turn": measured.counts_per_turn,
        "direction": measured.direction, "index_at": index_at_counts,
        "index_width_counts": measured.index_width, "window": list(measured.window),
    }  # fmt: skip


def save(path: Path, calibrated: dict[str, Any]) -> None:
    """Keep a calibration as a file with its check sum. E-8010."""
    text = json.dumps({"calibration": calibrated, "sum": crc32(cbor.dumps(calibrated))}, indent=1)
    whole.write(path, text + "\n")


def read(path: Path, serial: str) -> dict[str, Any]:
    """The calibration in a file. E-9012: it was edited or is none; E-7414: it is another table's."""
    content = read_json(path)
    try:
        calibrated: dict[str, Any] = content["calibration"]
        if crc32(cbor.dumps(calibrated)) != content["sum"]:
            raise ValueError("its check sum is another: it was edited")
        if calibrated["version"] not in range(1, VERSION + 1):
            raise ValueError(f"it has version {calibrated['version']}, this tool knows up to {VERSION}")
        found = calibrated["serial"]
    except (KeyError, TypeError, ValueError) as error:
        raise WheelwrightError(9012, path=path, reason=str(error)) from None
    if found != serial:
        raise WheelwrightError(7414, path=path, found=found, serial=serial)
    return calibrated


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(what, before, after) of everything that a calibration changes."""
    names = [name for name in (*DEFAULTS, "window", *LAMPS) if name in before or name in after]
    rows = [(name, _word(name, before), _word(name, after)) for name in names]
    return [row for row in rows if row[1] != row[2]]


def _word(name: str, calibration: dict[str, Any]) -> str:
    value = calibration.get(name, DEFAULTS.get(name, LAMPS.get(name)))
    if value is None or (name in BOARDS and not value):
        return "the board's"
    if name in ("rim", "inner", "tiles"):
        order, first, direction = value
        return f"{order}, LED 1 at place {first + 1}, {'forward' if direction > 0 else 'backward'}"
    return " to ".join(map(str, value)) if isinstance(value, list) else f"{value}{UNITS.get(name, '')}"
