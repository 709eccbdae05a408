"""A table with two links: one host plays on the first, another looks on at the second."""

from __future__ import annotations

from typing import Any

import cbor2
from tabletop.journal import kinds, record
from tabletop.link import schema
from tabletop.table.links import Links
from wheelwright.framing import Frame, Framer, encode

from tests.vm.dealer import Dealer


class Port:
    """A port of the table with its host at the other end."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.coming = bytearray()
        self.framer = Framer()
        self.frames: list[Frame] = []

    def readinto(self, buf: bytearray) -> int:
        n = min(len(buf), len(self.coming))
        buf[:n] = self.coming[:n]
        del self.coming[:n]
        return n

    def write(self, view: memoryview) -> int:
        self.frames += self.framer.feed(bytes(view))
        return len(view)

    def say(self, name: str, sequence: int, **payload: Any) -> None:
        data = cbor2.dumps(payload, canonical=True)
        self.coming += encode(Frame(schema.number_of(name), self.session, sequence, data))

    def hello(self) -> None:
        self.say("HELLO", 0, protocol=schema.PROTOCOL, schema=schema.schema_hash(), version="0")

    def heard(self) -> list[int]:
        return [frame.kind for frame in self.frames]


def test_case_53_who_looks_on_at_the_second_link_sees_what_is_played_on_the_first() -> None:
    dealer = Dealer()
    table = dealer.table
    player, watcher = Port(1), Port(2)
    table.links = Links([player, watcher], table)
    for port in (player, watcher):
        port.hello()
    watcher.say("SUBSCRIBE", 1, cursor=table.journal.last + 1)
    watcher.say("TELEMETRY", 2, hz=50)
    dealer.tick(3)
    player.say("OPEN_BETS", 1)
    player.say("WAGER", 2, bets=[[1, "10", 5000]])
    dealer.tick(10)
    events = [cbor2.loads(frame.payload)["record"] for frame in watcher.frames if frame.kind == schema.EVENT]
    assert [record.decode(raw).kind for raw in events] == [kinds.ROUND_OPENED, kinds.WAGERS]
    assert schema.LIVE in watcher.heard()
    assert player.heard() == [number | schema.REPLY for number in (schema.HELLO, 0x18, 0x19)]
