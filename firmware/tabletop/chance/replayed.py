"""The draws of a round again, from the journal: how a table resumes after a power cut, and a host replays."""

from tabletop.chance.draws import Draws


class Replayed(Draws):
    """Gives `records` [[number, name, ranges, values], ...] first; then draws on, under the next numbers.

    `source`, `commit` and `number` are those of Draws. A host has no source: there a further draw is an error.
    ValueError when a record is not of the draw that the game asks for: then journal and rules contradict each other.
    """

    def __init__(self, records: list, source=None, commit=None, number: int = 0) -> None:
        super().__init__(source, commit, number)
        self._records = records
        self.used = 0

    def draw(self, name: str, ranges: list) -> list:
        if self.used == len(self._records):
            if self._source is None:
                raise ValueError("the draw %s is not in the journal" % name)
            return Draws.draw(self, name, ranges)
        number, recorded, recorded_ranges, values = self._records[self.used]
        if recorded != name or list(recorded_ranges) != ranges or len(values) != len(ranges):
            raise ValueError("draw %d is %s, but the game draws %s" % (number, recorded, name))
        for i in range(len(ranges)):
            if not 0 <= values[i] < ranges[i]:
                raise ValueError("draw %d (%s) has %d outside of %d" % (number, name, values[i], ranges[i]))
        self.used += 1
        return list(values)
