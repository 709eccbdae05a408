"""Shows every outcome of a draw to the monitor, and records its alarms; loaded at the first draw of a start."""

from tabletop import cbor
from tabletop.chance.monitor import Monitor
from tabletop.const import const
from tabletop.drawn import weighted_index
from tabletop.journal import kinds
from tabletop.table.records import Stop

_RNG_REPEATS = const(62)  # tilt
_FIRST_DRAWS = const(34)  # of a start, to compare: as many bits must it say, one a draw at least


class Watching:
    """Knows the earlier starts that the journal still holds."""

    def __init__(self, table) -> None:
        self.table = table
        self.monitor = Monitor()
        for start in self._earlier_starts():
            self.monitor.remember(start)

    def add(self, name: str, weights: "list | None", n: int, outcome: int) -> None:
        """One outcome: uniform of `n`, or chosen by `weights`. The first alarm since service is an ALERT record.

        Stop, with its tilt in the journal before anything else, when draws have come a second time.
        """
        table, monitor = self.table, self.monitor
        rng = table.rng
        if weights is None:
            weights = [1] * n
        kind = "".join([letter for letter in name if not "0" <= letter <= "9"])  # awards 1 to 21 are one kind
        if kind in monitor.tallies and monitor.tallies[kind].weights != weights:
            kind = name
        alert = monitor.add(kind, weights, outcome)
        repeats = "repeat" in alert or "earlier start" in alert
        if repeats:
            table.tilts.raise_(_RNG_REPEATS, {"reason": alert[:100]})
        if alert and not rng.alert:
            rng.alert = alert
            table.records.write(kinds.ALERT, {"draw": name, "alert": alert, "number": table.records.draws})
            table.changed()
        if repeats:
            raise Stop(_RNG_REPEATS, reason=alert[:100])

    def _earlier_starts(self) -> list:
        """The first outcomes of each start, at most as many as the monitor compares."""
        starts: list = []
        boot = 0
        for record in self.table.journal.records():
            if record.kind != kinds.DRAW or record.boot == self.table.journal.boot:
                continue
            payload = cbor.loads(record.payload)
            values = payload["values"]
            if len(values) != 1:
                continue
            if record.boot != boot:
                boot = record.boot
                starts.append([])
            if len(starts[-1]) < _FIRST_DRAWS:
                weights = payload.get("weights")
                starts[-1].append(weighted_index(weights, values[0]) if weights else values[0])
        return starts
