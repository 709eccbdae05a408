"""Dreamcatcher's settlement against an oracle that shares no code with it, and its return against published figures."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop.rules import dreamcatcher as game

RIM = [
    7, "2", "1", "5", "1", "2", "5", "1", "2", "10", "1", "2", "1", "20", "1", "2", "1", "2", "1", "5", "1", "2", "10",
    "1", "5", "1", "2", 2, "1", "5", "1", "40", "2", "1", "2", "1", "10", "2", "1", "5", "1", "2", "1", "5", "2", "1",
    "20", "1", "2", "1", "10", "1", "2", "1",
]  # fmt: skip

wagers = st.lists(
    st.tuples(st.integers(-1, 9), st.sampled_from(["1", "2", "3", "5", "10", "20", "40"]), st.integers(-5, 1300)),
    max_size=12,
)
spins = st.lists(
    st.one_of(
        st.tuples(st.just("SECTION"), st.sampled_from([0, 27, *range(54)])),
        st.tuples(st.sampled_from(["SHORT_SPIN", "BETWEEN_SECTIONS", "FAULT"]), st.just(-1)),
    ),
    max_size=8,
)
limits = st.tuples(st.integers(1, 60), st.integers(60, 1000), st.integers(1000, 40000))


def oracle(
    taken: list[tuple[int, str, int]], results: list[tuple[str, int]], ceiling: int
) -> tuple[int, dict[tuple[int, str], int], int] | None:
    """The deciding section, winnings by seat and spot, and what the house collects; None while undecided."""
    stakes: dict[tuple[int, str], int] = defaultdict(int)
    for seat, spot, mills in taken:
        stakes[seat, spot] += mills
    product = 1
    for outcome, section in results:
        if outcome != "SECTION":
            continue
        rim = RIM[section]
        if isinstance(rim, int):
            product *= rim
            continue
        wins = {key: min(mills * int(rim) * product, ceiling) for key, mills in stakes.items() if key[1] == rim}
        return section, wins, sum(mills for (_, spot), mills in stakes.items() if spot != rim)
    return None


@given(wagers, spins, limits)
def test_any_round_settles_as_the_oracle_says_and_no_mill_is_lost(
    offered: list[tuple[int, str, int]], results: list[tuple[str, int]], limit: tuple[int, int, int]
) -> None:
    low, high, ceiling = limit
    state = game.new(1, {"min_mills": low, "max_mills": high, "payout_limit_mills": ceiling, "seats": 7})
    taken: list[tuple[int, str, int]] = []
    for wager in offered:
        seat, spot, mills = wager
        total = mills + sum(m for s, p, m in taken if (s, p) == (seat, spot))
        good = 1 <= seat <= 7 and spot != "3" and mills > 0 and low <= total <= high
        state, effects = game.step(state, ("wager", *wager))
        assert (effects[0][0] == "accept") is good
        if good:
            taken.append(wager)
    state, effects = game.step(state, ("no_more_bets",))
    assert effects[0][2] == sum(mills for _, _, mills in taken)

    last: list[Any] = []
    for result in results:
        if state["phase"] == "DONE":
            break
        state, last = game.step(state, ("spin", *result))
    expected = oracle(taken, results, ceiling)
    assert (expected is None) is (state["phase"] == "SPIN")
    if expected is None:
        state, last = game.step(state, ("void", "TEST"))
        assert sum(effect[3] for effect in last if effect[0] == "return") == sum(mills for _, _, mills in taken)
        return
    section, wins, collected = expected
    names = [effect[0] for effect in last]
    assert names == ["result"] + ["collect"] * names.count("collect") + ["pay"] * names.count("pay") + ["done"]
    pays = [effect for effect in last if effect[0] == "pay"]
    assert last[0][1] == section
    assert {(pay[1], pay[2]): pay[5] for pay in pays} == wins
    assert len(pays) == len(wins)
    assert sum(effect[3] for effect in last if effect[0] == "collect") == collected
    assert collected + sum(pay[3] for pay in pays) == sum(mills for _, _, mills in taken)
    for _, _, _, stake, odds_to_1, win, limited in pays:
        assert win == (ceiling if limited else stake * odds_to_1) <= stake * odds_to_1


@pytest.mark.parametrize(
    ("spot", "percent"), [("1", 95.342), ("2", 95.513), ("5", 91.239), ("10", 96.581), ("20", 92.735), ("40", 90.812)]
)
def test_the_return_of_every_spot_is_the_published_one(spot: str, percent: float) -> None:
    """All 54 sections, with and without a multiplier; winnings are linear in it, so that gives the whole series."""
    unit = 1_000_000

    def wins(multiplier: int) -> tuple[Fraction, Fraction]:
        """Expected winnings and expected stake back of a spin that decides, per unit wagered."""
        state = game.new(1, dict(game.DEFAULTS, max_mills=unit, payout_limit_mills=10**12))
        state, _ = game.step(state, ("wager", 1, spot, unit))
        state, _ = game.step(state, ("no_more_bets",))
        state = dict(state, multiplier=multiplier)
        won = back = 0
        for section in range(54):
            for effect in game.step(state, ("spin", "SECTION", section))[1]:
                if effect[0] == "pay":
                    won, back = won + effect[5], back + effect[3]
        return Fraction(won, unit * 54), Fraction(back, unit * 54)

    won, back = wins(1)
    assert wins(14) == (14 * won, back)
    again = {symbol: Fraction(game.LAYOUT.count(symbol), 54) for symbol in game.MULTIPLIERS}
    growth = sum(chance * game.MULTIPLIERS[symbol] for symbol, chance in again.items())
    returned = won / (1 - growth) + back / (1 - sum(again.values()))
    assert round(float(returned) * 100, 3) == percent
