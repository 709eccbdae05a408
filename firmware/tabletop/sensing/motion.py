"""When the wheel moves, turns about and rests: counts over time, one look a tick.

Rest is a count that stays within a narrow band: vibration on an edge and glitches go to and fro over two counts
(or a hundredth of a section, if that is more) and must neither hold up a result nor start a spin. Way made good
leaves the band however slow it is. A spin starts when the wheel is half a section from where it stood.

Turns are net turns one way. Turning back by more than three sections is a hand's work and starts the count
again from the point of return (design.md section 6); a peg that throws the wheel back, even past the peg before,
makes less.

A count that leaps ahead in mid-spin, from one tick to the next, faster than 3000 sections/s2 (55 turns/s2) is not the
wheel's: no hand gets a wheel to a turn a second in a fiftieth of a second. The shaft has slipped in its coupling.
"""

from tabletop.const import const
from tabletop.sensing.config import WheelConfig
from tabletop.ticks import add, diff, since

_TURN_BACK_SECTIONS = const(3)
_AGE_MOST_US = const(0x10000000)  # 268 s: rest that is older is kept at that, or its age would wrap
_SPEED_SPAN_US = const(50_000)
_LEAP_AFTER_US = const(400_000)  # a hand that begins may grip hard


class Motion:
    def __init__(self, config: WheelConfig):
        self.cpt = config.counts_per_turn
        self.section = section = config.counts_per_turn // config.sections
        self.band = max(2, section // 64)
        self.start = max(2, section // 2)
        self.turn_back = _TURN_BACK_SECTIONS * config.counts_per_turn // config.sections
        self.rest_at(0, 0)

    def rest_at(self, t_us: int, count: int) -> None:
        """The wheel rests, and what was before is over."""
        self.moving = False
        self.direction = 0
        self.rest = self.from_count = self.furthest = count
        self.least = self.most = count  # the band, while it holds
        self.reach_low = self.reach_high = count
        self.t_moved = t_us
        self.speed = self.top_speed = 0  # mturns/s
        self.speed_t = t_us
        self.speed_count = count
        self.leapt = False
        self.run_t = self.look_t = t_us
        self.look_count = count
        self.look_way = self.look_us = 0

    def touch(self, t_us: int) -> None:
        """Something else shows that the wheel moves."""
        if diff(t_us, self.t_moved) > 0:
            self.t_moved = t_us

    def age_us(self, t_us: int) -> int:
        """For how long the wheel has not moved."""
        age = since(t_us, self.t_moved)
        if age > _AGE_MOST_US:
            self.t_moved = add(t_us, -_AGE_MOST_US)
        return age

    def look(self, t_us: int, count: int) -> bool:
        """The count now; True when turns have just begun to count, from `from_count`: at the start, or turned back."""
        if count < self.least or count > self.most:
            self.least = min(self.least, count)
            self.most = max(self.most, count)
            if self.most - self.least > self.band:
                self.least = self.most = count
            self.t_moved = t_us
        self._measure(t_us, count)
        self._leap(t_us, count)
        self.reach_low = min(self.reach_low, count)
        self.reach_high = max(self.reach_high, count)
        if not self.moving:
            if abs(count - self.rest) < self.start:
                return False
            self.moving = True
            self.run_t = t_us
            self.direction = 1 if count > self.rest else -1
            self.furthest = count
            return True
        ahead = (count - self.furthest) * self.direction
        if ahead > 0:
            self.furthest = count
        elif -ahead > self.turn_back:
            self.direction = -self.direction
            self.from_count = self.furthest
            self.furthest = count
            self.top_speed = 0
            return True
        return False

    def _measure(self, t_us: int, count: int) -> None:
        span_us = since(t_us, self.speed_t)
        if span_us < _SPEED_SPAN_US:
            return
        way = abs(count - self.speed_count)
        self.speed_t = t_us
        self.speed_count = count
        span_ms = span_us // 1000
        if 0 < span_ms <= 1000:  # a longer gap tells nothing about speed
            self.speed = way * 1000 // span_ms * 1000 // self.cpt
            if self.moving and self.speed > self.top_speed:
                self.top_speed = self.speed

    def _leap(self, t_us: int, count: int) -> None:
        us = diff(t_us, self.look_t)
        way = abs(count - self.look_count)
        even = 8_000 <= us <= 12_000 and us <= self.look_us + 1_000  # a longer look shows more way than the one before
        if self.moving and even and since(t_us, self.run_t) > _LEAP_AFTER_US:
            # Two counts for reading, and 0.3 section more than in the tick before.
            if (way - self.look_way - 2) * 10 > 3 * self.section:
                self.leapt = True
        self.look_t = t_us
        self.look_count = count
        self.look_way = way
        self.look_us = us

    def back(self) -> bool:
        """Whether the count went the other way before it went this way: two counts and more, as an edge trembles."""
        if self.from_count != self.rest:
            return True
        return (self.rest - self.reach_low if self.direction > 0 else self.reach_high - self.rest) > 1

    def way(self, count: int) -> int:
        """Net counts in the direction of the spin."""
        return (count - self.from_count) * self.direction
