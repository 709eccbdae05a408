"""Holds a ledger against the logs of its tables: what they contributed, won and paid is there, line by line."""

import cbor2
from tabletop.journal.record import decode

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
        serial, known, first = account.serial, dict[str, object](), 1
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
                said = [(ledger.TAKEN, 0, 0)]
            for one in said:
                line = waiting.pop(0) if waiting else None
                if line is None or (line.record, *_written(line, one)) != (found.number, *one):
                    written = _words(_written(line, one)) if line is not None else "nothing"
                    reason = f"the log has {_words(one)}, the ledger {written}"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                won = [(event.round, event.seat) for event in events if isinstance(event, ledger.Claimed)]
                if line.what == ledger.WIN and (line.round, line.seat) not in won:
                    reason = f"the ledger gives the win to seat {line.seat} of round {line.round}"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                if (line.head, line.known) != (found.hash, cbor2.dumps(known)):
                    reason = "the ledger was made from another record, or with another round open"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                confirmed[serial] += 1
        if waiting:
            reason = f"the ledger has {waiting[0].what.lower()} of {waiting[0].mills} mills, the log nothing"
            raise WheelwrightError(8211, serial=serial, record=waiting[0].record, reason=reason)
    return confirmed


def _said(event: ledger.Event) -> tuple[str, int, int]:
    if isinstance(event, Contributed):
        return ledger.CONTRIBUTION, event.mills, event.wagers
    if isinstance(event, ledger.Claimed):
        return ledger.WIN, event.percent, 0
    if isinstance(event, Moved):
        return ledger.JOINED if event.joined else ledger.LEFT, 0, 0
    if isinstance(event, Disputed):
        return ledger.DISPUTE, 0, 0
    return ledger.AWARD, event.mills, 0


def _written(line: Entry, said: tuple[str, int, int]) -> tuple[str, int, int]:
    return line.what, line.percent if said[0] == ledger.WIN else line.mills, line.wagers


def _words(said: tuple[str, int, int]) -> str:
    return f"{said[0].lower()} {said[1]}" + (f" of {said[2]} wagers" if said[2] else "")
