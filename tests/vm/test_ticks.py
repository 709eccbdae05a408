"""Tick arithmetic over the wrap at 2**30 (field case 51)."""

from tabletop import ticks


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
        for gone in (0, 1, 604_800_000, ticks.HALF, 1_036_800_000):  # a week, twelve days
            assert ticks.since(ticks.add(then, gone), then) == gone
        for ahead in (1, 10, 30_000):  # the tick that began before it, maybe a long one
            assert ticks.since(then, ticks.add(then, ahead)) == 0
        assert ticks.since(then, -1) == ticks.MASK, "what never was is long ago"
