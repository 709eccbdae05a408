"""Opens a ring: takes up the end of the chain, its beginning, and what a power cut left behind it. Reads only.

In memory only while a table starts.
"""

from tabletop.journal import record
from tabletop.journal.reading import pages_of
from tabletop.journal.ring import PAGE


def take_up(journal) -> int:
    """All that `Reading` knows of its ring: the boot number of the newest record, 0 when there is none."""
    ring, heads = journal.ring, journal.heads
    for sector in range(ring.sectors):
        journal.feed()
        heads[sector] = ring.head(sector)
    newest = max(heads)
    if not newest:
        return _empty(journal)
    for sector in range(ring.sectors):
        if heads[sector] == newest:
            journal.sector = sector
    boot = _end(journal)
    _start(journal)
    _tail(journal)
    return boot


def _empty(journal) -> int:
    """No record anywhere: a new device, or one whose very first record was torn. Anything else is foreign. 0."""
    ring = journal.ring
    journal.first, journal.last, journal.anchored, journal.head = 1, 0, 0, record.GENESIS
    journal.sector = 0
    journal.torn = journal.page = ring.used(0, 0)
    journal.clean = ring.sectors - 1
    for sector in range(1, ring.sectors):
        if ring.used(sector, 0):
            journal.damaged = 1
    return 0


def _end(journal) -> int:
    """Follows the chain through the two newest sectors to its end: the boot number of the newest record."""
    ring = journal.ring
    before = journal.neighbour(journal.sector, -1)
    expected = 0
    for sector in (before, journal.sector) if before != journal.sector else (before,):
        page = ring.find(sector, 0, 0)
        while page >= 0:
            number = record.number(ring.buf)
            if expected and (number != expected or ring.buf[record.PREV : record.HEADER] != journal.head):
                journal.harm(expected)
            newest = record.decode(ring.view[: ring.size])
            journal.head = newest.hash
            expected = number + 1
            journal.page = page + pages_of(ring.size)
            page = ring.find(sector, journal.page, 0)
    journal.last, journal.anchored = newest.number, newest.anchored
    return newest.boot


def _start(journal) -> None:
    """Finds the oldest record that can be trusted.

    Only the oldest sector can have been cut while it was erased, and only when all of it was anchored: then the
    chain starts behind the hole. Any other hole is damage.
    """
    ring, heads = journal.ring, journal.heads
    oldest = journal.neighbour(journal.sector, 1)
    journal.first = heads[oldest]
    if oldest != journal.sector:
        following = journal.neighbour(oldest, 1)
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
            page = ring.find(oldest, page + pages_of(ring.size), 0)
        if hole and heads[following] - 1 > journal.anchored:
            journal.harm(hole)
        elif hole:
            journal.first = start
    if journal.first > journal.anchored + 1:
        journal.harm(journal.anchored + 1)


def _tail(journal) -> None:
    """Measures what stands behind the newest record, and which sectors are known to be erased.

    While record 1 is there nothing was ever erased. Later the last erase may have been cut, and a sector that was
    not erased to the end can look blank: what lies ahead is then erased again before it is used.
    """
    ring, heads = journal.ring, journal.heads
    journal.torn = ring.used(journal.sector, journal.page) - journal.page
    journal.page += journal.torn
    never_erased = journal.first == 1
    journal.clean = 0
    sector = following = (journal.sector + 1) % ring.sectors
    while never_erased and not heads[sector]:
        journal.clean += 1
        sector = (sector + 1) % ring.sectors
    # A record that does not fit into what is left of a sector begins in the next one, and may have been cut there.
    if not heads[following] and ring.pages - journal.page < record.MAX // PAGE:
        torn = ring.used(following, 0)
        journal.torn += torn
        if torn and never_erased:
            journal.sector, journal.page, journal.clean = following, torn, journal.clean - 1
