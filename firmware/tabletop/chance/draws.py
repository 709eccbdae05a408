"""Draws: numbers without bias, each with a name, its ranges, its values and a running number, committed before use.

Every draw is a list of ranges (n1, n2, ...) and values (each 0 <= value < its range), one uniform choice each; what a
weighted choice, a shuffle or a choice of k makes of them is a pure function, so that a host replays any draw
from its record.
"""

from tabletop.chance.uniform import uniform
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
        raise ValueError("the weights add up to %d, but must to 1 to 2^32" % total)
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


class Draws:
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
        self.number += 1
        self._commit(self.number, name, ranges, values)
        return values

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
