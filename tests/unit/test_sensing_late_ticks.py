"""Ticks that come late, as on a chip that draws lamps or collects memory, make no hand of friction."""

from __future__ import annotations

import pytest
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.passing import Passing
from tabletop.sensing.tail import Tail

SLOWING = 107.0  # counts/s2: 2.4 sections/s2 at 2400 counts a turn
FREE_US = 3_000  # when the clapper was let go


def faded(way: float, late_tick: int, late_us: int) -> bool:
    """What is said of a wheel that rolls `way` counts on from its last peg, when one tick comes late."""
    stop_s = (2 * way / SLOWING) ** 0.5
    passing, tail = Passing(WheelConfig(2400)), Tail()
    tail.look(0, 0)
    passing.end(FREE_US, 0, 0)
    t_us = tick = count = 0
    while t_us < stop_s * 1e6 + 50_000:
        t_us += 10_000 + (late_us if tick == late_tick else 0)
        tick += 1
        left_s = stop_s - min(max(0, t_us - FREE_US) / 1e6, stop_s)
        count = int(way - SLOWING * left_s**2 / 2)
        tail.look(t_us, count)
    assert tail.stretch(passing.t_down, tail.t_us)
    return passing.faded(tail, count)


@pytest.mark.parametrize("late_us", [0, 5_000, 15_000, 30_000])
def test_a_wheel_that_friction_stops_is_seen_to_slow_down_however_late_a_tick_is(late_us: int) -> None:
    for way in range(50, 130, 3):
        for tick in range(45):
            assert faded(way / 10, tick, late_us), (way, tick)
