"""Was the wheel stopped by a hand? What a wheel loses from peg to peg, and what it lost in the end.

Bearing and pegs take much the same energy in every section, so the square of the speed falls in even steps
until the last section takes what is left: about one step. A wheel that loses far more than that was braked. A
peg cannot do it: a peg that throws a wheel back has taken as much from it every section before.

Judged per section, from the times of whole peg passings; a hand that brakes no harder than four times the
wheel's own friction cannot be told from friction. Speed is in eighths of a section a second, a loss in its square.
"""

from tabletop.ticks import diff

TIMES_USUAL = 4
LEAST = 108 * 64  # 1 turn/s2 over a section: more than any bearing, also before a usual loss is known
LEAST_FREE = 25 * 64  # without a peg's help a wheel does not even stop from 5 sections/s


class Brake:
    def __init__(self, config):
        self.section = config.counts_per_turn
        self.count_parts = config.sections
        self.new_run()

    def new_run(self) -> None:
        """A new spin, or the count of turns starts again."""
        self.braked = False
        self.speed2 = 0  # mean of the last whole section, 0 when unknown
        self.usual = 0
        self.line = 0
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
                if lost > max(TIMES_USUAL * self.usual, LEAST, was2 >> 2):
                    self.braked = True
                elif lost > 0:
                    self.usual += (lost - self.usual) >> 2 if self.usual else lost
        self.line = line
        self.t_us = t_us

    def at_rest(self, way: int, touched: bool) -> bool:
        """Rest `way` parts after the line of the last peg; `touched`: the next peg had bent the clapper. True when braked."""
        if touched:
            most = max(TIMES_USUAL * self.usual, LEAST)
        else:
            # The mean speed of the section before is that of its middle, half a section before the last peg.
            most = max(TIMES_USUAL * self.usual * (way * 4 // self.section + 2) >> 2, LEAST_FREE)
        return self.braked or self.speed2 > most
