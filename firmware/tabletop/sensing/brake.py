"""Was the wheel stopped by a hand? How far a wheel goes follows from its speed and from what it loses on its way.

Bearing and pegs take much the same energy in every section, and air takes less as the wheel slows down. So a wheel
that has so much energy, as the square of its speed, and loses so much a section goes on for so many sections at
least. Each peg says anew where that is; half of it is allowed for. A wheel that rests before the furthest of these
places was braked. Judged from the times of whole peg passings: a hand that brakes no harder than the wheel itself
cannot be told from friction. Speed is in eighths of a section a second, energy in its square.
"""

from tabletop.const import const
from tabletop.sensing.lines import NOWHERE
from tabletop.ticks import diff

_ALLOWED = const(2)  # times the usual loss
_LEARN = const(8)  # sections that a usual loss is learned from, at least
_RECENT = const(32)  # ... and at most


class Brake:
    def __init__(self):
        self.new_run()

    def new_run(self) -> None:
        """A new spin, or the count of turns starts again."""
        self.sections = 0  # that `lost` was lost in
        self.lost = 0
        self.usual = 0  # what is lost in a section; 0 when unknown
        self.energy = 0  # of the last whole section, 0 when unknown
        self.most = self.least = 0  # since a hand has pushed
        self.line = NOWHERE  # of the last peg
        self.t_us = 0
        self.ahead = 0  # how far the wheel must go on from there, in eighths of a section

    def passed(self, t_us: int, line: int, direction: int) -> None:
        """A whole peg has passed, `direction` being the way of the spin."""
        was = self.energy
        time_us = diff(t_us, self.t_us)
        self.energy = 0
        # What was long ago may have been a hand that turned the wheel steadily: each section takes a little off.
        self.ahead = max(0, self.ahead * 31 // 32 - 8 * abs(line - self.line))
        if line == self.line + direction and time_us > 0:
            speed = 8_000_000 // time_us
            self.energy = speed * speed
            if was:
                self._learn(was)
        self.line = line
        self.t_us = t_us

    def _learn(self, was: int) -> None:
        energy = self.energy
        # Pegs 0.03 section out of place make a section seem a quarter faster than the one before.
        if energy > self.most or energy > self.least * 11 >> 3:  # a hand pushes
            self.sections = self.lost = self.ahead = 0
            self.most = self.least = energy
            return
        self.least = min(self.least, energy)
        if self.sections < _RECENT:
            self.sections += 1
        else:
            self.lost -= self.lost // _RECENT
        self.lost += was - energy
        if self.sections >= _LEARN:
            self.usual = max(0, self.lost) // self.sections
            # Pegs stand a few hundredths of a section out of place, which matters at speed. The mean of the section is
            # reached half a section before its end; the last peg that is touched may take as much again.
            loss = max(0, self.lost) + (energy >> 4) + 1
            self.ahead = max(self.ahead, 8 * energy // (_ALLOWED * loss // self.sections + 1) - 10)
