"""The clapper's evidence: every line passes the clapper once, in order, in its place and direction.

The watch follows on which side of each peg the wheel is (`gap`: between line `gap` and the next) from clapper
edges alone, and holds the encoder against it. What is taken as disagreement, and why the tolerances:

- An edge at a line that is not next to `gap`, or further than 0.4 section from any line. Windows end 0.1 section
  from the line; 0.4 leaves room for wide clappers and still names the peg without doubt.
- A window that does not hold its line, or has moved (see `window`).
- A line crossed without a bent clapper; a bent clapper carried across the middle of a section (stuck).
- The same peg twice, one after the other: of itself a wheel that leaves a peg meets the next one first, so the encoder
  stood still, or went back as the wheel went on. (A hand that turns the wheel back there is an excuse.) A bouncing
  contact opens for less than 5 ms; between two pegs it is open for longer, up to 3 turns/s.
- A roll-back (leaving a peg on the side of entry) without two counts of way back in it: a frozen encoder looks like that.
- At rest: clapper free inside a window, or bent outside one; encoder not between the lines where the pegs are.
"""

from tabletop.sensing.config import MISMATCH, STUCK
from tabletop.sensing.contact import Contact
from tabletop.sensing.window import ABOVE, BELOW, BOTH, FAR, Window
from tabletop.ticks import diff

BOUNCE_US = 5000
COARSE = 24  # counts a section, below which time must stand in for counts
FAST_US = 60_000  # from peg to peg: faster than 13 sections/s
WAY_COUNTS = 3  # a dead channel makes the count go to and fro by one, and by one more when it dies


class PegWatch:
    """`low` and `high` fence the counts between which the encoder may move before `stray` must be called."""

    def __init__(self, config, lines, coupling, on_pass):
        self.lines = lines
        self.coupling = coupling
        self.on_pass = on_pass  # called with (t_us, line, +1 or -1) for each whole passing
        self.contact = Contact()
        self.window = Window(config)
        self.count_parts = config.sections
        self.section = config.counts_per_turn  # in parts, as all lengths here
        self.reach = self.section * 2 // 5
        self.peg = 0
        self.t_up = self.t_down = 0
        self.count_up = self.count_down = self.deepest = self.off_down = 0
        self.fast = False
        self.bent_us = self.bent_before_us = self.free_us = 0
        self.new_spin()
        self.place(0, False)

    def new_spin(self) -> None:
        """Forgets what was found in the spin before (not where the wheel is)."""
        self.faults = 0
        self.sprung = False  # the clapper has sprung free in this spin, at `count_down`
        self.idle = 0  # times the same peg came again
        self.again_count = 0
        self.excuse = False  # that was once, and all that was wrong
        self.window.new_run()

    def place(self, count: int, known: bool) -> None:
        """Takes the encoder's word for where the wheel is: at the start, at a new zero and after a disagreement."""
        self.active = known
        self.stuck = False  # bent for longer than a peg lasts
        self.astray = False  # the encoder is well into a window with the clapper free
        self.unproven = False  # the last peg was left on the side of entry
        self.unsure = False  # ... or nobody knows on which: a count was too wide
        self.early = False  # the clapper sprang free within the window
        self.left = False  # the side on which the last peg was left is known
        self.whole = False  # both ends of the passing were edges that the wheel made, not where it stood
        self.gap = self.lines.section_at(count)
        if self.contact.level:
            self.lines.locate(self.contact.count)  # where the clapper was last seen to move is near the peg
        self.peg = self.lines.line
        self.came_low = self.lines.off < 0
        self.came_off = self.lines.off
        self.fence()

    def fence(self) -> None:
        """Sets `low` and `high` for the state; again after the zero has moved."""
        if not self.active or self.stuck:
            self.low = -FAR
            self.high = FAR
            return
        lines = self.lines
        if self.contact.level:
            way = self.section * 9 // 20
            self.low = lines.count_at(self.peg, -way)
            self.high = lines.count_at(self.peg, way)
        elif self.unsure or self.early:
            self.low = lines.count_at(self.peg, self.window.low)
            self.high = lines.count_at(self.peg, self.window.high)
        else:
            way = self.reach if self.astray else -(self.window.half() >> 1)
            self.low = lines.count_at(self.gap, -way)
            self.high = lines.count_at(self.gap + 1, way)

    def stray(self, t_us: int, count: int) -> None:
        """The encoder has left the fence."""
        self.due(t_us)
        while not self.contact.waiting and not self.low <= count <= self.high:
            if self.contact.level:
                self.faults |= STUCK
                self.stuck = True
            elif self.unsure or self.early:  # by now the side is clear
                if self.early:
                    self._broken()
                self.unsure = self.early = False
                self._left(count > self.high)
                self.unproven = False
            elif not self.astray:
                self.astray = True  # the clapper's edge may still come: windows are not all alike
            else:
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

    def watch(self, count: int) -> None:
        """Called at each tick: how far has the encoder gone with a peg?"""
        if self.contact.level and (count > self.deepest) == self.came_low:
            self.deepest = count

    def turned(self, at_count: int) -> None:
        """A hand began to turn the wheel, or turned it back, at this count."""
        self.window.new_run()
        if self.excuse and abs(at_count - self.again_count) * self.count_parts < self.section:
            self.faults = 0  # so the same peg twice was true
            self.idle = 0
            self.coupling.excused()
        self.excuse = False

    def _broken(self) -> None:
        self.excuse = False
        self.faults |= MISMATCH
        self.coupling.broken()

    def _bent(self, t_us: int, count: int) -> None:
        line = self.lines.line
        off = self.lines.off
        self.free_us = diff(t_us, self.t_down)
        self.astray = self.early = self.unsure = False
        if self.sprung and abs(count - self.count_down) * 3 * self.count_parts < self.section:  # the same peg again
            if self.free_us <= BOUNCE_US:
                return  # a bounce: the passing goes on
            excuse = not self.faults
            self.idle += 1
            self._broken()
            self.excuse = excuse
            self.again_count = count
        self.t_up = t_us
        self.fast = self.free_us < FAST_US
        self.count_up = self.deepest = count
        self.whole = self.sprung
        self.came_off = off
        self.came_low = line > self.gap
        self.left = self.unproven = False
        if self.active and not (self.gap <= line <= self.gap + 1 and self.window.enters(off, self.came_low, self.fast)):
            self._broken()
            self.came_low = off < 0
        self.peg = line

    def _free(self, t_us: int, count: int) -> None:
        off = self.lines.off
        self.bent_us = diff(t_us, self.t_up)
        self.t_down = t_us
        self.count_down = count
        self.sprung = True
        if not self.active:
            return
        if self.stuck or self.lines.line != self.peg:
            self.faults |= STUCK
            self.place(count, True)
            return
        if self.left and (off > 0) == (self.gap == self.peg):
            return  # a bounce on the side where the wheel is already known to be
        self.off_down = off
        side = self.window.edges_in(off, self.fast)
        self.early = side == 0
        self.unsure = side == BOTH
        if side == ABOVE or side == BELOW:
            self._left(side == ABOVE)

    def _left(self, above: bool) -> None:
        """The peg was left on its upper or lower side."""
        self.left = True
        off = self.off_down
        self.gap = self.peg if above else self.peg - 1
        self.unproven = above != self.came_low
        if self.unproven:
            return
        self.bent_before_us = self.bent_us
        if not self.whole:
            pass
        elif self.window.passed(min(off, self.came_off), max(off, self.came_off)):
            self.coupling.passed(self.t_up, self.peg)
        else:
            self._broken()
        self.on_pass(self.t_up, self.peg, 1 if above else -1)

    def at_rest(self, count: int) -> int:
        """The wheel has come to rest at `count`: the fault bits that this position adds."""
        if not self.active:
            return 0
        lines = self.lines
        lines.locate(count)
        if self.contact.level:
            most = self.window.half() + max(2 * self.count_parts, self.section // 10)
            return STUCK if self.stuck or lines.line != self.peg or abs(lines.off) > most else 0
        side = self.window.free_in(lines.off)
        if self.astray or self.early or side == 0:
            return MISMATCH
        gap = lines.line if side == ABOVE else lines.line - 1
        if self.unsure:  # has the wheel gone on to where the count is clear?
            if side == BOTH:
                return MISMATCH
            self.gap = gap
            self.unproven = self.came_low != (gap == self.peg)
            if count == self.count_up and self._lingered() != self.unproven:
                return MISMATCH
        way = abs(count - self.deepest)
        if self.unproven and way < WAY_COUNTS:
            if not self._lingered() or (way < WAY_COUNTS - 1 and self.section > COARSE * self.count_parts):
                return MISMATCH
        if self.gap != gap and not (side == BOTH and self.gap == lines.line):
            return MISMATCH
        return 0

    def _lingered(self) -> bool:
        # Where a count is wide, the wheel may turn about and rest within a count or two. Then time tells: a wheel that is
        # thrown back turns about within the window and is there far longer than one that passes.
        return self.bent_us * 10 >= self.bent_before_us * 23 > 0 or self.bent_us * 20 >= self.free_us * 11
