"""Has the encoder's shaft turned against the wheel? Decides whether the zero can still be trusted.

The index sits on the encoder's shaft, so when the coupling slips by whole sections, index and encoder go on
agreeing, every peg stands in its place again, and each later spin would give a wrong section. The one trace
it leaves is time: pegs come by at the pace of the wheel. After a disagreement the next peg in place tells:
one section of time for each section of counts - the clapper had missed or invented an edge; sooner - the
shaft ran ahead; much later - it stayed behind, or counts were lost. Lost counts move the index, a slip does not.
"""

from tabletop.ticks import diff

MISSED = 1  # no edge where a peg must have passed
MISPLACED = 2  # an edge where no peg can be


class Coupling:
    """`suspect` stays, and with it every later spin a fault, until the index disagrees (counts were lost, and the
    zero is set again from it) or somebody sets the zero (`SpinSensor.at`)."""

    def __init__(self):
        self.suspect = False
        self.checked = True  # an index has come since encoder and clapper disagreed
        self.forget()

    def forget(self) -> None:
        """A new spin: the pace is unknown, what happened at rest is over."""
        self.trouble = 0
        self.pace_us = 0
        self.line = 0
        self.t_us = 0

    def broken(self, kind: int) -> None:
        """Encoder and clapper disagreed (MISSED or MISPLACED)."""
        self.checked = False
        if kind > self.trouble:
            self.trouble = kind

    def passed(self, t_us: int, line: int) -> None:
        """A whole peg has passed, in its place."""
        sections = abs(line - self.line)
        time_us = diff(t_us, self.t_us)
        if self.trouble:
            expected_us = sections * self.pace_us
            # A wheel slows down: later than expected is normal over many sections. Over one or two, the slowest
            # stretch before a stop takes 1.6 times as long as the one before it.
            if time_us * 20 < expected_us * 19 or (sections < 3 and time_us * 10 >= expected_us * 17):
                self.suspect = True
            self.trouble = 0
        elif sections == 1:
            self.pace_us = time_us
        self.line = line
        self.t_us = t_us

    def spin_over(self) -> None:
        """The wheel is at rest. Pegs that were out of place to the end have not been explained; missing ones may
        be a clapper that died."""
        if self.trouble == MISPLACED:
            self.suspect = True
        self.forget()

    def explained(self) -> None:
        """The index disagreed with the count, or somebody has set the zero: no suspicion is left."""
        self.suspect = False
        self.trouble = 0
