"""Whole tables linked to one meter: what their journals say is in the ledger once, and a win is paid as it says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql
from tabletop.journal.record import decode
from tabletop.link import endpoint
from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.logbook.store import Store
from wheelwright.meters import ledger
from wheelwright.meters.audit import audit
from wheelwright.meters.books import Books
from wheelwright.meters.house import Desk, rejoin
from wheelwright.meters.reading import linkable, reader

from tests.vm.dealer import DEVICE_KEY, PowerCut, configuration
from tests.vm.seated_table import give, table_of, told

GAME = "match_the_dealer"
SETTINGS = {**match.DEFAULTS}
NAME = "house"


class Linked:
    """A real table, as a desk sees it through its client."""

    def __init__(self, number: int, linked: str) -> None:
        self.hello = SimpleNamespace(serial=f"WW-{number:04}")
        self.dealer: Any = table_of(GAME, sectors=64)
        self.sent = 0
        self.send: Any = None
        self.away = False
        self.configure(linked=linked)

    def check(self) -> None:
        if self.away:
            raise WheelwrightError(7006, port="bench", reason="pulled")

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        self.check()
        try:
            reply = self.dealer.send(name, **args)
        except endpoint.Refused as refused:
            raise Refused(refused.code, **refused.detail) from None
        self.flush()
        return dict(reply)

    def subscribe(self, cursor: int, on_record: Any, _on_gap: Any = None) -> dict[str, Any]:
        self.check()
        self.send, self.sent = on_record, cursor - 1
        self.flush()
        return {"first": 1, "last": self.dealer.table.journal.last}

    def flush(self) -> None:
        journal = self.dealer.table.journal
        while self.send is not None and not self.away and self.sent < journal.last:
            self.sent += 1
            self.send(self.sent, bytes(journal.read(self.sent)))

    # what people do

    def configure(self, **settings: Any) -> None:
        """With key and signature: so a table joins a meter, or leaves it."""
        self.dealer.pass_time(6000)
        self.dealer.key(True)
        self.dealer.send("CONFIGURE", **configuration(self.dealer, {"game": GAME, **settings}))
        self.dealer.key(False)
        self.flush()

    def deal(self, wins: bool, seats: int) -> None:
        """A round up to the validation of its win, if it has one."""
        bets = [[seat, match.SPOTS[0], 1000] for seat in range(1, seats + 1)]
        self.dealer.pass_time(100)
        self.dealer.send("OPEN_BETS")
        self.dealer.send("WAGER", bets=bets)
        self.dealer.send("NO_MORE_BETS")
        give(self.dealer, "chips", seats, "D1")
        for seat in range(1, seats + 1):
            give(self.dealer, "hand", seat, "AS AS" if wins and seat == 1 else "3S 4S")
        give(self.dealer, "dealt", "AS")
        if wins:
            give(self.dealer, "validate", 1, "F1")
        self.finish()
        self.flush()

    def finish(self) -> None:
        """Ends the round, unless it waits for its award."""
        dealer = self.dealer
        round_ = dealer.table.play.round
        if round_ is None:
            return
        if [win for win in round_.state["wins"] if win[2] == 1]:
            give(dealer, "documented", 1)
        if dealer.phase == "RESULT":
            dealer.send("SETTLE")
        self.flush()

    def waits(self) -> bool:
        round_ = self.dealer.table.play.round
        return round_ is not None and bool(round_.state.get("claims")) and not round_.state.get("awards")

    def power_cut(self) -> None:
        self.dealer = self.dealer.again()
        self.send = None

    def raws(self) -> list[bytes]:
        journal = self.dealer.table.journal
        return [bytes(journal.read(number)) for number in range(1, journal.last + 1)]


@pytest.fixture
def books(tmp_path: Path) -> Books:
    made = Books(tmp_path / "ledger.db", create=True)
    made.open(NAME, GAME, match.parameters(SETTINGS), test=False)
    return made


def desk_of(table: Linked, books: Books) -> Desk:
    return Desk(table, books, NAME, reader(books.linked(NAME)), [bytes(32), DEVICE_KEY])  # type: ignore[arg-type]


def joined(books: Books, number: int, name: str = NAME) -> Linked:
    """A table that has joined a meter."""
    return Linked(number, books.linked(name).identity)


def serve(desk: Desk, books: Books, name: str = NAME) -> None:
    desk.take()
    desk.award()
    desk.take()
    desk.show(books.linked(name).meter["current"])


def test_three_tables_share_a_meter_and_a_win_takes_what_all_have_added(books: Books, tmp_path: Path) -> None:
    tables = [joined(books, number) for number in (1, 2, 3)]
    desks = [desk_of(table, books) for table in tables]
    for desk in desks:
        serve(desk, books)
    for table, desk in zip(tables, desks, strict=True):
        table.deal(wins=False, seats=2)
        serve(desk, books)
    # the seed of $1,000, and 15 % of six wagers of $1
    assert [table.dealer.send("STATUS")["meter_mills"] for table in tables] == [1000300, 1000600, 1000900]
    tables[0].deal(wins=True, seats=1)
    assert tables[0].waits()
    serve(desks[0], books)
    tables[0].finish()
    assert tables[0].dealer.last("SETTLED")["pays"] == [[1, "SLIP", 1000, 0, 1001050, False]]
    for desk in desks:
        serve(desk, books)
    assert {table.dealer.send("STATUS")["meter_mills"] for table in tables} == {books.linked(NAME).meter["current"]}
    assert books.check(NAME) == 3 + 4 + 1 + 1
    with Store.open(tmp_path / "log.db", create=True) as store:
        for table in tables:
            store.add(table.hello.serial, table.raws())
        assert audit(books, NAME, store) == {"WW-0001": 5, "WW-0002": 2, "WW-0003": 2}
        with books._transaction() as connection:
            connection.exec_driver_sql("UPDATE linked_entries SET mills = mills + 1 WHERE line = 5")
        with pytest.raises(WheelwrightError, match="E-8211"):
            audit(books, NAME, store)


@pytest.mark.parametrize(
    "column", ["what", "record", "mills", "wagers", "percent", "round", "seat", "head", "known", "note"]
)
def test_the_audit_holds_every_field_that_a_log_proves(books: Books, tmp_path: Path, column: str) -> None:
    table, other = joined(books, 1), joined(books, 2)
    desk = desk_of(table, books)
    serve(desk, books)
    table.deal(wins=True, seats=2)
    serve(desk, books)
    table.finish()
    serve(desk, books)
    identity = books.linked(NAME).identity
    other.configure(linked=identity, wager_mills=5000)
    other.dealer.send("LINKED", **told(other.dealer, 1, meter=identity))
    other.dealer.send("OPEN_BETS")
    with pytest.raises(WheelwrightError, match=r"E-8203.*WW-0002"):
        desk_of(other, books).take()
    # A line's columns that its log says nothing of: what a win is worth is the ledger's own.
    unsaid = {("WIN", "mills")}
    if column == "note":
        unsaid |= {(what, "note") for what in ("JOINED", "CONTRIBUTION", "WIN", "AWARD")}
    with Store.open(tmp_path / "log.db", create=True) as store:
        for one in (table, other):
            store.add(one.hello.serial, one.raws())
        lines = audit(books, NAME, store)
        assert (lines, sum(lines.values())) == ({"WW-0001": 4, "WW-0002": 2}, 6)
        whats = [line.what for line in books.entries(NAME)]
        assert sorted(whats) == ["AWARD", "CONTRIBUTION", "DISPUTE", "JOINED", "JOINED", "WIN"]
        for number, what in enumerate(whats, 1):
            with books._transaction() as connection:
                read = sql.text(f"SELECT {column} FROM linked_entries WHERE line = {number}")
                was = connection.execute(read).scalar_one()
                change = sql.text(f"UPDATE linked_entries SET {column} = :to WHERE line = {number}")
                connection.execute(change, {"to": was + 1 if isinstance(was, int) else was[:-1] if was else "x"})
            if (what, column) in unsaid:
                audit(books, NAME, store)
            else:
                with pytest.raises(WheelwrightError, match="E-8211"):
                    audit(books, NAME, store)
            with books._transaction() as connection:
                connection.execute(change, {"to": was})


def test_tables_that_drop_out_and_are_cut_off_lose_nothing(books: Books) -> None:
    draw = random.Random(5)
    tables = [joined(books, number) for number in (1, 2, 3)]
    desks: dict[int, Desk] = {}
    added = wins = cuts = pulls = 0
    for _ in range(300):
        at = draw.randrange(3)
        table = tables[at]
        what = draw.random()
        if what < 0.1:
            table.power_cut()
            desks.pop(at, None)
            cuts += 1
        elif what < 0.25:
            table.away = not table.away
            desks.pop(at, None)
            pulls += 1
        elif what < 0.6 and not table.away:
            try:
                desks[at] = desks.get(at) or desk_of(table, books)
                serve(desks[at], books)
            except WheelwrightError:
                desks.pop(at, None)
        elif not table.waits():
            table.finish()
            if not table.dealer.table.bonus._away():
                won = draw.random() < 0.3
                wins += won
                added += 2
                table.deal(wins=won, seats=2)
    for table in tables:
        table.away = False
        desk = desk_of(table, books)
        serve(desk, books)
        table.finish()
        serve(desk, books)
    assert min(added, wins, cuts, pulls) > 5
    meter = books.linked(NAME).meter
    assert (meter["wagers"], meter["wagered"], meter["wins"]) == (added, added * 1000, wins)
    books.check(NAME)
    paid = sum(
        row[4] for table in tables for kind, told in table.dealer.records() if kind == "SETTLED" for row in told["pays"]
    )
    assert paid == meter["won"]


def test_a_power_cut_at_every_change_of_the_flash_of_a_linked_win(tmp_path: Path) -> None:
    cut_at = 0
    while True:
        cut_at += 1
        books = Books(tmp_path / f"{cut_at}.db", create=True)
        books.open(NAME, GAME, match.parameters(SETTINGS), test=False)
        table = joined(books, 1)
        serve(desk_of(table, books), books)
        cuts = 0
        table.dealer.flash.cut_at = cut_at
        while not [1 for kind, _ in table.dealer.records() if kind == "ROUND_CLOSED"]:
            try:
                go_on(table, books)
            except PowerCut:
                cuts += 1
                table.power_cut()
        table.dealer.flash.cut_at = 0
        serve(desk_of(table, books), books)
        meter = books.linked(NAME).meter
        assert (meter["wagers"], meter["wins"], meter["won"]) == (2, 1, 1_000_300), cut_at
        settled = [told for kind, told in table.dealer.records() if kind == "SETTLED"]
        assert [told["pays"] for told in settled] == [[[1, "SLIP", 1000, 0, 1_000_300, False]]], cut_at
        books.check(NAME)
        if not cuts:
            break
    print(f"a linked win: {cut_at - 1} cut points")
    assert cut_at > 15


def go_on(table: Linked, books: Books) -> None:
    """The next thing of a round of two wagers in which seat 1 wins the meter, wherever it stands."""
    dealer = table.dealer
    round_ = dealer.table.play.round
    if round_ is None:
        serve(desk_of(table, books), books)
        dealer.send("OPEN_BETS")
        return
    state = round_.state
    if dealer.phase == "RESULT":
        dealer.send("SETTLE")
    elif state["phase"] == "BETS":
        if state["bets"]:
            dealer.send("NO_MORE_BETS")
        else:
            dealer.send("WAGER", bets=[[seat, match.SPOTS[0], 1000] for seat in (1, 2)])
    elif state["phase"] == "COUNT":
        give(dealer, "chips", 2, "D1")
    elif len(state["hands"]) < 2:
        seat = len(state["hands"]) + 1
        give(dealer, "hand", seat, "AS AS" if seat == 1 else "3S 4S")
    elif not state["dealt"]:
        give(dealer, "dealt", "AS")
    elif not state.get("claims"):
        give(dealer, "validate", 1, "F1")
    elif not state.get("awards"):
        serve(desk_of(table, books), books)
    else:
        give(dealer, "documented", 1)


def test_rounds_of_the_other_mode_and_of_tables_that_are_not_linked_are_none_of_its(books: Books) -> None:
    books.open("for tests", GAME, match.parameters(SETTINGS), test=True)
    live = joined(books, 1, "for tests")
    desk = Desk(live, books, "for tests", reader(books.linked("for tests")), [DEVICE_KEY])  # type: ignore[arg-type]
    desk.take()
    with pytest.raises(WheelwrightError, match=r"E-8212.*WW-0001.*test cannot be True"):
        desk.show(1)
    assert live.dealer.refused("OPEN_BETS")[0] == 4014
    alone = Linked(2, "")
    alone.deal(wins=False, seats=1)
    desk = desk_of(alone, books)
    desk.take()
    assert not books.entries(NAME)
    with pytest.raises(WheelwrightError, match=r"E-8212.*WW-0002"):
        desk.show(1)


def test_a_table_with_other_parameters_opens_no_round_until_it_is_configured_rightly(books: Books) -> None:
    table, identity = joined(books, 1), books.linked(NAME).identity
    table.configure(linked=identity, wager_mills=5000)
    desk = desk_of(table, books)
    desk.take()
    with pytest.raises(WheelwrightError, match=r"E-8212.*parameters cannot be"):
        desk.show(1)
    assert table.dealer.refused("OPEN_BETS")[0] == 4014
    table.configure(linked=identity)
    serve(desk, books)
    table.deal(wins=False, seats=1)
    desk.take()
    assert [line.what for line in books.entries(NAME)] == ["JOINED", "CONTRIBUTION"]


def test_a_round_that_says_it_is_of_the_meter_and_cannot_be_is_on_no_meter_and_stops_its_table(books: Books) -> None:
    table, identity = joined(books, 1), books.linked(NAME).identity
    table.configure(linked=identity, wager_mills=5000)
    table.dealer.send("LINKED", **told(table.dealer, 1, meter=identity))  # as only a forger with the key would
    table.dealer.send("OPEN_BETS")
    desk = desk_of(table, books)
    with pytest.raises(WheelwrightError, match=r"E-8203.*WW-0001.*round 1"):
        desk.take()
    assert [line.what for line in books.entries(NAME)] == ["JOINED", "DISPUTE"]
    assert books.linked(NAME).meter["wagers"] == 0


def test_a_key_that_is_not_the_tables_is_no_proof(books: Books) -> None:
    table = joined(books, 1)
    desk = Desk(table, books, NAME, reader(books.linked(NAME)), [bytes(32)])  # type: ignore[arg-type]
    with pytest.raises(WheelwrightError, match=r"E-8204.*WW-0001"):
        desk.show(1)


def test_what_a_table_did_before_it_joined_and_after_it_left_is_on_no_other_meter(books: Books, tmp_path: Path) -> None:
    # a fresh look: a new ledger counted the old contributions of a table once more, and took an old win off its meter
    books.open("second", GAME, match.parameters(SETTINGS), test=False)
    table = Linked(1, "")
    table.deal(wins=False, seats=4)
    played = {NAME: 0, "second": 0}
    for name, seats in ((NAME, 1), ("second", 2), (NAME, 3)):
        table.configure(linked=books.linked(name).identity)
        desk = Desk(table, books, name, reader(books.linked(name)), [DEVICE_KEY])  # type: ignore[arg-type]
        for wins in (False, True):
            serve(desk, books, name)
            table.deal(wins=wins, seats=seats)
            played[name] += seats
            serve(desk, books, name)
            table.finish()
        table.send = None  # the host of this meter has gone, and takes the last round when the table is another's
        table.deal(wins=False, seats=1)
        played[name] += 1
    for name, wagers in played.items():
        serve_late = Desk(table, books, name, reader(books.linked(name)), [DEVICE_KEY])  # type: ignore[arg-type]
        serve_late.take()
        meter = books.linked(name).meter
        assert (meter["wagers"], meter["wins"]) == (wagers, 2 if name == NAME else 1)
        books.check(name)
    moves = [line.what for line in books.entries(NAME) if line.what in ("JOINED", "LEFT")]
    assert moves == ["JOINED", "LEFT", "JOINED"]
    anew = Books(tmp_path / "anew.db", create=True)
    anew.open(NAME, GAME, match.parameters(SETTINGS), test=False)
    Desk(table, anew, NAME, reader(anew.linked(NAME)), [DEVICE_KEY]).take()  # type: ignore[arg-type]
    what = {line.what for line in anew.entries(NAME)}
    assert what == {"TAKEN"}, "a meter of the same name in another ledger is another one"
    with Store.open(tmp_path / "log.db", create=True) as store:
        store.add(table.hello.serial, table.raws())
        for name in played:
            assert audit(books, name, store)["WW-0001"] == len(books.entries(name))


@pytest.mark.parametrize("game", ["must_hit_by", "dice", "pai_gow", "dreamcatcher", "luxor"])
def test_what_cannot_be_linked_says_why(game: str) -> None:
    with pytest.raises(WheelwrightError, match="E-8210") as caught:
        linkable(game)
    assert ("hidden" in str(caught.value)) == (game == "must_hit_by")


@pytest.mark.parametrize("is_joined", [False, True])
def test_whoever_begins_anew_with_a_table_takes_from_its_settings_whether_it_has_joined(
    books: Books, is_joined: bool
) -> None:
    table = joined(books, 1) if is_joined else Linked(1, "")
    rejoin(table, books, NAME, "ann and bob: new memory")  # type: ignore[arg-type]
    assert books.account(NAME, "WW-0001").known == {"joined": is_joined}
    table.configure(linked="")
    desk_of(table, books).take()
    assert [line.what for line in books.entries(NAME)] == ["REJOINED"] + ["LEFT"] * is_joined


def test_a_nonce_that_somebody_else_has_made_void_ends_no_link(books: Books) -> None:
    table = joined(books, 1)
    desk = desk_of(table, books)
    serve(desk, books)
    table.call("LINKED", meter="x", mills=0, test=False, parameters={})
    desk.show(1_000_000)
    assert table.dealer.send("STATUS")["meter_mills"] == 1_000_000


def test_a_log_that_begins_late_says_so_and_one_with_more_than_the_ledger_is_found_out(
    books: Books, tmp_path: Path
) -> None:
    # a fresh look: an account planted ahead of a journal dropped its contributions, and the audit did not see it
    table = joined(books, 1)
    desk = desk_of(table, books)
    serve(desk, books)
    table.deal(wins=False, seats=1)
    table.configure(linked="")
    desk.take()
    lines = books.entries(NAME)
    assert [line.what for line in lines] == ["JOINED", "CONTRIBUTION", "LEFT"]
    with Store.open(tmp_path / "late.db", create=True) as store:
        store.add("WW-0001", table.raws()[lines[0].record :])
        with pytest.raises(WheelwrightError, match=rf"E-8214 .*WW-0001 begins with record {lines[0].record + 1}, "):
            audit(books, NAME, store)
    with Store.open(tmp_path / "log.db", create=True) as store:
        store.add("WW-0001", table.raws())
        assert audit(books, NAME, store) == {"WW-0001": 3}
        planted = Books(tmp_path / "planted.db", create=True)
        planted.open(NAME, GAME, match.parameters(SETTINGS), test=False)
        with planted._transaction() as connection:  # the same meter, whose host has seen the last of it only
            identity = books.linked(NAME).identity
            origin = ledger.opened(identity, GAME, False, match.parameters(SETTINGS))
            connection.exec_driver_sql("UPDATE linked_meters SET identity = ?, head = ?", (identity, origin.head))
        last = decode(table.raws()[-1])
        planted.rejoin(NAME, "WW-0001", last.number, last.hash, "nobody")
        with planted._transaction() as connection:
            link = planted._link(connection, NAME)
            line = replace(planted._standing(connection, link).account("WW-0001"), known={"joined": False})
            connection.exec_driver_sql("DELETE FROM linked_entries")
            link = SimpleNamespace(id=link.id, head=origin.head)
            planted._enter(connection, link, [replace(ledger.line_of(line, ledger.TAKEN), current=1_000_000)])
        planted = Books(tmp_path / "planted.db")
        assert planted.check(NAME) == 1
        with pytest.raises(WheelwrightError, match=rf"E-8211 .*record {lines[0].record}: the log has joined"):
            audit(planted, NAME, store)


def test_must_hit_by_has_no_setting_that_links_it() -> None:
    from tabletop.rules.progressive import must_hit_by

    assert "linked" not in must_hit_by.DEFAULTS
    with pytest.raises(ValueError, match="linked"):
        must_hit_by.validate({**must_hit_by.DEFAULTS, "linked": "house"})
