"""The journal as the table uses it: a record is committed and then known, or play stops."""

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.journal.journal import Damaged, Full
from tabletop.journal.record import decode

TASK_DIED, PROGRAM_CHANGED, SELF_TEST_FAILED = 41, 42, 43  # tilts, as in `tabletop.codes`
DAMAGED, FULL, CONTRADICTS = 51, 52, 53

# Pages, as counted by Journal.free() and ready(). A spin with its settlement takes six: SPIN_STARTED 1, SPIN 2,
# SETTLED 3 or 4 with the pays of many seats. A round begins only with room for some respins and bonus spins too.
# Behind all that, TILT_ROOM is kept for tilts alone, one page each: none is lost by a restart for lack of room.
TILT_ROOM = 16
SPIN_ROOM = 24
WAGER_ROOM = 40
ROUND_ROOM = 56
_CHECKPOINT = const(64)  # records
_WORTH_IT = const(16)  # records
_FAR = const(256)  # records; a chip reads 430 back in a second
# records that hold until a later one replaces them
KEPT = (kinds.CONFIGURED, kinds.COMMITTED, kinds.APPROVED, kinds.METER, kinds.CALIBRATED)
OF_ROUND = {  # the records that a round follows from, with the names that `tabletop.rules.rounds` knows
    kinds.ROUND_OPENED: "ROUND_OPENED", kinds.WAGERS: "WAGERS", kinds.BETS_CLOSED: "BETS_CLOSED",
    kinds.SPIN_STARTED: "SPIN_STARTED", kinds.SPIN: "SPIN", kinds.SETTLED: "SETTLED",
    kinds.ROUND_CLOSED: "ROUND_CLOSED", kinds.ROUND_VOIDED: "ROUND_VOIDED", kinds.GIVEN: "GIVEN", kinds.DRAW: "DRAW",
    kinds.COMMITTED: "COMMITTED", kinds.OPENED: "OPENED", kinds.METER: "METER",
}  # fmt: skip


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
        self.started = False  # what the journal holds is taken up (`start`); until then tilts are all that is written
        self.round_opened = 0  # record from which the round that is open follows; 0: none is
        self.tried = 0  # the last record when it was last tried to hold that round (`holding`)
        self.meters_from = 0  # the last record with meters
        self.draws = 0  # number of the last draw
        self.kept: list = []  # numbers of the records that hold until a later one names them in `of`
        self.lease = 0  # the session for whose length a live table is in test mode; -1: one that is over
        self.stand = dict  # payload of a BOOT that says how the table stands now; the table puts its own here

    def take_up(self, found) -> None:
        """What `resume.read_back` found."""
        self.round_opened = found.opened
        self.meters_from = found.meters_from
        self.draws = found.draws
        self.kept = found.kept

    def standing(self, payload: dict) -> dict:
        """`payload` of a record with meters, with what else a restart goes by."""
        if self.draws:
            payload["draws"] = self.draws
        if self.kept:
            payload["kept"] = list(self.kept)
        if self.lease:
            payload["lease"] = True
        return payload

    def keep(self, kind: int, payload: dict) -> int:
        """Commits a record of KEPT in the place of the one of its kind that held so far, if any; returns its number."""
        for number, held, _payload in self.kept_records():
            if held == kind:
                payload["of"] = number
        return self.write(kind, payload)

    def kept_records(self) -> list:
        """[(number, kind, payload)] of the kept records."""
        records = [decode(self.journal.read(number)) for number in self.kept]
        return [(record.number, record.kind, cbor.loads(record.payload)) for record in records]

    def write(self, kind: int, payload: dict) -> int:
        """Commits a record and returns its number; Stop when the journal cannot take it."""
        if not self.started and (kind != kinds.TILT or not self.journal.boot):
            raise Stop(TASK_DIED, task="start", reason="nothing is recorded before it is whole")
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
            if kind == kinds.BOOT:
                self.round_opened = payload.get("opened", 0)
        elif kind == kinds.ROUND_OPENED:
            self.round_opened = number
        elif kind == kinds.DRAW:
            self.draws = payload["number"]
        elif kind in KEPT or kind == kinds.OPENED:
            if "of" in payload:
                self.kept.remove(payload["of"])
            if kind in KEPT:
                self.kept.append(number)
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
        number = min(self.meters_from, self.round_opened) if self.round_opened else self.meters_from
        return min([number] + self.kept)

    def anchor(self, number: int) -> int:
        """A host holds everything up to `number`; what a restart needs stays. Returns how far the anchor is now.

        Commits an ANCHOR record only when that frees something worth it.
        """
        journal = self.journal
        self._renew(number, _WORTH_IT if journal.free() < 2 * ROUND_ROOM else _CHECKPOINT)
        most = self.needed_from() - 1
        number = min(number, most)
        gain = number - journal.anchored
        # In a full journal each ANCHOR must free a sector or be the last: its reserve has a few pages only.
        if gain >= _WORTH_IT or (
            gain > 0 and journal.free() < ROUND_ROOM + gain and (number == most or journal.ready() > TILT_ROOM)
        ):
            payload = cbor.dumps({"number": number, "hash": journal.hash_of(number)})
            try:
                journal.anchor(number, payload, self.clock.uptime_ms())
            except (Full, Damaged):
                raise self._stop()
        return journal.anchored

    def tidy(self) -> None:
        """While a nearly full ring has room: nothing that can move up may stand where an anchor must free it. And no
        start may have to read far back, so how the table stands is written again when long no round has ended."""
        journal = self.journal
        if journal.damaged:
            return
        if journal.free() < ROUND_ROOM:
            self._renew(journal.last, _WORTH_IT)
        elif not self.round_opened and 0 < self.meters_from <= journal.last - _FAR and journal.ready() >= SPIN_ROOM:
            self.again(kinds.BOOT, self.stand())

    def held_up(self) -> bool:
        """Whether the round that is open reaches so far back that it is to be held at the end of the ring."""
        opened, last = self.round_opened, self.journal.last
        return opened > 0 and last - max(opened, self.tried) >= _CHECKPOINT and not self.journal.damaged

    def _renew(self, number: int, behind: int) -> None:
        """Writes again what holds up the ring `behind` records or more before `number`: a kept record, or the meters.

        A round that is open stays where it is, and what stands close before it too.
        """
        if not self.started:
            return
        number = min(number, self.round_opened or number)
        while number - self.needed_from() >= behind and self.journal.ready() >= SPIN_ROOM and not self.journal.damaged:
            first = self.needed_from()
            if first in self.kept:
                record = decode(self.journal.read(first))
                payload = cbor.loads(record.payload)
                payload["of"] = first
                kind = record.kind
            else:
                payload, kind = self.stand(), kinds.BOOT
            self.again(kind, payload)

    def again(self, kind: int, payload: dict) -> None:
        """Commits what was there before once more."""
        payload["again"] = True
        self.write(kind, payload)
