"""`python -m tests.emulated.serve`: an emulated table in a process of its own, with the link and the hand on TCP ports.

Prints one JSON line with both addresses when the chip is on the bus, as the virtual table does; the hand takes the
same orders (`tabletop/hal/virtual/hand.py`) and some more: `upset`, `cut_at`, `power_cut`, `reset`, `stack`, `wires`,
`console`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from tabletop.hal.virtual import wheel as model
from tabletop.hal.virtual.hand import Hand
from tabletop.hal.virtual.panel import BITS

from tests.emulated.table import IDENTITY, IMAGE, EmulatedTable

SIGNALS = {"SERVICE": "KEY_SERVICE", "RESET": "KEY_RESET"}


class Inputs:
    """Buttons and keys on their pins; a press is let go by the emulated clock. `stuck` and `dead`: bits of contacts."""

    def __init__(self, table: EmulatedTable) -> None:
        self.table = table
        self.held = self.pressed = self._stuck = self._dead = self._closed = 0

    def press(self, name: str, ms: int) -> None:
        self.pressed |= BITS[name]
        self._show()

        def release() -> None:
            self.pressed &= ~BITS[name]
            self._show()

        self.table.mcu.clock.create_alarm(release).schedule(ms * 1e6)

    def hold(self, name: str, on: bool) -> None:
        self.held = self.held | BITS[name] if on else self.held & ~BITS[name]
        self._show()

    def _show(self) -> None:
        closed = (self.held | self.pressed) & ~self._dead | self._stuck
        for name, bit in BITS.items():
            if (closed ^ self._closed) & bit:
                self.table.wires.set(SIGNALS.get(name, name), bool(closed & bit))
        self._closed = closed

    stuck = property(lambda self: self._stuck, lambda self, bits: self._fault(bits, self._dead))
    dead = property(lambda self: self._dead, lambda self, bits: self._fault(self._stuck, bits))

    def _fault(self, stuck: int, dead: int) -> None:
        self._stuck, self._dead = stuck, dead
        self._show()


class Clock:
    def __init__(self, table: EmulatedTable) -> None:
        self.table = table
        self.pace = 1

    def now_us(self) -> int:
        return int(self.table.mcu.clock.nanos // 1000)

    def hurry(self, ms: int) -> None:
        """An emulated chip runs as fast as it can anyway."""


class Chip:
    """What `Hand` expects of a board."""

    def __init__(self, table: EmulatedTable) -> None:
        self.table = table
        self.mechanics = table.wheel
        self.sensors = table.turning
        self.clock = Clock(table)
        self.inputs = Inputs(table)


class EmulatedHand(Hand):
    """The virtual table's hand, on the pins of an emulated chip."""

    board: Chip

    def _state(self) -> dict[str, Any]:
        table = self.board.table
        wheel, now_us = table.wheel, self.board.clock.now_us()
        at = table.turning.at(now_us)
        return {
            "ms": now_us // 1000, "pace": 1, "moving": wheel.moving, "at": at, "side": wheel.side, "bent": wheel.bent(),
            "section_milli": at % model.TURN * 1000 // model.SECTION, "noise": wheel.noise,
            "speed_mturns_s": model.mturns_s(wheel.pace) * wheel.direction, "count": table.turning.shown,
            "inputs": self.board.inputs.held | self.board.inputs.pressed, "store_operations": table.flash_operations,
            "resets": table.resets, "cpu_s": time.process_time(), "mem_free": 0,
            "busy_ms": table.mcu.core.cycles * 8e-6,
        }

    def do_lights(self, _order: Any) -> dict[str, Any]:
        table = self.board.table
        frames = {name.lower(): strip.last.hex() for name, strip in table.strips.items()}
        gaps = {name: min((gap for _, gap in strip.frames), default=0.0) for name, strip in table.strips.items()}
        return {**frames, "frames": len(table.strips["RIM"].frames), "digits": table.displays.texts,
                "lamps": table.displays.lamps >> 12 & 7, "tower": table.displays.lamps >> 8 & 7,
                "gap_us": {name: round(min(gap, 1e9) / 1000) for name, gap in gaps.items()}}

    def do_upset(self, _order: Any) -> dict[str, Any]:
        for chip in self.board.table.displays.chips:
            chip.upset()
        return {}

    def do_cut_at(self, order: Any) -> dict[str, Any]:
        """Power fails in the n-th flash operation from now; of a page, `keeps` bytes are programmed."""
        table = self.board.table
        table.cut_keeps = order.get("keeps", 128)
        table.cut_at = table.flash_operations + order["n"]
        return {}

    def do_stack(self, _order: Any) -> dict[str, Any]:
        return {"unused": self.board.table.stack_unused()}

    def do_power_cut(self, _order: Any) -> dict[str, Any]:
        self.board.table.power_cycle()
        return {}

    def do_touch(self, _order: Any) -> dict[str, Any]:
        self.board.table.touch()
        return {}

    def do_reset(self, _order: Any) -> dict[str, Any]:
        self.board.table.device.hard_reset()
        return {}

    def do_console(self, _order: Any) -> dict[str, Any]:
        table = self.board.table
        table.ask_for_console()
        table.mcu.watchdog.on_watchdog_trigger()
        return {}

    def do_wires(self, order: Any) -> dict[str, Any]:
        self.board.table.wires.set(order["signal"], order["on"])
        return {}


class HandPort:
    """A stream as the `Port` that `Hand` reads and answers on."""

    def __init__(self) -> None:
        self.calls = 0
        self.pending = bytearray()
        self.writer: asyncio.StreamWriter | None = None

    def readinto(self, buf: memoryview) -> int:
        n = min(len(buf), len(self.pending))
        buf[:n] = self.pending[:n]
        del self.pending[:n]
        return n

    def write(self, data: memoryview) -> int:
        if self.writer is not None:
            self.writer.write(bytes(data))
        return len(data)

    def hang_up(self) -> None:
        self.writer = None


class Server:
    def __init__(self, table: EmulatedTable) -> None:
        self.table = table
        self.chip = Chip(table)
        self.hands: list[EmulatedHand] = []  # one a connection: a test and whoever shows the lamps
        self.link: asyncio.StreamWriter | None = None
        table.bytes_out = self._from_chip

    def _from_chip(self, data: bytes) -> None:
        if self.link is not None:
            self.link.write(data)

    async def serve_link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.link is not None:
            writer.close()
            return
        self.link = writer
        try:
            while data := await reader.read(4096):
                self.table.send(data)
        except OSError:
            pass
        finally:
            self.link = None
            writer.close()

    async def serve_hand(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = HandPort()
        port.writer, port.calls = writer, 1
        hand = EmulatedHand(self.chip, port)
        self.hands.append(hand)
        with contextlib.suppress(OSError, SystemExit):
            while data := await reader.read(4096):
                port.pending += data
                hand.serve()
        self.hands.remove(hand)
        writer.close()

    async def watch(self) -> None:
        """Answers who waits for the wheel to rest; ends when the emulator does."""
        while self.table.error is None:
            for hand in self.hands:
                hand.look()
            await asyncio.sleep(0.01)
        raise RuntimeError("the emulator stands still") from self.table.error


async def run(options: argparse.Namespace) -> None:
    identity = dict(IDENTITY, serial=options.serial)
    if options.keyless:
        del identity["key"], identity["serial"]
    if options.pio_hz:
        identity["board"] = dict(identity["board"], pio_hz=options.pio_hz)
    table = EmulatedTable(Path(options.image), None if options.blank else identity,
                          Path(options.flash) if options.flash else None, options.at_milli)
    server = Server(table)
    link = await asyncio.start_server(server.serve_link, "127.0.0.1", options.link)
    hand = await asyncio.start_server(server.serve_hand, "127.0.0.1", options.hand)
    if options.console:
        table.ask_for_console()
    await table.start()
    address = "127.0.0.1:%d"
    print(json.dumps({"link": "socket://" + address % link.sockets[0].getsockname()[1],
                      "hand": address % hand.sockets[0].getsockname()[1], "serial": options.serial}), flush=True)
    try:
        await server.watch()
    finally:
        table.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", default=str(IMAGE))
    parser.add_argument("--serial", default=IDENTITY["serial"])
    parser.add_argument("--flash", default="", help="file that keeps the flash from run to run")
    parser.add_argument("--blank", action="store_true", help="no identity: a board fresh from the shelf")
    parser.add_argument("--keyless", action="store_true", help="no serial number and no key, as fresh from the shelf")
    parser.add_argument("--console", action="store_true", help="start at the console")
    for name, default in (("link", 0), ("hand", 0), ("at-milli", 20_300), ("pio-hz", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(parser.parse_args()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
