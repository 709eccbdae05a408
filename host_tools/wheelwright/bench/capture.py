"""What the sensors saw of the wheel in one motion, from the events of PROBE: readings, index pulses and peg passings.

Times are microseconds from the first event, counts are the table's own, positions in between are floats.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

SAMPLE, INDEX, PEG, ILLEGAL = range(4)
A, B, Z, C = 1, 2, 4, 8
_TICKS = 1 << 30
_COUNTS = (1 << 24) - 1


class Event(NamedTuple):
    t_us: int
    counts: int
    kind: int
    levels: int


class Pulse(NamedTuple):
    """An index pulse: its lower end in counts, its width in counts (negative when the wheel went back)."""

    t_us: int
    begin: int
    width: int


class Passing(NamedTuple):
    """A peg has bent the clapper at `begin` and let it go at `end`."""

    t_us: int
    end_us: int
    begin: int
    end: int

    @property
    def middle(self) -> float:
        """Where the peg is, in counts: an edge lies somewhere within its count."""
        return (self.begin + self.end) / 2

    @property
    def middle_us(self) -> float:
        return (self.t_us + self.end_us) / 2


def events_of(data: bytes, count: int = 0) -> list[Event]:
    """The events in the answers of PROBE, one after another; `count` is that of an answer near them.

    Times are made to go on where the ticks wrap, counts to be whole.
    """
    words = array("I")
    words.frombytes(data)
    events: list[Event] = []
    start = words[0] if words else 0
    for tick, word in zip(words[::2], words[1::2], strict=True):
        way = (word >> 6) - count & _COUNTS
        whole = count + (way - _COUNTS - 1 if way > _COUNTS >> 1 else way)
        events.append(Event((tick - start) % _TICKS, whole, word >> 4 & 3, word & 15))
    return events


@dataclass(frozen=True)
class Capture:
    """One motion of the wheel, from rest to rest; `asked` is the direction in which it was to be turned, 1 or -1."""

    asked: int
    events: Sequence[Event]
    lost: int = 0
    levels: int = 0  # at its end
    began: int = field(default=0)  # levels at its beginning

    @property
    def samples(self) -> list[Event]:
        """The encoder at ticks in which it had moved."""
        return [event for event in self.events if event.kind == SAMPLE]

    @property
    def illegal(self) -> int:
        return sum(event.kind == ILLEGAL for event in self.events)

    @property
    def way(self) -> int:
        """Net counts."""
        return self.events[-1].counts - self.events[0].counts if self.events else 0

    @property
    def direction(self) -> int:
        """The way the count went: 1, -1, or 0 when it did not."""
        return (self.way > 0) - (self.way < 0)

    def pulses(self) -> list[Pulse]:
        """Every index pulse, sound or not."""
        found: list[Pulse] = []
        rise: Event | None = None
        for event in self.events:
            if event.kind != INDEX:
                continue
            if event.levels & Z:
                rise = event
            elif rise is not None:
                width = event.counts - rise.counts
                begin = rise.counts if width >= 0 else event.counts + 1
                found.append(Pulse(rise.t_us, begin, width))
                rise = None
        return found

    def passings(self) -> list[Passing]:
        """Every whole passing of a peg; the one on which the wheel may have begun or ended is none."""
        found: list[Passing] = []
        rise: Event | None = None
        for event in self.events:
            if event.kind != PEG:
                continue
            if event.levels & C:
                rise = event
            elif rise is not None:
                found.append(Passing(rise.t_us, event.t_us, rise.counts, event.counts))
                rise = None
        return found

    def main(self) -> list[Passing]:
        """The passings up to where the wheel turned back at its end, with the last few left out."""
        return self.passings()[:-2]


def mirrored(capture: Capture) -> Capture:
    """The same motion with the count the other way round and A and B exchanged, as a table of direction -1 takes it."""
    lines = (0, B, A, A | B)
    return replace(capture, events=[
        event._replace(counts=~event.counts, levels=event.levels & ~(A | B) | lines[event.levels & (A | B)])
        for event in capture.events
    ])  # fmt: skip


def sound(pulses: Iterable[Pulse], width: int) -> list[Pulse]:
    """The pulses that are the index: as wide as it is."""
    return [pulse for pulse in pulses if abs(pulse.width) == width]
