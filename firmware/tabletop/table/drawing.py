"""The draws of a table whose game draws: each named, and a record before anybody has its value."""

from tabletop.chance.draws import Draws
from tabletop.const import const
from tabletop.journal import kinds

_CELLS_MOST = const(256)  # outcomes of a draw that is watched


class Drawing(Draws):
    """Draws from the table's `source` (source.Source). Stop, and nothing was drawn, when the noise has failed."""

    def __init__(self, source) -> None:
        self.table = source.table
        super().__init__(source.bytes, self.record, self.table.records.draws)
        self.bytes = source.bytes
        self.watched = None  # made when something was drawn
        self._weights: list = []

    def uniform(self, name: str, n: int) -> int:
        value = Draws.uniform(self, name, n)
        if n <= _CELLS_MOST:
            self.watch(name, None, n, value)
        return value

    def weighted(self, name: str, weights: list) -> int:
        self._weights = weights
        try:
            index = Draws.weighted(self, name, weights)
        finally:
            self._weights = []
        self.watch(name, weights, 0, index)
        return index

    def commit(self, name: str, n: int) -> None:
        """A hidden value, chosen and published."""
        from tabletop.table import hidden  # few games have any

        hidden.commit(self.table, name, n)

    def look(self, name: str) -> int:
        from tabletop.table import hidden

        return hidden.look(self.table, name)

    def disclose(self, name: str) -> int:
        from tabletop.table import hidden

        return hidden.disclose(self.table, name)

    def record(self, number: int, name: str, ranges: list, values: list) -> None:
        """Commits one draw."""
        payload = {"number": number, "name": name, "ranges": ranges, "values": values}
        if self._weights:
            payload["weights"] = self._weights
        play = self.table.play
        if play.round is not None:
            payload["round"] = play.number
        self.table.records.write(kinds.DRAW, payload)

    def watch(self, name: str, weights: "list | None", n: int, outcome: int) -> None:
        """Shows one outcome to the monitor: uniform of `n`, or chosen by `weights`."""
        if self.watched is None:
            from tabletop.table.watching import Watching

            self.watched = Watching(self.table)  # type: ignore[assignment]
        self.watched.add(name, weights, n, outcome)  # type: ignore[attr-defined]
