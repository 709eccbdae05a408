"""Turns the project's wheel model into edges on the chip's pins, each at its own moment of emulated time.

Faults are those of the virtual table (`tabletop/hal/virtual/faults.py`): a line that is dead there stands still here.
"""

from __future__ import annotations

from typing import Any

from tabletop.hal.virtual.faults import A_LEVEL, B_LEVEL, NAMES
from tabletop.hal.virtual.sensors import Sensors
from tabletop.hal.virtual.wheel import TURN, Wheel

from tests.emulated.keeper import Keeper
from tests.emulated.wires import Wires

NOT_ON_PINS = ("lost", "glitches", "led_dead", "digits_dead")  # what a counter missed or made up; what no pin tells
NOISE_NANOS = 200_000  # of a pulse on the index that is none


class DrivenWheel(Wheel):
    """A wheel that tells when a hand has pushed it."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.on_push: Any = None

    def push(self, now_us: int, end_speed: int, duration_us: int, after_us: int = 0) -> None:
        super().push(now_us, end_speed, duration_us, after_us)
        self.on_push()


class Turning(Sensors):
    """Encoder, index and clapper of `wheel`. Counts begin at 0 where it stands; `shown` is a perfect counter's."""

    def __init__(self, mcu: Any, wires: Wires, keeper: Keeper, wheel: DrivenWheel,
                 counts_per_turn: int = 2400, index_width_counts: int = 3) -> None:
        self.wires, self.keeper = wires, keeper
        self.index_width = index_width_counts
        self.clock = mcu.clock
        self.alarm = mcu.clock.create_alarm(self._next)
        self.noise_over = mcu.clock.create_alarm(lambda: self._set("INDEX", self.index_level))
        self.edges: list[tuple[float, int]] = []
        self.planned = False
        self.shown = 0
        self.active: dict[str, bool] = {}
        super().__init__(wheel, counts_per_turn, index_width_counts)
        wheel.on_push = self._pushed
        self._show(0)

    def fault_at(self, t_us: int, name: str, value: int, board: Any = None) -> None:
        """Makes or mends a fault when the wheel has come to `t_us`. ValueError: not on these pins."""
        if name in NOT_ON_PINS:
            fit = " ".join(one for one in NAMES.split() if one not in NOT_ON_PINS)
            raise ValueError(f"no fault {name} on the emulated table; it has {fit}")
        if name == "illegal":
            due = self._both_at_once
        else:
            super().fault_at(t_us, name, value, board)
            due = self._due
        self.clock.create_alarm(due).schedule(max(0.0, t_us * 1000.0 - self.clock.nanos))

    def _both_at_once(self) -> None:
        for signal in ("ENCODER_A", "ENCODER_B"):
            self._set(signal, not self.active[signal])

    def _due(self) -> None:
        """What is to happen now; of a wheel that turns, between two steps of it."""
        if self.faults and not self.planned:
            before = self.count(self.wheel.at)
            self.faults.due(int(self.clock.nanos // 1000))
            self._show(self.shown + self.count(self.wheel.at) - before)  # counts that are lost for good do not come

    def _pushed(self) -> None:
        if not self.planned:
            self._plan()

    def _plan(self) -> None:
        """One step of the model, and the counts that it passes."""
        wheel = self.wheel
        wheel.step()
        begin, end = self.shown, self.count(wheel.at)
        steps = abs(end - begin)
        way = 1 if end > begin else -1
        span = wheel.t_us - wheel.was_us
        self.edges = [(wheel.was_us + span * (number + 1) / (steps + 1), begin + way * (number + 1))
                      for number in range(steps)]
        self.planned = True
        self._schedule()

    def _stepped(self) -> None:
        """The wheel has come to the end of a step; a shaft that slips goes on in the next."""
        wheel = self.wheel
        self.planned = False
        self.clapper(wheel.t_us)
        self._due()
        if self.faults:
            zero, turn = self.zero, (wheel.at + self.slip) // TURN
            self.faults.step(turn != self.turn)
            self.turn = turn
            self.shown -= self.zero - zero
        if wheel.moving:
            self._plan()

    def _schedule(self) -> None:
        moment = self.edges[0][0] if self.edges else float(self.wheel.t_us)
        self.alarm.schedule(max(0.0, moment * 1000.0 - self.clock.nanos))

    def _next(self) -> None:
        if self.edges:
            self._show(self.edges.pop(0)[1])
            self._schedule()
            return
        self._stepped()

    def _show(self, count: int) -> None:
        self.shown = count
        faults = self.faults
        a, b = faults.lines(count) if faults else (A_LEVEL[count & 3], B_LEVEL[count & 3])
        self._set("ENCODER_A", bool(a))
        self._set("ENCODER_B", bool(b))
        if faults is None or faults.index():
            width = faults.width if faults else self.index_width
            self.index_level = (count + self.zero) % self.counts_per_turn < width
            self._set("INDEX", self.index_level)

    def latch(self, t_us: int, count: int, level: bool, peg: int) -> None:
        """The clapper's edge, or one on the index that is none: the second of two ends the pulse."""
        if peg:
            self._set("CLAPPER", level)
        elif level != self.index_level:
            self._set("INDEX", level)
            self.noise_over.schedule(NOISE_NANOS)

    def _set(self, signal: str, active: bool) -> None:
        if self.active.get(signal) != active:
            self.active[signal] = active
            self.wires.set(signal, active)
            self.keeper.edge()
