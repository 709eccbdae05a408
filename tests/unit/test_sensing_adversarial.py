"""A wheel with inertia, friction and a spring clapper, made for these tests alone, that barely touches its last peg."""

from __future__ import annotations

from collections.abc import Callable
from math import floor

import pytest
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.spin import Spin, SpinSensor

from tests.conftest import some

STEP_US = 40
TICK_US = 10_000
START = 10.5  # sections
BENT = 0.1  # sections either side of a peg


def way_of_wheel(speed: float) -> list[float]:
    """Where the wheel is at each step, in sections, when launched at `speed` sections/s until 2 s after it rests."""
    dt = STEP_US / 1e6
    way = [START] * 2500
    at = START
    still = 0
    while still < 2_000_000:
        off = at - floor(at + 0.5)
        pull = -0.08 * speed
        friction = 8.0
        if abs(off) < BENT:
            pull += 2 * 1.2 * off / BENT**2
            friction += 0.6
        if speed:
            slower = speed + (pull - friction * (1 if speed > 0 else -1)) * dt
            speed = slower if slower * speed > 0 else 0.0
        elif abs(pull) > friction:
            speed = (pull - friction * (1 if pull > 0 else -1)) * dt
        still = 0 if speed else still + STEP_US
        at += speed * dt
        way.append(at)
    return way


def sense(way: list[float], counts_per_turn: int, seen: Callable[[int, int], int]) -> list[Spin]:
    """What the table makes of it; `seen(step, count)` is what its encoder shows."""
    sensor = SpinSensor(WheelConfig(counts_per_turn))
    start = floor(START * counts_per_turn / 54)
    sensor.at(start)
    spins = []
    was = count = index = bent = 0
    for i, at in enumerate(way):
        t_us = (i + 1) * STEP_US
        count = seen(i, floor(at * counts_per_turn / 54)) - start
        if count != was:
            was = count
            sensor.encoder(t_us, count)
        if (level := int((count + start) % counts_per_turn < 3)) != index:
            index = level
            sensor.index(t_us, count, level)
        if (level := int(abs(at - floor(at + 0.5)) < BENT)) != bent:
            bent = level
            sensor.peg(t_us, count, level)
        if t_us % TICK_US == 0 and (spin := sensor.tick(t_us)) is not None:
            spins.append(spin)
    return spins


@pytest.mark.parametrize("counts_per_turn", [1000, 2160, 2400])
@pytest.mark.parametrize("speed", [66.0, 69.0])
def test_a_wheel_that_turns_about_on_the_edge_of_a_peg_has_its_section(speed: float, counts_per_turn: int) -> None:
    # Two counts or fewer into the window and out again, in less time than a passing takes.
    way = way_of_wheel(speed)
    assert abs(max(way) - floor(max(way) + 0.5)) < BENT, "the last peg was touched"
    (spin,) = sense(way, counts_per_turn, lambda i, count: count)
    assert (spin.outcome, spin.section, spin.faults) == ("SECTION", floor(way[-1]) % 54, [])


@pytest.mark.parametrize("counts_per_turn", [1000, 2400])
@pytest.mark.parametrize("speed", some([65.25, 66.25, 68.25, 69.25]))
@pytest.mark.parametrize("before", [0.13, 0.1, 0.07])
def test_an_encoder_frozen_at_the_edge_of_the_last_peg_has_none(
    speed: float, counts_per_turn: int, before: float
) -> None:
    # The clapper alone looks the same but for the time: a slow wheel that passes bends it for longer.
    way = way_of_wheel(speed)
    line = floor(max(way))
    frozen = next(i for i, at in enumerate(way) if at > line - before)
    last = floor(way[frozen] * counts_per_turn / 54)
    spins = sense(way, counts_per_turn, lambda i, count: count if i < frozen else last)
    assert [spin.outcome for spin in spins] == ["FAULT"]
