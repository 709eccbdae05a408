"""A journal that fills up: rounds are refused in time, a running one stops, and a pull by the host mends it."""

from __future__ import annotations

import pytest
from tabletop.codes import TILTS
from tabletop.link.endpoint import Refused
from tabletop.table.records import TILT_ROOM, Stop

from tests.vm.dealer import TEN, Dealer, Flash, clear
from tests.vm.test_table_wheel import spin, turning


def fill(dealer: Dealer) -> None:
    """The service key is turned until the journal is full: a switch cannot be refused."""
    for _ in range(999):
        if dealer.table.tilts.open:
            return
        dealer.key(True)
        dealer.key(False)
    raise AssertionError("it is never full")


def test_a_full_journal_refuses_rounds_before_it_stops_one() -> None:
    dealer = Dealer(Flash(16))
    codes = []
    for _ in range(100):
        try:
            dealer.open_round([1, "10", 1000])
        except Exception as error:
            codes.append(error.code)
            break
        dealer.spin("SHORT_SPIN", turns_milli=1000)
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
    assert codes == [4003]
    assert dealer.phase == "SETTLED"
    assert not dealer.table.tilts.open
    journal = dealer.table.journal
    last = journal.last
    reply = dealer.send("ANCHOR", number=last, hash=journal.hash_of(last))
    assert 0 < reply["anchored"] < last, "what a restart needs is kept"
    dealer.tick(50, 50)
    dealer.open_round([1, "10", 1000])
    dealer = dealer.again()
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.table.play.round.wagered_mills() == 1000


def test_a_round_that_finds_the_journal_full_stops_and_goes_on_after_a_pull() -> None:
    dealer = Dealer(Flash(16))
    for _ in range(6):
        dealer.open_round([1, "1", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
    dealer.open_round([1, "10", 1000])
    spins = 0
    while dealer.phase != "TILT":
        dealer.spin("SHORT_SPIN", turns_milli=1000)
        spins += 1
        assert spins < 300
    assert list(dealer.table.tilts.open) == [52]
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [52]
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 52))[0] == 4004
    journal = dealer.table.journal
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    dealer.tick(30, 50)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"
    assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]


def test_a_table_that_cannot_record_its_start_does_so_when_there_is_room() -> None:
    dealer = Dealer(Flash(16))
    boots = 1
    while dealer.phase != "TILT":
        dealer = dealer.again()
        boots += 1
        assert boots < 200
    journal = dealer.table.journal
    assert list(dealer.table.tilts.open) == [52]
    dealer = dealer.again()
    journal = dealer.table.journal
    last = journal.last
    dealer.tick(20, 50)
    assert journal.last == last
    assert dealer.phase == "TILT"
    dealer.send("ANCHOR", number=last, hash=journal.head)
    dealer.tick(20, 50)
    names = [name for name, _ in dealer.records()]
    assert names[names.index("ANCHOR") - 1 :] == ["TILT", "ANCHOR", "BOOT", "SELF_TEST"]
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "READY"


def test_many_small_anchors_do_not_use_up_what_is_kept_for_the_one_that_frees_the_ring() -> None:
    dealer = Dealer(Flash(16))
    refused = None
    while refused is None:
        try:
            dealer.open_round([1, "10", 1000])
            dealer.spin("SECTION", TEN)
            dealer.send("SETTLE")
            dealer.pass_time(6000)
        except Refused:
            refused = dealer.refused("OPEN_BETS")
    fill(dealer)
    journal = dealer.table.journal
    last = journal.last
    assert journal.ready() == TILT_ROOM - 1
    for number in range(1, last + 1):
        dealer.send("ANCHOR", number=number, hash=journal.hash_of(number))
    dealer.tick(30, 50)
    assert journal.free() > 0
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}


def anchor(dealer: Dealer) -> int:
    """A host takes everything, and the table rests for a while: how far the anchor is."""
    journal = dealer.table.journal
    anchored = dealer.send("ANCHOR", number=journal.last, hash=journal.head)["anchored"]
    dealer.tick(20, 50)
    return int(anchored)


@pytest.mark.parametrize("what", ["service key", "wheel"])
def test_what_is_recorded_between_rounds_never_fills_a_ring_that_a_host_pulls(what: str) -> None:
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    meters = dealer.last("SETTLED")["meters"]
    for turn in range(3000):
        if what == "service key":
            dealer.key(True)
            dealer.key(False)
        else:
            dealer.spin("SECTION", 3)
        dealer.tick(1, 110)  # the table finds time to erase
        if turn % 20 == 19:
            assert dealer.table.journal.last - anchor(dealer) < 100
        assert not dealer.table.tilts.open, turn
    assert dealer.table.journal.first > 2000
    boots = [payload for name, payload in dealer.records() if name == "BOOT"]
    assert boots
    for payload in boots:
        assert (payload["again"], payload["meters"], payload["round"]) == (True, meters, 1)
    dealer = dealer.again()
    assert (dealer.phase, dealer.table.play.meters, dealer.table.play.number) == ("READY", meters, 1)
    assert dealer.table.records.draws == 0


@pytest.mark.parametrize("wait", [False, True], ids=["at once", "after a restart"])
def test_a_table_that_nobody_anchors_stops_and_a_pull_frees_nearly_all_of_its_ring(wait: bool) -> None:
    dealer = Dealer(Flash(16))
    fill(dealer)
    assert list(dealer.table.tilts.open) == [52]
    if wait:
        dealer = dealer.again()
    last = dealer.table.journal.last
    assert last - anchor(dealer) < 40
    assert dealer.table.journal.free() > 150
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    dealer.open_round([1, "10", 1000])


def test_how_the_table_stands_is_written_again_with_its_open_tilts_and_draws() -> None:
    dealer = Dealer(Flash(16))
    draws = dealer.table.rng.draws()
    for _ in range(5):
        draws.uniform("one", 6)
    dealer.table.stop(21, {"count": 3})
    for _ in range(40):
        dealer.key(True)
        dealer.key(False)
    anchor(dealer)
    assert dealer.last("BOOT")["again"]
    dealer = dealer.again()
    assert dealer.table.tilts.open == {21: {"count": 3}}
    assert dealer.table.records.draws == 5


def test_a_damaged_journal_is_never_summed_up() -> None:
    dealer = Dealer(Flash(16))
    for _ in range(60):
        dealer.key(True)
        dealer.key(False)
    dealer.flash.pages[40] = bytes(256)
    dealer.send("SELF_TEST")
    dealer.tick(5, 50)
    assert 51 in dealer.table.tilts.open
    for _ in range(100):
        dealer.key(True)
        dealer.key(False)
        anchor(dealer)
    assert dealer.table.records.meters_from == 1


def test_a_result_is_not_settled_while_a_tilt_is_open_and_both_are_kept() -> None:
    dealer = Dealer(Flash(16))
    dealer.open_round([1, "10", 1000])
    dealer.push()

    def die() -> None:
        raise MemoryError("made up")

    dealer.table.play.settle_owed = die
    dealer.rest("SECTION", TEN)
    assert list(dealer.table.tilts.open) == [41]
    dealer = dealer.again()
    names = [name for name, _ in dealer.records()]
    assert names[-3:] == ["TILT", "BOOT", "SELF_TEST"]
    journal = dealer.table.journal
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    assert journal.anchored < names.index("ROUND_OPENED") + 1
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [41]
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 41)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "RESULT"
    assert dealer.last("SETTLED")["pays"] == [[1, "10", 1000, 10, 10000, False]]


def test_a_start_that_cannot_be_recorded_twice_is_recorded_when_there_is_room_at_last() -> None:
    dealer = Dealer(Flash(16))
    while dealer.phase != "TILT":
        dealer = dealer.again()
    dealer = dealer.again()
    table, journal = dealer.table, dealer.table.journal
    stand = table.stand

    def full() -> None:
        raise Stop(52)

    table.stand = full
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    dealer.tick(20, 50)
    assert not table.records.started
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 52))[0] == 4004
    table.stand = stand
    dealer.tick(20, 50)
    assert table.records.started
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "READY"


def test_a_tilt_that_comes_when_the_journal_is_full_is_still_open_after_a_restart() -> None:
    dealer = Dealer(Flash(16))
    for _ in range(60):
        dealer.key(True)
        dealer.key(False)
    dealer = dealer.again()  # what a restart needs stays, so records before this one can make room
    fill(dealer)
    assert list(dealer.table.tilts.open) == [52]
    dealer.hal.lights.rim = None  # the lamps die
    dealer.table.show.changed = True
    dealer.pass_time(100)
    assert sorted(dealer.table.tilts.open) == [41, 52]
    dealer = dealer.again()
    assert sorted(dealer.table.tilts.open) == [41, 52]
    assert [payload["tilt"] for name, payload in dealer.records() if name == "TILT"] == [52, 41]
    dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
    dealer.tick(30, 50)
    dealer.key(True)
    for tilt in (52, 41):
        dealer.send("CLEAR_TILT", **clear(dealer, tilt))
    dealer.key(False)
    assert dealer.phase == "READY"


def test_the_room_that_is_kept_for_tilts_holds_every_one_of_them() -> None:
    assert len(TILTS) < TILT_ROOM
    dealer = Dealer(Flash(16))
    fill(dealer)
    for tilt in TILTS:
        dealer.table.tilts.raise_(tilt, {"reason": "x" * 100})
    dealer = dealer.again()
    assert set(dealer.table.tilts.open) == set(TILTS)


def test_no_command_that_may_come_again_and_again_takes_the_room_of_a_round_that_is_open() -> None:
    dealer = Dealer(Flash(16))
    codes = set()
    while 4003 not in codes:
        try:
            dealer.open_round([1, "10", 1000])
            dealer.spin("SECTION", TEN)
            while 4003 not in codes:  # a dispute of the result, again and again
                codes |= {code_of(dealer, "VOID", reason="no")} | {code_of(dealer, "SET_TIME", unix_ms=1)}
        except Refused as refused:
            codes.add(refused.code)
    for name, args in (("VOID", {"reason": "no"}), ("SET_TIME", {"unix_ms": 1})):
        while code_of(dealer, name, **args) != 4003:
            pass
    assert not dealer.table.tilts.open
    dealer.send("SETTLE")
    assert dealer.last("ROUND_CLOSED")
    for name, args in (("OPEN_BETS", {}), ("SET_TIME", {"unix_ms": 1}), ("SELF_TEST", {})):
        dealer.pass_time(6000)
        last = dealer.table.journal.last
        assert code_of(dealer, name, **args) == 4003
        assert dealer.table.journal.last == last
    assert not dealer.table.tilts.open


def code_of(dealer: Dealer, name: str, **args: object) -> int:
    """The code with which a command was refused; 0: it was done."""
    try:
        dealer.send(name, **args)
    except Refused as refused:
        return int(refused.code)
    return 0


def test_case_42_a_thousand_records_in_a_ring_that_is_95_percent_full_never_hold_up_a_wheel() -> None:
    dealer = Dealer(Flash(128))
    flash, hal = dealer.flash, dealer.hal
    while dealer.table.journal.free() > 128 * 16 * 5 // 100:
        dealer.send("SET_TIME", unix_ms=1)
        dealer.tick()
    wheel = turning(dealer)
    spin(dealer, 900)  # the index has been seen
    most = erases = sent = 0
    at_s = [0]
    outcomes: set[tuple[str, tuple[str, ...]]] = set()
    erase = flash.erase

    def at_rest(sector: int) -> None:
        nonlocal erases
        assert not wheel.mechanics.moving, "an erase while the wheel turned"
        assert not dealer.sensor.moving
        erases += 1
        erase(sector)

    flash.erase = at_rest

    def each_second() -> None:
        nonlocal sent, most
        changes, ticks_fed = flash.changes, hal.fed
        if hal.clock.now_ms // 1000 > at_s[0]:
            at_s[0] = hal.clock.now_ms // 1000
            dealer.send("SET_TIME", unix_ms=sent + 1)
            sent += 1
            most = max(most, flash.changes - changes)
        dealer.tick(1, 10)
        assert hal.fed > ticks_fed, "the watchdog starves"

    while sent < 1000:
        journal = dealer.table.journal
        dealer.send("ANCHOR", number=journal.last, hash=journal.head)
        dealer.tick(12, 110)
        section = spin(dealer, 900 + sent % 200, 10, each_second)
        ended = dealer.last("SPIN")
        assert ended.get("section", section) == section, "counts were lost"
        outcomes.add((ended["outcome"], tuple(ended["faults"])))
        assert not dealer.table.tilts.open
    assert outcomes == {("SECTION", ()), ("BETWEEN_SECTIONS", ())}
    assert most == 1, "an append of one page is one program, however full the ring"
    assert erases > 30
