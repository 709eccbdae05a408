"""The cursor that walks a host through the journal: a window ahead of its acknowledgements, and back when it lost some.

Nothing is kept but numbers: a record that is to be sent again is read from the journal again.
"""

from tabletop import ticks
from tabletop.const import const

WINDOW = 16  # records sent ahead of their acknowledgement
_WAIT_MS = const(800)  # without progress the first record not acknowledged is sent again, then after twice that, ...
_WAIT_MOST_MS = const(4000)


class Events:
    """journal: `.first`, `.last`, `.read(number)` -> bytes or KeyError; numbers start at 1."""

    def __init__(self, journal) -> None:
        self.journal = journal
        self.number = 0  # what `next` found: a record and its number, or None and the first number that is gone
        self.record: "bytes | None" = None
        self.resends = 0
        self._progress_ms = 0
        self.stop()

    def stop(self) -> None:
        """Ends the subscription."""
        self.start(0)

    def start(self, cursor: int) -> bool:
        """The next record to send is `cursor` (0: none); False when the journal does not reach so far."""
        if cursor and not 0 < cursor <= self.journal.last + 1:
            return False
        self.cursor = cursor
        self._acked = self._top = cursor - 1  # acknowledged, and sent, up to there
        self._alone = False  # one record at a time, until one is acknowledged
        self._wait_ms = _WAIT_MS
        return True

    def acknowledge(self, number: int, again: bool, now_ms: int) -> None:
        """The host has everything up to `number`; `again`: and asks for what follows, which it saw out of order."""
        if not self.cursor:
            return
        if self._acked < number <= self._top:
            self._acked = number
            self.cursor = max(self.cursor, number + 1)
            self._progress_ms = now_ms
            self._wait_ms = _WAIT_MS
            self._alone = False
        if again and number == self._acked:
            self.cursor = number + 1

    def next(self, now_ms: int) -> int:
        """0 when nothing is to be sent; else the last number of what is in `number` and `record`."""
        if not self.cursor:
            return 0
        ahead = self.cursor - 1 - self._acked
        if ahead and ticks.since(now_ms, self._progress_ms) >= self._wait_ms:
            self.cursor -= ahead
            ahead = 0
            self._alone = True
            self._wait_ms = min(2 * self._wait_ms, _WAIT_MOST_MS)
        journal, number = self.journal, self.cursor
        if number > journal.last or ahead >= (1 if self._alone else WINDOW):
            return 0
        if not ahead:
            self._progress_ms = now_ms
        if number <= self._top:
            self.resends += 1
        self.number = last = number
        self.record = None
        if number < journal.first:
            last = journal.first - 1
        else:
            try:
                self.record = journal.read(number)
            except KeyError:
                pass  # it cannot be read back: named as gone, too
        self.cursor = last + 1
        self._top = max(self._top, last)
        return last
