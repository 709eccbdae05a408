"""The virtual shaker: a motor with inertia moves a cup, three dice bounce in it, a sensor on the cup hears them knock.

Faults are of the parts, not of what the table makes of them: the motor stands, the crank has play (`weak`), the sensor
is dead, closed for good or hums, lid and lock open or bounce. Times are milliseconds.
"""

import math

from tabletop import ticks
from tabletop.const import const

_STROKE_HZ = 9
_STROKE_M = 0.012  # of the cup, to each side
_LAG_MS = const(250)  # the motor's: to get to two thirds of its speed
_HIGH_M = 0.045  # the inside of the cup
_GRAVITY = 9.81
_BOUNCES = 0.45  # share of its speed that a die keeps
_HEARD = 0.4  # m/s: a softer knock does not close the sensor
_KNOCK_MS = const(4)
_MOST_MS = const(20000)  # that are worked out at once
_HUM_MS = const(10)  # half a wave of the mains


class Shaker:
    """`motor(on)` is the table's output. `poll(shaker, now_ms)` moves all of it and tells the sensing core the edges.

    `fault` is one of FAULTS or "", since `fault_ms`; `dice` are the faces that lie up: red, blue, blue.
    """

    FAULTS = (
        "motor stands", "weak", "sensor dead", "sensor stuck", "sensor hums", "lid opens", "lid bounces",
        "lock opens", "never calm",
    )  # fmt: skip

    def __init__(self, seed: int = 1, inputs=None) -> None:
        self.driven = False
        self.fault = ""
        self.fault_ms = 0
        self.lid = self.lock = True
        self.dice = [1, 1, 1]
        self._chance = seed
        self._inputs = inputs  # the buttons of the board
        self.now_ms = -1  # since the first poll, and counting on; ticks wrap
        self._tick_ms = 0
        self._speed = 0.0  # of the motor, share of its full speed
        self._phase = 0.0
        self._at = [0.0, 0.0, 0.0]
        self._pace = [0.0, 0.0, 0.0]
        self._closed_until_ms = -1
        self._sent = [-1, -1, -1]  # motion, lid, lock

    def motor(self, on: bool) -> None:
        """The table's output."""
        self.driven = on

    def draw(self, n: int) -> int:
        """0 .. n-1: the noise of a bounce, and how dice fall. It is physics here, and nobody's chance."""
        self._chance = (self._chance * 1103515245 + 12345) & 0x3FFFFFFF
        return (self._chance >> 12) % n

    def poll(self, sensing, now_ms: int) -> None:
        """Everything until now, millisecond by millisecond."""
        if self.now_ms < 0:
            self.now_ms = self._tick_ms = now_ms
            self._tell(sensing)
        for _ in range(min(ticks.since(now_ms, self._tick_ms), _MOST_MS)):
            self._tick_ms = ticks.add(self._tick_ms, 1)
            self.now_ms += 1
            self._move()
            self._tell(sensing)
        self._tick_ms = now_ms

    # orders of the hand

    def do_shake(self, order: dict) -> dict:
        if order["seat"] not in range(8):
            raise ValueError("seat is 1 to 7, or 0")
        inputs = self._inputs
        inputs.pressed |= 1 << 14 + order["seat"] if order["seat"] else 128
        inputs.until_us = inputs.clock.now_us() + order.get("ms", 100) * 1000
        return {}

    def do_shaker(self, order: dict) -> dict:
        fault = order.get("fault", self.fault)
        if fault and fault not in self.FAULTS:
            raise ValueError("there is no fault " + fault)
        self.fault, self.fault_ms = fault, self.now_ms + order.get("after_ms", 0)
        self.lid, self.lock = order.get("lid", self.lid), order.get("lock", self.lock)
        return {"dice": self.dice, "calm": self.calm(), "motor": self.driven}

    def calm(self) -> bool:
        """Nothing moves."""
        return self._speed < 0.01 and not self.driven and self.now_ms > self._closed_until_ms

    def _is(self, fault: str) -> bool:
        return self.fault == fault and self.now_ms >= self.fault_ms

    def _move(self) -> None:
        turns = self.driven and not self._is("motor stands")
        turns = turns or self._is("never calm")
        self._speed += ((1.0 if turns else 0.0) - self._speed) / _LAG_MS
        if self._speed < 0.01 and not turns:
            self._speed = 0.0
            return
        stroke = _STROKE_M * (0.3 if self._is("weak") else 1.0)
        turn = 2 * math.pi * _STROKE_HZ * self._speed
        self._phase += turn / 1000
        floor = stroke * math.sin(self._phase)
        floor_pace = stroke * turn * math.cos(self._phase)
        for die in range(3):
            self._pace[die] -= _GRAVITY / 1000
            self._at[die] += self._pace[die] / 1000
            below = self._at[die] < floor
            if below or self._at[die] > floor + _HIGH_M:
                blow = floor_pace - self._pace[die]
                self._at[die] = floor if below else floor + _HIGH_M
                if (blow > 0) == below:
                    self._pace[die] = floor_pace + blow * (_BOUNCES + (self.draw(100) - 50) / 1000)
                    if abs(blow) > _HEARD:
                        self._closed_until_ms = self.now_ms + _KNOCK_MS
                        self.dice[die] = 1 + self.draw(6)

    def _tell(self, sensing) -> None:
        now_ms = self.now_ms
        level = 1 if now_ms < self._closed_until_ms else 0
        if self._is("sensor dead"):
            level = 0
        elif self._is("sensor stuck"):
            level = 1
        elif self._is("sensor hums") and self.driven:
            level = now_ms // (_HUM_MS // 2) & 1
        lid, lock = self.lid, self.lock
        if self._is("lid opens"):
            lid = False
        elif self._is("lid bounces") and now_ms % 400 < 15:
            lid = False
        elif self._is("lock opens"):
            lock = False
        self._edge(0, level, sensing.motion)
        self._edge(1, lid, sensing.lid)
        self._edge(2, lock, sensing.lock)

    def _edge(self, which: int, level, told) -> None:
        if self._sent[which] != level:
            self._sent[which] = level
            told(self._tick_ms, level)
