"""The clapper's evidence: every line passes the clapper once, in order, in its place and direction.

The watch follows on which side of each peg the wheel is (`gap`: between line `gap` and the next) from clapper
edges alone, and holds the encoder against it. What is taken as disagreement, and why the tolerances:

- An edge that is not where the window of a line next to `gap` begins or ends; a window that does not hold its line,
  or has moved (see `window`).
- A line crossed without a bent clapper; a bent clapper carried across the middle of a section (stuck).
- The same peg twice, one after the other: of itself a wheel that leaves a peg meets the next one first, so the encoder
  stood still, or went back as the wheel went on. A hand that turns the wheel back there is an excuse, a contact
  that bounces as well. As a hand begins, the count must have gone back, or time must show that the wheel started from
  rest beside that peg: else the coupling has play, and the wheel turned before the encoder did.
- A roll-back (leaving a peg on the side of entry) without a way back in the counts: a frozen encoder looks like that.
"""

from tabletop.sensing.config import MISMATCH, STUCK, WheelConfig
from tabletop.sensing.contact import Contact
from tabletop.sensing.coupling import Coupling
from tabletop.sensing.lines import NOWHERE, Lines
from tabletop.sensing.passing import Passing
from tabletop.sensing.tail import Tail
from tabletop.sensing.window import ABOVE, BELOW, BOTH, FAR, Window


class PegWatch:
    """`low` and `high` fence the counts between which the encoder may move before `stray` must be called."""

    def __init__(self, config: WheelConfig, lines: Lines, coupling: Coupling, tail: Tail, on_pass):
        self.lines = lines
        self.coupling = coupling
        self.tail = tail
        self.on_pass = on_pass  # called with (t_us, line, +1 or -1) for each whole passing
        self.contact = Contact()
        self.window = Window(config)
        self.passing = Passing(config)
        self.count_parts = config.sections
        self.section = config.counts_per_turn  # in parts, as all lengths here
        self.new_spin()
        self.place(0, False)

    def new_spin(self) -> None:
        """Forgets what was found in the spin before (not where the wheel is)."""
        self.faults = 0
        self.missed = False  # a line went by without its peg
        self.repeats = 0  # times the same peg came again
        self.repeat_count = 0
        self.waited = 0  # the encoder may have, while the wheel began to turn: the next peg but one tells
        self.idle = 0  # times of these with the encoder standing still
        self.window.new_run()
        self.passing.forget()

    def place(self, count: int, known: bool) -> None:
        """Takes the encoder's word for where the wheel is: at the start, at a new zero and after a disagreement."""
        self.active = known
        self.stuck = False  # bent for longer than a peg lasts
        self.astray = False  # the encoder is well into a window with the clapper free
        self.unproven = False  # the last peg was left on the side of entry
        self.unsure = False  # ... or nobody knows on which: a count was too wide
        self.slow = False  # ... or it passed so slowly that it may have turned about
        self.doubtful = False  # ... and what became clear afterwards does not fit the time it took
        self.early = False  # the clapper sprang free within the window
        self.left = False  # the side on which the last peg was left is known
        self.gap = self.lines.section_at(count)
        if self.contact.level:
            self.lines.locate(self.contact.count)  # where the clapper was last seen to move is near the peg
        self.peg = self.lines.line
        self.passing.from_low = self.lines.off < 0
        self.passing.whole = False
        self.fence()

    def fence(self) -> None:
        """Sets `low` and `high` for the state; again after the zero has moved."""
        lines = self.lines
        if not self.active or self.stuck:
            self.low = -FAR
            self.high = FAR
        elif self.contact.level:
            way = self.section * 9 // 20
            self.low = lines.count_at(self.peg, -way)
            self.high = lines.count_at(self.peg, way)
        elif self.unsure or self.early:
            self.low = lines.count_at(self.peg, self.window.low)
            self.high = lines.count_at(self.peg, self.window.high)
        else:
            # Half a window deep first; once there, an edge may still come late, but not beyond 0.4 section.
            way = self.section * 2 // 5 if self.astray else -(self.window.half() >> 1)
            self.low = lines.count_at(self.gap, -way)
            self.high = lines.count_at(self.gap + 1, way)

    def stray(self, t_us: int, count: int) -> None:
        """The encoder has left the fence."""
        self.due(t_us)
        while not self.contact.waiting and not self.low <= count <= self.high:
            if self.contact.level:
                self._broken(STUCK)
                self.stuck = True
            elif self.unsure or self.early:  # by now the side is clear
                if self.early:
                    self._broken()
                self.unsure = self.early = False
                self._left(count > self.high)
                if self.unproven:
                    self.doubtful = not self.passing.turned()
                elif self.passing.too_soon(t_us, count, self.window.half()):
                    self.doubtful = True
            elif not self.astray:
                self.astray = True
            else:
                self.missed = True
                self._broken()
                self.place(count, True)
            self.fence()

    def edge(self, t_us: int, count: int, level: int) -> None:
        """The clapper was bent (1) or sprang free (0) at this time and count."""
        if level != self.contact.reported:
            self.due(t_us)
            self.contact.edge(t_us, count, level)

    def due(self, t_us: int) -> bool:
        """Believes an edge that has lasted long enough; True when there was one."""
        contact = self.contact
        if not contact.ripe(t_us):
            return False
        contact.believe()
        self.lines.locate(contact.count)
        if contact.level:
            self._bent(contact.t_us, contact.count)
        else:
            self._free(contact.t_us, contact.count)
        self.fence()
        return True

    def watch(self, t_us: int, count: int) -> None:
        """Called at each tick."""
        self.passing.watch(t_us, count, self.contact.level)

    def turned(self, at_count: int, back: bool) -> None:
        """A hand began to turn the wheel, or turned it back, at this count; `back`: it went the other way before."""
        self.window.new_run()
        self.slow = self.doubtful = False
        if back:
            self.waited = 0
            if abs(at_count - self.repeat_count) * self.count_parts < self.section:
                self._excuse()

    def _excuse(self) -> None:
        if self.repeats == 1 and not self.faults:
            self.repeats = self.idle = 0
            self.coupling.excused()

    def _waited(self) -> None:
        """A next peg has come: did the encoder wait, or had a hand moved the wheel by less than two counts before?

        A wheel that starts from rest beside a peg takes much longer for its window, or for the way to the next, than
        for the same of the peg after. One that turned already takes hardly longer.
        """
        us = self.passing.bent_us if self.repeats else self.passing.free_us
        if self.waited < 0:
            self.waited = us
            return
        from_rest = self.waited * 5 > us * 8
        self.waited = 0
        if self.repeats > 1 or not from_rest:
            self.repeats += 1
            self.coupling.slipped()
        else:
            self._excuse()

    def _broken(self, fault: int = MISMATCH) -> None:
        self.faults |= fault
        self.coupling.broken()

    def _bent(self, t_us: int, count: int) -> None:
        line = self.lines.line
        off = self.lines.off
        passing = self.passing
        self.astray = self.early = self.unsure = False
        again = passing.again(count, self.left and line == self.peg)
        if again:
            if passing.bounced(t_us):
                return  # the passing goes on
            self.repeats += 1
            self.repeat_count = count
            if passing.stood_still():
                self.idle += 1
            self.coupling.broken()
        begins = self.coupling.line == NOWHERE
        if again:
            self.waited = -1 if begins and not passing.came_back(count) else 0
        elif begins and passing.sprung and passing.begun and self.unproven and not passing.went_back():
            self.waited = -1
        self.coupling.bent += 1
        passing.begin(t_us, count, off)
        if self.waited and not again:
            self._waited()
        passing.arrive(self.tail, self.window.high - self.window.low)
        passing.from_low = line > self.gap
        self.left = self.unproven = self.doubtful = False
        if self.active:
            next_to = self.gap <= line <= self.gap + 1
            if not next_to or not self.window.enters(off, passing.from_low, passing.fast):
                self._broken()
                passing.from_low = off < 0
        self.peg = line

    def _free(self, t_us: int, count: int) -> None:
        off = self.lines.off
        if self.active and (self.stuck or self.lines.line != self.peg):
            self._broken(STUCK | MISMATCH)  # it hung, or the shaft has slipped
            self.place(count, True)
            self.passing.end(t_us, count, off)
            return
        bounced = self.left and (off > 0) == (self.gap == self.peg)
        self.passing.end(t_us, count, off)
        if not self.active or bounced:
            return  # where the wheel is, is known already
        side = self.window.edges_in(off, self.passing.fast)
        self.early = side == 0
        self.unsure = side == BOTH
        if side == ABOVE or side == BELOW:
            self._left(side == ABOVE)

    def _left(self, above: bool) -> None:
        """The peg was left on its upper or lower side."""
        passing = self.passing
        self.left = True
        self.gap = self.peg if above else self.peg - 1
        self.unproven = above != passing.from_low
        if self.unproven:
            return
        if passing.slow():
            self.slow = not passing.crept()
        elif passing.bent_us * 2 < passing.bent_before_us:  # a hand has pushed
            self.slow = False
        passing.bent_before_us = passing.bent_us
        passing.before_us = passing.free_us
        direction = 1 if above else -1
        if passing.whole:
            up = passing.off_up
            down = passing.off_down
            if self.window.passed(min(up, down), max(up, down)):
                self.coupling.passed(passing.t_up, self.peg, direction)
            else:
                self._broken()
        self.on_pass(passing.t_up, self.peg, direction)
