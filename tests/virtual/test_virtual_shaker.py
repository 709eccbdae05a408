"""A whole virtual table with a shaker: motor, cup, dice and sensor on its pins, pressed and broken by the hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store
from wheelwright.replay import Summary, replay
from wheelwright.supervising import configure, read_key
from wheelwright.virtual import VirtualTable, board_file

from tests.conftest import need_micropython
from tests.virtual.test_cli_table import tool

pytestmark = pytest.mark.virtual


def set_to(table: VirtualTable, **settings: Any) -> None:
    """The table gets these settings."""
    table.hand("key", key="SERVICE", on=True)
    table.hand("pass", ms=200)
    with Client.open(table.address) as client:
        configure(client, read_key(board_file("VIRTUAL")), settings, "ann")
    table.hand("key", key="SERVICE", on=False)
    table.hand("pass", ms=200)


def test_the_selected_players_button_shakes_the_dice_of_a_whole_table(tmp_path: Path) -> None:
    need_micropython()
    log = Store.open(tmp_path / "log.db", create=True)
    with VirtualTable(tmp_path / "table", pace=0, game="dice") as table, log as store:
        table.hand("hurry", ms=24 * 3600 * 1000)
        set_to(table, game="dice", shaker="PLAYER")
        with Client.open(table.address) as client:
            client.call("OPEN_BETS")
            client.call("WAGER", bets=[[3, "Match 1", 1000], [5, "Sum", 1000]])
            client.call("NO_MORE_BETS")
            client.call("GIVE", given=["select", 3])
            table.hand("shake", seat=5)
            table.hand("shaker", fault="lid opens", after_ms=2000)
            table.hand("pass", ms=200)
            table.hand("shake", seat=3)
            table.hand("pass", ms=12000)
            table.hand("shaker", fault="")
            table.hand("pass", ms=1000)
            table.hand("shake", seat=3)
            table.hand("pass", ms=12000)
            cup = table.hand("shaker")
            assert (cup["calm"], cup["motor"]) == (True, False)
            assert client.call("GIVE", given=["roll", *cup["dice"], *cup["dice"]])["step"] == "DONE"
            client.call("SETTLE")
            pull(client, store)
            assert not client.call("STATUS")["tilts"]
        records = list(entries.payloads(table.serial, store.records(table.serial)))
        shakes = [told["given"][1:3] for _, kind, told in records if kind == "GIVEN" and told["given"][0] == "shake"]
        assert shakes == [["NO_ROLL", "LID_OPENED"], ["SHAKEN", ""]]
        refused = [told["detail"]["reason"] for _, kind, told in records if kind == "REFUSED"]
        assert refused == ["NOT_SELECTED"]
        summary = Summary()
        for _ in replay(iter(records), summary):
            pass
        assert (summary.settled, summary.failure(table.serial)) == (1, None)


def test_play_selects_a_player_presses_and_reads_the_dice(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path / "table", pace=0, game="dice") as table:
        table.hand("hurry", ms=24 * 3600 * 1000)
        set_to(table, game="dice", shaker="PLAYER")
        address = table.hand_address
        table.hand("state")
        table._drop_hand()
        ended = tool("play", "--port", table.address, "--hand", address, "--rounds", 2, "--no-live",
                     "--db", tmp_path / "log.db")  # fmt: skip
    assert ended.status == 0, ended.err
    assert ended.out.count("the shaker starts") == 2
    assert "the shake is SHAKEN" in ended.out
    assert tool("replay", "--db", tmp_path / "log.db").status == 0
