"""The log extract of a report: journal records in words, each marked when it moves a live meter."""

from collections.abc import Iterable

from tabletop.journal import kinds

from wheelwright import wording
from wheelwright.logbook import entries
from wheelwright.logbook.store import Row
from wheelwright.reports.run import Record


def extract(serial: str, rows: Iterable[Row]) -> list[Record]:
    """The records of a run. E-8101: one is damaged. Only a settlement outside test mode moves a live meter."""
    found = list(rows)
    return [
        Record(
            number=number, kind=kind, text=wording.record(kind, payload), hash=row.hash.hex(),
            live=row.kind == kinds.SETTLED and not payload.get("test"),
        )
        for row, (number, kind, payload) in zip(found, entries.payloads(serial, found), strict=True)
    ]  # fmt: skip
