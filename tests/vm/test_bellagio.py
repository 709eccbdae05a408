"""Bellagio against its regulation (tests/data/seeds/bonus_city.txt), paragraph by paragraph."""

from tabletop.rules import bellagio as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, error_of, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.error_of, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("bonus_city.txt")
refused = bonus_round.refuses(game)
SPOT = "Bellagio"
SEVEN, BELL, BAR, CHERRY, ICON = range(5)
LOSE = (SEVEN, BELL, BAR)


def draws(spins=(), awards=(0, 0, 0, 0, 0), multiplier=0):
    """`spins` are up to eight lists of three machines, each three symbols; those left out lose."""
    made = Draws(multiplier=multiplier)
    for n in range(len(awards)):
        made.set("award %d" % (n + 1), awards[n])
    spins = list(spins) + [(LOSE, LOSE, LOSE)] * (8 - len(spins))
    for machine in range(3):
        for reel in range(3):
            made.set("machine %d reel %d" % (machine + 1, reel + 1), [spin[machine][reel] for spin in spins])
    return made


def play(made, choice=1, **changes):
    start, begin = begun(game, made, **changes)
    state, effects = run(game, start, made, ("choose", 1, choice))
    return state, begin + effects


def test_e_1_and_2_there_are_three_machines_of_three_reels_and_a_tracker():
    state, _ = begun(game, draws())
    assert (state["meters"], state["icons"]) == ([0, 0, 0], 0)
    assert (game.MACHINES, game.REELS) == (3, 3)
    assert refused(reels=game.DEFAULTS["reels"][:2]) == "reels holds 2 entries, but must hold 3"


def test_e_3_multipliers_are_assigned_to_the_combinations_at_random():
    made = draws(awards=(1, 0, 1, 0, 1))
    _state, effects = begun(game, made)
    assert named(effects, "awards") == [("awards", [250, 40, 40, 10, 5])]
    assert [draw[0] for draw in made.asked] == ["multiplier"] + ["award %d" % n for n in range(1, 6)]


def test_e_4_the_multiplier_of_696_3_applies_to_all_awards():
    state, _ = begun(game, draws(multiplier=2))  # 3x
    assert state["awards"] == [300, 120, 60, 30, 9]


def test_e_5_a_timer_runs_while_players_select_a_machine():
    made = draws()
    state, effects = begun(game, made)
    assert effects[-1] == ("timer", 15000)
    assert "in phase CHOICE" in error_of(game.step, state, ("next",), made)
    state, effects = step(game, state, ("choose", 1, 3))
    assert effects == [("chosen", 1, 3, "PLAYER")]


def test_e_5_a_machine_is_drawn_for_a_player_who_selects_none_in_time():
    made = draws()
    made.set("choice of seat 1", 2)
    state, _ = begun(game, made)
    _, effects = run(game, state, made, ("timeout",))
    assert effects[0] == ("chosen", 1, 3, "RNG")
    assert ["choice of seat 1", 3, 2] in made.asked


def test_e_5_a_late_repeated_or_impossible_selection_is_refused_with_its_reason():
    made = draws()
    state, _ = begun(game, made)
    assert step(game, state, ("choose", 1, 4))[1] == [("refuse", 3010, {"choice": 4, "limit": 3})]
    assert step(game, state, ("choose", 5, 1))[1] == [("refuse", 3011, {"seat": 5})]
    state, _ = step(game, state, ("choose", 1, 1))
    assert step(game, state, ("choose", 1, 2))[1] == [("refuse", 3008, {"seat": 1})]


def test_e_6_each_machine_spins_for_itself():
    made = draws([((BAR,) * 3, LOSE, (CHERRY,) * 3)])
    state, _ = play(made)
    assert state["meters"] == [20, 0, 10]
    names = [draw[0] for draw in made.asked[6:15]]
    assert names == ["machine %d reel %d" % (machine, reel) for machine in (1, 2, 3) for reel in (1, 2, 3)]


def test_e_7_winning_combinations_are_added_to_the_meter_of_their_machine():
    _, effects = play(draws([((BAR,) * 3, LOSE, LOSE), ((BELL,) * 3, LOSE, LOSE)]))
    assert [meters[1][0] for meters in named(effects, "meters")] == [20] + [60] * 7
    assert named(effects, "reels")[0] == ("reels", 1, ["Bar", "Bar", "Bar"], 20)


def test_e_7_only_the_first_combination_that_fits_counts():
    combinations, awards = game.DEFAULTS["combinations"], [100, 40, 20, 10, 3]
    assert game.award_of(["Cherry", "Cherry", "Cherry"], combinations, awards) == 10
    assert game.award_of(["Cherry", "Cherry", "Bar"], combinations, awards) == 3
    assert game.award_of(["Bar", "Cherry", "Cherry"], combinations, awards) == 0


def test_e_8_each_machine_spins_eight_times_and_the_cumulative_result_is_paid():
    made = draws([(LOSE, (CHERRY,) * 3, LOSE)] * 8)
    _state, effects = play(made, choice=2)
    assert len([effect for effect in named(effects, "reels") if effect[1] == 2]) == 8
    assert named(effects, "odds") == [("odds", 2, 80, 80, "")]
    assert named(effects, "pay") == [("pay", 1, SPOT, 5000, 80, 400000, False)]


def test_e_9_every_icon_on_any_machine_is_added_to_the_tracker():
    icons = ((ICON, SEVEN, ICON), LOSE, (SEVEN, SEVEN, ICON))
    _, effects = play(draws([icons, icons]))
    assert [tracker[1] for tracker in named(effects, "tracker")] == [3] + [6] * 7


def test_e_9_i_eight_icons_trigger_the_bonus_and_seven_do_not():
    three, one, two = ((ICON,) * 3, LOSE, LOSE), ((ICON, SEVEN, SEVEN), LOSE, LOSE), ((ICON, ICON, SEVEN), LOSE, LOSE)
    _, effects = play(draws([three, three, one]))
    assert named(effects, "bonus") == []
    assert named(effects, "result") == [("result", "RNG", {"bonus": False})]
    _, effects = play(draws([three, three, two]))
    assert named(effects, "bonus") == [("bonus", 2)]
    assert named(effects, "result") == [("result", "RNG", {"bonus": True})]


def test_e_9_ii_the_bonus_doubles_all_meters_after_the_eighth_spin():
    icons = ((ICON,) * 3, (ICON,) * 3, (ICON,) * 3)
    won = ((BAR,) * 3, LOSE, (CHERRY,) * 3)
    _state, effects = play(draws([icons] + [won] * 7))
    assert [meters[1] for meters in named(effects, "meters")][-3:] == [[120, 0, 60], [140, 0, 70], [280, 0, 140]]


def test_e_10_the_payout_is_the_meter_of_the_machine_selected():
    made = draws([((BAR,) * 3, (BELL,) * 3, LOSE)])
    start, _ = begun(game, made, bets=((1, 1000), (2, 2000)))
    _, effects = run(game, start, made, ("choose", 1, 2), ("choose", 2, 1))
    assert named(effects, "odds") == [("odds", 1, 20, 20, ""), ("odds", 2, 40, 40, "")]
    assert [pay[4] for pay in named(effects, "pay")] == [40, 20]


def test_e_10_i_the_minimum_is_10_to_1_applied_last_and_noted():
    assert "minimum payout odds shall be 10 to 1" in TEXT
    three = ((CHERRY, CHERRY, BAR), LOSE, LOSE)
    for spins, total, note in (([((CHERRY,) * 3, LOSE, LOSE)], 10, ""), ([three] * 3, 9, "MINIMUM")):
        _, effects = play(draws(spins))
        assert named(effects, "odds") == [("odds", 1, total, 10, note)]
    assert "the minimum cannot be kept" in refused(payout_limit_mills=4999999)


def test_e_10_ii_the_maximum_is_2000_to_1_applied_last_and_noted():
    assert "maximum payout odds shall be 2,000 to 1" in TEXT
    sevens = ((SEVEN,) * 3, LOSE, LOSE)
    for awards, total, note in ((1, 2000, ""), (0, 800, "")):
        _, effects = play(draws([sevens] * 8, awards=(awards, 0, 0, 0, 0)))
        assert named(effects, "odds") == [("odds", 1, total, total, note)]
    _, effects = play(draws([sevens] * 8, awards=(1, 0, 0, 0, 0), multiplier=1))
    assert named(effects, "odds") == [("odds", 1, 4000, 2000, "MAXIMUM")]


def test_settings_of_reels_and_combinations_are_checked():
    reels, combinations = game.DEFAULTS["reels"], game.DEFAULTS["combinations"]
    assert refused(combinations=[["Plum", "Bar", "Bar"]]) == "combinations[0]: symbol Plum is not on reel 1"
    assert refused(combinations=[["Bar", "Bar"]]) == "combinations[0] holds 2 entries, but must hold 3"
    assert refused(awards=game.DEFAULTS["awards"][:4]) == "awards holds 4 entries, but must hold 5"
    assert refused(awards=[[[2001, 1]]] + game.DEFAULTS["awards"][1:]) == (
        "awards[0] (Seven Seven Seven)[0] is 2001, but must be a whole number from 1 to 2000"
    )
    assert "must be a text, only once" in refused(reels=[[["Bar", 1], ["Bar", 1]]] + reels[1:])
    assert "weight of Bar is 0" in refused(reels=[[["Bar", 0]]] + reels[1:])
    assert "holds 1 entries, but must hold 2" in refused(reels=[[["Bar"]]] + reels[1:])
    assert combinations[4] == ["Cherry", "Cherry", "*"]


def test_e_9_reels_without_the_icon_of_the_tracker_are_refused():
    plain = [["Bar", 1], ["bellagio", 1]]
    changes = {"combinations": [["Bar", "Bar", "Bar"]], "awards": [[[10, 1]]]}
    assert refused(reels=[plain] * 3, **changes) == "reels: the symbol Bellagio of the tracker is on none of them"
    bonus_round.settings_of(game, reels=[plain, plain, plain + [["Bellagio", 1]]], **changes)


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws([((BAR,) * 3, (ICON,) * 3, LOSE)] * 5)
    start, _ = begun(game, made)
    first = len(made.asked)
    after, _ = run(game, start, made, ("choose", 1, 2))
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, [("choose", 1, 2)], after)
