"""A round that stays open through many restarts: it ends, its log replays, and so does a log without its beginning.

`LONG=n` makes n times as many restarts; with 3 every round sees 1,500 or more.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from tabletop import cbor
from tabletop.journal import fields, kinds
from tabletop.rules.rounds import Round
from wheelwright.logbook.held import same
from wheelwright.replay import OF_A_ROUND, Played, Summary, replay

from tests.unit.test_game_power_cuts import TornFlash
from tests.vm import seated_table
from tests.vm.bonus_table import GAMES, act, begun, finish
from tests.vm.dealer import NAMES, TEN, Dealer, Flash, Hal, PowerCut, clear
from tests.vm.seated_table import ROUNDS
from tests.vm.test_table_held import followed, held, told

RESTARTS = 500 * int(os.environ.get("LONG", "1"))
Records = list[tuple[int, str, dict[str, Any]]]


class Host:
    """Pulls the whole log, anchors it, and gives the table time to erase."""

    def __init__(self) -> None:
        self.records: Records = []

    def pull(self, dealer: Dealer) -> None:
        journal = dealer.table.journal
        last = self.records[-1][0] if self.records else 0
        assert journal.first <= last + 1, "a record was erased that no host has"
        self.records += numbered(dealer, last + 1)
        dealer.send("ANCHOR", number=journal.last, hash=journal.head)
        dealer.tick(6, 110)


class Counting(Flash):
    """A flash that counts its reads, of all tables on it."""

    reads = 0

    def read(self, address: int, buf: Any) -> None:
        Counting.reads += 1
        super().read(address, buf)


def numbered(dealer: Dealer, first: int = 1) -> Records:


    return [(one.number, NAMES[one.kind], cbor.loads(one.payload)) for one in dealer.table.journal.records(first)]


def replayed(records: Records) -> tuple[list[Played], Summary]:
    summary = Summary()
    return list(replay(records, summary)), summary


def table_of(game: str, sectors: int) -> Dealer:
    if game == "wager":
        dealer = Dealer(Counting(sectors))
        dealer.open_round([1, "10", 1000], [2, "1", 2000])
        return dealer
    dealer = Dealer(Counting(sectors), game=game, tiles=512)
    begun(dealer)
    while dealer.table.play.round.state["phase"] != "SPIN":
        act(dealer)
    return dealer


def restart(dealer: Dealer) -> Dealer:
    """The power goes, within a spin where one is awaited."""
    if dealer.phase in ("NO_MORE_BETS", "BONUS") and dealer.table.play.round.state["phase"] == "SPIN":
        dealer.push()
    return dealer.again()


def end(dealer: Dealer, game: str) -> dict[str, Any]:
    """The round comes to its end: its settlement."""
    if game != "wager":
        return dict(finish(dealer))
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    return dict(dealer.last("SETTLED"))


def paid(settled: dict[str, Any], game: str) -> None:
    if game == "wager":
        assert settled["pays"] == [[1, "10", 1000, 10, 10000, False]]
    else:
        assert [pay[:3] for pay in settled["pays"]] == [[1, pay[1], 5000] for pay in settled["pays"][:1]] + [
            [3, pay[1], 2000] for pay in settled["pays"][1:]
        ]


@pytest.mark.parametrize("game", ["wager", "wonderspins"])
def test_restarts_in_one_round_never_fill_a_ring_that_a_host_pulls(game: str) -> None:
    dealer, host = table_of(game, 32), Host()
    state = dealer.table.play.round.state
    for number in range(RESTARTS):
        Counting.reads = 0
        dealer = restart(dealer)
        assert Counting.reads < 900, "a start reads more and more"
        assert not dealer.table.tilts.open
        assert dealer.table.play.round.state == state
        journal = dealer.table.journal
        assert journal.last - dealer.table.records.round_opened < 150
        if number % 25 == 24:
            host.pull(dealer)
    settled = end(dealer, game)
    paid(settled, game)
    host.pull(dealer)
    for _, name, payload in host.records:
        fields.check(getattr(kinds, name), payload)
    rounds, summary = replayed(host.records)
    assert (summary.rounds, summary.settled, summary.skipped) == (1, 1, 0)
    assert rounds[0].settled == settled
    assert dealer.table.journal.first > 2 * RESTARTS
    rounds, summary = replayed(numbered(dealer))
    assert (summary.rounds, summary.settled, summary.first_problem) == (1, 1, None)
    assert (rounds[0].settled, rounds[0].bets) == (settled, state["bets"])
    draws = [payload["number"] for _, name, payload in host.records if name == "DRAW"]
    assert draws == list(range(1, len(draws) + 1)), "a draw twice, or one skipped"


@pytest.mark.parametrize("game", ["wager", "wonderspins"])
def test_restarts_in_one_round_that_no_host_pulls_stop_the_table_until_one_does(game: str) -> None:
    dealer = table_of(game, 128)
    state = dealer.table.play.round.state
    for _ in range(3 * RESTARTS):
        dealer = restart(dealer)
    assert list(dealer.table.tilts.open) == [52]
    assert dealer.table.journal.first == 1, "nothing is erased that no host has"
    Host().pull(dealer)
    dealer.tick(30, 50)
    dealer.key(True)
    assert dealer.send("CLEAR_TILT", **clear(dealer, 52)) == {"tilts": []}
    dealer.key(False)
    assert dealer.table.play.round.state == state
    assert dealer.table.journal.free() > 1500
    paid(end(dealer, game), game)


@pytest.mark.parametrize("game", GAMES)
def test_at_every_record_of_a_game_what_is_held_gives_the_same_round(game: str) -> None:
    dealer = Dealer(Flash(32), game=game, tiles=512)
    begun(dealer)
    finish(dealer)
    records = [one for one in dealer.records() if one[0] in OF_A_ROUND]
    for n in range(1, len(records)):
        once, _ = held(records[:n])
        assert told(followed(once)) == told(followed(records[:n]))
    _, chunks = held(records)
    assert 4 * chunks < len(records), "it is much shorter"


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_at_every_record_of_a_wager_what_is_held_gives_the_same_round(game: str) -> None:
    dealer = seated_table.table_of(game, 32)
    dealer.send("OPEN_BETS")
    seat = ROUNDS[game][0][0][0]
    for on in (True, False, True, False) if game in seated_table.METERED else ():
        seated_table.chip(dealer, seat, on)
    seated_table.finish(dealer)
    records = [
        one for one in dealer.records()
        if one[0] in OF_A_ROUND and one[1].get("round") == 1 and "again" not in one[1]
    ]  # fmt: skip
    for n in range(1, len(records)):
        once, _ = held(records[:n])
        one, other = followed(once), followed(records[:n])
        assert one is not None
        assert other is not None
        assert same(one, other), records[n - 1]
    names = [name for name, _ in once]
    assert names.count("WAGERS") == 1


def far_reaching(left: int) -> tuple[TornFlash, Round]:
    """A flash with a bonus game whose next start holds it, and that round."""
    dealer = Dealer(TornFlash(32), game="wonderspins", tiles=512)
    dealer.flash.left = left
    begun(dealer)
    while dealer.table.play.round.state["phase"] != "SPIN":
        act(dealer)
    round_ = dealer.table.play.round
    while dealer.table.journal.last < dealer.table.records.round_opened + 120:
        dealer.table.records.write(13, {"unix_ms": 1, "was_ms": 0})
    return dealer.flash, round_


@pytest.mark.parametrize("left", [0, 100, 256])
def test_a_cut_at_any_operation_of_a_start_that_holds_a_game_keeps_it_and_its_draws(left: int) -> None:
    flash, round_ = far_reaching(left)
    pages, vault = flash.pages, flash.vault
    cut_at = held_at = 0
    while True:
        cut_at += 1
        flash = TornFlash(32)
        flash.pages, flash.vault, flash.left = list(pages), vault, left
        flash.cut_at = cut_at
        try:
            dealer = Dealer(flash, Hal(flash, game="wonderspins", tiles=512))
        except PowerCut:
            flash.cut_at = 1 + cut_at % 5
            try:
                Dealer(flash, Hal(flash, game="wonderspins", tiles=512))
            except PowerCut:
                pass
            flash.cut_at = 0
            dealer = Dealer(flash, Hal(flash, game="wonderspins", tiles=512))
        else:
            break
        found = dealer.table.play.round
        assert (found.state, found.spin) == (round_.state, round_.spin)
        held_at += dealer.table.records.round_opened > 100
        assert [name for _, name, _ in numbered(dealer)].count("DRAW") == dealer.table.records.draws
    assert held_at == cut_at - 1
    assert cut_at > 10
    _, summary = replayed(numbered(dealer))
    assert (summary.open, summary.first_problem) == (1, None)


def test_a_round_that_was_held_otherwise_than_it_was_played_is_named_by_the_host() -> None:
    dealer = Dealer(far_reaching(0)[0], game="wonderspins", tiles=512)
    records = numbered(dealer)
    at = next(n for n, (_, name, _) in enumerate(records) if name == "ROUND_HELD")
    data = bytes(records[at][2]["data"])
    assert data.count(b"\x19\x13\x88") == 1, "5,000 mills of seat 1"
    for changed in (data.replace(b"\x19\x13\x88", b"\x19\x13\x89"), data[:-1], b"", b"\xff" * 9):
        broken = list(records)
        broken[at] = (*records[at][:2], {"round": 1, "data": changed})
        _, summary = replayed(broken)
        assert summary.different == 1, changed
        assert summary.first_problem


def test_held_records_without_the_boot_behind_them_hold_nothing() -> None:
    dealer = Dealer(far_reaching(0)[0], game="wonderspins", tiles=512)
    records = numbered(dealer)
    at = next(n for n, (_, name, _) in enumerate(records) if name == "ROUND_HELD")
    front_gone = records[at:]
    assert replayed(front_gone)[1].open == 1
    without = [one for one in front_gone if not (one[1] == "BOOT" and one[2].get("again"))]
    assert replayed([(n, *one[1:]) for n, one in enumerate(without, 500)])[1].open == 0
