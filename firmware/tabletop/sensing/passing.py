"""One peg at the clapper: from where and when it bent it, how deep the wheel went, where and when it let go."""

from tabletop.const import const
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.tail import Tail
from tabletop.ticks import diff, since

_BOUNCE_US = const(5000)  # a bouncing contact opens for less; between two pegs it is open for longer, up to 3 turns/s
_FAST_US = const(60_000)  # from peg to peg: faster than 13 sections/s
_WAY_COUNTS = const(3)  # a dead channel makes the count go to and fro by one, and by one more when it dies
_FLIGHT_COUNTS = const(5)  # so many show how it slowed down
_COARSE = const(12)  # counts a section, up to which a long time must do instead of counts


class Passing:
    def __init__(self, config: WheelConfig):
        self.count_parts = config.sections
        self.section = config.counts_per_turn
        self.t_up = self.t_deepest = 0
        self.t_down = -1  # never
        self.count_up = self.count_down = self.deepest = self.furthest = 0
        self.off_up = self.off_down = 0
        self.from_low = self.weak = False
        self.fast = False
        self.bent_us = self.bent_before_us = self.free_us = self.before_us = self.least_us = 0
        self.forget()

    def forget(self) -> None:
        """The wheel rests: what comes next may be the same peg, and where it began is not where an edge was."""
        self.whole = False  # both ends were edges that the wheel made
        self.sprung = False  # the clapper has been let go since, at `count_down`
        self.begun = False  # a peg has come since

    def again(self, count: int, same: bool) -> bool:
        """Whether a clapper bent at `count` has the peg again that it was let go by; `same`: it is at its line."""
        return self.sprung and (same or abs(count - self.count_down) * 3 * self.count_parts < self.section)

    def bounced(self, t_us: int) -> bool:
        return since(t_us, self.t_down) <= _BOUNCE_US

    def begin(self, t_us: int, count: int, off: int) -> None:
        self.free_us = since(t_us, self.t_down)
        self.fast = self.free_us < _FAST_US
        self.t_up = self.t_deepest = t_us
        self.count_up = self.deepest = count
        self.off_up = off
        self.whole = self.sprung
        self.begun = True

    def watch(self, t_us: int, count: int, bent: int) -> None:
        """The count now: how deep with the peg, or how far away from it."""
        if not bent:
            if abs(count - self.count_down) > abs(self.furthest - self.count_down):
                self.furthest = count
        elif count != self.deepest and (count > self.deepest) == self.from_low:
            self.deepest = count
            self.t_deepest = t_us

    def came_back(self, count: int) -> bool:
        """Whether the count has gone away from the peg and come back to it."""
        return abs(self.furthest - self.count_down) - abs(count - self.count_down) >= _WAY_COUNTS

    def went_back(self) -> bool:
        """Whether the count went into the peg and out of it again."""
        return self.deepest != self.count_up and abs(self.deepest - self.count_down) > 1

    def stood_still(self) -> bool:
        """Whether the count has hardly moved since the clapper was let go."""
        return abs(self.furthest - self.count_down) < _WAY_COUNTS

    def end(self, t_us: int, count: int, off: int) -> None:
        self.watch(t_us, count, 1)
        self.t_down = t_us
        self.bent_us = diff(t_us, self.t_up)
        self.count_down = self.furthest = count
        self.off_down = off
        self.sprung = True

    def arrive(self, tail: Tail, width: int) -> None:
        """Finds in what time a window of this width is passed at the speed at which the wheel came, and whether it was
        `weak`: had far too little energy to pass.

        What friction takes shows in how it slowed down from the peg before to this one. The peg before took the rest of
        what was lost from one of these ways to the next. Speeds are in eighths of a section a second.
        """
        self.least_us = 0
        self.weak = False
        if not tail.stretch(self.t_down, self.t_up):
            return
        way = tail.way * self.count_parts
        way_ms = tail.us // 1000
        self.least_us = width * way_ms // way * 1000
        ago_ms = diff(self.t_up, tail.end_us) // 1000 + (way_ms >> 1)  # when it had `speed`
        free_ms = self.free_us // 1000
        if self.before_us and ago_ms * 3 < free_ms:
            speed = way * 800 // self.section * 10 // way_ms
            free_way = (self.section - width) * 8000 // self.section * 1000
            mean = free_way // self.free_us
            before = free_way // self.before_us
            slowing = (mean - speed) * 1000 // ((free_ms >> 1) - ago_ms)  # in a second
            speed = max(0, speed - slowing * ago_ms // 1000)
            self.weak = 2 * speed * speed < before * before - mean * mean - 16 * slowing

    def hurried(self) -> bool:
        """Whether the peg was there for less time than it takes to pass it: the wheel turned about near its edge.

        No peg is passed faster than the wheel came, nor faster than the one before, also in proportion to the way to
        it. A seventh is left to pegs that do not stand evenly and to a contact that bounces, a quarter to a speed
        that was measured over a few counts.
        """
        bent_us = self.bent_us * 20
        before_us = self.bent_before_us * 17
        if bent_us < self.least_us * 15:
            return True
        return bent_us < before_us or 0 < self.before_us * bent_us < before_us * self.free_us

    def slow(self) -> bool:
        """Whether the peg was there for longer than one that stops a wheel and lets it pass after all."""
        return self.bent_us * 10 >= self.bent_before_us * 28 > 0

    def turned(self) -> bool:
        """Whether the time says that the wheel turned about on the peg."""
        return self.slow() or self.hurried()

    def crept(self) -> bool:
        """Whether the count went on until the clapper was let go, as that of a wheel does that all but stops on a
        peg and passes. One that turns about there stands still or goes back meanwhile. Wide counts cannot say."""
        if self.section <= _COARSE * self.count_parts or abs(self.count_down - self.deepest) > 1:
            return False
        return diff(self.t_down, self.t_deepest) * 5 < self.bent_us * 2

    def faded(self, tail: Tail, count: int) -> bool:
        """Whether the wheel, now at rest at `count`, went on from the peg slower and slower, as friction has it.

        In the last stretch that `tail` has found it is slower than in the mean. The end of a slip is abrupt, and so is
        that which a hand makes or a plug that is pulled. True when there is too little to see.
        """
        way = abs(count - self.count_down)
        if way < _FLIGHT_COUNTS:
            return True
        flight_ms = diff(tail.t_us, self.t_down) // 1000
        return tail.way * flight_ms * 20 < way * ((tail.us + tail.late_us) // 1000) * 19

    def stopped(self, tail: Tail, usual: int) -> bool:
        """Whether the wheel, which rests where the clapper was just let go, was too fast right before to rest so soon.

        What it loses in a section (`usual`), the peg takes evenly over the way with the clapper bent, or friction over
        the whole section, or each takes its share. Half as much again is allowed for.
        """
        beyond = abs(self.furthest - self.count_down)
        if beyond >= _FLIGHT_COUNTS or not tail.before(self.t_down, self.count_down):
            return False
        bent = abs(self.count_down - self.count_up) + 1
        way = tail.way // 2 + 1
        speed = (tail.way - 1) * self.count_parts * 32_000 // self.section * 1000 // tail.us  # a quarter of those
        friction = (beyond + 1 + way) * self.count_parts * usual // self.section
        return 0 < 24 * max(min(way, bent) * usual // bent, friction) < speed * speed

    def too_soon(self, t_us: int, count: int, half_window: int) -> bool:
        """Whether whole counts have gone by since the peg passed much faster than its window (half of it given)."""
        counts = abs(count - self.count_down) - 1
        return diff(t_us, self.t_down) * 4 * half_window < self.bent_us * self.count_parts * counts

    def thrown_back(self, count: int) -> bool:
        """Whether it is certain of a wheel that now is at `count`, on the side of entry, that it went back by itself.

        A frozen encoder shows no way back, a dead channel two counts. A wheel that has only touched the peg makes no
        more, nor does one whose counts are wide: then times must tell. A long one on the peg alone proves nothing, as a
        wheel that just about passes is slow as well. But from the middle of the way to the peg to its top a wheel loses
        half of what it loses in a section, or more: one that has less there does not pass. As the square of the speed,
        what it lost since the middle of the way before: so the way to the peg took 1.7 times as long as the one before.
        """
        way = abs(count - self.deepest)
        if way >= _WAY_COUNTS or self.hurried() or self.weak:
            return True
        if way == _WAY_COUNTS - 1 or not self.slow():
            return self.slow()
        return self.section <= _COARSE * self.count_parts and self.free_us * 7 > self.before_us * 12 > 0
