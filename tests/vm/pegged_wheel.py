"""A wheel for tests of the sensing core on both interpreters: it is told how to move, count by count.

Pegs bend the clapper within a tenth of a section of their lines, the index is counts 0..2 of a turn. `coast` slows down
as a wheel does; `turn` keeps one speed. What the sensors see can be spoilt: see the attributes.
"""

from math import sqrt

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.spin import SpinSensor
from tabletop.ticks import MASK

TICK_US = 10_000
SLOWING = 300  # counts/s2 at 2160 a turn: 0.14 turn/s2


class PeggedWheel:
    def __init__(self, at=20, counts_per_turn=2160, known=True, now_us=0, sections=54):
        self.config = WheelConfig(counts_per_turn, sections)
        self.sensor = SpinSensor(self.config)
        self.cpt = counts_per_turn
        self.sections = sections
        self.fine = 4 * at + 2  # quarters of a count
        self.start = at
        self.now_us = now_us
        self.next_tick = now_us + TICK_US
        self.spins = []
        self.clapper = None  # 0 or 1: stuck
        self.index_works = True
        self.frozen = False  # the encoder shows nothing new
        self.slip = 0  # counts by which the encoder's shaft has turned in its coupling
        self.lost = 0  # counts that were never counted
        self.every_count = True  # False: the count is read once a tick, as on the chip
        self.bent_was = self.index_was = 0
        self.seen = 0
        self.sensor.encoder(self.tick_us(), 0)
        if known:
            self.sensor.at(at)
        self.edges()

    @property
    def at(self):
        return self.fine >> 2

    def tick_us(self):
        return self.now_us & MASK

    def count(self):
        """The encoder's count, 0 where it was switched on."""
        if not self.frozen:
            self.seen = self.at + self.slip - self.start - self.lost
        return self.seen

    def bent(self):
        if self.clapper is not None:
            return self.clapper
        within = self.fine * self.sections % (4 * self.cpt)
        return 1 if within * 10 <= 4 * self.cpt or within * 10 >= 36 * self.cpt else 0

    def edges(self):
        count = self.count()
        bent = self.bent()
        index = 1 if self.index_works and (self.at + self.slip) % self.cpt < 3 else 0
        if index != self.index_was:
            self.index_was = index
            self.sensor.index(self.tick_us(), count, index)
        if bent != self.bent_was:
            self.bent_was = bent
            self.sensor.peg(self.tick_us(), count, bent)

    def wait(self, us):
        end = self.now_us + us
        while self.next_tick <= end:
            self.now_us = self.next_tick
            self.next_tick += TICK_US
            if not self.every_count:
                self.sensor.encoder(self.tick_us(), self.count())
            spin = self.sensor.tick(self.tick_us())
            if spin is not None:
                self.spins.append(spin)
        self.now_us = end

    def rest(self, ms=2000):
        self.wait(ms * 1000)
        return self

    def step(self, way, us):
        at = self.at
        for part in range(4):
            self.wait(us * (part + 1) // 4 - us * part // 4)
            self.fine += way
            if self.at != at:
                at = self.at
                if self.every_count:
                    self.sensor.encoder(self.tick_us(), self.count())
            self.edges()

    def turn(self, counts, us_a_count=500):
        """Moves by `counts` at one speed."""
        way = 1 if counts > 0 else -1
        for _ in range(abs(counts)):
            self.step(way, us_a_count)
        return self

    def coast(self, counts, leave=0, slowing=SLOWING):
        """Moves by `counts`, slowing down so that it would rest `leave` counts later."""
        way = 1 if counts > 0 else -1
        slowing = slowing * self.cpt / 2160
        for left in range(abs(counts), 0, -1):
            self.step(way, int(1_000_000 / sqrt(2 * slowing * (left + leave))))
        return self

    def back(self, counts, way, ms=25):
        """A peg throws the wheel back, slowly, and it slows down."""
        for left in range(counts, 0, -1):
            self.step(way, int(ms * 500 * sqrt(counts / left)))
        return self
