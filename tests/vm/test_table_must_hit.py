"""The Must-Hit-By meter on a made-up table: its hidden value, its limits, and its hits."""

from tabletop.table import hidden

try:
    from tests.vm.seated_table import ROUNDS, act, chip, configured, finish, give, last_refusal, meter, reset, table_of
except ImportError:  # on the VM this folder itself is on the path
    from seated_table import ROUNDS, act, chip, configured, finish, give, last_refusal, meter, reset, table_of


def test_a_mystery_meter_is_set_within_the_limits_of_its_configuration_only():
    dealer = table_of("must_hit_by")
    for mills in (0, 99999, 200001, 1000000000):
        code, detail = dealer.refused("RESET_METER", **reset(dealer, mills=mills))
        assert (code, detail["field"], detail["value"]) == (4009, "mills", mills)
        assert last_refusal(dealer) == (["reset", mills, "ann"], 4009)
    for mills in (100000, 200000):
        assert dealer.send("RESET_METER", **reset(dealer, mills=mills))["record"]
        assert meter(dealer)["current"] == mills


def test_a_mystery_meter_is_set_within_the_limits_under_which_its_value_was_hidden():
    dealer = table_of("must_hit_by")
    dealer.send("OPEN_BETS")
    dealer.tick()
    dealer.send("VOID", reason="nobody is here")
    configured(dealer, paytable="D")  # takes effect after the next hit
    for mills in (99999, 200001, 999999):
        code, detail = dealer.refused("RESET_METER", **reset(dealer, mills=mills))
        assert (code, detail["field"], detail["value"]) == (4009, "mills", mills)
    assert dealer.send("RESET_METER", **reset(dealer))["record"]
    assert meter(dealer)["current"] == 100000
    assert dealer.send("RESET_METER", **reset(dealer, mills=200000))["record"]


def test_a_hidden_value_of_a_test_is_not_that_of_live_play():
    dealer = table_of("must_hit_by")
    dealer.table.play.test = True
    dealer.table.enter("TEST")
    dealer.send("OPEN_BETS")
    assert dealer.last("COMMITTED")["name"] == "test must-hit-by 1"
    finish(dealer)
    dealer.table.play.test = False
    dealer.table.enter("READY")
    dealer.send("OPEN_BETS")
    assert dealer.last("COMMITTED")["name"] == "must-hit-by 1"


def test_a_hidden_value_outlives_a_round_that_is_voided():
    dealer = table_of("must_hit_by")
    dealer.send("OPEN_BETS")
    dealer.send("VOID", reason="nobody is here")
    assert meter(dealer)["hidden"] == "must-hit-by 1"
    dealer.send("OPEN_BETS")
    finish(dealer)
    assert len([kind for kind, _ in dealer.records() if kind == "COMMITTED"]) == 1


def test_a_must_hit_by_value_that_somebody_could_have_read_is_chosen_anew_above_the_meter():
    # a fresh look: the service key leads to the prompt, and the prompt reads the secret
    dealer = table_of("must_hit_by")
    dealer.send("OPEN_BETS")
    dealer.tick()
    dealer.send("WAGER", bets=[list(bet) for bet in ROUNDS["must_hit_by"][0]])
    low, high = dealer.table.settings.game.span(dealer.table.settings.rules)
    on = dict(dealer.table.play.round.state["meter"])
    dealer.send("VOID", reason="chips differ")
    on["current"], on["rest"] = high - 100, 1
    dealer.table.bonus._keep(on)
    found = []
    for _ in range(12):
        dealer.hal.vault.program(0, bytes(256))
        dealer = dealer.again()
        committed = dealer.last("COMMITTED")
        assert (committed["least"], committed["range"]) == (high - 99 - low, high - low)
        found.append(low + hidden.look(dealer.table, "must-hit-by 1"))
        assert not dealer.table.settings.game.exceeds(on, found[-1])
    assert len(set(found)) > 6
    assert meter(dealer)["current"] == high - 100, "the meter stays"
    dealer.send("OPEN_BETS")
    dealer.tick()
    assert dealer.phase == "BETS_OPEN"


def test_a_must_hit_by_bonus_is_hit_paid_and_hidden_anew():
    dealer = table_of("must_hit_by")
    configured(dealer, minimum_wager=5, paytable="A", max_mills=1000000)
    rounds = 0
    while not [kind for kind, _ in dealer.records() if kind == "OPENED"]:
        rounds += 1
        dealer.send("OPEN_BETS")
        dealer.send("WAGER", bets=[[seat, "progressive payout", 1000000] for seat in range(1, 8)])
        dealer.send("NO_MORE_BETS")
        give(dealer, "chips", 7, "D1")
        while dealer.phase == "BONUS":
            for seat, _won, done in dealer.table.play.round.state["wins"]:
                if done < 2:
                    give(dealer, *(["documented", seat] if done else ["validate", seat, "F1"]))
                    break
        act(dealer)
    assert rounds <= 22, "the meter must hit at its maximum"
    opened, settled = dealer.last("OPENED"), dealer.last("SETTLED")
    won = settled["pays"][0][4]
    assert won > 100000 + opened["value"]
    assert meter(dealer)["hits"] >= 1
    assert dealer.last("COMMITTED")["name"] == meter(dealer)["hidden"]


def test_a_meter_that_is_set_before_its_first_round_hides_its_value_within_the_configuration_of_that_round():
    for before, after, mills, shown in (
        (("A", 1), ("D", 1), 0, 250000), (("A", 1), ("D", 1), 150000, 250000), (("D", 1), ("A", 1), 0, 100000),
        (("B", 1), ("D", 1), 450000, 450000), (("A", 1), ("B", 5), 150000, 150000),
        (("A", 1), ("A", 2), 200000, 200000),
    ):  # fmt: skip
        dealer = table_of("must_hit_by")
        configured(dealer, paytable=before[0], minimum_wager=before[1])
        dealer.send("RESET_METER", **reset(dealer, **({"mills": mills} if mills else {})))
        dealer.key(False)
        configured(dealer, paytable=after[0], minimum_wager=after[1])
        dealer.send("OPEN_BETS")
        dealer.tick()
        rules = dealer.table.settings.game
        low, high = rules.span(dealer.table.settings.rules)
        on = dealer.table.play.round.state["meter"]
        assert dealer.last("COMMITTED")["range"] == high - low
        assert (on["parameters"], on["next"]) == (rules.parameters(dealer.table.settings.rules), {})
        assert on["current"] == shown == on["house"] + on["corrected"]
        assert low <= low + hidden.look(dealer.table, on["hidden"]) < high
        dealer = dealer.again()
        assert dealer.table.play.round.state["meter"] == on and not dealer.table.tilts.open
        dealer = None  # the VM has no room for two tables


def test_a_chip_that_is_lifted_takes_no_other_wager_of_its_seat_away():
    dealer = table_of("must_hit_by")
    configured(dealer, chapter="649c.1")
    dealer.send("OPEN_BETS")
    dealer.tick()
    three, five = "Three-Card progressive payout", "Five-Card progressive payout"
    dealer.send("WAGER", bets=[[1, five, 1000], [2, three, 1000]])
    chip(dealer, 1)
    assert dealer.table.play.round.state["bets"] == [[1, five, 1000], [1, three, 1000], [2, three, 1000]]
    chip(dealer, 1, False)
    assert dealer.table.play.round.state["bets"] == [[1, five, 1000], [2, three, 1000]]
    assert dealer.last("GIVEN")["given"] == ["take_back", 1, three]
    chip(dealer, 1)
    dealer = dealer.again()
    dealer.tick(3)
    chip(dealer, 1, False)
    assert dealer.table.play.round.state["bets"] == [[1, five, 1000], [2, three, 1000]]
    give(dealer, "take_back", 1)  # a player takes back all that the seat has
    assert dealer.table.play.round.state["bets"] == [[2, three, 1000]]
