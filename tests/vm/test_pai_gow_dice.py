"""Commission-free Pai Gow and the wagers on the dice against 645c.1 and 645c.2 (tests/data/seeds/pai_gow.txt)."""

from tabletop.rules.progressive import dice, pai_gow, pays

try:
    from tests.vm import bonus_round, progressive_round, seed_tables
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    import progressive_round
    import seed_tables

error_of, named, refused, run, settings_of = (
    progressive_round.error_of, progressive_round.named, progressive_round.refused, progressive_round.run,
    progressive_round.settings_of,
)  # fmt: skip
TEXT = bonus_round.seed_text("pai_gow.txt")
TABLES = seed_tables.tables(TEXT)
EVERY = [[red, one, two] for red in range(1, 7) for one in range(1, 7) for two in range(1, 7)]


def closed(game, *bets, **changes):
    state = game.new(1, settings_of(game, **changes))
    return run(game, state, *[("wager",) + bet for bet in bets], ("no_more_bets",))[0]


def tiger(low, *bets):
    state, effects = run(pai_gow, closed(pai_gow, *bets), ("low", low))
    assert state["phase"] == "DONE"
    return effects


def rolled(spot, three, **changes):
    """What a wager of $1 is handed for a roll; 0 when it loses."""
    _, effects = run(dice, closed(dice, (1, spot, 1000), **changes), ("dice", three[0], three[1], three[2]))
    paid = named(effects, "paid")
    assert len(paid) + len(named(effects, "lose")) == 1
    return paid[0][4] if paid else 0


def words(pay):
    return "%d to %d" % pay[1:]


def test_645c_1_g_the_tiger_9_pays_30_to_1():
    assert "Tiger 9 wagers at odds of 30 to 1" in TEXT
    assert pays.words(pai_gow.TIGER) == "30 to 1"
    effects = tiger("9S 4H", (3, "Tiger 9", 1000))
    assert effects == [("tiger", True), ("paid", 3, "Tiger 9", 1000, 31000, "INVENTORY"), ("done",)]


def test_645c_1_e_1_with_a_tiger_9_every_pai_gow_poker_wager_is_a_push():
    effects = tiger("4H 9S", (1, "Pai Gow Poker", 5000), (2, "Pai Gow Poker", 7000), (2, "Tiger 9", 1000))
    assert named(effects, "push") == [("push", 1, "Pai Gow Poker", 5000), ("push", 2, "Pai Gow Poker", 7000)]
    assert named(effects, "paid") == [("paid", 2, "Tiger 9", 1000, 31000, "INVENTORY")]


def test_645c_1_e_2_without_a_tiger_9_the_wager_on_it_loses_and_the_others_are_settled_by_chapter_645a():
    effects = tiger("10H 9S", (1, "Pai Gow Poker", 5000), (2, "Tiger 9", 1000))
    assert effects == [("tiger", False), ("open", 1, "Pai Gow Poker", 5000), ("lose", 2, "Tiger 9", 1000), ("done",)]


def test_645c_1_c_2_and_h_a_9_high_is_a_nine_with_a_lower_card():
    for low in ("9S 2H", "9S 8H", "3C 9D", "9H 2H"):
        assert pai_gow.nine_high(low.split()), low
    for low in ("9S 9H", "9S 10H", "AS 9S", "9S JOKER", "JOKER 9S", "KS 9S", "8S 7S", "AS JOKER"):
        assert not pai_gow.nine_high(low.split()), low


def test_645c_1_d_the_low_hand_comes_after_no_more_bets_and_is_of_one_deck_with_a_joker():
    state, _ = run(pai_gow, pai_gow.new(1, settings_of(pai_gow)), ("wager", 1, "Tiger 9", 1000))
    assert refused(pai_gow, state, "low", "9S 4H")[0] == 4001
    state, _ = run(pai_gow, state, ("no_more_bets",))
    assert refused(pai_gow, state, "low", "9S 9S") == (3024, {"card": "9S", "count": 2, "limit": 1})
    assert refused(pai_gow, state, "low", "JOKER JOKER")[0] == 3024
    assert refused(pai_gow, state, "low", "9S")[0] == 3029
    assert refused(pai_gow, state, "low", "9S 1H")[0] == 3023
    assert refused(pai_gow, state, "wager", 1, "Tiger 9", 1000)[0] == 3006


def test_645c_2_g_1_the_sum_paytables_are_those_of_the_text_number_by_number_and_none_beside_them():
    totals, others = TABLES[0], TABLES[1]
    assert totals[0] == ["Sum of Dice", "Paytable A", "Sum of Dice", "Paytable B"]
    printed = {"A": {row[0]: row[1] for row in totals[1:]}, "B": {row[2]: row[3] for row in totals[1:]}}
    assert others[0] == ["Paytable C", "", "Paytable D"]  # two columns each
    for first, name in ((0, "C"), (2, "D")):
        printed[name] = {row[first].replace("A ", "", 1): row[first + 1] for row in others[1:] if row[first]}
    product = {name: {key: words(dice.SUMS[name][key]) for key in dice.SUMS[name]} for name in dice.SUMS}
    assert product == printed


def test_645c_2_g_2_the_match_odds_are_those_of_the_text():
    assert TABLES[2][0] == ["Payout"]
    printed = {row[0].lower(): row[1] for row in TABLES[2][1:]}
    assert {key: words(dice.NUMBERS[key]) for key in dice.NUMBERS} == printed


def test_645c_2_g_3_the_beat_it_paytables_are_those_of_the_text_number_by_number_and_none_beside_them():
    table, last = TABLES[3], TABLES[4]
    assert table[0] == ["Red Die Beats Sum of Blue Dice by:", "Paytable A", "Paytable B"]
    printed = {name: {row[0].lower(): row[n] for row in table[1:]} for n, name in ((1, "A"), (2, "B"))}
    product = {name: {key: words(dice.BEATS[name][key]) for key in dice.BEATS[name]} for name in ("A", "B")}
    assert product == printed
    assert last == [["Paytable C"], ["A die beats sum of other two by one or more points", "5 to 2"]]
    assert {key: words(dice.BEATS["C"][key]) for key in dice.BEATS["C"]} == {"a die beats the two others": "5 to 2"}
    assert len(TABLES) == 5
    assert sorted(dice.BEATS) == ["A", "B", "C"]


def test_645c_2_e_1_i_and_ii_the_totals_that_win():
    for three in EVERY:
        total = sum(three)
        assert rolled("Sum", three) == {17: 26000, 16: 7000, 8: 4000}.get(total, 0)
        assert rolled("Sum", three, sum="B") == {3: 26000, 8: 5000, 9: 3000}.get(total, 0)


def test_645c_2_e_1_iii_two_or_three_dice_that_match():
    for three in EVERY:
        different = len(set(three))
        assert rolled("Sum", three, sum="C") == {1: 4000, 2: 2000, 3: 0}[different]


def test_645c_2_e_1_iv_a_series_in_any_order():
    won = [three for three in EVERY if rolled("Sum", three, sum="D") == 8500]  # 15 to 2
    assert len(won) == 24
    assert [3, 5, 4] in won and [1, 2, 3] in won
    assert rolled("Sum", [5, 6, 1], sum="D") == 0  # six does not go on with one
    for three in EVERY:
        assert rolled("Sum", three, sum="D") in (0, 8500)


def test_645c_2_e_2_two_or_three_of_the_number_selected():
    for number in range(1, 7):
        for three in EVERY:
            alike = len([die for die in three if die == number])
            assert rolled("Match %d" % number, three) == (0, 0, 7000, 101000)[alike]
    assert rolled("Match 1", [1, 5, 1]) == 7000


def test_645c_2_e_3_i_the_red_die_equals_or_beats_the_sum_of_the_blue_ones():
    seen = {}
    for three in EVERY:
        ahead = three[0] - three[1] - three[2]
        seen[ahead] = seen.get(ahead, 0) + 1
        by = {0: 1, 1: 1, 2: 10, 3: 10}
        assert rolled("Beat It", three) == ((by.get(ahead, 50) + 1) * 1000 if ahead >= 0 else 0)
        assert rolled("Beat It", three, beat_it="B") == ((by.get(ahead, 60) + 1) * 1000 if ahead >= 0 else 0)
    assert [seen[n] for n in range(5)] == [15, 10, 6, 3, 1]
    assert rolled("Beat It", [6, 2, 1]) == 11000  # the example of the text: by three
    assert rolled("Beat It", [1, 6, 2]) == 0  # a blue die does not count


def test_645c_2_e_3_ii_any_die_that_beats_the_sum_of_the_two_others():
    for three in EVERY:
        best = max(three)
        assert rolled("Beat It", three, beat_it="C") == (3500 if best > sum(three) - best else 0)  # 5 to 2
    assert rolled("Beat It", [5, 1, 1], beat_it="C") == 3500  # the example of the text
    assert rolled("Beat It", [2, 1, 1], beat_it="C") == 0  # a tie


def test_645c_2_d_the_layout_has_a_sum_six_matches_and_a_beat_it():
    assert dice.SPOTS == ("Sum", "Match 1", "Match 2", "Match 3", "Match 4", "Match 5", "Match 6", "Beat It")


def test_645c_2_f_wagers_come_before_the_dice():
    state, _ = run(dice, dice.new(1, settings_of(dice)), ("wager", 1, "Sum", 1000))
    assert refused(dice, state, "dice", 1, 2, 3)[0] == 4001
    state, _ = run(dice, state, ("no_more_bets",))
    assert refused(dice, state, "wager", 1, "Beat It", 1000)[0] == 3006
    for bad in (0, 7, -1, True, "6"):
        assert refused(dice, state, "dice", 1, bad, 3) == (3031, {"die": bad})
    state, _ = run(dice, state, ("dice", 1, 2, 3))
    assert refused(dice, state, "dice", 1, 2, 3)[0] == 4001


def test_645c_2_g_each_die_is_announced_losers_are_collected_and_then_winners_are_paid():
    state = closed(dice, (1, "Match 6", 1000), (2, "Sum", 2000), (3, "Beat It", 5000), (4, "Match 1", 1000))
    state, effects = run(dice, state, ("dice", 6, 1, 1))
    assert effects == [
        ("dice", 6, 1, 1), ("lose", 1, "Match 6", 1000), ("paid", 2, "8", 2000, 8000, "INVENTORY"),
        ("paid", 3, "4 points", 5000, 255000, "INVENTORY"), ("paid", 4, "double match", 1000, 7000, "INVENTORY"),
        ("done",),
    ]  # fmt: skip


def test_settings_that_cannot_be_are_refused_with_place_and_choice():
    assert error_of(lambda: settings_of(dice, sum="E")) == "sum is E, but must be one of A, B, C, D"
    assert error_of(lambda: settings_of(dice, beat_it="D")) == "beat_it is D, but must be one of A, B, C"
    assert error_of(lambda: settings_of(pai_gow, max_mills=999)) == (
        "max_mills is 999, but must be a whole number from 1000 to 1000000000"
    )
