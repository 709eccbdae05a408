"""The spins of a log that gave a section, each with its time and, from a list of shifts, its dealer."""

import csv
import itertools
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tabletop.journal import kinds

from wheelwright.balance.evidence import SECTIONS
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import entries
from wheelwright.logbook.store import Row

KINDS = (kinds.SPIN, kinds.TIME_SET)


class Spin(NamedTuple):
    """One physical spin: where it ended and began (None: not known), 1 forward or -1 backward, when (s since 1970)."""

    section: int
    start: int | None
    direction: int
    at_s: float
    test: bool = False
    dealer: str = ""


class Shift(NamedTuple):
    """Who dealt from when to when."""

    dealer: str
    from_s: float
    to_s: float


def spins(serial: str, rows: Iterable[Row], shifts: list[Shift]) -> Iterator[Spin]:
    """The spins of the records of KINDS, in their order. E-8101 names a record that is damaged.

    A time is of the table's own clock where it was set since its start, else of the log (`at_ms`).
    """
    boot, clock_ms = 0, 0
    for row in rows:
        if row.boot != boot:
            boot, clock_ms = row.boot, 0
        try:
            payload = entries.payload_of(row.raw)
            if row.kind == kinds.TIME_SET:
                clock_ms = payload["unix_ms"] - row.t_ms
                continue
            if payload["outcome"] != "SECTION" or payload["source"] != "PHYSICAL":
                continue
            at_s = (clock_ms + row.t_ms if clock_ms else row.at_ms) / 1000
            dealer = next((one.dealer for one in shifts if one.from_s <= at_s < one.to_s), "")
            spin = Spin(payload["section"], payload.get("start"), payload["direction"], at_s, payload["test"], dealer)
            if any(type(at) is not int or not 0 <= at < SECTIONS for at in (spin.section, spin.start or 0)):
                raise ValueError("it names a section that no wheel has")
            if spin.direction not in (1, -1):
                raise ValueError("it names no direction")
        except (KeyError, TypeError, ValueError) as error:
            reason = str(error) if isinstance(error, ValueError) else f"it has no usable field {error}"
            raise WheelwrightError(8101, serial=serial, number=row.number, reason=reason) from None
        yield spin


def read_shifts(path: Path) -> list[Shift]:
    """The shifts of a CSV file with the columns dealer, from, to; times are ISO 8601 with their offset. E-9012."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise WheelwrightError(9012, path=path, reason=str(error)) from None
    shifts = []
    for line, row in enumerate(rows, 2):
        try:
            shift = Shift(row["dealer"].strip(), _seconds(row["from"]), _seconds(row["to"]))
        except (KeyError, ValueError, AttributeError, OverflowError) as error:
            reason = f"line {line}: {error if isinstance(error, ValueError) else 'columns are dealer, from, to'}"
            raise WheelwrightError(9012, path=path, reason=reason) from None
        if not shift.dealer or shift.to_s <= shift.from_s:
            raise WheelwrightError(9012, path=path, reason=f"line {line}: a dealer, and an end after the start")
        shifts.append(shift)
    shifts.sort(key=lambda one: one.from_s)
    for one, other in itertools.pairwise(shifts):
        if other.from_s < one.to_s:
            raise WheelwrightError(9012, path=path, reason=f"{one.dealer} and {other.dealer} deal at the same time")
    return shifts


def _seconds(text: str) -> float:
    time = datetime.fromisoformat(text.strip())
    if time.tzinfo is None:
        raise ValueError(f"{text!r} has no offset from UTC, such as Z or -04:00")
    return time.timestamp()
