"""Whole virtual tables that share a meter through the host: played, won, killed, and held against their logs."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.link import Client
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store
from wheelwright.meters.audit import audit
from wheelwright.meters.books import Books
from wheelwright.meters.house import House
from wheelwright.meters.reading import reader
from wheelwright.supervising import read_key, signed
from wheelwright.virtual import VirtualTable, board_file

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.virtual.test_cli_table import running, stopped, tool
from tests.virtual.test_virtual_shaker import set_to

pytestmark = pytest.mark.virtual
GAME = "match_the_dealer"
NAME = "house-1"
KEY = read_key(board_file("VIRTUAL"))
CONFIGURATION = '{"game": "match_the_dealer", "settings": {}}'
WAIT_S = 60.0


def until(held: Any) -> None:
    """Waits for a condition, and fails when it does not come."""
    end = time.monotonic() + WAIT_S
    while not held():
        assert time.monotonic() < end, "it did not come"
        threading.Event().wait(0.05)


def deal(client: Any, seats: int, wins: bool = False) -> None:
    """A round up to its validation, or to its end when nobody wins."""
    client.call("OPEN_BETS")
    client.call("WAGER", bets=[[seat, "Match the Dealer", 1000] for seat in range(1, seats + 1)])
    client.call("NO_MORE_BETS")
    client.call("GIVE", given=["chips", seats, "D1"])
    for seat in range(1, seats + 1):
        client.call("GIVE", given=["hand", seat, "AS AS" if wins else "3S 4S"])
    client.call("GIVE", given=["dealt", "AS"])
    if not wins:
        client.call("SETTLE")


def test_two_tables_share_a_meter_over_a_win_and_the_death_of_one(tmp_path: Path) -> None:
    need_micropython()
    config, ledger, db = tmp_path / "match.json", tmp_path / "linked.db", tmp_path / "log.db"
    config.write_text(CONFIGURATION)
    joins = tmp_path / "for-tables.json"
    made = tool("link", "new", NAME, config, "--test", "--ledger", ledger, "--out", joins, "--json")
    fits("link new", json.loads(made.out))
    identity = json.loads(joins.read_text())["settings"]["linked"]
    clients: dict[str, Client] = {}

    def connect(table: VirtualTable) -> Client:
        clients[table.serial] = Client.open(table.address)
        return clients[table.serial]

    def shown(table: VirtualTable) -> int:
        return int(clients[table.serial].call("STATUS").get("meter_mills", 0))

    said: list[str] = []
    with (
        VirtualTable(tmp_path / "one", pace=0, serial="WW-0001", game=GAME) as one,
        VirtualTable(tmp_path / "two", pace=0, serial="WW-0002", game=GAME) as two,
    ):
        for table in (one, two):
            table.hand("hurry", ms=24 * 3600 * 1000)
            set_to(table, game=GAME, linked=identity)
        books = Books(ledger)
        house = House(books, NAME, reader(books.linked(NAME)), [KEY], lambda _address, text: said.append(text))
        for table in (one, two):
            house.follow(table.address, lambda table=table: connect(table))  # type: ignore[misc]
        until(lambda: len(clients) == 2 and all(shown(table) == 1_000_000 for table in (one, two)))
        deal(clients[one.serial], 2)
        deal(clients[two.serial], 3)
        until(lambda: shown(one) == shown(two) == 1_000_750)
        deal(clients[two.serial], 1, wins=True)
        until(lambda: house.value == 1_000_900)
        two.restart()  # in the middle of the win; its link is made again
        until(lambda: sum("WW-0002 is linked" in text for text in said) == 2)
        until(lambda: clients[two.serial].call("STATUS")["phase"] == "BONUS")
        clients[two.serial].call("GIVE", given=["validate", 1, "F1"])
        until(lambda: clients[two.serial].call("STATUS")["meter_mills"] != 1_000_900)
        until(lambda: not books.account(NAME, two.serial).claims)
        clients[two.serial].call("GIVE", given=["documented", 1])
        settled = clients[two.serial].call("STATUS")["phase"]
        assert settled == "RESULT"
        clients[two.serial].call("SETTLE")
        deal(clients[one.serial], 1)
        until(lambda: books.linked(NAME).meter["wagers"] == 7)
        until(lambda: not house.faults)
        Books(ledger).correct(NAME, 1_234_000, "ann and bob: another program, beside this host")
        until(lambda: {client.call("STATUS")["meter_mills"] for client in clients.values()} == {1_234_000})
        house.stop()
        assert books.linked(NAME).meter["won"] == 1_000_900
        with Store.open(db, create=True) as store:
            for table in (one, two):
                with Client.open(table.address) as client:
                    pull(client, store)
            assert audit(books, NAME, store) == {"WW-0001": 3, "WW-0002": 5}
        checked = tool("link", "check", NAME, "--ledger", ledger, "--db", db, "--json")
        assert json.loads(checked.out)["lines"] == 9
        fits("link check", json.loads(checked.out))
        head = json.loads(checked.out)["head"]
        Store.open(tmp_path / "empty.db", create=True).close()
        absent = tool("link", "check", NAME, "--ledger", ledger, "--db", tmp_path / "empty.db")
        assert absent.status != 0 and "E-8215 the log has no record of WW-0001, WW-0002" in absent.err
        assert tool("link", "check", NAME, "--ledger", ledger, "--head", head).status == 0
        wrong = tool("link", "check", NAME, "--ledger", ledger, "--head", "7:" + head.partition(":")[2])
        assert "E-8213" in wrong.err
        assert "E-9001" in tool("link", "check", NAME, "--ledger", ledger, "--head", "seven").err
        anew = ("link", "rejoin", NAME, "-p", one.address, "--ledger", ledger, "--reason", "new chip", "--json")
        assert "E-9001" in tool(*anew, "--operator", "ann", "--second", "Ann").out
        again = tool(*anew, "--operator", "ann", "--second", "bob")
        fits("link rejoin", json.loads(again.out))
        assert json.loads(again.out)["record"] == books.account(NAME, one.serial).number
        fits("link show", json.loads(tool("link", "show", "--ledger", ledger, "--json").out))
        assert re.search(r"house-1 .* stands at \$", tool("link", "show", NAME, "--ledger", ledger).out)


def test_link_run_takes_what_was_played_before_it_and_says_at_ctrl_c_who_was_not_linked(tmp_path: Path) -> None:
    need_micropython()
    config, ledger, joins = tmp_path / "match.json", tmp_path / "linked.db", tmp_path / "for-tables.json"
    config.write_text(CONFIGURATION)
    assert tool("link", "new", NAME, config, "--test", "--ledger", ledger, "--out", joins).status == 0
    assert "E-8208" in tool("link", "new", NAME, config, "--ledger", ledger).err
    assert "E-8010" in tool("link", "new", "other", config, "--ledger", ledger, "--out", joins).err
    assert "E-8205" in tool("link", "show", "other", "--ledger", ledger).err, "no meter without its configuration"
    (tmp_path / "other.hex").write_text("11" * 32)
    keys = ("--device-key", tmp_path / "other.hex", "--device-key", board_file("VIRTUAL"))
    with VirtualTable(tmp_path / "one", pace=0, game=GAME) as table:
        table.hand("hurry", ms=24 * 3600 * 1000)
        identity = json.loads(joins.read_text())["settings"]["linked"]
        set_to(table, game=GAME, linked=identity)
        words = ["link", "run", NAME, "--ledger", ledger, "--port", table.address]
        with Client.open(table.address) as client:
            args = {"meter": identity, "mills": 1_000_000, "test": True, "parameters": match.parameters(match.DEFAULTS)}
            client.call("LINKED", **signed(KEY, client.call("LINKED", **args)["nonce"], "LINKED", **args))
            deal(client, 4)
        with running(*words, "--port", "socket://127.0.0.1:9", *keys, "--json") as (process, lines):
            news = []
            for line in lines:
                news.append(json.loads(line))
                if news[-1].get("mills") == 1_000_600:
                    break
            for one in news:
                fits("link run", one)
            assert any("E-7007" in one.get("text", "") for one in news), "the table that is not there is named"
            stopped(process, status=3)
        with running(*words, *keys, "--json") as (process, lines):
            assert any("is linked" in json.loads(line).get("text", "") for line in lines)
            stopped(process, status=0)
        with running(*words, *keys[:2], "--json") as (process, lines):
            assert any("E-8204" in json.loads(line).get("text", "") for line in lines)
            stopped(process, status=9)
        assert json.loads(tool("link", "show", NAME, "--ledger", ledger, "--json").out)["wagered"] == 4000
