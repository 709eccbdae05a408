"""The journal as the table uses it: a record is committed and then known, or play stops."""

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.journal import Damaged, Full

DAMAGED, FULL, CONTRADICTS = 51, 52, 53  # tilts

# Pages, as counted by Journal.free() and ready(). A spin with its settlement takes six: SPIN_STARTED 1, SPIN 2,
# SETTLED 3 or 4 with the pays of many seats. A round begins only with room for some respins and bonus spins too.
# Behind all that, TILT_ROOM is kept for tilts alone, one page each: none is lost by a restart for lack of room.
TILT_ROOM = 16
SPIN_ROOM = 24
WAGER_ROOM = 40
ROUND_ROOM = 56


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
        self.meters_from = 0  # the last record with meters

    def take_up(self, found) -> None:
        """What `resume.read_back` found."""
        self.round_opened = found.opened
        self.meters_from = found.meters_from

    def write(self, kind: int, payload: dict) -> int:
        """Commits a record and returns its number; Stop when the journal cannot take it."""
        data = cbor.dumps(payload)
        try:
            pages = 1 + len(data) // 194  # so many bytes fit the first one
            if kind != kinds.TILT and self.journal.ready() < TILT_ROOM + pages:
                raise Full()
            number = self.journal.append(kind, data, self.clock.uptime_ms())
        except (Full, Damaged):
            raise self._stop()
        if kind == kinds.BOOT or kind == kinds.SETTLED:
            self.meters_from = number
        elif kind == kinds.ROUND_OPENED:
            self.round_opened = number
        elif kind == kinds.ROUND_CLOSED or kind == kinds.ROUND_VOIDED:
            self.round_opened = 0
        return number

    def _stop(self) -> Stop:
        # In a damaged journal nothing is erased: if it is full too, that is a consequence.
        damaged = self.journal.damaged
        return Stop(DAMAGED, record=damaged) if damaged else Stop(FULL)

    def needed_from(self) -> int:
        """The oldest record from which a restart would go on: no anchor reaches it, so it is never erased.

        A tilt is never older: BOOT lists those that are open, and no round is settled and closed while one is.
        """
        return min(self.meters_from, self.round_opened) if self.round_opened else self.meters_from

    def anchor(self, number: int) -> int:
        """A host holds everything up to `number`; what a restart needs stays. Returns how far the anchor is now.

        Commits an ANCHOR record only when that frees something worth it.
        """
        journal = self.journal
        most = self.needed_from() - 1
        number = min(number, most)
        gain = number - journal.anchored
        # In a full journal each ANCHOR must free a sector or be the last: its reserve has a few pages only.
        if gain >= 16 or (
            gain > 0 and journal.free() < ROUND_ROOM + gain and (number == most or journal.ready() > TILT_ROOM)
        ):
            payload = cbor.dumps({"number": number, "hash": journal.hash_of(number)})
            try:
                journal.anchor(number, payload, self.clock.uptime_ms())
            except (Full, Damaged):
                raise self._stop()
        return journal.anchored
