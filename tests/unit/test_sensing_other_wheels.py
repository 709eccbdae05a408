"""Spins of wheels of another make (`wheel_adversary`): healthy ones, and those that a hand stops."""

from __future__ import annotations

import random

import pytest

from tests.unit.wheel_adversary import OtherWheel, rows_of, spin
from tests.unit.wheel_traces import Faults, sense, told, truth

QUICK, LONG = 8, 150


def a_wheel(seed: str, ordinary: bool) -> tuple[random.Random, OtherWheel, float, float]:
    rng = random.Random(seed)
    wheel = (OtherWheel.ordinary if ordinary else OtherWheel.some)(rng)
    return rng, wheel, rng.uniform(0, 54), rng.choice((1, -1)) * wheel.speed_for(rng.uniform(3.3, 6))


def refused(seeds: int, ordinary: bool) -> int:
    found = 0
    for seed in range(seeds):
        rng, wheel, start, speed = a_wheel(f"healthy {seed}", ordinary)
        ran = spin(wheel, start, speed)
        got = told(sense(wheel, rows_of(wheel, ran, Faults(), rng), ran.ends, start if rng.random() < 0.7 else None))
        if got != [truth(ran)]:
            assert got == [("FAULT", None)], (seed, wheel, got, truth(ran))
            found += 1
    return found


@pytest.mark.slow
def test_few_healthy_wheels_of_another_make_are_refused() -> None:
    assert refused(LONG, ordinary=True) <= 0.05 * LONG
    assert refused(LONG, ordinary=False) <= 0.1 * LONG


def stopped(seed: int) -> None:
    """A hand stops the wheel over 50..600 ms, from 13..70 sections/s, after three turns or before; it takes four times
    what the wheel loses of itself, or more."""
    rng, wheel, start, speed = a_wheel(f"hand {seed}", True)
    free = spin(wheel, start, speed)
    least, seconds = rng.choice((13, 20, 30, 45, 54, 70)), rng.uniform(0.05, 0.6)
    knots = [knot for knot in free.knots if abs(knot[1] - start) > rng.choice((1.2, 3.2)) * 54]
    for (t, x), (then, y) in zip(knots[::20], knots[20::20], strict=False):
        if abs(y - x) / (then - t) < least:
            break
    pace = abs(y - x) / (then - t)
    usual = 2 * wheel.bearing + wheel.hill * (1 - wheel.given_back)
    seconds = min(seconds, pace / (2 * usual))
    ran = spin(wheel, start, speed, brake=(t, pace / seconds - wheel.bearing - wheel.hill / 2))
    (one,) = sense(wheel, rows_of(wheel, ran, Faults(), rng), ran.ends, start)
    short = truth(ran)[0] == "SHORT_SPIN"
    told_of = (one.outcome, one.faults)
    assert told_of == ("SHORT_SPIN" if short else "FAULT", ["OBSTRUCTED"]), (seed, wheel, seconds, told_of)


def test_case_63_a_hand_that_takes_its_time_is_seen_too() -> None:
    for seed in range(QUICK):
        stopped(seed)


@pytest.mark.slow
def test_case_63_hands_of_all_kinds_are_seen() -> None:
    for seed in range(LONG):
        stopped(seed)
