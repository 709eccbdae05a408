"""The ledgers of linked meters in a database: each record of a table is taken in one transaction, with its cursor.

Each line is chained to those before it by its hash, and the hash of the last one names the whole ledger. The meter and
how far each table is taken follow from the lines, and are kept nowhere else: a program proves them all when it begins.
Whoever is killed leaves a transaction whole or undone, and begins again where the cursor stands.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import cbor2
import sqlalchemy as sql
from sqlalchemy.engine import Connection
from tabletop.journal.record import Record
from tabletop.rules.progressive import meter as meters

from wheelwright.errors import WheelwrightError
from wheelwright.meters import ledger
from wheelwright.meters.ledger import Account, Entry, Event, Standing
from wheelwright.meters.tables import Database, entries, links

PART = 2000  # lines that are read at once before a program works: some 20 ms under the lock
MOST_NAME = 39  # of a meter: with its identity it fits the settings of a table
_ENTRY = [entries.c[name] for name in Entry.__dataclass_fields__]

# what a record says: (serial number, record, known before) -> (events, known after)
Reading = Callable[[str, Record, dict[str, Any]], tuple[Sequence[Event], dict[str, Any]]]


class Linked(NamedTuple):
    """A linked meter: the game whose wagers it takes, whether those of tables in test mode, and how it stands.

    `parameters` are those with which it was made, `head` is the hash of its last line.
    """

    name: str
    identity: str
    game: str
    test: bool
    parameters: dict[str, Any]
    meter: dict[str, Any]
    head: bytes


class Books(Database):
    """The ledgers in one database. E-8206 and E-8213, here as in `check`, when the lines of one do not hold."""

    def __init__(self, url: str | Path, *, create: bool = False) -> None:
        super().__init__(url, create=create)
        self._proven: dict[bytes, tuple[int, Standing]] = {}  # origin -> the last line that was proven, what they give

    # meters

    def open(
        self, name: str, game: str, parameters: dict[str, Any], *, test: bool,
        written: Callable[[str], None] = lambda _identity: None,
    ) -> None:  # fmt: skip
        """A new linked meter. E-8208 when there is one of that name, E-9001 when its tables could not hold it.

        `written` gets its identity before it is made, and makes none when it fails.
        """
        if not (name.isascii() and name.isprintable() and 0 < len(name) <= MOST_NAME):
            advice = f"give 1 to {MOST_NAME} characters of ASCII"
            raise WheelwrightError(9001, option="NAME", value=repr(name[:60]), advice=advice)
        identity = f"{name}-{secrets.token_hex(4)}"
        with self._transaction() as connection:
            if connection.execute(sql.select(links.c.id).where(links.c.name == name)).first():
                raise WheelwrightError(8208, name=name)
            connection.execute(links.insert().values(
                name=name, identity=identity, game=game, test=test, parameters=cbor2.dumps(parameters),
                head=ledger.opened(identity, game, test, parameters).head,
            ))  # fmt: skip
            written(identity)

    def names(self) -> list[str]:
        """The linked meters of this database."""
        with self._transaction() as connection:
            return list(connection.execute(sql.select(links.c.name).order_by(links.c.name)).scalars())

    def linked(self, name: str) -> Linked:
        """A meter as it stands. E-8205 when there is none of that name."""
        self._prove(name)
        with self._transaction() as connection:
            link = self._link(connection, name)
            parameters, standing = cbor2.loads(link.parameters), self._standing(connection, link)
            return Linked(link.name, link.identity, link.game, link.test, parameters, standing.meter, link.head)

    def account(self, name: str, serial: str) -> Account:
        """How far a table is taken; a new account when it never was."""
        with self._transaction() as connection:
            return self._standing(connection, self._link(connection, name)).account(serial)

    def accounts(self, name: str) -> list[Account]:
        """Every table that was ever linked to a meter."""
        with self._transaction() as connection:
            standing = self._standing(connection, self._link(connection, name))
            return [account for _, account in sorted(standing.accounts.items())]

    def entries(self, name: str, serial: str | None = None) -> list[Entry]:
        """The lines of a meter's ledger, oldest first."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            wanted = sql.select(*_ENTRY).where(entries.c.link_id == link.id).order_by(entries.c.line)
            if serial is not None:
                wanted = wanted.where(entries.c.serial == serial)
            return [Entry(*row) for row in connection.execute(wanted)]

    def check(self, name: str, anchor: tuple[int, bytes] | None = None) -> int:
        """Prove a ledger from its first line on; how many lines it has.

        E-8213 for the first line whose hash is not its own or, with `anchor` (a number of lines, and the hash of the
        last of them as somebody has noted it), not that one. E-8206 for the first that those before it do not give.
        """
        self._proven.clear()
        self._prove(name, anchor)
        with self._transaction() as connection:
            link = self._link(connection, name)
            standing = self._standing(connection, link, anchor)
        if anchor is not None and not 0 <= anchor[0] <= standing.lines:
            raise _noted(anchor)
        return standing.lines

    # records

    def take(self, name: str, serial: str, raws: Sequence[bytes], reading: Reading) -> Account:
        """Take records of a table's journal, all of them or none, each once; returns the account after them.

        What was taken before is passed over. E-8201 and E-8202 as `ledger.follows`.
        """
        with self._transaction() as connection:
            link = self._link(connection, name)
            standing = self._standing(connection, link)
            account, meter = standing.account(serial), standing.meter
            lines: list[Entry] = []
            for raw in raws:
                found = ledger.follows(account, raw)
                if found is None:
                    continue
                events, known = reading(serial, found, account.known)
                account = ledger.moved(account, found, known)
                meter, account, more = ledger.take(meter, account, found.number, events)
                if not more and account.number >= account.kept + ledger.TAKEN_EVERY:
                    more = [replace(ledger.line_of(account, ledger.TAKEN), current=meter["current"])]
                if more:
                    account = replace(account, kept=account.number)
                lines += more
            self._enter(connection, link, lines)
            return account

    def rejoin(self, name: str, serial: str, number: int, head: bytes, note: str, *, joined: bool = True) -> None:
        """Take a table's journal from behind record `number` (with this hash) on, whatever was taken of it before.

        `joined`: it is configured to add to this meter.
        """
        self._prove(name)
        with self._transaction() as connection:
            link = self._link(connection, name)
            standing = self._standing(connection, link)
            before = standing.account(serial)
            owed = "".join(f"; seat {o.seat} of round {o.round} was owed {o.mills}" for o in before.claims.values())
            note = f"{note}; taken up to record {before.number} before{owed}"
            line = ledger.line_of(Account(serial, number, head, known={"joined": joined}), ledger.REJOINED, note)
            self._enter(connection, link, [replace(line, current=standing.meter["current"])])

    def correct(self, name: str, mills: int, note: str) -> None:
        """The meter stands at `mills` from now on, and no table is stopped any more; `note` says by whom and why.

        E-9001 for what cannot be.
        """
        self._prove(name)
        with self._transaction() as connection:
            link = self._link(connection, name)
            try:
                meters.correct(self._standing(connection, link).meter, mills)
            except ValueError as error:
                raise WheelwrightError(9001, option="--mills", value=mills, advice=str(error)) from None
            count = sql.select(sql.func.count()).where(entries.c.link_id == link.id, entries.c.serial == "")
            number = 1 + (connection.execute(count).scalar() or 0)
            line = Entry("", number, ledger.CORRECTION, mills, 0, 0, mills, note)
            self._enter(connection, link, [line])

    # inside

    def _link(self, connection: Connection, name: str) -> Any:
        link = connection.execute(sql.select(links).where(links.c.name == name).with_for_update()).first()
        if link is None:
            known = ", ".join(connection.execute(sql.select(links.c.name).order_by(links.c.name)).scalars())
            raise WheelwrightError(8205, url=self.url, name=name, known=known or "none")
        return link

    def _standing(self, connection: Connection, link: Any, anchor: tuple[int, bytes] | None = None) -> Standing:
        """What the lines give; those that this program has proven before are not read again."""
        standing = self._behind(link, self._lines(connection, link), anchor)
        if standing.head != link.head:
            reason = "it is gone, or the meter is another than it was made"
            raise WheelwrightError(8213, line=standing.lines + 1, reason=reason)
        return standing

    def _prove(self, name: str, anchor: tuple[int, bytes] | None = None) -> None:
        """Prove a long ledger part by part, and not under the lock: a host that runs beside goes on meanwhile."""
        while True:
            with self._transaction() as connection:
                link = self._link(connection, name)
                rows = self._lines(connection, link, PART)
            if len(rows) < PART:
                return
            self._behind(link, rows, anchor)

    def _lines(self, connection: Connection, link: Any, most: int | None = None) -> Sequence[Any]:
        last, _ = self._proven.get(_origin(link).head, (0, None))
        wanted = sql.select(*_ENTRY, entries.c.hash, entries.c.line).order_by(entries.c.line).limit(most)
        return connection.execute(wanted.where(entries.c.link_id == link.id, entries.c.line > last)).all()

    def _behind(self, link: Any, rows: Sequence[Any], anchor: tuple[int, bytes] | None) -> Standing:
        origin = _origin(link)
        last, standing = self._proven.get(origin.head, (0, origin))
        for *words, hashed, line in rows:
            _fits(standing, anchor)
            last, standing = line, standing.behind(Entry(*words), hashed)
        _fits(standing, anchor)
        self._proven[origin.head] = last, standing
        return standing

    def _enter(self, connection: Connection, link: Any, lines: list[Entry]) -> None:
        taken_ms, head, rows = time.time_ns() // 1_000_000, link.head, []
        for line in lines:
            entry = replace(line, taken_ms=taken_ms)
            head = entry.hash(head)
            rows.append({"link_id": link.id, "hash": head, **asdict(entry)})
        if rows:
            connection.execute(entries.insert(), rows)
            connection.execute(links.update().where(links.c.id == link.id).values(head=head))


def _origin(link: Any) -> Standing:
    return ledger.opened(link.identity, link.game, link.test, cbor2.loads(link.parameters))


def _fits(standing: Standing, anchor: tuple[int, bytes] | None) -> None:
    if anchor is not None and anchor[0] == standing.lines and anchor[1] != standing.head:
        raise _noted(anchor)


def _noted(anchor: tuple[int, bytes]) -> WheelwrightError:
    return WheelwrightError(8213, line=anchor[0], reason=f"its hash was noted as {anchor[1].hex()}")
