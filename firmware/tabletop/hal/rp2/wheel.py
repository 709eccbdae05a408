"""Encoder, index and clapper: counted and latched by PIO and DMA, read by the CPU when it has time.

Two DMA channels, one after the other, take every word from the counter into one place in memory. An edge of index or
clapper starts a chain of three that store, without the CPU, the edge's number, the microsecond timer and the count of
that moment in three rings. A blocked CPU loses nothing until more than RING edges of one line have passed; then it
knows, and the sensor is told of more impossible changes than any spin may have.
"""

import array

import machine
import micropython
import rp2
import uctypes
from micropython import const

from tabletop.hal.rp2 import pins, quadrature, registers
from tabletop.hal.rp2.dma import channel
from tabletop.hal.rp2.inputs import levels
from tabletop.ticks import HALF, MASK, diff

RING = const(64)  # edges of one line
OVERRUN = const(16)  # impossible changes that lost edges count for: a spin with four has no result
RING_BITS = const(8)  # of its bytes: 64 words
LINES = bytes((pins.ENCODER_A, pins.ENCODER_B, pins.INDEX, pins.CLAPPER))
MANY = const(0xFFFFFFF)  # words of the counter, 15 s at 125 MHz; the RP2350 has flags in the bits above
STALLED = "the encoder's state machine does not run"


# Addresses are handed in: frozen viper code may not hold a literal of more than 16 bits on the RP2040
# (docs/decisions/0040-no-wide-literals-in-viper.md).


@micropython.viper
def came(one: ptr32, other: ptr32) -> int:
    """Waits until a channel has taken another word: 1; 0 when none comes."""
    left = one[2]  # TRANS_COUNT
    left_other = other[2]
    tries = 0x8000
    while tries:
        if one[2] != left or other[2] != left_other:
            return 1
        tries -= 1
    return 0


@micropython.viper
def illegal_seen(pio: ptr32) -> int:
    """1 when both encoder lines changed at once since the last call."""
    if pio[12] & 1:  # IRQ
        pio[12] = 1
        return 1
    return 0


@micropython.viper
def word(ring: ptr32, index: int) -> int:
    return ring[index]


@micropython.viper
def tick_at(ring: ptr32, index: int) -> int:
    """A tick of 30 bits, put together from two halves."""
    value = ring[index]
    return ((value >> 16) & 0x3FFF) << 16 | (value & 0xFFFF)


@micropython.viper
def ring_index(dma: ptr32) -> int:
    """Where the DMA channel writes next, as a word of its ring."""
    return (dma[1] >> 2) & 63


def aligned(blocks: int) -> list:
    """Addresses of `blocks` rings, each aligned to its size as DMA wants it, and the buffer that must outlive them."""
    size = 1 << RING_BITS
    buf = bytearray(size * (blocks + 1))
    first = -(-uctypes.addressof(buf) // size) * size
    return [buf] + [first + size * i for i in range(blocks)]


class Line:
    """One watched line: `state_machine` of PIO 0 on `pin`, its rings, and how far they have been read."""

    def __init__(self, state_machine: int, pin: int, hz: int):
        self.inverted = pin in pins.ACTIVE_LOW
        self.pin = machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP if pin in pins.PULL_UP else None)
        rings = aligned(3)
        self.keep = rings[0]
        self.numbers, self.times, self.counts = rings[1:]
        self.sm = rp2.StateMachine(state_machine, quadrature.watcher, freq=hz, in_base=self.pin)
        self.sm.exec("set(x, 0)")
        self.state_machine = state_machine
        self.read = 0
        self.next = MASK  # number of the edge that is read next, in 30 bits
        self.lost = False  # edges were overwritten before they were read
        self.done = 0

    def latch(self, latest) -> None:
        """Starts the chain: number (waits for an edge), time, and the count, `latest`."""
        self.channels = number, time, count = [channel() for _ in range(3)]
        machine_n = self.state_machine
        self._chain(number, time, registers.PIO0 + registers.RXF0 + 4 * machine_n, self.numbers,
                    registers.DREQ_PIO0_RX0 + machine_n)
        self._chain(time, count, registers.TIMER_US, self.times, registers.DREQ_NONE)
        self._chain(count, number, uctypes.addressof(latest), self.counts, registers.DREQ_NONE)
        self.done = registers.DMA + 0x40 * count.channel
        self.sm.active(1)
        number.active(1)

    def _chain(self, dma, then, source: int, ring: int, pace: int) -> None:
        ctrl = dma.pack_ctrl(size=2, inc_read=False, inc_write=True, ring_size=RING_BITS, ring_sel=True,
                             treq_sel=pace, chain_to=then.channel, irq_quiet=True)
        dma.config(read=source, write=ring, count=1, ctrl=ctrl)

    def waiting(self) -> bool:
        """Whether an edge is there whole: the chain has ended, or begun with the edge after it."""
        newer = (self.next - tick_at(self.numbers, self.read)) & MASK  # numbers count down
        if newer:
            if newer < HALF:
                self.drop()
                self.lost = True
            return False
        after = (self.read + 1) & (RING - 1)
        return ring_index(self.done) != self.read or tick_at(self.numbers, after) == (self.next - 1) & MASK

    def tick(self) -> int:
        return tick_at(self.times, self.read)

    def level(self) -> bool:
        return (self.next & 1 != 0) != self.inverted

    def step(self) -> bool:
        """Goes on to the next edge; False when this one was overwritten while it was read."""
        whole = tick_at(self.numbers, self.read) == self.next
        self.read = (self.read + 1) & (RING - 1)
        self.next = (self.next - 1) & MASK
        if not whole:
            self.lost = True
        return whole

    def drop(self) -> None:
        """Forgets what has come so far."""
        self.read = ring_index(self.done)
        self.next = (tick_at(self.numbers, (self.read - 1) & (RING - 1)) - 1) & MASK


class Wheel:
    """`poll(sensor)` hands over everything since the last poll, in order. PIO runs at `hz` and counts hz/10 steps/s."""

    def __init__(self, hz: int, clock):
        self.clock = clock
        self.count = array.array("i", [0])
        self.index = Line(1, pins.INDEX, hz)  # loads the watcher before the counter
        self.clapper = Line(2, pins.CLAPPER, hz)
        for pin in (pins.ENCODER_A, pins.ENCODER_B):
            machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
        self.sm = rp2.StateMachine(0, quadrature.counter, freq=hz, in_base=machine.Pin(pins.ENCODER_A))
        self.sm.exec("mov(y, invert(null))")
        if machine.mem32[registers.PIO0 + 0xCC] & 0xF80 != 15 << 7:
            raise RuntimeError("the quadrature program is not at offset 0 of PIO 0")
        self.inverted = sum([1 << bit for bit in range(4) if LINES[bit] in pins.ACTIVE_LOW])
        self._take()
        self.sm.active(1)
        self.index.latch(self.count)
        self.clapper.latch(self.count)
        self.read()
        illegal_seen(registers.PIO0)  # the first sample has no sample before it
        self.index.drop()
        self.clapper.drop()

    def _take(self) -> None:
        """Nobody else may read what the counter pushes: who finds nothing there reads rubbish."""
        self.channels = [channel() for _ in range(2)]
        for dma, then in (self.channels, self.channels[::-1]):
            ctrl = dma.pack_ctrl(size=2, inc_read=False, inc_write=False, treq_sel=registers.DREQ_PIO0_RX0,
                                 chain_to=then.channel, irq_quiet=True)
            dma.config(read=registers.PIO0 + registers.RXF0, write=self.count, count=MANY, ctrl=ctrl)
        self.taken = [registers.DMA + 0x40 * dma.channel for dma in self.channels]
        self.channels[0].active(1)

    def levels(self) -> int:
        """What stands on the pins of A, B, Z and the clapper: bits 1, 2, 4, 8; active is 1."""
        return levels(LINES, 4, registers.GPIO_IN) ^ self.inverted

    def read(self) -> int:
        """The count now. RuntimeError when the state machine is dead."""
        if not came(self.taken[0], self.taken[1]):
            raise RuntimeError(STALLED)
        return self.count[0]

    def poll(self, sensor) -> None:
        index = self.index
        clapper = self.clapper
        while True:
            if index.waiting():
                if clapper.waiting() and diff(clapper.tick(), index.tick()) < 0:
                    self._tell(clapper, sensor)
                else:
                    self._tell(index, sensor)
            elif clapper.waiting():
                self._tell(clapper, sensor)
            else:
                break
        count = self.read()
        t_us = self.clock.us()
        if illegal_seen(registers.PIO0):
            sensor.illegal(t_us, 1)
        sensor.encoder(t_us, count)
        if index.lost or clapper.lost:
            index.lost = clapper.lost = False
            sensor.illegal(t_us, OVERRUN)

    def _tell(self, line, sensor) -> None:
        t_us, count, level = line.tick(), word(line.counts, line.read), line.level()
        if line.step():
            if line is self.clapper:  # a method that is handed over would be an object made anew
                sensor.peg(t_us, count, level)
            else:
                sensor.index(t_us, count, level)
