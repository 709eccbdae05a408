"""What a log holds of a table: its records, one row each, and its anchor."""

import time
from typing import NamedTuple

import tabletop.journal.record as record_format

from wheelwright.log_tables import records


class Anchor(NamedTuple):
    """A journal head remembered by the host: the highest record anchored so far, and its hash."""

    number: int
    hash: bytes


class Row(NamedTuple):
    """One stored record: `raw` as the table sent it; the other columns say what was read from it then."""

    number: int
    boot: int
    kind: int
    t_ms: int
    hash: bytes
    received_ms: int
    raw: bytes


ROW = tuple(records.c[name] for name in Row._fields)
TYPES = tuple(Row.__annotations__.values())


def as_row(raw: bytes) -> Row:
    """A record as it is stored, received now. ValueError: not a record."""
    record = record_format.decode(raw)
    return Row(
        record.number, record.boot, record.kind, record.t_ms, bytes(record.hash), int(time.time() * 1000), raw
    )
