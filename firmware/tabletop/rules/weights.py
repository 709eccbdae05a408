"""Weighted tables of a game's settings: [[value, weight], ...], checked once and drawn by name.

The regulation says that a multiplier is random and leaves open how likely each is. That is a setting: a list
of pairs, of which the chance of a value is its weight over the sum of all. Texts name place, value and limit.
"""

from tabletop.const import const

TOP_TOTAL = const(2**32)  # the sum that one weighted draw can serve
_TOP_ROWS = const(64)


def check(place: str, table, low: int, high: int) -> None:
    """ValueError unless `table` holds pairs of values rising from `low` to `high`, each with a weight of 1 or more."""
    listed(place, table, 1, _TOP_ROWS)
    last = low - 1
    for n in range(len(table)):
        pair = table[n]
        where = "%s[%d]" % (place, n)
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError("%s is %s, but must be a pair of value and weight" % (where, pair))
        value = pair[0]
        whole(where, value, low, high)
        if value <= last:
            raise ValueError("%s: value %d must be above %d, the one before it" % (where, value, last))
        last = value
        whole(where + ": weight of " + str(value), pair[1], 1, TOP_TOTAL - 1)
    _total(place, [pair[1] for pair in table])


def check_list(place: str, weights, names) -> None:
    """ValueError unless `weights` holds a weight of 0 or more for each of `names`, and not only zeros."""
    if isinstance(weights, (list, tuple)) and len(weights) < len(names):
        raise ValueError("%s: the weight of %s is missing" % (place, names[len(weights)]))
    listed(place, weights, len(names), len(names))
    for n in range(len(names)):
        whole("%s: weight of %s" % (place, names[n]), weights[n], 0, TOP_TOTAL - 1)
    _total(place, weights)


def listed(place: str, value, low: int, high: int) -> int:
    """The number of entries of a list; ValueError unless it is one of `low` to `high` entries."""
    count = len(value) if isinstance(value, (list, tuple)) else -1
    if not low <= count <= high:
        found = "is no list" if count < 0 else "holds %d entries" % count
        raise ValueError("%s %s, but must hold %s" % (place, found, low if low == high else "%d to %d" % (low, high)))
    return count


def whole(place: str, value, low: int, high: int) -> None:
    """ValueError unless `value` is a whole number from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError("%s is %r, but must be a whole number from %d to %d" % (place, value, low, high))


def draw(draws, name: str, table) -> int:
    """The value of `table` that the draw `name` picks."""
    return table[draws.weighted(name, [pair[1] for pair in table])][0]


def _total(place: str, weights) -> None:
    total = sum(weights)
    if not 0 < total < TOP_TOTAL:
        raise ValueError("%s: the sum of the weights is %d, but must be 1 to %d" % (place, total, TOP_TOTAL - 1))
