"""Tick arithmetic over the wrap at 2**30 (field case 51)."""

from tabletop import ticks


def test_case_51_a_difference_is_right_over_the_wrap():
    start = ticks.PERIOD - 1500
    assert ticks.add(start, 3000) == 1500
    assert ticks.diff(1500, start) == 3000
    assert ticks.diff(start, 1500) == -3000


def test_differences_reach_to_half_a_period_and_no_further():
    assert ticks.diff(ticks.HALF - 1, 0) == ticks.HALF - 1
    assert ticks.diff(ticks.HALF, 0) == -ticks.HALF
    assert ticks.diff(7, 7) == 0
