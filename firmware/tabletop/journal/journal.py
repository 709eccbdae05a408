"""The journal of one table: appends, finds and follows records, and makes room, all on a raw flash ring.

Committed means: `append` returned. See docs/journal-format.md for what a cut can leave and how it is told apart.
"""

from array import array

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds, record
from tabletop.journal.ring import BLANK, PAGE, Ring

_RESERVE = const(8)  # pages that only ANCHOR and TORN may use: without an anchor a full ring could never be freed


class Full(Exception):
    """No erased room is left for this record. Nothing was changed."""


class Damaged(Exception):
    """The flash did not keep what was written; `.args[0]` is the number of the record."""


class Journal:
    """See docs/architecture.md. Plain values after `open`:

    first, last   numbers of the oldest and newest record that can be read; first = last + 1 when there is none
    head          hash of the newest record
    boot          number of this start, one more than that of the newest record
    anchored      a host holds every record up to this number
    torn          pages behind the newest record in which `open` found no record: what a power cut left (0: none)
    damaged       number of the first record that should be there and is not readable (0: none). Nothing is erased then
    """

    def __init__(self, device, feed=lambda: None):
        self._ring = Ring(device)
        self._feed = feed  # called at every step through the ring: a full one takes seconds, and a watchdog waits
        self._ahead = max(1, min(4, device.sectors // 8))  # sectors that idle() keeps erased: a round fits in
        self._heads = array("I", [0] * device.sectors)  # number of each sector's first record; 0: no record
        self.last = self.anchored = self.torn = self.damaged = 0
        self.first = 1
        self.boot = 0  # not opened, or not to its end: nothing is written or erased
        self.head = record.GENESIS
        self._sector = self._page = 0  # where the next record goes
        self._clean = 0  # sectors behind self._sector that are known to be erased
        self._torn_after = -1  # a TORN record is due: last record before the torn pages
        self._next = self._next_sector = self._next_page = 0  # record self._next stands here or later

    # opening

    def open(self, t_ms: int = 0) -> None:
        """Scans the ring, takes up the end of the chain, and records a torn tail. Never erases, never formats."""
        self.torn = self.damaged = self._next = self.boot = 0
        self._torn_after = -1
        ring, heads = self._ring, self._heads
        for sector in range(ring.sectors):
            self._feed()
            heads[sector] = ring.head(sector)
        newest = max(heads)
        if newest:
            for sector in range(ring.sectors):
                if heads[sector] == newest:
                    self._sector = sector
            boot = self._open_end()
            self._open_start()
            self._open_tail()
        else:
            boot = self._open_empty()
        self.boot = boot + 1
        if self.torn and not self.damaged:
            self._torn_after = self.last
            try:
                self._name_torn(t_ms)
            except Full:
                pass  # due until idle() has made room; append() tries again

    def _open_empty(self) -> int:
        """No record anywhere: a new device, or one whose very first record was torn. Anything else is foreign. 0."""
        ring = self._ring
        self.first, self.last, self.anchored, self.head = 1, 0, 0, record.GENESIS
        self._sector = 0
        self.torn = self._page = ring.used(0, 0)
        self._clean = ring.sectors - 1
        for sector in range(1, ring.sectors):
            if ring.used(sector, 0):
                self.damaged = 1
        return 0

    def _open_end(self) -> int:
        """Follows the chain through the two newest sectors to its end: the boot number of the newest record."""
        ring = self._ring
        before = self._neighbour(self._sector, -1)
        expected = 0
        for sector in (before, self._sector) if before != self._sector else (before,):
            page = ring.find(sector, 0, 0)
            while page >= 0:
                number = record.number(ring.buf)
                if expected and (number != expected or ring.buf[record.PREV : record.HEADER] != self.head):
                    self._harm(expected)
                newest = record.decode(ring.view[: ring.size])
                self.head = newest.hash
                expected = number + 1
                self._page = page + _pages(ring.size)
                page = ring.find(sector, self._page, 0)
        self.last, self.anchored = newest.number, newest.anchored
        return newest.boot

    def _open_start(self) -> None:
        """Finds the oldest record that can be trusted.

        Only the oldest sector can have been cut while it was erased, and only when all of it was anchored: then the
        chain starts behind the hole. Any other hole is damage.
        """
        ring, heads = self._ring, self._heads
        oldest = self._neighbour(self._sector, 1)
        self.first = heads[oldest]
        if oldest != self._sector:
            following = self._neighbour(oldest, 1)
            start, expected, hole = 0, 0, 0
            prev = record.GENESIS
            page = ring.find(oldest, 0, 0)
            while True:
                if page < 0:
                    ring.find(following, 0, 0)
                number = record.number(ring.buf)
                if number != expected or ring.buf[record.PREV : record.HEADER] != prev:
                    if expected and not hole:
                        hole = expected
                    start = number
                if page < 0:
                    break
                prev = record.digest(ring.view[: ring.size])
                expected = number + 1
                page = ring.find(oldest, page + _pages(ring.size), 0)
            if hole and heads[following] - 1 > self.anchored:
                self._harm(hole)
            elif hole:
                self.first = start
        if self.first > self.anchored + 1:
            self._harm(self.anchored + 1)

    def _open_tail(self) -> None:
        """Measures what stands behind the newest record, and which sectors are known to be erased.

        While record 1 is there nothing was ever erased. Later the last erase may have been cut, and a sector that was
        not erased to the end can look blank: what lies ahead is then erased again before it is used.
        """
        ring, heads = self._ring, self._heads
        self.torn = ring.used(self._sector, self._page) - self._page
        self._page += self.torn
        never_erased = self.first == 1
        self._clean = 0
        sector = following = (self._sector + 1) % ring.sectors
        while never_erased and not heads[sector]:
            self._clean += 1
            sector = (sector + 1) % ring.sectors
        # A record that does not fit into what is left of a sector begins in the next one, and may have been cut there.
        if not heads[following] and ring.pages - self._page < record.MAX // PAGE:
            torn = ring.used(following, 0)
            self.torn += torn
            if torn and never_erased:
                self._sector, self._page, self._clean = following, torn, self._clean - 1

    def _neighbour(self, sector: int, step: int) -> int:
        """The next sector round the ring that has records (maybe the same one)."""
        while True:
            sector = (sector + step) % self._ring.sectors
            if self._heads[sector]:
                return sector

    def _harm(self, number: int) -> None:
        if not self.damaged or number < self.damaged:
            self.damaged = number

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
        ring, number = self._ring, self.last + 1
        size = record.HEADER + len(payload) + record.TRAILER
        self._make_place(_pages(size), 0 if kind == kinds.ANCHOR or kind == kinds.TORN else _RESERVE)
        size = record.encode_into(ring.buf, number, self.boot, kind, t_ms, anchored, self.head, payload)
        pages = _pages(size)
        ring.view[size : pages * PAGE] = BLANK[: pages * PAGE - size]
        head = record.digest(ring.view[:size])
        # From here on nothing needs memory: a number may stand in the flash once only, and be known to.
        sector, page = self._sector, self._page
        self._page += pages  # whatever happens now, these pages are not programmed again
        kept = struck = False
        try:
            kept = ring.put(sector, page, pages)
            struck = not kept and ring.strike(sector, page, pages)
        finally:
            if not kept:
                self._harm(number)
                if not struck:  # nobody knows what the flash holds now: no room is left before the next open()
                    self._page, self._clean = ring.pages, 0
        if not kept:
            raise Damaged(number)
        self.last, self.anchored = number, anchored
        self.head = head
        if not self._heads[sector]:
            self._heads[sector] = number
        return number

    def _make_place(self, pages: int, reserve: int) -> None:
        """Moves the end to where `pages` blank pages follow one another in one sector, with `reserve` behind them."""
        ring = self._ring
        sector, page, clean = self._sector, self._page, self._clean
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
        self._sector, self._page, self._clean = sector, page, clean

    # room

    def ready(self) -> int:
        """Records of one page that fit now, without an erase."""
        return max(0, self._ring.pages - self._page + self._clean * self._ring.pages - _RESERVE)

    def free(self) -> int:
        """Records of one page that fit once idle() has erased what it may; 0 means JOURNAL_FULL."""
        ring = self._ring
        if self.damaged:
            return self.ready()
        sectors = 0
        sector = (self._sector + 1) % ring.sectors
        while sector != self._sector and self._may_erase(sector):
            sectors += 1
            sector = (sector + 1) % ring.sectors
        return max(0, ring.pages - self._page + sectors * ring.pages - _RESERVE)

    def idle(self) -> bool:
        """Erases one sector ahead, where that is needed and hurts no record that only this table holds.

        For moments of rest (an erase stops the chip for 45 to 400 ms), and after `open` until it returns False.
        """
        ring, heads = self._ring, self._heads
        sector = (self._sector + 1 + self._clean) % ring.sectors
        if not self.boot or self.damaged or self._clean >= self._ahead:
            return False
        if sector == self._sector or not self._may_erase(sector):
            return False
        if heads[sector]:
            heads[sector] = 0
            self.first = heads[self._neighbour(sector, 1)]
        ring.device.erase(sector)
        self._clean += 1
        return True

    def _may_erase(self, sector: int) -> bool:
        """True when a sector other than the newest holds nothing but anchored records."""
        if not self._heads[sector]:
            return True
        return self._heads[sector] < self._heads[self._neighbour(sector, 1)] <= self.anchored + 1

    # reading

    def read(self, number: int) -> bytes:
        """The exact bytes of a record. KeyError when it is gone, or not readable (`damaged` names it then)."""
        return bytes(self._ring.view[: self._load(number)])

    def hash_of(self, number: int) -> bytes:
        """The hash of a record; KeyError as for `read`."""
        return record.digest(self._ring.view[: self._load(number)])

    def _load(self, number: int) -> int:
        """Brings a record into the buffer and returns its size. Cheap when numbers are asked for in rising order."""
        if not self.first <= number <= self.last:
            raise KeyError(number)
        ring = self._ring
        page = -1
        if number == self._next:
            sector = self._next_sector
            page = ring.find(sector, self._next_page, number)
        if page < 0:
            sector = self._sector_of(number)
            page = ring.find(sector, 0, number)
        if page < 0:
            self._lost(number)
            raise KeyError(number)
        self._next, self._next_sector, self._next_page = number + 1, sector, page + _pages(ring.size)
        return ring.size

    def _sector_of(self, number: int) -> int:
        best = head = 0
        for sector in range(self._ring.sectors):
            if head < self._heads[sector] <= number:
                best, head = sector, self._heads[sector]
        return best

    def _lost(self, number: int) -> None:
        """A record that should be there cannot be read."""
        oldest = self._neighbour(self._sector, 1)
        if self._sector_of(number) == oldest and self._may_erase(oldest):
            self.first = number + 1  # what an erase that was cut has left of anchored records is no loss
        else:
            self._harm(number)

    def records(self, number: int = 0):
        """Generator of Records from `number` (0: the oldest) to the newest, each checked against the one before.

        Ends early at the first record that is not right, which `damaged` then names. Appends and erases may go on
        meanwhile; when the next record has been erased it goes on with the oldest.
        """
        number = max(number, self.first)
        prev = None
        while number <= self.last:
            self._feed()
            try:
                found = record.decode(self._ring.view[: self._load(number)])
            except KeyError:
                if self.damaged:
                    return
                prev = None
            else:
                if prev is not None and found.prev != prev:
                    self._harm(number)
                    return
                prev = found.hash
                yield found
            number += 1

    def verify(self):
        """Generator that checks the whole chain, one number a step, for moments of rest; `damaged` has the verdict."""
        for found in self.records():
            yield found.number

    def backward(self):
        """Generator of Records from the newest to the oldest, each checked against the one behind it.

        Ends early at the first that is not right, which `damaged` then names.
        """
        ring = self._ring
        number, wanted = self.last, self.head
        sector = self._sector_of(number)
        while number >= self.first:
            places = []
            page = ring.find(sector, 0, 0)
            while page >= 0:
                places.append(page)
                page = ring.find(sector, page + _pages(ring.size), 0)
            for page in reversed(places):
                self._feed()
                if number < self.first:
                    return
                found = record.decode(ring.view[: ring.load(sector, page)])
                if found.number != number or found.hash != wanted:
                    self._lost(number)
                    return
                yield found
                number, wanted = number - 1, found.prev
            sector = self._neighbour(sector, -1)


def _pages(size: int) -> int:
    return (size + PAGE - 1) // PAGE
