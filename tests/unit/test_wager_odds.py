"""Exact prices of the wagers of the progressive seeds: closed forms, brute force over a small shoe, simulation."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import pytest
from tabletop.rules.progressive import cards
from tabletop.rules.progressive import match_the_dealer as match_rules
from tabletop.rules.progressive import match_up_down as match_up_rules
from tabletop.rules.progressive import monster_dynamic as dynamic_rules
from tabletop.rules.progressive import monster_match as monster_rules
from tabletop.rules.progressive import must_hit_by as must_hit_rules
from tabletop.rules.progressive.must_hit_tables import CONFIGURATIONS
from wheelwright.configuration import complete
from wheelwright.odds import match_the_dealer, monster_dynamic, monster_match, wagers
from wheelwright.odds.must_hit_by import MysteryPrice
from wheelwright.odds.pai_gow import TigerPrice
from wheelwright.odds.wagers import WagerPrice
from wheelwright.wagers import WAGERS

HANDS = 40_000
ACES, SUITED, MIXED, ONE_SUITED, TWO, ONE = match_rules.RESULTS


def prices(name: str, every: bool = True, **settings: Any) -> list[WagerPrice]:
    found = wagers.prices(complete(WAGERS[name], settings, "the test"), every)
    assert all(isinstance(one, WagerPrice) for one in found)
    return found  # type: ignore[return-value]


def mystery(**settings: Any) -> MysteryPrice:
    one = wagers.prices(complete(WAGERS["must_hit_by"], settings, "the test"), False)[0]
    assert isinstance(one, MysteryPrice)
    return one


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
    """635c.1, six decks, paytable 1 on $1: 8, 5, 6 and 3 to 1 without the stake, and the meter's shares."""
    one = prices("match_the_dealer", every=False)[0]
    pairs = comb(287, 2)
    odds = Fraction(8 * 5 * 18 + 5 * 5 * 264 + 6 * comb(18, 2) + 3 * 18 * 264, pairs)
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


@pytest.mark.parametrize(("letter", "minimum"), CONFIGURATIONS)
def test_the_wagers_to_a_hit_are_the_mean_over_every_hidden_value(letter: str, minimum: int) -> None:
    one = mystery(paytable=letter, minimum_wager=minimum)
    low, high, rate = CONFIGURATIONS[letter, minimum]
    added = minimum * rate // 10
    values = (high - low) * 1000
    assert one.wagers_per_hit() == Fraction(sum(h // added + 1 for h in range(values)), values)
    assert one.mean_payout() == Fraction(sum(low * 1000 + (h // added + 1) * added for h in range(values)), values)
    assert one.returned() * one.wagers_per_hit() * minimum * 1000 == one.mean_payout()


def test_a_must_hit_by_is_played_in_as_many_wagers_as_its_value_says() -> None:
    """The table's own rules, with wagers of $50 so that it takes few of them."""
    settings = complete(WAGERS["must_hit_by"], {"max_mills": 50_000}, "the test").settings

    class Given:
        def __init__(self, value: int) -> None:
            self.value = value

        def commit(self, _name: str, n: int) -> None:
            assert 0 <= self.value < n

        def look(self, _name: str) -> int:
            return self.value

        disclose = look

    for value in (0, 999, 1000, 1001, 54_321, 98_999, 99_000, 99_999):
        given, wagered = Given(value), 0
        state = must_hit_rules.step(must_hit_rules.new(1, settings), ("next",), given)[0]
        while not state["meter"]["hits"]:
            for word in (("wager", 1, "progressive payout", 50_000), ("no_more_bets",), ("chips", 1, "D1")):
                state = must_hit_rules.step(state, word, given)[0]
            wagered += 1
            state = must_hit_rules.new(1, settings, state["meter"])
        assert wagered == value // 1000 + 1  # 2 % of $50 are 1,000 mills
        assert state["meter"]["won"] == 100_000 + wagered * 1000


def test_the_worth_of_the_next_wager_adds_up_over_a_cycle_to_what_is_returned() -> None:
    """Chance to come so far, times the worth there: over all meters it is the mean payout of a cycle."""
    one = mystery(paytable="D", minimum_wager=5)
    values, total = one.high - one.low, Fraction(0)
    for meter in range(one.low, one.high, one.contribution):
        total += Fraction(one.high - meter, values) * one.worth(meter) * one.wager_mills
    assert total == one.mean_payout()
    even = one.break_even()
    below, above = int(even) - 1, int(even) + 2
    assert one.worth(below) < 1 < one.worth(above)


@pytest.mark.parametrize("decks", match_up_rules.DECKS)
def test_the_chances_of_match_up_are_those_of_the_closed_form(decks: int) -> None:
    same, other, size = decks - 1, 3 * decks, 48
    rest, pairs = decks * size - 1 - same - other, comb(decks * size - 1, 2)
    for one in prices("match_up_down"):
        if one.which.startswith(f"{decks} decks"):
            wanted = (comb(same, 2), same * other, same * rest, comb(other, 2), other * rest)
            assert one.chances == {r: Fraction(n, pairs) for r, n in zip(match_up_rules.RESULTS, wanted)}


def test_match_up_of_six_decks_has_the_published_edges_of_match_the_dealer() -> None:
    """9, 4 ... to 1 on one card is the Match the Dealer of six Spanish decks, whose edge is published as 3.06 %."""
    one = next(one for one in prices("match_up_down") if one.which == "6 decks, paytable A")
    assert round(float(100 * (1 - one.fixed())), 2) == 3.06
    assert len(prices("match_up_down")) == 8


def test_the_chances_of_monster_match_are_those_of_every_four_cards_of_a_small_shoe() -> None:
    """Two decks of the ranks ace to 4: 35,960 sets of four physical cards."""
    shoe = [card for card in cards.of_deck(cards.SPANISH) for _ in range(2) if cards.rank(card) in "A234"]
    counted = Counter(monster_rules.result_of(list(four[:2]), list(four[2:])) for four in combinations(shoe, 4))
    assert counted.total() == comb(32, 4)
    assert monster_match.chances(2, 4) == {
        result: Fraction(counted[result], comb(32, 4)) for result in monster_rules.RESULTS
    }


@pytest.mark.parametrize("decks", match_up_rules.DECKS)
def test_the_chances_of_monster_match_are_those_of_the_closed_form(decks: int) -> None:
    d, ranks = decks, 12
    whole = comb(48 * d, 4)
    other = 48 * d - 4 * d  # cards of other ranks
    suited4 = ranks * 4 * comb(d, 4)
    color4 = ranks * 2 * comb(2 * d, 4) - suited4
    color3 = ranks * 2 * comb(2 * d, 3) * other
    three = ranks * comb(4 * d, 3) * other - color3
    # pairs of one card among hands with neither three nor four of a rank
    pair = 4 * comb(d, 2)
    two_pairs = comb(ranks, 2) * (comb(4 * d, 2) ** 2 - (comb(4 * d, 2) - pair) ** 2)
    one_pair = ranks * pair * comb(ranks - 1, 2) * (4 * d) ** 2
    wanted = (suited4, color4, ranks * comb(4 * d, 4) - suited4 - color4, color3, three, two_pairs + one_pair)
    assert monster_match.chances(d) == {r: Fraction(n, whole) for r, n in zip(monster_rules.RESULTS, wanted)}


def test_a_return_of_monster_match_by_hand() -> None:
    one = prices("monster_match", every=False, paytable="D", pool="C", decks=8)[0]
    chance = one.chances
    names = monster_rules.RESULTS
    assert one.fixed() == 200 * chance[names[2]] + 20 * chance[names[3]] + 10 * chance[names[4]] + 2 * chance[names[5]]
    assert one.share() == chance[names[0]] + chance[names[1]]
    assert one.at(1_500_000) == one.fixed() + one.share() * 1_500_000 / 5000
    assert one.long_run() == one.fixed() + Fraction(17, 100)
    assert one.jackpot() == one.share()


def test_dynamic_pays_raise_the_mean_pay_by_how_often_and_to_what_they_are_drawn() -> None:
    always = {"counts": [0, 0, 1], "combinations": [1, 1, 1, 1], "raises": [[0] * 9 + [1]] * 4}
    one = prices("monster_dynamic", every=False, **always)[0]
    base = prices("monster_dynamic", every=False, **{**always, "raises": [[1] + [0] * 9] * 4})[0]
    names = dynamic_rules.RESULTS
    for result, low, first, last in zip(names[1:], (500, 100, 10, 4), (750, 150, 15, 6), (5000, 1000, 100, 40)):
        assert one.handed(result) == Fraction(1, 4) * low + Fraction(3, 4) * last
        assert base.handed(result) == Fraction(1, 4) * low + Fraction(3, 4) * first
    assert one.handed(names[0]) == 0
    assert one.fixed() == sum((one.chances[result] * one.handed(result) for result in names), Fraction(0))


def test_the_chance_to_be_raised_is_that_of_every_order_of_unequal_weights() -> None:
    assert monster_dynamic.taken([1, 0, 0], [1, 2, 3, 4]) == [Fraction(n, 10) for n in (1, 2, 3, 4)]
    two = monster_dynamic.taken([0, 1, 0], [1, 1, 1, 1])
    assert two == [Fraction(1, 2)] * 4
    mixed = monster_dynamic.taken([1, 2, 3], [1, 2, 3, 4])
    assert sum(mixed) == Fraction(1 + 4 + 9, 6)  # the mean number of Dynamic Pays
    # two of weights 1 and 3 beside 1 and 3: first a, or first another and then a
    assert monster_dynamic.taken([0, 1, 0], [1, 3, 1, 3])[0] == Fraction(1, 8) + (
        Fraction(3, 8) * Fraction(1, 5) * 2 + Fraction(1, 8) * Fraction(1, 7)
    )


def test_the_mean_of_dynamic_pays_agrees_with_draws_by_the_tables_own_rules() -> None:
    settings = complete(WAGERS["monster_dynamic"], {"combinations": [1, 2, 3, 4]}, "the test").settings
    one = prices("monster_dynamic", every=False, combinations=[1, 2, 3, 4])[0]
    generator = random.Random(5)
    for result in dynamic_rules.RAISED:
        paid = [monster_dynamic.pay_drawn(settings, generator, result) for _ in range(3000)]
        mean = sum(paid) / len(paid)
        deviation = math.sqrt(sum((x - mean) ** 2 for x in paid) / len(paid) / len(paid))
        assert abs(mean - float(one.handed(result))) < 4 * deviation, result


def test_the_returns_of_the_dice_by_hand() -> None:
    found = {one.which: one.fixed() for one in prices("dice")}
    assert {which: value * 216 for which, value in found.items()} == {
        "Sum, paytable A": 3 * 26 + 6 * 7 + 21 * 4, "Sum, paytable B": 1 * 26 + 21 * 5 + 25 * 3,
        "Sum, paytable C": 6 * 4 + 90 * 2, "Sum, paytable D": 24 * Fraction(17, 2),
        "Match": 1 * 101 + 15 * 7,
        "Beat It, paytable A": 1 * 51 + 3 * 11 + 6 * 11 + 10 * 2 + 15 * 2,
        "Beat It, paytable B": 1 * 61 + 3 * 11 + 6 * 11 + 10 * 2 + 15 * 2,
        "Beat It, paytable C": 60 * Fraction(7, 2),
    }  # fmt: skip


def test_the_tiger_9_is_worth_its_stake_in_one_of_31_hands() -> None:
    one = wagers.prices(complete(WAGERS["pai_gow"], {}, "the test"), True)[0]
    assert isinstance(one, TigerPrice)
    assert one.break_even() == Fraction(1, 31)
    assert one.at(Fraction(1, 62)) == Fraction(1, 2)


SIMULATED: list[tuple[str, dict[str, Any]]] = [
    ("match_the_dealer", {}), ("match_the_dealer", {"chapter": "685c.1", "decks": 8}), ("must_hit_by", {}),
    ("match_up_down", {"decks": 8}), ("monster_match", {"decks": 5}), ("monster_dynamic", {"decks": 8}),
    ("dice", {}), ("dice", {"sum": "C", "beat_it": "C"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), SIMULATED, ids=str)
def test_hands_dealt_by_a_seeded_generator_agree_with_the_exact_chances(name: str, settings: dict[str, Any]) -> None:
    configuration = complete(WAGERS[name], settings, "the test")
    priced = wagers.prices(configuration, False)
    for one, counted in zip(priced, wagers.results(configuration, HANDS, 7), strict=True):
        assert counted.total() == HANDS
        assert set(counted) - {None} <= set(one.chances)
        assert list(wagers.strays(one, counted)) == []


def test_a_simulation_of_other_chances_is_found_out() -> None:
    """The shoe of one chapter against the prices of the other."""
    one = prices("match_the_dealer", every=False, chapter="685c.1")[0]
    counted = wagers.results(complete(WAGERS["match_the_dealer"], {}, "the test"), HANDS, 7)[0]
    assert ONE in wagers.strays(one, counted)


def test_one_very_rare_result_is_no_disagreement_and_five_are() -> None:
    """Four-of-a-kind (suited) comes once in 560,000 hands: one in 40,000 hands is seven simulations of a hundred."""
    one = prices("monster_match", every=False, decks=5)[0]
    expected = {result: round(float(chance) * HANDS) for result, chance in one.chances.items()}
    for rare, stray in ((1, False), (5, True)):
        counted: Counter[str | None] = Counter({**expected, monster_rules.RESULTS[0]: rare})
        counted[None] = HANDS - counted.total()
        assert (monster_rules.RESULTS[0] in wagers.strays(one, counted)) is stray
