"""When the wheel moves, turns about and rests: counts over time, one look a tick.

Rest is a count that stays within a narrow band: vibration on an edge and glitches go to and fro over two counts
(or a hundredth of a section, if that is more) and must neither hold up a result nor start a spin. Way made good
leaves the band however slow it is. A spin starts when the wheel is half a section from where it stood.

Turns are net turns one way. Turning back by more than three sections is a hand's work and starts the count
again from the point of return (design.md section 6); a peg that throws the wheel back, even past the peg before,
makes less.
"""

from tabletop.ticks import add, diff

TURN_BACK_SECTIONS = 3
AGE_MOST_US = 0x10000000  # 268 s: rest that is older is kept at that, or its age would wrap
SPEED_SPAN_US = 50_000


class Motion:
    def __init__(self, config):
        self.cpt = config.counts_per_turn
        section = config.counts_per_turn // config.sections
        self.band = max(2, section // 64)
        self.start = max(2, section // 2)
        self.turn_back = TURN_BACK_SECTIONS * config.counts_per_turn // config.sections
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

    def touch(self, t_us: int) -> None:
        """Something else shows that the wheel moves."""
        if diff(t_us, self.t_moved) > 0:
            self.t_moved = t_us

    def age_us(self, t_us: int) -> int:
        """For how long the wheel has not moved."""
        age = diff(t_us, self.t_moved)
        if age > AGE_MOST_US:
            self.t_moved = add(t_us, -AGE_MOST_US)
        return age

    def look(self, t_us: int, count: int) -> bool:
        """The count now; True when the wheel has just been turned back, and turns count from there."""
        if count < self.least or count > self.most:
            self.least = min(self.least, count)
            self.most = max(self.most, count)
            if self.most - self.least > self.band:
                self.least = self.most = count
            self.t_moved = t_us
        self._measure(t_us, count)
        self.reach_low = min(self.reach_low, count)
        self.reach_high = max(self.reach_high, count)
        if not self.moving:
            if abs(count - self.rest) < self.start:
                return False
            self.moving = True
            self.direction = 1 if count > self.rest else -1
            self.furthest = count
            return False
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
        span_us = diff(t_us, self.speed_t)
        if 0 <= span_us < SPEED_SPAN_US:
            return
        way = abs(count - self.speed_count)
        self.speed_t = t_us
        self.speed_count = count
        span_ms = span_us // 1000
        if 0 < span_ms <= 1000:  # a longer gap tells nothing about speed
            self.speed = way * 1000 // span_ms * 1000 // self.cpt
            if self.moving and self.speed > self.top_speed:
                self.top_speed = self.speed

    def way(self, count: int) -> int:
        """Net counts in the direction of the spin."""
        return (count - self.from_count) * self.direction
