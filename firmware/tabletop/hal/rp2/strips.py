"""WS2812 strips: PIO shifts, DMA feeds, the CPU only copies and scales; interrupts are never masked (field case 44).

Two buffers a strip: `asked` holds the frame wanted, `wire` is what DMA reads. A frame asked for while one is on its
way waits until that has really ended and the latch gap is over. All strips share one current budget: when the frames
asked for would draw more, all are dimmed alike (field case 46).
"""

import machine
import micropython
import rp2
from micropython import const

from tabletop.hal.rp2 import registers
from tabletop.hal.rp2.dma import channel
from tabletop.ticks import since

BYTE_US = const(10)  # eight bits at 800 kHz
LATCH_US = const(300)  # newer WS2812B need 280
BIT_HZ = const(800_000)
CYCLES = const(10)  # of the program, a bit


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def ws2812():
    # 0: 3 cycles high of 10; 1: 7 high; 125 ns a cycle
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[3]
    label("zero")
    nop().side(0)[3]
    wrap()


@micropython.viper
def keep(into: ptr8, frame: ptr8, n: int) -> int:
    """Copies a frame; its sum, which is its current."""
    total = 0
    i = 0
    while i < n:
        value = frame[i]
        into[i] = value
        total += value
        i += 1
    return total


@micropython.viper
def dim(into: ptr8, frame: ptr8, n: int, part: int):
    """Copies `part`/256 of a frame."""
    i = 0
    while i < n:
        into[i] = (frame[i] * part) >> 8
        i += 1


@micropython.viper
def sort(into: ptr8, frame: ptr8, at: ptr16, how: int):
    """`how >> 9` bytes of a frame in another order, by `at`, and `how & 511` of 256 as bright (table.fitted)."""
    part = how & 511
    n = how >> 9
    i = 0
    while i < n:
        into[i] = (frame[at[i]] * part) >> 8
        i += 1


class Strip:
    """`leds` LEDs on `pin`, driven by state machine `number` of PIO 1."""

    def __init__(self, number: int, pin: int, leds: int):
        self.n = 3 * leds
        self.asked = bytearray(self.n)
        self.wire = bytearray(self.n)
        self.total = 0
        self.waits = False
        self.sent_at = self.busy_us = 0
        self.frames = 0
        self.sm = rp2.StateMachine(4 + number, ws2812, freq=BIT_HZ * CYCLES, sideset_base=machine.Pin(pin))
        self.sm.active(1)
        self.dma = channel()
        # a byte written to the FIFO is repeated in all four bytes of the word, so its bits come first
        ctrl = self.dma.pack_ctrl(size=0, inc_read=True, inc_write=False, treq_sel=registers.DREQ_PIO1_TX0 + number,
                                  irq_quiet=True)
        self.dma.config(write=registers.PIO1 + registers.TXF0 + 4 * number, count=self.n, ctrl=ctrl)

    def ask(self, frame) -> None:
        self.total = keep(self.asked, frame, self.n)
        self.waits = True

    def send(self, part: int, now_us: int) -> None:
        """Puts the frame on its way when the line is free."""
        if since(now_us, self.sent_at) < self.busy_us or self.dma.active():
            return
        if part < 256:
            dim(self.wire, self.asked, self.n, part)
        else:
            keep(self.wire, self.asked, self.n)
        self.waits = False
        self.frames += 1
        self.dma.config(read=self.wire, count=self.n, trigger=True)
        # the PIO's clock is exact, so the end is known: all bytes, then the gap, and one byte for the start
        self.sent_at = now_us
        self.busy_us = (self.n + 1) * BYTE_US + LATCH_US


class Strips:
    """The table's strips under one budget of milliamperes (`led_milliamps` of the board)."""

    def __init__(self, pins_and_leds, milliamps: dict):
        self.strips = [Strip(number, pin, leds) for number, (pin, leds) in enumerate(pins_and_leds)]
        leds = sum(strip.n for strip in self.strips) // 3
        left = milliamps["budget"] - leds * milliamps["idle"]
        # 3 bytes of 255 draw what an LED draws above idle
        self.allowed = max(0, left) * 765 // (milliamps["full"] - milliamps["idle"])
        self.part = 256
        self.limited = False
        self.dimmed = 0  # how often the limit has set in

    def ask(self, number: int, frame) -> None:
        self.strips[number].ask(frame)

    def serve(self, now_us: int) -> None:
        """Sends what waits; call at least once a tick."""
        total = 0
        for strip in self.strips:
            total += strip.total
        part = 256 if total <= self.allowed else self.allowed * 256 // total
        if part != self.part:
            # what is lit already was dimmed for another sum
            for strip in self.strips:
                strip.waits = strip.waits or strip.total > 0
            self.part = part
            self.dimmed += part < 256 and not self.limited
            self.limited = part < 256
        for strip in self.strips:
            if strip.waits:
                strip.send(part, now_us)
