"""Tick arithmetic over the wrap at 2**30 (field case 51)."""

from tabletop import ticks
from tabletop.hal.rp2 import clock

DAY = 86_400_000


def test_case_51_a_difference_is_right_over_the_wrap():
    start = ticks.PERIOD - 1500
    assert ticks.add(start, 3000) == 1500
    assert ticks.diff(1500, start) == 3000
    assert ticks.diff(start, 1500) == -3000
    assert ticks.since(1500, start) == 3000


def test_differences_reach_to_half_a_period_and_no_further():
    assert ticks.diff(ticks.HALF - 1, 0) == ticks.HALF - 1
    assert ticks.diff(ticks.HALF, 0) == -ticks.HALF
    assert ticks.diff(7, 7) == 0


def test_case_51_how_long_ago_something_was_is_right_for_twelve_days():
    for then in (0, 1, ticks.HALF, ticks.PERIOD - 1):
        for gone in (0, 1, 7 * DAY, ticks.HALF, 12 * DAY):
            assert ticks.since(ticks.add(then, gone), then) == gone
        for ahead in (1, 10, 30_000):  # the tick that began before it, maybe a long one
            assert ticks.since(then, ticks.add(then, ahead)) == 0
        assert ticks.since(then, -1) == ticks.MASK, "what never was is long ago"


def test_case_51_a_chip_that_nobody_asks_for_weeks_tells_its_uptime():
    class Time:
        now_ms = 1000

        def ticks_ms(self):
            return self.now_ms & ticks.MASK

        ticks_us = ticks_ms

    class Board:
        def __init__(self):
            self.bytes_come = self

        def serve(self):
            pass

        def ipoll(self, _ms):
            return ()

    real, clock.time = clock.time, Time()
    try:
        chip = clock.Clock(Board())
        clock.time.now_ms += 60_000
        assert chip.uptime_ms() == 60_000
        for days in (7, 7, 12, 6, 40):
            before = chip.uptime_ms()
            for _ in range(days * 4):  # the idle table ticks on
                clock.time.now_ms += DAY // 4
                chip.wait(10)
            assert chip.uptime_ms() - before == days * DAY
    finally:
        clock.time = real
