"""Hundreds of spins of made-up wheels with a fault at some moment: none gives a wrong section.

Where a fault is too late or too small to matter, the right section may still come out; how often each outcome came is
checked where it must not drift.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.conftest import FAST, many
from tests.unit.test_sensing_random import spin_of
from tests.unit.wheel_traces import Faults, Run, Wheel, record, sense, told, truth

QUICK, MANY = 8 if FAST else 12, many(100)

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
    came = Counter(spoilt(kind, seed) for seed in range(MANY))
    assert came["dark"] <= max(1, 0.005 * MANY), came
