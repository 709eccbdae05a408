"""The journal as the table uses it: a record is committed and then known, or play stops."""

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.journal import Damaged, Full

DAMAGED, FULL, CONTRADICTS = 51, 52, 53  # tilts

# Pages, as counted by Journal.free() and ready(). A spin with its settlement takes six: SPIN_STARTED 1, SPIN 2,
# SETTLED 3 or 4 with the pays of many seats. A round begins only with room for some respins and bonus spins too.
SPIN_ROOM = 8
WAGER_ROOM = 24
ROUND_ROOM = 40


class Stop(Exception):
    """Play must stop with a tilt: its number and the fields of its text."""

    def __init__(self, tilt: int, **detail) -> None:
        super().__init__(tilt)
        self.tilt = tilt
        self.detail = detail


class Records:
    """Appends records, and remembers what of the journal a restart would need."""

    def __init__(self, journal, clock) -> None:
        self.journal = journal
        self.clock = clock
        self.round_opened = 0  # record of the round that is open; 0: none
        self._tilts_from = 0  # the tilts open now follow from this record on,
        self._meters_from = 0  # and the meters from this one

    def take_up(self, found) -> None:
        """What `resume.read_back` found."""
        self.round_opened = found.opened
        self._tilts_from = found.tilts_from
        self._meters_from = found.meters_from

    def write(self, kind: int, payload: dict) -> int:
        """Commits a record and returns its number; Stop when the journal cannot take it."""
        data = cbor.dumps(payload)
        try:
            number = self.journal.append(kind, data, self.clock.uptime_ms())
        except (Full, Damaged):
            raise self._stop()
        self._note(kind, number)
        return number

    def _stop(self) -> Stop:
        # In a damaged journal nothing is erased: if it is full too, that is a consequence.
        damaged = self.journal.damaged
        return Stop(DAMAGED, record=damaged) if damaged else Stop(FULL)

    def _note(self, kind: int, number: int) -> None:
        if kind == kinds.BOOT:
            self._tilts_from = self._meters_from = number
        elif kind == kinds.ROUND_OPENED:
            self.round_opened = self._tilts_from = number
        elif kind == kinds.SETTLED:
            self._meters_from = number
        elif kind == kinds.ROUND_CLOSED or kind == kinds.ROUND_VOIDED:
            self.round_opened = 0

    def needed_from(self) -> int:
        """The oldest record from which a restart would go on: no anchor reaches it, so it is never erased."""
        oldest = min(self._tilts_from, self._meters_from)
        return min(oldest, self.round_opened) if self.round_opened else oldest

    def anchor(self, number: int) -> int:
        """A host holds everything up to `number`; what a restart needs stays. Returns how far the anchor is now.

        Commits an ANCHOR record only when that frees something worth it.
        """
        journal = self.journal
        number = min(number, self.needed_from() - 1)
        gain = number - journal.anchored
        if gain >= 16 or (gain > 0 and journal.free() < ROUND_ROOM + gain):
            payload = cbor.dumps({"number": number, "hash": journal.hash_of(number)})
            try:
                journal.anchor(number, payload, self.clock.uptime_ms())
            except (Full, Damaged):
                raise self._stop()
        return journal.anchored
