"""The proof that a log is whole and unchanged: every record checked against its bytes and against the one before."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import cbor2
import tabletop.journal.record as record_format
from tabletop.journal import kinds

from wheelwright import wording
from wheelwright.errors import WheelwrightError
from wheelwright.logbook.pledges import KINDS, Pledges
from wheelwright.logbook.store import Anchor, Row, Store
from wheelwright.logbook.tables import found_by, payload_of


@dataclass(slots=True)
class Verdict:
    """What the check of one table's records found. `problem` names the first wrong record, `gaps` what is missing."""

    serial: str
    records: int = 0
    first: int = 0
    last: int = 0
    boots: int = 0
    head: bytes = b""  # hash of the last record
    gaps: list[tuple[int, int]] = field(default_factory=list)  # numbers that are missing, both ends included
    problem: WheelwrightError | None = None
    notes: list[str] = field(default_factory=list)  # no faults: hidden values that stay open

    @property
    def whole(self) -> bool:
        """True when nothing is wrong and nothing is missing between the first and the last record."""
        return self.problem is None and not self.gaps

    def as_json(self, anchor: Anchor | None) -> dict[str, Any]:
        """The verdict as `log verify --json` prints it."""
        failure = self.failure()
        return {
            "serial": self.serial, "records": self.records, "first": self.first, "last": self.last,
            "boots": self.boots, "head": self.head.hex(), "gaps": [list(gap) for gap in self.gaps],
            "anchor": {"number": anchor.number, "hash": anchor.hash.hex()} if anchor else None,
            "whole": self.whole, "wrong": failure.fields.get("number") if failure else None,
            "problem": str(failure) if failure else None, "notes": self.notes,
        }  # fmt: skip

    def failure(self) -> WheelwrightError | None:
        """The error that says why the log does not hold, None when it does."""
        if self.problem is None and self.gaps:
            first, last = self.gaps[0]
            reason = f"{wording.span(first, last)} missing"
            return WheelwrightError(8101, serial=self.serial, number=first, reason=reason)
        return self.problem


def verify(
    serial: str,
    rows: Iterable[Row],
    anchor: Anchor | None,
    hash_of: Callable[[int], bytes | None],
    advance: Callable[[int], None] = lambda _n: None,
    *,
    part: bool = False,
) -> Verdict:
    """Check the records of one table, in order of number, up to the first wrong one.

    `anchor` is what the host had anchored: the log must still reach it and hold that very record.
    `hash_of(number)` gives the hash of a record checked before (None: not stored); the table's own
    ANCHOR records are held against it. `advance(n)` is told of every 1000 records. A table erases only what a host
    has anchored: unless `rows` are a `part` of a log, records missing at the front must be anchored by its last one.
    """
    verdict = Verdict(serial)
    link, pledges = _Link(), Pledges(hash_of)
    for row in rows:
        expected = verdict.last + 1
        if verdict.records and row.number != expected:
            verdict.gaps.append((expected, row.number - 1))
        elif not verdict.records:
            verdict.first = row.number
        payload = payload_of(row.raw)
        reason = link.wrong(row, payload, verdict.records == 0 or row.number != expected, hash_of)
        if reason is None and anchor is not None and row.number == anchor.number and row.hash != anchor.hash:
            reason = "the host had anchored another record under this number"
        if reason is None and row.kind == kinds.BOOT:
            table = payload.get("serial")
            reason = None if table == serial else f"it is of table {table}"
        if reason is None and row.kind in KINDS:
            complete = verdict.first == 1 and not verdict.gaps
            reason = pledges.wrong(row.number, row.kind, payload, complete)
        if reason is not None:
            verdict.problem = WheelwrightError(8101, serial=serial, number=row.number, reason=reason)
            break
        verdict.records += 1
        verdict.last = row.number
        if verdict.records % 1000 == 0:
            advance(1000)
    verdict.boots, verdict.head = link.boots, link.hash
    verdict.notes = pledges.end()
    if verdict.first > 1 and not part and verdict.problem is None:
        _look_before(verdict, link.anchored)
    if verdict.problem is None and anchor is not None and verdict.last < anchor.number:
        verdict.problem = WheelwrightError(8103, serial=serial, last=verdict.last, anchor=anchor.number)
    return verdict


def _look_before(verdict: Verdict, anchored: int) -> None:
    missing = wording.span(1, verdict.first - 1)
    if anchored < verdict.first - 1:
        verdict.gaps.insert(0, (anchored + 1, verdict.first - 1))
    else:
        verdict.notes.append(f"{missing} not in this log; the table may erase them, as a host has taken them")


def verify_table(store: Store, serial: str, advance: Callable[[int], None] = lambda _n: None) -> Verdict:
    """Check all records of one table of a log against one another and against its anchor."""

    def hash_of(number: int) -> bytes | None:
        row = store.record(serial, number)
        return row.hash if row else None

    return verify(serial, store.records(serial), store.anchor(serial), hash_of, advance)


class _Link:
    """The last record of the chain so far, and the rules that bind the next one to it."""

    def __init__(self) -> None:
        self.hash = record_format.GENESIS
        self.boot = self.t_ms = self.anchored = self.boots = 0

    def wrong(
        self, row: Row, payload: dict[str, Any], loose: bool, hash_of: Callable[[int], bytes | None]
    ) -> str | None:
        """Why `row` cannot follow, None when it does; `loose` when the record before it is not in the log."""
        try:
            found = record_format.decode(row.raw)
        except (ValueError, IndexError) as error:
            return str(error)
        if (found.number, found.boot, found.kind, found.t_ms, found.hash) != (row[0], row[1], row[2], row[3], row[4]):
            return "the database lists it as another record than its bytes say"
        if (row.round, row.tilt) != found_by(row.kind, payload):
            return "the database finds it by another round or tilt than its bytes say"
        if row.at_ms > row.received_ms:
            return "the database says that it came before it happened"
        if not loose or found.number == 1:
            if found.prev != self.hash:
                return "it does not follow from the record before (hash)"
            if found.boot == self.boot and found.t_ms < self.t_ms:
                return "its time is before that of the record before"
        if found.boot < self.boot:
            return f"boot {found.boot} comes after boot {self.boot}"
        if found.anchored < self.anchored or found.anchored >= found.number:
            return f"it says that record {found.anchored} is anchored, after {self.anchored}"
        if found.kind == kinds.ANCHOR:
            wrong = _wrong_anchor(found.payload, found.number, hash_of)
            if wrong:
                return wrong
        if found.boot != self.boot:
            self.boots += 1
        self.hash, self.boot, self.t_ms, self.anchored = found.hash, found.boot, found.t_ms, found.anchored
        return None


def _wrong_anchor(payload: bytes, number: int, hash_of: Callable[[int], bytes | None]) -> str | None:
    try:
        anchor = cbor2.loads(payload)
        anchored, digest = int(anchor["number"]), anchor["hash"]
    except (cbor2.CBORDecodeError, KeyError, TypeError, ValueError):
        return "its payload is no ANCHOR"
    if anchored >= number:
        return f"it anchors record {anchored}, which comes later"
    known = hash_of(anchored)
    if known is not None and known != digest:
        return f"it anchors record {anchored} with another hash than that record has"
    return None
