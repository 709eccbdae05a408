"""The log database: what is stored stays as it was received, and no file is ever harmed."""

import sqlite3
import struct
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import database, database_format
from wheelwright.logbook.store import PAGE, Store
from wheelwright.logbook.tables import LOG

from tests.conftest import examples
from tests.unit.logs import SERIAL, Journal, journal, stored


def content(path):
    return path.read_bytes()


def error_of(path, create=False):
    with pytest.raises(WheelwrightError) as caught:
        Store.open(path, create=create)
    return caught.value


def test_records_come_back_byte_for_byte_in_order_of_their_number(tmp_path):
    made = journal(4)
    with Store.open(tmp_path / "log.db", create=True) as store:
        store.add(SERIAL, made.raws[10:])
        store.add(SERIAL, made.raws[:10])
        rows = list(store.records(SERIAL))
        assert [row.raw for row in rows] == made.raws
        assert [row.number for row in rows] == list(range(1, len(made.raws) + 1))
        assert rows[-1].hash == made.hash(len(made.raws))
        assert store.bounds(SERIAL) == (1, len(made.raws))
        assert store.count(SERIAL) == len(made.raws)


def test_a_log_is_still_there_when_it_is_opened_again(tmp_path):
    made = journal()
    with Store.open(stored(tmp_path / "log.db", made)) as store:
        assert [row.raw for row in store.records(SERIAL)] == made.raws


def test_reading_goes_on_over_the_edge_of_a_page(tmp_path):
    made = Journal()
    for number in range(PAGE + 3):
        made.put("SERVICE", on=bool(number % 2))
    with Store.open(stored(tmp_path / "log.db", made)) as store:
        assert [row.number for row in store.records(SERIAL, first=2)] == list(range(2, PAGE + 4))


def test_records_can_be_chosen_by_number_and_kind(tmp_path):
    made = journal(2)
    with Store.open(stored(tmp_path / "log.db", made)) as store:
        assert [row.number for row in store.records(SERIAL, first=3, last=5)] == [3, 4, 5]
        assert [row.number for row in store.records(SERIAL, kinds=[1, 8])] == [
            number for number, kind in enumerate(made.kinds, 1) if kind in ("BOOT", "ROUND_CLOSED")
        ]
        assert store.record(SERIAL, 4).raw == made.raws[3]
        assert store.record(SERIAL, 4000) is None


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 8)), max_size=8))
def test_storing_records_again_in_any_overlap_changes_nothing(tmp_path_factory, pieces):
    made = journal(2)
    wanted = set()
    with Store.open(tmp_path_factory.mktemp("log") / "log.db", create=True) as store:
        for start, length in pieces:
            piece = made.raws[start : start + length]
            fresh = {raw for raw in piece if raw not in wanted}
            assert store.add(SERIAL, piece) == len(fresh)
            wanted |= fresh
        assert {row.raw for row in store.records(SERIAL)} == wanted


def test_another_record_under_a_known_number_is_a_fork_and_nothing_of_the_batch_is_stored(tmp_path):
    ours, theirs = journal(2, seed=1), journal(3, seed=2)
    with Store.open(stored(tmp_path / "log.db", ours)) as store:
        before = list(store.records(SERIAL))
        with pytest.raises(WheelwrightError) as caught:
            store.add(SERIAL, theirs.raws[::-1])
        assert caught.value.code == 8007
        assert "record" in str(caught.value)
        assert list(store.records(SERIAL)) == before


def test_a_fork_inside_one_batch_is_refused_too(tmp_path):
    ours, theirs = journal(1, seed=1), journal(1, seed=2)
    with Store.open(tmp_path / "log.db", create=True) as store:
        with pytest.raises(WheelwrightError) as caught:
            store.add(SERIAL, [*ours.raws, theirs.raws[3]])
        assert caught.value.code == 8007
        assert store.bounds(SERIAL) is None


def test_bytes_that_are_no_record_are_refused_and_nothing_is_stored(tmp_path):
    made = journal(1)
    with Store.open(tmp_path / "log.db", create=True) as store:
        for bad in (b"", b"WJ", made.raws[0][:-1], made.raws[0] + b"\0", bytes(len(made.raws[0]))):
            with pytest.raises(ValueError):
                store.add(SERIAL, [made.raws[0], bad])
        assert store.serials() == []


@pytest.mark.parametrize(("t_ms", "taken"), [(2**63 - 1, True), (2**63, False), (2**64 - 468_881_824, False)])
def test_case_51_a_record_of_an_impossible_time_is_named_and_nothing_is_stored(tmp_path, t_ms, taken):
    made = journal(1)
    made.t_ms = t_ms
    number = made.put("SERVICE", on=True)
    with Store.open(tmp_path / "log.db", create=True) as store:
        if taken:
            assert store.add(SERIAL, made.raws) == number
            return
        with pytest.raises(WheelwrightError, match=f"E-8014 record {number} of table {SERIAL} .* {t_ms} ms") as caught:
            store.add(SERIAL, made.raws)
        assert caught.value.exit_code == 6
        assert store.serials() == []


def test_two_tables_in_one_log_keep_their_own_numbers(tmp_path):
    one, two = journal(1, seed=1), journal(2, seed=2)
    path = stored(stored(tmp_path / "log.db", one, "A"), two, "B")
    with Store.open(path) as store:
        assert store.serials() == ["A", "B"]
        assert [row.raw for row in store.records("A")] == one.raws
        assert [row.raw for row in store.records("B")] == two.raws
        with pytest.raises(WheelwrightError, match=r"E-8009.*A, B"):
            store.serial(None)
        with pytest.raises(WheelwrightError, match=r"E-8008.*table C.*A, B"):
            store.serial("C")
        assert store.serial("B") == "B"


def test_an_anchor_goes_forward_only_and_only_to_a_stored_record(tmp_path):
    made = journal(2)
    with Store.open(stored(tmp_path / "log.db", made)) as store:
        assert store.anchor(SERIAL) is None
        assert store.set_anchor(SERIAL, 9) == (9, made.hash(9))
        assert store.set_anchor(SERIAL, 4) == (9, made.hash(9))
        with pytest.raises(LookupError):
            store.set_anchor(SERIAL, 999)
        assert store.anchor(SERIAL) == (9, made.hash(9))


def test_records_of_a_table_that_is_not_listed_are_damage_and_nobody_inherits_them(tmp_path):
    with Store.open(stored(tmp_path / "log.db", journal(2))) as store:
        store.check_owners()
        with sqlite3.connect(tmp_path / "log.db") as connection:
            connection.execute("DELETE FROM tables")
        connection.close()
        for use in (store.check_owners, lambda: store.add("T-NEW", journal(1).raws)):
            with pytest.raises(WheelwrightError, match=r"E-8004.*does not list"):
                use()
        assert store.serials() == []


def test_a_missing_log_is_named_and_not_made_by_looking_at_it(tmp_path):
    error = error_of(tmp_path / "log.db")
    assert error.code == 8005
    assert not (tmp_path / "log.db").exists()


def test_a_locked_log_is_said_to_be_locked_and_left_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "LOCK_TIMEOUT_S", 0.05)
    made = journal(1)
    path = stored(tmp_path / "log.db", made)
    before = content(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert error_of(path).code == 8001
    other.execute("ROLLBACK")
    with Store.open(path) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WheelwrightError, match="E-8001"):
            store.add(SERIAL, journal(2).raws)
        other.execute("ROLLBACK")
    other.close()
    assert content(path) == before


def test_a_writer_waits_for_another_one_that_is_nearly_done(tmp_path):
    made = journal(1)
    path = stored(tmp_path / "log.db", made)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with Store.open(path) as store:
        release = threading.Timer(0.1, lambda: other.execute("COMMIT"))
        release.start()
        assert store.add("B", made.raws) == len(made.raws)
        release.join()
    other.close()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("text", lambda path: path.write_text("date,section\n" * 100)),
        ("short", lambda path: path.write_bytes(b"SQLite format 3\0")),
        ("noise", lambda path: path.write_bytes(bytes(range(256)) * 64)),
        ("other program", lambda path: sqlite3.connect(path).execute("CREATE TABLE wages (x)").connection.close()),
        ("folder", lambda path: path.mkdir()),
    ],
)
def test_a_foreign_file_is_refused_and_left_untouched(tmp_path, name, make):
    path = tmp_path / "log.db"
    make(path)
    before = path.is_dir() or content(path)
    for create in (False, True):
        error = error_of(path, create)
        assert error.code == 8002, name
        assert str(path) in str(error)
    assert path.is_dir() or content(path) == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["log.db"]


def test_a_database_that_only_bears_our_mark_is_foreign_too(tmp_path):
    path = tmp_path / "log.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE x (y)")
        other.execute(f"PRAGMA application_id = {database_format.APPLICATION}")
        other.execute(f"PRAGMA user_version = {LOG.format}")
    other.close()
    before = content(path)
    assert error_of(path, create=True).code == 8002
    assert content(path) == before


def test_an_empty_file_is_foreign_to_a_reader_and_room_for_a_new_log(tmp_path):
    path = tmp_path / "log.db"
    path.touch()
    assert error_of(path).code == 8002
    Store.open(path, create=True).close()
    Store.open(path).close()


def test_a_newer_log_is_refused_with_both_formats_named_and_left_untouched(tmp_path):
    path = stored(tmp_path / "log.db", journal(1))
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {LOG.format + 1}")
    other.close()
    before = content(path)
    error = error_of(path, create=True)
    assert error.code == 8003
    assert f"format {LOG.format + 1}" in str(error)
    assert f"up to {LOG.format}" in str(error)
    assert content(path) == before


def test_a_log_without_its_end_is_damaged_and_one_with_all_of_it_is_not(tmp_path):
    path = stored(tmp_path / "log.db", journal(30))
    whole = content(path)
    page = struct.unpack_from(">H", whole, 16)[0]
    Store.open(path).close()
    path.write_bytes(whole[:-page])
    error = error_of(path)
    assert error.code == 8004
    assert content(path) == whole[:-page]


def test_a_page_overwritten_in_the_middle_is_damage_whoever_meets_it(tmp_path):
    path = stored(tmp_path / "log.db", journal(200))
    whole = bytearray(content(path))
    page = struct.unpack_from(">H", whole, 16)[0]
    for number in range(1, len(whole) // page):  # all but the first
        whole[number * page : number * page + 64] = b"\xa5" * 64
    path.write_bytes(whole)
    with pytest.raises(WheelwrightError) as caught, Store.open(path) as store:
        list(store.records(SERIAL))
    assert caught.value.code == 8004
    assert content(path) == whole


def test_a_log_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    path = stored(tmp_path / "log.db", journal(1))

    def refuse(*_args):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    error = error_of(path)
    assert error.code == 8006
    assert "Permission denied" in str(error)


def test_a_log_in_a_folder_that_is_not_there_is_named(tmp_path):
    assert error_of(tmp_path / "nowhere" / "log.db", create=True).code == 8006


def test_an_address_of_no_known_database_is_named():
    assert error_of("nosuch://host/log").code == 8006


def test_no_log_is_kept_in_memory_where_its_records_would_be_lost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for address in ("sqlite://", "sqlite+pysqlite:///log.db", "sqlite:///:memory:", ":memory:"):
        if "memory" in address:
            Store.open(address, create=True).close()
            assert (tmp_path / ":memory:").stat().st_size > 0
        else:
            assert error_of(address, create=True).code == 8006
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


def test_an_sqlite_address_is_a_path_too(tmp_path):
    made = journal(1)
    stored(tmp_path / "log.db", made)
    with Store.open(f"sqlite:///{tmp_path / 'log.db'}") as store:
        assert store.serials() == [SERIAL]
