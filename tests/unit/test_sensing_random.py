"""Hundreds of spins of made-up wheels: a healthy one is told right, a spoilt one never gives a wrong section.

Every spin has a seed of its own. Where a fault may be too late or too small to matter, the right section may still come
out; how often each outcome came is checked where it must not drift.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.conftest import FAST
from tests.unit.wheel_traces import Faults, Run, Wheel, record, run, sense, told, truth

QUICK, LONG = 8 if FAST else 12, 400


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
    check_healthy(range(LONG), 0.005, ordinary=True)
    check_healthy(range(LONG), 0.01)
    for counts_per_turn in (216, 250, 300, 360):
        check_healthy(range(LONG), 0.025, counts_per_turn=counts_per_turn)


# kind of fault: what it does to a spin that ends at `rest`, from `at` to `to`
FAULTS: dict[str, Callable[[random.Random, Faults, float, float, float], None]] = {
    "frozen": lambda rng, f, at, to, rest: f.frozen.append((at, to)),
    "frozen from the start": lambda rng, f, at, to, rest: f.frozen.append((0, rng.choice((rest + 9, at)))),
    "slip": lambda rng, f, at, to, rest: f.slips.append(
        (at, rng.choice((-1, 1)) * rng.choice((0.15, 0.3, 0.5, 0.7, 1.4, 2.5, 10)), rng.choice((0.005, 0.02, 0.1, 0.5)))
    ),
    "slip by whole sections": lambda rng, f, at, to, rest: f.slips.append(
        (at, rng.choice((-1, 1)) * rng.choice((1, 2, 3)), rng.choice((0.005, 0.02, 0.1, 0.5)))
    ),
    "A dead": lambda rng, f, at, to, rest: f.a_dead.append((at, to)),
    "B dead": lambda rng, f, at, to, rest: f.b_dead.append((at, to)),
    "clapper dead": lambda rng, f, at, to, rest: f.clapper_low.append((at, to)),
    "clapper stuck": lambda rng, f, at, to, rest: f.clapper_high.append((at, to)),
    "8 ms lost": lambda rng, f, at, to, rest: f.frozen.append((at, at + 0.008)),
    "index dead": lambda rng, f, at, to, rest: f.index_dead.append((at, to)),
    "bouncing": lambda rng, f, at, to, rest: setattr(f, "bounce_s", rng.choice((0.0003, 0.001, 0.002))),
    "noise": lambda rng, f, at, to, rest: f.glitches.extend(
        sorted((rng.uniform(0, rest + 2), rng.choice((8, 4, 8, 4, 2, 1))) for _ in range(60))
    ),
}
HARMLESS = {"index dead", "bouncing", "noise"}


def in_the_dark(kind: str, wheel: Wheel, ran: Run) -> bool:
    """docs/decisions/0010: the clapper is dead and the wheel rests on a peg, inside its window by less than the count
    that holds the edge (and the 0.03 section that a peg may be out of place)."""
    _, x, on = ran.rests[-1]
    line = round(x)
    inside = wheel.window - abs(x - line - wheel.pegs[line % 54])
    return kind == "clapper dead" and on and inside < 54 / wheel.counts_per_turn + 0.03


def spoilt(kind: str, seed: int) -> str:
    """`right`, `refused`, or what else came of a spin with a fault of this kind; fails on a wrong section."""
    rng = random.Random(f"{kind} {seed}")
    wheel = Wheel.some(rng)
    ran = spin_of(rng, wheel, rng.uniform(3.2, 6))
    rest = ran.rests[-1][0]
    at = rng.choice((rng.uniform(0.5, rest), rng.uniform(rest - 2, rest), rng.uniform(rest - 1, rest)))
    faults = Faults(freeze_index=rng.random() < 0.5, dead_levels=rng.randrange(4))
    FAULTS[kind](rng, faults, at, at + rng.choice((0.01, 0.05, 0.2, 1, 100)), rest)
    start = ran.start if kind == "index dead" or rng.random() < 0.7 else None
    spins = sense(wheel, record(wheel, ran, faults, rng), ran.ends, start)
    got, true = told(spins), truth(ran)
    sections = [section for outcome, section in got if outcome == "SECTION"]
    wrong = sections and not (sections == [true[1]] and true[0] == "SECTION")
    assert not wrong or in_the_dark(kind, wheel, ran), (kind, seed, wheel, faults, got, true)
    if wrong:
        return "dark"
    return "right" if got == [true] else "+".join(outcome for outcome, _ in got) or "nothing"


@pytest.mark.parametrize("kind", FAULTS)
def test_a_spoilt_spin_never_gives_a_wrong_section(kind: str) -> None:
    came = Counter(spoilt(kind, seed) for seed in range(QUICK))
    assert not came["dark"]
    if kind in HARMLESS:
        assert came["right"] >= 0.84 * QUICK, came
    else:
        assert came["FAULT"] >= 0.2 * QUICK, came


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_many_spoilt_spins_never_give_a_wrong_section(kind: str) -> None:
    came = Counter(spoilt(kind, seed) for seed in range(LONG))
    assert came["dark"] <= 0.005 * LONG, came


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
