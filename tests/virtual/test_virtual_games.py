"""Every bonus game on a whole virtual table: played from the tool, logged, proved, replayed, adjudicated again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tabletop.rules import GAMES
from wheelwright.adjudicate import adjudicate
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store
from wheelwright.replay import Summary, replay
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython
from tests.virtual.test_cli_table import running, stopped, tool

pytestmark = pytest.mark.virtual
LEAST_FREE = 16_000  # bytes, after the game has been played


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("game", GAMES[1:])
def test_a_game_is_played_logged_proved_and_adjudicated_to_the_same_result(game: str, tmp_path: Path) -> None:
    need_micropython()
    db = tmp_path / "log.db"
    ended = tool("play", "--game", game, "--rounds", 2, "--seed", 5, "--db", db, "--json")
    assert ended.status == 0, ended.err
    *rounds, proof = lines(ended.out)
    assert [one["round"] for one in rounds] == [1, 2]
    assert all(one["odds"] and not one["voided"] for one in rounds)
    assert proof["rounds"] == 2
    assert tool("replay", "--db", db).status == tool("log", "verify", "--db", db).status == 0
    for number in (1, 2):
        script = tmp_path / f"round{number}.json"
        assert tool("log", "script", "--round", number, "--db", db, "--out", script).status == 0
        told = adjudicate(json.loads(script.read_text()))
        shown = lines(tool("log", "show", "--db", db, "--kind", "SETTLED", "--round", number, "--json").out)
        settled = shown[0]["payload"]
        assert told["finished"]
        assert [list(pay.values()) for pay in told["pays"]] == settled["pays"]
        assert [list(row.values()) for row in told["odds"]] == settled["odds"]
        assert told["collected_mills"] == settled["collected"]
        assert (told["layout"], told["paytable"]) == (settled["layout"], settled["paytable"])


def test_the_lamps_are_told_in_words_while_a_game_is_played(tmp_path: Path) -> None:
    need_micropython()
    text = tool("play", "--game", "bellagio", "--choose", "1:2", "--bet", "1:Bellagio:5000", "--no-live").out
    assert "the combinations pay" in text
    assert "round 1: seat 1 chooses 2" in text
    assert "machine 1: " in text
    assert "icons " in text
    assert "spins done 8" in text
    assert "1 round gives the same result on the host" in text


def test_who_watches_from_the_middle_of_a_game_sees_it_whole(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path / "table", pace=0, game="mgm_grand") as table:
        with Client.open(table.address) as client:
            client.call("OPEN_BETS")
            client.call("WAGER", bets=[[1, "MGM Grand", 5000], [2, "MGM Grand", 5000]])
            client.call("NO_MORE_BETS")
            client.call("BEGIN", spot="MGM Grand")
            client.call("CHOOSE", seat=2, choice=4)
        with running("watch", "--port", table.address) as (process, lines):
            seen = []
            for line in lines:
                seen.append(line)
                if "spot 4:" in line and any("disco ball" in one for one in seen):
                    break
            assert stopped(process, status=0) == ""
    text = "".join(seen)
    assert "round 1: bets are open" not in text, "what was before is not told again"
    assert "the time for choices is over" in text
    assert "seat 1 takes" in text
    assert re.search(r"seat 2 chose 4, seat 1 chose \d|seat 1 chose \d, seat 2 chose 4", text)
    assert "blue ball 1: " in text


def test_a_choice_that_cannot_be_made_is_refused_in_a_sentence() -> None:
    need_micropython()
    ended = tool("play", "--game", "mgm_grand", "--choose", "1:9", "--bet", "1:MGM Grand:5000", "--no-live")
    assert ended.status != 0
    assert "E-3010 9 cannot be chosen" in ended.err


def test_a_round_goes_on_after_the_power_was_cut_in_the_middle_of_it(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path / "table", pace=0, game="luxor") as table:
        with Client.open(table.address) as client:
            client.call("OPEN_BETS")
            client.call("WAGER", bets=[[1, "Luxor", 5000], [2, "Luxor", 1000]])
            client.call("NO_MORE_BETS")
            client.call("BEGIN", spot="Luxor")
            before = client.call("STATUS")
        table.restart()
        with Client.open(table.address) as client:
            after = client.call("STATUS")
            assert after["phase"] == "BONUS"
            assert after["draws"] >= before["draws"] >= 22  # time passes, and it goes on by itself
        ended = tool("play", "--port", table.address, "--rounds", 1, "--choose", "3:4", "--json", timeout=120)
        assert ended.status == 0, ended.err  # seat 3 has no wager in the open round, and one in the next
        with Client.open(table.address) as client, Store.open(tmp_path / "log.db", create=True) as store:
            pull(client, store)
            summary = Summary()
            told = list(entries.payloads(table.serial, store.records(table.serial)))
            played = list(replay(iter(told), summary))
        assert [one.problem for one in played] == [None, None]
        assert summary.settled == 2
        given = [(payload["round"], payload["given"]) for _, kind, payload in told if kind == "GIVEN"]
        assert [one for one in given if one[1][:2] == ["choose", 3]] == [(2, ["choose", 3, 4])]
        assert table.hand("state")["mem_free"] > LEAST_FREE
