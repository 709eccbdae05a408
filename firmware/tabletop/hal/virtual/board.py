"""The virtual board: puts wheel, sensors, clock, ports, panel and store together as the HAL of one table."""

import binascii
import gc
import json
import os
import sys

import tabletop
from tabletop.const import const
from tabletop.hal.virtual.clock import Clock, Reset
from tabletop.hal.virtual.hand import Hand
from tabletop.hal.virtual.panel import Inputs, Lights
from tabletop.hal.virtual.ports import Doors
from tabletop.hal.virtual.sensors import Sensors
from tabletop.hal.virtual.store import Store
from tabletop.hal.virtual.wheel import SECTION, Wheel

_LONGEST_MS = const(8388)  # of a watchdog: the chip counts 24 bits, twice a microsecond


class Options:
    """`key=value` arguments of the process: numbers where the default is one."""

    def __init__(self, args):
        self.board = ""
        self.flash = "flash.bin"
        self.serial = ""  # "" is the board file's
        self.link = 0  # TCP ports; 0 takes a free one
        self.hand = 0
        self.pace = 1
        self.clock_ms = 0  # where the ticks begin
        self.at_milli = 20_300  # where the wheel stands, thousandths of a section
        self.noise = 1
        self.game = ""  # "" is the board file's
        self.live = 0  # 1: not in test mode
        self.tied = 0  # 1: ends when its standard input does, so that no table outlives its launcher
        self.cut_after = 0
        self.cut_percent = 50
        for arg in args:
            key, _, text = arg.partition("=")
            default = getattr(self, key, None)
            if default is None or not text:
                raise ValueError("no option " + arg)
            setattr(self, key, int(text) if isinstance(default, int) else text)


class WheelInput:
    def __init__(self, sensors, clock):
        self.sensors = sensors
        self.clock = clock

    def poll(self, sensor) -> None:
        self.sensors.poll(sensor, self.clock.now_us())

    def levels(self) -> int:
        return self.sensors.levels(self.clock.now_us())


class Board:
    """The HAL (docs/architecture.md). `before`: what `outlives` gave before a reset."""

    emulated = True
    rest_tick_ms = 10

    def __init__(self, options, reset_reason: str, before=None):
        with open(options.board) as file:
            self.board = json.load(file)
        if options.live:
            self.board["live"] = True
        if options.game:
            self.board["game"] = options.game
        self.serial = options.serial or self.board["serial"]
        self.key = binascii.unhexlify(self.board.pop("device_key"))
        self.reset_reason = reset_reason

        self.doors = Doors(options.link, options.hand, options.tied)
        self.ports = [self.doors.link]
        options.link, options.hand = self.addresses = (self.doors.link.number, self.doors.hand.number)
        self.mechanics = Wheel(options.at_milli * SECTION // 1000, options.noise)
        self.stuck_noise = 0  # 1: noise that says nothing any more
        self.marked = 0  # breadcrumb of what ran when the chip was reset
        if before:
            at, side, self.mechanics.noise, self.stuck_noise, self.marked = before
            self.mechanics.place(at, side)
        self.clock = Clock(
            self.mechanics, self.doors, Hand(self, self.doors.hand), options.pace, options.clock_ms, self._watchdog_ms()
        )
        self.cup = None  # of the shaker, where the table has one
        self.hangs = self.dies = 0  # the next task with this mark never comes back, or fails
        self.mark_now = 0
        self.sensors = Sensors(
            self.mechanics, self.board["counts_per_turn"], self.board["index_width_counts"], self.clock.start_us
        )
        self.wheel = WheelInput(self.sensors, self.clock)
        self.inputs = Inputs(self.clock)
        self.lights = Lights(self.board["rim_leds"], self.board["inner_leds"])
        self.store = Store(options.flash, self.board["flash_sectors"], options.cut_after, options.cut_percent)
        self.store.on_read = self.clock.work  # type: ignore[assignment]
        self.vault = Store(options.flash + ".secret", 1)
        if reset_reason == "CONSOLE":  # as a chip that gives its prompt; a virtual one has none
            self.vault.program(0, bytes(self.vault.page))

    def _watchdog_ms(self) -> int:
        value = self.board.get("watchdog_ms", 8000)
        if type(value) is not int or not 1000 <= value <= _LONGEST_MS:
            raise ValueError(
                "watchdog_ms is %s, but must be a whole number from 1000 to %d" % (value, _LONGEST_MS)
            )
        return value

    def shaker(self):
        """The shaker's wires, for a table that has one."""
        from tabletop.hal.virtual.shaker import Shaker

        self.cup = Shaker(self.mechanics.noise, self.inputs)  # type: ignore[assignment]
        return self.cup

    def mark(self, number: int) -> None:
        """Leaves a breadcrumb that a reset keeps and a power cut does not."""
        self.mark_now = number
        if number == self.hangs:
            self.hangs = 0
            self.clock.stand_still()
        if number == self.dies:
            self.dies = 0
            raise RuntimeError("made to fail")

    def noise(self, buf) -> None:
        """Raw samples of one bit. An emulated board has no noise of its own: this is the computer's."""
        data = b""
        for i in range(len(buf)):
            if not i & 15:
                data = os.urandom(16)
            buf[i] = 1 if self.stuck_noise else data[i & 15] & 1

    def entropy(self, n: int) -> bytes:
        return os.urandom(n)

    def program(self):
        """Yields (name, bytes) over every program byte, in the order of names."""
        return chunks()

    def feed(self) -> None:
        """The watchdog: once fed, it resets a table that ticks on without feeding."""
        self.clock.unfed_ms = 0

    def settled(self) -> None:
        """Tells whoever has started the process that the table runs."""
        link, hand = self.addresses
        gc.collect()
        line = {
            "link": "socket://127.0.0.1:%d" % link,
            "hand": "127.0.0.1:%d" % hand,
            "serial": self.serial,
            "mem_free": gc.mem_free(),
        }
        sys.stdout.write(json.dumps(line) + "\n")

    def reset(self, reason: str):
        raise Reset(reason)

    def outlives(self) -> tuple:
        """What a reset leaves as it was: where the wheel stands, its pegs, the noise source, the breadcrumb."""
        wheel = self.mechanics
        return wheel.at, wheel.side, wheel.noise, self.stuck_noise, self.mark_now

    def close(self) -> None:
        self.doors.close()
        self.store.close()
        self.vault.close()


def chunks():
    """Yields (name, bytes): start-up files, then the package by name, as they run; again for each chunk."""
    package = tabletop.__file__.rpartition("/")[0]
    above = package.rpartition("/")[0] or "."
    buf = bytearray(512)
    for entry in sorted(os.listdir(above)):
        if entry.startswith(("boot.", "main.")):
            yield from _file(above + "/" + entry, entry, buf)
    yield from _folder(package, "tabletop", buf)


def _folder(path: str, name: str, buf):
    for entry in sorted(os.listdir(path)):
        inner = path + "/" + entry
        if entry.endswith(".py") or entry.endswith(".mpy"):
            yield from _file(inner, name + "/" + entry, buf)
        elif os.stat(inner)[0] & 0x4000 and entry != "__pycache__":
            yield from _folder(inner, name + "/" + entry, buf)


def _file(path: str, name: str, buf):
    with open(path, "rb") as file:
        while True:
            n = file.readinto(buf)
            if not n:
                return
            yield name, memoryview(buf)[:n]
