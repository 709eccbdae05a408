"""Luxor against its regulation (tests/data/seeds/bonus_city.txt), paragraph by paragraph."""

from tabletop.rules import luxor as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, error_of, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.error_of, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("bonus_city.txt")
refused = bonus_round.refuses(game)
SPOT = "Luxor"
IN_ORDER = list(range(21))
AWARDS = [5, 6, 8, 10, 15, 20, 50, 100]


def draws(grid=(0,) * 21, strikes=0, factors=(), multiplier=0, order=IN_ORDER):
    """Indices into the tables of the default settings; `order` is the shuffle."""
    made = Draws(multiplier=multiplier, strikes=strikes)
    for n in range(21):
        made.set("award %d" % (n + 1), grid[n])
    for n in range(len(factors)):
        made.set("factor of strike %d" % (n + 1), factors[n])
    made.values["shuffle"] = list(order)
    return made


def asking(made, **changes):
    """The round with the grid hidden and the timer running."""
    start, begin = begun(game, made, **changes)
    state, effects = run(game, start, made)
    assert state["phase"] == "CHOICE"
    return state, begin + effects


def test_c_1_the_grid_holds_21_awards():
    assert "grid of 21 hidden multiplier awards" in TEXT
    state, _ = begun(game, draws())
    assert len(state["grid"]) == 21


def test_c_2_21_multipliers_are_selected_at_random_and_displayed():
    grid = tuple(range(8)) + (0,) * 13
    _state, effects = begun(game, draws(grid=grid))
    assert named(effects, "grid") == [("grid", AWARDS + [5] * 13)]


def test_c_3_i_there_may_be_no_one_two_or_three_strikes():
    for count in range(4):
        made = draws(strikes=count, factors=[0] * count)
        state, effects = asking(made)
        assert named(effects, "strikes") == [("strikes", count)]
        assert len(named(effects, "strike")) == count
        assert state["grid"] == [5 * 2**count] * 21
    assert refused(strikes=[1, 1, 1]) == "strikes: the weight of 3 strikes is missing"
    assert refused(strikes=[1, 1, 1, 1, 1]) == "strikes holds 5 entries, but must hold 4"


def test_c_3_ii_each_strike_is_applied_and_shown_before_the_next():
    made = draws(grid=(7,) + (0,) * 20, strikes=2, factors=[1, 2])  # 3x, then 5x
    state, _ = begun(game, made)
    state, _ = step(game, state, ("next",), made)
    assert state["phase"] == "STRIKE"
    state, effects = step(game, state, ("next",), made)
    assert effects == [("strike", 1, 3, [300] + [15] * 20)]
    assert made.asked[-1][0] == "factor of strike 1"
    state, effects = step(game, state, ("next",), made)
    assert effects == [("strike", 2, 5, [1500] + [75] * 20)]


def test_c_4_the_multiplier_of_696_3_applies_after_the_strikes():
    made = draws(strikes=1, factors=[0], multiplier=4)  # 2x, then 10x
    _state, effects = asking(made)
    assert [effect for effect in effects if effect[0] in ("strike", "grid")] == [
        ("grid", [5] * 21), ("strike", 1, 2, [10] * 21), ("grid", [100] * 21),
    ]  # fmt: skip


def test_c_4_the_multiplier_applies_without_a_strike_as_well():
    state, _ = asking(draws(multiplier=1))
    assert state["grid"] == [10] * 21


def test_c_5_the_multipliers_are_shuffled_and_hidden():
    state, effects = asking(draws(grid=tuple(range(8)) + (0,) * 13, order=IN_ORDER[::-1]))
    assert state["grid"] == [5] * 13 + AWARDS[::-1]
    assert ("hidden",) in effects


def test_c_6_the_player_selects_one_of_the_21_symbols():
    made = draws(grid=tuple(range(8)) + (0,) * 13)
    state, _ = asking(made)
    state, effects = run(game, state, made, ("choose", 1, 8))
    assert effects[0] == ("chosen", 1, 8, "PLAYER")
    assert named(effects, "revealed") == [("revealed", AWARDS + [5] * 13)]
    assert named(effects, "pay") == [("pay", 1, SPOT, 5000, 100, 500000, False)]


def test_c_6_each_player_has_the_odds_of_the_symbol_selected():
    made = draws(grid=tuple(range(8)) + (0,) * 13)
    state, _ = asking(made, bets=((1, 1000), (3, 2000)))
    state, effects = run(game, state, made, ("choose", 3, 7))
    assert state["phase"] == "CHOICE"
    _, effects = run(game, state, made, ("choose", 1, 1))
    assert named(effects, "odds") == [("odds", 1, 5, 5, ""), ("odds", 7, 50, 50, "")]
    assert [pay[4] for pay in named(effects, "pay")] == [5, 50]


def test_c_6_i_the_timer_starts_with_the_selection():
    _, effects = asking(draws(), choice_ms=20000)
    assert effects[-1] == ("timer", 20000)
    assert refused(choice_ms=999) == "choice_ms is 999, but must be a whole number from 1000 to 600000"


def test_c_6_ii_a_random_selection_is_made_for_who_did_not_select_in_time():
    made = draws(grid=tuple(range(8)) + (0,) * 13)
    made.set("choice of seat 3", 6)
    state, _ = asking(made, bets=((1, 1000), (3, 2000)))
    state, effects = run(game, state, made, ("choose", 1, 1), ("timeout",))
    assert ("chosen", 3, 7, "RNG") in effects
    assert made.asked[-1] == ["choice of seat 3", 21, 6]
    assert [pay[4] for pay in named(effects, "pay")] == [5, 50]


def test_c_6_a_late_repeated_impossible_or_foreign_choice_is_refused_with_its_reason():
    made = draws()
    made.set("choice of seat 3", 0)
    early, _ = begun(game, made, bets=((1, 1000), (3, 2000)))
    assert step(game, early, ("choose", 1, 1))[1] == [("refuse", 3007, {"seat": 1})]
    state, _ = run(game, early, made)
    for choice in (0, 22, -1, True, "5"):
        assert step(game, state, ("choose", 1, choice))[1] == [("refuse", 3010, {"choice": choice, "limit": 21})]
    assert step(game, state, ("choose", 2, 1))[1] == [("refuse", 3011, {"seat": 2})]
    state, _ = step(game, state, ("choose", 1, 21))
    after, effects = step(game, state, ("choose", 1, 20))
    assert effects == [("refuse", 3009, {"seat": 1, "choice": 21})]
    assert after == state
    state, _ = run(game, state, made, ("timeout",))
    assert step(game, state, ("choose", 3, 4))[1] == [("refuse", 3008, {"seat": 3})]
    assert "in phase DONE" in error_of(game.step, state, ("timeout",), made)


def test_c_7_the_minimum_is_5_to_1_and_no_award_may_be_below_it():
    assert "minimum payout odds shall be 5 to 1" in TEXT
    assert refused(awards=[[4, 1]]) == "awards[0] is 4, but must be a whole number from 5 to 1000"
    assert "the minimum cannot be kept" in refused(payout_limit_mills=2499999)


def test_c_7_ii_the_maximum_is_1000_to_1_applied_last_and_noted():
    for factors, total, note in (([2, 0], 1000, ""), ([2, 1], 1500, "MAXIMUM")):
        made = draws(grid=(7,) * 21, strikes=2, factors=factors)
        state, _ = asking(made)
        _, effects = run(game, state, made, ("choose", 1, 3))
        assert named(effects, "odds") == [("odds", 3, total, 1000, note)]


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws(strikes=3, factors=[0, 1, 2], order=IN_ORDER[5:] + IN_ORDER[:5])
    made.set("choice of seat 1", 20)
    start, _ = begun(game, made)
    first = len(made.asked)
    after, _ = run(game, start, made, ("timeout",))
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, [("timeout",)], after)
