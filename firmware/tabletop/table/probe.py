"""What the sensors say before anybody judges it, and lamps as a host wants them: for the tool that tests the table.

In memory only from a host's first PROBE or LAMPS until it says so, or has not asked for `_LEASE_MS`. It takes nothing
from the table: every reading goes on to the sensor, and a counted spin stays one.
"""

import gc
import struct

from tabletop import ticks
from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.table.loaned import give_back

_EVENTS = const(256)  # a second of a fast wheel, in 2 KB
_REPLY = const(64)  # of one answer: the link keeps the last eight
_LEASE_MS = const(5000)
_INDEX = const(1)  # kind of an event; 0: the encoder at a tick
_PEG = const(2)
_ILLEGAL = const(3)


def start(table) -> "Probe":
    """From now on `table.probe` is one."""
    table.probe = Probe(table)
    return table.probe


class Probe:
    """Stands between wheel and sensor. An event is two words: ticks of microseconds, then
    low 24 bits of the count << 6 | kind << 4 | levels C Z B A (of an edge: of its line alone)."""

    def __init__(self, table) -> None:
        self.table = table
        gc.collect()
        self.room = _EVENTS
        while True:  # where memory lies in pieces, fewer do
            try:
                self.ring = bytearray(8 * self.room)
                break
            except MemoryError:
                self.room >>= 1
                if self.room < _REPLY:
                    raise
        self.filled = self.read = 0  # events, counted on
        self.lost = 0  # events for which there was no room
        self.count = table.sensor.count
        self.hold = False  # buttons do nothing but show in the answers
        self.strip = ""  # of LEDs that show what the host wants, and how many it has
        self.size = 0
        self.asked_ms = table.hal.clock.line_ms()

    # between wheel and sensor

    def encoder(self, t_us: int, count: int) -> None:
        if count != self.count:
            self._keep(t_us, count, self.table.hal.wheel.levels())
        (self.table.mirror or self.table.sensor).encoder(t_us, count)

    def index(self, t_us: int, count: int, level: int) -> None:
        self._keep(t_us, count, _INDEX << 4 | (4 if level else 0))
        (self.table.mirror or self.table.sensor).index(t_us, count, level)

    def peg(self, t_us: int, count: int, level: int) -> None:
        self._keep(t_us, count, _PEG << 4 | (8 if level else 0))
        (self.table.mirror or self.table.sensor).peg(t_us, count, level)

    def illegal(self, t_us: int, n: int) -> None:
        for _ in range(n):
            self._keep(t_us, self.count, _ILLEGAL << 4)
        (self.table.mirror or self.table.sensor).illegal(t_us, n)

    def _keep(self, t_us: int, count: int, word: int) -> None:
        self.count = count
        if self.filled - self.read == self.room:
            self.lost += 1
            return
        struct.pack_into("<II", self.ring, 8 * (self.filled % self.room), t_us, (count & 0xFFFFFF) << 6 | word)
        self.filled += 1

    # what the host says

    def on_probe(self, args: dict, _origin) -> dict:
        """The events since the last answer, as many as fit, and how everything is now."""
        table = self.table
        self.asked_ms = table.hal.clock.line_ms()
        self.hold = args["hold"] and table.play.test
        begin = self.read % self.room
        end = min(begin + min(self.filled - self.read, _REPLY), self.room)
        self.read += end - begin
        reply = {
            "data": bytes(memoryview(self.ring)[8 * begin : 8 * end]),
            "more": self.filled - self.read, "lost": self.lost,
            "levels": table.hal.wheel.levels(), "count": self.count, "inputs": table.bits,
            "moving": table.sensor.moving,
        }  # fmt: skip
        sensor = table.sensor
        if sensor.homed:
            reply["at"] = (self.count - sensor.lines.zero) % sensor.config.counts_per_turn
        if not args["on"]:
            self.end()
        return reply

    def on_lamps(self, args: dict, _origin) -> dict:
        """`grb` on `count` LEDs of a strip from `first` on, the others dark; digits, tower and lamps as given."""
        table = self.table
        board, lights = table.hal.board, table.hal.lights
        strip, first, count, grb = args["strip"], args["first"], args["count"], args["grb"]
        size = board.get(strip + "_leds", 0) or board.get(strip, 0) or board.get(strip[:-1] + "_leds", 0)
        if not table.play.test or table.play.round is not None:
            raise Refused(4001, command="LAMPS", phase=table.phase, advice="switch to test mode, between rounds")
        if strip not in ("rim", "inner", "tiles") or size < 1:
            raise Refused(4009, field="strip", value=strip[:16], choice="a strip that the board has")
        if len(grb) != 3 or first < 0 or count < 0 or first + count > size:
            raise Refused(4009, field="count", value=count, choice="3 bytes of colour, LEDs 0 to %d" % (size - 1))
        self.asked_ms = table.hal.clock.line_ms()
        self._darken(strip)
        self.strip, self.size = strip, size
        frame = bytearray(3 * size)
        for at in range(3 * first, 3 * (first + count), 3):
            frame[at : at + 3] = grb
        getattr(lights, strip)(frame)
        digits = args["digits"]
        for i in range(min(len(digits), len(table.show.texts))):
            lights.digits(i, digits[i][:8])
        lights.tower(args["tower"])
        lights.lamps(args["lamps"])
        return {"leds": size}

    def _darken(self, but: str) -> None:
        if self.strip != but and self.size:
            getattr(self.table.hal.lights, self.strip)(bytearray(3 * self.size))

    def watch(self) -> None:
        """Once a tick: nobody asks any more, and all is as it was."""
        if ticks.since(self.table.hal.clock.line_ms(), self.asked_ms) > _LEASE_MS:
            self.end()

    def end(self) -> None:
        """Lets go of sensor, buttons and lamps."""
        table = self.table
        table.probe = None
        if self.strip:
            self._darken("rim")
            table.show.again()
        give_back("probe")
