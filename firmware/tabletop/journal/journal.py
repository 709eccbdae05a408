"""The journal of one table: appends records and makes room for them on a raw flash ring.

Committed means: `append` returned. See docs/journal-format.md for what a cut can leave and how it is told apart.
"""

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds, record
from tabletop.journal.reading import Reading, pages_of
from tabletop.journal.ring import BLANK, PAGE

_RESERVE = const(8)  # pages that only ANCHOR and TORN may use: without an anchor a full ring could never be freed


class Full(Exception):
    """No erased room is left for this record. Nothing was changed."""


class Damaged(Exception):
    """The flash did not keep what was written; `.args[0]` is the number of the record."""


class Journal(Reading):
    """See docs/architecture.md; what it reads is in `reading`. Plain values after `open`:

    first, last   numbers of the oldest and newest record that can be read; first = last + 1 when there is none
    head          hash of the newest record
    boot          number of this start, one more than that of the newest record
    anchored      a host holds every record up to this number
    torn          pages behind the newest record in which `open` found no record: what a power cut left (0: none)
    damaged       number of the first record that should be there and is not readable (0: none). Nothing is erased then
    """

    def __init__(self, device, feed=lambda: None) -> None:
        Reading.__init__(self, device, feed)
        self._ahead = max(1, min(4, device.sectors // 8))  # sectors that idle() keeps erased: a round fits in
        self.boot = 0  # not opened, or not to its end: nothing is written or erased
        self._torn_after = -1  # a TORN record is due: last record before the torn pages

    def open(self, t_ms: int = 0) -> None:
        """Scans the ring, takes up the end of the chain, and records a torn tail. Never erases, never formats."""
        from tabletop.journal.opening import take_up  # a table lets it go after its start

        self.torn = self.damaged = self._next = self.boot = 0
        self._torn_after = -1
        self.boot = take_up(self) + 1
        if self.torn and not self.damaged:
            self._torn_after = self.last
            try:
                self._name_torn(t_ms)
            except Full:
                pass  # due until idle() has made room; append() tries again

    # writing

    def append(self, kind: int, payload: bytes, t_ms: int) -> int:
        """Commits one record and returns its number. `payload` is CBOR of at most 962 bytes, `t_ms` the uptime.

        Full when no room is left or the journal is not open, Damaged when the flash did not take it, ValueError when
        the payload is too long.
        """
        if self._torn_after >= 0:
            self._name_torn(t_ms)
        return self._append(kind, payload, t_ms, self.anchored)

    def anchor(self, number: int, payload: bytes, t_ms: int) -> int:
        """Notes that a host holds every record up to `number`, in one step with the ANCHOR record that says so.

        ValueError when there is no such record. The caller has compared the host's hash with `hash_of(number)`.
        """
        if not 0 < number <= self.last:
            raise ValueError("there is no record %d to anchor" % number)
        if self._torn_after >= 0:
            self._name_torn(t_ms)
        return self._append(kinds.ANCHOR, payload, t_ms, max(number, self.anchored))

    def _name_torn(self, t_ms: int) -> None:
        payload = cbor.dumps({"after": self._torn_after, "pages": self.torn})
        self._append(kinds.TORN, payload, t_ms, self.anchored)
        self._torn_after = -1

    def _append(self, kind: int, payload: bytes, t_ms: int, anchored: int) -> int:
        if not self.boot:
            raise Full()
        ring, number = self.ring, self.last + 1
        size = record.HEADER + len(payload) + record.TRAILER
        self._make_place(pages_of(size), 0 if kind == kinds.ANCHOR or kind == kinds.TORN else _RESERVE)
        size = record.encode_into(ring.buf, number, self.boot, kind, t_ms, anchored, self.head, payload)
        pages = pages_of(size)
        ring.view[size : pages * PAGE] = BLANK[: pages * PAGE - size]
        head = record.digest(ring.view[:size])
        # From here on nothing needs memory: a number may stand in the flash once only, and be known to.
        sector, page = self.sector, self.page
        self.page += pages  # whatever happens now, these pages are not programmed again
        kept = struck = False
        try:
            kept = ring.put(sector, page, pages)
            struck = not kept and ring.strike(sector, page, pages)
        finally:
            if not kept:
                self.harm(number)
                if not struck:  # nobody knows what the flash holds now: no room is left before the next open()
                    self.page, self.clean = ring.pages, 0
        if not kept:
            raise Damaged(number)
        self.last, self.anchored = number, anchored
        self.head = head
        if not self.heads[sector]:
            self.heads[sector] = number
        return number

    def _make_place(self, pages: int, reserve: int) -> None:
        """Moves the end to where `pages` blank pages follow one another in one sector, with `reserve` behind them."""
        ring = self.ring
        sector, page, clean = self.sector, self.page, self.clean
        if pages > record.MAX // PAGE:
            raise ValueError("a record holds at most %d bytes" % record.MAX_PAYLOAD)
        blank = 0
        while blank < pages:
            if page + pages > ring.pages:
                if not clean:
                    raise Full()
                sector, page, clean, blank = (sector + 1) % ring.sectors, 0, clean - 1, 0
            elif ring.blank(sector, page + blank):
                blank += 1
            else:
                page, blank = page + blank + 1, 0
        if ring.pages - page - pages + clean * ring.pages < reserve:
            raise Full()
        self.sector, self.page, self.clean = sector, page, clean

    # room

    def ready(self) -> int:
        """Records of one page that fit now, without an erase."""
        return max(0, self.ring.pages - self.page + self.clean * self.ring.pages - _RESERVE)

    def free(self) -> int:
        """Records of one page that fit once idle() has erased what it may; 0 means JOURNAL_FULL."""
        ring = self.ring
        if self.damaged:
            return self.ready()
        sectors = 0
        sector = (self.sector + 1) % ring.sectors
        while sector != self.sector and self.may_erase(sector):
            sectors += 1
            sector = (sector + 1) % ring.sectors
        return max(0, ring.pages - self.page + sectors * ring.pages - _RESERVE)

    def idle(self) -> bool:
        """Erases one sector ahead, where that is needed and hurts no record that only this table holds.

        For moments of rest (an erase stops the chip for 45 to 400 ms), and after `open` until it returns False.
        """
        ring, heads = self.ring, self.heads
        sector = (self.sector + 1 + self.clean) % ring.sectors
        if not self.boot or self.damaged or self.clean >= self._ahead:
            return False
        if sector == self.sector or not self.may_erase(sector):
            return False
        if heads[sector]:
            heads[sector] = 0
            self.first = heads[self.neighbour(sector, 1)]
        ring.device.erase(sector)
        self.clean += 1
        return True
