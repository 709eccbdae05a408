"""Match the Dealer progressive against 635c.1 and 685c.1 (tests/data/seeds/match_the_dealer.txt), by paragraph."""

from tabletop.rules.progressive import match_the_dealer as game

try:
    from tests.vm import bonus_round, progressive_round, seed_tables
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    import progressive_round
    import seed_tables

named, refused, run, settings_of, step = (
    progressive_round.named, progressive_round.refused, progressive_round.run, progressive_round.settings_of,
    progressive_round.step,
)  # fmt: skip
TEXT = bonus_round.seed_text("match_the_dealer.txt")
SPOT = "Match the Dealer"
ACES, SUITED, MIXED, ONE_SUITED, TWO, ONE = game.RESULTS


def opened(**changes):
    return game.new(1, settings_of(game, **changes))


def dealt(hands, upcard, mills=1000, **changes):
    """A round after no more bets and the count, with these hands {seat: cards}: state and effects of the cards."""
    state = opened(wager_mills=mills, **changes)
    state, _ = run(game, state, *[("wager", seat, SPOT, mills) for seat in sorted(hands)])
    state, _ = run(game, state, ("no_more_bets",), ("chips", len(hands), "D1"))
    return run(game, state, *[("hand", seat, hands[seat]) for seat in sorted(hands)], ("dealt", upcard))


def result(hand, upcard):
    return game.result_of(hand.split(), [upcard])


def printed():
    """(chapter, decks, number) -> {row: cell}, from the seed's own tables."""
    found = {}
    texts = seed_tables.sections(TEXT)
    for chapter in texts:
        for table in seed_tables.tables(texts[chapter]):
            decks = {"Six Decks": 6, "Eight Decks": 8}[table[0][0]]
            assert table[1][0] == "Result"
            for column in range(1, len(table[1])):
                number = int(table[1][column].replace("Paytable ", ""))
                rows = {}
                for row in table[2:]:
                    # one table of 635c.1 calls this row otherwise
                    rows[row[0].replace("Two other suited match", "Two suited match")] = row[column]
                    assert len(row) == len(table[1])
                assert (chapter, decks, number) not in found
                found[chapter, decks, number] = rows
    return found


def in_product():
    names = {
        ACES: "Two suited match—aces of spades", SUITED: "Two suited match—all others",
        MIXED: "One non-suited and one suited match", ONE_SUITED: "One suited match", TWO: "Two non-suited matches",
        ONE: "One non-suited match",
    }  # fmt: skip
    found = {}
    for chapter in game.ODDS:
        for decks in game.ODDS[chapter]:
            for number in range(1, len(game.ODDS[chapter][decks][0]) + 1):
                pays = game.pays_of(chapter, decks, number)
                cells = ["%d%% progressive" % pay[1] if pay[0] == "share" else "%d to %d" % pay[1:] for pay in pays]
                found[chapter, decks, number] = {names[game.RESULTS[n]]: cells[n] for n in range(6)}
    return found


def test_i_every_printed_paytable_is_in_the_product_number_by_number_and_none_beside_them():
    seed, product = printed(), in_product()
    assert len(seed) == 40
    assert sorted(seed) == sorted(product)
    for key in sorted(seed):
        assert seed[key] == product[key], key


def test_i_a_paytable_that_is_not_printed_is_refused():
    for bad in (0, 11, "1", None):
        progressive_round.error_of(lambda: settings_of(game, paytable=bad))  # noqa: B023
    assert progressive_round.error_of(lambda: settings_of(game, paytable=11)) == (
        "paytable is 11, but must be a whole number from 1 to 10"
    )


def test_a_1_two_aces_of_spades_and_an_ace_of_spades():
    assert result("AS AS", "AS") == ACES
    for other in ("AH", "AD", "AC"):
        assert result(other + " " + other, other) == SUITED


def test_a_2_two_cards_of_suit_and_rank_of_the_upcard():
    assert result("KD KD", "KD") == SUITED
    assert result("7C 7C", "7C") == SUITED


def test_a_3_one_of_suit_and_rank_and_the_other_of_the_rank():
    assert result("KD KS", "KD") == MIXED
    assert result("KS KD", "KD") == MIXED
    assert result("AS AH", "AS") == MIXED


def test_a_4_one_of_suit_and_rank():
    assert result("KD 9D", "KD") == ONE_SUITED
    assert result("2S AS", "AS") == ONE_SUITED


def test_a_5_two_of_the_rank():
    assert result("KS KC", "KD") == TWO
    assert result("KS KS", "KD") == TWO
    assert result("AS AS", "AH") == TWO


def test_a_6_one_of_the_rank():
    assert result("KS 3D", "KD") == ONE


def test_a_ranks_of_ten_points_do_not_match_one_another():
    assert result("QD JD", "KD") is None
    assert result("QD KS", "KD") == ONE


def test_b_six_or_eight_decks_and_no_others():
    for decks in (6, 8):
        assert settings_of(game, decks=decks)["decks"] == decks
    assert progressive_round.error_of(lambda: settings_of(game, decks=5)) == "decks is 5, but must be one of 6, 8"


def test_d_1_the_placement_of_a_wager_is_acknowledged_once_a_seat():
    state, effects = step(game, opened(), "wager", 3, SPOT, 1000)
    assert effects == [("accept", 3, SPOT, 1000)]
    assert refused(game, state, "wager", 3, SPOT, 1000) == (3021, {"seat": 3})
    assert refused(game, state, "wager", 8, SPOT, 1000) == (3005, {"seat": 8, "limit": 7})
    assert refused(game, state, "wager", 2, "Tiger 9", 1000) == (3001, {"spot": "Tiger 9"})


def test_d_2_no_wager_is_recognised_after_no_more_bets():
    state, _ = run(game, opened(), ("wager", 1, SPOT, 1000), ("no_more_bets",))
    assert refused(game, state, "wager", 2, SPOT, 1000) == (3006, {})
    state, _ = run(game, state, ("chips", 1, "D1"))
    assert refused(game, state, "wager", 2, SPOT, 1000) == (3006, {})


def test_e_the_wager_is_of_one_dollar_or_five_as_offered():
    for offered, other in ((1000, 5000), (5000, 1000)):
        state = opened(wager_mills=offered)
        code = 3002 if other < offered else 3003
        assert refused(game, state, "wager", 1, SPOT, other) == (code, {"mills": other, "limit": offered})
        assert refused(game, state, "wager", 1, SPOT, offered + 1)[0] == 3003
        assert refused(game, state, "wager", 1, SPOT, offered - 1)[0] == 3002
        assert refused(game, state, "wager", 1, SPOT, 0)[0] == 3004
        run(game, state, ("wager", 1, SPOT, offered))
    assert progressive_round.error_of(lambda: settings_of(game, wager_mills=2000)) == (
        "wager_mills is 2000, but must be one of 1000, 5000"
    )


def test_f_no_more_bets_closes_counts_and_shows_the_accepted_wagers():
    state, _ = run(game, opened(), ("wager", 5, SPOT, 1000), ("wager", 2, SPOT, 1000))
    state, effects = step(game, state, "no_more_bets")
    assert effects == [("close", 2, 2000)]
    assert state["bets"] == [[2, SPOT, 1000], [5, SPOT, 1000]]
    state, effects = step(game, opened(), "no_more_bets")
    assert (state["phase"], effects) == ("DONE", [("close", 0, 0), ("done",)])


def test_f_a_count_of_chips_that_differs_stops_the_round_with_both_numbers_and_moves_no_meter():
    state, _ = run(game, opened(), ("wager", 1, SPOT, 1000), ("wager", 2, SPOT, 1000), ("no_more_bets",))
    for chips in (0, 1, 3):
        assert refused(game, state, "chips", chips, "D1") == (3022, {"chips": chips, "accepted": 2})
    assert refused(game, state, "hand", 1, "AS 2S")[0] == 4001
    assert state["meter"]["wagers"] == 0
    state, effects = step(game, state, "chips", 2, "D1")
    assert effects == [("meter", 1000000 + 2 * 150)]
    assert (state["meter"]["wagers"], state["meter"]["reserve"]) == (2, 120)
    assert refused(game, state, "chips", 2, "D1")[0] == 4001


def test_f_a_round_is_void_before_the_count_only_and_then_every_wager_goes_back():
    state, _ = run(game, opened(), ("wager", 1, SPOT, 1000), ("no_more_bets",))
    after, effects = step(game, state, "void", "misdeal")
    assert after["phase"] == "VOID"
    assert after["meter"] == state["meter"]
    assert effects == [("return", 1, SPOT, 1000), ("done",)]
    counted, _ = run(game, state, ("chips", 1, "D1"))
    assert "deal again" in progressive_round.error_of(game.step, counted, ("void", "misdeal"))


def test_g_the_cards_decide_when_all_of_them_are_known():
    state = opened()
    state, _ = run(game, state, ("wager", 1, SPOT, 1000), ("wager", 4, SPOT, 1000), ("no_more_bets",))
    state, _ = run(game, state, ("chips", 2, "D1"))
    state, effects = run(game, state, ("hand", 4, "KD KS"), ("dealt", "KD"))
    assert (state["phase"], effects) == ("CARDS", [])
    state, effects = run(game, state, ("hand", 1, "3S 4S"))
    assert state["phase"] == "VALIDATE"
    assert effects == [("lose", 1, SPOT, 1000), ("win", 4, MIXED, "8 to 1"), ("lamp", 4, MIXED)]


def test_g_1_without_a_match_the_wager_loses():
    state, effects = dealt({1: "3S 4S", 2: "QD JD"}, "KD")
    assert state["phase"] == "DONE"
    assert effects == [("lose", 1, SPOT, 1000), ("lose", 2, SPOT, 1000), ("done",)]


def test_g_cards_that_a_shoe_cannot_hold_are_refused():
    state, _ = run(game, opened(), ("wager", 1, SPOT, 1000), ("wager", 2, SPOT, 1000), ("no_more_bets",))
    assert refused(game, state, "hand", 1, "AS KD")[0] == 4001
    state, _ = run(game, state, ("chips", 2, "D1"))
    assert refused(game, state, "hand", 3, "AS KD") == (3025, {"seat": 3})
    assert refused(game, state, "hand", 1, "10H KD") == (3023, {"card": "10H", "size": 48})
    for text in ("1S KD", "AX KD", "A KD", "S KD", "as KD"):
        assert refused(game, state, "hand", 1, text)[0] == 3023, text
    for text in ("", "AS", "AS KD 2H"):
        assert refused(game, state, "hand", 1, text)[0] == 3029, text
    state, _ = run(game, state, ("hand", 1, "AS KD"))
    assert refused(game, state, "hand", 1, "AS KD") == (3026, {"seat": 1})
    assert refused(game, state, "dealt", "AS KD")[0] == 3029
    down_under, _ = dealt({1: "10H 10H"}, "10H", chapter="685c.1")
    assert down_under["wins"] == [[1, SUITED, 0]]


def test_g_a_card_that_lies_more_often_than_the_shoe_holds_it_is_refused():
    seats = [1, 2, 3, 4]
    state, _ = run(game, opened(), *[("wager", seat, SPOT, 1000) for seat in seats], ("no_more_bets",))
    state, _ = run(game, state, ("chips", 4, "D1"), *[("hand", seat, "AS AS") for seat in seats[:3]])
    assert refused(game, state, "hand", 4, "AS KD") == (3024, {"card": "AS", "count": 7, "limit": 6})
    assert refused(game, state, "dealt", "AS")[0] == 3024


def test_g_cards_entered_wrongly_are_entered_anew_until_a_win_is_validated():
    state, _ = dealt({1: "KD KS", 2: "3S 4S", 3: "KC 2S"}, "KD")
    again, effects = run(game, state, ("misdeal", "read wrongly"))
    assert (again["phase"], again["hands"], again["dealt"], effects) == ("CARDS", [], [], [])
    assert again["meter"] == state["meter"]
    one_paid, _ = run(game, state, ("validate", 1, "F1"))
    assert one_paid["phase"] == "VALIDATE"
    assert refused(game, one_paid, "misdeal", "late")[0] == 4001


def test_h_1_and_2_a_winning_hand_is_shown_with_its_result_and_its_lamp():
    _, effects = dealt({2: "AS AS"}, "AS")
    assert effects == [("win", 2, ACES, "100 % of the meter"), ("lamp", 2, ACES)]


def test_h_3_a_floorperson_validates_and_never_the_dealer_himself():
    state, _ = dealt({1: "KD KS", 4: "KC 2S"}, "KD")
    assert refused(game, state, "validate", 1, "D1") == (3028, {"operator": "D1"})
    assert refused(game, state, "validate", 1, "D1\u200b") == (3028, {"operator": "D1\u200b"})
    assert refused(game, state, "validate", 1, " d\xad1") == (3028, {"operator": " d\xad1"})
    assert refused(game, state, "validate", 1, "") == refused(game, state, "validate", 1, "\u2060 ") == (3030, {})
    assert refused(game, state, "validate", 4, "F1") == (3027, {"seat": 4, "next": 1})
    assert refused(game, state, "validate", 2, "F1") == (3027, {"seat": 2, "next": 1})
    state, effects = run(game, state, ("validate", 1, "F1"))
    assert effects == [("paid", 1, MIXED, 1000, 8000, "INVENTORY")]
    assert refused(game, state, "validate", 1, "F1")[0] == 3027
    state, effects = run(game, state, ("validate", 4, "F1"))
    assert effects == [("paid", 4, ONE, 1000, 3000, "INVENTORY"), ("done",)]


def test_h_4_odds_are_paid_from_the_inventory_and_the_wager_stays_there():
    for mills in (1000, 5000):
        state, _ = dealt({1: "KD 9D"}, "KD", mills)
        _, effects = run(game, state, ("validate", 1, "F1"))
        assert effects[0] == ("paid", 1, ONE_SUITED, mills, 5 * mills, "INVENTORY")  # 5 to 1


def test_h_4_a_share_of_the_meter_is_paid_by_slip_and_the_cards_stay_until_it_is_documented():
    state, _ = dealt({1: "KD KD"}, "KD")
    state, effects = run(game, state, ("validate", 1, "F1"))
    assert effects == [("paid", 1, SUITED, 1000, 100015, "SLIP"), ("cards stay", 1), ("meter", 900135)]
    assert state["phase"] == "VALIDATE"
    state, effects = run(game, state, ("documented", 1))
    assert (state["phase"], effects) == ("DONE", [("cards go", 1), ("done",)])


def test_h_4_nothing_is_documented_that_was_not_paid_by_slip():
    state, _ = dealt({1: "KD KS"}, "KD")
    assert refused(game, state, "documented", 1)[0] == 4001
    state, _ = run(game, state, ("validate", 1, "F1"))
    assert refused(game, state, "documented", 1)[0] == 4001


def test_i_the_aces_of_spades_win_the_whole_meter_and_it_starts_from_the_reserve():
    state, _ = dealt({1: "AS AS", 2: "3S 4S"}, "AS")
    before = state["meter"]
    state, effects = run(game, state, ("validate", 1, "F1"))
    assert effects[0] == ("paid", 1, ACES, 1000, 1000300, "SLIP")
    assert named(effects, "hit") == [("hit", 1, 1000300)]
    assert (state["meter"]["current"], state["meter"]["reserve"]) == (before["reserve"], 0)
    assert state["meter"]["recent"] == [[[1, 1], 1000300]]


def test_i_winners_of_one_round_are_paid_seat_by_seat_each_from_what_is_left():
    state, _ = dealt({2: "KD KD", 5: "KD KD"}, "KD")
    state, effects = run(game, state, ("validate", 2, "F1"), ("validate", 5, "F1"))
    assert [effect[4] for effect in named(effects, "paid")] == [100030, 90027]
    assert state["meter"]["current"] == 1000300 - 100030 - 90027


def test_j_seed_of_1000_times_the_wager_and_rates_of_15_and_6_percent():
    for mills in (1000, 5000):
        state = opened(wager_mills=mills)
        assert state["meter"]["current"] == 1000 * mills
        state, _ = run(game, state, ("wager", 1, SPOT, mills), ("no_more_bets",), ("chips", 1, "D1"))
        assert state["meter"]["current"] == 1000 * mills + mills * 15 // 100
        assert state["meter"]["reserve"] == mills * 6 // 100


def test_j_the_setting_reseed_starts_the_meter_at_its_seed_again():
    state, _ = dealt({1: "AS AS"}, "AS", reseed="SEED")
    state, _ = run(game, state, ("validate", 1, "F1"))
    assert state["meter"]["current"] == 1000000
    assert state["meter"]["house"] == 2000000 - 60


def test_both_chapters_play_by_the_same_rules_with_their_own_decks_and_paytables():
    found = {}
    for chapter in ("635c.1", "685c.1"):
        state, effects = dealt({1: "KD KS", 2: "3S 4S", 4: "KD KD"}, "KD", chapter=chapter)
        assert refused(game, state, "validate", 1, "D1")[0] == 3028
        state, more = run(game, state, ("validate", 1, "F1"), ("validate", 4, "F1"), ("documented", 4))
        assert state["phase"] == "DONE"
        found[chapter] = effects + more
    odds = [named(found[chapter], "paid")[0][4] for chapter in sorted(found)]
    assert odds == [8000, 12000]  # 8 to 1 and 12 to 1
    kinds = [[effect[0] for effect in found[chapter]] for chapter in sorted(found)]
    assert kinds[0] == kinds[1]


def test_the_meter_of_one_round_goes_on_in_the_next():
    state, _ = dealt({1: "3S 4S"}, "KD")
    assert game.new(2, state["settings"], state["meter"])["meter"]["current"] == 1000150


def test_settings_that_cannot_be_are_refused_with_place_and_choice():
    error = progressive_round.error_of
    assert error(lambda: settings_of(game, chapter="639c.1")) == "chapter is 639c.1, but must be one of 635c.1, 685c.1"
    assert error(lambda: settings_of(game, decks_of={"635c.1": 48})) == (
        "decks_of must hold the cards of a deck for 635c.1 and 685c.1"
    )
    assert error(lambda: settings_of(game, decks_of={"635c.1": 48, "685c.1": 50})) == (
        "decks_of 685c.1 is 50, but must be one of 48, 52"
    )
    assert error(lambda: settings_of(game, limit_mills=999999)) == (
        "a start of 1000000 is above the meter's limit of 999999"
    )
    assert error(lambda: settings_of(game, colour=1)) == "colour is not a setting of this game"
    assert error(lambda: settings_of(game, seats=8)) == "seats is 8, but must be a whole number from 1 to 7"
