"""Every wager on cards or dice on a whole virtual table: played, proved, replayed; its sensors, keys and displays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from wheelwright.adjudicate import adjudicate
from wheelwright.errors import Refused
from wheelwright.link import Client
from wheelwright.logbook import entries
from wheelwright.logbook.store import Store
from wheelwright.scripts import script_of_records
from wheelwright.virtual import VirtualTable
from wheelwright.wagers import WAGERS

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.virtual.test_cli_table import tool
from tests.virtual.test_virtual_bench import go_live

pytestmark = pytest.mark.virtual
LEAST_FREE = 12_000  # bytes, after rounds have been played
SPOT = "Match the Dealer"
KEY = "5f766972747561c56c5f6b65795f666f725f74657374735f6f6e6c795f303031"  # of boards/VIRTUAL


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("game", WAGERS)
def test_a_wager_is_played_logged_proved_and_adjudicated_to_the_same_result(game: str, tmp_path: Path) -> None:
    need_micropython()
    db = tmp_path / "log.db"
    ended = tool("play", "--game", game, "--rounds", 2, "--seed", 3, "--db", db, "--json")  # proves and replays it
    assert ended.status == 0, ended.err
    assert lines(ended.out)[-1]["rounds"] == 2
    with Store.open(db) as store:
        serial = store.serial(None)
        records = [(kind, payload) for _, kind, payload in entries.payloads(serial, store.records(serial))]
    for number in (1, 2):
        told = adjudicate(script_of_records(one for one in records if one[1].get("round") == number))
        assert told["finished"]
        settled = next(payload for kind, payload in records if kind == "SETTLED" and payload["round"] == number)
        assert told["collected_mills"] == settled["collected"]
        assert sum(paid["handed_mills"] for paid in told["paid"]) == sum(row[4] for row in settled["pays"])


def test_a_round_with_chips_cards_keys_and_a_power_cut_in_its_middle(tmp_path: Path) -> None:
    need_micropython()
    key = tmp_path / "key.hex"
    key.write_text(KEY)
    with VirtualTable(tmp_path / "table", pace=0, game="match_the_dealer") as table:
        give = ["--port", table.address, "--json"]
        table.hand("chip", seat=5, on=True)
        with Client.open(table.address) as client:
            with pytest.raises(Refused, match="E-3036 the wager sensor of seat 5"):
                client.call("OPEN_BETS")
            table.hand("chip", seat=5, on=False)
            table.hand("pass", ms=50)
            client.call("OPEN_BETS")
            for seat in (1, 3, 7):
                table.hand("chip", seat=seat, on=True)
                table.hand("pass", ms=50)
            table.hand("pass", ms=100)
            lights = table.hand("lights")
            assert lights["lamps"] >> 8 == 0b1000101
            table.hand("press", button="NO_MORE_BETS")
            table.hand("pass", ms=200)
            status = client.call("STATUS")
            assert (status["phase"], status["step"], status["bets"]) == ("NO_MORE_BETS", "COUNT", 3)
            table.hand("chip", seat=2, on=True)
            table.hand("pass", ms=50)
            assert client.call("STATUS")["bets"] == 3
        refused = tool("give", "chips", 4, "D1", *give)
        assert refused.status != 0
        assert "E-3022" in refused.err + refused.out
        ended = tool("give", "chips", 3, "D1", *give)
        assert ended.status == 0, ended.err
        fits("give", json.loads(ended.out))
        with Client.open(table.address) as client:
            for hand in ([1, "AS AS"], [3, "3S 4S"], [7, "AH 5D"]):
                client.call("GIVE", given=["hand", *hand])
        table.restart()
        with Client.open(table.address) as client:
            client.call("GIVE", given=["dealt", "AS"])
            with pytest.raises(Refused, match="E-3028 d1 dealt this round"):
                client.call("GIVE", given=["validate", 1, "d1"])
        assert "next VALIDATE" in tool("give", "validate", 1, "F1", "--port", table.address).out
        with Client.open(table.address) as client:
            client.call("GIVE", given=["documented", 1])
            client.call("GIVE", given=["validate", 7, "F1"])
            assert client.call("STATUS")["phase"] == "RESULT"
            client.call("SETTLE")
            assert client.call("STATUS")["meter_mills"] == 180
            assert table.hand("lights")["digits"]["2"] == "0.18"
        table.hand("hurry", ms=6000)
        table.hand("pass", ms=6000)
        table.hand("key", key="SERVICE", on=True)
        table.hand("pass", ms=50)
        reset = ["reset-meter", "--reason", "test", "--operator", "ann", "--device-key", key, "--port", table.address]
        assert "E-1013" in tool(*reset).err
        table.hand("key", key="RESET", on=True)
        table.hand("pass", ms=50)
        ended = tool(*reset, "--json")
        fits("reset-meter", json.loads(ended.out))
        assert "meter set" in tool(*reset, "--mills", 5000).out
        db = tmp_path / "log.db"
        assert tool("log", "pull", "--port", table.address, "--db", db).status == 0
        assert tool("replay", "--db", db).status == 0
        told = tool("log", "show", "--db", db, "--kind", "REFUSED").out
        assert "a chip at seat 2" in told
        assert "E-3006" in told
        assert "E-3028 d1 dealt this round" in told
        assert table.hand("state")["mem_free"] > LEAST_FREE


def test_a_must_hit_by_table_plays_on_after_somebody_had_its_prompt_and_the_log_proves_it(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path / "table", pace=0, game="must_hit_by") as table:

        def play(first: int = 0) -> None:
            with Client.open(table.address) as client:
                for words in ROUND[first:]:
                    if words[0] == "WAGER":
                        until_bets(client)
                    client.call(words[0], **words[1])

        play()
        with Client.open(table.address) as client:
            client.call("OPEN_BETS")
            until_bets(client)
        table.reset("CONSOLE")  # in a round
        play(1)
        table.reset("CONSOLE")
        play()
        db = tmp_path / "log.db"
        assert tool("log", "pull", "--port", table.address, "--db", db).status == 0
        assert tool("replay", "--db", db).status == 0
        told = tool("log", "verify", "--db", db)
        assert told.status == 0, told.out + told.err
        assert told.out.count("is void: somebody had the prompt") == 2
        assert tool("log", "show", "--db", db).out.count("(CONSOLE)") == 2


ROUND = (
    ("OPEN_BETS", {}), ("WAGER", {"bets": [[1, "progressive payout", 5000]]}), ("NO_MORE_BETS", {}),
    ("GIVE", {"given": ["chips", 1, "D1"]}), ("SETTLE", {}),
)  # fmt: skip


def until_bets(client: Client) -> None:
    """Until the hidden value is chosen."""
    while client.call("STATUS")["step"] != "BETS":
        pass


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("spin", 1), "E-9001 INPUT cannot be 'spin'"), (("hand", 1), "E-9001 hand cannot be '1'"),
        (("hand", "one", "AS AS"), "E-9001 hand cannot be 'one'"), (("chips", "-3", "D1"), "E-9000"),
        (("chips", "9" * 30, "D1"), "E-9001 chips cannot be"),
    ],
)  # fmt: skip
def test_an_input_that_is_none_is_refused_before_any_table_is_opened(words: tuple[Any, ...], sentence: str) -> None:
    assert tool("give", *words, "--port", "/nowhere/port").err.startswith(sentence)


def test_cards_and_wins_are_made_up_at_no_live_table(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path / "table", pace=0, live=1, game="match_the_dealer") as table:
        go_live(table)
        ended = tool("play", "--port", table.address)
        assert (ended.status, ended.err[:7]) == (2, "E-9000 ")
        assert "switch the table to test mode" in ended.err
        with Client.open(table.address) as client:
            assert client.call("STATUS")["round"] == 0
