"""Hundreds of spins of made-up wheels: a healthy one is told right; hands and plugs in mid-spin are seen.

Every spin has a seed of its own. `LONG=4` draws the 400 of each kind that docs/decisions/0010 tells of.
"""

from __future__ import annotations

import math
import random

import pytest

from tests.conftest import FAST, many
from tests.unit.wheel_traces import Faults, Run, Wheel, record, run, sense, told, truth

QUICK, MANY = 8 if FAST else 12, many(100)


def spin_of(rng: random.Random, wheel: Wheel, turns: float) -> Run:
    speed = rng.choice((1, -1)) * wheel.speed_for(turns)
    return run(wheel, rng, rng.uniform(0, 54), [(0.4, speed, rng.uniform(0.2, 0.5))])


def healthy(seed: int, counts_per_turn: int = 0, ordinary: bool = False) -> tuple[list, tuple, Wheel]:
    rng = random.Random(seed)
    wheel = (Wheel.ordinary if ordinary else Wheel.some)(rng, counts_per_turn)
    ran = spin_of(rng, wheel, rng.choice((2.7, 2.95, 3.05, 3.5, 5, 8)) * rng.uniform(0.95, 1.1))
    start = ran.start if rng.random() < 0.7 else None
    spins = sense(wheel, record(wheel, ran, Faults(), rng), ran.ends, start)
    for spin in spins:
        turns = abs(ran.rests[-1][1] - ran.start) / 54
        assert abs(spin.turns_milli / 1000 - turns) < 0.01
    return told(spins), truth(ran), wheel


def check_healthy(seeds: range, most_refused: float, **kind: object) -> None:
    refused = 0
    for seed in seeds:
        got, true, wheel = healthy(seed, **kind)
        if got != [true]:
            assert [outcome for outcome, _ in got] == ["FAULT"], (seed, wheel, got, true)
            refused += 1
    assert refused <= most_refused * len(seeds), refused


def test_healthy_wheels_are_told_right() -> None:
    check_healthy(range(QUICK), 0, ordinary=True)
    check_healthy(range(100, 100 + 2 * QUICK), 0.05)


@pytest.mark.parametrize("counts_per_turn", [216, 541, 10_007, 40_000])
def test_any_number_of_counts_a_turn_will_do(counts_per_turn: int) -> None:
    check_healthy(range(3 if counts_per_turn > 5000 else 8), 0, counts_per_turn=counts_per_turn)


@pytest.mark.slow
def test_many_healthy_wheels_are_told_right() -> None:
    check_healthy(range(MANY), 0, ordinary=True)
    check_healthy(range(MANY), 0.01)
    for counts_per_turn in (216, 250, 300, 360):
        most = 0.03 if counts_per_turn == 250 else 0.025  # the price of no wrong section there: decision 10
        check_healthy(range(MANY), most, counts_per_turn=counts_per_turn)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.04, 0.1])
def test_case_63_a_hand_that_stops_the_wheel_gives_no_section(seconds: float) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        wheel = Wheel.some(rng)
        start, speed = rng.uniform(0, 54), rng.choice((1, -1)) * wheel.speed_for(6)
        free = run(wheel, random.Random(seed), start, [(0.4, speed, 0.3)])
        knots = [knot for knot in free.knots if abs(knot[1] - start) > 3.2 * 54]
        for i in range(0, len(knots) - 20, max(1, len(knots) // 5)):
            at, x = knots[i]
            at_speed = abs(knots[i + 10][1] - x) / (knots[i + 10][0] - at)
            if at_speed < 13:
                break  # less than a quarter of a turn a second
            ran = run(wheel, random.Random(seed), start, [(0.4, speed, 0.3), (at, 0.0, seconds)])
            spin, = sense(wheel, record(wheel, ran, Faults(), rng), ran.ends, start)
            assert (spin.outcome, spin.faults) == ("FAULT", ["OBSTRUCTED"]), (seed, at_speed, spin.outcome, spin.faults)


@pytest.mark.parametrize("seed", [2, 12, 31])
def test_a_plug_pulled_in_mid_spin_gives_no_section_though_pegs_stand_out_of_place(seed: int) -> None:
    # Pegs 0.03 section off make a section seem a quarter faster than the one before: that is no hand that pushes.
    rng = random.Random(seed)
    wheel = Wheel.ordinary(rng)
    wheel.pegs = [rng.choice((-0.03, 0.0, 0.03)) for _ in range(54)]
    ran = run(wheel, rng, rng.uniform(0, 54), [(0.4, wheel.speed_for(8), 0.3)])
    at = rng.uniform(0.4, 0.75) * ran.rests[-1][0]
    faults = Faults(frozen=[(at, math.inf)], clapper_low=[(at, math.inf)])
    assert told(sense(wheel, record(wheel, ran, faults, rng), ran.ends, ran.start)) == [("FAULT", None)]
