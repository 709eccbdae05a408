"""The clapper's switch: edges are believed when they have lasted longer than noise does."""

from tabletop.const import const
from tabletop.ticks import diff

_GLITCH_US = const(100)  # at 6 turns/s a peg bends the clapper for 600 us; interference lasts a few


class Contact:
    """`reported` and `level` are what the switch says and what is believed; `t_us`, `count` of the last edge."""

    def __init__(self):
        self.reported = self.level = 0
        self.t_us = self.count = 0
        self.waiting = False
        self.glitches = 0

    def edge(self, t_us: int, count: int, level: int) -> None:
        """A reported edge. Believe what is `ripe` first."""
        self.reported = level
        self.waiting = not self.waiting
        if self.waiting:
            self.t_us = t_us
            self.count = count
        else:
            self.glitches += 1

    def ripe(self, t_us: int) -> bool:
        """Whether an edge has lasted long enough and is not believed yet."""
        return self.waiting and diff(t_us, self.t_us) >= _GLITCH_US

    def believe(self) -> None:
        self.waiting = False
        self.level = self.reported
