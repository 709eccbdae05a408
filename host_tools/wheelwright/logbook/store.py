"""The logbook: every record of every table of a house, byte for byte, and the anchor of each table.

SQLite in a file by default, PostgreSQL at an address. A database that is locked, foreign, newer or
damaged gives one sentence and is left as it was. Records come in batches: a batch is stored whole
or not at all, storing the same records again changes nothing, and a number is never written twice.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from wheelwright.addresses import shown
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import database
from wheelwright.logbook.rows import ROW, TYPES, Anchor, Row, Started, as_row
from wheelwright.logbook.search import Wanted
from wheelwright.logbook.tables import LATEST, LOG, published
from wheelwright.logbook.tables import records as _records
from wheelwright.logbook.tables import tables as _tables

__all__ = ["PAGE", "Anchor", "Row", "Started", "Store", "as_row"]
PAGE = 2000  # records read in one transaction: 0.5 MB, so a long reader never keeps a writer waiting


class Store:
    """An open log database; a context manager. For any number of threads."""

    def __init__(self, engine: Engine, url: str) -> None:
        self._engine = engine
        self.url = url

    @classmethod
    def open(cls, target: str | Path, *, create: bool = False) -> "Store":
        """Open the log at a file path or database address; `create` makes it when there is none.

        Raises WheelwrightError 8001 (locked), 8002 (foreign), 8003 (newer), 8004 (damaged),
        8005 (absent), 8006 (cannot be used at all), 8021 (server away), 8022 (not permitted), 8023 (not written).
        """
        return cls(database.open_engine(str(target), create=create, tables=LOG), shown(str(target)))

    def close(self) -> None:
        """Give the database back."""
        self._engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[Connection]:
        """One transaction for whoever keeps something beside the records: `published`."""
        with database.errors_named(self.url), database.transaction(self._engine, write=write) as connection:
            yield connection

    # tables and anchors

    def check_owners(self) -> None:
        """E-8004 when the log holds records of a table that it does not list."""
        with self.transaction() as connection:
            self._check_owners(connection)

    def _check_owners(self, connection: Connection) -> None:
        listed = set(connection.execute(sql.select(_tables.c.id)).scalars())
        owner = _records.c.table_id
        first = connection.execute(sql.select(sql.func.min(owner))).scalar()
        while first is not None:  # from one table's first record to the next one's: each a look into the index
            if first not in listed:
                raise WheelwrightError(8004, url=self.url, reason="records of a table that it does not list")
            first = connection.execute(sql.select(sql.func.min(owner)).where(owner > first)).scalar()

    def serials(self) -> list[str]:
        """The serial numbers of the tables in this log, sorted."""
        with self.transaction() as connection:
            found = list(connection.execute(sql.select(_tables.c.serial).order_by(_tables.c.serial)).scalars())
        if not all(isinstance(serial, str) and serial.isprintable() for serial in found):
            raise WheelwrightError(8004, url=self.url, reason="a serial number that no table has")
        return found

    def serial(self, wanted: str | None) -> str:
        """The table meant: the one wanted, or the only one there is; E-8008 or E-8009 otherwise."""
        known = self.serials()
        if wanted is None and len(known) == 1:
            return known[0]
        if wanted is None and known:
            raise WheelwrightError(8009, url=self.url, known=", ".join(known))
        if wanted is None or wanted not in known:
            raise WheelwrightError(8008, url=self.url, serial=wanted or "at all", known=", ".join(known) or "none yet")
        return wanted

    def anchor(self, serial: str) -> Anchor | None:
        """The anchor of a table, None before the first."""
        select = sql.select(_tables.c.anchor_number, _tables.c.anchor_hash).where(_tables.c.serial == serial)
        with self.transaction() as connection:
            row = connection.execute(select).first()
        return self._anchor(*row) if row is not None and row[0] is not None else None

    def _anchor(self, number: object, digest: object) -> Anchor:
        if type(number) is not int or type(digest) is not bytes:
            raise WheelwrightError(8004, url=self.url, reason="an anchor that is no number and hash")
        return Anchor(number, digest)

    def set_anchor(self, serial: str, number: int) -> Anchor:
        """Anchor the stored record `number` and return the anchor; it never goes back to an older number.

        LookupError: the record is not stored.
        """
        select = (
            sql.select(_tables.c.id, _records.c.hash, _tables.c.anchor_number, _tables.c.anchor_hash)
            .join_from(_records, _tables)
            .where(_tables.c.serial == serial, _records.c.number == number)
        )
        with self.transaction(write=True) as connection:
            found = connection.execute(select).first()
            if found is None:
                raise LookupError(f"record {number} of table {serial} is not stored")
            table_id, digest, old_number, old_digest = found
            if old_number is not None and self._anchor(old_number, old_digest).number >= number:
                return Anchor(old_number, old_digest)
            values = {"anchor_number": number, "anchor_hash": digest}
            connection.execute(_tables.update().where(_tables.c.id == table_id).values(values))
        return Anchor(number, digest)

    # records

    def add(self, serial: str, raws: Sequence[bytes], started: Started | None = None) -> int:
        """Store records exactly as received, all of them or none; returns how many were new.

        `started` tells when those that wait for long in a table happened.

        ValueError: not a record. E-8007: other content is stored under a number already. E-8014: an impossible time.
        """
        rows = [as_row(bytes(raw), started) for raw in raws]
        if not rows:
            return 0
        for row in rows:
            if row.t_ms > LATEST:
                raise WheelwrightError(8014, number=row.number, serial=serial, t_ms=row.t_ms)
        with self.transaction(write=True) as connection:
            table_id = self.table_id(connection, serial)
            stored = self._stored(connection, table_id, [row.number for row in rows])
            fresh = []
            for row in rows:
                known = stored.setdefault(row.number, row.raw)
                if known is row.raw:
                    fresh.append({"table_id": table_id, **row._asdict()})
                elif known != row.raw:
                    raise WheelwrightError(8007, number=row.number, serial=serial)
            if fresh:
                connection.execute(_records.insert(), fresh)
                lowest = min(row["number"] for row in fresh)  # what closes a gap is still to be published
                late = (published.c.table_id == table_id, published.c.number >= lowest)
                connection.execute(published.update().where(*late).values(number=lowest - 1))
        return len(fresh)

    def bounds(self, serial: str) -> tuple[int, int] | None:
        """The lowest and the highest number stored of a table, None when there is none."""
        lowest_highest = sql.select(sql.func.min(_records.c.number), sql.func.max(_records.c.number))
        select = lowest_highest.join_from(_records, _tables).where(_tables.c.serial == serial)
        with self.transaction() as connection:
            first, last = connection.execute(select).one()
        return None if first is None else (first, last)

    def count(self, serial: str) -> int:
        """How many records of a table are stored."""
        select = sql.select(sql.func.count()).select_from(_records.join(_tables)).where(_tables.c.serial == serial)
        with self.transaction() as connection:
            return int(connection.execute(select).scalar_one())

    def record(self, serial: str, number: int) -> Row | None:
        """One stored record, None when it is not there."""
        return next(iter(self.records(serial, first=number, last=number)), None)

    def records(self, serial: str, *, first: int = 0, last: int | None = None, kinds: Sequence[int] = (),
                round_: int | None = None, tilt: int | None = None, since_ms: int | None = None,
                until_ms: int | None = None) -> Iterator[Row]:  # fmt: skip
        """Stored records in order of number, from `first` to `last` (both included), of some kinds or all.

        `round_` and `tilt` are what a record speaks of; times are when it happened (`at_ms`), in ms since 1970.
        """
        wanted = Wanted(first, last, kinds, round_, tilt, since_ms, until_ms)
        with self.transaction() as connection:
            table_id = connection.execute(sql.select(_tables.c.id).where(_tables.c.serial == serial)).scalar()
            conditions = wanted.conditions(connection, table_id)
        select = sql.select(*ROW).where(*conditions).order_by(_records.c.number).limit(PAGE)
        start = first
        while True:
            with self.transaction() as connection:
                page = connection.execute(select, {"start": start}).all()
            for row in page:
                if tuple(map(type, row)) not in TYPES:
                    reason = "it holds what no table sends"
                    raise WheelwrightError(8101, serial=serial, number=row.number, reason=reason)
                yield Row._make(row)
            if len(page) < PAGE:
                return
            start = page[-1].number + 1

    def gaps(self, serial: str) -> list[tuple[int, int]]:
        """The numbers that are missing between the first and the last record stored, both ends included."""
        bounds = self.bounds(serial)
        if bounds is None or self.count(serial) == bounds[1] - bounds[0] + 1:
            return []
        number = _records.c.number
        after = sql.func.lead(number).over(order_by=number).label("after")
        pairs = sql.select(number, after).join_from(_records, _tables).where(_tables.c.serial == serial).subquery()
        select = sql.select(pairs).where(pairs.c.after > pairs.c.number + 1).order_by(pairs.c.number)
        with self.transaction() as connection:
            return [(before + 1, after - 1) for before, after in connection.execute(select)]

    def table_id(self, connection: Connection, serial: str) -> int:
        """The number of a table in this database; a table that is new here gets one."""
        found = connection.execute(sql.select(_tables.c.id).where(_tables.c.serial == serial)).scalar()
        if found is None:
            self._check_owners(connection)  # a new table must not come by what is left of another
            found = connection.execute(_tables.insert().values(serial=serial).returning(_tables.c.id)).scalar_one()
        return int(found)

    @staticmethod
    def _stored(connection: Connection, table_id: int, numbers: list[int]) -> dict[int, bytes]:
        among = _records.c.number.between(min(numbers), max(numbers))
        select = sql.select(_records.c.number, _records.c.raw).where(_records.c.table_id == table_id, among)
        return {row.number: row.raw for row in connection.execute(select)}
