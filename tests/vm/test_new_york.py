"""New York, New York against its regulation (tests/data/seeds/bonus_city.txt), paragraph by paragraph."""

from tabletop.rules import new_york as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, error_of, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.error_of, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("bonus_city.txt")
refused = bonus_round.refuses(game)
SPOT = "New York, New York"
AWARDS = [pair[0] for pair in game.DEFAULTS["awards"]]


def draws(buildings=(0,) * 12, light=0, torch=0, multiplier=0):
    """Indices into the tables of the default settings."""
    made = Draws(multiplier=multiplier, light=light, torch=torch)
    for n in range(len(buildings)):
        made.set("building %d" % (n + 1), buildings[n])
    return made


def play(made, **changes):
    start, begin = begun(game, made, **changes)
    state, effects = run(game, start, made)
    return state, begin + effects


def test_a_the_bonus_city_has_these_bonus_games_a_to_d():
    from tabletop.rules import bonus_city

    line = next(line for line in TEXT.split("\n") if line.startswith("1. (a) "))
    for letter in "ABCD":
        _, spot = bonus_city.BONUS_GAMES[letter]
        assert "Bonus Game %s shall be the %s bonus game" % (letter, spot) in line, letter


def test_b_1_a_skyline_of_buildings_and_a_torch_are_what_the_generator_decides():
    made = draws()
    play(made)
    assert [draw[0] for draw in made.asked] == (
        ["multiplier"] + ["building %d" % n for n in range(1, 13)] + ["light", "torch"]
    )


def test_b_1_i_the_number_of_buildings_is_a_setting():
    made = draws(buildings=(0, 1), light=1)
    state, _ = play(made, light=[1, 3])
    assert state["buildings"] == [2, 3]
    assert refused(light=[]) == "light holds 0 entries, but must hold 1 to 28"


def test_b_2_random_multipliers_are_assigned_and_shown():
    buildings = (0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2)
    state, effects = begun(game, draws(buildings=buildings))
    assert state["buildings"] == [AWARDS[n] for n in buildings]
    assert named(effects, "buildings") == [("buildings", state["buildings"])]


def test_b_3_the_multiplier_of_696_3_applies_to_all_awards():
    state, effects = begun(game, draws(buildings=(0, 1) + (2,) * 10, multiplier=2))  # 3x
    assert state["buildings"] == [6, 9] + [15] * 10
    assert ("multiplier", 3) in effects


def test_b_4_the_light_stops_on_one_building_whose_multiplier_wins():
    _state, effects = play(draws(buildings=(0, 8) + (2,) * 10, light=1))
    assert named(effects, "light") == [("light", 1, 100)]
    assert named(effects, "odds") == [("odds", 0, 100, 100, "")]


def test_b_5_and_b_1_ii_the_torch_doubles_the_outcome_when_it_illuminates():
    for torch, odds in ((0, 100), (1, 200)):
        _, effects = play(draws(buildings=(8,) + (0,) * 11, torch=torch))
        assert named(effects, "torch") == [("torch", torch == 1)]
        assert named(effects, "odds") == [("odds", 0, odds, odds, "")]


def test_b_5_the_torch_follows_the_light():
    made = draws()
    state, _ = begun(game, made)
    assert state["phase"] == "LIGHT"
    state, _ = step(game, state, ("next",), made)
    assert state["phase"] == "TORCH"
    state, _ = step(game, state, ("next",), made)
    assert state["phase"] == "DONE"
    assert "in phase DONE" in error_of(game.step, state, ("next",), made)


def test_b_6_the_payout_is_the_outcome_of_the_generator():
    _, effects = play(draws(buildings=(2,) + (0,) * 11))
    assert named(effects, "result") == [("result", "RNG", {})]
    assert named(effects, "pay") == [("pay", 1, SPOT, 5000, 5, 25000, False)]


def test_b_6_i_the_minimum_is_2_to_1_and_no_award_may_be_below_it():
    assert "minimum payout odds shall be 2 to 1" in TEXT
    _, effects = play(draws())
    assert named(effects, "odds") == [("odds", 0, 2, 2, "")]
    assert refused(awards=[[1, 1], [2, 1]]) == "awards[0] is 1, but must be a whole number from 2 to 500"


def test_b_6_i_a_payout_limit_under_which_the_minimum_cannot_be_kept_is_refused():
    assert "the minimum cannot be kept" in refused(payout_limit_mills=999999)
    bonus_round.settings_of(game, payout_limit_mills=1000000)


def test_b_6_ii_the_maximum_is_500_to_1_applied_last_and_noted():
    assert "maximum payout odds shall be 500 to 1" in TEXT
    awards = [[250, 1], [251, 1]]
    for building, total, note in ((0, 500, ""), (1, 502, "MAXIMUM")):
        _, effects = play(draws(buildings=(building,) * 12, torch=1), awards=awards)
        assert named(effects, "odds") == [("odds", 0, total, 500, note)]
    assert refused(awards=[[501, 1]]) == "awards[0] is 501, but must be a whole number from 2 to 500"


def test_missing_weights_are_refused_by_name():
    assert refused(torch=[1]) == "torch: the weight of lit is missing"
    assert refused(awards=[]) == "awards holds 0 entries, but must hold 1 to 64"
    assert refused(awards=[[5]]) == "awards[0] is [5], but must be a pair of value and weight"
    assert refused(awards=[[5, 1], [5, 1]]) == "awards[1]: value 5 must be above 5, the one before it"
    assert refused(awards=[[5, 0]]) == "awards[0]: weight of 5 is 0, but must be a whole number from 1 to 4294967295"
    assert refused(multipliers=[[0, 1]]) == "multipliers[0] is 0, but must be a whole number from 1 to 100"


def test_a_payout_limit_is_noted_in_the_pay():
    _, effects = play(draws(buildings=(8,) * 12), payout_limit_mills=1000000, bets=((1, 500000),))
    assert named(effects, "pay") == [("pay", 1, SPOT, 500000, 100, 1000000, True)]


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws(buildings=tuple(range(9)) + (0, 1, 2), light=7, torch=1)
    start, _ = begun(game, made)
    first = len(made.asked)
    after, _ = run(game, start, made)
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, [], after)
