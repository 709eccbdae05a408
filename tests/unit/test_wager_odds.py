"""Exact prices of the wagers of the progressive seeds: closed forms, brute force over a small shoe, simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any

import pytest
from tabletop.rules.progressive import cards
from tabletop.rules.progressive import match_the_dealer as match_rules
from wheelwright.configuration import complete
from wheelwright.odds import match_the_dealer, wagers
from wheelwright.odds.wagers import WagerPrice
from wheelwright.wagers import WAGERS

HANDS = 40_000
ACES, SUITED, MIXED, ONE_SUITED, TWO, ONE = match_rules.RESULTS


def prices(name: str, every: bool = True, **settings: Any) -> list[WagerPrice]:
    return wagers.prices(complete(WAGERS[name], settings, "the test"), every)


@pytest.mark.parametrize("size", [cards.SPANISH, cards.FULL])
@pytest.mark.parametrize("decks", match_rules.DECKS)
def test_the_chances_of_match_the_dealer_are_those_of_the_closed_form(decks: int, size: int) -> None:
    same, other = decks - 1, 3 * decks  # cards left like the upcard, and of its rank in another suit
    rest = decks * size - 1 - same - other
    pairs = comb(decks * size - 1, 2)
    assert match_the_dealer.chances(decks, size) == {
        ACES: Fraction(comb(same, 2), pairs) / size, SUITED: Fraction(comb(same, 2), pairs) * (size - 1) / size,
        MIXED: Fraction(same * other, pairs), ONE_SUITED: Fraction(same * rest, pairs),
        TWO: Fraction(comb(other, 2), pairs), ONE: Fraction(other * rest, pairs),
    }  # fmt: skip


def test_the_chances_are_those_of_every_deal_of_a_small_shoe() -> None:
    shoe = [card for card in cards.of_deck(cards.SPANISH) for _ in range(3) if cards.rank(card) in "A2"]
    deals = Counter(match_rules.result_of([first, second], [up]) for up, first, second in permutations(shoe, 3))
    same, other, rest = 2, 9, 12
    assert deals.total() == 24 * 23 * 22
    assert deals[ACES] == 3 * same * (same - 1)
    assert deals[SUITED] == 21 * same * (same - 1)
    assert deals[MIXED] == 24 * 2 * same * other
    assert deals[ONE_SUITED] == 24 * 2 * same * rest
    assert deals[TWO] == 24 * other * (other - 1)
    assert deals[ONE] == 24 * 2 * other * rest
    assert deals[None] == 24 * rest * (rest - 1)


def test_a_return_by_hand() -> None:
    """635c.1, six decks, paytable 1 on $1: 8, 5, 6 and 3 to 1, the stake back, and the meter's shares."""
    one = prices("match_the_dealer", every=False)[0]
    pairs = comb(287, 2)
    odds = Fraction(9 * 5 * 18 + 6 * 5 * 264 + 7 * comb(18, 2) + 4 * 18 * 264, pairs)
    assert one.fixed() == odds
    share = Fraction(10, pairs) * (Fraction(1, 48) + Fraction(47, 480))
    assert one.share() == share
    assert one.at(1_000_000) == odds + 1000 * share
    even = one.break_even()
    assert even is not None
    assert one.at(even) == 1
    assert one.long_run() == odds + Fraction(21, 100)
    assert one.jackpot() == Fraction(10, 48 * pairs)


def test_a_stake_that_stays_with_the_house_takes_the_chance_of_a_win_at_odds_off_the_return() -> None:
    back, stays = (prices("match_the_dealer", every=False, stake_back=one)[0] for one in (True, False))
    at_odds = sum((chance for result, chance in back.chances.items() if result not in (ACES, SUITED)), Fraction(0))
    assert back.fixed() - stays.fixed() == at_odds


def test_match_the_dealer_has_forty_prices_and_each_chapters_paytables_rise_with_their_number() -> None:
    """They are printed in this order; a number copied wrongly, or a deck of another size, would break it."""
    found = prices("match_the_dealer")
    assert len({one.which for one in found}) == len(found) == 40
    for first in range(0, 40, 10):
        returns = [one.fixed() for one in found[first:first + 10]]
        assert returns == sorted(returns)
        assert len(set(returns)) == 10


def test_five_dollars_have_the_returns_of_one_dollar_at_five_times_the_meter() -> None:
    for one, five in zip(prices("match_the_dealer"), prices("match_the_dealer", wager_mills=5000)):
        assert (one.fixed(), one.at(one.seed)) == (five.fixed(), five.at(five.seed))


SIMULATED: list[tuple[str, dict[str, Any]]] = [
    ("match_the_dealer", {}), ("match_the_dealer", {"chapter": "685c.1", "decks": 8}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), SIMULATED, ids=str)
def test_hands_dealt_by_a_seeded_generator_agree_with_the_exact_chances(name: str, settings: dict[str, Any]) -> None:
    configuration = complete(WAGERS[name], settings, "the test")
    for one in wagers.prices(configuration, False):
        counted = wagers.results(configuration, HANDS, 7)
        assert counted.total() == HANDS
        assert list(wagers.strays(one, counted)) == []


def test_a_simulation_of_other_chances_is_found_out() -> None:
    """The shoe of one chapter against the prices of the other."""
    one = prices("match_the_dealer", every=False, chapter="685c.1")[0]
    counted = wagers.results(complete(WAGERS["match_the_dealer"], {}, "the test"), HANDS, 7)
    assert ONE in wagers.strays(one, counted)
