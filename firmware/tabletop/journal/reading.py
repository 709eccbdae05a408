"""Reads the records of a ring: by number, in order, or from the newest back, each checked against its neighbour."""

from array import array

from tabletop.journal import record
from tabletop.journal.ring import PAGE, Ring


class Reading:
    """What is known of a ring, and how its records are found. `journal.Journal` says what the plain values mean.

    `ring`, in it `sector` and `page` where the next record goes; `heads` number of each sector's first record, 0 for
    none; `clean` sectors behind `sector` that are known to be erased. `_next` stands at its place or later.
    """

    def __init__(self, device, feed) -> None:
        self.ring = Ring(device)
        self.feed = feed  # called at every step through the ring: a full one takes seconds, and a watchdog waits
        self.heads = array("I", [0] * device.sectors)
        self.last = self.anchored = self.torn = self.damaged = 0
        self.first = 1
        self.head = record.GENESIS
        self.sector = self.page = self.clean = 0
        self._next = self._next_sector = self._next_page = 0

    def read(self, number: int) -> bytes:
        """The exact bytes of a record. KeyError when it is gone, or not readable (`damaged` names it then)."""
        return bytes(self.ring.view[: self._load(number)])

    def hash_of(self, number: int) -> bytes:
        """The hash of a record; KeyError as for `read`."""
        return record.digest(self.ring.view[: self._load(number)])

    def _load(self, number: int) -> int:
        """Brings a record into the buffer and returns its size. Cheap when numbers are asked for in rising order."""
        if not self.first <= number <= self.last:
            raise KeyError(number)
        ring = self.ring
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
        self._next, self._next_sector, self._next_page = number + 1, sector, page + pages_of(ring.size)
        return ring.size

    def _sector_of(self, number: int) -> int:
        best = head = 0
        for sector in range(self.ring.sectors):
            if head < self.heads[sector] <= number:
                best, head = sector, self.heads[sector]
        return best

    def _lost(self, number: int) -> None:
        """A record that should be there cannot be read."""
        oldest = self.neighbour(self.sector, 1)
        if self._sector_of(number) == oldest and self.may_erase(oldest):
            self.first = number + 1  # what an erase that was cut has left of anchored records is no loss
        else:
            self.harm(number)

    def records(self, number: int = 0):
        """Generator of Records from `number` (0: the oldest) to the newest, each checked against the one before.

        Ends early at the first record that is not right, which `damaged` then names. Appends and erases may go on
        meanwhile; when the next record has been erased it goes on with the oldest.
        """
        number = max(number, self.first)
        prev = None
        while number <= self.last:
            self.feed()
            try:
                found = record.decode(self.ring.view[: self._load(number)])
            except KeyError:
                if self.damaged:
                    return
                prev = None
            else:
                if prev is not None and found.prev != prev:
                    self.harm(number)
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
        ring = self.ring
        number, wanted = self.last, self.head
        sector = self._sector_of(number)
        while number >= self.first:
            places = []
            page = ring.find(sector, 0, 0)
            while page >= 0:
                places.append(page)
                page = ring.find(sector, page + pages_of(ring.size), 0)
            for page in reversed(places):
                self.feed()
                if number < self.first:
                    return
                found = record.decode(ring.view[: ring.load(sector, page)])
                if found.number != number or found.hash != wanted:
                    self._lost(number)
                    return
                yield found
                number, wanted = number - 1, found.prev
            sector = self.neighbour(sector, -1)

    def may_erase(self, sector: int) -> bool:
        """True when a sector other than the newest holds nothing but anchored records."""
        if not self.heads[sector]:
            return True
        return self.heads[sector] < self.heads[self.neighbour(sector, 1)] <= self.anchored + 1

    def neighbour(self, sector: int, step: int) -> int:
        """The next sector round the ring that has records (maybe the same one)."""
        while True:
            sector = (sector + step) % self.ring.sectors
            if self.heads[sector]:
                return sector

    def harm(self, number: int) -> None:
        if not self.damaged or number < self.damaged:
            self.damaged = number


def pages_of(size: int) -> int:
    """How many pages a record of so many bytes takes."""
    return (size + PAGE - 1) // PAGE
