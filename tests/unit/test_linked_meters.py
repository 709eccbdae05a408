"""Linked meters: nothing is lost and nothing doubled, whoever drops out, whenever; a win has one amount."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import cbor2
import pytest
import sqlalchemy as sql
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tabletop.rules.progressive import meter as meters
from wheelwright.errors import WheelwrightError
from wheelwright.meters import ledger
from wheelwright.meters.books import Books
from wheelwright.meters.house import Desk
from wheelwright.meters.ledger import CONTRIBUTION, WIN, Account, Awarded, Claimed, Contributed, Entry, Owed
from wheelwright.meters.tables import entries

from tests.unit.linked_house import KEY, NAME, PARAMETERS, House, Killed, Table, reading
from tests.unit.logs import Journal

DROP_OUTS = 1000


def assert_whole(house: House) -> None:
    """Every contribution and every win of every table is in the ledger once, with the amount its table recorded."""
    house.come_to_rest()
    entries = house.books.entries(NAME)
    for table in house.tables:
        mine = [entry for entry in entries if entry.serial == table.hello.serial]
        assert [(e.record, e.wagers) for e in mine if e.what == CONTRIBUTION] == sorted(table.added.items())
        assert {e.record: e.mills for e in mine if e.what == WIN} == table.awards
        assert table.claims == set(table.awards), "a win waits for ever"
        assert not house.books.account(NAME, table.hello.serial).claims
    assert house.books.check(NAME) == len(entries)
    meter = house.books.linked(NAME).meter
    assert {table.meter for table in house.tables} == {meter["current"]}
    wagered = sum(entry.mills for entry in entries if entry.what == CONTRIBUTION)
    assert wagered == meter["wagered"]
    there = meter["current"] + meter["reserve"] + meter["overflow"] + meter["won"] - meter["house"]
    rests = meter["rest"] + meter["reserve_rest"]
    assert there * 10_000 + rests == wagered * (PARAMETERS["increment"] + PARAMETERS["reserve"])


def test_a_thousand_drop_outs_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    # issue 6: tables, host and links drop out between any two operations
    house = House(tmp_path / "ledger.db", tables=4, seed=6)
    draw = random.Random(6)
    while house.deaths + house.pulls < DROP_OUTS:
        for table in house.tables:
            if draw.random() < 0.3:
                table.play()
        house.fuse.kills = draw.choice((Killed, WheelwrightError))
        house.fuse.left = draw.randrange(1, 30)
        house.turn(draw.randrange(len(house.tables)))
    assert house.deaths > 300 and house.pulls > 300
    assert sum(len(table.claims) for table in house.tables) > 20
    assert_whole(house)


@pytest.mark.parametrize("kills", [Killed, WheelwrightError])
def test_a_drop_out_at_every_operation_of_a_win(tmp_path: Path, kills: type[BaseException]) -> None:
    operation = 0
    while True:
        operation += 1
        house = House(tmp_path / f"{operation}.db", tables=2, seed=1)
        first, second = house.tables
        first.added[first._given("chips", 2, 10_000)] = 2
        first.claims.add(first._given("claim", first.round, 1, 100))
        second.added[second._given("chips", 3, 3000)] = 3
        house.fuse.kills, house.fuse.left = kills, operation
        house.turn(0)
        cut = house.deaths + house.pulls
        assert_whole(house)
        assert first.awards == {3: 101_500}  # the seed and 15 % of $10; the second table's came later
        house.books.close()
        if not cut:
            break
    assert operation > 15


class Houses(RuleBasedStateMachine):
    """Any order of play, work, deaths and pulled plugs, against a model that adds up what the tables did."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        number = len(list(self.folder.iterdir()))
        self.house = House(self.folder / f"{number}.db", tables=3, seed=number)

    @rule(at=st.integers(0, 2))
    def play(self, at: int) -> None:
        self.house.tables[at].play()

    @rule(at=st.integers(0, 2))
    def work(self, at: int) -> None:
        self.house.turn(at)

    @rule(at=st.integers(0, 2), operation=st.integers(1, 40), dies=st.booleans())
    def drop_out(self, at: int, operation: int, dies: bool) -> None:
        self.house.fuse.kills, self.house.fuse.left = (Killed if dies else WheelwrightError), operation
        self.house.turn(at)
        self.house.fuse.left = 0

    @rule(at=st.integers(0, 2))
    def another_host_takes_the_same_records(self, at: int) -> None:
        table = self.house.tables[at]
        self.house.books.take(NAME, table.hello.serial, table.journal.raws, reading)

    @invariant()
    def ledger_gives_the_meter(self) -> None:
        self.house.books.check(NAME)

    def teardown(self) -> None:
        assert_whole(self.house)
        self.house.books.close()


def test_any_order_of_play_work_and_drop_outs(tmp_path: Path) -> None:
    Houses.folder = tmp_path
    run_state_machine_as_test(Houses, settings=settings(max_examples=25, stateful_step_count=30, deadline=None))


def test_a_host_killed_by_the_system_leaves_a_transaction_whole_or_undone(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.unit.linked_house import House\n"
        "house = House(Path(sys.argv[1]), tables=1, seed=3)\n"
        "house.fuse.burn = lambda: None\n"
        "for _ in range(40): house.tables[0].play()\n"
        "left = int(sys.argv[2])\n"
        "def burn():\n"
        "    global left\n"
        "    left -= 1\n"
        "    if not left: os.kill(os.getpid(), signal.SIGKILL)\n"
        "house.fuse.burn = burn\n"
        "house.turn(0)\n"
    )
    for operation in (3, 8, 11, 14):
        path = tmp_path / f"{operation}.db"
        done = subprocess.run([sys.executable, "-c", program, str(path), str(operation)], env=os.environ, check=False)
        assert done.returncode == -signal.SIGKILL
        books = Books(path)
        taken = books.account(NAME, "WW-0001").number
        lines = books.check(NAME)
        assert (taken == 0) == (lines == 0), "cursor and meter moved apart"
        books.close()


def take(books: Books, table: Table) -> None:
    desk = Desk(table, books, NAME, reading, [KEY])  # type: ignore[arg-type]
    desk.take()


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "ledger.db", tables=2, seed=2)


def code_of(call: object, *args: object, **words: object) -> int:
    with pytest.raises(WheelwrightError) as caught:
        call(*args, **words)  # type: ignore[operator]
    assert "?" not in str(caught.value)
    return caught.value.code


def test_records_that_a_table_has_erased_come_from_the_log_or_stop_it(house: House) -> None:
    table = house.tables[0]
    table._given("chips", 1, 5000)
    take(house.books, table)
    for _ in range(4):
        table._given("chips", 1, 5000)
    table.first = 5  # a host has anchored, and the table has erased
    assert code_of(take, house.books, table) == 8201
    assert house.books.account(NAME, table.hello.serial).number == 2
    desk = Desk(
        table, house.books, NAME, reading, [KEY],  # type: ignore[arg-type]
        lambda _serial, first, last: table.journal.raws[first - 1 : last],
    )  # fmt: skip
    desk.take()
    assert house.books.linked(NAME).meter["wagers"] == 5


def test_a_new_table_is_linked_from_its_first_record_on(house: House) -> None:
    table = house.tables[0]
    for _ in range(3):
        table._given("chips", 1, 5000)
    table.first = 3
    take(house.books, table)
    assert house.books.linked(NAME).meter["wagers"] == 2


def test_another_journal_under_the_same_serial_number_is_refused(house: House) -> None:
    table = house.tables[0]
    for _ in range(3):
        table._given("chips", 1, 5000)
    take(house.books, table)
    table.journal = Journal(9)
    table.journal.start(reason="WATCHDOG")
    assert code_of(take, house.books, table) == 8202  # shorter
    for _ in range(3):
        table._given("chips", 2, 5000)
    assert code_of(take, house.books, table) == 8202  # as long
    table._given("chips", 2, 5000)
    assert code_of(take, house.books, table) == 8202  # longer
    assert house.books.linked(NAME).meter["wagers"] == 3


def test_two_people_begin_anew_with_a_table_whose_journal_is_another_one(house: House) -> None:
    table = house.tables[0]
    for _ in range(3):
        table._given("chips", 1, 5000)
    table._given("claim", 9, 1, 10)
    take(house.books, table)
    table.journal = Journal(9)
    table.journal.start(reason="WATCHDOG")
    table._given("chips", 7, 5000)
    assert code_of(take, house.books, table) == 8202
    last = len(table.journal.raws)
    house.books.rejoin(NAME, table.hello.serial, last, table.journal.hash(last), "ann and bob: a new memory chip")
    for _ in range(4):  # some with the numbers of records that were taken before
        table._given("chips", 2, 5000)
    take(house.books, table)
    assert house.books.linked(NAME).meter["wagers"] == 3 + 4 * 2
    line = house.books.entries(NAME)[4]
    assert (line.what, line.record) == ("REJOINED", last)
    assert line.note == (
        "ann and bob: a new memory chip; taken up to record 5 before; seat 1 of round 9 was owed 10225"
    )
    assert house.books.check(NAME) == 9


def test_a_record_with_a_flipped_bit_is_refused(house: House) -> None:
    table = house.tables[0]
    table._given("chips", 1, 5000)
    raw = bytearray(table.journal.raws[1])
    raw[70] ^= 1
    table.journal.raws[1] = bytes(raw)
    assert code_of(take, house.books, table) == 8202
    assert house.books.account(NAME, table.hello.serial).number == 0, "the batch is taken whole or not at all"


def test_an_award_that_the_ledger_has_not_fixed_is_entered_as_it_was_paid_and_stops_its_table() -> None:
    meter, account = meters.opened(PARAMETERS), Account("WW-0001")
    meter, account, _ = ledger.take(meter, account, 7, [Claimed(1, 1, 10)])
    assert account.claims == {7: Owed(10_000, 1, 1, 100_000)}
    assert ledger.take(meter, account, 8, [Awarded(7, 10_000)])[1] == Account("WW-0001")
    for claim, mills, fixed in ((7, 10_001, 10_000), (5, 5, 0)):
        same, after, lines = ledger.take(meter, account, 8, [Awarded(claim, mills)])
        assert same == meter
        assert (lines[0].what, lines[0].mills, after.stopped) == ("AWARD", mills, f"record 8: {lines[0].note}")
        assert lines[0].note == f"{mills} mills are paid, the ledger fixed {fixed}"
        assert claim not in after.claims


def test_a_table_that_paid_what_nobody_fixed_is_served_again_when_two_people_have_corrected_the_meter(
    house: House,
) -> None:
    table = house.tables[0]
    table._given("award", 1, 999_999)
    assert code_of(take, house.books, table) == 8203
    assert house.books.account(NAME, table.hello.serial).number == 2, "it is taken all the same"
    assert code_of(take, house.books, table) == 8203
    house.books.correct(NAME, 100_000, "ann and bob: nobody was paid")
    table._given("chips", 1, 5000)
    take(house.books, table)
    assert house.books.linked(NAME).meter["wagers"] == 1
    assert house.books.check(NAME) == 3


def test_a_win_takes_what_was_in_the_ledger_before_it_and_no_more() -> None:
    meter, account = meters.opened(PARAMETERS), Account("WW-0001")
    meter, account, lines = ledger.take(
        meter, account, 1, [Contributed(1, 100_000), Claimed(1, 2, 100), Contributed(1, 100_000)]
    )
    assert [(line.what, line.mills, line.current) for line in lines] == [
        (CONTRIBUTION, 100_000, 115_000), (WIN, 115_000, 100_000), (CONTRIBUTION, 100_000, 115_000),
    ]  # fmt: skip
    assert meter["won"] == 115_000


def test_a_changed_ledger_is_found_out(house: House) -> None:
    house.tables[0]._given("chips", 1, 5000)
    take(house.books, house.tables[0])
    house.books.check(NAME)
    with house.books._transaction() as connection:
        connection.exec_driver_sql("UPDATE linked_entries SET mills = mills + 1000")
    assert code_of(house.books.check, NAME) == 8213


@pytest.mark.parametrize(
    ("forge", "line"),
    [
        ("UPDATE linked_entries SET note = 'carol and dave: so' WHERE line = 2", 2),
        ("UPDATE linked_entries SET taken_ms = taken_ms + 1 WHERE line = 3", 3),
        ("DELETE FROM linked_entries WHERE line = 2", 2),
        ("DELETE FROM linked_entries WHERE line = 4", 4),
        ("INSERT INTO linked_entries SELECT 9, link_id, taken_ms, serial, 99, what, mills, wagers, percent, current, "
         "note, round, seat, head, known, hash FROM linked_entries WHERE line = 4", 5),
        ("UPDATE linked_meters SET test = 0", 1),
        ("UPDATE linked_meters SET identity = 'house-00000000'", 1),
    ],
)  # fmt: skip
def test_a_ledger_that_was_changed_by_hand_is_found_out_by_its_first_line_that_does_not_hold(
    house: House, forge: str, line: int
) -> None:
    house.tables[0]._given("chips", 1, 5000)
    house.tables[0]._given("chips", 2, 5000)
    take(house.books, house.tables[0])
    house.books.correct(NAME, 50_000, "ann and bob: the display failed")
    house.books.correct(NAME, 50_000, "ann and bob: and again")
    assert house.books.check(NAME) == 4
    with house.books._transaction() as connection:
        connection.exec_driver_sql(forge)
    with pytest.raises(WheelwrightError, match=rf"^E-8213 line {line} of"):
        house.books.check(NAME)


def forged(books: Books, change: Callable[[list[Entry]], list[Entry]]) -> None:
    """Somebody who knows how changes lines of a ledger and chains them anew."""
    with books._transaction() as connection:
        link = books._link(connection, NAME)
        head = ledger.origin(*_origin_of(link))
        names = list(Entry.__dataclass_fields__)
        lines = [Entry(*row) for row in connection.exec_driver_sql(
            f"SELECT {', '.join(names)} FROM linked_entries ORDER BY line")]  # fmt: skip
        connection.exec_driver_sql("DELETE FROM linked_entries")
        for entry in change(lines):
            head = entry.hash(head)
            connection.execute(entries.insert().values(link_id=link.id, hash=head, **asdict(entry)))
        connection.exec_driver_sql("UPDATE linked_meters SET head = ?", (head,))


def changed(what: str, **words: Any) -> Callable[[list[Entry]], list[Entry]]:
    return lambda lines: [replace(line, **words) if line.what == what else line for line in lines]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (changed(WIN, mills=99_000_000), "E-8206 line 2 .* says 99000000 mills, its lines before give 100750"),
        (changed("AWARD", mills=99_000_000), "E-8206 line 3 .* says 99000000 mills"),
        (changed("AWARD", seat=2), "E-8206 line 3 "),
        (changed(CONTRIBUTION, current=99_000_000), "E-8206 line 1 "),
        (lambda lines: [lines[0], lines[0], *lines[1:]], "E-8213 line 2 .*record 2 of table WW-0001 was taken before"),
    ],
    ids=["a win", "an award", "an award of another seat", "the meter", "a contribution twice"],
)  # fmt: skip
def test_a_chain_that_was_made_anew_does_not_say_what_its_lines_do_not_give(
    house: House, change: Callable[[list[Entry]], list[Entry]], error: str
) -> None:
    table = house.tables[0]
    table._given("chips", 1, 5000)
    table.round = 9
    table.claims.add(table._given("claim", 9, 1, 100))
    house.turn(0)
    house.turn(0)
    assert [line.what for line in house.books.entries(NAME)] == [CONTRIBUTION, WIN, "AWARD"]
    forged(house.books, changed("none"))
    assert house.books.check(NAME) == 3
    forged(house.books, change)
    for call in (house.books.check, Books(house.path).linked, lambda name: Books(house.path).account(name, "WW-0001")):
        with pytest.raises(WheelwrightError, match=error):
            call(NAME)


def test_nothing_but_the_lines_says_what_is_owed_taken_or_stopped(house: House) -> None:
    # a fresh look: one UPDATE of a claim beside the chain paid any amount, one DELETE took all contributions twice
    with house.books._transaction() as connection:
        tables = sql.inspect(connection).get_table_names()
        columns = {column["name"] for column in sql.inspect(connection).get_columns("linked_meters")}
    assert sorted(tables) == ["linked_entries", "linked_meters"]
    assert columns == {"id", "name", "identity", "game", "test", "parameters", "head"}
    fields = set(entries.columns.keys()) - {"line", "link_id", "hash"}
    assert fields == set(Entry.__dataclass_fields__), "a column that no hash covers"


def test_a_long_ledger_is_proven_part_by_part(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    # proven under one lock, `link show` of a long ledger would have kept a running host from its tables
    for _ in range(7):
        house.tables[0]._given("chips", 1, 5000)
    take(house.books, house.tables[0])
    monkeypatch.setattr("wheelwright.meters.books.PART", 3)
    fresh = Books(house.path)
    parts: list[int] = []
    lines = fresh._lines
    monkeypatch.setattr(fresh, "_lines", lambda *words: parts.append(len(lines(*words))) or lines(*words))
    assert fresh.linked(NAME) == house.books.linked(NAME)
    assert parts == [3, 3, 1, 1]
    noted = (2, house.books.entries(NAME)[1].hash(b""))
    assert code_of(fresh.check, NAME, noted) == 8213
    assert fresh.check(NAME, (7, fresh.linked(NAME).head)) == 7


def test_a_host_that_begins_anew_does_not_believe_a_ledger_without_looking(house: House) -> None:
    house.tables[0]._given("chips", 1, 5000)
    take(house.books, house.tables[0])
    with house.books._transaction() as connection:
        connection.exec_driver_sql("UPDATE linked_entries SET known = x'a1666a6f696e6564f5'")
    assert code_of(Desk, house.tables[0], Books(house.path), NAME, reading, [KEY]) == 8213
    with house.books._transaction() as connection:
        connection.exec_driver_sql("DELETE FROM linked_entries")
    assert code_of(take, Books(house.path), house.tables[0]) == 8213


def test_how_far_a_journal_is_taken_that_says_nothing_to_the_meter_is_a_line_now_and_then(house: House) -> None:
    table = house.tables[0]
    desk = Desk(table, house.books, NAME, reading, [KEY])  # type: ignore[arg-type]
    for _ in range(ledger.TAKEN_EVERY * 5 // 2):
        table.journal.put("DISPUTE", round=1, reason="a record that means nothing to a meter")
        table._flush()
        desk.take()
    assert [(line.what, line.record) for line in house.books.entries(NAME)] == [
        (ledger.TAKEN, ledger.TAKEN_EVERY), (ledger.TAKEN, 2 * ledger.TAKEN_EVERY),
    ]  # fmt: skip
    assert desk.account.number == len(table.journal.raws)
    table._given("chips", 1, 5000)
    desk.take()
    take(house.books, table)
    assert house.books.linked(NAME).meter["wagers"] == 1
    assert house.books.check(NAME) == 3


def test_a_ledger_that_was_made_anew_consistently_does_not_fit_a_head_that_was_kept(house: House) -> None:
    for mills in (50_000, 60_000):
        house.books.correct(NAME, mills, "ann and bob: the display failed")
    kept = (1, house.books.entries(NAME)[0].hash(ledger.origin(*_origin(house.books))))
    whole = (2, house.books.linked(NAME).head)
    for anchor in (kept, whole):
        assert house.books.check(NAME, anchor) == 2
    with house.books._transaction() as connection:  # somebody who knows how writes another history
        connection.exec_driver_sql("DELETE FROM linked_entries")
        link = house.books._link(connection, NAME)
        connection.exec_driver_sql("UPDATE linked_meters SET head = ?", (ledger.origin(*_origin_of(link)),))
    assert code_of(house.books.linked, NAME) == 8213, "a host that runs knows what it has read"
    house.start()
    house.books.correct(NAME, 40_000, "ann and bob: the display failed")
    house.books.correct(NAME, 60_000, "ann and bob: the display failed")
    assert house.books.check(NAME) == 2
    for anchor in (kept, whole, (3, whole[1]), (-1, whole[1])):
        assert code_of(house.books.check, NAME, anchor) == 8213


def _origin(books: Books) -> tuple[Any, ...]:
    return _origin_of(books.linked(NAME)._replace(parameters=cbor2.dumps(PARAMETERS)))  # type: ignore[arg-type]


def _origin_of(link: Any) -> tuple[Any, ...]:
    return link.identity, link.game, link.test, cbor2.loads(link.parameters)


def test_a_correction_is_a_line_with_who_and_why_and_nothing_is_lost_by_it(house: House) -> None:
    house.tables[0]._given("chips", 1, 100_000)
    take(house.books, house.tables[0])
    house.books.correct(NAME, 50_000, "ann and bob: the display failed")
    house.books.correct(NAME, 60_000, "ann and bob: read it wrongly")
    assert house.books.linked(NAME).meter["current"] == 60_000
    assert house.books.linked(NAME).meter["corrected"] == -55_000
    assert [line.note for line in house.books.entries(NAME)][1:] == [
        "ann and bob: the display failed", "ann and bob: read it wrongly",
    ]  # fmt: skip
    assert house.books.check(NAME) == 3
    house.books.open("limited", "match_the_dealer", {**PARAMETERS, "limit": 200_000}, test=True)
    assert code_of(house.books.correct, "limited", 200_001, "") == 9001
    assert code_of(house.books.correct, "mouse", 1, "") == 8205


def test_ledgers_are_named_and_each_follows_a_table_by_a_cursor_of_its_own(house: House, tmp_path: Path) -> None:
    books = house.books
    assert code_of(books.open, NAME, "match_the_dealer", PARAMETERS, test=True) == 8208
    assert code_of(books.linked, "mouse") == 8205
    books.open("second", "match_the_dealer", PARAMETERS, test=True)
    house.tables[0]._given("chips", 1, 5000)
    take(books, house.tables[0])
    books.take("second", "WW-0001", house.tables[0].journal.raws, reading)
    house.tables[0]._given("chips", 2, 5000)
    take(books, house.tables[0])
    assert [books.account(name, "WW-0001").number for name in (NAME, "second")] == [3, 2]
    for name in ("", "n" * 40, "h\u00e4user", "a\nb"):
        assert code_of(books.open, name, "match_the_dealer", PARAMETERS, test=True) == 9001
    assert code_of(Books, tmp_path / "absent.db") == 8207
    with sqlite3.connect(tmp_path / "old.db") as old:  # of a version without hashes
        for name in ("linked_meters", "linked_accounts", "linked_entries"):
            old.execute(f"CREATE TABLE {name} (id INTEGER)")
    assert code_of(Books, tmp_path / "old.db") == 8207
    (tmp_path / "text.db").write_text("no database, but a text of some length, as people keep them")
    assert code_of(Books, tmp_path / "text.db") == 8207
