"""Whole virtual tables that share a meter through the host: played, won, killed, and held against their logs."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from wheelwright.link import Client
from wheelwright.meters.audit import audit
from wheelwright.meters.books import Books
from wheelwright.meters.house import House
from wheelwright.meters.reading import reader
from wheelwright.pulling import pull
from wheelwright.store import Store
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.virtual.test_cli_table import running, stopped, tool
from tests.virtual.test_virtual_shaker import set_to

pytestmark = pytest.mark.virtual
GAME = "match_the_dealer"
NAME = "house-1"
CONFIGURATION = '{"game": "match_the_dealer", "settings": {"linked": true}}'
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
    made = tool("link", "new", NAME, config, "--test", "--ledger", ledger, "--json")
    fits("link new", json.loads(made.out))
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
            set_to(table, game=GAME, linked=True)
        books = Books(ledger)
        house = House(books, NAME, reader(books.linked(NAME)), lambda _address, text: said.append(text))
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
        house.stop()
        assert books.linked(NAME).meter["won"] == 1_000_900
        with Store.open(db, create=True) as store:
            for table in (one, two):
                with Client.open(table.address) as client:
                    pull(client, store)
            assert audit(books, NAME, store) == {"WW-0001": 2, "WW-0002": 4}
        checked = tool("link", "check", NAME, "--ledger", ledger, "--db", db, "--json")
        assert json.loads(checked.out)["lines"] == 6
        fits("link check", json.loads(checked.out))
        fits("link show", json.loads(tool("link", "show", "--ledger", ledger, "--json").out))
        assert re.search(r"house-1 .* stands at \$", tool("link", "show", NAME, "--ledger", ledger).out)


def test_link_run_takes_what_was_played_before_it_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    need_micropython()
    config, ledger = tmp_path / "match.json", tmp_path / "linked.db"
    config.write_text(CONFIGURATION)
    assert tool("link", "new", NAME, config, "--test", "--ledger", ledger).status == 0
    assert "E-8208" in tool("link", "new", NAME, config, "--ledger", ledger).err
    with VirtualTable(tmp_path / "one", pace=0, game=GAME) as table:
        table.hand("hurry", ms=24 * 3600 * 1000)
        set_to(table, game=GAME, linked=True)
        with Client.open(table.address) as client:
            client.call("LINKED", meter=NAME, mills=1_000_000)
            deal(client, 4)
        words = ["link", "run", NAME, "--ledger", ledger, "--port", table.address, "--port", "socket://127.0.0.1:9"]
        with running(*words, "--json") as (process, lines):
            news = []
            for line in lines:
                news.append(json.loads(line))
                if news[-1].get("mills") == 1_000_600:
                    break
            for one in news:
                fits("link run", one)
            assert any("E-7007" in one.get("text", "") for one in news), "the table that is not there is named"
            stopped(process, status=0)
        assert json.loads(tool("link", "show", NAME, "--ledger", ledger, "--json").out)["wagered"] == 4000
