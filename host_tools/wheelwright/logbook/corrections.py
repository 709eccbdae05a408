"""The corrections of a log, by the record that each corrects in the end: they stand beside it and change nothing."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from wheelwright.logbook.entries import payload_of
from wheelwright.logbook.store import Row


class Correction(NamedTuple):
    """One CORRECTION record."""

    number: int
    payload: Mapping[str, Any]

    def words(self) -> str:
        """What it says and who said it."""
        second = f", authorised by {self.payload['second']}" if self.payload.get("second") else ""
        return f"{self.payload['text']} ({self.payload['reason']}; {self.payload['operator']}{second})"


def by_record(rows: Iterable[Row]) -> dict[int, list[Correction]]:
    """Record number -> its corrections in order, from the CORRECTION records of a log.

    A correction of a correction belongs to the record that was corrected first.
    """
    found: dict[int, list[Correction]] = {}
    of_correction: dict[int, int] = {}
    for row in rows:
        try:
            payload = payload_of(row.raw)
            of = of_correction.get(payload["of"], payload["of"])
            one = Correction(row.number, payload)
            one.words()
        except (ValueError, KeyError, TypeError):
            continue  # a damaged record: `log verify` names it
        of_correction[row.number] = of
        found.setdefault(of, []).append(one)
    return found
