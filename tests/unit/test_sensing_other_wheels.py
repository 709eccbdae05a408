"""Spins of wheels of another make (`wheel_adversary`): healthy, stopped by hands, spoilt at any moment near the end."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.conftest import many
from tests.unit.test_sensing_spoilt import FAULTS
from tests.unit.wheel_adversary import OtherWheel, rows_of, spin
from tests.unit.wheel_traces import Faults, sense, told, truth

QUICK, MANY = 8, many(50)  # LONG=3: the 150 of each kind that docs/decisions/0010 tells of
WIDE = 5 * 54  # counts a turn, up to which a slip in the last two sections may stay in the dark: decision 10
LAST_S = 0.6  # they take about so long, until the last peg bends the clapper


def a_wheel(seed: str, ordinary: bool) -> tuple[random.Random, OtherWheel, float, float]:
    rng = random.Random(seed)
    wheel = (OtherWheel.ordinary if ordinary else OtherWheel.some)(rng)
    return rng, wheel, rng.uniform(0, 54), rng.choice((1, -1)) * wheel.speed_for(rng.uniform(3.3, 6))


def refused(seeds: Iterable[int], ordinary: bool) -> int:
    found = 0
    for seed in seeds:
        rng, wheel, start, speed = a_wheel(f"healthy {seed}", ordinary)
        ran = spin(wheel, start, speed)
        got = told(sense(wheel, rows_of(wheel, ran, Faults(), rng), ran.ends, start if rng.random() < 0.7 else None))
        if got != [truth(ran)]:
            assert got == [("FAULT", None)], (seed, wheel, got, truth(ran))
            found += 1
    return found


def test_healthy_wheels_of_another_make_are_told_right() -> None:
    assert not refused([*range(QUICK), 34], ordinary=True)  # 34: pushed off a peg by less than a count, then through it


@pytest.mark.slow
def test_few_healthy_wheels_of_another_make_are_refused() -> None:
    assert refused(range(MANY), ordinary=True) <= 0.02 * MANY
    assert refused(range(MANY), ordinary=False) <= max(10, 0.1 * MANY)  # 10 of the first 50, 15 of 150


def stopped(seed: int) -> None:
    """A hand stops the wheel over 50..600 ms, from 13..70 sections/s, after three turns or before."""
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
    for seed in range(MANY):
        stopped(seed)


def stopped_at_a_peg(name: str, share: float, brake: float) -> str:
    """The outcome when a hand of `brake` sections/s2 takes a wheel at 5.4 sections/s, at that share of a section."""
    rng, wheel, start, speed = a_wheel(f"hand at the last peg {name}", True)
    free = spin(wheel, start, speed)
    for (t, x), (then, y) in zip(free.knots[::20], free.knots[20::20], strict=False):
        pace = abs(y - x) / (then - t)
        if abs(x - start) > 3.2 * 54 and pace < 5.4:
            break
    ran = spin(wheel, start, speed, brake=(t + share / pace, brake))
    return sense(wheel, rows_of(wheel, ran, Faults(), rng), ran.ends, start)[-1].outcome


def test_case_63_a_hand_that_stops_the_wheel_just_as_a_peg_lets_it_go_gives_no_section() -> None:
    for name, shares in (("a", range(2, 7)), ("b", range(24, 28)), ("c", range(3, 7))):
        for n in shares:
            for brake in (160, 270):
                assert stopped_at_a_peg(name, n / 40, brake) != "SECTION", (name, n, brake)


def test_a_wheel_of_few_counts_that_just_about_passes_a_peg_was_not_thrown_back() -> None:
    assert refused([9159], ordinary=False) == 1  # 220 counts: nothing tells, for 0.3 s on the peg is slow either way


def spoilt(kind: str, seed: int) -> str:
    """A fault begins in the last three seconds, half of them around the last peg."""
    rng, wheel, start, speed = a_wheel(f"{kind} {seed}", False)
    ran = spin(wheel, start, speed)
    rest = ran.rests[0][0]
    last = max((t for t, bent in ran.bent if bent and t < rest), default=rest)
    at = rng.choice((rng.uniform(rest - 3, rest), rng.uniform(last - 0.15, rest)))
    faults = Faults(freeze_index=rng.random() < 0.5, dead_levels=rng.randrange(4))
    FAULTS[kind](rng, faults, at, at + rng.choice((0.01, 0.05, 0.2, 1, math.inf)), rest)
    got, true = told(sense(wheel, rows_of(wheel, ran, faults, rng), ran.ends, start)), truth(ran)
    sections = [section for outcome, section in got if outcome == "SECTION"]
    if not sections or (sections == [true[1]] and true[0] == "SECTION"):
        return "right"
    per = wheel.counts_per_turn / 54
    line = round(ran.rests[0][1])
    inside = wheel.half - abs(ran.rests[0][1] - line - wheel.pegs[line % 54])
    edge = kind == "clapper dead" and ran.rests[0][2] and inside < 1 / per + 0.03
    wide = kind == "slip" and wheel.counts_per_turn <= WIDE and at > last - LAST_S
    assert edge or wide, (kind, seed, wheel, at, last, got, true)
    return "dark"


@pytest.mark.parametrize("kind", FAULTS)
def test_no_section_comes_of_a_fault_near_the_end(kind: str) -> None:
    for seed in range(QUICK // 2):
        spoilt(kind, seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_no_section_comes_of_many_faults_near_the_end(kind: str) -> None:
    assert Counter(spoilt(kind, seed) for seed in range(MANY))["dark"] <= max(1, 0.007 * MANY)


def unplugged(seed: int) -> str:
    """A plug is pulled: encoder, index and clapper are silent together from a moment in the last three seconds on."""
    rng, wheel, start, speed = a_wheel(f"plug {seed}", True)
    ran = spin(wheel, start, speed)
    rest = ran.rests[0][0]
    last = max((t for t, bent in ran.bent if bent and t < rest), default=rest)
    at = rng.choice((rng.uniform(rest - 3, rest), rng.uniform(last - 0.5, rest)))
    faults = Faults(dead_levels=rng.randrange(4), frozen=[(at, math.inf)], clapper_low=[(at, math.inf)])
    got, true = told(sense(wheel, rows_of(wheel, ran, faults, rng), ran.ends, start)), truth(ran)
    sections = [section for outcome, section in got if outcome == "SECTION"]
    if not sections or (sections == [true[1]] and true[0] == "SECTION"):
        return "right"
    left = abs(ran.rests[0][1] - next(x for t, x in ran.knots if t >= at))
    assert left < 3, (seed, wheel, at, last, left, got, true)
    return "dark"


@pytest.mark.slow
def test_a_plug_pulled_late_seldom_gives_a_section() -> None:
    assert Counter(unplugged(seed) for seed in range(MANY))["dark"] <= 0.07 * MANY
