"""Match-Up, Match-Down and Monster Match against 635c.2 (tests/data/seeds/players_edge.txt), by paragraph."""

from tabletop.rules.progressive import match_up_down, meter, monster_match

try:
    from tests.vm import bonus_round, progressive_round, seed_tables
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    import progressive_round
    import seed_tables

error_of, named, refused, run, settings_of, step = (
    progressive_round.error_of, progressive_round.named, progressive_round.refused, progressive_round.run,
    progressive_round.settings_of, progressive_round.step,
)  # fmt: skip
UP, DOWN = match_up_down.SPOTS
MONSTER = "Monster Match"
TEXT = bonus_round.seed_text("players_edge.txt")
TABLES = seed_tables.tables(TEXT)
SUITED4, COLOR4, FOUR, COLOR3, THREE, PAIR = monster_match.RESULTS


def matched(hand, card):
    return match_up_down.result_of(hand.split(), [card])


def monster(hand, dealt):
    """The result must not depend on whose card is whose, nor on their order."""
    four = (hand + " " + dealt).split()
    results = []
    for turn in range(4):
        turned = four[turn:] + four[:turn]
        results.append(monster_match.result_of(turned[:2], turned[2:]))
        results.append(monster_match.result_of([turned[2], turned[0]], [turned[3], turned[1]]))
    assert len(set(results)) == 1, results
    return results[0]


def columns(table):
    """Name of a column -> {row: cell}."""
    return {
        table[0][n].replace("Paytable ", ""): {row[0]: row[n] for row in table[1:]} for n in range(1, len(table[0]))
    }


def test_g_4_the_match_paytables_are_those_of_the_text_number_by_number_and_none_beside_them():
    five_or_six, eight = [table for table in TABLES if table[0][0] == "Hand"]
    rows = (
        "Two suited matches", "One suited match and one unsuited match", "One suited match", "Two unsuited matches",
        "One unsuited match",
    )  # fmt: skip
    assert [row.lower() for row in rows] == list(match_up_down.RESULTS)
    for decks, table in ((5, five_or_six), (6, five_or_six), (8, eight)):
        product = {
            name: {rows[n]: "%d to %d" % pay[1:] for n, pay in enumerate(match_up_down.pays_of(decks, name))}
            for name in match_up_down.MATCH[decks]
        }
        assert product == columns(table), decks
    assert sorted(match_up_down.MATCH) == [5, 6, 8]
    assert [len(match_up_down.MATCH[decks]) for decks in (5, 6, 8)] == [3, 3, 2]


def test_h_the_monster_match_paytables_are_those_of_the_text_number_by_number_and_none_beside_them():
    printed = {}
    for table in TABLES:
        if table[0][0] == "Triggering Event":
            printed.update(columns(table))
            rows = [row[0] for row in table[1:]]
    assert [row.lower() for row in rows] == list(monster_match.RESULTS)
    product = {}
    for name in monster_match.MONSTER:
        pays = monster_match.pays_of(name)
        cells = ["%d%% of progressive" % pay[1] if pay[0] == "share" else "%d for %d" % pay[1:] for pay in pays]
        product[name] = {rows[n]: cells[n] for n in range(6)}
    assert sorted(product) == ["A", "B", "C", "D", "E"]
    assert product == printed


def test_d_2_iii_c_the_pools_are_those_of_the_text_number_by_number_and_none_beside_them():
    (table,) = [table for table in TABLES if table[1][0] == "Initial seed"]
    names = table[0]
    printed = {names[n]: [row[n + 1] for row in table[1:]] for n in range(5)}
    assert [row[0] for row in table[1:]] == ["Initial seed", "Reseed", "Primary increment", "Reserve increment"]
    product = {}
    for name in monster_match.POOLS:
        on = monster_match.parameters(settings_of(monster_match, pool=name))
        dollars = {1500000: "$1,500", 5000000: "$5,000", meter.RESERVE: "Reserve"}
        reserve = "%d%%" % (on["reserve"] // 100) if on["reserve"] else "N/A"
        product[name] = [dollars[on["seed"]], dollars[on["reseed"]], "%d%%" % (on["increment"] // 100), reserve]
    assert product == printed


def test_c_five_six_or_eight_decks_of_48_cards_without_the_tens():
    for game in (match_up_down, monster_match):
        for decks in (5, 6, 8):
            assert game.shoe_of(settings_of(game, decks=decks)) == (decks, 48)
        assert error_of(lambda: settings_of(game, decks=4)) == "decks is 4, but must be one of 5, 6, 8"  # noqa: B023
    state = closed(match_up_down, ("wager", 1, UP, 1000))
    assert refused(match_up_down, state, "hand", 1, "10H KD") == (3023, {"card": "10H", "size": 48})


def test_g_4_ii_with_eight_decks_there_is_no_paytable_c():
    assert error_of(lambda: settings_of(match_up_down, decks=8, paytable="C")) == (
        "paytable is C, but must be one of A, B"
    )


def closed(game, *wagers, **changes):
    return run(game, game.new(1, settings_of(game, **changes)), *wagers, ("no_more_bets",))[0]


def test_d_2_i_either_of_the_initial_two_cards_matches_the_rank_of_the_upcard():
    assert matched("KD 3S", "KH") == match_up_down.RESULTS[4]
    assert matched("3S KD", "KH") == match_up_down.RESULTS[4]
    assert matched("QD JS", "KH") is None


def test_g_4_each_result_of_match_up_and_match_down():
    assert matched("KD KD", "KD") == "two suited matches"
    assert matched("KD KS", "KD") == matched("KS KD", "KD") == "one suited match and one unsuited match"
    assert matched("KD 3D", "KD") == "one suited match"
    assert matched("KS KC", "KD") == matched("KS KS", "KD") == "two unsuited matches"
    assert matched("KS 3D", "KD") == "one unsuited match"


def test_d_2_ii_match_down_is_held_against_the_card_that_was_face_down():
    state = closed(match_up_down, ("wager", 1, UP, 1000), ("wager", 1, DOWN, 2000))
    state, effects = run(match_up_down, state, ("hand", 1, "KD 3S"), ("dealt", "QH"))
    assert effects == [("lose", 1, UP, 1000)]
    state, effects = run(match_up_down, state, ("hole", "KD"))
    assert effects == [("paid", 1, "one suited match", 2000, 20000, "INVENTORY"), ("done",)]  # 9 to 1


def test_e_1_i_match_up_is_settled_at_the_upcard_and_match_down_waits():
    state = closed(match_up_down, ("wager", 1, UP, 5000), ("wager", 2, UP, 1000), ("wager", 2, DOWN, 1000))
    state, _ = run(match_up_down, state, ("hand", 2, "2S 3S"), ("hand", 1, "KD KD"))
    state, effects = run(match_up_down, state, ("dealt", "KD"))
    assert effects == [("lose", 2, UP, 1000), ("paid", 1, "two suited matches", 5000, 95000, "INVENTORY")]  # 18 to 1
    assert state["phase"] == "HOLE"


def test_e_1_iii_a_match_down_is_settled_at_the_hole_card_before_any_other_card():
    state = closed(match_up_down, ("wager", 1, DOWN, 1000))
    assert refused(match_up_down, state, "hole", "KD")[0] == 4001
    state, _ = run(match_up_down, state, ("hand", 1, "KD KH"), ("dealt", "QH"))
    assert refused(match_up_down, state, "dealt", "KD")[0] == 4001
    state, effects = run(match_up_down, state, ("hole", "KS"))
    assert effects == [("paid", 1, "two unsuited matches", 1000, 9000, "INVENTORY"), ("done",)]  # 8 to 1


def test_d_2_bad_input_is_refused_with_its_place():
    state = closed(match_up_down, ("wager", 1, UP, 1000), ("wager", 2, UP, 1000), decks=5)
    assert refused(match_up_down, state, "wager", 1, UP, 1000)[0] == 3006
    assert refused(match_up_down, state, "dealt", "KD")[0] == 4001
    assert refused(match_up_down, state, "hand", 3, "KD KH") == (3025, {"seat": 3})
    assert refused(match_up_down, state, "hand", 1, "KD")[0] == 3029
    state, _ = run(match_up_down, state, ("hand", 1, "KD KD"))
    assert refused(match_up_down, state, "hand", 1, "KD KH") == (3026, {"seat": 1})
    state, _ = run(match_up_down, state, ("hand", 2, "KD KD"), ("dealt", "KD"))
    assert refused(match_up_down, state, "hole", "KD") == (3024, {"card": "KD", "count": 6, "limit": 5})
    assert refused(match_up_down, state, "hand", 2, "KD KH")[0] == 4001


def test_d_2_iii_b_i_a_suited_pair_of_any_two_of_the_four_cards():
    assert monster("KD 3S", "KD 4C") == PAIR
    assert monster("KD KD", "2S 4C") == PAIR
    assert monster("KD KD", "2S 2S") == PAIR
    assert monster("KD KH", "2S 2C") is None  # two pairs, none of them suited


def test_d_2_iii_b_ii_three_of_a_kind():
    assert monster("KD KS", "KH 4C") == THREE
    assert monster("KD KD", "KS 4C") == THREE  # and a suited pair, which pays less


def test_d_2_iii_b_iii_three_of_a_kind_of_one_color():
    assert monster("KD KH", "KD 4C") == COLOR3
    assert monster("KS KC", "KC 4D") == COLOR3
    assert monster("KS KS", "KS 4D") == COLOR3
    assert monster("KD KH", "KS 4C") == THREE


def test_d_2_iii_b_iv_four_of_a_kind():
    assert monster("KD KH", "KS KC") == FOUR
    assert monster("KD KD", "KD KS") == FOUR


def test_d_2_iii_b_v_four_of_a_kind_of_one_color():
    assert monster("KD KH", "KD KH") == COLOR4
    assert monster("KS KS", "KS KC") == COLOR4


def test_d_2_iii_b_vi_four_of_a_kind_of_one_suit():
    assert monster("KD KD", "KD KD") == SUITED4
    assert monster("AS AS", "AS AS") == SUITED4


def dealt(hands, two, **changes):
    """A round of Monster Match up to its winners."""
    settings = settings_of(monster_match, **changes)
    state = monster_match.new(1, settings)
    bets = [("wager", seat, MONSTER, settings["wager_mills"]) for seat in sorted(hands)]
    state, _ = run(monster_match, state, *bets, ("no_more_bets",), ("chips", len(hands), "D1"))
    return run(monster_match, state, *[("hand", seat, hands[seat]) for seat in sorted(hands)], ("dealt", two))


def test_d_2_iii_a_monster_match_is_a_progressive_wager_with_lock_out_count_and_validation():
    state = monster_match.new(1, settings_of(monster_match))
    state, _ = run(monster_match, state, ("wager", 1, MONSTER, 5000))
    assert refused(monster_match, state, "wager", 2, MONSTER, 1000) == (3002, {"mills": 1000, "limit": 5000})
    state, _ = run(monster_match, state, ("no_more_bets",))
    assert refused(monster_match, state, "wager", 2, MONSTER, 5000)[0] == 3006
    assert refused(monster_match, state, "chips", 2, "D1")[0] == 3022
    state, _ = run(monster_match, state, ("chips", 1, "D1"), ("hand", 1, "KD KH"))
    assert refused(monster_match, state, "dealt", "KD")[0] == 3029
    state, _ = run(monster_match, state, ("dealt", "KS KC"))
    assert refused(monster_match, state, "validate", 1, "D1")[0] == 3028
    _, effects = run(monster_match, state, ("validate", 1, "F1"))
    assert effects == [("paid", 1, FOUR, 5000, 1000000, "INVENTORY"), ("done",)]


def test_h_odds_for_1_hold_the_stake():
    state, effects = dealt({1: "KD KH", 2: "2S 3S", 3: "KD 4C"}, "KD 5S")
    assert named(effects, "lose") == [("lose", 2, MONSTER, 5000)]
    assert named(effects, "win") == [("win", 1, COLOR3, "20 for 1"), ("win", 3, PAIR, "3 for 1")]
    _, effects = run(monster_match, state, ("validate", 1, "F1"), ("validate", 3, "F1"))
    assert [effect[4] for effect in named(effects, "paid")] == [100000, 15000]


def test_h_shares_of_the_progressive_by_paytable():
    for paytable, share in (("A", 10), ("B", 10), ("C", 100), ("D", 100), ("E", 100)):
        for two, percent in (("KD KH", share), ("KD KD", 100)):
            state, _ = dealt({1: "KD KH" if percent == share and two == "KD KH" else "KD KD"}, two, paytable=paytable)
            before = state["meter"]["current"]
            state, effects = run(monster_match, state, ("validate", 1, "F1"))
            paid = named(effects, "paid")[0]
            assert (paid[4], paid[5]) == (before * percent // 100, "SLIP"), (paytable, two)
            assert bool(named(effects, "hit")) == (percent == 100)


def test_d_2_iii_c_each_pool_seeds_reseeds_and_increments_as_printed():
    again = (("A", 50), ("B", 50), ("C", 1500000), ("D", 1500000), ("E", 1500000))
    for pool, reseed in again:
        seed = 5000000 if pool in "AB" else 1500000
        state, _ = dealt({1: "KD KD"}, "KD KD", pool=pool)
        increment = 1100 if seed == 5000000 else 850  # 22 % and 17 % of $5
        assert state["meter"]["current"] == seed + increment
        state, _ = run(monster_match, state, ("validate", 1, "F1"))
        assert state["meter"]["current"] == reseed, pool
