"""Holds a ledger against the logs of its tables: what they contributed, won and paid is there, line by line."""

from collections.abc import Sequence
from typing import Any

import cbor2
from tabletop.journal.record import decode

from wheelwright import wording
from wheelwright.errors import WheelwrightError
from wheelwright.logbook.store import Store
from wheelwright.meters import ledger
from wheelwright.meters.books import Books
from wheelwright.meters.ledger import Contributed, Disputed, Entry, Moved
from wheelwright.meters.reading import reader


def audit(books: Books, name: str, store: Store) -> dict[str, int]:
    """Serial number -> lines of the ledger that its log confirms, for each table that the log has.

    E-8211 for the first record in which they differ, also when the log has lines that are not in the ledger; E-8214
    when the log begins behind a line. The amount of a win is the ledger's own; `Books.check` proves it.
    """
    read = reader(books.linked(name))
    confirmed: dict[str, int] = {}
    for account in books.accounts(name):
        if account.serial not in store.serials():
            continue
        serial, known, first = account.serial, dict[str, Any](), 1
        waiting = books.entries(name, serial)
        at = max((n for n, line in enumerate(waiting) if line.what == ledger.REJOINED), default=-1)
        if at >= 0:  # two people began anew here, and explain what was before
            known, first = cbor2.loads(waiting[at].known), waiting[at].record + 1
        waiting, begun = waiting[at + 1 :], False
        confirmed[serial] = 0
        for row in store.records(serial, first=first, last=account.number):
            found = decode(row.raw)
            if not begun and waiting and found.number > waiting[0].record:
                raise WheelwrightError(8214, serial=serial, first=found.number, record=waiting[0].record)
            begun = True
            events, known = read(serial, found, known)
            said = [_said(event) for event in events]
            if not said and waiting and (waiting[0].what, waiting[0].record) == (ledger.TAKEN, found.number):
                said = [(ledger.TAKEN, 0, 0, 0, "")]
            for one in said:
                line = waiting.pop(0) if waiting else None
                if line is None or (line.record, *_written(line)) != (found.number, *one):
                    written = _words(_written(line)) if line is not None else "nothing"
                    reason = f"the log has {_words(one)}, the ledger {written}"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                if (line.round or line.seat) and (line.round, line.seat) not in _whose(events, known):
                    reason = f"the ledger gives the {line.what.lower()} to seat {line.seat} of round {line.round}"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                if (line.head, line.known) != (found.hash, cbor2.dumps(known)):
                    reason = "the ledger was made from another record, or with another round open"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                confirmed[serial] += 1
        if waiting:
            reason = f"the ledger has {waiting[0].what.lower()} of {waiting[0].mills} mills, the log nothing"
            raise WheelwrightError(8211, serial=serial, record=waiting[0].record, reason=reason)
    return confirmed


Said = tuple[str, int, int, int, str]  # what, mills (of a win the ledger's own), wagers, percent, why


def _said(event: ledger.Event) -> Said:
    if isinstance(event, Contributed):
        return ledger.CONTRIBUTION, event.mills, event.wagers, 0, ""
    if isinstance(event, ledger.Claimed):
        return ledger.WIN, 0, 0, event.percent, ""
    if isinstance(event, Moved):
        return ledger.JOINED if event.joined else ledger.LEFT, 0, 0, 0, ""
    if isinstance(event, Disputed):
        return ledger.DISPUTE, 0, 0, 0, event.reason
    return ledger.AWARD, event.mills, 0, 0, ""


def _written(line: Entry) -> Said:
    mills = 0 if line.what == ledger.WIN else line.mills
    return line.what, mills, line.wagers, line.percent, line.note if line.what == ledger.DISPUTE else ""


def _whose(events: Sequence[ledger.Event], known: dict[str, Any]) -> list[tuple[int, int]]:
    """(round, seat) of the wins and awards of a record; an award's are those of its claim."""
    claimed = {record: (known["round"], seat) for seat, record in known.get("claims", {}).items()}
    return [
        (event.round, event.seat) if isinstance(event, ledger.Claimed) else claimed.get(event.claim, (0, 0))
        for event in events
        if isinstance(event, ledger.Claimed | ledger.Awarded)
    ]


def _words(said: Said) -> str:
    what, mills, wagers, percent, why = said
    words = f"{what.lower()} of {percent} %" if percent else f"{what.lower()} of {mills} mills"
    return words + (f" by {wording.count(wagers, 'wager')}" if wagers else "") + (f" ({why})" if why else "")
