"""What encoder, index and clapper report of the wheel, with the faults a technician meets.

The encoder's shaft carries A, B and the index; the clapper sits on the frame. Edges are latched with the
exact time and count of the wheel's step and handed to the SpinSensor in order, however seldom it polls.
"""

from tabletop.hal.virtual.wheel import TURN
from tabletop.ticks import MASK

A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)


class Sensors:
    """The wheel's three sensors. Counts begin at 0 where the wheel stands, as a chip's counter does at power-on."""

    def __init__(self, wheel, counts_per_turn: int, index_width_counts: int = 3, offset_us: int = 0):
        self.wheel = wheel
        self.counts_per_turn = counts_per_turn
        self.index_grains = (index_width_counts * TURN + counts_per_turn - 1) // counts_per_turn
        self.offset_us = offset_us  # the tick of the table's clock when the wheel's time was 0
        # t_us, count, level, 1 peg or 0 index, of 16 edges: three a step at most; they wait for the clock
        self.ring = [0] * 64
        self.filled = 0
        self.faults: dict[str, int] = {}
        self.later: list[tuple[int, str, int]] = []  # (us, name, value): faults that come by themselves
        self.slip = 0  # grains by which the encoder's shaft has turned in its coupling
        self.slip_left = 0
        self.zero = 0
        self.zero = self.count(wheel.at)
        self.turn = wheel.at // TURN
        self.index_level = wheel.at % TURN < self.index_grains
        self.clapper_level = False  # as reported; a clapper bent at power-on is an edge of the first poll
        self._clapper(0)

    def count(self, at: int) -> int:
        """The count that a whole encoder shows with the wheel at `at` grains."""
        at += self.slip
        return at // TURN * self.counts_per_turn + at % TURN * self.counts_per_turn // TURN - self.zero

    def at(self, now_us: int) -> int:
        """Where the wheel is at `now_us`: between its last two steps, or at rest."""
        wheel = self.wheel
        ahead = wheel.t_us - now_us
        if ahead <= 0 or wheel.t_us == wheel.was_us:
            return wheel.at
        return wheel.at - (wheel.at - wheel.was_at) * ahead // (wheel.t_us - wheel.was_us)

    def poll(self, sensor, now_us: int) -> None:
        """Moves the wheel up to `now_us` and hands over what the sensors saw until then, oldest first."""
        wheel = self.wheel
        while wheel.moving and wheel.t_us < now_us:
            wheel.step()
            self._look()
            if self.later:
                self._faults_due(wheel.t_us)
            if self.filled > 12:
                self._hand_over(sensor, now_us)
        if self.later:
            self._faults_due(now_us)
        self._hand_over(sensor, now_us)
        tick = (now_us + self.offset_us) & MASK
        count = self._seen(self.count(self.at(now_us)))
        if self.faults:
            count += self._noise(sensor, tick)
        sensor.encoder(tick, count)

    def fault(self, name: str, value: int, now_us: int) -> None:
        """Makes a fault, or mends it (`value` 0).

        freeze, a_dead, b_dead, clapper_dead, clapper_stuck (bent), index_dead: 1 or 0. slip: thousandths of a section
        that the coupling gives way. lost: counts missed. glitches: how many at rest. illegal: how many transitions.
        """
        if name == "slip":
            self.slip_left += value * (TURN // 54) // 1000
        elif name == "lost":
            self.zero += value
        elif name in ("freeze", "a_dead", "b_dead"):
            # Counts that did not get through are lost: a mended encoder goes on from where it stood still.
            count = self.count(self.wheel.at)
            self.zero += count - self._seen(count)
            self.faults.pop(name, None)
            if value:
                self.faults[name] = self.count(self.wheel.at)
        elif name in ("clapper_dead", "clapper_stuck", "index_dead", "glitches", "illegal"):
            self.faults[name] = value
            if not value:
                del self.faults[name]
            self._clapper(now_us)
        else:
            raise ValueError("no fault " + name)

    def fault_at(self, t_us: int, name: str, value: int) -> None:
        """Makes or mends a fault when the wheel has come to `t_us`, however fast the table runs."""
        self.later.append((t_us, name, value))
        self.later.sort()

    def _faults_due(self, t_us: int) -> None:
        while self.later and self.later[0][0] <= t_us:
            due, name, value = self.later.pop(0)
            self.fault(name, value, due)

    def _seen(self, count: int) -> int:
        # What reaches the table through a frozen encoder or a dead line. One line alone goes to and fro by one
        # count; which way depends on the level of the dead one.
        faults = self.faults
        if not faults:
            return count
        if "freeze" in faults:
            return faults["freeze"]
        if "a_dead" in faults:
            base = faults["a_dead"]
            up = 1 if A_LEVEL[base & 3] else -1
            return base + up * (B_LEVEL[count & 3] - B_LEVEL[base & 3])
        if "b_dead" in faults:
            base = faults["b_dead"]
            up = -1 if B_LEVEL[base & 3] else 1
            return base + up * (A_LEVEL[count & 3] - A_LEVEL[base & 3])
        return count

    def _noise(self, sensor, tick: int) -> int:
        faults = self.faults
        if "illegal" in faults:
            sensor.illegal(tick, faults.pop("illegal"))
        left = faults.get("glitches", 0)
        if left and not self.wheel.moving:
            faults["glitches"] = left - 1
            if left == 1:
                del faults["glitches"]
            return left & 1
        return 0

    def _look(self) -> None:
        wheel = self.wheel
        was = wheel.was_at + self.slip
        if self.slip_left:
            # a slipping coupling gives way at 40 sections/s
            give = min(abs(self.slip_left), 170_000 * (wheel.t_us - wheel.was_us))
            if self.slip_left < 0:
                give = -give
            self.slip += give
            self.slip_left -= give
        shaft = wheel.at + self.slip
        turn = shaft // TURN
        if turn != self.turn or (shaft % TURN < self.index_grains) != self.index_level:
            # Both ends of the index may lie in one step: first the one that is met first.
            begin = max(turn, self.turn) * TURN
            if shaft > was:
                self._index(was, begin, shaft, 0, True)
                self._index(was, begin + self.index_grains, shaft, 0, False)
            else:
                self._index(was, begin + self.index_grains, shaft, 1, True)
                self._index(was, begin, shaft, 1, False)
            self.turn = turn
        self._clapper(wheel.t_us)

    def _index(self, was: int, edge: int, shaft: int, backward: int, level: bool) -> None:
        if min(was, shaft) < edge <= max(was, shaft) and level != self.index_level:
            self.index_level = level
            if "index_dead" not in self.faults:
                wheel = self.wheel
                t_us = wheel.was_us + (wheel.t_us - wheel.was_us) * (edge - was) // (shaft - was)
                self._latch(t_us, self.count(edge - backward - self.slip), level, 0)

    def _clapper(self, t_us: int) -> None:
        level = self.wheel.bent()
        if self.faults:
            level = "clapper_stuck" in self.faults or (level and "clapper_dead" not in self.faults)
        if level != self.clapper_level:
            self.clapper_level = level
            self._latch(max(t_us, self.wheel.was_us), self.count(self.wheel.at), level, 1)

    def _latch(self, t_us: int, count: int, level: bool, peg: int) -> None:
        ring = self.ring
        i = 4 * self.filled
        ring[i] = t_us
        ring[i + 1] = self._seen(count)
        ring[i + 2] = level
        ring[i + 3] = peg
        self.filled += 1

    def _hand_over(self, sensor, now_us: int) -> None:
        ring = self.ring
        end = 4 * self.filled
        i = 0
        while i < end and ring[i] <= now_us:
            tick = (ring[i] + self.offset_us) & MASK
            if ring[i + 3]:
                sensor.peg(tick, ring[i + 1], ring[i + 2])
            else:
                sensor.index(tick, ring[i + 1], ring[i + 2])
            i += 4
        if i:
            for j in range(i, end):
                ring[j - i] = ring[j]
            self.filled = (end - i) // 4
