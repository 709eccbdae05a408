"""The whole table on the emulated chip: its start, also with a full ring, its link, and the time to a spin's result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cbor2
from tabletop.journal import kinds, record
from tabletop.link import schema
from tabletop.sensing.config import WheelConfig
from tabletop.table.records import ROUND_ROOM
from wheelwright import aim
from wheelwright.flashing.image import program_length, read_image
from wheelwright.framing import Frame, Framer, encode

from tests.bench.figures import Figure
from tests.emulated.table import BOARD_CHANGES, IDENTITY, IMAGE, EmulatedTable
from tests.vm.dealer import TEN, Dealer, Flash, Hal

READY = {"REDY", "TE5T"}  # seven segments; in test mode they take turns with what the phase shows
PINGS = 8
ASK_MS = 3000
POLL_US = 1000  # a host asks its devices each millisecond
SECTORS = 128  # a ring of 512 KB
WAGERS = [[1, "10", 5000], [2, "1", 1000]]


class Running:
    """A table from power-on until a display shows that it is ready, and the host at its link.

    `changes` are of its board: another game, for example.
    """

    def __init__(
        self, sectors: int = BOARD_CHANGES["flash_sectors"], journal: bytes = b"", **changes: object
    ) -> None:
        self.loop = asyncio.new_event_loop()
        board = dict(BOARD_CHANGES, flash_sectors=sectors, **changes)
        self.table = table = EmulatedTable(identity=dict(IDENTITY, board=board))
        table.write_region("journal", journal)
        self.came: list[tuple[float, Frame]] = []  # with the emulated millisecond
        self.framer = Framer()
        table.bytes_out = self._take
        self.sequence = 0
        self.loop.run_until_complete(table.start())
        table.mcu.usb_ctrl.read_delay_microseconds = POLL_US
        self.until(lambda: bool(READY & set(table.displays.texts)))

    def _take(self, data: bytes) -> None:
        for frame in self.framer.feed(data):
            self.came.append((self.table.ms, frame))
            if frame.kind == schema.EVENT:
                self.table.send(encode(Frame(schema.ACK, 1, 0, cbor2.dumps({"number": frame.sequence}))))

    def until(self, done: Callable[[], bool]) -> None:
        self.loop.run_until_complete(self._until(done))

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            await asyncio.sleep(0)
            if self.table.error is not None:
                raise RuntimeError("the emulator stands still") from self.table.error

    def pass_ms(self, ms: float) -> None:
        end = self.table.ms + ms
        self.until(lambda: self.table.ms >= end)

    def hello(self) -> None:
        self.ask("HELLO", 0, protocol=schema.PROTOCOL, schema=schema.schema_hash(), version="bench")

    def ask(self, name: str, sequence: int = -1, **args: object) -> dict[str, Any]:
        """The reply."""
        if sequence < 0:
            self.sequence = sequence = self.sequence + 1
        number, before = schema.number_of(name), len(self.came)
        kinds_of_reply = (number | schema.REPLY, schema.REFUSED)

        def replies() -> list[Frame]:
            return [frame for _, frame in self.came[before:] if frame.kind in kinds_of_reply]

        self.table.send(encode(Frame(number, 1, sequence, cbor2.dumps(args, canonical=True))))
        self.until(lambda: bool(replies()))
        (reply,) = replies()
        found: dict[str, Any] = cbor2.loads(reply.payload)
        if reply.kind == schema.REFUSED:
            raise RuntimeError(f"{name} is refused: {found}")
        return found

    def ping_ms(self) -> float:
        """Emulated milliseconds until the reply."""
        begin = self.table.ms
        self.ask("PING")
        return self.table.ms - begin

    def close(self) -> None:
        self.table.stop()
        self.loop.run_until_complete(asyncio.sleep(0.05))
        self.loop.close()


def settle_ms(running: Running) -> float:
    """Emulated milliseconds from the end of the settle window to a spin's record at the host.

    The wheel is turned for less than three turns: what it means, the table finds out as for any other spin.
    """
    table, moved = running.table, [0.0]
    edge = table.keeper.edge

    def watched() -> None:
        moved[0] = table.ms
        edge()

    table.turning.keeper.edge = watched  # type: ignore[method-assign]
    running.ask("OPEN_BETS")
    running.ask("WAGER", bets=WAGERS)
    running.ask("NO_MORE_BETS")
    running.ask("SUBSCRIBE", cursor=running.ask("STATUS")["last"] + 1)
    wheel = table.wheel
    launch, _ = aim.plan(wheel.at, wheel.side, "short", 5)
    wheel.noise = launch.noise
    wheel.push(int(table.mcu.clock.nanos // 1000), aim.speed(launch.speed_mturns_s) * launch.direction, aim.LAUNCH_US)

    def told_ms() -> list[float]:
        return [ms for ms, frame in running.came if frame.kind == schema.EVENT
                and record.decode(cbor2.loads(frame.payload)["record"]).kind == kinds.SPIN]

    while not told_ms():
        running.pass_ms(ASK_MS)
        running.ask("PING")  # a table tells nothing to a host that says nothing for ten seconds
    return told_ms()[0] - moved[0] - WheelConfig(2400).settle_ms


def dealer_of(image: Path) -> Dealer:
    """A table in this process, its ring of 512 KB in memory; the program that it says it runs is that of `image`."""
    data = read_image(image).data()
    hal = Hal(Flash(SECTORS))
    hal.program = lambda: iter([("flash", data[: program_length(data, image)])])  # type: ignore[method-assign]
    return Dealer(hal.store, hal)


def played_ring(image: Path) -> bytes:
    """A ring that has gone round, with a host that follows, and a round open at its end."""
    dealer = dealer_of(image)
    while dealer.table.journal.first == 1:
        dealer.open_round(*WAGERS)
        dealer.spin(section=TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
        dealer.table.records.anchor(dealer.table.journal.last)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=WAGERS)
    return b"".join(dealer.flash.pages)


def idle_ring(image: Path) -> bytes:
    """A ring that is full of what is no round, without a host: nothing else takes a start further back."""
    dealer = dealer_of(image)
    while dealer.table.journal.free() > ROUND_ROOM:
        dealer.table.records.write(kinds.TIME_SET, {"unix_ms": 1_767_225_600_000, "was_ms": 0})
        dealer.pass_time(200)
    return b"".join(dealer.flash.pages)


def figures() -> Iterator[Figure]:
    """From power-on until the display says that the table is ready; then commands over the emulated USB link."""
    running = Running()
    ms = running.table.ms
    yield Figure("power-on to ready (32 sectors of journal)", ms, "ms", "goal", 3000.0, less_is_better=True)
    running.hello()
    trips = sorted(running.ping_ms() for _ in range(PINGS))
    yield Figure(f"command round trip, median of {PINGS}", trips[PINGS // 2], "ms", "design budget", 10.0,
                 less_is_better=True)
    yield Figure(f"command round trip, longest of {PINGS}", trips[-1], "ms", "design budget", 10.0, less_is_better=True)
    running.pass_ms(1100)  # a wheel that turns sooner was turning before the start
    yield Figure("settle window to result at the host", settle_ms(running), "ms", "design budget", 50.0,
                 less_is_better=True)
    running.close()
    for what, ring in (("gone round", played_ring), ("of no rounds", idle_ring)):
        running = Running(SECTORS, ring(IMAGE))
        yield Figure(f"power-on to ready, 512 KB {what}", running.table.ms, "ms", "goal", 2000.0, less_is_better=True)
        running.close()
