"""A journal that fills up: rounds are refused in time, a running one stops, and a pull by the host mends it."""

from __future__ import annotations

import contextlib

from tabletop.link.endpoint import Refused

from tests.vm.dealer import TEN, Dealer, Flash, clear


def test_a_full_journal_refuses_rounds_before_it_stops_one() -> None:
    dealer = Dealer(Flash(5))
    codes = []
    for _ in range(12):
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
    dealer = Dealer(Flash(6))
    for _ in range(2):
        dealer.open_round([1, "1", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
    dealer.open_round([1, "10", 1000])
    spins = 0
    while dealer.phase != "TILT":
        dealer.spin("SHORT_SPIN", turns_milli=1000)
        spins += 1
        assert spins < 60
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
    dealer = Dealer(Flash(5))
    boots = 1
    while dealer.phase != "TILT":
        dealer = dealer.again()
        boots += 1
        assert boots < 40
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
    assert names[names.index("ANCHOR") :] == ["ANCHOR", "BOOT", "TILT", "SELF_TEST"]
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.phase == "READY"


def test_many_small_anchors_do_not_use_up_what_is_kept_for_the_one_that_frees_the_ring() -> None:
    dealer = Dealer(Flash(8))
    refused = None
    while refused is None:
        try:
            dealer.open_round([1, "10", 1000])
            dealer.spin("SECTION", TEN)
            dealer.send("SETTLE")
            dealer.pass_time(6000)
        except Refused:
            refused = dealer.refused("OPEN_BETS")
    while not dealer.table.tilts.open:
        with contextlib.suppress(Refused):
            dealer.send("SET_TIME", unix_ms=1)
    journal = dealer.table.journal
    last = journal.last
    assert journal.ready() == 0
    for number in range(1, last + 1):
        dealer.send("ANCHOR", number=number, hash=journal.hash_of(number))
    dealer.tick(30, 50)
    assert journal.free() > 0
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}


def test_an_open_tilt_is_kept_though_the_round_was_settled_after_it() -> None:
    dealer = Dealer(Flash(6))
    dealer.open_round([1, "10", 1000])
    dealer.push()

    def die() -> None:
        raise MemoryError("made up")

    dealer.table.play.settle_owed = die
    dealer.rest("SECTION", TEN)
    assert list(dealer.table.tilts.open) == [41]
    dealer = dealer.again()
    names = [name for name, _ in dealer.records()]
    assert names[-3:] == ["BOOT", "SELF_TEST", "SETTLED"]
    journal = dealer.table.journal
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    assert journal.anchored < names.index("ROUND_OPENED") + 1
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [41]
