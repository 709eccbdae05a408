"""One peg at the clapper: from where and when it bent it, how deep the wheel went, where and when it let go."""

from tabletop.sensing.config import WheelConfig
from tabletop.ticks import diff

BOUNCE_US = 5000  # a bouncing contact opens for less; between two pegs it is open for longer, up to 3 turns/s
FAST_US = 60_000  # from peg to peg: faster than 13 sections/s
WAY_COUNTS = 3  # a dead channel makes the count go to and fro by one, and by one more when it dies
COARSE = 24  # counts a section, below which time must stand in for counts


class Passing:
    def __init__(self, config: WheelConfig):
        self.count_parts = config.sections
        self.section = config.counts_per_turn
        self.t_up = self.t_down = 0
        self.count_up = self.count_down = self.deepest = self.furthest = 0
        self.off_up = self.off_down = 0
        self.from_low = False
        self.fast = False
        self.bent_us = self.bent_before_us = self.free_us = 0
        self.forget()

    def forget(self) -> None:
        """The wheel rests: what comes next may be the same peg, and where it began is not where an edge was."""
        self.whole = False  # both ends were edges that the wheel made
        self.sprung = False  # the clapper has been let go since, at `count_down`

    def again(self, count: int) -> bool:
        """Whether a clapper bent at `count` has the peg again that it was let go by."""
        return self.sprung and abs(count - self.count_down) * 3 * self.count_parts < self.section

    def bounced(self, t_us: int) -> bool:
        return diff(t_us, self.t_down) <= BOUNCE_US

    def begin(self, t_us: int, count: int, off: int) -> None:
        self.free_us = diff(t_us, self.t_down)
        self.fast = self.free_us < FAST_US
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
        return abs(self.furthest - self.count_down) < WAY_COUNTS

    def end(self, t_us: int, count: int, off: int) -> None:
        self.t_down = t_us
        self.bent_us = diff(t_us, self.t_up)
        self.count_down = self.furthest = count
        self.off_down = off
        self.sprung = True

    def lingered(self) -> bool:
        """Whether the peg was there far longer than one that passes: a wheel thrown back turns about on it."""
        return self.bent_us * 10 >= self.bent_before_us * 23 > 0 or self.bent_us * 20 >= self.free_us * 11

    def too_soon(self, t_us: int, count: int, half_window: int) -> bool:
        """Whether whole counts have gone by since the peg passed much faster than its window (half of it given)."""
        counts = abs(count - self.count_down) - 1
        return diff(t_us, self.t_down) * 4 * half_window < self.bent_us * self.count_parts * counts

    def went_off(self, count: int) -> bool:
        """Whether the count has moved enough since the clapper was let go to show that it can."""
        return abs(count - self.count_down) >= WAY_COUNTS

    def thrown_back(self, count: int) -> bool:
        """Whether it is certain of a wheel that now is at `count`, on the side of entry, that it went back by itself.

        A frozen encoder shows no way back, a dead channel two counts. Where counts are wide, the wheel may rest before
        it has made three: then time must tell.
        """
        way = abs(count - self.deepest)
        if way >= WAY_COUNTS:
            return True
        return self.lingered() and (way == WAY_COUNTS - 1 or self.section <= COARSE * self.count_parts)
