"""A round whose records do not fit the rules is a contradiction (T-53) and never a crash, whatever is in them."""

from tabletop.rules.rounds import follow

try:
    from tests.vm.dealer import START, TEN, Dealer
    from tests.vm.seated_table import METERED, ROUNDS, finish, table_of
except ImportError:  # on the VM this folder itself is on the path
    from dealer import START, TEN, Dealer
    from seated_table import METERED, ROUNDS, finish, table_of

OTHERS = (None, "x", -1, [[]])


def of_a_wheel():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000], [2, "1", 1000])
    dealer.spin(section=START)
    dealer.spin(section=TEN)
    dealer.send("SETTLE")
    return dealer.records()


def of_cards(game):
    dealer = table_of(game)
    dealer.send("OPEN_BETS")
    finish(dealer)
    return dealer.records()


def misfits(payload):
    """Payloads that lack a field, or have something else in it or in its first part."""
    for key in payload:
        yield {other: payload[other] for other in payload if other != key}
        for value in OTHERS:
            yield dict(payload, **{key: value})
            if type(payload[key]) is list and payload[key]:
                yield dict(payload, **{key: [value] + payload[key][1:]})


def follow_all(records):
    """The sentence of the contradiction, or ""."""
    current = None
    try:
        for kind, payload in records:
            current = follow(current, kind, payload)
            if current is not None and current.given is not None and "RNG" not in current.game.SOURCE:
                current.refusal(current.given)
    except ValueError as error:
        return str(error)
    return ""


def check(records):
    assert follow_all(records) == ""
    contradicted = tried = 0
    for n in range(len(records)):
        kind, payload = records[n]
        for other in misfits(payload):
            tried += 1
            contradicted += follow_all(records[:n] + [(kind, other)] + records[n + 1:]) != ""
    assert contradicted > tried // 3, (contradicted, tried)


def test_a_round_of_a_wheel():
    check(of_a_wheel())


def test_a_round_on_a_meter_that_holds_a_hidden_value():
    assert "must_hit_by" in METERED
    check(of_cards("must_hit_by"))


def test_a_round_of_cards():
    for game in ("players_edge", "match_the_dealer"):
        assert game in ROUNDS
        check(of_cards(game))
