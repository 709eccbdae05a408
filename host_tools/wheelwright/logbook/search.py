"""Which records of a table are wanted, as conditions that one index answers: by number, kind, round, tilt or time."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from wheelwright.logbook.tables import records


class Wanted(NamedTuple):
    """Records that meet all of it. Times are of `at_ms`, in milliseconds since 1970."""

    first: int = 0
    last: int | None = None
    kinds: Sequence[int] = ()
    round: int | None = None
    tilt: int | None = None
    since_ms: int | None = None
    until_ms: int | None = None

    def conditions(self, connection: Connection, table_id: int | None) -> list[sql.ColumnElement[bool]]:
        """What a record has to meet, but for its number, which is bound to `start` and grows from page to page.

        A time without round or tilt is turned into numbers first: so each page runs along one index, in the order of
        the journal.
        """
        number, last = records.c.number, self.last
        found: list[sql.ColumnElement[bool]] = [records.c.table_id == table_id]
        if self.round is not None:
            found.append(records.c.round == self.round)
        if self.tilt is not None:
            found.append(records.c.tilt == self.tilt)
        if self.kinds:
            found.append(records.c.kind.in_(self.kinds))
        times: list[sql.ColumnElement[bool]] = []
        if self.since_ms is not None:
            times.append(records.c.at_ms >= self.since_ms)
        if self.until_ms is not None:
            times.append(records.c.at_ms <= self.until_ms)
        found += times
        if times and self.round is None and self.tilt is None:
            ends = sql.select(sql.func.min(number), sql.func.max(number)).where(records.c.table_id == table_id, *times)
            lowest, highest = connection.execute(ends).one()
            found.append(number >= (lowest or 0))
            last = min(highest or 0, last if last is not None else highest or 0)
        if last is not None:
            found.append(number <= last)
        return [*found, number >= sql.bindparam("start")]
