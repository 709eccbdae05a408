"""Buttons, keys, doors and wager sensors, debounced: a level counts when it has held for HOLD_MS."""

import machine
import micropython
from micropython import const

from tabletop.hal.rp2 import pins, registers
from tabletop.ticks import since

HOLD_MS = const(20)
CONTACTS = (
    pins.START, pins.NO_MORE_BETS, pins.VOID, pins.KEY_SERVICE, pins.KEY_RESET, pins.LID, pins.DOOR, pins.SHAKER,
)
SEAT_SHIFT = const(8)  # bits 8-14 are the wager sensors, 15-21 the shaker buttons of the seats
SEATS_EVERY = const(4)  # reads: the expanders take longer than all pins together


@micropython.viper
def levels(contacts: ptr8, n: int, gpio_in: ptr32) -> int:
    """Bit k is the level of the pin `contacts[k]`."""
    now = gpio_in[0]
    bits = 0
    k = 0
    while k < n:
        bits |= ((now >> contacts[k]) & 1) << k
        k += 1
    return bits


class Inputs:
    """`read()` gives the bits of docs/architecture.md, then SHAKER=128, SEAT_1=256 .. SEAT_7=16384 and
    SHAKE_1=32768 .. SHAKE_7."""

    def __init__(self, clock, panel):
        self.clock = clock
        self.panel = panel
        for pin in CONTACTS:
            machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
        self.contacts = bytes(CONTACTS)
        self.inverted = 0
        for bit, pin in enumerate(CONTACTS):
            if pin in pins.ACTIVE_LOW:
                self.inverted |= 1 << bit
        self.turn = 0
        self.seats = panel.seats() << SEAT_SHIFT
        self.seen = self.stable = self._levels()
        self.since = clock.ms()

    def _levels(self) -> int:
        self.turn += 1
        if self.turn == SEATS_EVERY:
            self.turn = 0
            self.seats = self.panel.seats() << SEAT_SHIFT
        return levels(self.contacts, 8, registers.GPIO_IN) ^ self.inverted | self.seats

    def read(self) -> int:
        now = self.clock.ms()
        levels = self._levels()
        if levels != self.seen:
            self.seen = levels
            self.since = now
        elif since(now, self.since) >= HOLD_MS:
            self.stable = levels
        return self.stable
