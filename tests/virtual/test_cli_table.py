"""info, play, watch, log pull and sim against a whole virtual table."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from wheelwright.link import Client
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.store import Store
from wheelwright.virtual import BONUS_HEAP, VirtualTable

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.unit.logs import Journal, journal, stored
from tests.unit.test_cli import Ended

pytestmark = pytest.mark.virtual
LONG_S = 60


def tool(*words: object, **options: Any) -> Ended:
    ended = subprocess.run([sys.executable, "-m", "wheelwright", *map(str, words)], capture_output=True, text=True,
                           check=False, **{"timeout": LONG_S} | options)  # fmt: skip
    assert "Traceback" not in ended.stdout + ended.stderr
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@contextmanager
def running(*words: object) -> Iterator[tuple[subprocess.Popen[str], Iterator[str]]]:
    """The tool at work, and its lines as they come; it is ended when a test waits too long for one."""
    command = [sys.executable, "-m", "wheelwright", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = threading.Timer(LONG_S, process.kill)
        deadline.start()
        assert process.stdout is not None
        try:
            yield process, iter(process.stdout.readline, "")
        finally:
            deadline.cancel()
            process.kill()


def stopped(process: subprocess.Popen[str], number: int = signal.SIGINT, status: int | None = None) -> str:
    """What the tool says when it is ended by a signal; its exit code is that of the signal unless one is given."""
    process.send_signal(number)
    out, err = process.communicate(timeout=LONG_S)
    assert process.returncode == (128 + number if status is None else status)
    assert "Traceback" not in out + err
    return err


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualTable]:
    need_micropython()
    with VirtualTable(tmp_path_factory.mktemp("table"), pace=0) as table:
        yield table


def play(table: VirtualTable, *words: object) -> Ended:
    return tool("play", "--port", table.address, "--hand", table.hand_address, *words)


def test_info_tells_who_the_table_is_and_how_it_is(table: VirtualTable) -> None:
    text = tool("info", "--port", table.address).out
    assert f"table {table.serial} EMULATED TEST" in text
    assert "no tilt" in text
    assert "live meters: wagered $0.00, rounds 0, paid $0.00" in text
    ended = tool("info", "--port", table.address, "--json")
    fits("info", ended.json)
    assert ended.json["hello"]["serial"] == table.serial


def test_play_plays_rounds_and_keeps_them_in_the_log(table: VirtualTable, tmp_path: Path) -> None:
    db = tmp_path / "table.db"
    ended = play(table, "--rounds", 2, "--bet", "1:10:5000", "--bet", "2:1:1000", "--aim", "symbol 7x", "--db", db)
    assert ended.status == 0, ended.err
    assert ended.out.count(": closed") == 2
    assert "seat 1 $5.00 on 10" in ended.out
    assert "x7" in ended.out
    with Store.open(db) as store:
        verdict = verify_table(store, table.serial)
        assert verdict.whole
        assert store.anchor(table.serial) is not None
    assert tool("replay", "--db", db).status == 0


def test_play_json_prints_a_line_for_each_round(table: VirtualTable) -> None:
    lines = play(table, "--rounds", 2, "--bet", "1:10:5000", "--json").lines
    assert len(lines) == 2
    for line in lines:
        fits("play", line)


@pytest.mark.parametrize(("bet", "code", "status"), [
    ("1:3:5000", "E-3001", 7), ("1:1:1", "E-3002", 7), ("1:1:900000000", "E-3003", 7), ("1:1:-5", "E-3004", 7),
    ("9:1:5000", "E-3005", 7), ("nonsense", "E-9002", 2), ("1:1", "E-9002", 2),
])  # fmt: skip
def test_a_wager_that_is_refused_is_named_and_leaves_no_round_open(
    table: VirtualTable, bet: str, code: str, status: int
) -> None:
    ended = play(table, "--bet", bet)
    assert ended.status == status
    assert ended.err.startswith(f"{code} ")
    with Client.open(table.address) as client:
        assert client.call("STATUS")["phase"] == "TEST"
        assert client.call("STATUS")["tilts"] == []


def test_an_open_round_is_finished_before_the_next_one(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        number = client.call("OPEN_BETS")["round"]
        client.call("WAGER", bets=[[1, "1", 5000]])
        client.call("NO_MORE_BETS")
    ended = play(table, "--json")
    assert [line["round"] for line in ended.lines] == [number, number + 1]


@pytest.mark.parametrize("words", [("--choose", "1:2"), ("--spot", "Luxor")])
def test_words_of_a_bonus_game_are_refused_at_a_table_without_one(table: VirtualTable, words: tuple[str, str]) -> None:
    before = tool("info", "--port", table.address, "--json").json["status"]["round"]
    ended = play(table, *words)
    assert (ended.status, ended.err[:6]) == (2, "E-9000")
    assert tool("info", "--port", table.address, "--json").json["status"]["round"] == before


@pytest.mark.parametrize("logged", [False, True])
def test_a_round_that_stands_in_result_is_finished_when_its_settlement_is_old(
    table: VirtualTable, tmp_path: Path, logged: bool
) -> None:
    words = ("--db", tmp_path / "t.db") if logged else ()
    with Client.open(table.address) as client:
        number = client.call("OPEN_BETS")["round"]
        client.call("NO_MORE_BETS")
        table.hand.spin("number", 1)
        while client.call("STATUS")["phase"] != "RESULT":
            table.hand.rest()
    table._drop_hand()
    if logged:
        assert tool("log", "pull", "--port", table.address, "--db", tmp_path / "t.db").status == 0
    ended = play(table, "--json", "--patience", 20, *words)
    assert ended.status == 0, ended.err
    assert [(line["round"], line["voided"]) for line in ended.lines] == [(number, False), (number + 1, False)]


def test_pulling_brings_everything_once_and_pulling_again_only_what_is_new(table: VirtualTable, tmp_path: Path) -> None:
    db = tmp_path / "table.db"
    first = tool("log", "pull", "--port", table.address, "--db", db, "--json").json
    fits("log pull", first)
    assert first["first"] == 1
    assert first["new"] == first["last"] == first["anchor"]
    play(table)
    second = tool("log", "pull", "--port", table.address, "--db", db, "--json").json
    assert second["new"] == second["last"] - first["last"]
    assert second["new"] >= 5
    words = tool("log", "pull", "--port", table.address, "--db", db)
    assert words.status == 0
    assert "the log now ends at" in words.out
    assert tool("log", "verify", "--db", db).status == 0


def test_a_log_of_another_table_under_the_same_number_is_never_mixed_with_this_one(
    table: VirtualTable, tmp_path: Path
) -> None:
    longer = stored(tmp_path / "longer.db", journal(300), table.serial)
    before = longer.read_bytes()
    ended = tool("log", "pull", "--port", table.address, "--db", longer)
    assert ended.status == 6
    assert ended.err.startswith("E-8011 ")
    assert longer.read_bytes() == before
    alike = Journal()
    alike.start(serial=table.serial)
    for nth, (made, first_wrong) in enumerate([(journal(0), 1), (alike, 2)]):
        shorter = stored(tmp_path / f"shorter{nth}.db", made, table.serial)
        ended = tool("log", "pull", "--port", table.address, "--db", shorter)
        assert ended.status == 1
        assert ended.err.startswith(f"E-8101 record {first_wrong} ")
        with Store.open(shorter) as store:
            assert store.anchor(table.serial) is None


def test_watch_shows_what_others_play_until_ctrl_c(table: VirtualTable) -> None:
    assert play(table).status == 0
    with running("watch", "--port", table.address, "--from", "1", "--json") as (process, lines):
        kinds, live = set(), {}
        for line in lines:
            value = json.loads(line)
            fits("watch", value)
            live = value.get("live", live)
            kinds.add(value.get("kind"))
            if live and "BOOT" in kinds and "SETTLED" in kinds:
                break
        assert stopped(process, status=0) == ""
    assert "phase" in live


def test_case_54_watch_finds_a_table_again_that_was_away_and_misses_nothing(tmp_path: Path) -> None:
    need_micropython()
    with (
        VirtualTable(tmp_path, pace=0) as table,
        running("watch", "--port", table.address, "--from", "1", "--rate", "0") as (process, lines),
    ):
        assert any("started (POWER_ON)" in line for line in lines)
        table.restart()
        assert any(line.startswith("E-7006 ") for line in lines)
        assert any("is back at" in line for line in lines)
        assert any("started (POWER_ON)" in line for line in lines)
        stopped(process, status=0)


@pytest.mark.parametrize(("number", "label"), [(signal.SIGINT, "E-9902"), (signal.SIGTERM, "E-9903")])
def test_ctrl_c_in_play_returns_the_wagers_and_says_so(
    table: VirtualTable, tmp_path: Path, number: int, label: str
) -> None:
    db = tmp_path / "table.db"
    with running("play", "--port", table.address, "--bet", "1:10:5000", "--db", db) as (process, lines):
        assert any("no more bets" in line for line in lines)  # and nobody spins the wheel
        words = stopped(process, number)
    assert re.search(label + r" .*round \d+ was voided and all wagers returned", words)
    with Client.open(table.address) as client:
        assert client.call("STATUS")["phase"] == "TEST"
    with Store.open(db) as store:
        assert verify_table(store, table.serial).whole


def test_a_wheel_that_nobody_spins_ends_the_patience(table: VirtualTable) -> None:
    ended = tool("play", "--port", table.address, "--patience", "0.5")
    assert ended.status == 3
    assert ended.err.startswith("E-7020 ")
    assert play(table, "--rounds", 1).status == 0


# ports: absent, busy, silent, no address (the fourth, not permitted, needs another user: test_client)


def test_four_different_ports_that_are_no_table_give_four_different_sentences(tmp_path: Path) -> None:
    with socket.socket() as silent, socket.socket() as closed:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        closed.bind(("127.0.0.1", 0))
        where = {
            "E-7001": str(tmp_path / "ttyACM9"),
            "E-7004": f"socket://127.0.0.1:{silent.getsockname()[1]}",
            "E-7005": "nosuch://x",
            "E-7007": f"socket://127.0.0.1:{closed.getsockname()[1]}",
        }
        for code, port in where.items():
            ended = tool("info", "--port", port, "--timeout", "0.5")
            assert ended.status == 3
            assert ended.err.startswith(f"{code} "), ended.err


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo terminal")
def test_case_53_a_port_that_another_program_holds_is_busy_and_the_other_goes_on(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0, pty=True) as table, Client.open(table.address) as client:
        ended = tool("info", "--port", table.address)
        assert ended.status == 3
        assert ended.err.startswith("E-7002 ")
        assert client.call("PING")["uptime_ms"] > 0


# sim


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_sim_stays_up_until_it_is_ended_and_keeps_its_journal(tmp_path: Path, number: int) -> None:
    need_micropython()
    boots = []
    for _ in range(2):
        with running("sim", "--pace", 0, "--folder", tmp_path, "--json") as (process, lines):
            where = json.loads(next(lines))
            fits("sim", where)
            boots.append(tool("info", "--port", where["port"], "--json").json["hello"]["boot"])
            assert stopped(process, number, status=0) == ""
    assert boots == [1, 2]


def test_a_board_that_does_not_exist_is_named() -> None:
    ended = tool("sim", "--board", "NOSUCH")
    assert ended.status == 5
    assert ended.err.startswith("E-7207 ")


def test_ports_lists_what_is_plugged_in() -> None:
    ended = tool("ports", "--json")
    assert ended.status == 0
    fits("ports", ended.json)
    assert tool("ports").status == 0


# trace capture


def test_a_spin_that_counts_is_captured_and_run_again_to_the_same_result(tmp_path: Path) -> None:
    need_micropython()
    out = tmp_path / "spin.csv.gz"
    with VirtualTable(tmp_path / "table", pace=4, heap=BONUS_HEAP) as table, Client.open(table.address) as dealer:
        for command, args in (("OPEN_BETS", {}), ("WAGER", {"bets": [[1, "10", 5000]]}), ("NO_MORE_BETS", {})):
            dealer.call(command, **args)
        dealer.close()
        port = table.address
        words = ("trace", "capture", "--port", port, "--out", out, "--json")
        command_line = [sys.executable, "-m", "wheelwright", *map(str, words)]
        with subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "recording: spin the wheel\n"
            table.hand.spin("section 9", 4)
            printed, _ = process.communicate(timeout=LONG_S)
        assert process.returncode == 0
        told = json.loads(printed)
        with Client.open(port) as client:
            result = client.call("STATUS")["result"]
    (spin,), (event,) = told["spins"], told["events"]
    assert spin["counted"] and spin["section"] == result["section"] == event["section"] == 9
    assert event["outcome"] == spin["outcome"] == "SECTION"
    assert abs(event["turns"] - spin["turns_milli"] / 1000) < 0.01
    assert event["faults"] == spin["faults"] == [] and event["notes"] == spin["notes"]
    assert tool("trace", "run", out, "--json").json == [{"file": "spin", "events": [event]}]
    fits("trace capture", told)
