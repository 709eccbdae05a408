"""What encoder, index and clapper report of the wheel, with the faults a technician meets.

The encoder's shaft carries A, B and the index; the clapper sits on the frame. Edges are latched with the
exact time and count of the wheel's step and handed to the SpinSensor in order, however seldom it polls.
"""

from tabletop.hal.virtual.wheel import TURN
from tabletop.ticks import MASK


class Sensors:
    """The wheel's three sensors. Counts begin at 0 where the wheel stands, as a chip's counter does at power-on."""

    def __init__(self, wheel, counts_per_turn: int, index_width_counts: int = 3, offset_us: int = 0):
        self.wheel = wheel
        self.counts_per_turn = counts_per_turn
        self.index_grains = (index_width_counts * TURN + counts_per_turn - 1) // counts_per_turn
        self.offset_us = offset_us  # the tick of the table's clock when the wheel's time was 0
        # t_us, count, level, 1 peg or 0 index, of 16 edges, which wait for the clock: three a step, five with noise
        self.ring = [0] * 64
        self.filled = 0
        self.faults = None  # a Faults as soon as there is one
        self.slip = 0  # grains by which the encoder's shaft has turned in its coupling
        self.zero = 0
        self.zero = self.count(wheel.at)
        self.turn = wheel.at // TURN
        self.index_level = wheel.at % TURN < self.index_grains
        self.clapper_level = False  # as reported; a clapper bent at power-on is an edge of the first poll
        self.clapper(0)

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
            if self.faults:
                self.faults.due(wheel.t_us)
            if self.filled > 10:
                self._hand_over(sensor, now_us)
        if self.faults:
            self.faults.due(now_us)
        self._hand_over(sensor, now_us)
        tick = (now_us + self.offset_us) & MASK
        count = self._seen(self.count(self.at(now_us)))
        if self.faults:
            count += self.faults.noise(sensor, tick)
        sensor.encoder(tick, count)

    def levels(self, now_us: int) -> int:
        """What stands on the pins of A, B, Z and the clapper: bits 1, 2, 4, 8."""
        count = self.count(self.at(now_us))
        index = self.index_level
        if self.faults:
            a, b = self.faults.lines(count)
            index = index and self.faults.index()
        else:
            a, b = (count + 1 & 3) >> 1, (count & 3) >> 1
        return a | b << 1 | (4 if index else 0) | (8 if self.clapper_level else 0)

    def fault_at(self, t_us: int, name: str, value: int, board=None) -> None:
        """Makes or mends a fault (`faults`) when the wheel has come to `t_us`."""
        if self.faults is None:
            from tabletop.hal.virtual.faults import Faults

            self.faults = Faults(self)  # type: ignore[assignment]
        self.faults.at(t_us, name, value, board)  # type: ignore[attr-defined]

    def _seen(self, count: int) -> int:
        return self.faults.seen(count) if self.faults else count

    def _look(self) -> None:
        wheel = self.wheel
        was = wheel.was_at + self.slip
        if self.faults:
            self.faults.step((wheel.at + self.slip) // TURN != self.turn)
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
        self.clapper(wheel.t_us)

    def _index(self, was: int, edge: int, shaft: int, backward: int, level: bool) -> None:
        if min(was, shaft) < edge <= max(was, shaft) and level != self.index_level:
            self.index_level = level
            if not self.faults or self.faults.index():
                wheel = self.wheel
                t_us = wheel.was_us + (wheel.t_us - wheel.was_us) * (edge - was) // (shaft - was)
                self.latch(t_us, self.count(edge - backward - self.slip), level, 0)

    def clapper(self, t_us: int) -> None:
        level = self.wheel.bent()
        if self.faults:
            level = self.faults.bent(level)
        if level != self.clapper_level:
            self.clapper_level = level
            self.latch(max(t_us, self.wheel.was_us), self.count(self.wheel.at), level, 1)

    def latch(self, t_us: int, count: int, level: bool, peg: int) -> None:
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
