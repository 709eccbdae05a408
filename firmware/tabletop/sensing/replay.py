"""Feeds a recording, edge by edge, through Quadrature and SpinSensor: one loop for CPython and the MicroPython VM.

A recording arrives as words: the microseconds since the word before << 4 | A << 3 | B << 2 | Z << 1 | C, the levels
after the edge. A gap that does not fit a word is cut into words that repeat the levels.
"""

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.quadrature import Quadrature
from tabletop.sensing.spin import SpinSensor
from tabletop.ticks import MASK, diff

TICK_US = 10_000


class Replay:
    """`on_spin(spin, t_us)` is called for each spin that ends, with the time of the recording, which does not wrap."""

    def __init__(self, config: WheelConfig, levels: int, start_count: int, on_spin, begin_us: int = 0):
        """`levels` as in a word, at `begin_us`; `start_count` of the wheel there, -1 when nobody knows it."""
        self.sensor = SpinSensor(config)
        self.quadrature = Quadrature(levels >> 3, levels >> 2 & 1)
        self.on_spin = on_spin
        self.now_us = begin_us
        self.next_tick_us = begin_us + TICK_US
        self.levels = levels
        if start_count >= 0:
            self.sensor.at(start_count)
        if levels & 1:
            self.sensor.peg(begin_us & MASK, 0, 1)

    def feed(self, words, n: int) -> None:
        """Takes the first `n` of `words`."""
        sensor = self.sensor
        pegs = sensor.pegs
        quadrature = self.quadrature
        step = quadrature.step
        illegal = quadrature.illegal
        count = quadrature.count
        now_us = self.now_us
        levels = self.levels
        low = pegs.low
        high = pegs.high
        for i in range(n):
            word = words[i]
            if now_us + (word >> 4) >= self.next_tick_us:
                sensor.encoder(now_us & MASK, count)
                self._tick_to(now_us + (word >> 4))
                low = pegs.low
                high = pegs.high
            now_us += word >> 4
            word &= 15
            changed = word ^ levels
            levels = word
            if changed & 12:
                count = step(word >> 3, word >> 2 & 1)
                if quadrature.illegal != illegal:
                    illegal = quadrature.illegal
                    sensor.illegal(now_us & MASK, 1)
                # A count within the fence is news to nobody until the next tick, or edge of another line.
                if not low <= count <= high:
                    sensor.encoder(now_us & MASK, count)
                    low = pegs.low
                    high = pegs.high
            if changed & 3:
                t_us = now_us & MASK
                if changed & 2:
                    sensor.index(t_us, count, word >> 1 & 1)
                if changed & 1:
                    sensor.peg(t_us, count, word & 1)
                low = pegs.low
                high = pegs.high
        sensor.encoder(now_us & MASK, count)
        self.now_us = now_us
        self.levels = levels

    def end(self, ends_us: int) -> None:
        """The last levels hold until `ends_us`. A spin that is still under way then is no event."""
        self._tick_to(ends_us)

    def _tick_to(self, t_us: int) -> None:
        while self.next_tick_us <= t_us:
            tick = self.next_tick_us & MASK
            spin = self.sensor.tick(tick)
            if spin is not None:
                self.on_spin(spin, self.next_tick_us - diff(tick, spin.t_us))
            self.next_tick_us += TICK_US
