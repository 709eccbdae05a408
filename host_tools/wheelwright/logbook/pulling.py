"""Takes the journal of a table into a log: what is new, checked against what was there, then anchored on both sides."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wheelwright import wording
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook.arrivals import Arrivals
from wheelwright.logbook.chain import Verdict, verify
from wheelwright.logbook.store import Anchor, Started, Store


@dataclass(slots=True)
class Pulled:
    """What one pull brought. `gaps` are records that the table no longer had."""

    serial: str
    new: int = 0
    first: int = 0  # of the log, after the pull
    last: int = 0
    anchor: Anchor | None = None
    gaps: list[tuple[int, int]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As `log pull --json` prints it."""
        return {
            "serial": self.serial, "new": self.new, "first": self.first, "last": self.last,
            "anchor": self.anchor.number if self.anchor else None, "gaps": [list(gap) for gap in self.gaps],
        }  # fmt: skip

    def lines(self) -> list[str]:
        """In words."""
        words = [f"table {self.serial}: {wording.count(self.new, 'new record')}, the log now ends at {self.last}"]
        words += [str(WheelwrightError(7013, first=first, last=last)) for first, last in self.gaps]
        return words


def next_wanted(store: Store, serial: str) -> int:
    """The first record that the log of a table does not have yet."""
    bounds = store.bounds(serial)
    return bounds[1] + 1 if bounds else 1


def pull(client: Client, store: Store, advance: Callable[[int], None] = lambda _n: None) -> Pulled:
    """Bring the log up to the table's last record, fetch what is missing in its middle, and anchor it.

    E-8011: the table has fewer records than the log. E-8101: what came does not follow from what was there; it is
    kept, but not anchored. E-8007: the table sends other records under known numbers.
    """
    serial, status = client.hello.serial, client.call("STATUS")
    start, last = next_wanted(store, serial), status["last"]
    if start > last + 1:
        raise WheelwrightError(8011, serial=serial, last=last, log=start - 1)
    pulled = Pulled(serial)
    started = Started(client.hello.boot, int(time.time() * 1000) - status["uptime_ms"])

    def keep(raws: list[bytes]) -> None:
        pulled.new += store.add(serial, raws, started)
        advance(len(raws))

    for before, behind in _missing(store, serial, status["first"]):
        _fetch(client, keep, before, behind)
        _check(store, serial, before - 1, behind + 1)
    pulled.gaps = _fetch(client, keep, start, last)
    anchor(client, store, start)
    pulled.anchor = store.anchor(serial)
    pulled.first, pulled.last = store.bounds(serial) or (0, 0)
    return pulled


def _missing(store: Store, serial: str, first: int) -> list[tuple[int, int]]:
    """The numbers between records of the log that the table, whose journal begins at `first`, can still send."""
    gaps = store.gaps(serial)
    bounds = store.bounds(serial)
    if bounds is not None and bounds[0] > 1:
        gaps.insert(0, (1, bounds[0] - 1))
    return [(max(before, first), behind) for before, behind in gaps if behind >= first]


def _fetch(client: Client, keep: Callable[[list[bytes]], None], first: int, last: int) -> list[tuple[int, int]]:
    """Have the table send the records from `first` to `last`; returns what of them it no longer has."""
    arrivals = Arrivals(keep, lambda _kind, _payload: None, client.check)
    arrivals.last = first - 1
    client.subscribe(first, arrivals.take_record, arrivals.take_gap)
    arrivals.catch_up(last)
    client.subscribe(0, arrivals.take_record)
    return arrivals.gaps


def anchor(client: Client, store: Store, since: int) -> None:
    """Check the log from record `since` on, anchor its last record, and tell the table that it is held.

    E-8101 when a record does not follow; nothing is anchored then. Refused 4010 when the table knows the record
    under another hash.
    """
    serial = client.hello.serial
    verdict = _check(store, serial, since - 1)
    if verdict.records:
        client.call("ANCHOR", number=verdict.last, hash=verdict.head)
        store.set_anchor(serial, verdict.last)


def _check(store: Store, serial: str, first: int, last: int | None = None) -> Verdict:
    rows = store.records(serial, first=max(1, first), last=last)
    verdict = verify(serial, rows, None, lambda number: _hash(store, serial, number), part=True)
    if verdict.problem is not None:
        raise verdict.problem
    return verdict


def _hash(store: Store, serial: str, number: int) -> bytes | None:
    row = store.record(serial, number)
    return row.hash if row else None
