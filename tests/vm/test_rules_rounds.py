"""A round from its records: the same for the table that plays, the table that resumes and the host that replays."""

from tabletop.rules import dreamcatcher as game
from tabletop.rules.rounds import follow, metered, no_meters

TEN, TWO_TIMES = 9, 27


def opened(number=5, **changes):
    payload = {
        "round": number, "game": "dreamcatcher", "test": False, "layout": game.layout_hash(),
        "paytable": game.paytable_hash(), "settings": dict(game.DEFAULTS), "min_turns": 3,
    }  # fmt: skip
    payload.update(changes)
    return ("ROUND_OPENED", payload)


def wagers(*bets):
    return ("WAGERS", {"round": 5, "bets": list(bets)})


def closed(count, mills):
    return ("BETS_CLOSED", {"round": 5, "count": count, "mills": mills})


def started(spin):
    return ("SPIN_STARTED", {"round": 5, "spin": spin})


def ended(spin, outcome, section=-1, **changes):
    payload = {
        "round": 5, "spin": spin, "counted": True, "outcome": outcome, "turns_milli": 4000, "faults": [],
        "layout": game.layout_hash(),
    }  # fmt: skip
    if section >= 0:
        payload["section"] = section
    payload.update(changes)
    return ("SPIN", payload)


def after(*records):
    current = None
    for kind, payload in records:
        current = follow(current, kind, payload)
    return current


def contradiction(*records):
    current = after(*records[:-1])
    try:
        follow(current, records[-1][0], records[-1][1])
    except ValueError as error:
        return str(error)
    raise AssertionError("the record was taken")


BETS = (opened(), wagers([1, "10", 1000], [2, "1", 3000]), closed(2, 4000))
OWED = {
    "round": 5, "section": TEN, "symbol": "10", "multiplier": 2, "collected": 3000,
    "pays": [[1, "10", 1000, 20, 20000, False]], "test": False,
}  # fmt: skip
DECIDED = BETS + (started(1), ended(1, "SECTION", TWO_TIMES), started(2), ended(2, "SECTION", TEN))


def test_the_phase_follows_from_the_records():
    steps = [
        (opened(), "BETS_OPEN"),
        (BETS[1], "BETS_OPEN"),
        (BETS[2], "NO_MORE_BETS"),
        (started(1), "SPINNING"),
        (ended(1, "SHORT_SPIN"), "NO_MORE_BETS"),
        (started(2), "SPINNING"),
        (ended(2, "SECTION", TWO_TIMES), "BONUS"),
        (started(3), "SPINNING"),
        (ended(3, "NONE", counted=False, why="POWER_CUT"), "BONUS"),
        (started(4), "SPINNING"),
        (ended(4, "SECTION", TEN), "RESULT"),
        (("SETTLED", dict(OWED, meters={})), "RESULT"),
    ]
    current = None
    for (kind, payload), phase in steps:
        current = follow(current, kind, payload)
        assert current.phase() == phase, (kind, current.phase())
    assert current.owed == OWED
    assert follow(current, "ROUND_CLOSED", {"round": 5}) is None
    assert current.phase() == "SETTLED"


def test_a_decided_round_owes_exactly_its_settlement():
    assert after(*DECIDED).owed == OWED
    assert after(*DECIDED).wagered_mills() == 4000


def test_case_62_short_spins_of_a_round_are_counted():
    current = after(*BETS)
    for spin in (1, 2, 3):
        follow(current, *started(spin))
        follow(current, *ended(spin, "SHORT_SPIN", turns_milli=800))
    assert current.short_spins == 3
    assert current.phase() == "NO_MORE_BETS"


def test_case_63_a_voided_spin_never_counts_and_the_next_one_does():
    void = ended(1, "NONE", counted=False, why="DEALER_VOID")
    assert after(*BETS, started(1), void).phase() == "NO_MORE_BETS"
    assert "was not running" in contradiction(*BETS, started(1), void, ended(1, "SECTION", TEN))
    stray = ended(0, "SECTION", TEN, counted=False, why="DEALER_VOID")
    current = after(*BETS, started(1), void, stray, started(2), ended(2, "SECTION", TEN))
    assert current.owed["section"] == TEN
    assert current.owed["multiplier"] == 1


def test_one_spin_has_one_result():
    assert "was not running" in contradiction(*DECIDED, ended(2, "SECTION", TEN))
    assert "out of turn" in contradiction(*DECIDED, started(3))


def test_a_spin_counts_only_after_no_more_bets():
    assert "out of turn" in contradiction(opened(), started(1))
    assert "out of turn" in contradiction(*BETS, started(2))
    assert "was not running" in contradiction(*BETS, ended(1, "SECTION", TEN))


def test_a_section_in_doubt_is_a_contradiction():
    spinning = BETS + (started(1),)
    assert "in doubt" in contradiction(*spinning, ended(1, "SECTION", TEN, turns_milli=2999))
    assert after(*spinning, ended(1, "SECTION", TEN, turns_milli=3000)).owed
    assert "in doubt" in contradiction(*spinning, ended(1, "SECTION", TEN, faults=["INDEX_MISMATCH"]))
    assert "another layout" in contradiction(*spinning, ended(1, "SECTION", TEN, layout=bytes(8)))


def test_a_settlement_other_than_the_rules_is_named():
    for key, value in (("section", 1), ("collected", 2999), ("pays", []), ("multiplier", 1), ("test", True)):
        text = contradiction(*DECIDED, ("SETTLED", dict(OWED, **{key: value})))
        assert text.startswith("round 5 was settled with %s " % key), text
    assert "settled out of turn" in contradiction(*BETS, ("SETTLED", OWED))
    assert "settled out of turn" in contradiction(*DECIDED, ("SETTLED", OWED), ("SETTLED", OWED))


def test_wagers_that_the_rules_refuse_are_a_contradiction():
    assert "E-3002 refuses" in contradiction(opened(), wagers([1, "10", 999]))
    assert "E-3006 refuses" in contradiction(*BETS, wagers([1, "10", 1000]))
    assert "other wagers" in contradiction(BETS[0], BETS[1], closed(2, 4001))


def test_records_out_of_their_round_are_a_contradiction():
    assert "while 5 was open" in contradiction(opened(), opened(6))
    assert "came in round 5" in contradiction(opened(), ("ROUND_CLOSED", {"round": 4}))
    assert "without an open round" in contradiction(wagers([1, "1", 1000]))
    assert "before it was settled" in contradiction(*DECIDED, ("ROUND_CLOSED", {"round": 5}))
    assert "another layout" in contradiction(opened(layout=bytes(8)))
    assert "not one of dreamcatcher" in contradiction(opened(game="roulette"))


def test_a_voided_round_returns_all_of_its_wagers():
    void = {"round": 5, "reason": "DEALER", "returned": 4000}
    assert after(*BETS, ("ROUND_VOIDED", void)) is None
    assert "without returning" in contradiction(*BETS, ("ROUND_VOIDED", dict(void, returned=0)))
    assert "after its spin" in contradiction(*DECIDED, ("ROUND_VOIDED", void))
    assert "after its spin" in contradiction(*BETS, started(1), ("ROUND_VOIDED", void))


def test_other_records_change_nothing():
    idle_turn = ended(0, "SECTION", TEN, counted=False, why="READY", round=0)
    assert after(("BOOT", {}), idle_turn, ("TILT", {"tilt": 21})) is None
    current = after(opened(), ended(0, "SECTION", TEN, counted=False, why="BETS_OPEN"), ("TILT", {"tilt": 21}))
    assert current.phase() == "BETS_OPEN"
    assert current.spin == 0


def test_a_test_round_moves_test_meters_only():
    before = no_meters()
    live = metered(before, OWED, 4000)
    assert live["live"] == {"rounds": 1, "wagered_mills": 4000, "paid_mills": 20000}
    assert live["test"] == before["test"] == {"rounds": 0, "wagered_mills": 0, "paid_mills": 0}
    both = metered(live, dict(OWED, test=True), 4000)
    assert both["live"] == live["live"]
    assert both["test"] == live["live"]
    assert before == no_meters()
