"""The table's random number generator: tested at each start, in memory only while it is needed, its failure a tilt.

A table whose game draws holds it from its start. A physical wheel never draws: its table tests the generator at each
start, and lets it go again.
"""

import gc

from tabletop import ticks
from tabletop.const import const
from tabletop.table.loaned import give_back
from tabletop.table.records import Stop

RNG_FAILED = 61  # tilt
_CYCLE_MS = const(1000)
_REST_MS = const(5000)


class Rng:
    """`start()` first. `failed` names the test that stands in the way of draws, "" when none does; `alert` the first
    alarm of the monitor since service.
    """

    def __init__(self, table) -> None:
        self.table = table
        self.failed = "not started"
        self.alert = ""
        self.source = None  # noise and generator, while they are in memory
        self.drawing = None  # made at the first draw of a start, and then kept
        self._drawn = False  # from then on other modules use the generator's code
        self._cycled_ms = self._used_ms = -1

    def start(self) -> str:
        """Known answer, start-up test of the noise, a fresh instance: "" or what failed."""
        self.source = self.drawing = None
        self.failed = ""
        try:
            self._load()
        except Stop:
            pass
        except Exception as error:
            self.failed = ("%s %s" % (type(error).__name__, error))[:100]
        self._let_go()
        return self.failed

    def draws(self):
        """What games draw from (`drawing.Drawing`), kept from now on; Stop when the noise has failed."""
        source = self._load()
        self._drawn = True
        if self.drawing is None:
            from tabletop.table.drawing import Drawing

            self.drawing = Drawing(source)  # type: ignore[assignment]
        return self.drawing

    def _load(self):
        if self.failed:
            raise Stop(RNG_FAILED, test=self.failed)
        if self.source is None:
            gc.collect()
            from tabletop.table.source import Source

            self.source = Source(self)  # type: ignore[assignment]
        self._used_ms = self.table.hal.clock.ms()
        return self.source

    def _let_go(self) -> None:
        """Frees the memory of a generator that this table needs no more."""
        if self._drawn or self._needed():
            return
        if self.source is not None:
            self.source.end()
            self.source = None
        give_back("source", "drawing", "watching", "chance")  # all that builds on it goes with it

    def reseed(self) -> None:
        """Before each round: fresh entropy. Stop when there is none."""
        if self.failed:
            raise Stop(RNG_FAILED, test=self.failed)
        gc.collect()
        if self.source is not None:  # else there is nothing to look for, which takes a chip 90 ms
            self._let_go()
        if self.source is not None or self._needed():
            self._load().reseed()

    def _needed(self) -> bool:
        """The game that is played draws, as its source says."""
        return "RNG" in getattr(self.table.settings.game, "SOURCE", "")

    def cycle(self, now_ms: int, idle: bool) -> None:
        """Background cycling between rounds (`idle`): the state moves on at moments that no player can time."""
        if self.source is None or ticks.since(now_ms, self._cycled_ms) < _CYCLE_MS:
            return
        self._cycled_ms = now_ms
        if self.failed or ticks.since(now_ms, self._used_ms) >= _REST_MS:
            self._let_go()
        if idle and self.source is not None and not self.failed:
            self.source.cycle()

    def in_service(self) -> None:
        """Somebody has come to look: alarms are theirs now."""
        self.alert = ""
        if self.drawing is not None:
            self.drawing.watched = None

    # what a laboratory asks for: methods `on_x`, as in `commands`

    def on_rng_raw(self, args: dict, _origin) -> dict:
        return self._load().raw(args)

    def on_rng_outcomes(self, args: dict, _origin) -> dict:
        return self._load().outcomes(args)
