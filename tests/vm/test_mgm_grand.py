"""MGM Grand against its regulation (tests/data/seeds/bonus_city.txt), paragraph by paragraph."""

from tabletop.rules import mgm_grand as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, error_of, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.error_of, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("bonus_city.txt")
refused = bonus_round.refuses(game)
SPOT = "MGM Grand"
BALLS = (
    ["blue ball %d" % n for n in range(1, 5)] + ["green ball %d" % n for n in range(1, 5)]
    + ["red ball 1", "red ball 2", "gold ball 1", "disco ball 1"]
)  # fmt: skip


def draws(ends=(0,) * 12, multiplier=0):
    """`ends` of the twelve balls in the order of their drops: 0 to 3 a spot, 4 and 5 a void hole."""
    made = Draws(multiplier=multiplier)
    for n in range(12):
        made.set(BALLS[n], ends[n])
    return made


def play(made, choice=1, **changes):
    start, begin = begun(game, made, **changes)
    state, effects = run(game, start, made, ("choose", 1, choice))
    return state, begin + effects


def test_d_1_balls_are_dropped_and_their_ends_are_what_the_generator_decides():
    made = draws()
    play(made)
    assert [draw[:2] for draw in made.asked[1:]] == [[name, 6] for name in BALLS]


def test_d_2_the_board_has_four_landing_spots_and_two_voids():
    assert game.ENDS == ("spot 1", "spot 2", "spot 3", "spot 4", "void 1", "void 2")
    state, _ = begun(game, draws())
    assert state["spots"] == [0, 0, 0, 0]
    assert refused(landings=[1, 1, 1, 1, 1]) == "landings: the weight of void 2 is missing"


def test_d_3_there_are_12_balls_of_the_numbers_and_values_of_the_text():
    assert "12 balls with 4 blue balls, 4 green balls, 2 red balls, 1 gold ball and 1 special disco ball" in TEXT
    assert sum([count for _, count, _ in game.BALLS]) == 12
    found = {}
    for colour, count, value in game.BALLS[:4]:
        found[colour] = (count, value)
        assert "The %s ball shall represent a %dx multiplier" % (colour, value) in TEXT, colour
    assert found == {"blue": (4, 2), "green": (4, 5), "red": (2, 10), "gold": (1, 25)}


def test_d_3_i_to_iv_each_colour_adds_its_multiplier():
    for ball, value in ((0, 2), (4, 5), (8, 10), (10, 25)):
        ends = [4] * 12
        ends[ball] = 2
        state, _ = play(draws(ends))
        assert state["spots"] == [0, 0, value, 0]


def test_d_3_v_the_disco_ball_doubles_the_spot_where_it_lands_and_no_other():
    state, _ = play(draws([0, 1] + [4] * 8 + [0, 0]))
    assert state["spots"] == [54, 2, 0, 0]


def test_d_4_the_multiplier_of_696_3_applies_to_all_ball_values():
    state, effects = play(draws([0] * 11 + [5], multiplier=2))  # 3x
    assert state["spots"][0] == 3 * (4 * 2 + 4 * 5 + 2 * 10 + 25)
    assert named(effects, "ball")[0] == ("ball", "blue", 1, 0, 6)


def test_d_5_players_select_a_spot_before_the_balls_drop():
    made = draws()
    state, effects = begun(game, made)
    assert (state["phase"], effects[-1]) == ("CHOICE", ("timer", 15000))
    assert "a drop of balls in phase CHOICE" in error_of(game.step, state, ("next",), made)
    state, effects = step(game, state, ("choose", 1, 4))
    assert effects == [("chosen", 1, 4, "PLAYER")]
    assert state["phase"] == "DROP"


def test_d_5_a_spot_is_drawn_for_a_player_who_selects_none_in_time():
    made = draws()
    made.set("choice of seat 1", 3)
    state, _ = begun(game, made)
    state, effects = run(game, state, made, ("timeout",))
    assert effects[0] == ("chosen", 1, 4, "RNG")
    assert ["choice of seat 1", 4, 3] in made.asked


def test_d_5_a_late_repeated_or_impossible_selection_is_refused_with_its_reason():
    made = draws()
    state, _ = begun(game, made, bets=((1, 1000), (2, 1000)))
    for choice in (0, 5):
        assert step(game, state, ("choose", 1, choice))[1] == [("refuse", 3010, {"choice": choice, "limit": 4})]
    state, _ = step(game, state, ("choose", 1, 4))
    assert step(game, state, ("choose", 1, 4))[1] == [("refuse", 3009, {"seat": 1, "choice": 4})]
    state, _ = step(game, state, ("choose", 2, 1))
    assert step(game, state, ("choose", 2, 2))[1] == [("refuse", 3008, {"seat": 2})]


def test_d_6_the_colours_drop_one_after_another_blue_green_red_gold_disco():
    made = draws()
    state, _ = begun(game, made)
    state, _ = step(game, state, ("choose", 1, 1))
    for colour, count, _ in game.BALLS:
        assert state["phase"] == "DROP"
        state, effects = step(game, state, ("next",), made)
        assert [ball[1] for ball in named(effects, "ball")] == [colour] * count
        assert named(effects, "spots") == [("spots", state["spots"])]
    assert state["phase"] == "DONE"


def test_d_7_i_a_ball_in_a_void_is_not_counted_and_a_disco_ball_there_doubles_nothing():
    state, _ = play(draws([4, 5] + [1] * 9 + [4]))
    assert state["spots"] == [0, 2 * 2 + 20 + 20 + 25, 0, 0]


def test_d_7_ii_a_spot_totals_the_multipliers_of_its_balls():
    state, _ = play(draws([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 5]))
    assert state["spots"] == [2 + 5 + 10, 2 + 5 + 10, 2 + 5 + 25, 2 + 5]


def test_d_7_iii_the_disco_ball_is_counted_last():
    state, _ = play(draws([0] * 12))
    assert state["spots"][0] == 2 * (8 + 20 + 20 + 25)


def test_d_7_iii_with_a_multiplier_of_10_the_disco_ball_increases_its_spot_by_20():
    assert "had been 10, then the disco ball" in TEXT.replace("special disco", "disco")
    state, effects = play(draws([0] + [4] * 10 + [0], multiplier=4))
    assert named(effects, "ball")[-1] == ("ball", "disco", 1, 0, 20)
    assert state["spots"][0] == 20 * 20


def test_d_8_the_payout_is_the_total_of_the_spot_selected():
    made = draws([0] * 4 + [1] * 4 + [5] * 4)
    start, _ = begun(game, made, bets=((1, 1000), (2, 2000)))
    _, effects = run(game, start, made, ("choose", 1, 1), ("choose", 2, 2))
    assert named(effects, "odds") == [("odds", 1, 8, 8, ""), ("odds", 2, 20, 20, "")]
    assert named(effects, "pay") == [("pay", 1, SPOT, 1000, 8, 8000, False), ("pay", 2, SPOT, 2000, 20, 40000, False)]


def test_d_8_i_the_minimum_is_7_to_1_applied_last_and_noted():
    assert "minimum payout odds shall be 7 to 1" in TEXT
    for ends, total, note in (([0] + [4] * 3 + [0] + [4] * 7, 7, ""), ([0] * 3 + [4] * 9, 6, "MINIMUM")):
        _, effects = play(draws(ends))
        assert named(effects, "odds") == [("odds", 1, total, 7, note)]
    assert "the minimum cannot be kept" in refused(payout_limit_mills=3499999)


def test_d_8_ii_the_maximum_is_1000_to_1_applied_last_and_noted():
    assert "maximum payout odds shall be 1,000 to 1" in TEXT
    for ends, total, note in (([4] * 10 + [0, 4], 1000, ""), ([0] + [4] * 9 + [0, 4], 1080, "MAXIMUM")):
        changes = {"multipliers": [[1, 1], [40, 1]]}
        _, effects = play(draws(ends, multiplier=1), **changes)
        assert named(effects, "odds") == [("odds", 1, total, 1000, note)]


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0, 0])
    start, _ = begun(game, made)
    first = len(made.asked)
    after, _ = run(game, start, made, ("choose", 1, 1))
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, [("choose", 1, 1)], after)
