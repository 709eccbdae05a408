"""What a log holds of a table: its records, one row each, and its anchor."""

import time
from typing import NamedTuple

import tabletop.journal.record as record_format

from wheelwright.logbook.tables import found_by, payload_of, records


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
    at_ms: int = 0  # when it happened, as well as the log can tell: by nobody's proof
    round: int | None = None
    tilt: int | None = None


class Started(NamedTuple):
    """When a table was started: `ms` since 1970, by this computer's clock, was time 0 of boot number `boot`."""

    boot: int
    ms: int

    def at_ms(self, boot: int, t_ms: int, received_ms: int) -> int:
        """When a record happened; of an earlier boot all that is known is that it was before this one."""
        if boot > self.boot:
            return received_ms
        return min(received_ms, self.ms + (t_ms if boot == self.boot else 0))


ROW = tuple(records.c[name] for name in Row._fields)
TYPES = frozenset(
    (int, int, int, int, bytes, int, bytes, int, in_round, of_tilt)
    for in_round in (int, type(None))
    for of_tilt in (int, type(None))
)


def as_row(raw: bytes, started: Started | None = None) -> Row:
    """A record as it is stored, received now; without `started` it happened now too. ValueError: not a record."""
    record = record_format.decode(raw)
    now_ms = int(time.time() * 1000)
    at_ms = now_ms if started is None else started.at_ms(record.boot, record.t_ms, now_ms)
    return Row(
        record.number, record.boot, record.kind, record.t_ms, bytes(record.hash), now_ms, raw, at_ms,
        *found_by(record.kind, payload_of(raw)),
    )  # fmt: skip
