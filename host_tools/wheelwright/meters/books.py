"""The ledgers of linked meters in a database: each record of a table is taken in one transaction, with its cursor.

Each line is chained to those before it by its hash, and the hash of the last one names the whole ledger.
Whoever is killed leaves a transaction whole or undone, and begins again where the cursor stands.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import cbor2
import sqlalchemy as sql
from sqlalchemy.engine import Connection
from tabletop.journal.record import Record
from tabletop.rules.progressive import meter as meters

from wheelwright.errors import WheelwrightError
from wheelwright.meters import ledger
from wheelwright.meters.ledger import Account, Entry, Event
from wheelwright.meters.tables import Database, accounts, entries, links

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
    """The ledgers in one database."""

    # meters

    def open(self, name: str, game: str, parameters: dict[str, Any], *, test: bool) -> None:
        """A new linked meter. E-8208 when there is one of that name, E-9001 when its tables could not hold it."""
        if not (name.isascii() and name.isprintable() and 0 < len(name) <= MOST_NAME):
            advice = f"give 1 to {MOST_NAME} characters of ASCII"
            raise WheelwrightError(9001, option="NAME", value=repr(name[:60]), advice=advice)
        meter, identity = meters.opened(parameters), f"{name}-{secrets.token_hex(4)}"
        with self._transaction() as connection:
            if connection.execute(sql.select(links.c.id).where(links.c.name == name)).first():
                raise WheelwrightError(8208, name=name)
            connection.execute(links.insert().values(
                name=name, identity=identity, game=game, test=test, parameters=cbor2.dumps(parameters),
                meter=cbor2.dumps(meter), head=ledger.origin(identity, game, test, parameters),
            ))  # fmt: skip

    def names(self) -> list[str]:
        """The linked meters of this database."""
        with self._transaction() as connection:
            return list(connection.execute(sql.select(links.c.name).order_by(links.c.name)).scalars())

    def linked(self, name: str) -> Linked:
        """A meter as it stands. E-8205 when there is none of that name."""
        with self._transaction() as connection:
            return _linked(self._link(connection, name))

    def account(self, name: str, serial: str) -> Account:
        """How far a table is taken; a new account when it never was."""
        with self._transaction() as connection:
            return self._account(connection, self._link(connection, name), serial)

    def accounts(self, name: str) -> list[Account]:
        """Every table that was ever linked to a meter."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            found = sql.select(accounts.c.serial).where(accounts.c.link_id == link.id).order_by(accounts.c.serial)
            serials = list(connection.execute(found).scalars())
            return [self._account(connection, link, serial) for serial in serials]

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
        last of them as somebody has noted it), not that one. E-8206 when the lines do not give the meter.
        """
        with self._transaction() as connection:
            link = self._link(connection, name)
            wanted = sql.select(*_ENTRY, entries.c.hash).where(entries.c.link_id == link.id).order_by(entries.c.line)
            lines = [(Entry(*row[:-1]), row[-1]) for row in connection.execute(wanted)]
        linked = _linked(link)
        heads = ledger.heads(ledger.origin(linked.identity, linked.game, linked.test, linked.parameters), lines)
        if heads[-1] != linked.head:
            raise WheelwrightError(8213, line=len(heads), reason="it is gone, or the meter is another than it was made")
        if anchor is not None and (not 0 <= anchor[0] < len(heads) or heads[anchor[0]] != anchor[1]):
            raise WheelwrightError(8213, line=anchor[0], reason=f"its hash was noted as {anchor[1].hex()}")
        found, want = linked.meter, ledger.replayed(linked.parameters, [entry for entry, _ in lines])
        if found != want:
            raise WheelwrightError(
                8206, line=len(lines), serial="any", record="any", found=found["current"], want=want["current"]
            )
        return len(lines)

    # records

    def take(self, name: str, serial: str, raws: Sequence[bytes], reading: Reading) -> Account:
        """Take records of a table's journal, all of them or none, each once; returns the account after them.

        What was taken before is passed over. E-8201 and E-8202 as `ledger.follows`.
        """
        with self._transaction() as connection:
            link = self._link(connection, name)
            before = account = self._account(connection, link, serial)
            meter = cbor2.loads(link.meter)
            lines: list[Entry] = []
            for raw in raws:
                found = ledger.follows(account, raw)
                if found is None:
                    continue
                events, known = reading(serial, found, account.known)
                account = ledger.moved(account, found, known)
                meter, account, more = ledger.take(meter, account, found.number, events)
                lines += more
            if account is not before:
                self._keep(connection, link.id, before, account)
            if lines:
                self._enter(connection, link, meter, lines)
            return account

    def rejoin(self, name: str, serial: str, number: int, head: bytes, note: str) -> None:
        """Take a table's journal from behind record `number` (with this hash) on, whatever was taken of it before."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            before, meter = self._account(connection, link, serial), cbor2.loads(link.meter)
            owed = "".join(f"; seat {o.seat} of round {o.round} was owed {o.mills}" for o in before.claims.values())
            self._keep(connection, link.id, before, Account(serial, number, head, known={"joined": True}))
            note = f"{note}; taken up to record {before.number} before{owed}"
            line = Entry(serial, number, ledger.REJOINED, 0, 0, 0, meter["current"], note)
            self._enter(connection, link, meter, [line])

    def correct(self, name: str, mills: int, note: str) -> None:
        """The meter stands at `mills` from now on, and no table is stopped any more; `note` says by whom and why.

        E-9001 for what cannot be.
        """
        with self._transaction() as connection:
            link = self._link(connection, name)
            try:
                meter = meters.correct(cbor2.loads(link.meter), mills)
            except ValueError as error:
                raise WheelwrightError(9001, option="--mills", value=mills, advice=str(error)) from None
            count = sql.select(sql.func.count()).where(entries.c.link_id == link.id, entries.c.serial == "")
            number = 1 + (connection.execute(count).scalar() or 0)
            line = Entry("", number, ledger.CORRECTION, mills, 0, 0, mills, note)
            self._enter(connection, link, meter, [line])
            connection.execute(accounts.update().where(accounts.c.link_id == link.id).values(stopped=""))

    # inside

    def _link(self, connection: Connection, name: str) -> Any:
        link = connection.execute(sql.select(links).where(links.c.name == name).with_for_update()).first()
        if link is None:
            known = ", ".join(connection.execute(sql.select(links.c.name).order_by(links.c.name)).scalars())
            raise WheelwrightError(8205, url=self.url, name=name, known=known or "none")
        return link

    def _account(self, connection: Connection, link: Any, serial: str) -> Account:
        here = (accounts.c.link_id == link.id) & (accounts.c.serial == serial)
        row = connection.execute(sql.select(accounts).where(here)).first()
        if row is None:
            return Account(serial)
        claims, known = cbor2.loads(row.open)
        owed = {number: ledger.Owed(*words) for number, words in claims.items()}
        return Account(serial, row.number, row.head, owed, known, row.stopped)

    def _enter(self, connection: Connection, link: Any, meter: dict[str, Any], lines: list[Entry]) -> None:
        taken_ms, head, rows = time.time_ns() // 1_000_000, link.head, []
        for line in lines:
            entry = replace(line, taken_ms=taken_ms)
            head = entry.hash(head)
            rows.append({"link_id": link.id, "hash": head, **asdict(entry)})
        connection.execute(entries.insert(), rows)
        connection.execute(links.update().where(links.c.id == link.id).values(meter=cbor2.dumps(meter), head=head))

    def _keep(self, connection: Connection, link_id: int, before: Account, account: Account) -> None:
        opened = cbor2.dumps([{number: list(owed) for number, owed in account.claims.items()}, account.known])
        values = {"number": account.number, "head": account.head, "open": opened, "stopped": account.stopped}
        if before.number:
            here = (accounts.c.link_id == link_id) & (accounts.c.serial == account.serial)
            connection.execute(accounts.update().where(here).values(**values))
        else:
            connection.execute(accounts.insert().values(link_id=link_id, serial=account.serial, **values))


def _linked(row: Any) -> Linked:
    parameters, meter = cbor2.loads(row.parameters), cbor2.loads(row.meter)
    return Linked(row.name, row.identity, row.game, row.test, parameters, meter, row.head)
