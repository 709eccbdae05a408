"""A simulated serial line between the firmware's endpoint and the host's session, in simulated time.

Each direction keeps the order of its bytes, takes `delay_s`, and does to each write what `damage(rng, data)` says.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any

from tabletop import ticks
from tabletop.link.endpoint import Endpoint, Refused
from wheelwright.messages import Gap, Live, Record
from wheelwright.session import Session

Damage = Callable[[random.Random, bytes], bytes]
TICK_S = 0.001
IDLE_TICK_S = 0.02  # while nothing is on the line, only clocks can make something happen


def clean(rng: random.Random, data: bytes) -> bytes:
    return data


def lossy(share: float) -> Damage:
    """Drops, cuts, doubles, or corrupts that share of all writes, and puts noise between them."""

    def damage(rng: random.Random, data: bytes) -> bytes:
        if rng.random() >= share:
            return data
        at = rng.randrange(len(data))
        return rng.choice((
            b"",
            data[:at],
            data[at:],
            data + data,
            data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:],
            data[:at] + rng.randbytes(rng.randrange(1, 40)) + data[at:],
        ))

    return damage


class Journal:
    """Records in memory, as the endpoint sees a journal."""

    def __init__(self, count: int = 0) -> None:
        self.first = 1
        self.records = {number: self.make(number) for number in range(1, count + 1)}

    @staticmethod
    def make(number: int) -> bytes:
        return number.to_bytes(4, "big") + random.Random(number).randbytes(number % 200)

    @property
    def last(self) -> int:
        return max(self.records, default=self.first - 1)

    def append(self) -> int:
        number = self.last + 1
        self.records[number] = self.make(number)
        return number

    def read(self, number: int) -> bytes:
        return self.records[number]


def identity() -> dict[str, Any]:
    return {
        "serial": "T-0001", "version": "0.1.0", "program": b"\x01" * 8, "boot": 3, "reset": "POWER", "test": True,
        "capabilities": ["EMULATED"],
    }  # fmt: skip


class Table:
    """A handler that notes what it was asked to do, in order."""

    def __init__(self) -> None:
        self.done: list[tuple[str, dict[str, Any]]] = []
        self.origins: list[list[int]] = []

    def __call__(self, name: str, args: dict[str, Any], origin: list[int]) -> dict[str, Any]:
        self.done.append((name, args))
        self.origins.append(origin)
        if name == "PING":
            return {"uptime_ms": len(self.done), **args}
        if name == "WAGER":
            if any(bet[1] == "3" for bet in args["bets"]):
                raise Refused(3001, spot="3")
            return {"round": 1, "count": len(args["bets"]), "mills": sum(bet[2] for bet in args["bets"])}
        if name == "STATISTICS":
            return {}
        if name == "VOID":
            return {"round": 1, "returned": 0}
        raise AssertionError(name)


class Way:
    """One direction: bytes on their way, by the time they arrive."""

    def __init__(self, rng: random.Random, damage: Damage, delay_s: float) -> None:
        self.rng, self.damage, self.delay_s = rng, damage, delay_s
        self.under_way: deque[tuple[float, bytes]] = deque()

    def put(self, data: bytes, now: float) -> None:
        data = self.damage(self.rng, data)
        if data:
            self.under_way.append((now + self.delay_s, data))

    def take(self, now: float) -> bytes:
        out = bytearray()
        while self.under_way and self.under_way[0][0] <= now:
            out += self.under_way.popleft()[1]
        return bytes(out)


class Bench:
    """Session, line and endpoint; `run` moves the simulated time until a condition holds."""

    def __init__(
        self, *, seed: int = 0, damage: Damage = clean, back: Damage | None = None, delay_s: float = 0.0,
        journal: Journal | None = None, tries: int = 5, keepalive_s: float | None = None, start_ms: int = 0,
    ) -> None:  # fmt: skip
        self.rng = random.Random(seed)
        self.now = 0.0
        self.start_ms = start_ms
        self.table = Table()
        self.journal = journal or Journal()
        self.endpoint = Endpoint(self.table, self.journal, identity)
        self.down = Way(self.rng, damage, delay_s)
        self.up = Way(self.rng, back or damage, delay_s)
        self.records: list[Record | Gap] = []
        self.live: list[Live] = []
        self.host_reads = True
        self.tries, self.keepalive_s = tries, keepalive_s
        self.session = self.new_session()

    def new_session(self) -> Session:
        self.session = Session(self.rng.randrange(1, 2**32), tries=self.tries, keepalive_s=self.keepalive_s)
        return self.session

    def reset_table(self) -> None:
        """The table restarts: only the journal stays."""
        self.endpoint = Endpoint(self.table, self.journal, identity)

    @property
    def now_ms(self) -> int:
        return ticks.add(self.start_ms, int(self.now * 1000 + 0.5))

    def step(self, *, table_sends: bool = True) -> None:
        """A tick on both sides; without `table_sends` the test itself takes what the endpoint has to say."""
        session = self.session
        if self.host_reads:
            session.receive(self.up.take(self.now), self.now)
        while session.records.inbox:
            item = session.records.inbox.popleft()
            if isinstance(item, Live):
                self.live.append(item)
            else:
                self.records.append(item)
                session.records.handled(item, self.now)
        data = session.transmit(self.now)
        if data:
            for piece in data.split(b"\x00")[:-1]:
                self.down.put(piece + b"\x00", self.now)
        came = self.down.take(self.now)
        if came:
            self.endpoint.receive(bytearray(came), len(came), self.now_ms)
        while table_sends and (view := self.endpoint.transmit(self.now_ms)) is not None:
            self.up.put(bytes(view), self.now)
            self.endpoint.sent(len(view))
        arrivals = [way.under_way[0][0] for way in (self.down, self.up) if way.under_way]
        idle = 0.0 if data or came or not table_sends else min(arrivals, default=self.now + IDLE_TICK_S) - self.now
        self.now += min(IDLE_TICK_S, max(TICK_S, idle))

    def run(self, until: Callable[[], bool], limit_s: float = 120.0) -> None:
        end = self.now + limit_s
        while not until():
            assert self.now < end, "not reached in simulated time\n" + self.session.transcript()
            self.step()

    def open(self) -> None:
        self.run(lambda: self.session.hello is not None)

    def wait_s(self, seconds: float) -> None:
        end = self.now + seconds
        self.run(lambda: self.now >= end, seconds + 1)

    def numbers(self) -> list[int]:
        """Record numbers as they came; a gap as its negative ends."""
        out: list[int] = []
        for item in self.records:
            out += [item.number] if isinstance(item, Record) else [-item.first, -item.last]
        return out
