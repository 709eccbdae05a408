"""Draws that somebody wrote down: given to a game in their order, and checked.

The contract of every provider of draws (`step(state, input, draws)`); each draw is durable before anybody uses it:

    uniform(name, n)          -> 0..n-1                           range n
    weighted(name, weights)   -> index into the integer weights   range len(weights); never one of weight 0
    shuffle(name, n)          -> list: the numbers 0..n-1 in their drawn order      range n
    choose(name, k, n)        -> list: k different numbers of 0..n-1, in their drawn order      range n

`tabletop.chance.draws` makes them, `tabletop.drawn` gives those of a journal again, this module those of a script,
where a value is what the draw gives and not what the generator gave for it.
"""


class Scripted:
    """Gives `records`: lists [name, range, value], of which a range of 0 is not compared.

    ValueError names the draw by its place from 1, its value and its limit.
    """

    def __init__(self, records: list) -> None:
        self.records = records
        self.used = 0

    def uniform(self, name: str, n: int) -> int:
        return self._number(name, self._take(name, n), n)

    def weighted(self, name: str, weights: list) -> int:
        value = self._number(name, self._take(name, len(weights)), len(weights))
        if not weights[value]:
            raise ValueError("draw %d (%s) is %d, which has weight 0" % (self.used, name, value))
        return value

    def shuffle(self, name: str, n: int) -> list:
        return self._numbers(name, self._take(name, n), n, n)

    def choose(self, name: str, k: int, n: int) -> list:
        return self._numbers(name, self._take(name, n), k, n)

    def finish(self) -> None:
        """ValueError unless every record was used."""
        if self.used < len(self.records):
            name = self.records[self.used][0]
            raise ValueError("draw %d (%s) is one too many: the round used %d" % (self.used + 1, name, self.used))

    def _take(self, name: str, n: int):
        """The value of the next record, whose name and range must be those asked for."""
        place = self.used + 1
        if self.used == len(self.records):
            raise ValueError("draw %d (%s of %d) is missing: there are %d" % (place, name, n, self.used))
        record = self.records[self.used]
        if record[0] != name:
            raise ValueError("draw %d is named %s, but the game draws %s" % (place, record[0], name))
        if record[1] and record[1] != n:
            raise ValueError("draw %d (%s) is of %s, but the game draws of %d" % (place, name, record[1], n))
        self.used = place
        return record[2]

    def _number(self, name: str, value, n: int) -> int:
        if type(value) is not int or not 0 <= value < n:
            raise ValueError("draw %d (%s) is %s, but must be from 0 to %d" % (self.used, name, value, n - 1))
        return value

    def _numbers(self, name: str, value, k: int, n: int) -> list:
        if not isinstance(value, (list, tuple)) or len(value) != k:
            raise ValueError("draw %d (%s) must be a list of %d numbers" % (self.used, name, k))
        seen = set()
        for item in value:
            if self._number(name, item, n) in seen:
                raise ValueError("draw %d (%s) holds %d twice" % (self.used, name, item))
            seen.add(item)
        return list(value)
