"""An emulated table: the image in rp2040py, and everything of a table on its pins.

In one process and one asyncio loop with the emulator. `bytes_out` gets what the chip sends on USB; `send` is the host.
Flash content outlives the object in `flash_path`, as a real board's does.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice, ResetCause
from tabletop.hal.virtual.wheel import SECTION
from wheelwright.flashing.image import Layout

from tests.conftest import ROOT
from tests.emulated.displays import Displays
from tests.emulated.keeper import Keeper
from tests.emulated.strip import Strip
from tests.emulated.turning import DrivenWheel, Turning
from tests.emulated.wires import Wires, pin

BOARD = "WHEEL_PICO"
IMAGE = ROOT / "build" / BOARD / f"wheelwright-{BOARD}.uf2"
# The emulated USB host polls as seldom as this, or the emulated CPU never idles (40 times slower than real time).
USB_POLL_US = 5000
TOUCH_MS = 30  # three stages of a control request, each up to a poll, and a CPU that is busy meanwhile
PIO_HZ = 1_000_000  # 100 k counts/s; at the chip's 125 MHz an emulated second takes a minute
BEAT_NANOS = 5e6
KEY = bytes(range(32))
CRUMB = 0x57480000
BOARD_CHANGES = {"links": ["usb"], "pio_hz": PIO_HZ, "flash_sectors": 32}
# The C stack of the chip, offsets in its memory: 8 KB of the port and WHEEL_MORE_STACK of the board.
STACK_END, STACK_TOP = 0x3E000, 0x42000
PAINT = b"\xa5"
IDENTITY = {"serial": "EMULATED-1", "key": KEY, "emulated": True, "board": BOARD_CHANGES}


class PowerCut(Exception):
    """The power failed at the flash operation that was asked for."""


def layout() -> Layout:
    return Layout.of(json.loads((ROOT / "boards" / BOARD / "table.json").read_text()))


def identity_sector(values: dict[str, Any]) -> bytes:
    body = cbor2.dumps(values, canonical=True)
    return struct.pack(">4sII", b"WHID", len(body), zlib.crc32(body)) + body


class EmulatedTable:
    """`identity` is what the identity sector holds; None leaves it blank."""

    def __init__(self, image: Path = IMAGE, identity: dict[str, Any] | None = IDENTITY, flash_path: Path | None = None,
                 at_milli: int = 20_300) -> None:
        self.device = BaseDevice(board=BoardSpec(image=str(image)))
        self.mcu = self.device.mcu
        self.regions = layout().regions
        self.flash_path = flash_path
        if flash_path and flash_path.exists():
            kept = flash_path.read_bytes()
            start = self.regions["files"][0]
            self.mcu.flash[start:start + len(kept)] = kept
        elif identity is not None:
            self.write_region("identity", identity_sector(identity))
        self.mcu.sram[STACK_END:STACK_TOP] = PAINT * (STACK_TOP - STACK_END)
        self._panic: BaseException | None = None
        self.mcu.on_break = self._broke
        self.wires = Wires(self.mcu)
        self.keeper = Keeper(self.mcu)
        self.wheel = DrivenWheel(at_milli * SECTION // 1000)
        self.turning = Turning(self.mcu, self.wires, self.keeper, self.wheel)
        self.displays = Displays(self.mcu)
        self.strips = {name: Strip(self.mcu, pin(name)) for name in ("RIM", "INNER", "TILES")}
        self.bytes_out: Callable[[bytes], None] = lambda data: None
        self.device.cdc.on_serial_data = lambda data: self.bytes_out(bytes(data))
        self._queue = bytearray()
        self._feeding = self.mcu.clock.create_alarm(self._feed)
        # With no alarm at all and a sleeping CPU, emulated time would stand still.
        self._beat = self.mcu.clock.create_alarm(self._beating)
        self._beat.schedule(BEAT_NANOS)
        self.flash_operations = 0
        self.cut_at = 0
        self.cut_keeps = 128
        self.cut_cause = ResetCause.POWER_ON
        self.then_console = False
        apply = self.mcu.ssi._apply_command
        self.mcu.ssi._apply_command = lambda: self._flash_operation(apply)
        self.resets = 0
        again = self.mcu.watchdog.on_watchdog_trigger
        self.mcu.watchdog.on_watchdog_trigger = lambda: self._watchdog(again)

    def _beating(self) -> None:
        self._beat.schedule(BEAT_NANOS)

    # life

    async def start(self) -> None:
        self.mcu.usb_ctrl.read_delay_microseconds = USB_POLL_US
        await self.device.astart(timeout=120)

    def stop(self) -> None:
        self.device.stop()
        self.keep_flash()

    def keep_flash(self) -> None:
        if self.flash_path:
            start = self.regions["files"][0]
            self.flash_path.write_bytes(self.mcu.flash[start:layout().flash_bytes])

    def ask_for_console(self) -> None:
        """Before the start: as if the table had been told to give the console."""
        self.mcu.watchdog.scratch_data[0] = CRUMB | 3

    def power_cycle(self, cause: ResetCause = ResetCause.POWER_ON) -> None:
        """Power goes and comes, or RUN is pressed: all but flash is lost."""
        self._queue.clear()
        self.device.hard_reset(cause=cause)
        if self.then_console:
            self.ask_for_console()

    @property
    def ms(self) -> float:
        """Emulated milliseconds since the object was made."""
        return float(self.mcu.clock.nanos) / 1e6

    @property
    def error(self) -> BaseException | None:
        """Why emulated time stands still for good: a fault of the emulator, or a panic of the chip's C code."""
        return self.device.simulator.engine_room_error or self._panic

    def _broke(self, code: int) -> None:
        """A breakpoint: what a panic ends in. The emulator would only stop, and everybody wait for it."""
        self._panic = RuntimeError(f"the chip's C code stopped at a breakpoint ({code}) at {self.mcu.core.pc:#x}")
        self.device.simulator.stop()

    # link

    def send(self, data: bytes) -> None:
        self._queue += data
        self._feed()

    def _feed(self) -> None:
        fifo = self.device.cdc.tx_fifo
        while self._queue and not fifo.full:
            fifo.push(self._queue.pop(0))
        if self._queue:
            self._feeding.schedule(USB_POLL_US * 1000.0)

    def touch(self) -> None:
        """A host opens the port at 1200 baud and closes it, and opens it again 60 ms later.

        Each request has time to end, as a host gives it: one in the middle of another is a panic of the chip's USB.
        Called by the clock, not by the loop, which comes round the later the busier the machine is.
        """
        cdc = self.device.cdc
        for ms, request in ((1, lambda: cdc.set_line_coding(1200)),
                            (1 + TOUCH_MS, lambda: cdc.set_control_lines(dtr=False, rts=False)),
                            (61 + TOUCH_MS, lambda: cdc.set_control_lines(dtr=True, rts=True))):
            self.mcu.clock.create_alarm(request).schedule(ms * 1e6)

    # memory

    def stack_unused(self) -> int:
        """Bytes of the C stack that nothing has touched since the object was made."""
        stack = bytes(self.mcu.sram[STACK_END:STACK_TOP])
        return len(stack) - len(stack.lstrip(PAINT))

    # flash

    def write_region(self, name: str, data: bytes) -> None:
        start, size = self.regions[name]
        assert len(data) <= size
        self.mcu.flash[start:start + size] = data.ljust(size, b"\xff")

    def read_region(self, name: str) -> bytes:
        start, size = self.regions[name]
        return bytes(self.mcu.flash[start:start + size])

    def _flash_operation(self, apply: Callable[[], None]) -> None:
        """Counts erases and programs; at `cut_at`, `cut_keeps` bytes are programmed and the power is gone."""
        buffer = self.mcu.ssi._tx_buffer
        if not buffer or buffer[0] not in (0x20, 0xD8, 0x02):
            apply()
            return
        self.flash_operations += 1
        if self.cut_at != self.flash_operations:
            apply()
            return
        if buffer[0] == 0x02:
            self.mcu.ssi._tx_buffer = buffer[:4 + self.cut_keeps]
        apply()
        self.cut_at = 0
        self.mcu.simulator.schedule_threadsafe(lambda: self.power_cycle(self.cut_cause))
        self.mcu.core.waiting = True

    def _watchdog(self, again: Callable[[], None]) -> None:
        self.resets += 1
        self._queue.clear()
        again()
