"""Arithmetic on wrapping clock ticks: the counter starts again at 2**30, as MicroPython's does.

Ticks are integers in 0 .. 2**30 - 1, of microseconds or milliseconds. Plain subtraction is wrong after the wrap (12.4
days in milliseconds, 17.9 minutes in microseconds). Two questions have one answer each:

    since(now, then)   how long ago was `then`? For all that waits, times out or is due: `then` may be long ago
    diff(end, start)   which came first, and by how much? For two moments less than `HALF` apart
"""

from tabletop.const import const

PERIOD = 0x40000000
HALF = 0x20000000
MASK = 0x3FFFFFFF
_AHEAD = const(0x3FFF0000)  # from here on `then` is ahead of `now`: by 65 seconds, or 65 milliseconds, at most


def since(now: int, then: int) -> int:
    """Ticks gone by since `then`; MASK when it is -1: never.

    0 when it is a little ahead: a tick of the table has one `now`, and what happens in it is later. What is a whole
    PERIOD ago looks new again: a wait may begin once more then, but it ends.
    """
    if then < 0:
        return MASK
    gone = (now - then) & MASK
    return gone if gone < _AHEAD else 0


def diff(end: int, start: int) -> int:
    """Signed ticks from `start` to `end`, in -HALF .. HALF - 1."""
    return ((end - start + HALF) & MASK) - HALF


def add(start: int, delta: int) -> int:
    """The tick `delta` after `start` (before it, when negative)."""
    return (start + delta) & MASK
