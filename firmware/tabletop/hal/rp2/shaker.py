"""The shaker's wires on the chip: motor, lid, lock, and the knocks of its motion sensor, caught by interrupt."""

import time
from array import array

import machine
from micropython import const

from tabletop.hal.rp2 import pins

_KEPT = const(64)  # edges between two ticks; a sensor that has more is not one that dice knock on


class Wires:
    """`motor(on)`; `poll(shaker, now_ms)` tells the sensing core every edge since the last time."""

    def __init__(self, panel) -> None:
        self.motor = panel.motor
        self._motion = machine.Pin(pins.SHAKER_MOTION, machine.Pin.IN, machine.Pin.PULL_UP)
        self._lid = machine.Pin(pins.LID, machine.Pin.IN, machine.Pin.PULL_UP)
        self._lock = machine.Pin(pins.SHAKER_LOCK, machine.Pin.IN, machine.Pin.PULL_UP)
        self._at = array("i", [0] * _KEPT)
        self._levels = bytearray(_KEPT)
        self._put = self._got = 0
        self._closed = self._locked = -1
        self._motion.irq(self._edge, machine.Pin.IRQ_FALLING | machine.Pin.IRQ_RISING, hard=True)

    def _edge(self, pin) -> None:
        put = self._put
        self._at[put] = time.ticks_ms()  # type: ignore[call-overload] # a small integer: nothing is allocated here
        self._levels[put] = 1 - pin.value()  # closed to ground is a knock
        put = put + 1 & _KEPT - 1
        if put != self._got:
            self._put = put

    def poll(self, shaker, now_ms: int) -> None:
        while self._got != self._put:
            got = self._got
            shaker.motion(self._at[got], self._levels[got])
            self._got = got + 1 & _KEPT - 1
        closed, locked = 1 - self._lid.value(), 1 - self._lock.value()
        if closed != self._closed:
            self._closed = closed
            shaker.lid(now_ms, closed == 1)
        if locked != self._locked:
            self._locked = locked
            shaker.lock(now_ms, locked == 1)
