"""The index's evidence: once a turn, at count 0 of the turn, it must come where the count says.

A real index pulse is `index_width_counts` counts from edge to edge; noise and a turn-about within the index
are not, and prove nothing. Lost or invented counts show as a pulse in the wrong place. Up to a 600th of a turn
(0.09 section, less than half a clapper window) is put right on the spot: a glitch that meets a real edge is
worth four counts. More than that at once, or three times that over a spin, is INDEX_MISMATCH.
"""

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.lines import NOWHERE, Lines


class Homing:
    """`homed`: the zero is known. `wrong`: counts were lost. `pulses`, `missing`: turns with and without an index."""

    def __init__(self, config: WheelConfig, lines: Lines):
        self.lines = lines
        self.cpt = config.counts_per_turn
        self.sections = config.sections
        self.width = config.index_width_counts
        self.at = config.index_at
        self.before = self.at * config.sections // config.counts_per_turn  # the line before it
        self.most = max(1, config.counts_per_turn // 600)
        self.homed = False
        self.risen = False
        self.rising = 0
        self.seen = False
        self.line = NOWHERE  # of the last peg
        self.off = 0  # how far the last pulse was from where the count says
        self.new_spin()

    def new_spin(self) -> None:
        self.wrong = False
        self.pulses = 0
        self.missing = 0
        self.put_right = 0

    def edge(self, count: int, level: int) -> bool:
        """An edge of Z at this count; True when it ends a pulse. The zero is then that of the pulse."""
        if level:
            self.risen = True
            self.rising = count
            return False
        width = count - self.rising
        if not self.risen or abs(width) != self.width:
            return False
        self.risen = False
        self.seen = True
        self.pulses += 1
        lines = self.lines
        begin = self.rising if width > 0 else count + 1
        self.off = off = (begin - self.at - lines.zero + (self.cpt >> 1)) % self.cpt - (self.cpt >> 1)
        lines.zero += off
        if self.homed:
            self.put_right += off
            if self.far(off) or abs(self.put_right) > 3 * self.most:
                self.wrong = True
        return True

    def far(self, off: int) -> bool:
        """Whether counts were lost for certain."""
        return not -self.most <= off <= self.most

    def passed(self, line: int, direction: int) -> None:
        """A peg has passed: the one after the line before the index comes after the index as well."""
        before = self.line
        self.line = line
        if line - direction == before and before % self.sections == self.before:
            if not self.seen:
                self.missing += 1
            self.seen = False
