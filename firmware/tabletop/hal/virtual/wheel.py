"""The physical wheel: inertia, bearing friction, and 54 pegs that bend a spring clapper.

One model moves encoder, index and clapper (see `sensors`), on the table and in the host tool that aims
with it. Arithmetic is in whole numbers only, so that CPython and MicroPython give the same spin to the
last bit, and nothing is allocated while the wheel turns. A spin depends on where the wheel stood, what
the hand did and the noise seed; never on when somebody looked.

Units: position in grains of 2**-32 section (section 0 begins at 0, forward is up, turns go on counting);
speed in 2**-52 section/us; time in us since the table was switched on.

A peg touches the clapper from PEG_HALF before its line. The clapper bends further until the peg has gone
PEG_HALF beyond the line, then springs off and its energy is lost; a wheel too slow for that is pushed back
(roll-back), or stays on the peg when friction holds it there (between sections). The magnitudes make
spins of 3 to 7 turns in 8 to 14 s, as in recordings of real wheels.
"""

from tabletop.const import const

SECTIONS = const(54)
SECTION = const(1 << 32)
TURN = SECTIONS * SECTION
PEG_HALF = const(SECTION // 10)

FRICTION = const(10_800)  # bearing, 2.4 sections/s2, whatever the speed
_STICTION = const(13_500)  # what the bearing can hold at rest: 3 sections/s2
_DRAG = const(5_500)  # bearing and air, 0.08 /s of the speed, times 2**36
_STIFFNESS = const(6_710)  # clapper at mean, 100 sections/s2 a section of bend, times 2**26
_PEG_SPREAD = const(320)  # pegs and clapper are never quite the same: stiffness +- this
_LONGEST_STEP_US = const(4_000)


def speed(mturns_s: int) -> int:
    """Thousandths of a turn a second -> speed of the model (-5000 .. 5000)."""
    return (mturns_s * SECTIONS << 33) // 1_953_125 << 10


def mturns_s(model_speed: int) -> int:
    """Speed of the model -> thousandths of a turn a second."""
    return ((model_speed >> 20) * 1_953_125 // SECTIONS) >> 23


class Wheel:
    """`at` grains; `pace` >= 0 in `direction`; `side` is the direction from which a peg bends the clapper (0: free)."""

    def __init__(self, at: int = SECTION // 2, noise: int = 1):
        self.t_us = 0
        self.noise = noise
        self.friction = FRICTION  # a tired bearing has more
        self.hand: list[tuple[int, int, int]] = []  # on the rim: (begin us, speed at the end, duration us) by time
        self.place(at)

    def place(self, at: int, side: int = 1) -> None:
        """Stands at `at`; on a peg, the clapper was bent from `side`."""
        self.at = at
        self.was_at = at  # before the last step, for looking between two steps
        self.was_us = self.t_us
        self.pace = 0
        self.direction = 1
        self.moving = False
        self.stiffness = _STIFFNESS
        self.side = side if self.bent() else 0
        del self.hand[:]

    def bent(self) -> bool:
        """Whether a peg bends the clapper here."""
        part = self.at & (SECTION - 1)
        return part <= PEG_HALF or part >= SECTION - PEG_HALF

    def push(self, now_us: int, end_speed: int, duration_us: int, after_us: int = 0) -> None:
        """A hand takes the rim `after_us` from now (from launch, when at rest) and brings it to `end_speed`."""
        if not self.moving:
            self.t_us = self.was_us = now_us
            self.moving = True
        self.hand.append((self.t_us + after_us, end_speed, duration_us))
        self.hand.sort()

    def step(self) -> None:
        """Moves on by one step: at most LONGEST_STEP_US, and never past where a peg takes or leaves the clapper."""
        direction = self.direction
        pace = self.pace
        part = self.at & (SECTION - 1)
        if direction < 0:
            part = SECTION - part
        if part <= PEG_HALF:
            ahead = PEG_HALF - part
        elif part < SECTION - PEG_HALF:
            ahead = SECTION - PEG_HALF - part
        else:
            ahead = SECTION + PEG_HALF - part
        step_us = _LONGEST_STEP_US
        if pace * _LONGEST_STEP_US >> 20 > ahead:
            step_us = (ahead << 20) // pace + 1

        self.was_us = self.t_us
        self.was_at = self.at
        if self.hand:
            begin_us, end_speed, duration_us = self.hand[0]
            if begin_us <= self.t_us:
                self._by_hand(end_speed, begin_us + duration_us - self.t_us, step_us)
                return
            if step_us > begin_us - self.t_us:
                step_us = begin_us - self.t_us
        self._free(direction, pace, part, step_us)

    def _by_hand(self, end_speed: int, left_us: int, step_us: int) -> None:
        # A hand is stronger than bearing and clapper: speed goes straight to what the hand wants.
        if step_us >= left_us:
            step_us = left_us = max(left_us, 1)
            del self.hand[0]
        now = self.pace * self.direction
        then = now + (end_speed - now) * step_us // left_us
        self.pace = abs(then)
        self.direction = 1 if then > 0 or (then == 0 and self.direction > 0) else -1
        self._move((now + then) * step_us >> 21, step_us)
        if then == 0:
            self._let_go()

    def _free(self, direction: int, pace: int, part: int, step_us: int) -> None:
        slowing = self.friction + ((pace >> 16) * _DRAG >> 20)
        if self.side:
            # Bend in the middle of the step, so that the spring neither makes nor eats energy.
            half = pace * step_us >> 21
            bend = part + PEG_HALF if part <= PEG_HALF else part + PEG_HALF - SECTION
            if self.side == direction:
                slowing += (bend + half) * self.stiffness >> 26
            else:
                slowing -= (2 * PEG_HALF - bend - half) * self.stiffness >> 26
        if pace == 0 and slowing >= 0:
            self.t_us += step_us  # held by friction until the hand comes back
            return
        then = pace - slowing * step_us
        if then > 0:
            self.pace = then
            self._move(direction * (pace + then) * step_us >> 21, step_us)
            return
        step_us = pace // slowing + 1
        self.pace = 0
        self._move(direction * (pace * step_us >> 21), step_us)
        self._let_go()

    def _let_go(self) -> None:
        """At a standstill: the clapper pushes the wheel back, or friction holds it."""
        if self.side:
            part = self.at & (SECTION - 1)
            past = part if part <= PEG_HALF else part - SECTION
            if (PEG_HALF + self.side * past) * self.stiffness >> 26 > max(_STICTION, self.friction):
                self.direction = -self.side
                return
        self.moving = bool(self.hand)

    def _move(self, way: int, step_us: int) -> None:
        self.at += way
        self.t_us += step_us
        if not self.bent():
            self.side = 0
        elif not self.side:
            self.side = self.direction
            self.noise = (self.noise * 1_103_515_245 + 12_345) & 0x7FFFFFFF
            self.stiffness = _STIFFNESS - _PEG_SPREAD + ((self.noise >> 8) * 2 * _PEG_SPREAD >> 23)
