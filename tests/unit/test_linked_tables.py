"""Whole tables linked to one meter: what their journals say is in the ledger once, and a win is paid as it says."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tabletop.link import endpoint
from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.meters.audit import audit
from wheelwright.meters.books import Books
from wheelwright.meters.house import Desk
from wheelwright.meters.reading import linkable, reader
from wheelwright.store import Store

from tests.vm.dealer import Dealer, Flash, PowerCut
from tests.vm.seated_table import give, table_of

GAME = "match_the_dealer"
SETTINGS = {**match.DEFAULTS, "linked": True}
NAME = "house"


class Linked:
    """A real table, as a desk sees it through its client."""

    def __init__(self, number: int) -> None:
        self.hello = SimpleNamespace(serial=f"WW-{number:04}")
        self.dealer: Any = table_of(GAME, sectors=64, settings={"linked": True})
        self.sent = 0
        self.send: Any = None
        self.away = False

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
    return Desk(table, books, NAME, reader(books.linked(NAME)))  # type: ignore[arg-type]


def serve(desk: Desk, books: Books) -> None:
    desk.take()
    desk.award()
    desk.take()
    desk.show(books.linked(NAME).meter["current"])


def test_three_tables_share_a_meter_and_a_win_takes_what_all_have_added(books: Books, tmp_path: Path) -> None:
    tables = [Linked(number) for number in (1, 2, 3)]
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
    assert books.check(NAME) == 4 + 1 + 1
    with Store.open(tmp_path / "log.db", create=True) as store:
        for table in tables:
            store.add(table.hello.serial, table.raws())
        assert audit(books, NAME, store) == {"WW-0001": 4, "WW-0002": 1, "WW-0003": 1}
        with books._transaction() as connection:
            connection.exec_driver_sql("UPDATE linked_entries SET mills = mills + 1 WHERE serial = 'WW-0002'")
        with pytest.raises(WheelwrightError, match="E-8211"):
            audit(books, NAME, store)


def test_tables_that_drop_out_and_are_cut_off_lose_nothing(books: Books) -> None:
    draw = random.Random(5)
    tables = [Linked(number) for number in (1, 2, 3)]
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
        table = Linked(1)
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
    live = Linked(1)
    live.dealer.send("LINKED", meter=NAME, mills=1)
    live.deal(wins=False, seats=1)
    Desk(live, books, "for tests", reader(books.linked("for tests"))).take()  # type: ignore[arg-type]
    assert books.linked("for tests").meter["wagers"] == 0
    alone = Linked(2)
    alone.dealer = Dealer(Flash(24), game=GAME)  # not linked
    alone.deal(wins=False, seats=1)
    desk = desk_of(alone, books)
    desk.take()
    assert books.linked(NAME).meter["wagers"] == 0
    with pytest.raises(WheelwrightError, match=r"E-8212.*WW-0002"):
        desk.show(1)


def test_a_table_with_other_parameters_is_refused_with_its_round(books: Books) -> None:
    table = Linked(1)
    table.dealer.table.configure({"game": GAME, "linked": True, "wager_mills": 5000})
    table.dealer.send("LINKED", meter=NAME, mills=1)
    table.dealer.send("OPEN_BETS")
    desk = desk_of(table, books)
    with pytest.raises(WheelwrightError, match=r"E-8204.*WW-0001"):
        desk.take()
    assert books.account(NAME, "WW-0001").number == 0


@pytest.mark.parametrize("game", ["must_hit_by", "dice", "pai_gow", "dreamcatcher", "luxor"])
def test_what_cannot_be_linked_says_why(game: str) -> None:
    with pytest.raises(WheelwrightError, match="E-8210") as caught:
        linkable(game)
    assert ("hidden" in str(caught.value)) == (game == "must_hit_by")


def test_must_hit_by_has_no_setting_that_links_it() -> None:
    from tabletop.rules.progressive import must_hit_by

    assert "linked" not in must_hit_by.DEFAULTS
    with pytest.raises(ValueError, match="linked"):
        must_hit_by.validate({**must_hit_by.DEFAULTS, "linked": True})
