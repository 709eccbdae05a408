"""The ledgers of linked meters in a database: each record of a table is taken in one transaction, with its cursor.

An SQLite file of its own by default, any SQLAlchemy address otherwise. Whoever is killed leaves a transaction whole or
undone, and begins again where the cursor stands. Two hosts on one ledger wait for each other.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import cbor2
import sqlalchemy as sql
from sqlalchemy import event, exc
from sqlalchemy.engine import Connection
from tabletop.journal.record import Record
from tabletop.rules.progressive import meter as meters

from wheelwright.errors import WheelwrightError
from wheelwright.meters import ledger
from wheelwright.meters.ledger import Account, Entry, Event

LOCK_TIMEOUT_S = 5.0
_metadata = sql.MetaData()
_links = sql.Table(
    "linked_meters",
    _metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False, unique=True),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("test", sql.Boolean, nullable=False),
    sql.Column("parameters", sql.LargeBinary, nullable=False),  # with which it was opened, CBOR
    sql.Column("meter", sql.LargeBinary, nullable=False),
)
_accounts = sql.Table(
    "linked_accounts",
    _metadata,
    sql.Column("link_id", sql.ForeignKey("linked_meters.id"), nullable=False),
    sql.Column("serial", sql.Text, nullable=False, unique=True),  # a table is linked to one meter
    sql.Column("number", sql.BigInteger, nullable=False),
    sql.Column("head", sql.LargeBinary, nullable=False),
    sql.Column("open", sql.LargeBinary, nullable=False),  # claims and what is known of the open round, CBOR
)
_entries = sql.Table(
    "linked_entries",
    _metadata,
    sql.Column("line", sql.Integer, primary_key=True),
    sql.Column("link_id", sql.ForeignKey("linked_meters.id"), nullable=False, index=True),
    sql.Column("taken_ms", sql.BigInteger, nullable=False),
    sql.Column("serial", sql.Text, nullable=False),
    sql.Column("record", sql.BigInteger, nullable=False),
    sql.Column("what", sql.Text, nullable=False),
    sql.Column("mills", sql.BigInteger, nullable=False),
    sql.Column("wagers", sql.BigInteger, nullable=False),
    sql.Column("percent", sql.Integer, nullable=False),
    sql.Column("current", sql.BigInteger, nullable=False),
    sql.Column("note", sql.Text, nullable=False),
    sql.UniqueConstraint("link_id", "serial", "record", "what"),  # the identity; the cursor alone keeps it single
)
_ENTRY = [_entries.c[name] for name in Entry.__dataclass_fields__]

# what a record says: (serial number, record, known before) -> (events, known after)
Reading = Callable[[str, Record, dict[str, Any]], tuple[Sequence[Event], dict[str, Any]]]


class Linked(NamedTuple):
    """A linked meter: the game whose wagers it takes, whether those of tables in test mode, and how it stands.

    `parameters` are those with which it was made.
    """

    name: str
    game: str
    test: bool
    parameters: dict[str, Any]
    meter: dict[str, Any]


class Books:
    """The ledgers in one database. Failures of it are E-8207, and leave everything as it was."""

    def __init__(self, url: str | Path, *, create: bool = False) -> None:
        self.url = str(url)
        path = None if "://" in self.url else Path(self.url)
        if path is not None and not create and not path.exists():
            raise WheelwrightError(8207, url=self.url, reason="there is none")
        with self._errors_named():
            address = self.url if path is None else sql.URL.create("sqlite", database=str(path.absolute()))
            try:
                # A connection a transaction: one that fails half way takes its locks with it.
                self._engine = sql.create_engine(address, poolclass=sql.NullPool)
            except ValueError as error:  # the address names a port that is no number
                raise WheelwrightError(8207, url=self.url, reason=error) from None
            if self._engine.dialect.name == "sqlite":
                if path is None:
                    raise WheelwrightError(8207, url=self.url, reason="an SQLite ledger is named by its file")
                _begin_by_hand(self._engine)
            with self._transaction() as connection:
                present = set(sql.inspect(connection).get_table_names())
                if present and not present.issuperset(_metadata.tables):
                    raise WheelwrightError(8207, url=self.url, reason="it is a database of another program")
                if not present:
                    if not create:
                        raise WheelwrightError(8207, url=self.url, reason="it is empty")
                    _metadata.create_all(connection)

    def close(self) -> None:
        self._engine.dispose()

    # meters

    def open(self, name: str, game: str, parameters: dict[str, Any], *, test: bool) -> None:
        """A new linked meter. E-8208 when there is one of that name."""
        meter = meters.opened(parameters)
        with self._transaction() as connection:
            if connection.execute(sql.select(_links.c.id).where(_links.c.name == name)).first():
                raise WheelwrightError(8208, name=name)
            connection.execute(_links.insert().values(
                name=name, game=game, test=test, parameters=cbor2.dumps(parameters), meter=cbor2.dumps(meter)
            ))  # fmt: skip

    def names(self) -> list[str]:
        """The linked meters of this database."""
        with self._transaction() as connection:
            return list(connection.execute(sql.select(_links.c.name).order_by(_links.c.name)).scalars())

    def linked(self, name: str) -> Linked:
        """A meter as it stands. E-8205 when there is none of that name."""
        with self._transaction() as connection:
            row = self._link(connection, name)
            return Linked(row.name, row.game, row.test, cbor2.loads(row.parameters), cbor2.loads(row.meter))

    def account(self, name: str, serial: str) -> Account:
        """How far a table is taken; a new account when it never was. E-8209 when it is linked to another meter."""
        with self._transaction() as connection:
            return self._account(connection, self._link(connection, name), serial)

    def accounts(self, name: str) -> list[Account]:
        """Every table that was ever linked to a meter."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            found = sql.select(_accounts.c.serial).where(_accounts.c.link_id == link.id).order_by(_accounts.c.serial)
            serials = list(connection.execute(found).scalars())
            return [self._account(connection, link, serial) for serial in serials]

    def entries(self, name: str, serial: str | None = None) -> list[Entry]:
        """The lines of a meter's ledger, oldest first."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            wanted = sql.select(*_ENTRY).where(_entries.c.link_id == link.id).order_by(_entries.c.line)
            if serial is not None:
                wanted = wanted.where(_entries.c.serial == serial)
            return [Entry(*row) for row in connection.execute(wanted)]

    def check(self, name: str) -> int:
        """Replay a ledger from its first line; how many lines it has. E-8206 when it does not give the meter."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            wanted = sql.select(*_ENTRY).where(_entries.c.link_id == link.id).order_by(_entries.c.line)
            entries = [Entry(*row) for row in connection.execute(wanted)]
        found, want = cbor2.loads(link.meter), ledger.replayed(cbor2.loads(link.parameters), entries)
        if found != want:
            raise WheelwrightError(
                8206, line=len(entries), serial="any", record="any", found=found["current"], want=want["current"]
            )
        return len(entries)

    # records

    def take(self, name: str, serial: str, raws: Sequence[bytes], reading: Reading) -> Account:
        """Take records of a table's journal, all of them or none, each once; returns the account after them.

        What was taken before is passed over. E-8201 .. E-8203 as `ledger`, E-8204 as `reading`.
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
                self._enter(connection, link.id, meter, lines)
            return account

    def correct(self, name: str, mills: int, note: str) -> None:
        """The meter stands at `mills` from now on; `note` says who corrects it and why. E-9001 for what cannot be."""
        with self._transaction() as connection:
            link = self._link(connection, name)
            try:
                meter = meters.correct(cbor2.loads(link.meter), mills)
            except ValueError as error:
                raise WheelwrightError(9001, option="--mills", value=mills, advice=str(error)) from None
            count = sql.select(sql.func.count()).where(_entries.c.link_id == link.id, _entries.c.serial == "")
            number = 1 + (connection.execute(count).scalar() or 0)
            line = Entry("", number, ledger.CORRECTION, mills, 0, 0, mills, note)
            self._enter(connection, link.id, meter, [line])

    # inside

    def _link(self, connection: Connection, name: str) -> Any:
        link = connection.execute(sql.select(_links).where(_links.c.name == name).with_for_update()).first()
        if link is None:
            known = ", ".join(connection.execute(sql.select(_links.c.name).order_by(_links.c.name)).scalars())
            raise WheelwrightError(8205, url=self.url, name=name, known=known or "none")
        return link

    def _account(self, connection: Connection, link: Any, serial: str) -> Account:
        row = connection.execute(sql.select(_accounts).where(_accounts.c.serial == serial)).first()
        if row is None:
            return Account(serial)
        if row.link_id != link.id:
            other = connection.execute(sql.select(_links.c.name).where(_links.c.id == row.link_id)).scalar()
            raise WheelwrightError(8209, serial=serial, other=other, name=link.name)
        claims, known = cbor2.loads(row.open)
        owed = {number: ledger.Owed(*words) for number, words in claims.items()}
        return Account(serial, row.number, row.head, owed, known)

    def _enter(self, connection: Connection, link_id: int, meter: dict[str, Any], lines: list[Entry]) -> None:
        taken_ms = time.time_ns() // 1_000_000
        connection.execute(
            _entries.insert(), [{"link_id": link_id, "taken_ms": taken_ms, **_row(line)} for line in lines]
        )
        connection.execute(_links.update().where(_links.c.id == link_id).values(meter=cbor2.dumps(meter)))

    def _keep(self, connection: Connection, link_id: int, before: Account, account: Account) -> None:
        opened = cbor2.dumps([{number: list(owed) for number, owed in account.claims.items()}, account.known])
        values = {"number": account.number, "head": account.head, "open": opened}
        if before.number:
            here = _accounts.c.serial == account.serial
            connection.execute(_accounts.update().where(here).values(**values))
        else:
            connection.execute(_accounts.insert().values(link_id=link_id, serial=account.serial, **values))

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._errors_named(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except exc.DBAPIError as error:
            raise WheelwrightError(8207, url=self.url, reason=str(error.orig).partition("\n")[0]) from error
        except (exc.SQLAlchemyError, ImportError) as error:
            raise WheelwrightError(8207, url=self.url, reason=str(error).partition("\n")[0]) from error


def _row(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__dataclass_fields__}


def _begin_by_hand(engine: sql.Engine) -> None:
    """Every transaction of a ledger begins with the write lock: what it reads holds until it has written."""

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {int(LOCK_TIMEOUT_S * 1000)}")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
