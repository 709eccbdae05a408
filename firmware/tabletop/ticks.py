"""Arithmetic on wrapping clock ticks: the counter starts again at 2**30, as MicroPython's does.

Ticks are integers in 0 .. 2**30 - 1, of microseconds or milliseconds. They are only ever compared
through `diff`; plain subtraction is wrong after the wrap (12.4 days in milliseconds, 17.9 minutes
in microseconds). Two ticks further apart than `HALF` cannot be told from their opposites, so
whoever waits longer than that must saturate.
"""

PERIOD = 0x40000000
HALF = 0x20000000
MASK = 0x3FFFFFFF


def diff(end: int, start: int) -> int:
    """Signed ticks from `start` to `end`, in -HALF .. HALF - 1."""
    return ((end - start + HALF) & MASK) - HALF


def add(start: int, delta: int) -> int:
    """The tick `delta` after `start` (before it, when negative)."""
    return (start + delta) & MASK
