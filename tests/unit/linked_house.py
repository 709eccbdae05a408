"""A house in memory for the tests of linked meters: tables that play on, and everything that can drop out.

A table here is its journal and what it does with an award; all between - cursor, ledger, database, desk - is the
product's. `Killed` stands for a host that dies at that very operation: nothing after it runs.
"""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cbor2
import sqlalchemy as sql
from wheelwright.errors import WheelwrightError
from wheelwright.meters.books import Books
from wheelwright.meters.house import Desk
from wheelwright.meters.ledger import Awarded, Claimed, Contributed

from tests.unit.logs import KIND, Journal

NAME = "house"
KEY = bytes(32)
PARAMETERS = {"seed": 100_000, "reseed": 100_000, "increment": 1500, "reserve": 600, "limit": 0}


class Killed(BaseException):
    """The host is gone."""


class Fuse:
    """Burns through at the n-th operation from now: the host dies there, or the link goes. 0: never."""

    def __init__(self) -> None:
        self.left = 0
        self.kills: type[BaseException] = Killed

    def burn(self) -> None:
        if self.left:
            self.left -= 1
            if not self.left:
                raise Killed if self.kills is Killed else WheelwrightError(7006, port="bench", reason="pulled")


def reading(_serial: str, record: Any, known: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """What the records of a `Table` say."""
    if record.kind != KIND["GIVEN"]:
        return [], known
    what, *words = cbor2.loads(record.payload)["given"]
    kinds: dict[str, Any] = {"chips": Contributed, "claim": Claimed, "award": Awarded}
    return ([kinds[what](*words)] if what in kinds else []), known


class Table:
    """Plays rounds into its journal. A claim stops it until it has been awarded, as a table waits for its host."""

    def __init__(self, number: int, fuse: Fuse, seed: int = 0) -> None:
        self.hello = SimpleNamespace(serial=f"WW-{number:04}")
        self.journal = Journal(seed)
        self.journal.start()
        self.draw = random.Random(seed * 1000 + number)
        self.fuse = fuse
        self.added: dict[int, int] = {}  # record -> mills
        self.claims: set[int] = set()
        self.awards: dict[int, int] = {}  # claim -> mills, as recorded
        self.first = 1  # records before are erased
        self.meter = -1
        self.round = 0
        self.send: Any = None

    def play(self) -> None:
        """The next thing at this table; nothing while it waits for an award."""
        if self.claims - set(self.awards):
            return
        self.round += 1
        if self.draw.random() < 0.15:
            self.claims.add(self._given("claim", self.round, 1, self.draw.choice((100, 100, 10))))
        else:
            wagers = self.draw.randrange(1, 8)
            self.added[self._given("chips", wagers, wagers * self.draw.choice((1000, 5000)))] = wagers
            self.journal.put("DISPUTE", round=self.round, reason="a record that means nothing to a meter")

    def _given(self, *given: Any) -> int:
        number = self.journal.put("GIVEN", round=self.round, given=list(given))
        self._flush()
        return number

    # as a client of the link

    def check(self) -> None:
        """The link holds, or the fuse says not."""
        self.fuse.burn()

    def subscribe(self, cursor: int, on_record: Any, on_gap: Any = None) -> dict[str, Any]:
        self.fuse.burn()
        self.send, self.sent = on_record, cursor - 1
        if cursor < self.first:
            on_gap(cursor, self.first - 1)
            self.sent = self.first - 1
        self._flush()
        return {"first": self.first, "last": len(self.journal.raws)}

    def drop(self) -> None:
        """The link ends."""
        self.send = None

    def _flush(self) -> None:
        while self.send is not None and self.sent < len(self.journal.raws):
            self.sent += 1
            self.send(self.sent, self.journal.raws[self.sent - 1])

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        self.fuse.burn()  # the command is lost
        reply: dict[str, Any] = {}
        if name == "LINKED":
            self.meter = args["mills"] if "mac" in args else self.meter
            reply = {"nonce": bytes(16)}
        elif name == "STATUS":
            reply = {"last": len(self.journal.raws)}
        else:
            what, seat, mills, identity = args["given"]
            (claim,) = self.claims - set(self.awards)  # an award that nobody waits for would fail here
            assert (what, identity) == ("award", f"{self.round}/{seat}")
            self.awards[claim] = mills
            self._given("award", claim, mills)
        self.fuse.burn()  # the reply is lost
        return reply


class House:
    """Tables and a host that is made anew after each death; `turn` lets one desk do its work."""

    def __init__(self, path: Path, tables: int, seed: int) -> None:
        self.path = path
        self.fuse = Fuse()
        self.tables = [Table(number, self.fuse, seed) for number in range(1, tables + 1)]
        Books(path, create=True).open(NAME, "match_the_dealer", PARAMETERS, test=True)
        self.deaths = self.pulls = 0
        self.start()

    def start(self) -> None:
        """A host that knows nothing but its database."""
        self.books = Books(self.path)
        for moment in ("before_cursor_execute", "commit"):
            sql.event.listen(self.books._engine, moment, lambda *_: self.fuse.burn())
        self.handles: list[Any] = []
        sql.event.listen(self.books._engine, "checkout", lambda handle, *_: self.handles.append(handle))
        self.desks: dict[int, Desk] = {}
        for table in self.tables:
            table.drop()

    def turn(self, at: int) -> None:
        """One desk: greets its table when its link is down, takes what came, awards, shows the meter."""
        died = False
        try:
            if at not in self.desks:
                self.desks[at] = Desk(self.tables[at], self.books, NAME, reading, [KEY])  # type: ignore[arg-type]
            desk = self.desks[at]
            desk.take()
            desk.award()
            desk.show(self.books.linked(NAME).meter["current"])
        except Killed:
            died = True
        except WheelwrightError as error:
            if error.code != 7006:
                raise
            self.pulls += 1
            self.fuse.left = 0
            self.desks.pop(at, None)
            self.tables[at].drop()
        if died:  # here, where no traceback holds a statement any more
            self.deaths += 1
            self.fuse.left = 0
            for handle in self.handles:  # as the system does for a program that is gone: nothing is committed
                handle.close()
            self.start()

    def come_to_rest(self) -> None:
        """No more drop-outs: everything that was played is taken and awarded."""
        self.fuse.left = 0
        for _ in range(3):
            for at in range(len(self.tables)):
                self.turn(at)
