"""Puts the chip's parts together as the HAL of one table (docs/architecture.md)."""

import hashlib
import os
import select
import time

from wheel_build import BOARD, REGIONS

from tabletop.hal.rp2 import identity, noise, own, pins, program, reset
from tabletop.hal.rp2.clock import Clock
from tabletop.hal.rp2.inputs import Inputs
from tabletop.hal.rp2.panel import Panel
from tabletop.hal.rp2.ports import UartPort, usb_port
from tabletop.hal.rp2.store import SECTOR, Store
from tabletop.hal.rp2.strips import Strips, sort
from tabletop.hal.rp2.wheel import Wheel

RIM, INNER, TILES = range(3)


class Lights:
    def __init__(self, board: dict, clock, panel, dark: bool):
        self._clock = clock
        self.panel = panel
        self._turn = 0
        self.strips = Strips(
            ((pins.RIM, board["rim_leds"]), (pins.INNER, board["inner_leds"]), (pins.TILES, board["tile_leds"])),
            board["led_milliamps"],
        )
        self.dark = int(dark)  # 1: no LED is lit: they have pulled the supply down
        self.digits = panel.digits
        self.bright = panel.bright
        self.sort = sort
        self.tower = panel.tower
        self.lamps = panel.lamps

    @property
    def limited(self) -> int:
        """How often since the start the LEDs had to be dimmed to the current limit."""
        return self.strips.dimmed

    def rim(self, frame) -> None:
        self._ask(RIM, frame)

    def inner(self, frame) -> None:
        self._ask(INNER, frame)

    def tiles(self, frame) -> None:
        self._ask(TILES, frame)

    def _ask(self, number: int, frame) -> None:
        if not self.dark:
            self.strips.ask(number, frame)
            self.strips.serve(self._clock.us())

    def serve(self) -> None:
        """Every tick: LED frames that wait; every other, one of 13 registers of the displays: all in 0.65 s at rest."""
        self.strips.serve(self._clock.us())
        self._turn ^= 1
        if self._turn:
            self.panel.refresh()


_chain = [b"EMULATED"]


def _whitened(buf) -> None:
    # The oscillator of an emulator stands still, and os.urandom with it: a hash of hashes and of moments stands in.
    for at in range(0, len(buf), 32):
        _chain[0] = hashlib.sha256(_chain[0] + str(time.ticks_us()).encode()).digest()
        buf[at : at + 32] = _chain[0][: len(buf) - at]


class Board:
    """The HAL. `emulated` is true only when the identity sector says so; nothing on a chip can find that out."""

    rest_tick_ms = 25  # edges are latched in hardware, and link bytes end the wait

    def __init__(self, reset_reason: str):
        base = REGIONS["files"][0]
        start, size = REGIONS["identity"]
        given = identity.read(Store(start - base, size))
        self.board = own.taken(BOARD, given.get("board", {}))
        self.emulated = bool(given.get("emulated"))
        self.serial = identity.serial(given)
        self.key = identity.key(given)
        self.reset_reason = reset_reason
        self.clock = Clock(self)
        start, size = REGIONS["journal"]
        self.store = Store(start - base, min(size, self.board.get("flash_sectors", size) * SECTOR))
        start, size = REGIONS["secret"]
        self.vault = Store(start - base, size)
        self.wheel = Wheel(self.board["pio_hz"], self.clock)
        panel = Panel(self.board["digits"])
        self.inputs = Inputs(self.clock, panel)
        self.lights = Lights(self.board, self.clock, panel, reset.dips(reset_reason) >= reset.MOST_DIPS)
        self._steady = False
        self.ports: list = [usb_port()]
        if "uart" in self.board["links"]:
            self.ports.append(UartPort(self.board["baud"], self.board.get("rs485", False)))
        self.bytes_come = select.poll()
        for port in self.ports:
            self.bytes_come.register(port.stream, select.POLLIN)
        self._watchdog = reset.Watchdog(self.board["watchdog_ms"])
        self.feed = self._watchdog.feed
        self.program = program.chunks
        self.entropy = os.urandom
        self.mark = reset.mark
        self.marked = reset.marked()
        if self.emulated:  # it has no noise of its own: whitened bytes stand in, and everything says EMULATED
            self.board["noise"] = {"bits": 8, "h_milli": 8000}
        self.noise = _whitened if self.emulated else noise.raw

    def serve(self) -> None:
        self.lights.serve()
        if not self._steady and self.clock.uptime_ms() > reset.STEADY_MS:
            self._steady = True
            reset.steady()

    def shaker(self):
        """The shaker's wires, for a table that has one."""
        from tabletop.hal.rp2.shaker import Wires

        return Wires(self.lights.panel)

    def settled(self) -> None:
        """The table has started and runs."""
        reset.settled()

    def reset(self, why: str) -> None:
        reset.restart(why)
