"""Where the pegs stand, in counts: the only place where counts become sections.

A line lies anywhere within a count when counts_per_turn is no multiple of the sections, so positions are
kept in *parts*: 1/sections of a count. A count is `sections` parts wide, a section `counts_per_turn` parts.
All arithmetic stays within one turn, so it fits small integers however long the wheel has been turning.
"""

from tabletop.sensing.config import WheelConfig

NOWHERE = -0x3FFFFFFF  # a line that no wheel has


class Lines:
    def __init__(self, config: WheelConfig):
        self.sections = config.sections
        self.cpt = config.counts_per_turn
        self.half_count = config.sections >> 1
        self.half_section = config.counts_per_turn >> 1
        self.zero = 0  # the count at which line 0 is the lower end
        self.line = 0  # result of `locate`
        self.off = 0

    def locate(self, count: int) -> None:
        """Finds the `line` nearest to the middle of `count`, and how many parts that middle lies after it (`off`)."""
        within = count - self.zero
        turn = within // self.cpt
        within = (within - turn * self.cpt) * self.sections + self.half_count
        line = (within + self.half_section) // self.cpt
        self.off = within - line * self.cpt
        self.line = line + turn * self.sections

    def count_at(self, line: int, off: int = 0) -> int:
        """The count in which the point `off` parts after `line` lies."""
        turn = line // self.sections
        return self.zero + turn * self.cpt + ((line - turn * self.sections) * self.cpt + off) // self.sections

    def section_at(self, count: int) -> int:
        """The section, counted on over the turns, in which the middle of `count` lies."""
        self.locate(count)
        return self.line if self.off >= 0 else self.line - 1
