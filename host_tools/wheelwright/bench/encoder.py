"""Encoder and index against each other and the clapper: lines, counts a turn, repeatability."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from wheelwright.bench.capture import A, B, Capture, Event, Pulse, sound
from wheelwright.bench.finding import Found, invalid

FEW = 40  # readings: too few to judge a line by
LEAST_AGREE = 80.0  # percent of readings in which levels and count fit: they are not of the very same moment
MOST_MISSING = 3  # turns without an index, or pulses too many, over two motions that begin and end anywhere
LEAST_TURN = 0.9  # of the counts of a turn: what comes sooner after an index is not the next
STALL = 0.4  # of a section: less way than this between two pegs, and a line was cut off


class Wheel(NamedTuple):
    """What the table was told of its wheel."""

    counts_per_turn: int = 2400
    sections: int = 54
    index_width: int = 3
    index_at: int = 0  # counts from line 0 to the index
    direction: int = 1  # -1: the encoder counts against the wheel

    @property
    def section(self) -> float:
        """Counts of a section."""
        return self.counts_per_turn / self.sections

    @property
    def slack(self) -> int:
        """Counts that an index may come too early or late, as the table sees it: a 600th of a turn."""
        return max(1, self.counts_per_turn // 600)


def varies(samples: Sequence[Event], line: int) -> bool:
    """Whether a line had both levels."""
    return len({event.levels & line for event in samples}) == 2


def stands(capture: Capture) -> bool:
    """Whether the count stood still, or went to and fro, while the wheel turned."""
    counts = [event.counts for event in capture.events]
    return len(capture.passings()) > 6 and max(counts) - min(counts) <= 2


def dead_line(capture: Capture) -> str:
    """The name of the fault when the encoder tells nothing of a motion; "" when it does."""
    if not stands(capture):
        return ""
    a, b = varies(capture.samples, A), varies(capture.samples, B)
    return "b_dead" if a and not b else "a_dead" if b and not a else "encoder_dead"


def stalls(capture: Capture, wheel: Wheel) -> list[list[Event]]:
    """The readings of each stretch between two pegs in which the count hardly went on."""
    found = []
    passings = capture.main()
    samples = capture.samples
    for one, other in pairwise(passings):
        if abs(other.middle - one.middle) < STALL * wheel.section:
            found.append([event for event in samples if one.middle_us <= event.t_us <= other.middle_us])
    return found


def loose_line(capture: Capture, wheel: Wheel) -> tuple[str, int]:
    """Which line fails now and then, and how often; ("", 0) when none does."""
    stretches = stalls(capture, wheel)
    inside = [event for stretch in stretches for event in stretch]
    if len(stretches) < 2:
        return "", 0
    still = {
        line: sum(len({event.levels & line for event in stretch}) <= 1 for stretch in stretches) for line in (A, B)
    }
    if not inside or still[A] == still[B]:
        return "counts_lost", len(stretches)
    return ("a_loose" if still[A] > still[B] else "b_loose"), len(stretches)


def agreement(samples: Sequence[Event]) -> float:
    """Percent of readings whose levels fit the count, which goes on by one at each change of A or B, A first."""
    place = {0: 0, A: 1, A | B: 2, B: 3}
    offsets = [0, 0, 0, 0]
    for event in samples:
        offsets[(event.counts - place[event.levels & (A | B)]) % 4] += 1
    return 100 * max(offsets) / len(samples) if samples else 0.0


def lines(forward: Capture, backward: Capture, wheel: Wheel) -> Found:
    """Both lines toggle, A leads B when the wheel goes forward, and neither fails now and then."""
    for capture in (forward, backward):
        dead = dead_line(capture)
        if dead:
            return Found("FAIL", 0.0, LEAST_AGREE, 100.0, "%", "A and B toggle", "the count stands still while "
                         f"{len(capture.passings())} pegs go by", dead)  # fmt: skip
    few = min(len(forward.samples), len(backward.samples))
    if few < FEW:
        return invalid(f"only {few} readings of the encoder came", "turn the wheel three times and more, both ways")
    ways = (forward.direction == forward.asked, backward.direction == backward.asked)
    agree = min(agreement(forward.samples), agreement(backward.samples))
    expected = "A and B toggle; A leads forward, B backward"
    if not any(ways):
        return Found(
            "FAIL",
            None,
            LEAST_AGREE,
            100.0,
            "%",
            expected,
            "the count falls when the wheel goes forward, and rises when it goes backward",
            "swapped",
        )
    if not all(ways):
        return invalid("the wheel was turned the same way twice", "turn it forward, then backward")
    for capture in (forward, backward):
        loose, times = loose_line(capture, wheel)
        if loose:
            return Found("FAIL", times, 0, 1, "gaps", expected,
                         f"between {times} pairs of pegs the count hardly went on", loose)  # fmt: skip
    fault = "" if agree >= LEAST_AGREE else "counts_lost"
    return Found("FAIL" if fault else "PASS", round(agree, 1), LEAST_AGREE, 100.0, "%", expected,
                 f"levels fit the count in {agree:.0f} % of {len(forward.samples) + len(backward.samples)} readings",
                 fault)  # fmt: skip


def turns_of(pulses: Sequence[Pulse]) -> list[int]:
    """Counts from one index to the next."""
    return [abs(later.begin - one.begin) for one, later in pairwise(pulses)]


def counts_a_turn(forward: Capture, backward: Capture, wheel: Wheel) -> Found:
    """From index to index, both ways: as many counts as the table was told, none missing and none too many."""
    turns = [turn for one in (forward, backward) for turn in turns_of(sound(one.pulses(), wheel.index_width))]
    limits = (wheel.counts_per_turn - wheel.slack, wheel.counts_per_turn + wheel.slack)
    expected = f"{wheel.counts_per_turn} counts from index to index, both ways"
    if dead_line(forward) or dead_line(backward) or len(turns) < 2:
        return invalid(f"the index came too seldom to measure a turn: {len(turns)} times twice in one spin",
                       "mend the lines of encoder and index first")  # fmt: skip
    usual = round(median(turns))
    worst = max(turns, key=lambda turn: abs(turn - wheel.counts_per_turn))
    detail = f"{len(turns)} turns, each {min(turns)} to {max(turns)} counts"
    if limits[0] <= worst <= limits[1]:
        return Found("PASS", usual, *limits, "counts", expected, detail)
    same = max(turns) - min(turns) <= wheel.slack
    return Found(
        "FAIL", worst, *limits, "counts", expected, detail, "wrong_encoder" if same else _lost(forward, backward, wheel)
    )


def _lost(forward: Capture, backward: Capture, wheel: Wheel) -> str:
    """Why two turns do not have the same number of counts."""
    for capture in (forward, backward):
        loose = loose_line(capture, wheel)[0]
        if loose:
            return loose
    gaps = [
        abs(later.middle - one.middle) / wheel.section
        for capture in (forward, backward)
        for one, later in pairwise(capture.main())
    ]
    regular = sum(abs(gap - round(gap)) < 0.15 and gap > 0.5 for gap in gaps)
    return "index_wanders" if gaps and regular > 0.98 * len(gaps) else "counts_lost"


def trouble(forward: Capture, backward: Capture, wheel: Wheel) -> str:
    """Why counts mean nothing; "" when they do."""
    for capture in (forward, backward):
        if dead_line(capture):
            return "the encoder tells nothing"
        if loose_line(capture, wheel)[0]:
            return "the encoder loses counts"
        turns = turns_of(capture.pulses())
        if len(turns) > 1 and max(turns) - min(turns) <= wheel.slack < abs(median(turns) - wheel.counts_per_turn):
            return f"a turn has {median(turns):.0f} counts, not {wheel.counts_per_turn}"
    return ""


def index_widths(captures: Sequence[Capture], turns: float) -> list[int]:
    """In how many counts the index came, if it came once in each of about so many turns: one number when Z is gated.

    Empty when more or less came on its line, or something in between. An index in which the wheel turned about is none.
    """
    if not turns or abs(sum(len(one.pulses()) for one in captures) - turns) > MOST_MISSING:
        return []
    least = LEAST_TURN * sum(abs(one.way) for one in captures) / turns
    widths: set[int] = set()
    for capture in captures:
        whole = [pulse for pulse in capture.pulses() if pulse.width * capture.direction > 0]
        if any(gap < least for gap in turns_of(whole)):
            return []
        widths.update(abs(pulse.width) for pulse in whole)
    return sorted(widths)


def index(forward: Capture, backward: Capture, wheel: Wheel) -> Found:
    """The index comes once a turn, at the same place both ways, and nothing else comes on its line."""
    seen = [pulse for one in (forward, backward) for pulse in one.pulses()]
    good = sound(seen, wheel.index_width)
    pegs = sum(len(one.passings()) for one in (forward, backward))
    turns = max(sum(abs(one.way) for one in (forward, backward)) / wheel.counts_per_turn, pegs / wheel.sections)
    expected = "once a turn, at the same count both ways"
    high = wheel.slack
    if turns < 2:
        return invalid(f"the wheel made only {turns:.1f} turns", "spin it three turns and more, both ways")
    told = trouble(forward, backward, wheel)
    if told:
        return invalid(f"{told}, so the index has no place; {len(seen)} pulses came in {turns:.1f} turns",
                       "mend the encoder first")  # fmt: skip
    widths = index_widths((forward, backward), turns)
    if len(widths) > 1:
        return Found("FAIL", None, 0, high, "counts", expected,
                     f"the index is {widths[0]} to {widths[-1]} counts wide", "index_ungated")  # fmt: skip
    if widths and widths[0] > wheel.counts_per_turn // 2:
        return Found("FAIL", None, 0, high, "counts", expected,
                     f"the index is active over {widths[0]} counts of a turn", "index_inverted")  # fmt: skip
    if widths and widths != [wheel.index_width]:
        return Found("FAIL", None, 0, high, "counts", expected,
                     f"the index is {widths[0]} counts wide, the table expects {wheel.index_width}", "index_width"
                     )  # fmt: skip
    if not good:
        return Found("FAIL", None, 0, high, "counts", expected, f"no index in {turns:.0f} turns",
                     "index_noise" if len(seen) > turns else "index_dead")  # fmt: skip
    noise = len(seen) - len(good)
    if noise > 2:  # a turn-about within it, at the end of each motion
        return Found("FAIL", None, 0, high, "counts", expected,
                     f"{noise} pulses in {turns:.0f} turns are too narrow or too wide", "index_noise")  # fmt: skip
    places = [pulse.begin % wheel.counts_per_turn for pulse in good]
    half = wheel.counts_per_turn // 2
    around = [(place - places[0] + half) % wheel.counts_per_turn - half for place in places]
    spread = max(around) - min(around)
    missing = round(turns) - len(good)
    detail = f"{len(good)} pulses in {turns:.1f} turns, within {spread} counts"
    if missing > MOST_MISSING:
        detail += f", {missing} missing"
        return Found("FAIL", missing, 0, MOST_MISSING, "pulses", expected, detail, "index_dead")
    if spread > high:
        return Found("FAIL", spread, 0, high, "counts", expected, detail, _lost(forward, backward, wheel))
    return Found("PASS", spread, 0, high, "counts", expected, detail)
