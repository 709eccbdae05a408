"""Counts the edges of encoder channels A and B, where no hardware does it (traces, the virtual table)."""

# What to add for (before << 2 | after), with A in bit 1 and B in bit 0. Forward is 00, 10, 11, 01.
ILLEGAL = 2
STEP = (0, -1, 1, 2, 1, 0, 2, -1, -1, 2, 0, 1, 2, 1, -1, 0)


class Quadrature:
    """Every edge counts; a step follows from the two levels before and after alone, so noise leaves no residue.

    `illegal` counts changes of both channels at once (the count stays: a guess could be wrong both ways),
    `null` calls in which nothing had changed (a pulse that was over before anybody looked).
    """

    def __init__(self, a: int = 0, b: int = 0, count: int = 0):
        self.count = count
        self.illegal = 0
        self.null = 0
        self._levels = a << 1 | b

    def step(self, a: int, b: int) -> int:
        """The count after the levels have become `a` and `b`."""
        levels = a << 1 | b
        step = STEP[self._levels << 2 | levels]
        if step == ILLEGAL:
            self.illegal += 1
        elif step:
            self.count += step
        else:
            self.null += 1
        self._levels = levels
        return self.count
