"""The tables of the logbook: every record of every table of a house, byte for byte, and what it is found by."""

from typing import Any

import cbor2
import sqlalchemy as sql
import tabletop.journal.record as record_format
from tabletop.journal import kinds

from wheelwright.logbook.database_format import Tables

METADATA = sql.MetaData()
LOG = Tables("log", METADATA, 2, in_header=True)  # one more for each revision in migrations/log
LATEST = 2**63 - 1  # the largest number that a database holds; a record has 64 bits for its time


class _Bytes(sql.TypeDecorator[bytes]):
    """Bytes, or what somebody put in their place: a `Row` is judged when it is read, with its number."""

    impl = sql.LargeBinary
    cache_ok = True

    def result_processor(self, dialect: sql.Dialect, coltype: object) -> None:  # noqa: ARG002
        return None


tables = sql.Table(
    "tables",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("serial", sql.Text, nullable=False, unique=True),
    sql.Column("anchor_number", sql.BigInteger),
    sql.Column("anchor_hash", _Bytes(32)),
)
records = sql.Table(
    "records",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), nullable=False),
    sql.Column("number", sql.BigInteger, nullable=False),
    sql.Column("boot", sql.BigInteger, nullable=False),
    sql.Column("kind", sql.Integer, nullable=False),
    sql.Column("t_ms", sql.BigInteger, nullable=False),
    sql.Column("hash", _Bytes(32), nullable=False),
    sql.Column("received_ms", sql.BigInteger, nullable=False),
    sql.Column("raw", _Bytes, nullable=False),
    sql.Column("at_ms", sql.BigInteger, nullable=False, server_default="0"),
    sql.Column("round", sql.BigInteger),  # read from the payload when the record comes; nothing is proved by it
    sql.Column("tilt", sql.BigInteger),
    sql.PrimaryKeyConstraint("table_id", "number"),
)
sql.Index("records_at", records.c.table_id, records.c.at_ms, records.c.number)
sql.Index("records_kind", records.c.table_id, records.c.kind, records.c.number)
sql.Index("records_round", records.c.table_id, records.c.round, records.c.number)
_there = records.c.tilt.is_not(None)  # few records are of a tilt
sql.Index(
    "records_tilt", records.c.table_id, records.c.tilt, records.c.number, sqlite_where=_there, postgresql_where=_there
)
published = sql.Table(
    "published",
    METADATA,
    sql.Column("broker", sql.Text, nullable=False),
    sql.Column("table_id", sql.ForeignKey("tables.id"), nullable=False),
    sql.Column("number", sql.BigInteger, nullable=False),  # the last record that the broker has acknowledged
    sql.PrimaryKeyConstraint("broker", "table_id"),
)


def payload_of(raw: object) -> dict[str, Any]:
    """What the record `raw` says, as far as it can be read; check sums are not looked at."""
    try:
        payload = cbor2.loads(raw[record_format.HEADER : -record_format.TRAILER])  # type: ignore[index]
    except (cbor2.CBORDecodeError, TypeError, ValueError, OverflowError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}


def found_by(kind: object, payload: dict[str, Any]) -> tuple[int | None, int | None]:
    """(round, tilt) that a record speaks of; None for what it does not."""
    in_round = payload.get("round")
    tilt = payload.get("tilt") if kind in (kinds.TILT, kinds.TILT_CLEARED) else None
    return (
        in_round if type(in_round) is int and 0 <= in_round <= LATEST else None,
        tilt if type(tilt) is int and 0 <= tilt <= LATEST else None,
    )
