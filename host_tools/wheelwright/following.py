"""Journal records as they come over a link: in order, each once, the missing asked for, the handled acknowledged."""

from collections import deque

from wheelwright.messages import Gap, Live, Record

ACK_AFTER_S, ACK_AFTER = 0.02, 4  # an acknowledgement waits for that many records or that long, whichever is first


class Following:
    """What a subscription has brought. Records, gaps and live values wait in `inbox` for the caller."""

    def __init__(self) -> None:
        self.inbox: deque[Record | Gap | Live] = deque()
        self.cursor = 0  # next record wanted; 0: no subscription
        self.due: float | None = None  # when an acknowledgement is to be sent; None: nothing to acknowledge
        self.counts = dict.fromkeys(("duplicate_events", "early_events", "events", "gaps", "live", "live_dropped"), 0)
        self._ahead = 0  # last record that came too early, since the missing one was asked for
        self._ask = False
        self._handled = 0  # last record handled
        self._acknowledged = 0

    def start(self, cursor: int) -> None:
        """A subscription from this record on (0: none); what the last one brought is forgotten."""
        self.cursor = cursor
        self._handled = self._acknowledged = cursor - 1
        self._ahead, self._ask, self.due = 0, False, None
        self.inbox = deque(item for item in self.inbox if isinstance(item, Live))

    def live(self, values: Live) -> None:
        self.counts["live"] += 1
        self.counts["live_dropped"] += values.dropped
        self.inbox.append(values)

    def take(self, first: int, item: Record | Gap, last: int, now: float) -> None:
        """A record, or a gap, of the numbers `first` to `last`."""
        if not self.cursor or first > self.cursor:
            self.counts["early_events"] += 1
            # as the table does with commands: ask once a gap, and again when the numbers show that it went back
            if self.cursor and (not self._ahead or first <= self._ahead):
                self._ask = True
            self._ahead = first
        elif last < self.cursor:
            self.counts["duplicate_events"] += 1
            self.due = now
        else:
            self._ahead, self._ask = 0, False
            if isinstance(item, Gap):
                item = Gap(self.cursor, last)
            self.counts["gaps" if isinstance(item, Gap) else "events"] += 1
            self.cursor = last + 1
            self.inbox.append(item)

    def handled(self, item: Record | Gap, now: float) -> None:
        """The caller is done with what it took from `inbox`, and it may be acknowledged."""
        number = item.number if isinstance(item, Record) else item.last
        if number <= self._handled or number >= self.cursor:
            return  # taken before the subscription changed
        self._handled = number
        if self.due is None:
            self.due = now + ACK_AFTER_S
        if number - self._acknowledged >= ACK_AFTER:
            self.due = now

    def next_unhandled(self) -> int:
        """The record to subscribe from so that none is missed; 0 without a subscription."""
        return self._handled + 1 if self.cursor else 0

    def acknowledgement(self, now: float) -> dict[str, int | bool] | None:
        """The fields of the ACK that is to be sent now, if one is."""
        ask = self._ask and self._handled == self.cursor - 1
        if not ask and (self.due is None or now < self.due):
            return None
        self._acknowledged, self.due, self._ask = self._handled, None, self._ask and not ask
        return {"number": self._handled, "again": True} if ask else {"number": self._handled}
