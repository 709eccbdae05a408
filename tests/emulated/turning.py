"""Turns the project's wheel model into edges on the chip's pins, each at its own moment of emulated time."""

from __future__ import annotations

from typing import Any

from tabletop.hal.virtual.wheel import TURN, Wheel

from tests.emulated.keeper import Keeper
from tests.emulated.wires import Wires

A_LEVEL, B_LEVEL = (0, 1, 1, 0), (0, 0, 1, 1)
FAULTS = ("freeze", "a_dead", "b_dead", "clapper_dead", "index_dead", "illegal")


class DrivenWheel(Wheel):
    """A wheel that tells when a hand has pushed it."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.on_push: Any = None

    def push(self, now_us: int, end_speed: int, duration_us: int, after_us: int = 0) -> None:
        super().push(now_us, end_speed, duration_us, after_us)
        self.on_push()


class Turning:
    """Encoder, index and clapper of `wheel`. Counts begin at 0 where it stands; `count` is a perfect counter's."""

    def __init__(self, mcu: Any, wires: Wires, keeper: Keeper, wheel: DrivenWheel,
                 counts_per_turn: int = 2400, index_width_counts: int = 3) -> None:
        self.wheel, self.wires, self.keeper = wheel, wires, keeper
        self.counts_per_turn, self.index_width = counts_per_turn, index_width_counts
        self.clock = mcu.clock
        self.alarm = mcu.clock.create_alarm(self._next)
        self.edges: list[tuple[float, int]] = []
        self.planned = False
        self.faults: dict[str, int] = {}
        self.zero = self._count(wheel.at)
        self.count = 0
        self.levels: dict[str, bool] = {}
        wheel.on_push = self._pushed
        self._show(0)
        self._clapper()

    def at(self, now_us: int) -> int:
        wheel = self.wheel
        ahead = wheel.t_us - now_us
        if ahead <= 0 or wheel.t_us == wheel.was_us:
            return int(wheel.at)
        return int(wheel.at - (wheel.at - wheel.was_at) * ahead // (wheel.t_us - wheel.was_us))

    def fault_at(self, us: int, name: str, value: int) -> None:
        if name not in FAULTS:
            raise ValueError(f"no fault {name} on the emulated table; it has {', '.join(FAULTS)}")
        alarm = self.clock.create_alarm(lambda: self._fault(name, value))
        alarm.schedule(max(0.0, us * 1000.0 - self.clock.nanos))

    def _fault(self, name: str, value: int) -> None:
        self.faults[name] = value
        if name == "illegal":  # both lines change at once
            for signal in ("ENCODER_A", "ENCODER_B"):
                self._set(signal, not self.levels[signal])

    def _count(self, at: int) -> int:
        return at * self.counts_per_turn // TURN

    def _pushed(self) -> None:
        if not self.planned:
            self._plan()

    def _plan(self) -> None:
        """One step of the model, and the counts that it passes."""
        wheel = self.wheel
        wheel.step()
        begin, end = self.count, self._count(wheel.at) - self.zero
        steps = abs(end - begin)
        way = 1 if end > begin else -1
        span = wheel.t_us - wheel.was_us
        self.edges = [(wheel.was_us + span * (number + 1) / (steps + 1), begin + way * (number + 1))
                      for number in range(steps)]
        self.planned = True
        self._schedule()

    def _schedule(self) -> None:
        moment = self.edges[0][0] if self.edges else float(self.wheel.t_us)
        self.alarm.schedule(max(0.0, moment * 1000.0 - self.clock.nanos))

    def _next(self) -> None:
        if self.edges:
            self._show(self.edges.pop(0)[1])
            self._schedule()
            return
        self._clapper()
        self.planned = False
        if self.wheel.moving:
            self._plan()

    def _show(self, count: int) -> None:
        self.count = count
        if not self.faults.get("freeze"):
            if not self.faults.get("a_dead"):
                self._set("ENCODER_A", bool(A_LEVEL[count & 3]))
            if not self.faults.get("b_dead"):
                self._set("ENCODER_B", bool(B_LEVEL[count & 3]))
        if not self.faults.get("index_dead"):
            self._set("INDEX", (count + self.zero) % self.counts_per_turn < self.index_width)

    def _clapper(self) -> None:
        if not self.faults.get("clapper_dead"):
            self._set("CLAPPER", self.wheel.bent())

    def _set(self, signal: str, active: bool) -> None:
        if self.levels.get(signal) != active:
            self.levels[signal] = active
            self.wires.set(signal, active)
            self.keeper.edge()
