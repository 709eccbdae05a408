"""Monster Match Dynamic against 635b.3 (tests/data/seeds/monster_match_dynamic.txt), by paragraph."""

from tabletop.rules.progressive import monster_dynamic as game
from tabletop.rules.scripted import Scripted

try:
    from tests.vm import bonus_round, progressive_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    import progressive_round

error_of, named, refused, run, settings_of = (
    progressive_round.error_of, progressive_round.named, progressive_round.refused, progressive_round.run,
    progressive_round.settings_of,
)  # fmt: skip
SPOT = "Monster Match Dynamic"
TEXT = bonus_round.seed_text("monster_match_dynamic.txt")
SUITED4, COLOR4, FOUR, COLOR3, THREE = game.RESULTS
PLAIN = (["dynamic pays", 3, 0], ["combination 1", 4, 0], ["pay of combination 1", 10, 0])


def draw(state, *draws):
    """The state after the generator's step, with these draws."""
    script = Scripted([list(one) for one in draws])
    before = repr(state)
    after, effects = game.step(state, ("next",), script)
    assert repr(state) == before
    script.finish()
    return after, effects


def counted(seats, **changes):
    settings = settings_of(game, **changes)
    state = game.new(1, settings)
    bets = [("wager", seat, SPOT, settings["wager_mills"]) for seat in seats]
    return run(game, state, *bets, ("no_more_bets",), ("chips", len(seats), "D1"))[0]


def dealt(hands, two, draws=PLAIN, **changes):
    state, _ = draw(counted(sorted(hands), **changes), *draws)
    return run(game, state, *[("hand", seat, hands[seat]) for seat in sorted(hands)], ("dealt", two))


def test_h_paytable_dynamic_1_is_that_of_the_text_number_by_number_and_nothing_beside_it():
    lines = TEXT.split("Paytable Dynamic 1\n")[1].split("\n\n")[0].split("\n")
    assert lines[0].split("\t") == ["Hand", "Base Pay", "Dynamic Pays"]
    printed = {}
    for line in lines[1:]:
        cells = line.split("\t")
        printed[cells[0].lower()] = (cells[1], cells[2].split("; ") if len(cells) > 2 else [])
    product = {SUITED4: ("100% of progressive meter", [])}
    for n in range(len(game.RAISED)):
        base, raises = game.DYNAMIC[n]
        product[game.RAISED[n]] = (written(base), [written(x) for x in raises])
    assert len(product) == 5
    assert product == printed
    assert [len(row[1]) for row in game.DYNAMIC] == [10, 10, 10, 10]


def written(x):
    """As the text writes it: `1,500 for 1`."""
    return ("%d,%03d for 1" % (x // 1000, x % 1000)) if x >= 1000 else "%d for 1" % x


def test_i_seed_increment_and_reserve_are_those_of_the_chart():
    assert "Dynamic 1\tProgressive Meter\t10,000x\t14%\t4%" in TEXT
    assert game.DYNAMIC_METER == (10000, 1400, 400)
    for mills in (1000, 5000):
        state = counted([1], wager_mills=mills)
        assert state["meter"]["current"] == 10000 * mills + mills * 14 // 100
        assert state["meter"]["reserve"] == mills * 4 // 100


def test_i_the_reserve_is_what_the_meter_starts_from_again():
    for reseed, start in (("RESERVE", 80), ("SEED", 10000000)):
        state, _ = dealt({1: "KD KD", 2: "2S 3S"}, "KD KD", reseed=reseed)
        state, _ = run(game, state, ("validate", 1, "F1"))
        assert state["meter"]["current"] == start


def test_a_it_follows_monster_match_but_a_suited_pair_wins_nothing():
    assert game.result_of(["KD", "KD"], ["3S", "4S"]) is None
    assert game.result_of(["KD", "KD"], ["KS", "4S"]) == THREE
    assert game.result_of(["KD", "KD"], ["KD", "KD"]) == SUITED4


def test_b_and_f_one_to_three_combinations_are_selected_and_shown_before_any_hand_is_known():
    for number in (1, 2, 3):
        draws = [["dynamic pays", 3, number - 1]]
        for n in range(1, number + 1):
            draws += [["combination %d" % n, 5 - n, 0], ["pay of combination %d" % n, 10, n]]
        state = counted([1])
        assert refused(game, state, "hand", 1, "KD KD")[0] == 4001
        state, effects = draw(state, *draws)
        shown = [[COLOR4, 1000], [FOUR, 300], [COLOR3, 40]][:number]
        assert effects == [("dynamic", shown)]
        assert (state["dynamic"], state["phase"]) == (shown, "CARDS")


def test_f_a_combination_is_selected_once_and_four_of_a_kind_suited_never():
    state, _ = draw(
        counted([1]), ["dynamic pays", 3, 2], ["combination 1", 4, 3], ["pay of combination 1", 10, 9],
        ["combination 2", 3, 2], ["pay of combination 2", 10, 0], ["combination 3", 2, 1],
        ["pay of combination 3", 10, 5],
    )  # fmt: skip
    assert state["dynamic"] == [[THREE, 40], [COLOR3, 15], [FOUR, 600]]
    assert SUITED4 not in game.RAISED


def test_c_1_and_2_placements_are_acknowledged_and_none_after_no_more_bets():
    state, effects = progressive_round.step(game, game.new(1, settings_of(game)), "wager", 3, SPOT, 1000)
    assert effects == [("accept", 3, SPOT, 1000)]
    assert refused(game, state, "wager", 3, SPOT, 1000)[0] == 3021
    state, _ = run(game, state, ("no_more_bets",))
    assert refused(game, state, "wager", 4, SPOT, 1000)[0] == 3006


def test_e_the_count_of_chips_comes_before_the_draw():
    state, _ = run(game, game.new(1, settings_of(game)), ("wager", 1, SPOT, 1000), ("no_more_bets",))
    assert refused(game, state, "chips", 2, "D1") == (3022, {"chips": 2, "accepted": 1})
    assert "Dynamic Pays in phase COUNT" in error_of(game.step, state, ("next",), Scripted([]))
    state, effects = run(game, state, ("chips", 1, "D1"))
    assert (state["phase"], effects) == ("DRAW", [("meter", 10000140)])


def test_g_1_to_3_the_winner_is_shown_and_validated_by_somebody_else():
    state, effects = dealt({2: "KD KH"}, "KS KC")
    assert effects == [("win", 2, FOUR, "100 for 1"), ("lamp", 2, FOUR)]
    assert refused(game, state, "validate", 2, "D1")[0] == 3028


def test_g_4_i_the_meter_is_paid_by_slip_and_the_cards_stay():
    state, _ = dealt({2: "KD KD"}, "KD KD")
    state, effects = run(game, state, ("validate", 2, "F1"))
    assert effects[:2] == [("paid", 2, SUITED4, 1000, 10000140, "SLIP"), ("cards stay", 2)]
    state, effects = run(game, state, ("documented", 2))
    assert effects == [("cards go", 2), ("done",)]


def test_g_4_ii_a_combination_with_a_dynamic_pay_is_paid_what_was_shown():
    draws = [["dynamic pays", 3, 0], ["combination 1", 4, 2], ["pay of combination 1", 10, 9]]
    state, effects = dealt({1: "KD KH", 2: "KS 3S"}, "KD 4S", draws)
    assert named(effects, "win") == [("win", 1, COLOR3, "100 for 1")]
    state, effects = run(game, state, ("validate", 1, "F1"))
    assert named(effects, "paid") == [("paid", 1, COLOR3, 1000, 100000, "INVENTORY")]


def test_h_base_pays_of_combinations_that_are_not_raised():
    raised_elsewhere = {SUITED4: COLOR4, COLOR4: FOUR, FOUR: COLOR4, COLOR3: COLOR4, THREE: COLOR4}
    for hand, two, result, pay in (
        ("KD KH", "KD KH", COLOR4, 500), ("KD KH", "KS KC", FOUR, 100), ("KD KH", "KD 4S", COLOR3, 10),
        ("KD KH", "KS 4S", THREE, 4),
    ):  # fmt: skip
        taken = game.RAISED.index(raised_elsewhere[result])
        draws = [["dynamic pays", 3, 0], ["combination 1", 4, taken], ["pay of combination 1", 10, 0]]
        state, _ = dealt({1: hand}, two, draws)
        _, effects = run(game, state, ("validate", 1, "F1"))
        assert effects[0] == ("paid", 1, result, 1000, pay * 1000, "INVENTORY")


def test_f_the_draws_outlive_a_misdeal():
    state, _ = dealt({1: "KD KH"}, "KS KC")
    again, _ = run(game, state, ("misdeal", "read wrongly"))
    assert again["dynamic"] == state["dynamic"]
    assert again["phase"] == "CARDS"


def test_settings_that_cannot_be_are_refused_with_place_and_limit():
    assert error_of(lambda: settings_of(game, counts=[0, 0, 0])) == (
        "counts: the sum of the weights is 0, but must be 1 to 4294967295"
    )
    assert error_of(lambda: settings_of(game, counts=[1, 1])) == "counts: the weight of three is missing"
    never = [1, 0, 1, 1]
    assert "combinations: weight of four-of-a-kind is 0" in error_of(lambda: settings_of(game, combinations=never))
    rows = [[1] * 10] * 3 + [[1] * 9]
    assert error_of(lambda: settings_of(game, raises=rows)) == (
        "raises[3] (three-of-a-kind): the weight of 40 for 1 is missing"
    )
