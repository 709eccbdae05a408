"""The faults a technician meets, in encoder, index and clapper of a virtual table; loaded with the first of them.

    freeze, a_dead, b_dead, swapped (A and B)    1 or 0; a mended encoder goes on from where it stood still
    clapper_dead, clapper_stuck (bent), index_dead    1 or 0
    slip        thousandths of a section that the coupling gives way, once; slips: in each turn
    lost        counts that were missed, once; counts: of a turn (0: the right number)
    glitches    how many at rest; illegal: how many impossible transitions
    b_loose, index_noise, clapper_worn    thousandths of the sections in which B is cut off, the index shows a pulse
                that is none, or the clapper misses its peg
    friction    of the bearing, in hundredths of what is usual
"""

from tabletop.hal.virtual.wheel import FRICTION, SECTION, TURN

A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)
_AT_ONCE = ("slip", "lost", "counts", "friction", "freeze", "a_dead", "b_dead", "swapped")
_STAYS = (
    "clapper_dead", "clapper_stuck", "clapper_worn", "index_dead", "index_noise", "glitches", "illegal", "b_loose",
    "slips",
)  # fmt: skip


class Faults:
    """What is wrong with `sensors`: `now` by name; `later` comes by itself."""

    def __init__(self, sensors):
        self.sensors = sensors
        self.right_counts = sensors.counts_per_turn
        self.now: dict[str, int] = {}
        self.later: list[tuple[int, str, int]] = []  # (us, name, value)
        self.slip_left = 0

    def at(self, t_us: int, name: str, value: int) -> None:
        """Makes a fault, or mends it (`value` 0), when the wheel has come to `t_us`, however fast the table runs.

        ValueError: there is none of that name.
        """
        if name not in _AT_ONCE and name not in _STAYS:
            raise ValueError("no fault " + name)
        self.later.append((t_us, name, value))
        self.later.sort()

    def due(self, t_us: int) -> None:
        while self.later and self.later[0][0] <= t_us:
            due_us, name, value = self.later.pop(0)
            self.make(name, value, due_us)

    def make(self, name: str, value: int, now_us: int) -> None:
        """Makes or mends a fault now."""
        sensors, faults = self.sensors, self.now
        wheel = sensors.wheel
        if name == "slip":
            self.slip_left += value * (TURN // 54) // 1000
        elif name == "lost":
            sensors.zero += value
        elif name == "counts":
            before = sensors.count(wheel.at)
            sensors.counts_per_turn = value or self.right_counts
            sensors.zero += sensors.count(wheel.at) - before
        elif name == "friction":
            wheel.friction = FRICTION * (value or 100) // 100
        elif name in ("freeze", "a_dead", "b_dead", "swapped"):
            count = sensors.count(wheel.at)
            sensors.zero += count - self.seen(count)  # counts that did not get through are lost
            faults.pop(name, None)
            if value:
                faults[name] = sensors.count(wheel.at)
        else:
            faults[name] = value
            if not value:
                del faults[name]
                if name == "b_loose":
                    self.make("b_dead", 0, now_us)
        sensors.clapper(now_us)

    def seen(self, count: int) -> int:
        """What reaches the table of a count. One line alone goes to and fro by one; which way depends on the other's
        level."""
        faults = self.now
        if "freeze" in faults:
            return faults["freeze"]
        if "swapped" in faults:
            return 2 * faults["swapped"] - count
        if "a_dead" in faults:
            base = faults["a_dead"]
            up = 1 if A_LEVEL[base & 3] else -1
            return base + up * (B_LEVEL[count & 3] - B_LEVEL[base & 3])
        if "b_dead" in faults:
            base = faults["b_dead"]
            up = -1 if B_LEVEL[base & 3] else 1
            return base + up * (A_LEVEL[count & 3] - A_LEVEL[base & 3])
        return count

    def lines(self, count: int) -> tuple:
        """Levels of A and B at a count."""
        faults = self.now
        a = A_LEVEL[faults.get("freeze", faults.get("a_dead", count)) & 3]
        b = B_LEVEL[faults.get("freeze", faults.get("b_dead", count)) & 3]
        return (b, a) if "swapped" in faults else (a, b)

    def noise(self, sensor, tick: int) -> int:
        """Counts that are none, at a poll."""
        faults = self.now
        if "illegal" in faults:
            sensor.illegal(tick, faults.pop("illegal"))
        left = faults.get("glitches", 0)
        if left and not self.sensors.wheel.moving:
            faults["glitches"] = left - 1
            if left == 1:
                del faults["glitches"]
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
        if "slips" in faults and turned:
            self.slip_left += wheel.direction * faults["slips"] * SECTION // 1000
        if section == wheel.was_at >> 32:
            return
        if "b_loose" in faults:
            cut = _chance(section) < faults["b_loose"]
            if cut != ("b_dead" in faults):
                self.make("b_dead", int(cut), wheel.t_us)
        if "index_noise" in faults and _chance(section) < faults["index_noise"]:
            for level in (not sensors.index_level, sensors.index_level):
                sensors.latch(wheel.t_us, sensors.count(wheel.at), level, 0)

    def bent(self, level: bool) -> bool:
        """What the clapper's switch says when the clapper is at `level`."""
        faults = self.now
        if "clapper_stuck" in faults or "clapper_dead" in faults:
            return "clapper_stuck" in faults
        if level and "clapper_worn" in faults:
            return _chance(self.sensors.wheel.at + SECTION // 2 >> 32) >= faults["clapper_worn"]
        return level


def _chance(n: int) -> int:
    # 0 to 1023, as good as any, and the same for the same n
    return (n * 2_654_435_761 & 0xFFFFFFFF) >> 22
