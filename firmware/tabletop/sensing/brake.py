"""Was the wheel stopped by a hand? What a wheel loses from peg to peg, and what it lost in the end.

Bearing and pegs take much the same energy in every section, so the square of the speed falls in even steps
until the last section takes what is left: about one step. A wheel that loses far more than that was braked. A
peg cannot do it: a peg that throws a wheel back has taken as much from it every section before.

Judged per section, from the times of whole peg passings; a hand that brakes no harder than a few times the
wheel's own friction cannot be told from friction. Speed is in eighths of a section a second, a loss in its square.
"""

from tabletop.const import const
from tabletop.sensing.lines import NOWHERE
from tabletop.ticks import diff

_TIMES_USUAL = const(4)
_LEAST = const(108 * 64)  # 1 turn/s2 over a section: more than any bearing, also before a usual loss is known
_LEAST_REST = const(40 * 64)  # a stiff peg stops a wheel of 6 sections/s
_LEAST_FREE = const(9 * 64)  # bearing friction alone stops none of 3 sections/s within a section


class Brake:
    def __init__(self):
        self.new_run()

    def new_run(self) -> None:
        """A new spin, or the count of turns starts again."""
        self.braked = False
        self.speed2 = 0  # mean of the last whole section, 0 when unknown
        self.usual = 0
        self.line = NOWHERE  # of the last peg
        self.t_us = 0

    def passed(self, t_us: int, line: int, direction: int) -> None:
        """A whole peg has passed, `direction` being the way of the spin."""
        was2 = self.speed2
        time_us = diff(t_us, self.t_us)
        self.speed2 = 0
        if line == self.line + direction and time_us > 0:
            speed = 8_000_000 // time_us
            self.speed2 = speed * speed
            if was2:
                lost = was2 - self.speed2
                # A quarter of the energy is beyond the noise of pegs that stand a fortieth of a section out of place.
                if lost > max(_TIMES_USUAL * self.usual, _LEAST, was2 >> 2):
                    self.braked = True
                elif lost > 0:
                    self.usual += (lost - self.usual) >> 2 if self.usual else lost
        self.line = line
        self.t_us = t_us

    def at_rest(self, touched: bool) -> bool:
        """The wheel rests; `touched`: the next peg had bent the clapper. True when it was braked.

        The last known speed is the mean of the section before the last peg. From its middle to the next peg is one and
        a half sections, so a wheel by itself has one and a half usual losses left there; uneven pegs make that 1.9.
        """
        most = max(self.usual * 9 >> 2, _LEAST_REST if touched else _LEAST_FREE)
        return self.braked or self.speed2 > most

    def abrupt(self, way: int, time_us: int, section: int, count: int) -> bool:
        """The last seen of a wheel that rests with the clapper free was `way` in `time_us` (lengths in parts).

        True when friction cannot have stopped it from there before the next count.
        """
        if not self.usual:
            return False
        speed = way * 8000 // section * 1000 // time_us
        return speed * speed > self.usual * 9 // 4 * (way // 2 + count) // section
