"""Holds a ledger against the logs of its tables: what they contributed, won and paid is there, line by line."""

from tabletop.journal.record import decode

from wheelwright.errors import WheelwrightError
from wheelwright.meters import ledger
from wheelwright.meters.books import Books
from wheelwright.meters.ledger import Contributed, Disputed, Entry, Moved
from wheelwright.meters.reading import reader
from wheelwright.store import Store


def audit(books: Books, name: str, store: Store) -> dict[str, int]:
    """Serial number -> lines of the ledger that its log confirms, for each table that the log has.

    E-8211 for the first record in which they differ. The amount of a win is the ledger's own; `Books.check` proves it.
    """
    read = reader(books.linked(name))
    confirmed: dict[str, int] = {}
    for account in books.accounts(name):
        if account.serial not in store.serials():
            continue
        serial, known = account.serial, dict[str, object]()
        waiting = _since_rejoined(books.entries(name, serial))
        first = waiting[0].record if waiting else account.number + 1
        for row in store.records(serial, last=account.number):
            found = decode(row.raw)
            events, known = read(serial, found, known)
            if found.number < first:
                continue
            for event in events:
                line = waiting.pop(0) if waiting else None
                said = _said(event)
                if line is None or (line.record, *_written(line, said)) != (found.number, *said):
                    written = _words(_written(line, said)) if line is not None else "nothing"
                    reason = f"the log has {_words(said)}, the ledger {written}"
                    raise WheelwrightError(8211, serial=serial, record=found.number, reason=reason)
                confirmed[serial] = confirmed.get(serial, 0) + 1
        if waiting:
            reason = f"the ledger has {waiting[0].what.lower()} of {waiting[0].mills} mills, the log nothing"
            raise WheelwrightError(8211, serial=serial, record=waiting[0].record, reason=reason)
    return confirmed


def _since_rejoined(lines: list[Entry]) -> list[Entry]:
    """The lines behind the last one by which two people began anew with a table: they explain what was before."""
    at = max((n for n, line in enumerate(lines) if line.what == ledger.REJOINED), default=-1)
    return lines[at + 1 :]


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
