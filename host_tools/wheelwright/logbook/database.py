"""Opening a database without ever harming one: what it is, is known before anything is written.

SQLite in a file, or PostgreSQL at an address; both are used in the same way. Any fault of a driver becomes one
sentence with a code, in which no password is shown.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy import event, exc
from sqlalchemy.engine import Connection, Engine

from wheelwright.addresses import shown
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import database_file, database_format
from wheelwright.logbook.database_format import Tables

LOCK_TIMEOUT_S = 2.0  # how long another program may hold the database before this one gives up
ANSWER_S = 5  # how long a server may take to let us in
LOST_MS = 15_000  # a server that takes no bytes for that long has gone
POSTGRESQL = re.compile(r"postgres(ql)?(\+psycopg)?://")
# SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
_STATES = (
    (8001, ("55P03", "40001", "40P01")),  # lock not available, serialisation, deadlock
    (8004, ("XX001", "XX002")),  # damaged data or index
    (8021, ("08", "57P")),  # connection lost; server stopped, crashed or starting
    (8022, ("28", "42501", "25006")),  # who we are, what we may, read-only
    (8023, ("53100", "58030")),  # disk full, input or output failed
)
_RESULTS = {
    sqlite3.SQLITE_BUSY: 8001, sqlite3.SQLITE_LOCKED: 8001, sqlite3.SQLITE_CORRUPT: 8004, sqlite3.SQLITE_NOTADB: 8004,
    sqlite3.SQLITE_READONLY: 8022, sqlite3.SQLITE_FULL: 8023, sqlite3.SQLITE_IOERR: 8023,
}  # fmt: skip
_NOT_LET_IN = ("authentication", "password", "pg_hba", "permission", "role ")  # the server's words; no code comes then
_NOT_READY = ("starting up", "shutting down", "recovery", "not yet accepting")


def open_engine(url: str, *, create: bool, tables: Tables) -> Engine:
    """The engine of a database that is there and ours, or (`create`) was not there and now is; brought up to date.

    `url` is a path or an address. Raises WheelwrightError 8001..8006, 8021..8023.
    """
    path = _sqlite_path(url)
    if path is not None:
        database_file.judge(path, url, tables, create=create)
    new = path is not None and not path.exists()
    try:
        with errors_named(url):
            engine = _server(url) if path is None else _file(path)
            try:
                _settle(engine, shown(url), tables, create=create)
            except BaseException:
                engine.dispose()
                raise
    except WheelwrightError as error:
        if path is not None and new and error.code == 8023 and path.exists() and not path.stat().st_size:
            path.unlink()  # nothing was ever written in it, and nobody else could
        raise
    return engine


@contextmanager
def transaction(engine: Engine, *, write: bool) -> Iterator[Connection]:
    """One transaction: committed at the end, undone by any exception. One writer at a time, on any database."""
    with engine.connect().execution_options(writes=write) as connection, connection.begin():
        if write and engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({database_format.APPLICATION})")
        yield connection


@contextmanager
def errors_named(url: str) -> Iterator[None]:
    """Turn what the database drivers raise into the numbered error that says what to do."""
    try:
        yield
    except exc.DBAPIError as error:
        raise _named(shown(url), error.orig) from error
    except (exc.SQLAlchemyError, ImportError) as error:
        raise WheelwrightError(8006, url=shown(url), reason=str(error).splitlines()[0]) from error


def _named(url: str, cause: BaseException | None) -> WheelwrightError:
    text = str(cause)
    reason = text.splitlines()[0] if text else type(cause).__name__
    code = _RESULTS.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF, 8006)  # the low byte is the primary result code
    state = getattr(cause, "sqlstate", None)
    if state:
        code = next((code for code, states in _STATES if state.startswith(states)), 8006)
    elif not isinstance(cause, sqlite3.Error) and type(cause).__name__ == "OperationalError":  # no session came about
        refused = "FATAL" in text and not any(words in text for words in _NOT_READY)
        code = 8021 if not refused else 8022 if any(words in text for words in _NOT_LET_IN) else 8006
    return WheelwrightError(code, url=url, reason=reason)


def _settle(engine: Engine, url: str, tables: Tables, *, create: bool) -> None:
    with transaction(engine, write=False) as connection:
        if database_format.found(connection, url, tables, create=create) == tables.format:
            return
    with transaction(engine, write=True) as connection:
        found = database_format.found(connection, url, tables, create=create)  # another tool may have been quicker
        if found == 0:
            database_format.make(connection, tables)
        elif found < tables.format:
            database_format.upgrade(connection, tables)
            database_format.mark(connection, tables)
            database_format.compare(connection, url, tables)


def _sqlite_path(url: str) -> Path | None:
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///"))
    return None if "://" in url else Path(url)


def _server(url: str) -> Engine:
    found = POSTGRESQL.match(url)
    if found is None:  # an SQLite without a file would be lost after the table was told that its records are held
        raise WheelwrightError(
            8006, url=shown(url), reason="a log is an SQLite file or at an address postgresql://HOST/DATABASE"
        )
    try:
        address = sql.make_url("postgresql+psycopg://" + url[found.end() :])
        return sql.create_engine(
            address, pool_pre_ping=True,
            connect_args={
                "connect_timeout": ANSWER_S, "application_name": "wheelwright", "keepalives_idle": 10,
                "tcp_user_timeout": LOST_MS, "options": f"-c lock_timeout={int(LOCK_TIMEOUT_S * 1000)}",
            },
        )  # fmt: skip
    except ValueError as error:  # the address names a port that is no number
        raise WheelwrightError(8006, url=shown(url), reason=error) from None


def _file(path: Path) -> Engine:
    """Python's SQLite driver begins a transaction only before the first change; what was read then is not held.

    A writer begins with the write lock, so two tools on one log wait for each other instead of failing half way.
    """
    address = sql.URL.create("sqlite", database=str(path.absolute()))  # ":memory:" is a file like any other
    engine = sql.create_engine(address, connect_args={"timeout": LOCK_TIMEOUT_S})

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
