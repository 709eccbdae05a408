"""Dreamcatcher against the words of 58 Pa. Code Chapter 689a (tests/data/chapter_689a.txt)."""

from tabletop.rules import dreamcatcher as game

with open(__file__.rsplit("/", 1)[0] + "/../data/chapter_689a.txt", "rb") as chapter:
    CHAPTER = chapter.read().decode().replace("×", "x")
FORTY, TEN, TWO_TIMES, SEVEN_TIMES = 31, 9, 27, 0


def between(text, before, after):
    return text.split(before, 1)[1].split(after, 1)[0]


def fresh(**changes):
    settings = dict(game.DEFAULTS)
    settings.update(changes)
    game.validate(settings)
    return game.new(1, settings)


def play(state, *inputs):
    """All inputs one after another; the last effects."""
    effects = []
    for given in inputs:
        state, effects = game.step(state, given)
    return state, effects


def refusal(state, *wager):
    before = repr(state)
    after, effects = game.step(state, ("wager",) + wager)
    assert after is state, "a refused wager made a new state"
    assert repr(state) == before, "a refused wager changed the state"
    assert len(effects) == 1
    assert effects[0][0] == "refuse"
    return effects[0][1], effects[0][2]


def error_of(call, *arguments):
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


# 689a.1


def test_the_layout_is_the_order_of_689a_1_b_section_by_section():
    order = between(CHAPTER, "in the following order: ", ".").split(", ")
    assert len(order) == 54
    for section in range(54):
        assert game.LAYOUT[section] == order[section], section


def test_the_sections_of_each_symbol_are_those_of_689a_1_a():
    counts = {}
    for piece in between(CHAPTER, "equally spaced sections with ", "\n").replace(" and ", ", ").split(", "):
        words = piece.strip(".").split()
        counts[words[-1] if words[-1] != "symbol" else words[-2]] = int(words[0])
    assert len(counts) == 8
    for symbol in counts:
        assert game.LAYOUT.count(symbol) == counts[symbol], symbol


def test_the_hashes_are_eight_bytes_and_name_layout_and_paytable():
    assert len(game.layout_hash()) == len(game.paytable_hash()) == 8
    assert game.layout_hash() != game.paytable_hash()
    assert game.layout_hash().hex() == "625cbb079554237e"
    assert game.paytable_hash().hex() == "5b5c2e58cb1ad105"


def test_settings_are_refused_with_key_and_limit():
    def refused(key, value):
        settings = dict(game.DEFAULTS)
        settings[key] = value
        return error_of(game.validate, settings)

    assert refused("min_mills", 0) == "min_mills is 0, but must be a whole number from 1 to 1000000000000"
    assert refused("max_mills", "5") == "max_mills is 5, but must be a whole number from 1 to 1000000000000"
    assert refused("payout_limit_mills", 10**12 + 1).startswith("payout_limit_mills is 1000000000001, but must be")
    assert refused("seats", 21) == "seats is 21, but must be a whole number from 1 to 20"
    assert refused("max_mills", 999) == "max_mills is 999, below min_mills 1000"
    assert refused("payout_limit_mills", 499999) == "payout_limit_mills is 499999, below max_mills 500000"
    assert refused("tip_mills", 1) == "tip_mills is not a setting of dreamcatcher"
    assert error_of(game.validate, {"seats": 7}).endswith("is missing")
    game.validate(dict(game.DEFAULTS, min_mills=500000, payout_limit_mills=500000))


# 689a.2(a): wagers


def test_a_wager_is_refused_outside_spots_seats_and_limits():
    state = fresh()
    assert refusal(state, 1, "3", 1000) == (3001, {"spot": "3"})
    assert refusal(state, 1, "2x", 1000) == (3001, {"spot": "2x"})
    assert refusal(state, 1, 5, 1000) == (3001, {"spot": 5})
    assert refusal(state, 1, "5", 999) == (3002, {"mills": 999, "limit": 1000})
    assert refusal(state, 1, "5", 500001) == (3003, {"mills": 500001, "limit": 500000})
    for mills in (-1000, 0, True, "1000"):
        assert refusal(state, 1, "5", mills) == (3004, {"mills": mills})
    for seat in (0, 8, -1, "1"):
        assert refusal(state, seat, "5", 1000) == (3005, {"seat": seat, "limit": 7})


def test_a_wager_at_each_limit_is_taken():
    for seat in (1, 7):
        for spot in game.ODDS:
            for mills in (1000, 500000):
                assert play(fresh(), ("wager", seat, spot, mills))[1] == [("accept", seat, spot, mills)]


def test_wagers_of_a_seat_on_one_spot_add_up_to_the_limit_and_no_further():
    state, _ = play(fresh(), ("wager", 2, "10", 300000), ("wager", 3, "10", 1000), ("wager", 2, "10", 200000))
    assert state["bets"] == [[2, "10", 500000], [3, "10", 1000]]
    assert refusal(state, 2, "10", 1) == (3003, {"mills": 500001, "limit": 500000})
    small, effects = play(state, ("wager", 3, "10", 1))
    assert effects == [("accept", 3, "10", 1)]
    assert small["bets"][1] == [3, "10", 1001]


def test_several_wagers_at_once_are_taken_all_or_none():
    state = fresh()
    after, effects = play(state, ("wagers", [[1, "1", 1000], [1, "2", 999]]))
    assert after is state
    assert effects == [("refuse", 3002, {"mills": 999, "limit": 1000})]
    after, effects = play(state, ("wagers", [[1, "1", 1000], [1, "1", 1000]]))
    assert after["bets"] == [[1, "1", 2000]]
    assert len(effects) == 2
    assert state["bets"] == []


def test_no_wager_is_taken_after_no_more_bets():
    state, effects = play(fresh(), ("wager", 1, "1", 1000), ("wager", 2, "40", 2000), ("no_more_bets",))
    assert effects == [("close", 2, 3000)]
    assert refusal(state, 1, "1", 1000) == (3006, {})


# 689a.2(b) to (f) and 689a.3


def closed(*wagers, **changes):
    return play(fresh(**changes), ("wagers", wagers), ("no_more_bets",))[0]


def test_each_number_pays_the_odds_of_the_table_in_689a_3_a():
    rows = [line.strip("| ").split(" | ") for line in CHAPTER.split("\n") if line.startswith("| ") and " to 1" in line]
    assert len(rows) == 6
    for number, odds in rows:
        state = closed([4, number, 1000])
        _, effects = game.step(state, ("spin", "SECTION", game.LAYOUT.index(number)))
        win = int(odds.split(" ")[0]) * 1000
        assert effects[1] == ("pay", 4, number, 1000, win // 1000, win, False), number


def test_all_losing_wagers_are_collected_before_any_winner_is_paid():
    bets = [[1, "10", 1000], [2, "1", 1000], [3, "10", 2000], [4, "40", 1000]]
    state, effects = play(closed(*bets), ("spin", "SECTION", TEN))
    assert effects == [
        ("result", TEN, "10", 1),
        ("collect", 2, "1", 1000),
        ("collect", 4, "40", 1000),
        ("pay", 1, "10", 1000, 10, 10000, False),
        ("pay", 3, "10", 2000, 10, 20000, False),
        ("done",),
    ]
    assert state["phase"] == "DONE"


def test_the_example_of_689a_3_b_two_times_then_ten_pays_20_to_1():
    assert "paid at 20 to 1" in CHAPTER
    state, effects = play(closed([1, "10", 1000]), ("spin", "SECTION", TWO_TIMES))
    assert effects == [("bonus", 2)]
    _, effects = play(state, ("spin", "SECTION", TEN))
    assert effects[:2] == [("result", TEN, "10", 2), ("pay", 1, "10", 1000, 20, 20000, False)]


def test_the_example_of_689a_3_c_two_times_then_seven_times_then_ten_pays_140_to_1():
    assert "paid at 140 to 1" in CHAPTER
    spins = [("spin", "SECTION", section) for section in (TWO_TIMES, SEVEN_TIMES, TEN)]
    _, effects = play(closed([1, "10", 1000], [1, "5", 1000]), *spins)
    assert effects[0] == ("result", TEN, "10", 14)
    assert effects[1:3] == [("collect", 1, "5", 1000), ("pay", 1, "10", 1000, 140, 140000, False)]


def test_a_void_or_doubtful_spin_is_respun_and_keeps_the_multiplier():
    for before, multiplier in (((), 1), ((TWO_TIMES,), 2), ((TWO_TIMES, SEVEN_TIMES), 14)):
        state, _ = play(closed([1, "40", 1000]), *[("spin", "SECTION", section) for section in before])
        for outcome in ("SHORT_SPIN", "BETWEEN_SECTIONS", "FAULT"):
            state, effects = game.step(state, ("spin", outcome, -1))
            assert effects == [("respin", outcome)]
            assert state["multiplier"] == multiplier
        _, effects = game.step(state, ("spin", "SECTION", FORTY))
        assert effects[1] == ("pay", 1, "40", 1000, 40 * multiplier, 40000 * multiplier, False)


def test_the_payout_limit_is_reached_exactly_and_marked_only_above():
    spins = [("spin", "SECTION", section) for section in (SEVEN_TIMES, FORTY)]
    for limit, win, limited in ((2800000, 2800000, False), (2799999, 2799999, True)):
        state = closed([1, "40", 10000], max_mills=10000, payout_limit_mills=limit)
        assert play(state, *spins)[1][1] == ("pay", 1, "40", 10000, 280, win, limited)


def test_the_payout_limit_of_one_seat_does_not_touch_another():
    state = closed([1, "40", 10000], [2, "40", 1000], max_mills=10000, payout_limit_mills=100000)
    _, effects = play(state, ("spin", "SECTION", FORTY))
    assert effects[1:3] == [("pay", 1, "40", 10000, 40, 100000, True), ("pay", 2, "40", 1000, 40, 40000, False)]


def test_any_number_of_bonus_spins_stacks_and_still_fits_a_journal_field():
    state = closed([1, "40", 1000])
    expected = 1
    for spin in range(60):
        section, factor = ((TWO_TIMES, 2), (SEVEN_TIMES, 7))[spin % 2]
        state, effects = game.step(state, ("spin", "SECTION", section))
        expected = min(expected * factor, game.TOP_MULTIPLIER)
        assert effects == [("bonus", expected)]
    assert state["bonus_spins"] == 60
    _, effects = game.step(state, ("spin", "SECTION", FORTY))
    assert effects[1][4] < 2**63
    assert effects[1][5] == game.DEFAULTS["payout_limit_mills"]
    assert effects[1][6]


def test_voiding_a_round_returns_every_wager():
    for inputs in ((), (("no_more_bets",),), (("no_more_bets",), ("spin", "SHORT_SPIN", -1))):
        state, _ = play(fresh(), ("wagers", [[1, "1", 1000], [2, "40", 3000]]), *inputs)
        state, effects = game.step(state, ("void", "DEALER"))
        assert effects == [("return", 1, "1", 1000), ("return", 2, "40", 3000), ("done",)]
        assert state["phase"] == "VOID"


def test_an_input_that_makes_no_sense_is_an_error_and_never_a_result():
    open_round = fresh()
    over, _ = play(closed([1, "1", 1000]), ("spin", "SECTION", TEN))
    assert "phase BETS" in error_of(game.step, open_round, ("spin", "SECTION", 3))
    assert "phase DONE" in error_of(game.step, over, ("spin", "SECTION", 3))
    assert "phase DONE" in error_of(game.step, over, ("no_more_bets",))
    assert "voided" in error_of(game.step, over, ("void", "DEALER"))
    assert "not on the wheel" in error_of(game.step, closed(), ("spin", "SECTION", 54))
    assert "not on the wheel" in error_of(game.step, closed(), ("spin", "SECTION", -1))
    assert "no input" in error_of(game.step, open_round, ("double",))


def test_the_state_given_is_never_changed():
    state = fresh()
    for given in (
        ("wager", 1, "1", 1000), ("wager", 1, "1", 1000), ("no_more_bets",), ("spin", "FAULT", -1),
        ("spin", "SECTION", TWO_TIMES), ("spin", "SECTION", FORTY),
    ):  # fmt: skip
        before = repr(state)
        after, _ = game.step(state, given)
        assert repr(state) == before, given
        state = after
