"""Buttons, keys, doors and wager sensors, debounced: a level counts when it has held for HOLD_MS."""

import machine
from micropython import const

from tabletop.hal.rp2 import pins
from tabletop.ticks import diff

HOLD_MS = const(20)
CONTACTS = (
    pins.START, pins.NO_MORE_BETS, pins.VOID, pins.KEY_SERVICE, pins.KEY_RESET, pins.LID, pins.DOOR, pins.SHAKER,
)
SEAT_SHIFT = const(8)  # bits 8-14 are the wager sensors


class Inputs:
    """`read()` gives the bits of docs/architecture.md, then SHAKER=128 and SEAT_1=256 .. SEAT_7=16384."""

    def __init__(self, clock, panel):
        self.clock = clock
        self.panel = panel
        self.pins = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in CONTACTS]
        self.inverted = 0
        for bit, pin in enumerate(CONTACTS):
            if pin in pins.ACTIVE_LOW:
                self.inverted |= 1 << bit
        self.seen = self.stable = self._levels()
        self.since = clock.ms()

    def _levels(self) -> int:
        bits = self.panel.seats() << SEAT_SHIFT
        bit = 1
        for pin in self.pins:
            if pin.value():
                bits |= bit
            bit <<= 1
        return bits ^ self.inverted

    def read(self) -> int:
        now = self.clock.ms()
        levels = self._levels()
        if levels != self.seen:
            self.seen = levels
            self.since = now
        elif diff(now, self.since) >= HOLD_MS:
            self.stable = levels
        return self.stable
