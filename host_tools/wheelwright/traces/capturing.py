"""Records a spin of a table into a trace: takes what the sensors say (PROBE) while the wheel turns.

Index and clapper are in the trace as the table latched them, each with its own time. Of the encoder a table tells
counts, not edges: one with each of those edges, and one at each of its ticks in which the count had changed. The edges
of A and B between two counts are spread evenly over the time between them. So `trace run` sees what the table saw at
each of those moments, and nothing in between: a line that bounced within a tick is not in it. Nor is what the table had
learned before: a coupling that it suspected since the spin before, say.
"""

import gzip
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.journal import kinds
from tabletop.ticks import diff

from wheelwright import __version__, whole, wording
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.traces.trace import COLUMNS, MAGIC

ENCODER, INDEX, PEG, ILLEGAL = range(4)
TICK_US = 20_000  # the count of a tick that comes alone has changed within so long
BEFORE_US = 500_000  # of rest that a trace begins with
SETTLED_MS = 2500  # of rest that it ends with: longer than any settle window of the sensing core
LEASE_S = 4.0  # a table lets go of a host that has not asked for 5 s
POLL_S = 0.02
FASTEST_TURNS_S = 20  # as in the sensing core
FORWARD = (0, 2, 3, 1)  # A << 1 | B at counts 0 to 3
EDGES = "Z and C as the table latched them; A and B spread evenly between counts, taken with each of them and each tick"


class Event(NamedTuple):
    """What a sensor said: microseconds since the trace began, count since the recording began, kind, and level."""

    t_us: int
    at: int
    kind: int
    level: int


@dataclass
class Recording:
    """What one wheel did; `began` and `wheel` are the table's first answer to PROBE, and STATISTICS of its sensing."""

    serial: str
    began: dict[str, Any]
    wheel: dict[str, int]
    events: list[Event] = field(default_factory=list)
    rest_ms: int = 0  # since the last event, at least
    spins: list[tuple[int, dict[str, Any]]] = field(default_factory=list)  # (record, payload) of kind SPIN
    _tick: int = -1

    def take(self, data: bytes) -> None:
        """Add events as PROBE gives them."""
        words = array("i")
        words.frombytes(data)
        first = self.began["count"]
        for tick, word in zip(words[::2], words[1::2], strict=True):
            kind, levels = word >> 4 & 3, word & 15
            at = self.events[-1].at if self.events else 0
            at += ((word >> 6) - first - at + (1 << 23) & 0xFFFFFF) - (1 << 23)
            gone = max(0, diff(tick, self._tick)) if self.events else BEFORE_US
            if not self.events or diff(tick, self._tick) > 0:  # an edge may be told after a count that came after it
                self._tick = tick
            t_us = (self.events[-1].t_us if self.events else 0) + gone
            self.events.append(Event(t_us, at, kind, levels >> 2 & 1 if kind == INDEX else levels >> 3))

    @property
    def ends_us(self) -> int:
        """How long the trace is."""
        return (self.events[-1].t_us if self.events else 0) + 1000 * self.rest_ms

    @property
    def leaps(self) -> int:
        """How often the count went further than any wheel turns: readings that no edges of A and B can show."""
        turn = self.wheel["counts_per_turn"]
        found = before_us = before = 0
        for event in self.events:
            most = turn // self.wheel["sections"] + turn * FASTEST_TURNS_S * (event.t_us - before_us) // 1_000_000
            found += abs(event.at - before) > most
            before_us, before = event.t_us, event.at
        return found


def record(client: Client, seconds: float, say: Callable[[str], object] = lambda _line: None) -> Recording:
    """Record until a spin has come to rest. E-7111: nobody spun within `seconds`; E-7112: events were lost;
    E-7113: the wheel turns already."""
    wheel = client.call("STATISTICS")["sensing"]  # before the table gives its memory to the probe
    began = client.call("PROBE", on=True, hold=False)
    while began["data"] and not began["moving"]:  # what somebody left running has events of before
        began = client.call("PROBE", on=True, hold=False)
    recording = Recording(client.hello.serial, began, wheel)
    try:
        if recording.began["moving"]:
            raise WheelwrightError(7113, serial=recording.serial)
        last = client.call("STATUS")["last"]
        client.subscribe(last + 1, lambda number, raw: _note(recording, number, raw))
        say("recording: spin the wheel")
        _follow(client, recording, time.monotonic() + seconds, seconds)
    finally:
        if client.failure is None:
            client.subscribe(0, lambda _number, _raw: None)
            client.call("PROBE", on=False, hold=False)
    return recording


def _follow(client: Client, recording: Recording, deadline: float, seconds: float) -> None:
    asked, still_ms = time.monotonic(), 0
    while True:
        reply = client.call("PROBE", on=True, hold=False)
        asked, before = time.monotonic(), asked
        if reply["lost"] > recording.began["lost"] or asked - before > LEASE_S:
            raise WheelwrightError(7112, serial=recording.serial)
        recording.take(reply["data"])
        if reply["more"]:
            continue
        uptime_ms = client.call("PING")["uptime_ms"]
        if reply["data"] or not still_ms:
            still_ms = uptime_ms
        recording.rest_ms = uptime_ms - still_ms
        if recording.rest_ms >= SETTLED_MS and recording.spins:
            return
        if asked > deadline and not reply["moving"]:
            raise WheelwrightError(7111, serial=recording.serial, seconds=f"{seconds:g}")
        time.sleep(POLL_S)


def _note(recording: Recording, number: int, raw: bytes) -> None:
    if raw[3] == kinds.SPIN:
        recording.spins.append((number, entries.payload_of(raw)))


def rows(recording: Recording) -> Iterator[tuple[int, int]]:
    """(time in microseconds, levels A << 3 | B << 2 | Z << 1 | C) after each edge, as in a trace."""
    levels = recording.began["levels"]
    phase, z, c = recording.began.get("at", 0) & 3, levels >> 2 & 1, levels >> 3 & 1

    def row(t_us: int) -> tuple[int, int]:
        return t_us, FORWARD[phase] << 2 | z << 1 | c

    yield row(0)
    before_us = before = 0
    for event in recording.events:
        way = event.at - before
        from_us = max(before_us, event.t_us - TICK_US)
        for edge in range(1, abs(way) + 1):
            phase = (phase + (1 if way > 0 else -1)) & 3
            yield row(event.t_us - (event.t_us - from_us) * (abs(way) - edge) // abs(way))
        if event.kind == ILLEGAL:
            phase ^= 2
        elif event.kind == INDEX:
            z = event.level
        elif event.kind == PEG:
            c = event.level
        if event.kind != ENCODER:
            yield row(event.t_us)
        before_us, before = event.t_us, event.at


def write(recording: Recording, path: Path) -> None:
    """Write the trace, compressed when its name ends in .gz; whole or not at all. E-8010."""
    wheel, began = recording.wheel, recording.began
    header: dict[str, object] = {"counts_per_turn": wheel["counts_per_turn"], "sections": wheel["sections"]}
    if "at" in began:
        header["start_position_counts"] = began["at"]
    header |= {
        "ends_us": recording.ends_us, "min_turns": wheel["min_turns"],
        "index_width_counts": wheel["index_width_counts"], "table": recording.serial,
        "captured": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) + f" by wheelwright {__version__}",
        "edges": EDGES,
    }  # fmt: skip
    if recording.leaps:
        header["leaps"] = f"{recording.leaps}: there the count went further than a wheel turns; A and B are not true"
    header |= {f"record {number}": wording.outcome(spin) for number, spin in recording.spins}
    lines = [MAGIC, *(f"# {key}: {value}" for key, value in header.items()), COLUMNS]
    lines += [f"{t_us},{n >> 3},{n >> 2 & 1},{n >> 1 & 1},{n & 1}" for t_us, n in rows(recording)]
    text = ("\n".join(lines) + "\n").encode("ascii", "replace")
    whole.write_all({path: gzip.compress(text, mtime=0) if path.name.endswith(".gz") else text})
