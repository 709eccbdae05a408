"""A steady stream of encoder counts on the pins, and the HAL's wheel alone on the chip to count them."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.hal.virtual.faults import A_LEVEL, B_LEVEL

from tests.emulated.console import ChipConsole

WHEEL = """
from tabletop.hal.rp2.board import Clock
from tabletop.hal.rp2.wheel import Wheel
import time, gc
class Seen:
    def __init__(self): self.seen = []
    def index(self, t, c, l): self.seen.append(("Z", t, c, int(l)))
    def peg(self, t, c, l): self.seen.append(("P", t, c, int(l)))
    def illegal(self, t, n): self.seen.append(("X", t, 0, n))
    def encoder(self, t, c): self.count = c
seen = Seen()
wheel = Wheel(%d, Clock(None))
"""


class Steps:
    """Puts counts on the encoder's pins at a steady rate; `each(n)` may move other pins with the nth."""

    def __init__(self, chip: ChipConsole, each: Callable[[int], None] = lambda n: None) -> None:
        self.table = chip.table
        self.each = each
        self.count = 0
        self.left = 0
        self.way = 1
        self.nanos = 0.0
        self.alarm = self.table.mcu.clock.create_alarm(self._step)

    def start(self, steps: int, per_second: float, way: int = 1) -> None:
        self.left, self.way, self.nanos = steps, way, 1e9 / per_second
        self.alarm.schedule(self.nanos)

    def _step(self) -> None:
        self.count += self.way
        wires, phase = self.table.wires, self.count & 3
        wires.set("ENCODER_A", bool(A_LEVEL[phase]))
        wires.set("ENCODER_B", bool(B_LEVEL[phase]))
        self.table.keeper.edge()
        self.each(self.count)
        self.left -= 1
        if self.left:
            self.alarm.schedule(self.nanos)
