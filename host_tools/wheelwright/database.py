"""Opening a log database without ever harming one: what it is, is known before anything is written.

An SQLite file is first judged by its header bytes alone, so a file of another program is not even
opened. The number of the format stands in the header (`user_version`) or, in other databases, in
the table `wheelwright`.
"""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy import event, exc
from sqlalchemy.engine import Connection, Engine

from wheelwright.errors import WheelwrightError

FORMAT = 1  # raise it when the tables change; newer formats are refused
APPLICATION = 0x57484C57  # "WHLW", the application id in the header of an SQLite file
LOCK_TIMEOUT_S = 2.0  # how long another program may hold the log before this one gives up

metadata = sql.MetaData()
_about = sql.Table("wheelwright", metadata, sql.Column("format", sql.Integer, nullable=False))


def open_engine(url: str, *, create: bool) -> Engine:
    """The engine of a log that is there and ours, or (`create`) was not there and now is.

    `url` is a path or a database address. Raises WheelwrightError 8001..8006.
    """
    path = _sqlite_path(url)
    fresh = path is not None and _judge_file(path, url, create)
    with errors_named(url):
        if path is None:
            try:
                engine = sql.create_engine(url)
            except ValueError as error:  # the address names a port that is no number
                raise WheelwrightError(8006, url=url, reason=error) from None
            if engine.dialect.name == "sqlite":  # in memory it would be lost after the table was told that it is held
                raise WheelwrightError(8006, url=url, reason="an SQLite log is named by its file")
        else:
            address = sql.URL.create("sqlite", database=str(path.absolute()))  # ":memory:" is a file like any other
            engine = sql.create_engine(address, connect_args={"timeout": LOCK_TIMEOUT_S})
            _begin_by_hand(engine)
        _judge_tables(engine, url, create=fresh or (path is None and create))
    return engine


@contextmanager
def transaction(engine: Engine, *, write: bool) -> Iterator[Connection]:
    """One transaction: committed at the end, undone by any exception."""
    with engine.connect().execution_options(writes=write) as connection, connection.begin():
        yield connection


@contextmanager
def errors_named(url: str) -> Iterator[None]:
    """Turn what the database drivers raise into the numbered error that says what to do."""
    try:
        yield
    except exc.DBAPIError as error:
        raise _named(url, error.orig) from error
    except (exc.SQLAlchemyError, ImportError) as error:
        raise WheelwrightError(8006, url=url, reason=str(error).splitlines()[0]) from error


def _named(url: str, cause: BaseException | None) -> WheelwrightError:
    result = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary result code
    reason = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
    if result in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WheelwrightError(8001, url=url)
    if result in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return WheelwrightError(8004, url=url, reason=reason)
    return WheelwrightError(8006, url=url, reason=reason)


def _sqlite_path(url: str) -> Path | None:
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///"))
    return None if "://" in url else Path(url)


def _judge_file(path: Path, url: str, create: bool) -> bool:
    """True when a new log is to be made there; raises when the file is none of ours."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
            size = file.seek(0, 2)
    except FileNotFoundError:
        if not create:
            raise WheelwrightError(8005, url=url) from None
        return True
    except IsADirectoryError:
        raise WheelwrightError(8002, url=url, reason="it is a folder") from None
    except OSError as error:
        raise WheelwrightError(8006, url=url, reason=error.strerror) from error
    if not header and create:
        return True  # made, but never written: what is left of a start that was cut off
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise WheelwrightError(8002, url=url, reason="not an SQLite file")
    page_size, changed, pages, found, application, valid_for = (
        *struct.unpack_from(">H", header, 16), *struct.unpack_from(">II", header, 24),
        *struct.unpack_from(">I4xI", header, 60), *struct.unpack_from(">I", header, 92),
    )  # fmt: skip
    if application != APPLICATION:
        raise WheelwrightError(8002, url=url, reason="it belongs to another program")
    if found > FORMAT:
        raise WheelwrightError(8003, url=url, found=found, known=FORMAT)
    unfinished = path.with_name(path.name + "-journal").exists()  # SQLite will roll back, then the size is right
    if changed == valid_for and size < pages * (65536 if page_size == 1 else page_size) and not unfinished:
        raise WheelwrightError(8004, url=url, reason="the end of the file is missing")
    return False


def _judge_tables(engine: Engine, url: str, *, create: bool) -> None:
    with transaction(engine, write=create) as connection:
        present = set(sql.inspect(connection).get_table_names())
        if not present and create:
            metadata.create_all(connection)
            connection.execute(_about.insert().values(format=FORMAT))
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
                connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")
            return
        if not present.issuperset(metadata.tables):
            raise WheelwrightError(8002, url=url, reason="its tables are missing")
        for name, table in metadata.tables.items():
            columns = {column["name"] for column in sql.inspect(connection).get_columns(name)}
            missing = set(table.columns.keys()) - columns
            if missing:
                raise WheelwrightError(8004, url=url, reason=f"table {name} has no column {' '.join(sorted(missing))}")
        found = connection.execute(sql.select(_about.c.format)).scalar()
        if type(found) is not int or found < 1:
            raise WheelwrightError(8004, url=url, reason="it does not say which format it has")
        if found > FORMAT:
            raise WheelwrightError(8003, url=url, found=found, known=FORMAT)


def _begin_by_hand(engine: Engine) -> None:
    """Python's SQLite driver begins a transaction only before the first change; what was read then is not held.

    A writer begins with the write lock, so two tools on one log wait for each other instead of failing half way.
    """

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
