"""Tilts: what stops play, what goes on, who may clear, and what a restart finds."""

from tabletop.digest import hmac_sha256
from tabletop.link import schema

try:
    from tests.vm.dealer import DEVICE_KEY, START, TEN, Dealer, clear
except ImportError:
    from dealer import DEVICE_KEY, START, TEN, Dealer, clear


def tilted():
    """A table whose sensors disagreed in three spins."""
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    for _ in range(3):
        dealer.spin("FAULT", faults=["INDEX_MISMATCH"])
    assert dealer.phase == "TILT"
    assert dealer.table.tilts.open == {21: {"count": 3}}
    return dealer


def broken(dealer, part):
    """The next time the table needs this part it dies."""

    def die(*_):
        raise ZeroDivisionError("made up")

    setattr(part[0], part[1], die)
    dealer.tick()


def test_three_sensor_faults_in_a_row_are_a_tilt_and_two_are_not():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    for outcome, faults, phase in (
        ("FAULT", ["INDEX_MISMATCH"], "NO_MORE_BETS"), ("FAULT", ["CLAPPER_STUCK"], "NO_MORE_BETS"),
        ("SHORT_SPIN", [], "NO_MORE_BETS"), ("FAULT", ["INDEX_MISMATCH"], "NO_MORE_BETS"),
        ("FAULT", ["OBSTRUCTED"], "NO_MORE_BETS"), ("FAULT", ["ENCODER_ILLEGAL", "OBSTRUCTED"], "NO_MORE_BETS"),
        ("FAULT", ["OBSTRUCTED"], "NO_MORE_BETS"), ("FAULT", ["INDEX_MISMATCH"], "TILT"),
    ):  # fmt: skip
        dealer.spin(outcome, faults=faults)
        assert dealer.phase == phase
    assert dealer.last("TILT") == {"tilt": 21, "detail": {"count": 3}}
    dealer.tick(200)
    assert dealer.hal.lights.texts[0] == "t-21"
    assert dealer.hal.lights.state == "tilt"


def test_a_tilt_stops_play_and_nothing_else():
    dealer = tilted()
    for name, args in (
        ("OPEN_BETS", {}), ("WAGER", {"bets": []}), ("NO_MORE_BETS", {}), ("VOID", {"reason": ""}), ("SETTLE", {}),
        ("TEST_MODE", {"on": True}),
    ):  # fmt: skip
        assert dealer.refused(name, **args) == (4002, {"tilt": 21})
    assert dealer.send("STATUS")["tilts"] == [21]
    assert dealer.send("PING")["uptime_ms"] > 0
    dealer.press(START)
    assert dealer.phase == "TILT"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "TILT"
    assert dealer.last("SPIN")["why"] == "TILT"
    assert not dealer.last("SPIN")["counted"]


def test_clearing_needs_a_fresh_signature_and_the_service_key():
    dealer = tilted()
    assert dealer.refused("CLEAR_TILT", tilt=21, operator="ann") == (1008, {})
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 21)) == (1009, {})
    dealer.key(True)
    assert dealer.phase == "SERVICE"
    wrong = clear(dealer, 21, bytes(32))
    assert dealer.refused("CLEAR_TILT", **wrong) == (1008, {})
    signed = clear(dealer, 21)
    assert dealer.refused("CLEAR_TILT", **dict(signed, operator="bob")) == (1008, {})
    assert dealer.refused("CLEAR_TILT", **signed) == (1008, {}), "a challenge is used up by any try"
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 22))[0] == 4005
    signed = clear(dealer, 21)
    assert dealer.send("CLEAR_TILT", **signed) == {"tilts": []}
    assert dealer.refused("CLEAR_TILT", **signed)[0] == 1008
    assert dealer.last("TILT_CLEARED") == {"tilt": 21, "operator": "ann"}


def test_after_clearing_the_very_round_goes_on():
    dealer = tilted()
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 21))
    assert dealer.phase == "SERVICE"
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"
    assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]


def test_a_tilt_survives_a_restart_and_so_does_its_clearing():
    dealer = tilted().again()
    assert dealer.phase == "TILT"
    assert dealer.send("STATUS")["tilts"] == [21]
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert dealer.last("BOOT")["tilts"] == [21]
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 21))
    dealer = dealer.again()
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.table.tilts.open == {}


def test_service_comes_and_goes_with_the_key_between_rounds_only():
    dealer = Dealer()
    dealer.key(True)
    assert dealer.phase == "SERVICE"
    assert dealer.last("SERVICE") == {"on": True}
    assert dealer.refused("OPEN_BETS")[0] == 4001
    dealer.spin("SECTION", TEN)
    assert dealer.last("SPIN")["why"] == "SERVICE"
    assert dealer.send("SELF_TEST")["passed"]
    assert dealer.phase == "SERVICE"
    dealer.key(False)
    assert dealer.phase == "READY"
    assert dealer.last("SERVICE") == {"on": False}
    dealer.send("OPEN_BETS")
    dealer.key(True)
    assert dealer.phase == "BETS_OPEN"


def test_a_part_that_dies_stops_play_is_named_and_stays_off():
    for part, owner in (("wheel", "poll"), ("sensing", "tick"), ("inputs", "read"), ("lights", "rim")):
        dealer = None  # the one before goes first: the VM has little memory
        dealer = Dealer()
        dealer.open_round([1, "10", 1000])
        dealer.push()
        dealer.table.show.changed = True
        dealer.tick(5)
        dealer.table.show.changed = True
        broken(dealer, (dealer.sensor if part == "sensing" else getattr(dealer.hal, part), owner))
        dealer.tick(5)
        assert dealer.phase == "TILT", part
        detail = dealer.last("TILT")["detail"]
        assert detail == {"task": part, "reason": "ZeroDivisionError made up"}
        spin = dealer.last("SPIN")
        assert (spin["counted"], spin["why"], spin["turns_milli"]) == (False, "TILT", 600)
        assert dealer.send("STATUS")["tilts"] == [41]
        before = dealer.table.journal.last
        dealer.tick(20)
        assert dealer.table.journal.last == before
        assert dealer.table.dead == [part]
        dealer.rest("SECTION", TEN)
        assert dealer.phase == "TILT"


def test_a_dead_part_cannot_be_cleared_before_a_restart():
    dealer = Dealer()
    broken(dealer, (dealer.sensor, "tick"))
    dealer.key(True)
    code, detail = dealer.refused("CLEAR_TILT", **clear(dealer, 41))
    assert code == 4004
    assert detail["reason"] == "sensing has stopped; restart the table"
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 41)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "READY"


def once(owner, name, error):
    """Makes a method fail the next time."""
    real = getattr(owner, name)

    def fail(*args):
        setattr(owner, name, real)
        raise error

    setattr(owner, name, fail)


def test_after_clearing_memory_is_not_trusted_only_the_journal():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    once(dealer.table.play, "spin_void", MemoryError("made up"))
    dealer.table.stop(43, {"test": "none", "reason": "made up"})
    assert dealer.last("SPIN_STARTED")["spin"] == 1
    assert "SPIN" not in dealer.kinds()
    dealer.rest("SECTION", TEN)
    dealer.table.play.number = 99
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 43))
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    spins = [payload for name, payload in dealer.records() if name == "SPIN" and payload["spin"]]
    assert [(spin["spin"], spin["counted"], spin["why"]) for spin in spins] == [(1, False, "TILT")]
    dealer.spin("SECTION", TEN)
    assert dealer.last("SETTLED")["round"] == 1


def test_a_signature_without_a_challenge_is_worth_nothing():
    dealer = tilted()
    dealer.key(True)
    args = {"tilt": 21, "operator": "ann"}
    args["mac"] = hmac_sha256(DEVICE_KEY, schema.to_sign(b"", schema.number_of("CLEAR_TILT"), args))
    assert dealer.refused("CLEAR_TILT", **args) == (1008, {})


def test_a_link_that_dies_again_and_again_is_one_tilt_and_leaves_the_lamps_alive():
    dealer = Dealer()
    serve = dealer.table.links.serve

    def die(*_):
        raise ZeroDivisionError("made up")

    dealer.table.links.serve = die
    dealer.tick(300)
    assert dealer.phase == "TILT"
    assert dealer.hal.lights.texts[0] == "t-41"
    assert [name for name, _ in dealer.records()].count("TILT") == 1
    dealer.table.links.serve = serve
    dealer.tick(100)
    assert not dealer.table.dead


def test_a_link_that_dies_after_a_refused_command_is_the_link_that_died():
    dealer = Dealer()
    links = dealer.table.links

    def serve(now_ms, line_ms):
        assert dealer.refused("SETTLE")[0] == 4001
        raise ValueError("made up")

    links.serve = serve
    dealer.tick()
    assert dealer.last("TILT")["detail"]["task"] == "link"


def test_what_dies_in_service_leaves_the_table_in_service():
    dealer = Dealer()
    dealer.key(True)
    broken(dealer, (dealer.hal.lights, "rim"))
    dealer.table.show.changed = True
    dealer.tick(10)
    assert list(dealer.table.tilts.open) == [41]
    assert dealer.phase == "SERVICE"
    assert dealer.kinds() == ["SERVICE", "TILT"]
    dealer.key(False)
    assert dealer.phase == "TILT"
