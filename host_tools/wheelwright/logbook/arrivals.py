"""Records as they arrive from a table: kept first, then shown, then handed to whoever waits for them.

They arrive on the thread of the link (`take`); keeping, showing and waiting are done on the thread that works.
Ctrl-C and SIGTERM arrive here too, and are heard between two steps only, so that nothing is lost or left half done.
"""

import queue
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import tabletop.journal.record as record_format
from tabletop.journal import fields

from wheelwright.errors import WheelwrightError
from wheelwright.logbook.entries import payload_of
from wheelwright.messages import Gap, Record

Payload = Mapping[str, Any]
CATCH_UP_S = 30.0  # without a single record
CHECK_S = 0.25  # how often the link is looked at while nothing comes
BATCH = 500  # records kept in one go when many are waiting
KIND = 3  # place of the kind in a record


class Arrivals:
    """`keep(raws)` stores records as they came, `show(kind, payload)` shows one; both in the order of the journal.

    `check()` raises when the link has ended, so that nobody waits for what cannot come.
    `last` is the number of the last record kept, `gaps` what the table no longer has, `waiting` what nobody took yet.
    """

    def __init__(
        self,
        keep: Callable[[list[bytes]], object],
        show: Callable[[str, Payload], object],
        check: Callable[[], object] = lambda: None,
    ) -> None:
        self._keep = keep
        self._show = show
        self._check = check
        self._arrived: queue.SimpleQueue[Record | Gap | BaseException] = queue.SimpleQueue()
        self._held: list[Record | Gap | BaseException] = []  # taken from there, but not kept yet
        self._wish_to_stop: KeyboardInterrupt | None = None
        self.waiting: deque[tuple[str, Payload]] = deque()
        self.last = 0
        self.gaps: list[tuple[int, int]] = []

    def take_record(self, number: int, data: bytes) -> None:
        """`take`, as a link gives records."""
        self.take(Record(number, data))

    def take_gap(self, first: int, last: int) -> None:
        """`take`, as a link names gaps."""
        self.take(Gap(first, last))

    def take(self, item: Record | Gap | BaseException) -> None:
        """One more record or gap, or what ends the work once everything before it is kept.

        From any thread, and from a signal handler.
        """
        if isinstance(item, KeyboardInterrupt):
            self._wish_to_stop = item
        self._arrived.put(item)

    def hear_wish(self) -> None:
        """Between two steps: stop here if somebody asked for it."""
        wish, self._wish_to_stop = self._wish_to_stop, None
        if wish is not None:
            raise wish

    def receive(self, deadline: float) -> bool:
        """Keep and show all that has arrived, waiting until `deadline` (monotonic) for the first; False: none came."""
        if not self._held:
            if not self._await_one(deadline):
                return False
            while not self._arrived.empty() and len(self._held) < BATCH:
                self._held.append(self._arrived.get())
        raws = [item.data for item in self._held if isinstance(item, Record)]
        if raws:
            self._keep(raws)
        held, self._held = self._held, []
        for item in held:
            if isinstance(item, Record):
                kind, payload = fields.name(item.data[KIND]), payload_of(item.data)
                self.last = record_format.number(item.data)
                self.waiting.append((kind, payload))
                self._show(kind, payload)
            elif isinstance(item, Gap):
                self.gaps.append((item.first, item.last))
                self.last = item.last
        for end in held:
            if isinstance(end, KeyboardInterrupt):
                self.hear_wish()
            elif isinstance(end, BaseException):
                raise end
        return True

    def _await_one(self, deadline: float) -> bool:
        while True:
            left = deadline - time.monotonic()
            try:
                self._held.append(self._arrived.get(timeout=min(max(0.0, left), CHECK_S)))
                return True
            except queue.Empty:
                self._check()
                if left <= 0:
                    return False

    def catch_up(self, last: int) -> None:
        """Everything up to record `last`; E-7010 when the table stops sending before that."""
        while self.last < last:
            if not self.receive(time.monotonic() + CATCH_UP_S):
                raise WheelwrightError(7010, command=f"the wish for record {self.last + 1}", tries=1)
            self.waiting.clear()
