"""The clapper against the encoder, and the walk of the sections: every peg in its place? Numbers in, verdict out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

from wheelwright.bench.capture import C, Capture, Passing, sound
from wheelwright.bench.encoder import Wheel, trouble
from wheelwright.bench.finding import Found, invalid
from wheelwright.reports.run import Plot, Series

MOST_OFF_MILLI = 60  # of a section, that half the clapper's window may change: one count in four of a coarse encoder
MOST_DRIFT = 0.12  # of a section, over a spin: what the table allows too (sensing.window)
MOST_HALF_MILLI = 250  # of a section: a peg lifts the clapper over less than half of one, or it is active between pegs
HALF_SECTION_DEG = 3.33  # the usual limit of a mis-index: half of the narrowest symbol
MOST_ERROR_DEG = 1.67  # half of that: beyond it two sections can no longer be told apart for certain


def drift(passings: list[Passing], wheel: Wheel) -> float:
    """How far the pegs move against the count over a motion, in sections."""
    if len(passings) < 4:
        return 0.0
    places = [passing.middle / wheel.section for passing in passings]
    offsets = [0.0]
    for one, later in pairwise(places):
        step = later - one
        offsets.append(offsets[-1] + step - round(step))
    return max(offsets) - min(offsets)


def missed(capture: Capture, wheel: Wheel) -> list[int]:
    """The lines (0 to 53, from where the count began) at which no peg came though the count passed them."""
    found = []
    passings = capture.main()
    for one, later in pairwise(passings):
        steps = round((later.middle - one.middle) / wheel.section)
        way = 1 if steps > 0 else -1
        for step in range(1, abs(steps)):
            found.append(round(one.middle / wheel.section + way * step) % wheel.sections)
    return found


def clapper(forward: Capture, backward: Capture, wheel: Wheel) -> Found:
    """One peg to a section, in its place to the end of the spin."""
    both = (forward, backward)
    turns = sum(abs(one.way) for one in both) / wheel.counts_per_turn
    pegs = sum(len(one.passings()) for one in both)
    expected = f"{wheel.sections} pegs a turn, each in its place"
    if pegs < wheel.sections // 2:
        if turns < 1:
            return invalid("neither encoder nor clapper saw the wheel turn", "spin it three turns and more, both ways")
        stuck = all(one.levels & C and one.began & C for one in both)
        return Found("FAIL", None, 0, MOST_DRIFT, "sections", expected, f"{pegs} pegs in {turns:.1f} turns",
                     "clapper_stuck" if stuck else "clapper_dead")  # fmt: skip
    told = trouble(forward, backward, wheel)
    if told:
        return invalid(f"{told}, so pegs have no place; {pegs} came", "mend the encoder first")
    moved = max(drift(one.main(), wheel) for one in both)
    gone = [line for one in both for line in missed(one, wheel)]
    detail = f"{pegs} pegs in {turns:.1f} turns, {len(gone)} missing, {moved:.2f} section of drift"
    fault, figure = "", (round(moved, 3), 0, MOST_DRIFT, "sections")
    bent = half_window(both, wheel)
    if bent > MOST_HALF_MILLI:
        detail += f"; bent over {2 * bent / 1000:.2f} section for each"
        fault, figure = "clapper_inverted", (bent / 500, 0, MOST_HALF_MILLI / 500, "sections")
    elif moved > MOST_DRIFT:
        fault = "slips"
    elif len(gone) > 1:
        line, times = Counter(gone).most_common(1)[0]
        fault = "peg_missing" if times == len(gone) else "clapper_worn"
        figure = (len(gone), 0, 1, "pegs")
        if fault == "peg_missing":
            detail += f" (always line {line})"
    return Found("FAIL" if fault else "PASS", *figure, expected, detail, fault)


def half_window(captures: Iterable[Capture], wheel: Wheel) -> int:
    """Half the stretch in which a peg bends the clapper, in thousandths of a section; 0 when none passed."""
    halves = [abs(one.end - one.begin) / wheel.section for capture in captures for one in capture.main()]
    return round(1000 * fmean(halves) / 2) if halves else 0


def window(found: Found, now: int, calibrated: int) -> Found:
    """The clapper's finding, held against the window (`half_window`) with which the table was calibrated, if it was."""
    if found.verdict != "PASS" or not calibrated:
        return found
    detail = f"{found.detail}; bent {2 * now / 1000:.2f} section for each, {2 * calibrated / 1000:.2f} when calibrated"
    if abs(now - calibrated) <= MOST_OFF_MILLI:
        return replace(found, detail=detail)
    return replace(found, verdict="FAIL", measured=now / 500, low=(calibrated - MOST_OFF_MILLI) / 500,
                   high=(calibrated + MOST_OFF_MILLI) / 500, detail=detail, fault="clapper_moved")  # fmt: skip


def errors_deg(captures: Iterable[Capture], wheel: Wheel) -> dict[int, float]:
    """Line -> how far its peg stands from where the index says, in degrees, as the mean of both directions.

    Empty when the index never came.
    """
    places: dict[int, dict[int, list[float]]] = {}
    for capture in captures:
        good = sound(capture.pulses(), wheel.index_width)
        if not good:
            continue
        zero = good[0].begin - wheel.index_at
        for passing in capture.main():
            at = (passing.middle + 0.5 - zero) / wheel.section
            line = round(at)
            places.setdefault(line % wheel.sections, {}).setdefault(capture.asked, []).append(at - line)
    degree = 360 / wheel.sections
    return {line: degree * fmean(fmean(one) for one in ways.values()) for line, ways in sorted(places.items())}


def sections(forward: Capture, backward: Capture, wheel: Wheel, pointer: bool | None) -> Found:
    """The walk of the sections: the angle error of every peg, and whether the pointer stands where the table says.

    `pointer`: what the technician said, None when nobody was asked.
    """
    told = trouble(forward, backward, wheel)
    if told:
        return invalid(f"{told}, so sections have no place", "mend the encoder first")
    errors = errors_deg((forward, backward), wheel)
    expected = f"each peg within {MOST_ERROR_DEG} degrees (the limit of a mis-index is {HALF_SECTION_DEG})"
    if len(errors) < wheel.sections:
        return invalid(f"{len(errors)} of {wheel.sections} sections were seen", "mend index and clapper first")
    line, worst = max(errors.items(), key=lambda item: abs(item[1]))
    plot = Plot(title="Angle error of the pegs", x="peg", y="degrees", series=[
        Series(name="error", points=[(float(one), round(error, 3)) for one, error in errors.items()], style="points"),
        *(Series(name="limit", points=[(0.0, end), (wheel.sections - 1.0, end)], style="limit")
          for end in (MOST_ERROR_DEG, -MOST_ERROR_DEG)),
    ])  # fmt: skip
    detail = f"the worst is peg {line}: {worst:+.2f} degrees"
    measured = round(abs(worst), 2)
    if pointer is False:
        return Found("FAIL", None, 0, MOST_ERROR_DEG, "degrees", expected,
                     "the pointer stands in another section than the table says", "peg_off", plot=plot)  # fmt: skip
    fault = "peg_off" if measured > MOST_ERROR_DEG else ""
    if pointer is None:
        detail += "; nobody was asked whether the pointer stands where the table says"
    return Found(
        "FAIL" if fault else "PASS", measured, 0, MOST_ERROR_DEG, "degrees", expected, detail, fault, plot=plot
    )
