"""The records of one table on their way to one broker: sent in order, done when the broker has acknowledged them."""

from collections import deque
from collections.abc import Iterator

from wheelwright.fleet.published import Published
from wheelwright.logbook.store import Row, Store


class Feed:
    """The records of one table on their way to one broker. `cursor` is what the logbook holds as acknowledged."""

    def __init__(self, store: Store, published: Published, serial: str) -> None:
        self.serial = serial
        self.last = 0
        self._store, self._published = store, published
        self._restart()

    def _restart(self) -> None:
        self.cursor = self.acknowledged = self.sent = self._published.number(self.serial)
        self._count = 0  # acknowledged behind `cursor`
        self._open: deque[list[int]] = deque()  # [number, acknowledged?] in the order in which they were sent
        self._rows: Iterator[Row] = iter(())

    def poll(self) -> None:
        """Look for new records. When older ones came into the logbook meanwhile, begin with those."""
        if self._published.number(self.serial) < self.cursor:
            self._restart()
        self._rows = self._store.records(self.serial, first=self.sent + 1)

    def next(self) -> Row | None:
        """The next record to send, None when there is none now."""
        row = next(self._rows, None)
        if row is not None:
            self.sent = self.last = row.number
            self._open.append([row.number, 0])
        return row

    def taken(self, number: int) -> None:
        """The broker has acknowledged this record."""
        for item in self._open:
            if item[0] == number:
                item[1] = 1
                break
        while self._open and self._open[0][1]:
            self.acknowledged = self._open.popleft()[0]
            self._count += 1

    def keep(self) -> None:
        """Write down what the broker has acknowledged."""
        if self.acknowledged > self.cursor:
            if self._published.advance(self.serial, self.cursor, self.acknowledged, self._count):
                self.cursor, self._count = self.acknowledged, 0
            else:
                self._restart()
