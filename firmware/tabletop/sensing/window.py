"""The stretch around a line in which a peg bends the clapper: learned, and held against the line.

- The line must lie in the window (0.03 section to spare for a bent peg). Then encoder and wheel differ by less
  than half a window; and as a wheel at rest with the clapper free stands outside every window, encoder and wheel
  then stand between the same two lines. This bound, not the accuracy of the encoder, makes the section certain.
- Window edges may not move by more than 0.12 section (and the one count that reading adds) within a spin. Pegs
  are placed to some millimetres, 0.03 section; a coupling that slips by less than half a window shows only here.
- While the wheel is fast, edges may come 0.12 section from where they were: a switch bounces for a millisecond, and a
  glitch that meets a real edge is worth four counts until the next index. When it is slow, 0.03 section.
- A count is an interval, not a point. Each passing says in which interval an edge lies; all passings of a spin
  together, how far it can be. So it is known of a count that holds the line whether it can hold an edge, or a
  wheel at rest, on one side only - or on both, and then it proves nothing.

All lengths are in parts (see `lines`); a position is the middle of a count, from the line.
"""

from tabletop.sensing.config import WheelConfig

FAR = 0x3FFFFFFF
ABOVE = 1
BELOW = 2
BOTH = 3


class Window:
    def __init__(self, config: WheelConfig):
        self.half_count = config.sections >> 1
        self.bent_peg = config.counts_per_turn * 3 // 100
        self.spare = self.bent_peg + self.half_count
        self.late = config.counts_per_turn * 3 // 25
        self.drift = config.counts_per_turn * 3 // 25 + config.sections
        self.low = self.high = 0  # mean edges, kept from spin to spin
        self.new_run()

    def new_run(self) -> None:
        """A new spin or direction: a clapper may bend elsewhere that way."""
        self.low_least = self.high_least = FAR
        self.low_most = self.high_most = -FAR

    def half(self) -> int:
        """Half the width, 0 as long as no peg has passed."""
        return (self.high - self.low) >> 1

    def passed(self, begin: int, end: int) -> bool:
        """Takes in one whole passing; False when it is not where a peg can be."""
        if self.half():
            self.low += (begin - self.low) >> 2
            self.high += (end - self.high) >> 2
        else:
            self.low = begin
            self.high = end
        self.low_least = min(self.low_least, begin)
        self.low_most = max(self.low_most, begin)
        self.high_least = min(self.high_least, end)
        self.high_most = max(self.high_most, end)
        return (
            begin <= self.spare
            and end >= -self.spare
            and self.low_most - self.low_least <= self.drift
            and self.high_most - self.high_least <= self.drift
        )

    def enters(self, off: int, from_low: bool, fast: bool) -> bool:
        """Whether the clapper can be bent at `off` first: at the edge, or late but before the line."""
        late = self.late if fast else self.bent_peg
        if from_low:
            return off <= self.spare and off + self.half_count > self._low_from() - late
        return off >= -self.spare and off - self.half_count < self._high_to() + late

    def edges_in(self, off: int, fast: bool) -> int:
        """Which edges of the window the count at `off` can hold: BELOW, ABOVE, BOTH or 0."""
        late = self.late if fast else self.bent_peg
        edges = 0
        if off + self.half_count > self._low_from() - late:
            to = max(self.low_least + self.half_count, self.low_most)
            if off - self.half_count < (to + late if self.low_least < self.low_most else self.below()):
                edges = BELOW
        if off - self.half_count < self._high_to() + late:
            to = min(self.high_most - self.half_count, self.high_least)
            if off + self.half_count > (to - late if self.high_least < self.high_most else self.above()):
                edges |= ABOVE
        return edges

    def free_in(self, off: int) -> int:
        """On which sides of the window the wheel may stand in the count at `off`: BELOW, ABOVE, BOTH or 0."""
        sides = 0
        if off - self.half_count < self.below():
            sides = BELOW
        if off + self.half_count > self.above():
            sides |= ABOVE
        return sides

    def below(self) -> int:
        """The low edge is not above this."""
        # As long as all passings agree on the count, not above the line either; when they do not, a slip of less than
        # a count may be why.
        if self.low_least == FAR:
            return 0
        to = self.low_least + self.spare
        return min(0, to) if self.low_least == self.low_most else to

    def above(self) -> int:
        """The high edge is not below this."""
        if self.low_least == FAR:
            return 0
        to = self.high_most - self.spare
        return max(0, to) if self.high_least == self.high_most else to

    def _low_from(self) -> int:
        return min(self.low_most - self.half_count, self.low_least)

    def _high_to(self) -> int:
        return max(self.high_least + self.half_count, self.high_most)
