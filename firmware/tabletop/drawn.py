"""What the values of a draw mean: names, weights and orders from uniform choices; and the draws of a journal again.

Every draw is a list of ranges (n1, n2, ...) and values (each 0 <= value < its range), one uniform choice each. What a
weighted choice, a shuffle or a choice of k makes of them is a pure function, so that a host replays any draw
from its record.
"""

from tabletop.const import const

_MAX_RANGE = const(1 << 32)


def check_weights(weights: list) -> int:
    """The total of integer weights. ValueError unless each is 0 or more and the total is 1 to 2^32."""
    total = 0
    for i in range(len(weights)):
        weight = weights[i]
        if type(weight) is not int or weight < 0:
            raise ValueError("weight %d is %r, but must be a whole number from 0" % (i, weight))
        total += weight
    if not 1 <= total <= _MAX_RANGE:
        raise ValueError("the sum of the weights is %d, but must be 1 to 2^32" % total)
    return total


def weighted_index(weights: list, value: int) -> int:
    """Which weight `value`, drawn from 0 .. total - 1, falls on."""
    for i in range(len(weights)):
        value -= weights[i]
        if value < 0:
            return i
    raise ValueError("value outside the weights")


def chosen(n: int, values: list) -> list:
    """The first len(values) places of a Fisher-Yates shuffle of 0 .. n - 1, where values[i] was drawn from n - i.

    Each place takes one of what is left; a place that was filled is never touched again.
    """
    items = list(range(n))
    for i in range(len(values)):
        j = i + values[i]
        items[i], items[j] = items[j], items[i]
    return items[: len(values)]


class Named:
    """The draws that a game asks for by name, from a method `draw(name, ranges)` that gives one value a range."""

    def uniform(self, name: str, n: int) -> int:
        """0 .. n - 1."""
        return self.draw(name, [n])[0]

    def weighted(self, name: str, weights: list) -> int:
        """An index into `weights`, each as likely as its weight."""
        return weighted_index(weights, self.draw(name, [check_weights(weights)])[0])

    def choose(self, name: str, k: int, n: int) -> list:
        """k different ones of 0 .. n - 1 in the order drawn; all ordered choices equally likely."""
        if not 1 <= k <= n:
            raise ValueError("%d of %d cannot be chosen" % (k, n))
        return chosen(n, self.draw(name, [n - i for i in range(k)]))

    def shuffle(self, name: str, n: int) -> list:
        """0 .. n - 1 in an order of which all are equally likely; the last place needs no draw. `n` is 1 or more."""
        if n < 1:
            raise ValueError("%d items cannot be shuffled" % n)
        return chosen(n, self.draw(name, [n - i for i in range(n - 1)]) + [0])

    def draw(self, name: str, ranges: list) -> list:
        raise NotImplementedError


class Missing(ValueError):
    """The journal ends before the step has all its draws."""


class Replayed(Named):
    """Gives `records` [[number, name, ranges, values], ...] first, in their order; then what `live` draws.

    A host has nothing live: there a further draw is Missing. ValueError when a record is not of the draw that the
    game asks for: then journal and rules contradict each other.
    """

    def __init__(self, records: list, live=None) -> None:
        self._records = records
        self._live = live
        self.used = 0

    def uniform(self, name: str, n: int) -> int:
        return self._live.uniform(name, n) if self._goes_on(name) else Named.uniform(self, name, n)

    def weighted(self, name: str, weights: list) -> int:
        return self._live.weighted(name, weights) if self._goes_on(name) else Named.weighted(self, name, weights)

    def draw(self, name: str, ranges: list) -> list:
        if self._goes_on(name):
            return self._live.draw(name, ranges)
        number, recorded, recorded_ranges, values = self._records[self.used]
        if recorded != name or list(recorded_ranges) != ranges or len(values) != len(ranges):
            raise ValueError("draw %d is %s, but the game draws %s" % (number, recorded, name))
        for i in range(len(ranges)):
            if not 0 <= values[i] < ranges[i]:
                raise ValueError("draw %d (%s) has %d outside of %d" % (number, name, values[i], ranges[i]))
        self.used += 1
        return list(values)

    def finish(self) -> None:
        """ValueError unless every record was used."""
        if self.used < len(self._records):
            number, name = self._records[self.used][:2]
            raise ValueError("draw %d (%s) is one too many" % (number, name))

    def _goes_on(self, name: str) -> bool:
        if self.used < len(self._records):
            return False
        if self._live is None:
            raise Missing("the draw %s is not in the journal" % name)
        return True
