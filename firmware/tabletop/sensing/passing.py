"""One peg at the clapper: from where and when it bent it, how deep the wheel went, where and when it let go."""

from tabletop.const import const
from tabletop.sensing.config import WheelConfig
from tabletop.ticks import diff

_BOUNCE_US = const(5000)  # a bouncing contact opens for less; between two pegs it is open for longer, up to 3 turns/s
_FAST_US = const(60_000)  # from peg to peg: faster than 13 sections/s
_WAY_COUNTS = const(3)  # a dead channel makes the count go to and fro by one, and by one more when it dies
_COARSE = const(12)  # counts a section, up to which a long time must do instead of counts


class Passing:
    def __init__(self, config: WheelConfig):
        self.count_parts = config.sections
        self.section = config.counts_per_turn
        self.t_up = self.t_down = 0
        self.count_up = self.count_down = self.deepest = self.furthest = 0
        self.off_up = self.off_down = 0
        self.from_low = False
        self.fast = False
        self.bent_us = self.bent_before_us = self.free_us = self.before_us = 0
        self.forget()

    def forget(self) -> None:
        """The wheel rests: what comes next may be the same peg, and where it began is not where an edge was."""
        self.whole = False  # both ends were edges that the wheel made
        self.sprung = False  # the clapper has been let go since, at `count_down`

    def again(self, count: int) -> bool:
        """Whether a clapper bent at `count` has the peg again that it was let go by."""
        return self.sprung and abs(count - self.count_down) * 3 * self.count_parts < self.section

    def bounced(self, t_us: int) -> bool:
        return diff(t_us, self.t_down) <= _BOUNCE_US

    def begin(self, t_us: int, count: int, off: int) -> None:
        self.free_us = diff(t_us, self.t_down)
        self.fast = self.free_us < _FAST_US
        self.t_up = t_us
        self.count_up = self.deepest = count
        self.off_up = off
        self.whole = self.sprung

    def watch(self, count: int, bent: int) -> None:
        """The count now: how deep with the peg, or how far away from it."""
        if not bent:
            if abs(count - self.count_down) > abs(self.furthest - self.count_down):
                self.furthest = count
        elif (count > self.deepest) == self.from_low:
            self.deepest = count

    def stood_still(self) -> bool:
        """Whether the count has hardly moved since the clapper was let go."""
        return abs(self.furthest - self.count_down) < _WAY_COUNTS

    def end(self, t_us: int, count: int, off: int) -> None:
        self.t_down = t_us
        self.bent_us = diff(t_us, self.t_up)
        self.count_down = self.furthest = count
        self.off_down = off
        self.sprung = True

    def hurried(self) -> bool:
        """Whether the peg was there for less time than it takes to pass it: the wheel turned about near its edge.

        A wheel that slows down takes longer for each peg than for the one before, also in proportion to the way
        to it. A seventh is left to pegs that do not stand evenly and to a contact that bounces.
        """
        bent_us = self.bent_us * 20
        before_us = self.bent_before_us * 17
        return bent_us < before_us or 0 < self.before_us * bent_us < before_us * self.free_us

    def turned(self) -> bool:
        """Whether the time says that the wheel turned about on the peg: it was there far longer than one that passes,
        or not for long enough."""
        if self.bent_us * 10 >= self.bent_before_us * 23 > 0 or self.bent_us * 20 >= self.free_us * 11:
            return True
        return self.hurried()

    def too_soon(self, t_us: int, count: int, half_window: int) -> bool:
        """Whether whole counts have gone by since the peg passed much faster than its window (half of it given)."""
        counts = abs(count - self.count_down) - 1
        return diff(t_us, self.t_down) * 4 * half_window < self.bent_us * self.count_parts * counts

    def went_off(self, count: int) -> bool:
        """Whether the count has moved enough since the clapper was let go to show that it can."""
        return abs(count - self.count_down) >= _WAY_COUNTS

    def thrown_back(self, count: int) -> bool:
        """Whether it is certain of a wheel that now is at `count`, on the side of entry, that it went back by itself.

        A frozen encoder shows no way back, a dead channel two counts. A wheel that has only touched the peg makes no
        more, nor does one whose counts are wide: then time must tell. A long time proves less than a short one, as a
        wheel that just about passes is slow as well.
        """
        way = abs(count - self.deepest)
        if way >= _WAY_COUNTS or self.hurried():
            return True
        return self.turned() and (way == _WAY_COUNTS - 1 or self.section <= _COARSE * self.count_parts)
