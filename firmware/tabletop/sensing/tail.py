"""The last ticks at which the count had changed: how fast the wheel was when the encoder was last seen to move.

An encoder that stands still adds nothing, so what is said here was so, whatever came of the encoder afterwards.
"""

from tabletop.const import const
from tabletop.ticks import diff

_LOOKS = const(8)
_TICK_US = const(12_000)  # a tick is late when it comes later than this after the one before
_LEAST_US = const(60_000)  # a tick is a sixth of it
_LEAST_WAY = const(3)  # counts; a dead channel goes to and fro by one


class Tail:
    def __init__(self):
        self._t_us = [0] * _LOOKS
        self._count = [0] * _LOOKS
        self._late_us = [0] * _LOOKS
        self._last = 0
        self._tick_us = 0
        self.t_us = 0  # of the last change
        self.way = self.us = self.late_us = self.end_us = 0  # result of `stretch`

    def look(self, t_us: int, count: int) -> None:
        """The count at a tick."""
        if count != self._count[self._last]:
            self._last = i = (self._last + 1) % _LOOKS
            self._t_us[i] = self.t_us = t_us
            self._count[i] = count
            self._late_us[i] = max(0, diff(t_us, self._tick_us) - _TICK_US)
        self._tick_us = t_us

    def stretch(self, since_us: int, until_us: int) -> bool:
        """Finds the last `way` (counts) in a time `us`, until `end_us`, between these two; False when it is short.

        A tick that came late saw where it begins up to `late_us` late.
        """
        end = -1
        self.way = self.us = self.late_us = 0
        for back in range(_LOOKS):
            i = (self._last - back) % _LOOKS
            t_us = self._t_us[i]
            if diff(until_us, t_us) < 0:
                continue
            if end < 0:
                end = i
                self.end_us = t_us
            us = diff(self._t_us[end], t_us)
            if us < self.us or diff(t_us, since_us) < 0:
                break
            self.us = us
            self.late_us = self._late_us[i]
            self.way = abs(self._count[end] - self._count[i])
            if self.us >= _LEAST_US and self.way >= _LEAST_WAY:
                return True
        return False

    def before(self, t_us: int, count: int) -> bool:
        """Finds the last `way` of four counts and more, in a time `us`, that ends with an edge; False without one."""
        for back in range(_LOOKS):
            i = (self._last - back) % _LOOKS
            self.us = diff(t_us, self._t_us[i])
            self.way = abs(count - self._count[i])
            if self.us > 0 and self.way > _LEAST_WAY:
                return True
        return False
