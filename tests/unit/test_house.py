"""Many tables into one logbook: over pulled plugs, changed names, second tools and full disks; nothing is missing."""

from __future__ import annotations

import contextlib
import itertools
import json
import resource
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook import house
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.house import House
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store

from tests.json_shapes import fits
from tests.unit.house import Told, rounds, table
from tests.unit.link_table import ServedOnSocket
from tests.unit.test_cli import json_fields, tool

assert tool  # a fixture

A, B = "WW-0001", "WW-0002"


@pytest.fixture
def db(tmp_path):
    return str(tmp_path / "house.db")


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(house, "AGAIN_S", 0.02)
    return Told()


@contextlib.contextmanager
def following(db, addresses, timeout, told):
    """`House` over the log at `db`."""
    with Store.open(db, create=True) as store, House(addresses, store, timeout, told) as followed:
        yield followed


def logged(db, serial):
    with Store.open(db) as store:
        assert verify_table(store, serial).whole
        return [row.raw for row in store.records(serial)]


def grow(served, serial, count=1):
    """The table plays on."""
    for _ in range(count):
        served.journal.made.play()


def test_two_tables_are_followed_at_once_and_each_is_told_that_its_records_are_held(db, told):
    with table(A) as one, table(B, rounds(B, 5, seed=2)) as two:
        with following(db, [one.address, two.address], 3, told):
            told.until(lambda: len(told.said) == 2)
            grow(one, A), grow(two, B, 3)
            for serial, served in ((A, one), (B, two)):
                last = served.journal.last
                told.until(lambda serial=serial, last=last: told.numbers.get(serial, [0])[-1] == last)
            grow(one, A)  # what comes with the wish to stop is taken along
        for serial, served in ((A, one), (B, two)):
            assert logged(db, serial) == served.journal.made.raws
            assert served.table.anchored == served.journal.last
            numbers = told.numbers[serial]
            assert numbers == list(range(numbers[0], served.journal.last + 1)), "each told once, in order"
    assert told.links == {A: "up", B: "up"}


def test_a_table_is_found_by_its_serial_number_when_two_have_changed_places(db, told, monkeypatch):
    one, two = table(A), table(B)
    with one, two, following(db, [one.address, two.address], 3, told):
        told.until(lambda: len(told.said) == 2)
        swapped = {one.address: two.address, two.address: one.address}
        opened = house.Client.open.__func__

        def changed(cls, address, *args, **words):
            return opened(cls, swapped.get(address, address), *args, **words)

        monkeypatch.setattr(Client, "open", classmethod(changed))
        for served in (one, two):
            served.restart()  # both links end
            grow(served, "")
        for serial, served in ((A, one), (B, two)):
            told.until(lambda serial=serial, last=served.journal.last: told.said.count((serial, "")) == 0 and any(
                who == serial and f"ends at {last}" in text for who, text in told.said))  # fmt: skip
    assert logged(db, A) == one.journal.made.raws
    assert logged(db, B) == two.journal.made.raws


def test_a_port_that_comes_back_under_another_name_is_followed_there(db, told, monkeypatch):
    made = rounds(A)
    before = table(A, made)
    names = []
    monkeypatch.setattr(Client, "same_device", lambda self: names)
    with following(db, [before.address], 3, told):
        with before:
            told.until_said("followed at")
        told.until(lambda: told.links.get(A) == "down")
        made.play()
        with table(A, made) as again:
            names.append(again.address)
            told.until_said(f"followed at {again.address}")
    assert logged(db, A) == made.raws
    assert len(told.said) <= 4, "each sentence once, not at every try"


def test_gaps_in_the_middle_and_at_the_front_are_closed_from_the_journal(db, told):
    made = rounds(A, 6)
    with Store.open(db, create=True) as store:
        store.add(A, made.raws[9:12])
        store.add(A, made.raws[20:30])
    with table(A, made, first=4) as served, following(db, [served.address], 3, told):
        told.until_said("followed at")
    with Store.open(db) as store:
        assert [row.number for row in store.records(A)] == list(range(4, len(made.raws) + 1))
        assert store.gaps(A) == []


def test_a_gap_that_the_table_cannot_close_stays_and_is_named_by_verify(db):
    made = rounds(A, 6)
    with Store.open(db, create=True) as store:
        store.add(A, made.raws[:5])
        store.add(A, made.raws[20:])
        with table(A, made, first=11) as served, Client.open(served.address) as client:
            assert pull(client, store).new == 10
        assert store.gaps(A) == [(6, 10)]
        assert verify_table(store, A).gaps == [(6, 10)]


def test_a_gap_that_would_be_closed_by_another_journal_is_named(db):
    made, other = rounds(A, 6), rounds(A, 7, seed=3)
    with Store.open(db, create=True) as store:
        store.add(A, made.raws[:5])
        store.add(A, made.raws[20:])
        with (
            table(A, other) as served, Client.open(served.address) as client,
            pytest.raises(WheelwrightError, match=r"E-(8007|8101) record \d+ of table WW-0001"),
        ):  # fmt: skip
            pull(client, store)


def test_a_table_with_another_history_is_followed_no_longer_and_the_others_are(db, told):
    with Store.open(db, create=True) as store:
        store.add(A, rounds(A, 9, seed=5).raws)
    with table(A) as one, table(B) as two, following(db, [one.address, two.address], 3, told) as followed:
        told.until_said("followed no longer")
        told.until_said("followed at")
        grow(two, B)
        told.until(lambda: told.numbers.get(B, [0])[-1] == two.journal.last)
        followed.wait(0)
    assert [text[:6] for who, text in told.said if who == A] == ["E-8011"]
    assert logged(db, B) == two.journal.made.raws


def test_the_last_failure_of_all_ends_the_command(db, told):
    with following(db, ["nosuch://x"], 1, told) as followed:
        told.until_said("followed no longer")
        followed._followers[0].join()
        with pytest.raises(WheelwrightError, match="E-7005"):
            followed.wait()


def test_case_53_a_port_that_another_tool_holds_is_told_and_waited_for_and_a_second_tool_is_told_of_us(db, told):
    with table(A) as served, table(B) as other:
        first = Client.open(served.address)
        with following(db, [served.address, other.address], 1, told) as followed:
            told.until_said("E-7002 port")
            told.until_said("followed at")
            followed.wait(0)
            first.close()
            told.until(lambda: sum("followed at" in text for _, text in told.said) == 2)
            with pytest.raises(WheelwrightError, match=r"E-7002 port .* is held by"):
                Client.open(served.address)


def test_a_house_of_which_no_table_is_there_at_the_start_ends_with_the_reason(tool, db, told):
    for ports in (["/nowhere/1"], ["/nowhere/1", "/nowhere/2"], ["/nowhere/1", "nosuch://2"]):
        ended = tool("log", "watch", *(word for port in ports for word in ("--port", port)), "--db", db)
        assert (ended.status, ended.err[:6]) == (3, "E-7001"), ended.err
        assert ended.err.count("\n") == 1
    with table(A) as served, following(db, ["/nowhere/1", served.address], 1, told) as followed:
        told.until_said("followed at")
        told.until_said("E-7001")
        followed.wait(0)


def test_a_database_that_is_locked_for_long_is_said_once_and_nothing_is_missing(db, told, monkeypatch):
    monkeypatch.setattr("wheelwright.logbook.database.LOCK_TIMEOUT_S", 0.05)
    with table(A) as served, following(db, [served.address], 3, told):
        told.until_said("followed at")
        other = sqlite3.connect(db, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        grow(served, A)
        told.until_said("E-8001")
        grow(served, A)
        other.execute("ROLLBACK")
        other.close()
        told.until(lambda: sum("followed at" in text for _, text in told.said) == 2)
    assert logged(db, A) == served.journal.made.raws
    assert sum("E-8001" in text for _, text in told.said) == 1


def test_a_database_that_cannot_be_used_is_said_before_any_table_is_touched(tool, tmp_path):
    (tmp_path / "house.db").write_text("my diary")
    with table(A) as served:
        assert tool("log", "watch", "--port", served.address, "--db", tmp_path / "house.db").err.startswith("E-8002")
        assert served.endpoint.session == 0


def test_a_lost_line_in_mid_record_leaves_nothing_half_and_is_taken_up_again(db, told):
    served = table(A, rounds(A, 12), kind=ServedOnSocket)
    writes = itertools.count()

    def cut(data: bytes) -> bytes:
        if next(writes) in (40, 90, 160):
            raise OSError("the plug")
        return data

    served.damage = cut
    with served, following(db, [served.address], 3, told):
        told.until_said("followed at")
    assert logged(db, A) == served.journal.made.raws


@contextlib.contextmanager
def watching(*words, **options):
    """`wheelwright log watch` at work."""
    command = [sys.executable, "-m", "wheelwright", "log", "watch", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def test_log_watch_prints_what_comes_and_ctrl_c_ends_it_with_nothing_left_behind(db):
    with table(A) as one, table(B) as two:
        with watching("--port", one.address, "--port", two.address, "--db", db, "--json") as process:
            said = [json.loads(process.stdout.readline()) for _ in range(2)]
            assert {line["serial"] for line in said} == {A, B}
            assert all("followed at" in line["said"] for line in said)
            fits("log watch", said[0])
            one.journal.made.put("TILT", tilt=21, detail={})
            line = json.loads(process.stdout.readline())
            while line["kind"] != "TILT":
                line = json.loads(process.stdout.readline())
            assert line["payload"]["tilt"] == 21
            assert set(line) == json_fields("log search")
            assert all(set(one) == json_fields("log watch") for one in said)
            grow(one, A)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
            assert (process.returncode, err) == (0, "")
        assert logged(db, A) == one.journal.made.raws
        assert logged(db, B) == two.journal.made.raws


def test_log_watch_killed_in_mid_write_leaves_whole_batches_and_the_next_one_goes_on(db):
    with table(A, rounds(A, 300)) as served:
        with watching("--port", served.address, "--db", db), Store.open(db, create=True) as store:
            while store.count(A) < 50:
                threading.Event().wait(0.01)
        with Store.open(db) as store:
            assert 50 <= store.count(A) <= served.journal.last
            assert store.gaps(A) == []
            assert verify_table(store, A).whole
        with Store.open(db) as store, Client.open(served.address) as client:
            pull(client, store)
    assert logged(db, A) == served.journal.made.raws


def test_a_disk_that_is_full_for_a_while_is_said_and_nothing_is_missing_when_it_has_room_again(db):
    room = 150_000

    def so_much():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

    with table(A) as served, watching("--port", served.address, "--db", db, preexec_fn=so_much) as process:
        said = iter(process.stdout.readline, "")
        assert any("followed at" in line for line in said)
        grow(served, A, 100)
        assert any("E-8023 the log" in line for line in said)
        with Store.open(db) as store:
            assert verify_table(store, A).whole
            assert store.bounds(A)[1] < served.journal.last
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert any("followed at" in line for line in said)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert logged(db, A) == served.journal.made.raws


def test_log_watch_needs_a_port(tool):
    ended = tool("log", "watch")
    assert (ended.status, ended.err[:6]) == (2, "E-9000")
