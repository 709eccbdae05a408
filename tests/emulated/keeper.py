"""Keeps PIO exact while the emulated CPU sleeps, and still while nobody needs it.

rp2040py gives each state machine at most one step for each CPU instruction, and one for a whole jump over idle time.
A sleeping CPU would so eat waveforms and edges. The keeper cuts such jumps at the moment a state machine is next due:
while an LED frame is on its way (PIO 1), and for SETTLE_STEPS steps after each edge on the wheel's pins and each look
of the CPU whether counts come (PIO 0, whose programs only loop in between). At other times the block is stopped, since
a running one costs the emulator a sixth of its speed, whatever it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SETTLE_STEPS = 30   # two steps of the counter, as long as the watcher waits, and the DMA chain behind it
PIO1_TX = range(8, 12)  # DMA requests of the strips
NEVER = 1 << 60     # rp2040py's NEVER_DUE is 1 << 62
DMA_BASE = 0x50000000
TRANS_COUNT = 8     # of the registers of a channel
CYCLE_NS = 8.0      # of the system clock, 125 MHz
STALLED_CYCLES = 125  # until a block is looked at again whose machines all wait for something
WHOLE = 8           # looks in which a step may not have been taken yet, as they come within one instruction, are a step
CUT = int           # an alarm that only ends a jump; the cheapest call there is


class Block:
    """One PIO block. `goes(looks)` says whether its steps are still to be kept."""

    def __init__(self, mcu: Any, number: int, goes: Callable[[int], bool]) -> None:
        self.mcu, self.number, self.goes = mcu, number, goes
        self.step = mcu.clock.create_alarm(CUT)
        self.look = mcu.clock.create_alarm(self._look)
        self.on = False

    def begin(self) -> None:
        if not self.on:
            self.on = True
            self.mcu.pio[self.number].stopped = False
            self.look.schedule(CYCLE_NS)

    def _look(self) -> None:
        """One cycle after a step: the block's time lags by that cycle, and tells when the next step is due."""
        pio = self.mcu.pio[self.number]
        due = pio.next_due_fp
        cycles = STALLED_CYCLES if due > NEVER else (due - pio.cycle_fp + 255) // 256 - 1
        if not self.goes(WHOLE if cycles > 0 else 1):
            self.on = False
            pio.stopped = True
        elif cycles > 0:
            self.step.schedule(cycles * CYCLE_NS)
            self.look.schedule((cycles + 1) * CYCLE_NS)
        else:
            self.look.schedule(CYCLE_NS)


class Awake:
    """The bus's view of the DMA, which wakes the wheel's block when the CPU looks whether more counts have come."""

    def __init__(self, dma: Any, wake: Callable[[], None]) -> None:
        self.dma, self.wake = dma, wake
        self.write_uint32 = dma.write_uint32
        self.write_uint32_atomic = dma.write_uint32_atomic

    def read_uint32(self, offset: int) -> int:
        if offset & 0x3F == TRANS_COUNT:
            self.wake()
        return int(self.dma.read_uint32(offset))


class Keeper:
    """Attached before the chip runs; `edge()` is called by whoever moves the wheel's pins."""

    def __init__(self, mcu: Any) -> None:
        self.mcu = mcu
        self.left = 0
        self.wheel = Block(mcu, 0, self._wheel_goes)
        self.strips = Block(mcu, 1, self._strips_go)
        mcu.peripherals[DMA_BASE >> 12] = Awake(mcu.dma, self.edge)
        for channel in mcu.dma.channels:
            channel.start = self._watched(channel, channel.start)

    def _watched(self, channel: Any, start: Any) -> Any:
        def started() -> None:
            start()
            if channel.treq in PIO1_TX:
                self.strips.begin()
        return started

    def _strips_go(self, _looks: int) -> bool:
        """Bytes are to come, or those in the FIFOs are being shifted out."""
        return (self.mcu.pio[1].next_due_fp < NEVER
                or any(channel.active and channel.treq in PIO1_TX for channel in self.mcu.dma.channels))

    def edge(self) -> None:
        """A pin of the wheel has changed, or its count is asked for."""
        self.left = SETTLE_STEPS * WHOLE
        self.wheel.begin()

    def _wheel_goes(self, looks: int) -> bool:
        self.left -= looks
        return self.left > 0
