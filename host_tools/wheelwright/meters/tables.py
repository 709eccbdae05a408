"""The database of the ledgers: its tables, and transactions that are whole or undone. `books` is what is done in them.

An SQLite file of its own by default, any SQLAlchemy address otherwise. Two hosts on one ledger wait for each other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy import event, exc
from sqlalchemy.engine import Connection

from wheelwright.errors import WheelwrightError

LOCK_TIMEOUT_S = 5.0
_metadata = sql.MetaData()
links = sql.Table(
    "linked_meters",
    _metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False, unique=True),
    sql.Column("identity", sql.Text, nullable=False),  # by which its tables know it
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("test", sql.Boolean, nullable=False),
    sql.Column("parameters", sql.LargeBinary, nullable=False),  # with which it was opened, CBOR
    sql.Column("head", sql.LargeBinary, nullable=False),  # the hash of its last line
)
entries = sql.Table(
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
    sql.Column("round", sql.BigInteger, nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("head", sql.LargeBinary, nullable=False),  # the hash of the record
    sql.Column("known", sql.LargeBinary, nullable=False),  # what reading has to remember, CBOR
    sql.Column("hash", sql.LargeBinary, nullable=False),
)


class Database:
    """Failures of it are E-8207, and leave everything as it was."""

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
                if present and not _ours(sql.inspect(connection), present):
                    raise WheelwrightError(8207, url=self.url, reason="it is a database of another program or version")
                if not present:
                    if not create:
                        raise WheelwrightError(8207, url=self.url, reason="it is empty")
                    _metadata.create_all(connection)

    def close(self) -> None:
        self._engine.dispose()

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


def _ours(found: Any, present: set[str]) -> bool:
    """Whether a database has the tables of a ledger, with their columns."""
    return all(
        name in present and {column["name"] for column in found.get_columns(name)}.issuperset(table.columns.keys())
        for name, table in _metadata.tables.items()
    )


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
