"""Exact prices against published figures, brute force over the table's own steps, and seeded simulation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tabletop.rules import bellagio, wonderspins
from wheelwright.configuration import complete
from wheelwright.errors import WheelwrightError
from wheelwright.games import GAMES, game_named
from wheelwright.odds import EQUAL, measured, price
from wheelwright.odds.price import Price
from wheelwright.odds.simulation import CHUNK, Z, share_of, simulate, wheel_of

from tests.unit.exhaustive import odds_paid

PLAIN = [[1, 1]]  # multipliers: never one
SMALL: dict[str, dict[str, Any]] = {
    "new_york": {
        "awards": [[2, 3], [240, 1], [300, 1]], "light": [1, 0, 4], "torch": [3, 2], "multipliers": [[1, 5], [3, 2]],
    },
    "luxor": {
        "awards": [[5, 1]], "strikes": [3, 2, 1, 1], "factors": [[2, 2], [9, 1]], "multipliers": [[1, 3], [7, 1]],
    },
    "mgm_grand": {"landings": [3, 0, 0, 0, 1, 2], "multipliers": [[1, 3], [4, 1]]},
    "bellagio": {
        "reels": [[["A", 2], ["Bellagio", 2], ["C", 4]], [["A", 3]], [["B", 1]]],
        "combinations": [["A", "A", "*"], ["Bellagio", "A", "B"]], "awards": [[[7, 2], [150, 1]], [[1, 1]]],
        "multipliers": PLAIN,
    },
    "money_mountain": {
        "segments": [[2, 20], [11, 33], [500, 1]], "jackpots": [[900, 2], [5000, 1]], "mystery": [[1, 3], [6, 1]],
        "reels": [[1, 1], [0, 1], [0, 1], [2, 3], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]],
    },
}  # fmt: skip


def same(state: Any) -> Any:
    return state


def only_machine_1(state: Any) -> Any:
    """Machines are independent: the meters of the others change nothing for a player of machine 1."""
    return {**state, "meters": [state["meters"][0], 0, 0]} if "meters" in state else state


FORGET = {"bellagio": only_machine_1}


def prices(name: str, settings: dict[str, Any] | None = None, sections: Any = EQUAL) -> list[Price]:
    return price(complete(game_named(name), settings or {}, "the test"), sections)


def complete_settings(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    return complete(game_named(name), settings, "the test").settings


def test_dreamcatcher_returns_what_is_published() -> None:
    published = {"1": 95.342, "2": 95.513, "5": 91.239, "10": 96.581, "20": 92.735, "40": 90.812}
    for one in prices("dreamcatcher"):
        found = one.wager_return()
        assert found is not None
        assert round(float(100 * found), 3) == published[one.spot]
        assert one.bound == 0
    # the closed form of one of them, by hand: 23/45 + 23/52
    assert prices("dreamcatcher")[0].wager_return() == Fraction(23, 45) + Fraction(23, 52)


def test_dreamcatchers_listed_pays_miss_less_than_one_in_10_to_the_17() -> None:
    for one in prices("dreamcatcher"):
        assert one.pays is not None
        assert one.listed == sum(one.pays.values())
        assert 0 < 1 - one.listed < Fraction(1, 10**17)


def test_a_measured_wheel_moves_the_price_by_its_sections() -> None:
    counts = [1] * 54
    counts[31] = 2  # the one section of 40
    forty = prices("dreamcatcher", sections=measured(counts))[-1]
    won, back = Fraction(2, 55) * 40 / (1 - Fraction(9, 55)), Fraction(2, 55) / (1 - Fraction(2, 55))
    assert forty.wager_return() == won + back


def test_a_wheel_whose_multipliers_never_end_has_no_price() -> None:
    counts = [0] * 54
    counts[0], counts[1] = 1, 6  # 7x in one spin of seven: a mean growth of exactly 1
    with pytest.raises(WheelwrightError, match="E-9014"):
        prices("dreamcatcher", sections=measured(counts))
    counts[1] = 7
    assert prices("dreamcatcher", sections=measured(counts))[1].mean == 2 * Fraction(7, 8) / Fraction(1, 8)


@pytest.mark.parametrize("counts", [[1] * 53, [0] * 54, [1] * 53 + [-1], [1] * 53 + [0.5]])
def test_counts_that_are_no_wheel_are_refused(counts: list[Any]) -> None:
    with pytest.raises(WheelwrightError, match="E-9014"):
        measured(counts)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_exact_price_is_that_of_brute_force_over_the_steps_of_the_table(name: str) -> None:
    settings = complete_settings(name, SMALL[name])
    for one in prices(name, SMALL[name]):
        choice = int(one.choice.split()[-1]) if one.choice else 1  # which the games without a choice do not ask for
        paid, notes, running = odds_paid(GAMES[name].rules, settings, one.spot, choice, forget=FORGET.get(name, same))
        assert running == 0
        assert one.pays == paid
        assert one.mean == sum(odds * chance for odds, chance in paid.items())
        assert one.minimum == notes.get("MINIMUM", 0)
        assert one.maximum == notes.get("MAXIMUM", 0)
        assert one.hit == sum(chance for odds, chance in paid.items() if odds)


def test_the_small_settings_try_minimum_maximum_jackpot_and_bonus() -> None:
    assert all(prices(name, SMALL[name])[0].maximum > 0 for name in ("new_york", "luxor", "bellagio", "money_mountain"))
    assert prices("mgm_grand", SMALL["mgm_grand"])[0].minimum > 0
    assert prices("bellagio", SMALL["bellagio"])[0].minimum > 0
    assert 0 < prices("bellagio", SMALL["bellagio"])[0].means["Bellagio bonus"] <= 1


def test_means_before_the_maximum_count_what_the_maximum_cuts_off() -> None:
    one = prices("luxor", {"awards": [[900, 1]], "strikes": [1, 0, 0, 1], "factors": [[10, 1]], "multipliers": PLAIN})
    assert one[0].pays == {900: Fraction(1, 2), 1000: Fraction(1, 2)}
    assert one[0].maximum == Fraction(1, 2)
    assert one[0].means["total before minimum and maximum"] == (900 + 900_000) / Fraction(2)
    two = prices("new_york", {"awards": [[400, 1]], "torch": [1, 1], "multipliers": [[7, 1]]})
    assert two[0].means["total before minimum and maximum"] == 400 * 7 * Fraction(3, 2)


@pytest.mark.parametrize("name", ["luxor", "new_york"])
def test_the_largest_tables_have_a_price_too(name: str) -> None:
    # 64 rows each: luxor alone has some hundred million products of them
    rows = [[5 + 15 * n, 1 + n] for n in range(64)]
    small = [[2 + n, 1 + n] for n in range(64)]
    more = {"factors": small} if name == "luxor" else {"light": [1] * 28, "awards": [[2 + 7 * n, 1] for n in range(64)]}
    one = prices(name, {"awards": rows, "multipliers": small, **more})[0]
    assert one.pays is not None
    assert sum(one.pays.values()) == 1
    assert one.maximum > Fraction(9, 10)


def test_money_mountains_jackpot_is_that_of_brute_force() -> None:
    # eight reels award always, the ninth in one spin of three: missed three times in a row with (2/3)^3
    settings = {"segments": [[2, 53], [3, 1]], "jackpots": [[77, 1]], "reels": [[1, 0]] * 8 + [[1, 2]]}
    one = prices("money_mountain", settings)[0]
    paid, notes, _ = odds_paid(GAMES["money_mountain"].rules, complete_settings("money_mountain", settings), one.spot)
    assert one.pays == paid
    assert one.jackpot == notes["JACKPOT"] == 1 - Fraction(2, 3) * Fraction(2, 3) ** 3


def test_a_landing_spot_that_catches_more_has_a_price_of_its_own() -> None:
    found = prices("mgm_grand", {"landings": [4, 1, 1, 1, 1, 1]})
    assert [one.choice for one in found] == [f"landing spot {n}" for n in (1, 2, 3, 4)]
    assert found[0].mean > found[1].mean == found[2].mean
    assert len(prices("mgm_grand", {"landings": [2, 2, 2, 2, 1, 5]})) == 1


def small_wheel() -> list[Fraction]:
    """Sections that end soon: no Eat Me, little Drink Me."""
    counts = [0] * 54
    counts[0], counts[1], counts[4], counts[6] = 2, 3, 4, 1  # No Win, Crown, Hat, Drink Me
    return list(measured(counts))


WONDER = {"starts": [[[1, 1]]] * 5 + [[[1, 2], [3, 1]]], "inner_characters": [0, 0, 1, 0, 0, 0]}


@pytest.mark.parametrize("deducts", [False, True])
def test_wonderspins_lies_between_the_bounds_of_brute_force(deducts: bool) -> None:
    settings = {**WONDER, "extra_spin_deducts": deducts}
    one = prices("wonderspins", settings, small_wheel())[0]
    full = complete_settings("wonderspins", settings)
    paid, _, running = odds_paid(wonderspins, full, "2 Wonderspins", sections=small_wheel(), most_steps=9)
    lower = sum((odds * chance for odds, chance in paid.items()), Fraction(0))
    assert 0 < running < Fraction(1, 6)
    assert lower < one.mean < lower + running * 40  # games still running end short of 40 in the mean
    nothing = 1 - one.hit
    assert paid[0] <= nothing <= paid[0] + running


def test_wonderspins_without_additional_spins_is_exact_by_hand() -> None:
    # The outer wheel rests on Hat only; the inner wheel gives Hat 10/12 of a mean of 4.5, or 2/12 an additional spin.
    counts = [0] * 54
    counts[4] = 1
    settings = {"starts": [[[2, 1]]] * 6, "inner_characters": [0, 0, 0, 0, 0, 1]}
    two, five = prices("wonderspins", settings, measured(counts))
    assert two.bound < Fraction(1, 10**9)
    inner = [int(symbol) for symbol in wonderspins.INNER if symbol != "+"]
    # Rounds N until the counter is used up: N = 2 + additional spins, and spin k adds 2 + k x step in the mean of
    # games in which it happens. By brute force over N with inner spins that are multipliers or not:
    plus, total, chance_of = Fraction(2, 12), Fraction(0), {(2, 0): Fraction(1)}
    mean_add = Fraction(sum(inner), len(inner))
    for _ in range(60):
        following: dict[tuple[int, int], Fraction] = {}
        for (left, adds), chance in chance_of.items():
            for more, share in ((1, plus), (0, 1 - plus)):
                gained = adds + 1 - more
                total += chance * share * (2 + gained * mean_add)
                if left + more > 1:
                    key = (left + more - 1, gained)
                    following[key] = following.get(key, Fraction(0)) + chance * share
        chance_of = following
    assert abs(two.mean - total) < Fraction(1, 10**9)
    assert five.mean > two.mean


def test_a_wonderspins_wheel_of_additional_spins_only_has_no_price() -> None:
    counts = [0] * 54
    counts[18] = 1  # Eat Me
    with pytest.raises(WheelwrightError, match="E-9014"):
        prices("wonderspins", sections=measured(counts))


def test_wonderspins_with_multipliers_of_one_counts_the_spins_that_rest_on_a_character() -> None:
    # No Eat Me, no Rabbit on the wheel, and all of the inner wheel goes to Rabbit: every character stays at 1, Drink
    # Me at its floor. Rounds are then 2 / (1 - 1/6 - 2 x 3/51) in the mean, and 45 of 51 rest on a character.
    counts = [0 if symbol in ("Eat Me", "Rabbit") else 1 for symbol in wonderspins.LAYOUT]
    settings = {"starts": [[[1, 1]]] * 6, "inner_characters": [1, 0, 0, 0, 0, 0]}
    rounds = 1 / (1 - Fraction(1, 6) - 2 * Fraction(3, 51))
    for one, start in zip(prices("wonderspins", settings, measured(counts)), (2, 5), strict=True):
        assert abs(one.mean - Fraction(45, 51) * start * rounds) <= one.bound < Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_simulation_agrees_with_the_exact_price_within_its_interval(name: str) -> None:
    configuration = complete(game_named(name), {}, "the test")
    for one in price(configuration):
        tally = simulate(configuration, one.spot, 20000 if name == "dreamcatcher" else 4000, 20, EQUAL, processes=1)
        margin = tally.margin(one.variance())
        assert abs(tally.mean() - float(one.mean)) <= margin
        assert margin < float(one.mean) * (1 if name == "dreamcatcher" else 0.3)
        for note, exact in (("MINIMUM", one.minimum), ("MAXIMUM", one.maximum), ("JACKPOT", one.jackpot)):
            centre, half = tally.share(note)
            assert abs(centre - float(exact)) <= half + 1e-12, note
        if one.pays is not None and name != "dreamcatcher":
            below = exact = 0.0
            for odds, chance in one.pays.items():
                below, exact = below + tally.odds[odds], exact + float(chance)
                assert abs(below / tally.rounds - exact) <= tally.band()


@pytest.mark.slow
def test_simulation_notices_a_price_that_is_wrong_by_a_twentieth() -> None:
    configuration = complete(game_named("wonderspins"), {}, "the test")
    one = price(configuration)[0]
    tally = simulate(configuration, one.spot, 20000, 3, EQUAL, processes=1)
    assert abs(tally.mean() - float(one.mean) * 1.05) > tally.margin()


def test_a_simulation_is_the_same_on_one_process_and_on_two_and_differs_by_seed() -> None:
    configuration = complete(game_named("new_york"), {}, "the test")
    spot = price(configuration)[0].spot
    heard: list[int] = []
    one = simulate(configuration, spot, 2 * CHUNK + 7, 5, EQUAL, processes=1, advance=heard.append)
    two = simulate(configuration, spot, 2 * CHUNK + 7, 5, EQUAL, processes=2)
    other = simulate(configuration, spot, 2 * CHUNK + 7, 6, EQUAL, processes=1)
    assert one == two != other
    assert heard == [CHUNK, CHUNK, 7]
    assert one.rounds == sum(one.odds.values()) == 2 * CHUNK + 7


def test_a_players_choice_can_be_simulated() -> None:
    configuration = complete(game_named("mgm_grand"), {"landings": [30, 1, 1, 1, 1, 1]}, "the test")
    best, worst = (simulate(configuration, "MGM Grand", 500, 1, EQUAL, choice=n, processes=1) for n in (1, 4))
    assert best.mean() > 3 * worst.mean()


def test_intervals_are_those_of_the_textbook() -> None:
    centre, half = share_of(0, 100)
    assert centre == pytest.approx(Z * Z / (2 * (100 + Z * Z)))
    assert half == pytest.approx(centre)
    assert share_of(0, 0) == (0.5, 0.5)


def test_a_wheel_of_unequal_sections_keeps_its_proportions() -> None:
    assert wheel_of(EQUAL) == (1,) * 54
    assert wheel_of([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]) == (3, 2, 1)


def test_the_default_bellagio_can_trigger_its_bonus_and_every_price_states_its_means() -> None:
    one = prices("bellagio")[0]
    assert 0 < one.means["Bellagio bonus"] < 1
    assert one.means["odds paid"] == one.mean
    assert sum(one.pays.values()) == 1 if one.pays else False
    assert max(one.pays) <= bellagio.HIGH


def test_a_wagers_return_needs_the_chance_of_its_spot() -> None:
    one = prices("luxor", {"awards": [[5, 1]], "strikes": [1, 0, 0, 0], "multipliers": PLAIN})[0]
    assert one.mean == 5
    assert one.wager_return() is None
    assert one.wager_return(Fraction(1, 9)) == Fraction(6, 9)
