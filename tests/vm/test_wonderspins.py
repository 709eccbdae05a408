"""Wonderspins against its regulation (tests/data/seeds/wonderspins.txt), paragraph by paragraph."""

from tabletop.rules import wonderspins as game

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, begun, error_of, named, run, step = (
    bonus_round.Draws, bonus_round.begun, bonus_round.error_of, bonus_round.named, bonus_round.run, bonus_round.step,
)  # fmt: skip

TEXT = bonus_round.seed_text("wonderspins.txt")
RABBIT, CAT, CROWN, BIRD, MOUSE, HAT = range(6)
STARTS = ("start Rabbit", "start Cat", "start Crown", "start Bird", "start Mouse", "start Hat")
PLAIN = 2  # inner section "2"
PLUS = 3  # inner section "additional spin"


def draws(inner=(), who=(), starts=(0, 0, 0, 0, 0, 0)):
    """All characters start at 2 unless `starts` says otherwise; then inner sections and characters in order."""
    made = Draws()
    for n in range(6):
        made.set(STARTS[n], starts[n])
    made.set("inner wheel", list(inner))
    made.set("inner character", list(who))
    return made


def at(symbol):
    return game.LAYOUT.index(symbol)


def spun(state, symbol):
    return step(game, state, ("spin", "SECTION", at(symbol)))


def waiting(rounds=2, multipliers=(2, 3, 4, 5, 6, 7), meter=0, deducts=False):
    """A state before the dealer's spin, with the counter and multipliers given."""
    state, _ = begun(game, draws(), spot="2 Wonderspins", extra_spin_deducts=deducts)
    state = dict(state)
    state.update({"phase": "SPIN", "rounds": rounds, "multipliers": list(multipliers), "meter": meter})
    return state


def words(line):
    """The items of an "in the following order" sentence, in its own spelling."""
    return line.split("order: ", 1)[1].rstrip(".").replace("\u2018\u2018", "").replace(",\u2019\u2019", ",").replace(
        "\u2019\u2019", ""
    ).split(", ")


def line_of(start):
    return next(line.strip() for line in TEXT.split("\n") if line.strip().startswith(start))


def test_b_3_the_inner_wheel_is_in_the_order_of_the_text():
    order = [word.replace("additional spin", "+") for word in words(line_of("3. (3) The inner wheel sections"))]
    assert list(game.INNER) == order


def test_b_1_and_2_ten_inner_sections_multiply_and_two_give_a_spin():
    assert len(game.INNER) == 12
    assert [symbol for symbol in game.INNER if symbol == "+"] == ["+"] * 2
    assert set(game.INNER) - {"+"} == {"2", "5", "8", "10"}


def test_c_5_the_outer_wheel_is_in_the_order_of_the_text():
    order = words(line_of("5. (5) The outer wheel sections"))
    assert len(order) == 54
    for section in range(54):
        assert game.LAYOUT[section] == order[section], section


def test_c_1_to_4_the_outer_wheel_has_the_numbers_of_sections_of_the_text():
    counts = {symbol: game.LAYOUT.count(symbol) for symbol in set(game.LAYOUT)}
    assert (counts.pop("No Win"), counts.pop("Drink Me"), counts.pop("Eat Me")) == (3, 3, 2)
    assert sum(counts.values()) == 46
    assert sorted(counts) == sorted(game.CHARACTERS)
    named_in_text = [line.strip().split(") ")[1].rstrip(".") for line in TEXT.split("\n") if line.startswith("      ")]
    assert [name for name in named_in_text if name in game.CHARACTERS] == list(game.CHARACTERS)


def test_d_two_or_five_wonderspins_begin_with_so_many_rounds():
    for spot, rounds in (("2 Wonderspins", 2), ("5 Wonderspins", 5)):
        state, effects = begun(game, draws(), spot=spot)
        assert state["rounds"] == rounds
        assert ("rounds", rounds) in effects


def test_d_only_wagers_on_the_outcome_are_eligible_and_the_others_are_collected():
    state = game.new(1, bonus_round.settings_of(game))
    wagers = [[1, "2 Wonderspins", 5000], [1, "5 Wonderspins", 2000], [2, "5 Wonderspins", 1000]]
    state, _ = step(game, state, ("wagers", wagers))
    state, effects = step(game, state, ("no_more_bets",))
    assert effects == [("close", 3, 8000)]
    state, effects = step(game, state, ("begin", "5 Wonderspins"), draws())
    assert named(effects, "collect") == [("collect", 1, "2 Wonderspins", 5000)]
    assert state["bets"] == [[1, "5 Wonderspins", 2000], [2, "5 Wonderspins", 1000]]


def test_d_without_an_eligible_wager_the_bonus_game_is_not_played():
    state = game.new(1, bonus_round.settings_of(game))
    state, _ = step(game, state, ("wager", 1, "2 Wonderspins", 5000))
    state, _ = step(game, state, ("no_more_bets",))
    state, effects = step(game, state, ("begin", "5 Wonderspins"), draws())
    assert effects == [("collect", 1, "2 Wonderspins", 5000), ("done",)]
    assert state["phase"] == "DONE"


def test_d_1_two_wonderspins_are_no_less_than_two_spins_of_both_wheels():
    made = draws(inner=[PLAIN, PLAIN], who=[CAT, CAT])
    state, _ = begun(game, made, spot="2 Wonderspins")
    state, effects = run(game, state, made, ("spin", "SECTION", at("No Win")), ("spin", "SECTION", at("No Win")))
    assert state["phase"] == "DONE"
    assert len(named(effects, "inner")) == len(named(effects, "outer")) == 2


def test_d_2_five_wonderspins_are_no_less_than_five_spins_of_both_wheels():
    made = draws(inner=[PLAIN] * 5, who=[CAT] * 5)
    state, _ = begun(game, made, spot="5 Wonderspins")
    spins = [("spin", "SECTION", at("No Win"))] * 5
    state, _ = run(game, state, made, *spins[:4])
    assert state["phase"] == "SPIN"
    state, _effects = run(game, state, made, spins[4])
    assert state["phase"] == "DONE"


def test_e_starting_multipliers_are_drawn_for_each_character():
    state, effects = begun(game, draws(starts=(0, 1, 2, 3, 1, 0)))
    assert state["multipliers"] == [2, 3, 5, 10, 3, 2]
    assert named(effects, "characters") == [("characters", [2, 3, 5, 10, 3, 2])]


def test_f_1_the_counter_is_shown_after_everything_that_changes_it():
    made = draws(inner=[PLUS])
    state, effects = begun(game, made)
    assert effects[-1] == ("rounds", 2)
    state, effects = run(game, state, made)
    assert effects[-1] == ("rounds", 3)
    state, effects = spun(state, "No Win")
    assert effects[-1] == ("rounds", 2)


def test_f_2_i_a_multiplier_of_the_inner_wheel_is_added_to_a_character_drawn_with_it():
    made = draws(inner=[0], who=[MOUSE])  # section 0 is "10"
    state, _ = begun(game, made)
    state, effects = run(game, state, made)
    assert effects == [("inner", 0, "10"), ("add", "Mouse", 10, 12)]
    assert state["multipliers"] == [2, 2, 2, 2, 12, 2]
    assert [draw[0] for draw in made.asked[-2:]] == ["inner wheel", "inner character"]


def test_f_2_ii_an_additional_spin_of_the_inner_wheel_goes_to_the_counter_and_no_character_is_drawn():
    made = draws(inner=[9])
    state, _ = begun(game, made, spot="5 Wonderspins")
    state, effects = run(game, state, made)
    assert effects == [("inner", 9, "+"), ("rounds", 6)]
    assert made.asked[-1][0] == "inner wheel"


def test_f_2_the_inner_wheel_has_twelve_equal_sections():
    made = draws(inner=[11], who=[HAT])
    state, _ = begun(game, made)
    run(game, state, made)
    assert made.asked[-2] == ["inner wheel", 12, 11]


def test_f_3_the_dealer_cannot_spin_before_the_inner_wheel_has_its_result():
    state, _ = begun(game, draws())
    assert error_of(game.step, state, ("spin", "SECTION", 0)) == "a spin in phase INNER of round 1; due in SPIN"


def test_f_3_i_a_spin_of_fewer_than_three_turns_is_spun_again_and_the_inner_result_stands():
    state = waiting()
    after, effects = step(game, state, ("spin", "SHORT_SPIN", -1))
    assert effects == [("respin", "SHORT_SPIN")]
    assert after == state


def test_f_3_ii_a_wheel_at_rest_between_two_sections_is_void_and_spun_again():
    state = waiting()
    after, effects = step(game, state, ("spin", "BETWEEN_SECTIONS", -1))
    assert effects == [("respin", "BETWEEN_SECTIONS")]
    assert after == state


def test_a_spin_with_sensors_in_doubt_has_no_result_and_is_spun_again():
    state = waiting()
    assert step(game, state, ("spin", "FAULT", 17)) == (state, [("respin", "FAULT")])


def test_f_4_the_clapper_names_the_section_and_one_that_is_not_on_the_wheel_is_refused():
    state = waiting()
    for section in (-1, 54, None, True):
        assert "is not on the outer wheel (0 to 53)" in error_of(game.step, state, ("spin", "SECTION", section))
    _, effects = step(game, state, ("spin", "SECTION", 53))
    assert effects[0] == ("outer", 53, "Bird")


def test_f_4_i_a_character_adds_its_multiplier_to_the_meter_and_takes_one_spin_off():
    for n in range(6):
        state, effects = spun(waiting(rounds=3, meter=10), game.CHARACTERS[n])
        assert (state["meter"], state["rounds"]) == (12 + n, 2)
        assert state["multipliers"] == [2, 3, 4, 5, 6, 7]
        assert ("meter", 12 + n) in effects


def test_f_4_ii_no_win_takes_one_spin_off_and_changes_nothing_else():
    before = waiting(rounds=3, meter=10)
    state, effects = spun(before, "No Win")
    assert state["rounds"] == 2
    assert (state["meter"], state["multipliers"]) == (10, before["multipliers"])
    assert named(effects, "meter") == []


def test_f_4_iii_eat_me_adds_one_spin_and_one_to_every_character():
    state, effects = spun(waiting(rounds=2, meter=10), "Eat Me")
    assert (state["rounds"], state["meter"]) == (3, 10)
    assert state["multipliers"] == [3, 4, 5, 6, 7, 8]
    assert ("characters", [3, 4, 5, 6, 7, 8]) in effects


def test_f_4_iv_drink_me_adds_one_spin_and_takes_one_from_every_character():
    state, _effects = spun(waiting(rounds=2, meter=10), "Drink Me")
    assert (state["rounds"], state["meter"]) == (3, 10)
    assert state["multipliers"] == [1, 2, 3, 4, 5, 6]


def test_f_4_iv_drink_me_leaves_no_character_below_one():
    state, _ = spun(waiting(multipliers=(1, 2, 1, 1, 3, 1)), "Drink Me")
    assert state["multipliers"] == [1, 1, 1, 1, 2, 1]


def test_the_setting_extra_spin_deducts_takes_the_used_spin_off_as_well():
    for symbol in ("Eat Me", "Drink Me"):
        assert spun(waiting(rounds=2, deducts=True), symbol)[0]["rounds"] == 2
        assert spun(waiting(rounds=1, deducts=True), symbol)[0]["phase"] == "INNER"


def test_every_result_names_the_reading_of_the_additional_spin():
    for deducts in (False, True):
        _, effects = spun(waiting(rounds=1, deducts=deducts), "Hat")
        assert named(effects, "result") == [("result", "PHYSICAL+RNG", {"extra_spin_deducts": deducts})]


def test_f_5_rounds_repeat_until_the_counter_is_zero():
    state, effects = spun(waiting(rounds=2), "Hat")
    assert state["phase"] == "INNER"
    state, effects = spun(waiting(rounds=1), "Hat")
    assert state["phase"] == "DONE"
    assert effects[-1] == ("done",)


def test_g_the_payout_is_the_meter_to_1_as_in_the_example_of_the_text():
    assert "meter finishes at 500" in TEXT
    assert "paid at odds of 500 to 1" in TEXT
    state = waiting(rounds=1, meter=493)
    state, effects = spun(state, "Hat")
    assert named(effects, "odds") == [("odds", 0, 500, 500, "")]
    assert named(effects, "pay") == [("pay", 1, "2 Wonderspins", 5000, 500, 2500000, False)]


def test_g_a_meter_of_zero_pays_nothing_and_the_stake_goes_back():
    _, effects = spun(waiting(rounds=1), "No Win")
    assert named(effects, "pay") == [("pay", 1, "2 Wonderspins", 5000, 0, 0, False)]


def test_a_whole_game_is_replayed_from_its_draws_to_the_same_result():
    made = draws(inner=[0, 3, 5, 6, 1], who=[HAT, HAT, CAT, BIRD], starts=(1, 1, 1, 1, 1, 1))
    start, _ = begun(game, made, spot="2 Wonderspins")
    first = len(made.asked)
    inputs = [
        ("spin", "SECTION", at("Eat Me")), ("spin", "SHORT_SPIN", -1), ("spin", "SECTION", at("Hat")),
        ("spin", "SECTION", at("No Win")), ("spin", "SECTION", at("Cat")), ("spin", "SECTION", at("Hat")),
    ]  # fmt: skip
    after, _effects = run(game, start, made, *inputs)
    # Hat: start 3, +10, Eat Me +1 = 14; +5 = 19 at the last spin. Cat: 3, Eat Me +1, then +2 = 6.
    assert after["phase"] == "DONE"
    assert after["meter"] == 14 + 6 + 19
    made.asked = made.asked[first:]
    assert bonus_round.replays(game, start, made, inputs, after)


def test_a_void_returns_every_wager_and_a_finished_round_cannot_be_voided():
    state, effects = step(game, waiting(), ("void", "wheel damaged"))
    assert effects == [("return", 1, "2 Wonderspins", 5000), ("done",)]
    assert state["phase"] == "VOID"
    assert "cannot be voided" in error_of(game.step, state, ("void", "again"))


def test_settings_that_cannot_be_used_are_refused_with_place_value_and_limit():
    def refused(**changes):
        return error_of(lambda: bonus_round.settings_of(game, **changes))

    starts = game.DEFAULTS["starts"]
    assert refused(starts=starts[:5]) == "starts: the table of Hat is missing"
    assert refused(starts=[[[0, 1]]] + starts[1:]) == (
        "starts[0] (Rabbit)[0] is 0, but must be a whole number from 1 to 1000"
    )
    assert refused(inner_characters=[1, 1, 1, 1, 1]) == "inner_characters: the weight of Hat is missing"
    assert "weight of Cat is -1" in refused(inner_characters=[1, -1, 1, 1, 1, 1])
    empty = "inner_characters: the sum of the weights is 0, but must be 1 to 4294967295"
    assert refused(inner_characters=[0] * 6) == empty
    assert refused(extra_spin_deducts=1) == "extra_spin_deducts is 1, but must be true or false"
    assert refused(seats=0) == "seats is 0, but must be a whole number from 1 to 10"
    assert refused(surplus=1) == "surplus is not a setting of this game"
    assert error_of(game.validate, {}) == "starts is missing"


def test_layout_and_paytable_have_names_of_eight_bytes():
    assert len(game.layout_hash()) == len(game.paytable_hash()) == 8
    assert game.layout_hash() != game.paytable_hash()
