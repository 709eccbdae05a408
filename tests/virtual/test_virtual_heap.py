"""The heap of the whole firmware over many rounds: 200, or LONG=1000."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tabletop.journal import record
from wheelwright.link import Client
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython

pytestmark = pytest.mark.virtual
ROUNDS = int(os.environ.get("LONG", 200))
SPUN_EVERY = 20  # rounds in which the wheel is turned; the others are void before
FIRST = 60  # after which most of what is made once is there: some lists still grow by 200 bytes until round 320
BETS = [[1, "10", 5000], [2, "1", 1000]]


def play(table: VirtualTable, client: Client, rounds: int) -> None:
    newest: list[bytes] = []
    client.subscribe(client.call("STATUS")["last"] + 1, lambda _number, raw: newest.append(raw))
    for number in range(rounds):
        client.call("OPEN_BETS")
        client.call("WAGER", bets=BETS)
        client.call("NO_MORE_BETS")
        if number % SPUN_EVERY == 0:
            table.hand.spin("number", number + 1)
            table.hand.rest()
            table.hand("pass", ms=2500)
            client.call("SETTLE")
        else:
            client.call("VOID", reason="TEST")
        if number % 50 == 49:  # a host follows, or the journal is full some day
            last = record.decode(newest[-1])
            client.call("ANCHOR", number=last.number, hash=last.hash)
            newest.clear()


def free(table: VirtualTable) -> int:
    """Bytes free at rest, when the table has tidied up."""
    table.hand("pass", ms=3000)
    return int(table.hand("state")["mem_free"])


def test_the_heap_stays_flat_over_two_hundred_rounds(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table, Client.open(table.address) as client:
        play(table, client, FIRST)
        before = max(free(table) for _ in range(3))
        play(table, client, ROUNDS)
        after = max(free(table) for _ in range(3))
        status = client.call("STATUS")
        print(f"free heap after {FIRST} rounds {before}, after {ROUNDS} more {after}")
        assert (status["round"], status["tilts"]) == (FIRST + ROUNDS, [])
        assert after > before - 256
