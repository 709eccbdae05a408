"""Linked meters: 50 tables add to one meter through the host, which keeps its ledger in SQLite, on one core.

The tables are journals of real rounds behind the firmware's own link, each on a socket and a thread of this process:
50 virtual tables would measure the cores of this computer. They take their share of the time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.rules.progressive import match_the_dealer as match
from wheelwright.link import Client
from wheelwright.meters.books import Books
from wheelwright.meters.house import House
from wheelwright.meters.reading import reader

from tests.bench.figures import Figure, timed
from tests.unit.link_table import ServedOnSocket
from tests.unit.test_linked_tables import GAME, NAME, SETTINGS, Linked
from tests.vm.dealer import DEVICE_KEY
from tests.vm.seated_table import told

TABLES = 50
ROUNDS = 20
SEATS = 5  # six decks hold six cards of a kind


class Recorded:
    """A journal that was written before, as the endpoint reads it."""

    def __init__(self, raws: list[bytes]) -> None:
        self.raws = raws
        self.first, self.last = 1, len(raws)

    def read(self, number: int) -> bytes:
        return self.raws[number - 1]


class Table:
    """Answers what the host of a linked meter asks."""

    def __init__(self, last: int) -> None:
        self.last, self.mills = last, 0

    def __call__(self, name: str, args: dict[str, Any], _origin: list[int]) -> dict[str, Any]:
        if name == "LINKED":
            self.mills = args["mills"] if "mac" in args else self.mills
            return {"nonce": bytes(16)}
        return {}


def figures() -> Iterator[Figure]:
    """From the first connection until every contribution is in the ledger and every table shows the same meter."""
    with tempfile.TemporaryDirectory() as folder:
        books = Books(Path(folder) / "ledger.db", create=True)
        books.open(NAME, GAME, match.parameters(SETTINGS), test=False)
        identity = books.linked(NAME).identity
        played = Linked(1, identity)
        for _ in range(ROUNDS):
            played.call("LINKED", **told(played.dealer, 0, meter=identity))
            played.deal(wins=False, seats=SEATS)
        raws = played.raws()
        served = [ServedOnSocket(Recorded(raws), serial=f"WW-{n:04}") for n in range(TABLES)]  # type: ignore[arg-type]
        for one in served:
            one.table = Table(len(raws))  # type: ignore[assignment]
            one.restart()
            one.thread.start()
        house = House(books, NAME, reader(books.linked(NAME)), [DEVICE_KEY], lambda _address, _text: None)
        seconds, _ = timed(lambda: _all_in(house, books, served))
        house.stop()
        for one in served:
            one.pull_the_plug()
        assert books.check(NAME) == TABLES * (1 + ROUNDS)
        assert books.linked(NAME).meter["wagers"] == TABLES * ROUNDS * SEATS
    often = TABLES / 30
    yield Figure("contributions through the host", TABLES * ROUNDS / seconds, "rounds/s", "a round in 30 s each", often)
    yield Figure("wagers through the host", TABLES * ROUNDS * SEATS / seconds, "wagers/s")
    yield Figure("records through the host", TABLES * len(raws) / seconds, "records/s")


def _all_in(house: House, books: Books, served: list[ServedOnSocket]) -> None:
    for one in served:
        house.follow(one.address, partial(Client.open, one.address, 20.0))
    while any(one.table.mills != house.value or not one.table.mills for one in served) or (
        books.linked(NAME).meter["wagers"] < TABLES * ROUNDS * SEATS
    ):
        time.sleep(0.02)
