"""Has the encoder's shaft turned against the wheel? Decides whether the zero can still be trusted.

The index sits on the encoder's shaft, so when the coupling slips by whole sections, index and encoder go on
agreeing, every peg stands in its place again, and each later spin would give a wrong section. The one trace
it leaves is time: pegs come by at the pace of the wheel. After a disagreement the next peg in place tells: when
it comes at the time of its section, the clapper had missed or invented an edge; when it comes a section too soon
or too late, the shaft has slipped, or counts were lost. Lost counts move the index, a slip does not.
"""

from tabletop.const import const
from tabletop.sensing.lines import NOWHERE
from tabletop.ticks import diff

_FAR_SECTIONS = const(8)  # how far a pace can be reckoned on; more pegs than that are missed by a clapper only
_PACE_MOST_US = const(2_000_000)


class Coupling:
    """`suspect` stays, and with it every later spin a fault, until the index disagrees (counts were lost, and the
    zero is set again from it) or somebody sets the zero (`SpinSensor.at`)."""

    def __init__(self):
        self.suspect = False
        self.checked = True  # an index has come since encoder and clapper disagreed
        self.forget()

    def forget(self) -> None:
        """A new spin: the pace is unknown, what happened at rest is over."""
        self.trouble = False
        self.was_suspect = self.suspect
        self.pace_us = self.before_us = 0  # of the last section, and of the one before
        self.line = NOWHERE  # of the last peg that passed in its place
        self.t_us = 0

    def broken(self) -> None:
        """Encoder and clapper disagree."""
        self.checked = False
        self.trouble = True

    def slipped(self) -> None:
        """The count went as no wheel can."""
        if not self.suspect:
            self.suspect = True
            self.checked = False

    def excused(self) -> None:
        """They had not disagreed after all."""
        self.suspect = self.was_suspect
        self.trouble = False

    def passed(self, t_us: int, line: int, direction: int) -> None:
        """A whole peg has passed in its place, in this direction."""
        sections = (line - self.line) * direction
        time_us = diff(t_us, self.t_us)
        if self.trouble:
            self.trouble = False
            if self.pace_us and not self._in_time(sections, time_us):
                self.suspect = True
            self.pace_us = 0
        elif sections == 1 and time_us < _PACE_MOST_US:
            self.before_us = self.pace_us
            self.pace_us = time_us
        else:
            self.pace_us = 0
        self.line = line
        self.t_us = t_us

    def _in_time(self, sections: int, time_us: int) -> bool:
        if sections <= 0 or sections > _FAR_SECTIONS:
            return sections > 0
        pace_us = self.pace_us
        before_us = self.before_us or pace_us
        soonest_us = latest_us = 0
        for _ in range(sections):
            # Each section takes as much longer than the one before as that one did.
            pace_us, before_us = min(pace_us * pace_us // before_us, _PACE_MOST_US), pace_us
            soonest_us = latest_us
            latest_us += pace_us
        # Half a section either way.
        return (soonest_us + latest_us) >> 1 <= time_us < latest_us + (pace_us >> 1)

    def stirred(self, missed: bool) -> None:
        """The wheel, or the clapper, was moved a little at rest. That proves nothing, unless a line went by without its
        peg: then it was not the wheel that moved."""
        self.suspect = missed or self.was_suspect
        self.forget()

    def spin_over(self) -> None:
        """The wheel is at rest. What was not explained until now stays a suspicion."""
        if self.trouble:
            self.suspect = True
        self.forget()

    def explained(self) -> None:
        """The index disagreed with the count, or somebody has set the zero: no suspicion is left."""
        self.suspect = self.was_suspect = False
        self.trouble = False
