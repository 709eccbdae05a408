"""Draws: numbers without bias, each with a name, its ranges, its values and a running number, committed before use.

What the values mean is in `tabletop.drawn`.
"""

from tabletop.chance.uniform import uniform
from tabletop.drawn import Named


class Draws(Named):
    """Named draws from one source of bytes.

    `commit(number, name, ranges, values)` must return only when the draw is safe in the journal; whatever it raises
    passes through, the value is never seen and never drawn again under that number. `number` is that of the last draw
    journalled.
    """

    def __init__(self, source, commit, number: int = 0):
        self._source = source
        self._commit = commit
        self.number = number

    def draw(self, name: str, ranges: list) -> list:
        """One uniform value a range."""
        values = [uniform(self._source, n) for n in ranges]
        number = self.number + 1
        self._commit(number, name, ranges, values)
        self.number = number  # only now: a draw that was not committed takes none
        return values
