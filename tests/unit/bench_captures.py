"""Motions of a wheel as the probe sees them, made from a formula: what the judging tests vary one number of."""

from __future__ import annotations

from collections.abc import Callable

from wheelwright.bench.capture import INDEX, PEG, SAMPLE, A, B, C, Capture, Event, Z
from wheelwright.bench.encoder import Wheel

LEVELS = (0, A, A | B, B)  # A leads when the count rises
USUAL = Wheel()
HALF = 0.1  # of a section, that a peg bends the clapper on either side


def same(value: float) -> float:
    return value


def motion(
    direction: int = 1, turns: float = 4.0, wheel: Wheel = USUAL, *, speed: float = 1.2, loss: float = 0.12,
    count_of: Callable[[float], float] = same, peg_of: Callable[[int], float | None] = float,
    index_at: Callable[[int], int] = lambda turn: 0, levels_of: Callable[[int], int] = lambda count: LEVELS[count % 4],
) -> Capture:  # fmt: skip
    """A wheel that begins at `speed` turns/s and loses `loss` turns/s2, watched over `turns`.

    `count_of` gives the count at a place in counts, `peg_of` where in sections peg n stands (None: the clapper misses
    it), `index_at` by how many counts the index of turn n comes late.
    """
    cpt, section = wheel.counts_per_turn, wheel.section

    def when(way: float) -> int:
        """Microseconds in which the wheel goes so many turns."""
        return round(1e6 * (speed - max(speed * speed - 2 * loss * way, 0) ** 0.5) / loss)

    def count(place: float) -> int:
        return int(count_of(place) // 1)

    events = []
    last = None
    ends_us = when(turns)
    for tick in range(0, ends_us, 10_000):
        way = speed * tick / 1e6 - loss * (tick / 1e6) ** 2 / 2
        seen = count(direction * way * cpt)
        if seen != last:
            events.append(Event(tick, seen, SAMPLE, levels_of(seen)))
            last = seen
    for n in range(1, int(turns * wheel.sections)):
        at = peg_of(direction * n)
        if at is not None:
            for part, level in ((-HALF, C), (HALF, 0)):
                place = at * section + direction * part * section
                events.append(Event(when(abs(at + direction * part) / wheel.sections), count(place), PEG, level))
    for turn in range(1, int(turns) + 1):
        begin = direction * turn * cpt + index_at(direction * turn)
        ends = (begin, begin + wheel.index_width) if direction > 0 else (begin + wheel.index_width - 1, begin - 1)
        for place, level in zip(ends, (Z, 0), strict=True):
            events.append(Event(when(abs(begin) / cpt), count(place), INDEX, level))
    return Capture(direction, sorted(events, key=lambda event: event.t_us))


def both(**words: object) -> tuple[Capture, Capture]:
    """The same motion forward and backward."""
    return motion(1, **words), motion(-1, **words)  # type: ignore[arg-type]
