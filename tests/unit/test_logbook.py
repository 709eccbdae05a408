"""One logbook for all tables of a house: the same on SQLite and on PostgreSQL, searched by index, upgraded whole."""

from __future__ import annotations

import gzip
import resource
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
import sqlalchemy as sql
import tabletop.journal.record as record_format
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from wheelwright.errors import WheelwrightError
from wheelwright.fleet.published import Published
from wheelwright.logbook import database, database_format, house
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.house import House
from wheelwright.logbook.store import Started, Store, as_row
from wheelwright.logbook.tables import LOG, records

from tests.conftest import ROOT
from tests.unit.house import Told, table
from tests.unit.logs import SERIAL, Journal, journal, stored
from tests.unit.servers import need, postgresql
from tests.unit.test_cli import tool

assert tool  # a fixture


@pytest.fixture(scope="session")
def postgres():
    with postgresql() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """The address of a database that is not there yet (SQLite), or that is empty (PostgreSQL)."""
    return str(tmp_path / "house.db") if request.param == "sqlite" else request.getfixturevalue("postgres").new()


@pytest.fixture
def engine(place):
    made = database._server(place) if "://" in place else database._file(database._sqlite_path(place))
    yield made
    made.dispose()


def error_of(place, create=False):
    with pytest.raises(WheelwrightError) as caught:
        Store.open(place, create=create).close()
    return caught.value


def old(engine, made, serial=SERIAL):
    """A log as tools up to 0.1 made it."""
    with database.transaction(engine, write=True) as connection:
        database_format.upgrade(connection, LOG, "1")
        connection.exec_driver_sql(f"DROP TABLE {LOG.revision.name}")
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {database_format.APPLICATION}")
            connection.exec_driver_sql("PRAGMA user_version = 1")
        connection.execute(sql.text("INSERT INTO tables (id, serial) VALUES (1, :s)"), {"s": serial})
        columns = ("table_id", *records.c.keys()[1:8])
        insert = sql.text(f"INSERT INTO records ({', '.join(columns)}) VALUES (:{', :'.join(columns)})")
        connection.execute(insert, [{"table_id": 1, **as_row(raw)._asdict()} for raw in made.raws])


def dump(engine):
    """Everything in a database."""
    with engine.connect() as connection:
        found = sql.MetaData()
        found.reflect(connection)
        return {
            name: sorted(map(repr, connection.execute(sql.select(table)))) for name, table in found.tables.items()
        }, sorted((name, index.name) for name, table in found.tables.items() for index in table.indexes)


# the same on both


def test_records_of_many_tables_come_back_as_they_were_and_verify(place):
    one, two = journal(4, seed=1), journal(3, seed=2)
    with Store.open(place, create=True) as store:
        assert store.add(SERIAL, one.raws[5:]) == len(one.raws) - 5
        assert store.add(SERIAL, one.raws) == 5
        store.add("WW-0008", two.raws)
        assert store.set_anchor(SERIAL, 9) == (9, one.hash(9))
    with Store.open(place) as store:
        assert store.serials() == [SERIAL, "WW-0008"]
        assert [row.raw for row in store.records(SERIAL)] == one.raws
        assert [row.raw for row in store.records("WW-0008")] == two.raws
        assert verify_table(store, SERIAL).whole
        assert (store.count(SERIAL), store.bounds("WW-0008")) == (len(one.raws), (1, len(two.raws)))
        assert store.anchor(SERIAL) == (9, one.hash(9))


def test_a_batch_with_a_fork_in_it_is_stored_nowhere(place):
    ours, theirs = journal(2, seed=1), journal(3, seed=2)
    with Store.open(place, create=True) as store:
        store.add(SERIAL, ours.raws[:8])
        with pytest.raises(WheelwrightError, match="E-8007"):
            store.add(SERIAL, [*theirs.raws[10:], *theirs.raws])
        assert [row.raw for row in store.records(SERIAL)] == ours.raws[:8]


def test_gaps_are_the_numbers_that_are_missing(place):
    made = journal(4)
    with Store.open(place, create=True) as store:
        assert store.gaps(SERIAL) == []
        store.add(SERIAL, made.raws[2:5])
        assert store.gaps(SERIAL) == []
        store.add(SERIAL, [made.raws[6], *made.raws[9:]])
        store.add("WW-0008", journal(2, seed=2).raws)
        assert store.gaps(SERIAL) == [(6, 6), (8, 9)]


def test_what_a_broker_has_taken_is_remembered_for_each_broker_and_table(place):
    with Store.open(place, create=True) as store:
        store.add(SERIAL, journal(2).raws)
        store.add("WW-0008", journal(1, seed=2).raws)
        one, two = Published(store, "a"), Published(store, "b")
        assert one.advance(SERIAL, 0, 3, 3)
        assert one.advance("WW-0008", 0, 4, 4)
        assert two.advance(SERIAL, 0, 5, 5)
        assert one.advance(SERIAL, 3, 6, 3)
        assert not one.advance(SERIAL, 3, 7, 4), "somebody else has changed it"
        assert not one.advance(SERIAL, 6, 9, 2), "there is one more between them"
        assert not two.advance("WW-0008", 1, 7, 6)
        assert [one.number(SERIAL), one.number("WW-0008"), two.number(SERIAL), two.number("WW-0008")] == [6, 4, 5, 0]


def test_two_writers_of_the_same_records_store_each_once(place):
    made = journal(30)
    with Store.open(place, create=True):
        pass
    program = (
        "import sys; from wheelwright.logbook.store import Store; from tests.unit.logs import journal\n"
        "made = journal(30)\n"
        "with Store.open(sys.argv[1]) as store:\n"
        " print(sum(store.add('WW-0007', made.raws[at:at + 5]) for at in range(0, len(made.raws), 5)))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, place], stdout=subprocess.PIPE) for _ in range(2)]
    assert sum(int(one.communicate()[0]) for one in both) == len(made.raws)
    with Store.open(place) as store:
        assert [row.raw for row in store.records(SERIAL)] == made.raws


# search


def tilted():
    made = journal(3)
    made.put("TILT", tilt=21, detail={"sections": 3})
    made.put("TILT", tilt=22, detail={})
    made.put("TILT_CLEARED", tilt=21, operator="ann")
    made.play()
    return made


def test_records_are_found_by_round_tilt_kind_and_time(place, monkeypatch):
    made = tilted()
    with Store.open(place, create=True) as store:
        for at, raw in enumerate(made.raws):
            monkeypatch.setattr(time, "time", lambda at=at: 1000.0 + at)
            store.add(SERIAL, [raw])

        def found(**wanted):
            return [row.number for row in store.records(SERIAL, **wanted)]

        numbers = range(1, len(made.raws) + 1)
        of_round = [number for number in numbers if made.payload(number).get("round") == 2]
        assert found(round_=2) == of_round
        assert found(round_=99) == []
        first_tilt = made.kinds.index("TILT") + 1
        assert found(tilt=21) == [first_tilt, first_tilt + 2]
        assert found(tilt=22) == [first_tilt + 1]
        assert found(since_ms=1_002_000, until_ms=1_004_999) == [3, 4, 5]
        assert found(since_ms=1_004_000, last=6) == [5, 6]
        assert found(since_ms=9_000_000) == found(until_ms=1) == []
        assert found(round_=2, since_ms=1000 * (1000 + of_round[1] - 1)) == of_round[1:]
        assert found(until_ms=1_004_999, first=4) == [4, 5]
        assert found(kinds=[12], tilt=21) == [n for n in found(tilt=21) if store.record(SERIAL, n).kind == 12]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"round": 3}, "another round or tilt"), ({"round": None}, "another round or tilt"),
     ({"tilt": 5}, "another round or tilt"), ({"at_ms": records.c.received_ms + 1}, "before it happened"),
     ({"received_ms": records.c.at_ms - 1}, "before it happened"), ({"boot": 2}, "another record"),
     ({"kind": 9}, "another record"), ({"t_ms": 1}, "another record")],
)  # fmt: skip
def test_what_a_search_goes_by_is_held_to_the_records(place, tool, change, words):
    """Whoever changes a column of a log hides a record from a search, and no hash breaks."""
    made = tilted()
    first = made.kinds.index("SETTLED") + 1
    with Store.open(place, create=True) as store:
        store.add(SERIAL, made.raws)
        with store.transaction(write=True) as connection:
            connection.execute(records.update().where(records.c.number.in_([first, first + 6])).values(change))
    ended = tool("log", "verify", "--db", place)
    assert ended.status == 1 and ended.err.startswith(f"E-8101 record {first} of table {SERIAL} is wrong: ")
    assert words in ended.err


@pytest.mark.parametrize("tilt", [23, None])
def test_a_tilt_that_a_search_would_not_find_is_found_by_verify(place, tilt):
    made = tilted()
    first = made.kinds.index("TILT") + 1
    with Store.open(place, create=True) as store:
        store.add(SERIAL, made.raws)
        with store.transaction(write=True) as connection:
            connection.execute(records.update().where(records.c.number == first).values(tilt=tilt))
        assert verify_table(store, SERIAL).problem.fields["number"] == first


def test_a_clock_that_was_put_back_hides_no_record_from_a_search_by_time(place, monkeypatch):
    made = journal(1)
    with Store.open(place, create=True) as store:
        for seconds, raw in zip((10, 20, 30, 12, 13, 40), made.raws, strict=False):
            monkeypatch.setattr(time, "time", lambda seconds=seconds: seconds)
            store.add(SERIAL, [raw])
        assert [row.number for row in store.records(SERIAL, since_ms=11_000, until_ms=20_000)] == [2, 4, 5]


@pytest.mark.parametrize(
    ("boot", "t_ms", "at_ms"),
    [(3, 0, 1000_000), (3, 500, 1000_500), (3, 50_000, 1050_000), (3, 50_001, 1050_000), (2, 777, 1000_000),
     (4, 5, 1050_000), (3, 2**62, 1050_000)],
)  # fmt: skip
def test_when_a_record_happened_is_worked_out_from_the_uptime_and_is_never_after_it_came(boot, t_ms, at_ms):
    assert Started(3, 1000_000).at_ms(boot, t_ms, received_ms=1050_000) == at_ms


def test_a_log_that_was_pulled_is_searched_by_the_time_at_which_it_happened(place, monkeypatch):
    made = tilted()
    with Store.open(place, create=True) as store:
        monkeypatch.setattr(time, "time", lambda: 90_000.0)
        store.add(SERIAL, made.raws, Started(1, 50_000_000))
        happened = [50_000_000 + record_format.decode(raw).t_ms for raw in made.raws]
        found = store.records(SERIAL, since_ms=happened[4], until_ms=happened[7])
        assert [row.number for row in found] == [5, 6, 7, 8]
        assert {row.received_ms for row in store.records(SERIAL)} == {90_000_000}


@pytest.mark.parametrize(
    ("wanted", "index"),
    [({"round_": 7}, "records_round"), ({"tilt": 21}, "records_tilt"), ({"kinds": [24]}, "records_kind"),
     ({"since_ms": 5}, "records_at"), ({"first": 5}, "sqlite_autoindex_records_1"),
     ({"since_ms": 5, "until_ms": 9, "round_": 2}, "records_round")],
)  # fmt: skip
def test_no_search_reads_the_whole_log(tmp_path, wanted, index):
    """By the plan of SQLite, in the order of the index: no sorting, no scan."""
    with Store.open(stored(tmp_path / "log.db", tilted())) as store:
        asked = []
        sql.event.listen(store._engine, "before_cursor_execute", lambda *words: asked.append((words[2], words[3])))
        list(store.records(SERIAL, **wanted))
        connection = sqlite3.connect(tmp_path / "log.db")
        plans = [row[3] for text, values in asked if text.startswith("SELECT")
                 for row in connection.execute("EXPLAIN QUERY PLAN " + text, values)]  # fmt: skip
        connection.close()
    assert all(plan.startswith("SEARCH") for plan in plans), plans
    assert any(index in plan for plan in plans), plans


def test_log_search_tells_of_all_tables_in_words_and_in_json(tool, place):
    with Store.open(place, create=True) as store:
        store.add(SERIAL, tilted().raws)
        store.add("WW-0008", journal(2, seed=2).raws)
    lines = tool("log", "search", "--db", place, "--round", 2, "--kind", "settled", "--json").lines
    assert [(line["serial"], line["payload"]["round"]) for line in lines] == [(SERIAL, 2), ("WW-0008", 2)]
    said = tool("log", "search", "--db", place, "--tilt", 21, "--since", "2020-01-01T00:00").out
    assert [line.split()[0] for line in said.splitlines()] == [SERIAL, SERIAL]
    assert "T-21" in said
    assert tool("log", "search", "--db", place, "--until", "2020-01-01T00:00:00Z").out == ""
    assert len(tool("log", "search", "--db", place, "--limit", 2, "--serial", "WW-0008").out.splitlines()) == 2
    none = tool("log", "search", "--db", place, "--until", "2020-01-01T00:00:00Z")
    assert (none.status, none.out, none.err) == (0, "", "no record fits\n")
    assert tool("log", "search", "--db", place, "--round", 99, "--json").err == "", "a program counts lines"
    back = tool("log", "search", "--db", place, "--since", "2026-01-02", "--until", "2026-01-01")
    assert (back.status, back.err[:7]) == (2, "E-9001 ")
    wrong = tool("log", "search", "--db", place, "--since", "yesterday")
    assert (wrong.status, wrong.err[:6]) == (2, "E-9000")
    assert tool("log", "search", "--db", place, "--serial", "WW-9").err.startswith("E-8008")


# formats


def test_the_first_revision_and_the_later_ones_give_what_a_new_log_has(place, engine):
    with database.transaction(engine, write=True) as connection:
        database_format.upgrade(connection, LOG)
        context = MigrationContext.configure(connection, opts={
            "compare_type": True, "include_object": lambda _o, name, *_: name != LOG.revision.name})  # fmt: skip
        assert compare_metadata(context, LOG.metadata) == []
    numbers = [script.revision for script in
               ScriptDirectory(str(database_format.MIGRATIONS), version_locations=[
                   str(database_format.MIGRATIONS / "log")]).walk_revisions()]  # fmt: skip
    assert numbers == [str(number) for number in range(LOG.format, 0, -1)]


def test_an_old_log_is_upgraded_with_every_record_and_can_be_searched(place, engine):
    made = tilted()
    old(engine, made)
    with Store.open(place) as store:
        assert [row.raw for row in store.records(SERIAL)] == made.raws
        assert verify_table(store, SERIAL).whole
        assert [row.kind for row in store.records(SERIAL, tilt=21)] == [11, 12]
        assert {row.number for row in store.records(SERIAL, round_=2)} == {
            number for number in range(1, len(made.raws) + 1) if made.payload(number).get("round") == 2}  # fmt: skip
    tables, indexes = dump(engine)
    assert "wheelwright" not in tables
    assert tables["wheelwright_log"] == [f"('{LOG.format}',)"]
    assert ("records", "records_tilt") in indexes


def test_a_log_that_version_0_1_made_is_read_searched_and_added_to(tmp_path):
    path = tmp_path / "house.db"
    path.write_bytes(gzip.decompress((ROOT / "tests" / "data" / "logs" / "format-1.db.gz").read_bytes()))
    with sqlite3.connect(path) as raw:
        before = raw.execute("SELECT table_id, number, hash, received_ms, raw FROM records ORDER BY 1, 2").fetchall()
        assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    raw.close()
    with Store.open(path) as store:
        assert store.serials() == [SERIAL, "WW-0008"]
        assert store.anchor(SERIAL).number == 9
        assert verify_table(store, SERIAL).whole
        assert len(list(store.records(SERIAL, tilt=21))) == 2
        assert len(list(store.records("WW-0008", round_=1))) > 3
        assert all(row.at_ms == row.received_ms for row in store.records(SERIAL))
        store.add("WW-0009", journal(1, seed=3).raws)
    with sqlite3.connect(path) as raw:
        after = raw.execute("SELECT table_id, number, hash, received_ms, raw FROM records ORDER BY 1, 2").fetchall()
        assert after[: len(before)] == before
        assert raw.execute("PRAGMA user_version").fetchone() == (LOG.format,)
    raw.close()


def test_an_old_log_with_damaged_records_is_upgraded_too_and_verify_names_them(tmp_path):
    made = journal(2)
    path = tmp_path / "house.db"
    old(database._file(path), made)
    with sqlite3.connect(path) as edit:
        edit.execute("UPDATE records SET raw = 'text' WHERE number = 3")
        edit.execute("UPDATE records SET raw = x'00' WHERE number = 5")
    edit.close()
    with Store.open(path) as store, pytest.raises(WheelwrightError, match="E-8101 record 3 "):
        verify_table(store, SERIAL)


@pytest.mark.parametrize("nth", [1, 3, 6, 9, 10])
def test_an_upgrade_that_is_cut_off_leaves_the_old_log(place, engine, nth):
    old(engine, tilted())
    before = dump(engine)
    changes = 0

    def cut(_connection, _cursor, statement, *_rest):
        nonlocal changes
        changes += statement.split()[0] in ("ALTER", "CREATE", "UPDATE", "DROP", "INSERT")
        if changes == nth:
            raise KeyboardInterrupt

    opened = database._server if "://" in place else (lambda path: database._file(database._sqlite_path(path)))
    again = opened(place)
    sql.event.listen(again, "before_cursor_execute", cut)
    with pytest.raises(KeyboardInterrupt):
        database._settle(again, place, LOG, create=False)
    again.dispose()
    assert dump(engine) == before
    with Store.open(place) as store:
        assert store.count(SERIAL) == len(tilted().raws)


def test_a_newer_log_is_refused_and_left_as_it_was(place, engine):
    Store.open(place, create=True).close()
    with database.transaction(engine, write=True) as connection:
        connection.exec_driver_sql(f"UPDATE {LOG.revision.name} SET version_num = '{LOG.format + 1}'")
    before = dump(engine)
    for create in (False, True):
        error = error_of(place, create)
        assert (error.code, error.fields["found"]) == (8003, str(LOG.format + 1))
    assert dump(engine) == before


def test_a_database_of_others_is_refused_and_left_as_it_was(place, engine):
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE wages (x INTEGER)")
    before = dump(engine)
    for create in (False, True):
        assert error_of(place, create).code == 8002
    assert dump(engine) == before


def test_an_empty_database_is_foreign_to_a_reader_and_room_for_a_new_log(postgres):
    place = postgres.new()
    assert error_of(place).code == 8002
    Store.open(place, create=True).close()
    Store.open(place).close()


@pytest.mark.parametrize("number", ["", "two", "-1", "0", None])
def test_a_log_that_does_not_say_which_format_it_has_is_damaged(place, engine, number):
    Store.open(place, create=True).close()
    with database.transaction(engine, write=True) as connection:
        connection.exec_driver_sql(f"DELETE FROM {LOG.revision.name}")
        if number is not None:
            connection.execute(LOG.revision.insert().values(version_num=number))
    assert error_of(place).code == 8004


def test_a_second_set_of_tables_lives_in_the_same_database_and_has_a_format_of_its_own(place):
    metadata = sql.MetaData()
    sql.Table("pledged", metadata, sql.Column("id", sql.Integer, primary_key=True))
    ledger = database_format.Tables("ledger", metadata, 7)
    for tables in (ledger, LOG, ledger):
        database.open_engine(place, create=True, tables=tables).dispose()
    with pytest.raises(WheelwrightError, match="E-8003"):
        database.open_engine(place, create=True, tables=ledger._replace(format=6))
    Store.open(place).close()


# servers and disks


def test_a_server_that_dies_in_mid_write_is_one_sentence_and_leaves_whole_batches(postgres):
    place, made = postgres.new(), journal(40)
    batches = [made.raws[at : at + 20] for at in range(0, len(made.raws), 20)]
    with Store.open(place, create=True) as store:
        store.add(SERIAL, batches[0])

        def kill(_connection, _cursor, statement, *_rest):
            if statement.startswith("INSERT INTO records"):
                postgres.end(signal.SIGKILL)

        sql.event.listen(store._engine, "before_cursor_execute", kill)
        with pytest.raises(WheelwrightError, match="E-8021 the database server of postgresql://") as caught:
            store.add(SERIAL, batches[1])
        assert "\n" not in str(caught.value)
        sql.event.remove(store._engine, "before_cursor_execute", kill)
        with pytest.raises(WheelwrightError, match="E-8021"):
            store.bounds(SERIAL)
        postgres.start()
        assert store.bounds(SERIAL) == (1, 20)
        for batch in batches:  # the same store goes on
            store.add(SERIAL, batch)
        assert verify_table(store, SERIAL).whole


def test_tables_are_followed_over_the_death_of_the_server_and_nothing_is_missing(postgres, monkeypatch):
    monkeypatch.setattr(house, "AGAIN_S", 0.02)
    told = Told()
    with table("WW-0001") as one, table("WW-0002") as two, Store.open(postgres.new(), create=True) as store:
        with House([one.address, two.address], store, 3, told):
            told.until(lambda: sum("followed at" in text for _, text in told.said) == 2)
            postgres.end(signal.SIGKILL)
            for served in (one, two):
                served.journal.made.play()
            told.until(lambda: {who for who, text in told.said if "E-8021" in text} == {"WW-0001", "WW-0002"})
            said = next(text for _, text in told.said if "E-8021" in text)
            assert "tried again by itself" in said and "give the command again" not in said
            postgres.start()
            told.until(lambda: sum("followed at" in text for _, text in told.said) == 4)
        for serial, served in (("WW-0001", one), ("WW-0002", two)):
            assert [row.raw for row in store.records(serial)] == served.journal.made.raws
            assert store.anchor(serial).number == served.journal.last


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_a_tool_killed_in_mid_write_leaves_whole_batches(tmp_path, backend, request):
    place = str(tmp_path / "log.db") if backend == "sqlite" else request.getfixturevalue("postgres").new()
    program = (
        "import sys; from wheelwright.logbook.store import Store; from tests.unit.logs import journal\n"
        "made = journal(200)\n"
        "with Store.open(sys.argv[1], create=True) as store:\n"
        " for at in range(0, len(made.raws), 7): store.add('WW-0007', made.raws[at:at + 7]); print(at, flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program, place], stdout=subprocess.PIPE, text=True) as writer:
        said = [writer.stdout.readline() for _ in range(9)]
        writer.kill()
    with Store.open(place) as store:
        first, last = store.bounds(SERIAL)
        assert (first, last % 7 in (0, len(journal(200).raws) % 7)) == (1, True)
        assert last >= int(said[-1]) + 7, "what was said to be stored is there"
        assert verify_table(store, SERIAL).whole
        assert store.add(SERIAL, journal(200).raws) == len(journal(200).raws) - last


def test_a_full_disk_is_one_sentence_and_leaves_whole_batches(tmp_path):
    program = (
        "import resource, sys; from wheelwright.logbook.store import Store; from tests.unit.logs import journal\n"
        "made = journal(300)\n"
        "with Store.open(sys.argv[1], create=True) as store:\n"
        " store.add('WW-0007', made.raws[:50])\n"
        " resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        " try:\n"
        "  for at in range(0, len(made.raws), 50): store.add('WW-0007', made.raws[at:at + 50])\n"
        " except Exception as error: print(error)"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    path = tmp_path / "log.db"
    ended = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
    assert ended.stdout.startswith(f"E-8023 the log {path} could not be written ("), ended
    assert ended.stdout.count("\n") == 1
    with Store.open(path) as store:
        assert store.bounds(SERIAL)[1] % 50 == 0
        assert verify_table(store, SERIAL).whole
        store.add(SERIAL, journal(300).raws)


def test_a_log_that_may_only_be_read_is_named(postgres, tmp_path):
    place = postgres.new()
    with Store.open(place, create=True) as store:
        name = place.rpartition("/")[2]
        postgres.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        store._engine.dispose()
        with pytest.raises(WheelwrightError, match="E-8022"):
            store.add(SERIAL, journal(1).raws)
        assert store.serials() == []


@pytest.mark.parametrize(
    ("address", "code", "words"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/house", 8021, "refused"),
        ("postgres://ann:secret@127.0.0.1:1/house?sslmode=disable", 8021, "refused"),
        ("postgresql://ann:secret@127.0.0.1:x/house", 8006, "x"),
        ("postgresql://127.0.0.1:1/house?password=secret", 8021, "refused"),
        ("postgresql://127.0.0.1:1/house?nosuch=secret1", 8006, "nosuch"),
        ("mysql://ann:secret@host/house", 8006, "postgresql://HOST/DATABASE"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence_without_its_password(address, code, words):
    for create in (False, True):
        error = error_of(address, create)
        assert error.code == code
        assert words in str(error)
        assert "secret" not in str(error).replace("secret1", "")
        assert "\n" not in str(error)


def test_a_server_that_lets_nobody_in_says_so(postgres):
    place = postgres.new()
    name = place.rpartition("/")[2]
    postgres.run("DROP ROLE IF EXISTS guest")
    postgres.run("CREATE ROLE guest LOGIN PASSWORD 'right'")
    Store.open(place, create=True).close()
    assert error_of(postgres.url(name, "guest", "wrong")).code == 8022
    assert error_of(postgres.url(name, "guest", "right")).code == 8022  # may look at no table
    assert error_of(postgres.url("nosuch")).code == 8006


def test_a_locked_server_is_said_to_be_locked(postgres, monkeypatch):
    monkeypatch.setattr(database, "LOCK_TIMEOUT_S", 0.05)
    with Store.open(postgres.new(), create=True) as store, store._engine.begin() as other:
        other.exec_driver_sql(f"SELECT pg_advisory_xact_lock({database_format.APPLICATION})")
        with pytest.raises(WheelwrightError, match="E-8001"):
            store.add(SERIAL, journal(1).raws)
        assert store.serials() == []


@pytest.mark.parametrize(("state", "code"), [
    ("53100", 8023), ("58030", 8023), ("57P01", 8021), ("57P03", 8021), ("08006", 8021), ("40001", 8001),
    ("55P03", 8001), ("42501", 8022), ("28P01", 8022), ("25006", 8022), ("XX001", 8004), ("42P01", 8006),
])  # fmt: skip
def test_what_a_server_reports_has_its_code(state, code):
    cause = type("Error", (Exception,), {"sqlstate": state})("could not\nLINE 1")
    with pytest.raises(WheelwrightError) as caught, database.errors_named("postgresql://h/d"):
        raise sql.exc.DBAPIError("SELECT", {}, cause)
    assert caught.value.code == code
    assert code == 8001 or "(could not)" in str(caught.value)


@pytest.mark.parametrize(("all_of_it", "outcome"), [("0", pytest.skip.Exception), ("1", pytest.fail.Exception)])
def test_a_server_that_is_not_installed_is_one_sentence_and_a_failure_where_all_is_required(
    monkeypatch, all_of_it, outcome
):
    monkeypatch.setenv("REQUIRE_ALL", all_of_it)
    with pytest.raises(outcome, match=r"^nosuch is missing: install the Debian package none \(make deps\)$"):
        need("nosuch", "none", "/nowhere")


def test_a_long_journal_keeps_its_rounds_whatever_a_payload_holds(place):
    made = Journal()
    made.start()
    for value in (7, -1, 2**63, 2**64 - 1, "7", True, None, 7.0, [7]):
        made.put("ROUND_CLOSED", round=value)
    with Store.open(place, create=True) as store:
        store.add(SERIAL, made.raws)
        assert [row.number for row in store.records(SERIAL, round_=7)] == [2]


