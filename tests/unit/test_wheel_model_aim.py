"""Aiming the virtual wheel: the model says beforehand how a launch ends, and random launches favour no section."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.hal.virtual.wheel import SECTION, SECTIONS, TURN, Wheel, mturns_s, speed
from tabletop.rules.dreamcatcher import LAYOUT, MULTIPLIERS
from wheelwright.aim import Launch, forecast, plan
from wheelwright.errors import WheelwrightError

from tests.conftest import examples

START = 20 * SECTION + SECTION // 3
launches = st.builds(
    Launch, st.integers(300, 2500), st.sampled_from((1, -1)), st.integers(1, 2**31 - 1)
)  # mturns/s, direction, noise


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("words", ["section 17", "symbol 40", "number", "multiplier", "roll-back", "between", "short"])
def test_a_planned_launch_ends_as_wanted(words: str, seed: int) -> None:
    launch, end = plan(START, 0, words, seed)
    assert forecast(START, 0, launch) == end
    assert end.between == (words == "between")
    assert (end.turns < 3) == (words == "short")
    kind, _, value = words.partition(" ")
    if kind == "section":
        assert end.section == int(value)
    if kind == "symbol":
        assert LAYOUT[end.section] == value
    if kind in ("number", "multiplier"):
        assert (LAYOUT[end.section] in MULTIPLIERS) == (kind == "multiplier")
    if kind == "roll-back":
        assert end.rolled_back


def test_the_same_seed_gives_the_same_launch_and_another_seed_another() -> None:
    assert plan(START, 0, "number", 5) == plan(START, 0, "number", 5)
    assert plan(START, 0, "number", 5) != plan(START, 0, "number", 6)


@pytest.mark.parametrize("words", ["", "section 54", "section", "section -1", "symbol 3", "number 7", "jackpot"])
def test_what_cannot_be_aimed_at_is_refused_by_name(words: str) -> None:
    with pytest.raises(WheelwrightError) as failure:
        plan(START, 0, words, 1)
    assert failure.value.code == 9006
    assert words in str(failure.value)


@pytest.mark.slow
def test_random_launches_favour_no_section() -> None:
    draws = random.Random(20)
    hits: Counter[int] = Counter()
    on_peg = rolled_back = 0
    spins = 800
    for _ in range(spins):
        launch = Launch(draws.randint(700, 1500), draws.choice((1, -1)), draws.randrange(1, 2**31))
        end = forecast(draws.randrange(TURN), 1, launch)
        hits[end.section] += 1
        on_peg += end.between
        rolled_back += end.rolled_back
    expected = spins / SECTIONS
    chi_square = sum((hits[section] - expected) ** 2 / expected for section in range(SECTIONS))
    assert chi_square < 90.6  # 53 degrees of freedom, one in a thousand
    assert 0.02 < on_peg / spins < 0.10
    assert 0.1 < rolled_back / spins < 0.5


@settings(max_examples=examples(30), deadline=None)
@given(launches, st.integers(0, TURN - 1), st.sampled_from((-1, 1)))
def test_every_launch_comes_to_rest_and_stays(launch: Launch, at: int, side: int) -> None:
    end = forecast(at, side, launch)
    assert 0 <= end.section < SECTIONS
    assert end.seconds < 60
    assert (end.side != 0) == end.between


@settings(max_examples=examples(15), deadline=None)
@given(launches, st.integers(-(10**9), 10**9))
def test_whole_turns_of_the_start_change_nothing(launch: Launch, turns: int) -> None:
    here, there = forecast(START, 0, launch), forecast(START + turns * TURN, 0, launch)
    assert there.at - here.at == turns * TURN
    assert (there.section, there.seconds) == (here.section, here.seconds)


@given(st.integers(1, 5000))
def test_speeds_convert_there_and_back(value: int) -> None:
    assert mturns_s(speed(value)) in (value - 1, value)
    assert speed(-value) <= -speed(value)


def test_numbers_of_the_model_stay_small_integers_of_the_virtual_machine() -> None:
    """A MicroPython integer of 64 bit machines holds 63 bits without allocating; checked at the fastest hand."""
    wheel = Wheel(10_000 * TURN, 1)
    wheel.push(0, speed(4000), 300_000)
    while wheel.moving:
        assert abs(wheel.pace * 4000) < 2**62
        assert abs(wheel.at) < 2**62
        wheel.step()
