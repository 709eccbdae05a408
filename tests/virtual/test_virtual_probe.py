"""PROBE, LAMPS and the lease of test mode, on a virtual table: what the tool that tests tables stands on."""

import time
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from wheelwright.link import Client
from wheelwright.supervising import command, read_key
from wheelwright.virtual import VirtualTable, board_file

pytestmark = pytest.mark.virtual

KEY = read_key(board_file("VIRTUAL"))
INDEX, PEG = 1, 2


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path / "table", pace=0, live=1) as table:
        with Client.open(table.address) as client:
            with_key(client, table, on=False)
        yield table


def seen(client: Client, least: int) -> list[tuple[int, int]]:
    """Events until the wheel rests: (ticks, word)."""
    words = array("i")
    while True:
        reply = client.call("PROBE", on=True, hold=False)
        words.frombytes(reply["data"])
        if not reply["moving"] and not reply["more"] and len(words) > 2 * least:
            assert reply["lost"] == 0
            return list(zip(words[::2], words[1::2], strict=True))


def with_key(client: Client, table: VirtualTable, **args: bool) -> None:
    table.hand("key", key="SERVICE", on=True)
    table.hand("pass", ms=100)
    assert command(client, KEY, "TEST_MODE", **args) == {"test": args["on"]}
    table.hand("key", key="SERVICE", on=False)
    table.hand("pass", ms=100)


def leased(client: Client, table: VirtualTable) -> None:
    with_key(client, table, on=True, lease=True)


def until_live(client: Client, seconds: float = 20.0) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while True:
        status = client.call("STATUS")
        if not status["test"]:
            return status
        assert time.monotonic() < end, "the table stays in test mode"


def test_every_edge_of_a_spin_comes_with_its_time_and_count(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        client.call("PROBE", on=True, hold=False)
        table.hand("pace", pace=20)  # a host that asks has to keep up
        table.hand("spin", speed_mturns_s=700, direction=1)
        events = seen(client, 200)
        counts = [word >> 6 for _, word in events]
        rises = [word >> 6 for _, word in events if word >> 4 & 3 == INDEX and word & 4]
        assert {later - one for one, later in pairwise(rises)} == {2400}
        pegs = [word for _, word in events if word >> 4 & 3 == PEG]
        assert [word >> 3 & 1 for word in pegs] == [1, 0] * (len(pegs) // 2) + [1] * (len(pegs) % 2)
        assert counts == sorted(counts[: counts.index(max(counts))]) + counts[counts.index(max(counts)) :]
        client.call("PROBE", on=False, hold=False)


def test_a_held_button_shows_and_does_nothing_and_a_live_one_plays(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        leased(client, table)
        client.call("PROBE", on=True, hold=True)
        table.hand("press", button="START", ms=300)
        assert client.call("PROBE", on=True, hold=True)["inputs"] & 1
        table.hand("pass", ms=500)
        assert client.call("STATUS")["phase"] == "TEST"
        client.call("PROBE", on=False, hold=False)
        table.hand("press", button="START", ms=100)
        table.hand("pass", ms=300)
        assert client.call("STATUS")["phase"] == "BETS_OPEN"


def test_lamps_are_lent_in_test_mode_only_and_given_back(table: VirtualTable) -> None:
    show = {"strip": "rim", "first": 2, "count": 1, "grb": b"\1\2\3", "digits": ["8888"], "tower": "tilt", "lamps": 5}
    with Client.open(table.address) as client:
        with pytest.raises(Exception, match="E-4001"):
            client.call("LAMPS", **show)
        client.call("PROBE", on=False, hold=False)
        leased(client, table)
        table.hand("pass", ms=300)
        before = table.hand("lights")
        assert client.call("LAMPS", **show) == {"leds": 162}
        table.hand("pass", ms=300)
        lent = table.hand("lights")
        assert bytes.fromhex(lent["rim"]) == bytes(6) + b"\1\2\3" + bytes(477)
        assert (lent["digits"]["0"], lent["tower"], lent["lamps"]) == ("8888", "tilt", 5)
        client.call("PROBE", on=False, hold=False)
        table.hand("pass", ms=1200)
        after = table.hand("lights")
        assert {name: after[name] for name in ("tower", "lamps", "inner")} == {
            name: before[name] for name in ("tower", "lamps", "inner")
        }
        assert after["rim"] != lent["rim"]


def test_a_host_that_goes_away_leaves_a_live_table_live_and_no_round_open(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        leased(client, table)
        client.call("OPEN_BETS")
        client.call("WAGER", bets=[[1, "1", 5000]])
    with Client.open(table.address) as client:  # another session
        status = until_live(client)
        assert status["phase"] == "READY"
        assert status["meters"]["live"]["rounds"] == status["meters"]["live"]["wagered_mills"] == 0


def test_a_table_that_restarts_in_mid_test_is_live_again(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        leased(client, table)
        client.call("OPEN_BETS")
        client.call("WAGER", bets=[[1, "1", 5000]])
        client.call("NO_MORE_BETS")
    table.restart()
    with Client.open(table.address) as client:
        assert until_live(client)["phase"] == "READY"
    table.restart()
    with Client.open(table.address) as client:
        assert not client.call("STATUS")["test"]


def test_the_session_that_has_the_lease_ends_it_without_key_and_nobody_else_does(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        with pytest.raises(Exception, match="E-10"):
            client.call("TEST_MODE", on=True, lease=True)
        leased(client, table)
        assert client.call("TEST_MODE", on=False) == {"test": False}
        assert client.call("STATUS")["phase"] == "READY"
        with pytest.raises(Exception, match="E-10"):
            client.call("TEST_MODE", on=False)
