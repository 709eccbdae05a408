"""Money Mountain against its regulation (tests/data/seeds/money_mountain.txt), paragraph by paragraph."""

from tabletop.rules import money_mountain as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("money_mountain.txt")

refused = bonus_round.refuses(game)
IN_ORDER = list(range(54))
SPOT = "Money Mountain"


def draws(jackpot=0, mystery=0, stops=(), reels=(), order=IN_ORDER):
    """`stops` are segments of the outer wheel, `reels` the outcomes of reel 1 to 9, open ones only, 0 awards."""
    made = Draws()
    made.set("mystery", mystery)
    made.set("jackpot", jackpot)
    made.values["segments"] = list(order)
    made.set("outer wheel", list(stops))
    for reel in range(9):
        made.set("reel %d" % (reel + 1), [outcomes[reel] for outcomes in reels if outcomes[reel] is not None])
    return made


def awarding(*reels):
    """Outcomes of one spin of the reels in which only these (1 to 9) award."""
    return [0 if reel in reels else 1 for reel in range(1, 10)]


def segment_of(multiplier):
    """The first segment with a multiplier when they are assigned in order."""
    at = 0
    for value, count in game.DEFAULTS["segments"]:
        if value == multiplier:
            return at
        at += count
    raise KeyError(multiplier)


def play(made, presses, **changes):
    start, _ = begun(game, made, **changes)
    return run(game, start, made, *[("press", 1)] * presses)


def test_a_the_counter_and_the_jackpot_meter_are_shown():
    made = draws(stops=[0], reels=[awarding(1)])
    _, effects = begun(game, made)
    assert ("rounds", 3) in effects
    _, effects = play(made, 1)
    assert named(effects, "meter") == [("meter", 2)]
    assert named(effects, "rounds") == [("rounds", 2), ("rounds", 3)]


def test_b_1_the_outer_wheel_has_54_segments():
    state, _ = begun(game, draws())
    assert len(state["segments"]) == 54
    short = [[2, 53]]
    assert refused(segments=short) == "segments: the counts add up to 53, but the wheel has 54"


def test_b_2_multipliers_range_from_2x_to_500x():
    bonus_round.settings_of(game, segments=[[2, 53], [500, 1]])
    assert refused(segments=[[1, 1], [2, 53]]) == "segments[0] is 1, but must be a whole number from 2 to 500"
    assert refused(segments=[[2, 53], [501, 1]]) == "segments[1] is 501, but must be a whole number from 2 to 500"


def test_b_3_multipliers_are_assigned_to_the_segments_at_random():
    order = IN_ORDER[::-1]
    state, effects = begun(game, draws(order=order))
    assert state["segments"][0] == 500
    assert state["segments"][53] == 2
    assert named(effects, "segments") == [("segments", state["segments"])]
    values = []
    for value, count in game.DEFAULTS["segments"]:
        values += [value] * count
    assert sorted(state["segments"]) == values


def test_c_the_reels_are_three_by_three():
    state, _ = begun(game, draws())
    assert state["locked"] == [0] * 9


def test_d_the_game_begins_with_jackpot_wheel_and_three_spins():
    made = draws(jackpot=2)
    state, effects = begun(game, made)
    assert (state["jackpot"], state["rounds"], state["meter"]) == (2500, 3, 0)
    assert ("jackpot", 2500) in effects
    assert [draw[0] for draw in made.asked] == ["mystery", "jackpot", "segments"]


def test_e_the_player_presses_the_button_and_the_wheel_stops_at_random():
    made = draws(stops=[53])
    state, _ = begun(game, made)
    state, effects = step(game, state, ("press", 1), made)
    assert effects == [("outer", 53, 500, 500), ("rounds", 2)]
    assert made.asked[-1] == ["outer wheel", 54, 53]
    assert state["phase"] == "REELS"


def test_e_the_mystery_multiplier_multiplies_the_wheel():
    made = draws(mystery=2, stops=[53], reels=[awarding(4)])  # 5x
    state, effects = play(made, 1)
    assert ("outer", 53, 500, 2500) in effects
    assert state["locked"][3] == 2500


def test_e_the_button_works_only_for_eligible_players_and_only_when_the_wheel_is_at_rest():
    made = draws(stops=[0])
    state, _ = begun(game, made)
    assert step(game, state, ("press", 2), made)[1] == [("refuse", 3011, {"seat": 2})]
    pressed, _ = step(game, state, ("press", 1), made)
    again, effects = step(game, pressed, ("press", 1), made)
    assert effects == [("refuse", 3012, {"seat": 1, "phase": "REELS"})]
    assert again == pressed


def test_e_the_dealer_presses_for_a_player_who_is_absent():
    made = draws(stops=[0])
    state, _ = begun(game, made)
    assert step(game, state, ("press", 0), made)[1][0][0] == "outer"


def test_f_each_reel_is_an_independent_outcome_to_award_or_not():
    made = draws(stops=[0], reels=[awarding(2, 9)])
    state, _ = play(made, 1)
    assert state["locked"] == [0, 2, 0, 0, 0, 0, 0, 0, 2]
    assert [draw[:2] for draw in made.asked[-9:]] == [["reel %d" % reel, 2] for reel in range(1, 10)]


def test_f_1_a_reel_that_does_not_award_spins_again_with_the_next_spin():
    made = draws(stops=[0, 0], reels=[awarding(), awarding(5)])
    state, _ = play(made, 2)
    assert state["locked"][4] == 2


def test_f_2_i_a_reel_that_awarded_is_locked_and_does_not_spin_again():
    second = awarding(6)
    second[4] = None  # reel 5 is locked: a draw for it would be an error
    made = draws(stops=[0, segment_of(500)], reels=[awarding(5), second])
    state, _ = play(made, 2)
    assert state["locked"] == [0, 0, 0, 0, 2, 500, 0, 0, 0]
    assert len([draw for draw in made.asked if draw[0] == "reel 5"]) == 1


def test_f_2_ii_the_multiplier_is_added_to_the_meter_for_each_reel_that_awards():
    made = draws(stops=[segment_of(10)], reels=[awarding(1, 2, 3)])
    _state, effects = play(made, 1)
    assert named(effects, "meter") == [("meter", 10), ("meter", 20), ("meter", 30)]


def test_f_2_iii_an_award_resets_the_spins_to_three():
    made = draws(stops=[0, 0, 0], reels=[awarding(), awarding(), awarding(1)])
    state, _ = play(made, 3)
    assert (state["phase"], state["rounds"]) == ("PRESS", 3)


def test_g_three_spins_without_an_award_end_the_game():
    made = draws(stops=[0, 0, 0], reels=[awarding()] * 3)
    state, effects = play(made, 2)
    assert (state["phase"], state["rounds"]) == ("PRESS", 1)
    state, effects = play(draws(stops=[0, 0, 0], reels=[awarding()] * 3), 3)
    assert state["phase"] == "DONE"
    assert named(effects, "odds") == [("odds", 0, 0, 0, "")]


def test_h_the_payout_is_the_sum_of_the_locked_multipliers():
    second = awarding(9)
    second[0] = second[1] = None
    rest = awarding()
    rest[0] = rest[1] = rest[8] = None
    made = draws(stops=[segment_of(20), segment_of(50), 0, 0, 0], reels=[awarding(1, 2), second] + [rest] * 3)
    _state, effects = play(made, 5)
    assert named(effects, "odds") == [("odds", 0, 90, 90, "")]
    assert named(effects, "pay") == [("pay", 1, SPOT, 5000, 90, 450000, False)]


def test_i_nine_locked_reels_pay_the_jackpot_whatever_the_sum():
    made = draws(jackpot=1, stops=[segment_of(500)], reels=[awarding(*range(1, 10))])
    state, effects = play(made, 1)
    assert state["meter"] == 4500
    assert named(effects, "odds") == [("odds", 0, 1000, 1000, "JACKPOT")]
    assert named(effects, "result") == [("result", "RNG", {"jackpot": True})]


def test_i_eight_locked_reels_pay_their_sum():
    second = [None] * 8 + [1]
    made = draws(stops=[0] * 4, reels=[awarding(*range(1, 9))] + [second] * 3)
    _state, effects = play(made, 4)
    assert named(effects, "odds") == [("odds", 0, 16, 16, "")]


def test_j_the_payout_may_exceed_500_but_not_5000_to_1():
    assert game.capped(501) == (501, "")
    assert game.capped(5000) == (5000, "")
    assert game.capped(5001) == (5000, "MAXIMUM")
    second = [None] * 2 + [1] * 7
    made = draws(mystery=3, stops=[53, 0, 0, 0], reels=[awarding(1, 2)] + [second] * 3)  # twice 500 times 10
    _, effects = play(made, 4)
    assert named(effects, "odds") == [("odds", 0, 10000, 5000, "MAXIMUM")]


def test_j_a_jackpot_above_the_cap_is_refused():
    assert refused(jackpots=[[5001, 1]]) == "jackpots[0] is 5001, but must be a whole number from 1 to 5000"


def test_weights_of_a_reel_that_are_missing_or_empty_are_refused():
    assert refused(reels=[[1, 5]] * 8) == "reels holds 8 entries, but must hold 9"
    assert refused(reels=[[1, 5]] * 8 + [[1]]) == "reels[8]: the weight of no award is missing"
    empty = "reels[0]: the sum of the weights is 0, but must be 1 to 4294967295"
    assert refused(reels=[[0, 0]] + [[1, 5]] * 8) == empty


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws(stops=[3, 4, 5], reels=[awarding()] * 3)
    start, _ = begun(game, made)
    first = len(made.asked)
    inputs = [("press", 1)] * 3
    after, _ = run(game, start, made, *inputs)
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, inputs, after)


def test_two_seats_are_paid_from_the_same_reels():
    made = draws(stops=[0] * 4, reels=[awarding(1)] + [[None] + [1] * 8] * 3)
    start, _ = begun(game, made, bets=((1, 5000), (4, 1000)))
    _, effects = run(game, start, made, *[("press", 4)] * 4)
    assert [pay[3:6] for pay in named(effects, "pay")] == [(5000, 2, 10000), (1000, 2, 2000)]
