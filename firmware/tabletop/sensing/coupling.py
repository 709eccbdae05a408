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
_CALM_PEGS = const(8)  # in place after a disagreement: the next is another one
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
        self.calm = _CALM_PEGS  # pegs in place since the last disagreement
        self.bent = 0  # pegs that came while there was one
        self.was_suspect = self.suspect
        self.pace_us = self.before_us = 0  # of the last section, and of the one before
        self.usual = 0  # what the wheel loses in a section, as the brake has it; 0 when unknown
        self.line = NOWHERE  # of the last peg that passed in its place
        self.t_us = 0

    def broken(self) -> None:
        """Encoder and clapper disagree."""
        self.checked = False
        if not self.trouble:
            self.bent = 0
            if self.calm < _CALM_PEGS:  # a slip by and by: each step alone is too small to be told
                self.suspect = True
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
        self.calm = _CALM_PEGS

    def passed(self, t_us: int, line: int, direction: int) -> None:
        """A whole peg has passed in its place, in this direction."""
        sections = (line - self.line) * direction
        time_us = diff(t_us, self.t_us)
        self.calm = min(self.calm + 1, _CALM_PEGS)
        if self.trouble:
            self.trouble = False
            self.calm = 0
            if not self.pace_us or not self._in_time(sections, time_us):
                self.suspect = True
            self.pace_us = self.bent = 0
        elif sections == 1 and time_us < _PACE_MOST_US:
            self.before_us = self.pace_us
            self.pace_us = time_us
        else:
            self.pace_us = 0
        self.line = line
        self.t_us = t_us

    def _in_time(self, sections: int, time_us: int) -> bool:
        if sections <= 0 or sections > _FAR_SECTIONS:
            return 0 < sections and self.bent * 2 < sections
        # How much longer each section takes is known by the section before, and by what a section costs. Pegs out of
        # place falsify the one, air the other: in time is what is so by both, to half a section.
        fast_us = slow_us = self.pace_us
        most_us = least_us = 0
        for _ in range(sections):
            fast_us = self._next(fast_us, False)
            slow_us = self._next(slow_us, True)
            most_us += fast_us
            least_us += slow_us
        return least_us - (slow_us >> 1) <= time_us < most_us + (fast_us >> 1)

    def _next(self, pace_us: int, slow: bool) -> int:
        before_us = self.before_us or self.pace_us
        speed = 8_000_000 // pace_us
        by_pace = max(0, self.pace_us - before_us) * pace_us // before_us
        by_loss = pace_us * self.usual // (2 * speed * speed + 1)
        return min(pace_us + (max if slow else min)(by_pace, by_loss), _PACE_MOST_US)

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
