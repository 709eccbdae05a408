"""The faults a technician meets, in encoder, index and clapper of a virtual table; loaded with the first of them.

    freeze, a_dead, b_dead, swapped (A and B)    1 or 0; a mended encoder goes on from where it stood still
    clapper_dead, clapper_stuck (bent), index_dead    1 or 0
    slip        thousandths of a section that the coupling gives way, once; slips: in each turn
    lost        counts that were missed, once; counts: of a turn; index_width: of the index (0: the right number)
    glitches    how many at rest; illegal: how many impossible transitions
    b_loose, index_noise, clapper_worn    thousandths of the sections in which B is cut off, the index shows a pulse
                that is none, or the clapper misses its peg
    friction    of the bearing, in hundredths of what is usual
    rim_wired   the rim's strip: order of its colours (0 GRB, 1 RGB, 2 BRG), +10 backward, +100 for each LED further on
"""

from tabletop.const import const
from tabletop.hal.virtual.wheel import FRICTION, SECTION, TURN

A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)
# One text and numbers: every name in the code would take its place in the table of names for good.
NAMES = (
    "slip lost counts friction index_width freeze a_dead b_dead swapped clapper_dead clapper_stuck clapper_worn "
    "index_dead index_noise glitches illegal b_loose slips button_stuck button_dead led_dead digits_dead rim_wired"
)
_SLIP = const(0)
_LOST = const(1)
_COUNTS = const(2)
_FRICTION = const(3)
_INDEX_WIDTH = const(4)
_FREEZE = const(5)
_A_DEAD = const(6)
_B_DEAD = const(7)
_SWAPPED = const(8)
_CLAPPER_DEAD = const(9)
_CLAPPER_STUCK = const(10)
_CLAPPER_WORN = const(11)
_INDEX_DEAD = const(12)
_INDEX_NOISE = const(13)
_GLITCHES = const(14)
_ILLEGAL = const(15)
_B_LOOSE = const(16)
_SLIPS = const(17)
_BUTTON_STUCK = const(18)
_BUTTON_DEAD = const(19)
_LED_DEAD = const(20)
_DIGITS_DEAD = const(21)
_RIM_WIRED = const(22)


class Faults:
    """What is wrong with `sensors`: `now`; `later` comes by itself."""

    def __init__(self, sensors):
        self.sensors = sensors
        self.right_counts = sensors.counts_per_turn
        self.width = sensors.index_grains * self.right_counts // TURN  # of the index, in counts
        self.now: dict[int, int] = {}  # fault -> value
        self.later: list[tuple[int, int, int]] = []  # (us, fault, value)
        self.slip_left = 0

    def at(self, t_us: int, name: str, value: int, board=None) -> None:
        """Makes a fault, or mends it (`value` 0), when the wheel has come to `t_us`, however fast the table runs.

        One of buttons and lamps, which are the `board`'s, comes at once. ValueError: there is none of that name.
        """
        names = NAMES.split()
        if name not in names:
            raise ValueError("no fault " + name)
        fault = names.index(name)
        if fault < _BUTTON_STUCK:
            self.later.append((t_us, fault, value))
            self.later.sort()
        elif fault == _BUTTON_STUCK:
            board.inputs.stuck = value
        elif fault == _BUTTON_DEAD:
            board.inputs.dead = value
        elif fault == _LED_DEAD:
            board.lights.dark_led = value - 1
        elif fault == _DIGITS_DEAD:
            board.lights.dark_digits = value - 1
        else:
            _wire(board.lights, value)

    def due(self, t_us: int) -> None:
        while self.later and self.later[0][0] <= t_us:
            due_us, fault, value = self.later.pop(0)
            self.make(fault, value, due_us)

    def make(self, fault: int, value: int, now_us: int) -> None:
        """Makes or mends a fault now."""
        sensors, faults = self.sensors, self.now
        wheel = sensors.wheel
        if fault == _SLIP:
            self.slip_left += value * (TURN // 54) // 1000
        elif fault == _LOST:
            sensors.zero += value
        elif fault == _COUNTS:
            before = sensors.count(wheel.at)
            sensors.counts_per_turn = cpt = value or self.right_counts
            sensors.index_grains = (self.width * TURN + cpt - 1) // cpt
            sensors.zero += sensors.count(wheel.at) - before
        elif fault == _INDEX_WIDTH:
            cpt = sensors.counts_per_turn
            faults.setdefault(fault, self.width)
            self.width = value or faults[fault]
            sensors.index_grains = (self.width * TURN + cpt - 1) // cpt
        elif fault == _FRICTION:
            wheel.friction = FRICTION * (value or 100) // 100
        elif _FREEZE <= fault <= _SWAPPED:
            count = sensors.count(wheel.at)
            sensors.zero += count - self.seen(count)  # counts that did not get through are lost
            faults.pop(fault, None)
            if value:
                faults[fault] = sensors.count(wheel.at)
        else:
            faults[fault] = value
            if not value:
                del faults[fault]
                if fault == _B_LOOSE:
                    self.make(_B_DEAD, 0, now_us)
        sensors.clapper(now_us)

    def seen(self, count: int) -> int:
        """What reaches the table of a count. One line alone goes to and fro by one; which way depends on the other's
        level."""
        faults = self.now
        if _FREEZE in faults:
            return faults[_FREEZE]
        if _SWAPPED in faults:
            return 2 * faults[_SWAPPED] - count
        if _A_DEAD in faults:
            base = faults[_A_DEAD]
            up = 1 if A_LEVEL[base & 3] else -1
            return base + up * (B_LEVEL[count & 3] - B_LEVEL[base & 3])
        if _B_DEAD in faults:
            base = faults[_B_DEAD]
            up = -1 if B_LEVEL[base & 3] else 1
            return base + up * (A_LEVEL[count & 3] - A_LEVEL[base & 3])
        return count

    def lines(self, count: int) -> tuple:
        """Levels of A and B at a count."""
        faults = self.now
        a = A_LEVEL[faults.get(_FREEZE, faults.get(_A_DEAD, count)) & 3]
        b = B_LEVEL[faults.get(_FREEZE, faults.get(_B_DEAD, count)) & 3]
        return (b, a) if _SWAPPED in faults else (a, b)

    def noise(self, sensor, tick: int) -> int:
        """Counts that are none, at a poll."""
        faults = self.now
        if _ILLEGAL in faults:
            sensor.illegal(tick, faults.pop(_ILLEGAL))
        left = faults.get(_GLITCHES, 0)
        if left and not self.sensors.wheel.moving:
            faults[_GLITCHES] = left - 1
            if left == 1:
                del faults[_GLITCHES]
            return left & 1
        return 0

    def step(self, turned: bool) -> None:
        """The wheel has made a step; `turned`: the shaft began another turn."""
        sensors, faults = self.sensors, self.now
        wheel = sensors.wheel
        if self.slip_left:
            # a slipping coupling gives way at 40 sections/s
            give = min(abs(self.slip_left), 170_000 * (wheel.t_us - wheel.was_us))
            if self.slip_left < 0:
                give = -give
            sensors.slip += give
            self.slip_left -= give
        section = wheel.at >> 32
        if _SLIPS in faults and turned:
            self.slip_left += wheel.direction * faults[_SLIPS] * SECTION // 1000
        if section == wheel.was_at >> 32:
            return
        if _B_LOOSE in faults:
            cut = _chance(section) < faults[_B_LOOSE]
            if cut != (_B_DEAD in faults):
                self.make(_B_DEAD, int(cut), wheel.t_us)
        if _INDEX_NOISE in faults and _chance(section) < faults[_INDEX_NOISE]:
            for level in (not sensors.index_level, sensors.index_level):
                sensors.latch(wheel.t_us, sensors.count(wheel.at), level, 0)

    def index(self) -> bool:
        """Whether the index line works."""
        return _INDEX_DEAD not in self.now

    def bent(self, level: bool) -> bool:
        """What the clapper's switch says when the clapper is at `level`."""
        faults = self.now
        if _CLAPPER_STUCK in faults or _CLAPPER_DEAD in faults:
            return _CLAPPER_STUCK in faults
        if level and _CLAPPER_WORN in faults:
            return _chance(self.sensors.wheel.at + SECTION // 2 >> 32) >= faults[_CLAPPER_WORN]
        return level


def _wire(lights, value: int) -> None:
    show = type(lights).rim
    seen = bytearray(len(lights.shown["rim"]))
    order = ((0, 1, 2), (1, 0, 2), (2, 1, 0))[value % 10]
    step = -3 if value // 10 % 10 else 3

    def rim(buf) -> None:
        at = 3 * (value // 100)
        for i in range(0, len(buf), 3):
            for n in range(3):
                seen[at % len(buf) + order[n]] = buf[i + n]
            at += step
        show(lights, seen)

    lights.rim = rim


def _chance(n: int) -> int:
    # 0 to 1023, as good as any, and the same for the same n
    return (n * 2_654_435_761 & 0xFFFFFFFF) >> 22
