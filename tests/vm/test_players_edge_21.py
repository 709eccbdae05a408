"""The main wager of Player's Edge 21 against 635c.2 (tests/data/seeds/players_edge.txt), by paragraph."""

from tabletop.rules.progressive import pays
from tabletop.rules.progressive import players_edge as game
from tabletop.rules.progressive import players_edge_pays as worth

try:
    from tests.vm import progressive_round
except ImportError:  # on the VM this folder itself is on the path
    import progressive_round

error_of, named, refused, run, settings_of = (
    progressive_round.error_of, progressive_round.named, progressive_round.refused, progressive_round.run,
    progressive_round.settings_of,
)  # fmt: skip
SPOT = "Player's Edge 21"


def begun(hands, mills=5000, **changes):
    state = game.new(1, settings_of(game, **changes))
    state, _ = run(game, state, *[("wager", seat, SPOT, mills) for seat in sorted(hands)], ("no_more_bets",))
    return run(game, state, *[("hand", seat, hands[seat]) for seat in sorted(hands)])[0]


def settled(hand, dealer, *decisions, mills=5000):
    """The effects of the dealer's hand for seat 1, without the end."""
    state = begun({1: hand}, mills)
    state, _ = run(game, state, *decisions)
    state, effects = run(game, state, ("dealer", dealer))
    assert state["phase"] == "DONE"
    assert effects[-1] == ("done",)
    return effects[:-1]


def handed(hand, dealer, *decisions):
    effects = settled(hand, dealer, *decisions)
    paid = named(effects, "paid")
    return (paid[0][2], paid[0][4]) if paid else effects[0][0]


def test_b_1_insurance_pays_2_to_1_and_5_to_1_when_the_dealers_blackjack_is_suited():
    assert pays.words(worth.insurance(["AS", "KH"])) == "2 to 1"
    assert pays.words(worth.insurance(["KS", "AS"])) == "5 to 1"
    assert worth.insurance(["AS", "9S"]) is None
    assert worth.insurance(["AS", "5S", "5H"]) is None


def test_b_2_and_e_1_iv_the_dealer_draws_to_16_and_on_a_soft_17():
    for hand, draws in (("KS 6H", True), ("KS 7H", False), ("AS 6H", True), ("AS 2H 4D", True), ("AS 6H KD", False),
                        ("AS 7H", False), ("KS 6H AD", False), ("AS AH 5D", True)):  # fmt: skip
        assert game.draws_again(hand.split()) is draws, hand


def test_e_1_iii_c_a_dealers_hand_that_was_not_drawn_by_the_rules_is_refused():
    state = begun({1: "KS 9H"})
    for cards in ("KD 6S", "AS 6D", "KD 7S 2H", "9D 8S 2D"):
        assert refused(game, state, "dealer", cards) == (3033, {"cards": cards}), cards
    assert refused(game, state, "dealer", "KD")[0] == 3029
    assert refused(game, state, "dealer", "10D 7S")[0] == 3023
    for cards in ("KD 6S 2H", "AS 6D KH", "KD 7S"):
        run(game, state, ("dealer", cards))


def test_d_1_wagers_are_made_before_the_cards_and_every_hand_is_entered():
    state = game.new(1, settings_of(game))
    assert refused(game, state, "hand", 1, "KS 9H")[0] == 4001
    state = begun({1: "KS 9H"})
    assert refused(game, state, "wager", 2, SPOT, 5000)[0] == 3006
    assert refused(game, state, "hand", 2, "KS 9H")[0] == 3025
    assert refused(game, state, "hand", 1, "KS 9H")[0] == 3026
    assert refused(game, state, "card", 2, "KD")[0] == 4001


def test_f_1_a_double_down_is_at_most_the_original_wager_and_takes_one_card():
    state = begun({1: "5S 6H"})
    assert refused(game, state, "double", 1, 5001, "KD") == (3003, {"mills": 5001, "limit": 5000})
    assert refused(game, state, "double", 1, 0, "KD")[0] == 3004
    assert refused(game, state, "double", 1, 5000, "KD 2S")[0] == 3029
    state, effects = run(game, state, ("double", 1, 2000, "9D"))
    assert effects == [("points", 1, 20)]
    assert state["hands"] == [[1, ["5S", "6H", "9D"], 7000, 1, "PLAYED"]]


def test_f_1_on_two_or_more_cards_and_never_on_blackjack():
    state, _ = run(game, begun({1: "2S 3H"}), ("card", 1, "6D"), ("double", 1, 5000, "9D"))
    assert state["hands"][0][2] == 10000
    assert refused(game, begun({1: "AS KH"}), "double", 1, 5000, "9D") == (3032, {"seat": 1, "what": "double"})


def test_f_2_and_3_the_whole_wager_is_redoubled_twice_at_most_up_to_eight_times():
    state, _ = run(game, begun({1: "2S 3H"}), ("double", 1, 5000, "2D"))
    assert refused(game, state, "double", 1, 9999, "2H") == (3002, {"mills": 9999, "limit": 10000})
    assert refused(game, state, "double", 1, 10001, "2H") == (3003, {"mills": 10001, "limit": 10000})
    state, _ = run(game, state, ("double", 1, 10000, "2H"), ("double", 1, 20000, "2C"))
    assert state["hands"][0][2:4] == [40000, 3]
    assert refused(game, state, "double", 1, 40000, "2S") == (3032, {"seat": 1, "what": "double"})


def test_f_2_nothing_comes_between_a_double_and_its_redouble():
    state, _ = run(game, begun({1: "2S 3H"}), ("double", 1, 5000, "2D"))
    assert refused(game, state, "card", 1, "2H") == (3032, {"seat": 1, "what": "take a card"})


def test_f_4_a_dealers_blackjack_takes_only_the_original_wager():
    effects = settled("2S 3H", "AS KD", ("double", 1, 5000, "2D"), ("double", 1, 10000, "KH"))
    assert effects == [("lose", 1, SPOT, 5000), ("return", 1, SPOT, 15000)]
    assert settled("KS 9H", "AS KD") == [("lose", 1, SPOT, 5000)]


def test_f_5_a_doubled_hand_is_paid_even_whatever_it_holds():
    assert handed("6D 7D", "KS 8H", ("double", 1, 5000, "8D")) == ("win", 20000)
    assert handed("2S 3H", "KS 8H", ("card", 1, "2D"), ("card", 1, "4D"), ("double", 1, 5000, "KD")) == ("win", 20000)


def test_f_5_no_super_bonus_for_a_doubled_hand():
    state, _ = run(game, begun({1: "7S 7S", 2: "KS 9H"}), ("double", 1, 5000, "7S"))
    _, effects = run(game, state, ("dealer", "7D KS"))
    assert named(effects, "super bonus") == []
    assert named(effects, "paid")[0][4] == 20000


def test_f_6_a_rescue_takes_back_half_and_forfeits_half_of_the_hands_total_wager():
    state, _ = run(game, begun({1: "5S 6H"}), ("double", 1, 5000, "2D"))
    state, effects = run(game, state, ("rescue", 1))
    assert effects == [("lose", 1, SPOT, 5000), ("return", 1, SPOT, 5000)]
    assert refused(game, state, "rescue", 1) == (3032, {"seat": 1, "what": "go on"})
    assert refused(game, state, "double", 1, 5000, "2H")[0] == 3032
    _, effects = run(game, state, ("dealer", "KD 6S"))  # nobody plays any more: the dealer need not draw
    assert effects == [("done",)]


def test_f_6_after_the_first_or_second_double_and_not_after_the_third_or_without_one():
    assert refused(game, begun({1: "5S 6H"}), "rescue", 1) == (3032, {"seat": 1, "what": "rescue"})
    state, _ = run(game, begun({1: "2S 3H"}), ("double", 1, 5000, "2D"), ("double", 1, 10000, "2H"))
    _, effects = run(game, state, ("rescue", 1))
    assert effects == [("lose", 1, SPOT, 10000), ("return", 1, SPOT, 10000)]
    state, _ = run(game, state, ("double", 1, 20000, "2C"))
    assert refused(game, state, "rescue", 1) == (3032, {"seat": 1, "what": "rescue"})


def test_f_6_no_rescue_above_21():
    state, effects = run(game, begun({1: "KS 6H"}), ("double", 1, 5000, "KD"))
    assert effects == [("points", 1, 26), ("lose", 1, SPOT, 10000)]
    assert refused(game, state, "rescue", 1) == (3032, {"seat": 1, "what": "go on"})


def test_g_1_i_a_hand_of_21_or_less_wins_when_the_dealer_is_above():
    assert handed("KS 3H", "KD 6S KH") == ("win", 10000)


def test_g_1_ii_the_higher_hand_wins_an_equal_one_is_a_push_and_a_lower_one_loses():
    assert handed("KS 9H", "KD 8S") == ("win", 10000)
    assert settled("KS 9H", "KD 9S") == [("push", 1, SPOT, 5000)]
    assert settled("KS 8H", "KD 9S") == [("lose", 1, SPOT, 5000)]


def test_g_1_iii_blackjack_and_21_win_whatever_the_dealer_has():
    assert handed("AS KH", "AD KD") == ("Blackjack", 12500)
    assert handed("KS 6H", "AD KD", ("card", 1, "5S")) == ("win", 10000)
    assert handed("KS 6H", "KD 5D 6S", ("card", 1, "5S")) == ("win", 10000)
    effects = settled("KS 6H", "AD KD", ("double", 1, 5000, "5S"))
    assert named(effects, "paid")[0][4] == 20000


def test_g_2_21s_with_odds_of_their_own():
    for cards, name, total in (
        ("6S 7H 8D", "6-7-8", 12500), ("8S 6S 7S", "6-7-8 suited", 15000), ("7S 7H 7D", "7-7-7", 12500),
        ("7S 7S 7S", "7-7-7 suited", 15000), ("2S 3H 4D 5S 7H", "21 of five cards", 12500),
        ("2S 3H 4D 2D 3S 7H", "21 of six cards", 15000), ("2S 3H 2D 2H 3S 2C 7H", "21 of seven cards", 20000),
        ("2S 3H 2D 2H 3S 2C 3C 4C", "21 of seven cards", 20000),
    ):  # fmt: skip
        cards = cards.split()
        more = [("card", 1, card) for card in cards[2:]]
        assert handed(" ".join(cards[:2]), "KD 8S", *more) == (name, total)


def test_g_2_i_and_ii_diamonds_and_not_spades_are_paid_3_to_1():
    assert handed("6D 7D", "KS 8H", ("card", 1, "8D")) == ("6-7-8 suited, diamonds", 20000)
    assert handed("7D 7D", "KS 8H", ("card", 1, "7D")) == ("7-7-7 suited, diamonds", 20000)
    assert handed("7S 7S", "KH 8H", ("card", 1, "7S")) == ("7-7-7 suited", 15000)


def test_g_3_the_super_bonus_and_the_shares_of_all_others():
    hands = {1: "7S 7S", 2: "KS 9H", 3: "2S 7H", 5: "KH 6H"}
    state, _ = run(game, begun(hands), ("card", 1, "7S"), ("card", 5, "KD"))
    _, effects = run(game, state, ("dealer", "7D KS"))
    assert named(effects, "super bonus") == [
        ("super bonus", 1, 1000000, 1), ("super bonus", 2, 50000, 1), ("super bonus", 3, 100000, 1),
        ("super bonus", 5, 50000, 1),
    ]  # fmt: skip


def test_g_3_no_super_bonus_without_the_dealers_seven_one_suit_or_the_wager_for_it():
    def bonus(hand, dealer, mills=5000, **changes):
        state = begun({1: " ".join(hand.split()[:2]), 2: "KS 9H"}, mills, min_mills=1000, **changes)
        state, _ = run(game, state, ("card", 1, hand.split()[2]))
        return len(named(run(game, state, ("dealer", dealer))[1], "super bonus"))

    assert bonus("7S 7S 7S", "7D KS") == 2
    assert bonus("7S 7S 7S", "KS 7D") == 0  # the seven must be the upcard
    assert bonus("7S 7S 7H", "7D KS") == 0
    assert bonus("7S 7S 7S", "7D KS", mills=4999) == 0
    assert bonus("7S 7S 7S", "7D KS", super_bonus=[]) == 0


def test_settings_that_cannot_be_are_refused_with_place_and_limit():
    assert "odds must hold" in error_of(lambda: settings_of(game, odds={"win": [1, 1]}))
    odds = dict(game.DEFAULTS["odds"])
    odds["win"] = [1, 0]
    assert error_of(lambda: settings_of(game, odds=odds)) == (
        "odds of win is 0, but must be a whole number from 1 to 1000"
    )
    assert error_of(lambda: settings_of(game, super_bonus=[[5000, 1], [5000, 2]])) == (
        "super_bonus: a wager is 5000, but must be a whole number from 5001 to 1000000000"
    )
