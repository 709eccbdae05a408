"""A whole number without bias from a source of bytes: rejection sampling, no remainder and no scaling."""

from tabletop.const import const

_MAX_RANGE = const(1 << 32)


def uniform(source, n: int) -> int:
    """0 .. n - 1, all exactly equally likely if the bits of `source(bytes wanted)` are.

    As many whole bytes as n - 1 needs, the spare top bits cut off, drawn again until the value is below n (1 .. 2^32).
    """
    if not 1 <= n <= _MAX_RANGE:
        raise ValueError("a range of %d, but it must be 1 to 2^32" % n)
    mask = 0
    size = 1
    while mask < n - 1:
        mask = mask << 1 | 1
    while mask >> 8 * size:
        size += 1
    while True:
        value = int.from_bytes(source(size), "big") & mask
        if value < n:
            return value
