"""The table's random number generator: tested at start, reseeded each round, its draws recorded, its failure a tilt.

Physical wheels never use it: a round of theirs only reseeds it, as any round does.
"""

from tabletop import cbor, ticks
from tabletop.chance.draws import Draws, uniform, weighted_index
from tabletop.chance.generator import Generator
from tabletop.chance.noise import NoiseSource, RngFailed
from tabletop.journal import kinds
from tabletop.link.endpoint import Refused
from tabletop.table.records import Stop

RNG_FAILED, RNG_REPEATS = 61, 62  # tilts
CYCLE_MS = 1000
RAW_MOST, OUTCOMES_MOST = 4096, 200  # bits and outcomes of one answer: they fit a frame
CELLS_MOST = 256  # outcomes of a draw that is watched


class Rng(Draws):
    """`start()` first. `failed` names the test that stands in the way of draws, "" when none does; `alert` the first
    alarm of the monitor since service. Draws raise Stop, and nothing was drawn, when the noise has failed.
    """

    def __init__(self, table) -> None:
        super().__init__(self._bytes, self._record)
        self.table = table
        self.failed = "not started"
        self.alert = ""
        self._repeats = ""  # an alarm that blocks rounds: values came again
        self._noise: "NoiseSource" = None  # type: ignore[assignment]
        self._generator: "Generator" = None  # type: ignore[assignment]
        self._monitor = None  # made when something was drawn
        self._weights: list = []
        self._cycled_ms = 0
        self._sealed: dict = {}  # name -> (value, nonce) of what is committed to and not yet opened

    def start(self) -> str:
        """Known answer, start-up test of the noise, a fresh instance: "" or what failed."""
        table = self.table
        hal = table.hal
        of = hal.board.get("noise", {})
        self._generator = self._noise = None  # type: ignore[assignment]
        try:
            self._noise = NoiseSource(hal.noise, of.get("bits", 1), of.get("h_milli", 1000))
            self._generator = Generator(self._noise, [hal.serial, table.journal.boot, table.program])
            self.failed = ""
        except RngFailed as failure:
            self.failed = failure.args[0]
        except ValueError as error:
            self.failed = str(error)[:100]
        return self.failed

    def _try(self, work, argument=None):
        """What `work` gives; Stop when the source has failed, now or before."""
        if not self.failed:
            try:
                return work() if argument is None else work(argument)
            except RngFailed as failure:
                self.failed = failure.args[0]
        raise Stop(RNG_FAILED, test=self.failed)

    def _bytes(self, n: int) -> bytes:
        return self._try(self._generator.bytes if self._generator else None, n)

    def reseed(self) -> None:
        """Before each round: fresh entropy. Stop when there is none, or when draws have come a second time."""
        if self._repeats:
            raise Stop(RNG_REPEATS, reason=self._repeats)
        self._try(self._generator.reseed if self._generator else None)

    def cycle(self, now_ms: int) -> None:
        """Background cycling between rounds: the state moves on at moments that no player can time."""
        if not self.failed and ticks.diff(now_ms, self._cycled_ms) >= CYCLE_MS:
            self._cycled_ms = now_ms
            self._try(self._generator.cycle)

    def in_service(self) -> None:
        """Somebody has come to look: alarms are theirs now."""
        self.alert = self._repeats = ""
        self._monitor = None

    # draws

    def uniform(self, name: str, n: int) -> int:
        value = Draws.uniform(self, name, n)
        if n <= CELLS_MOST:
            self._watch(name, None, n, value)
        return value

    def weighted(self, name: str, weights: list) -> int:
        self._weights = weights
        try:
            index = Draws.weighted(self, name, weights)
        finally:
            self._weights = []
        self._watch(name, weights, 0, index)
        return index

    def _record(self, number: int, name: str, ranges: list, values: list) -> None:
        payload = {"number": number, "name": name, "ranges": ranges, "values": values}
        if self._weights:
            payload["weights"] = self._weights
        play = self.table.play
        if play.round is not None:
            payload["round"] = play.number
        self.table.records.write(kinds.DRAW, payload)

    def _watch(self, name: str, weights: "list | None", n: int, outcome: int) -> None:
        monitor = self._monitor
        if monitor is None:
            from tabletop.chance.monitor import Monitor  # a table that never draws needs no memory for it

            monitor = Monitor()
            self._monitor = monitor  # type: ignore[assignment]
            for start in self._earlier_starts():
                monitor.remember(start)
        if weights is None:
            weights = [] if name in monitor.tallies else [1] * n
        alert = monitor.add(name, weights, outcome)
        if alert and not self.alert:
            self.alert = alert
            if "repeat" in alert or "earlier start" in alert:
                self._repeats = alert[:100]
            self.table.records.write(kinds.ALERT, {"draw": name, "alert": alert, "number": self.number})
            self.table.changed()

    def _earlier_starts(self) -> list:
        """The first outcomes of each start that the journal still holds, at most as many as the monitor compares."""
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
            if len(starts[-1]) < 34:  # bits that a start must say, one a draw at least
                weights = payload.get("weights")
                starts[-1].append(weighted_index(weights, values[0]) if weights else values[0])
        return starts

    # hidden values

    def commit(self, name: str, value) -> None:
        """Chooses a hidden `value` now: its hash is in the journal, the value stays in this table's memory."""
        from tabletop.chance.commitment import seal

        nonce = self._bytes(32)
        self.table.records.write(kinds.COMMITTED, {"name": name, "hash": seal(value, nonce)})
        self._sealed[name] = (value, nonce)

    def open(self, name: str):
        """The hidden value, when it is used: the journal shows value and nonce, and anybody can check the hash."""
        value, nonce = self._sealed[name]
        self.table.records.write(kinds.OPENED, {"name": name, "value": value, "nonce": nonce})
        del self._sealed[name]
        return value

    # what a laboratory asks for: methods `on_x`, as in `commands`

    def _marks(self) -> dict:
        return {"emulated": self.table.hal.emulated, "test": self.table.play.test}

    def on_rng_raw(self, args: dict, _origin) -> dict:
        """Raw noise, tested like any other and used for nothing else; samples of one bit are packed, first bit high."""
        wanted = _in_range("bits", args["bits"], RAW_MOST)
        reply = self._marks()
        out = bytearray()
        size = self.table.hal.board.get("noise", {}).get("bits", 1)
        byte = count = 0
        while 8 * len(out) < wanted:
            for sample in self._try(self._noise.raw if self._noise else None):
                byte = byte << size & 0xFF | sample
                count += size
                if not count & 7 and 8 * len(out) < wanted:
                    out.append(byte)
        reply["data"] = bytes(out)
        reply["bits"] = size
        return reply

    def on_rng_outcomes(self, args: dict, _origin) -> dict:
        """Final outcomes through the very `uniform` that draws use; they are no draws, and take no number."""
        wanted = _in_range("n", args["n"], OUTCOMES_MOST)
        n = _in_range("range", args["range"], 1 << 32)
        reply = self._marks()
        reply["values"] = [uniform(self._bytes, n) for _ in range(wanted)]
        return reply


def _in_range(field: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise Refused(4009, field=field, value=value, choice="a whole number from 1 to %d" % most)
    return value
