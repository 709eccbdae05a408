"""A manual shaker, 58 Pa. Code 645c.2(f)(2): the dealer's shakes are counted by the motion sensor under its tray.

Three shakes or more with the lid on, then rest, then the lid comes off: only then may the dice be read. A lid that is
on again before that, or knocks, make the shake none. Time is an argument (ticks, ms); nothing is allocated before a
shake ends.
"""

from tabletop import ticks
from tabletop.const import const
from tabletop.sensing.shaker import IDLE, NO_ROLL, ROLLED, SHAKEN, SHAKING, Contact, Shake

_LEAST = const(3)  # shakes
_GAP_MS = const(150)  # knocks closer together are of one shake
_SHAKE_MS = const(80)  # a shake lasts for so long; what is shorter is a touch
_REST_MS = const(1000)  # without a knock: the dice lie
_BUMPS = const(3)  # knocks while they lie that may have turned one


class HandShaker:
    """`lid` and `motion` are edges, with their times; `tick` at least every 10 ms. `count` shakes so far."""

    def __init__(self) -> None:
        self.phase = IDLE  # or SHAKING, as long as the dealer may shake, or ROLLED, until the dice are read
        self.count = 0
        self.knocks = 0
        self.lid_closed = Contact()
        self._level = 0
        self._knock_ms = -1
        self._run_ms = self._first_ms = 0
        self._counted = False  # the shake that goes on

    def lid(self, t_ms: int, closed: bool) -> None:
        self.lid_closed.edge(t_ms, closed)

    def lock(self, _t_ms: int, _locked: bool) -> None:
        """It has none."""

    def motion(self, t_ms: int, level: int) -> None:
        """An edge of the motion sensor: level 1 is a knock."""
        if level == self._level:
            return
        self._level = level
        if not level:
            return
        if not self.knocks or ticks.since(t_ms, self._knock_ms) > _GAP_MS:
            self._run_ms = t_ms
            self._counted = False
        self._knock_ms = t_ms
        if not self.knocks:
            self._first_ms = t_ms
        self.knocks += 1
        if not self._counted and ticks.since(t_ms, self._run_ms) >= _SHAKE_MS:
            self._counted = True
            self.count += 1

    def arm(self, t_ms: int, _seat: int, wagers: int) -> str:
        """(f) Wagers are placed and closed, the lid is on: the dealer may shake. "" or why not."""
        if not wagers:
            return "NO_WAGERS"
        self.lid_closed.look(t_ms)
        if not self.lid_closed.sure():
            return "LID_OPEN"
        self.phase = SHAKING
        self.count = self.knocks = 0
        return ""

    def disarm(self, _t_ms: int) -> None:
        """The dice are taken, or the round is off."""
        self.phase = IDLE

    def tick(self, t_ms: int) -> "Shake | None":
        """A Shake when the lid has come off: SHAKEN, or why the dice under it count for nothing.

        Another one when what was SHAKEN cannot be believed any more.
        """
        self.lid_closed.look(t_ms)
        if self.phase == ROLLED:
            return self._lying(t_ms)
        if self.phase == IDLE or self.lid_closed.on:
            return None
        why = ""
        if not self.knocks:
            why = "NO_MOTION"
        elif self.count < _LEAST:
            why = "TOO_SHORT"
        elif ticks.since(t_ms, self._knock_ms) < _REST_MS:
            why = "NO_REST"
        lasted_ms = ticks.since(self._knock_ms, self._first_ms) if self.knocks else 0
        return self._end(why, lasted_ms)

    def _lying(self, t_ms: int) -> "Shake | None":
        """The dice lie open: whether they still lie as they were shaken."""
        if self.lid_closed.on:
            return self._end("LID_CLOSED", 0)
        if self.knocks >= _BUMPS:
            return self._end("MOVED", 0)
        if ticks.since(t_ms, self._knock_ms) >= _REST_MS:
            self.knocks = 0
        return None

    def _end(self, why: str, lasted_ms: int) -> "Shake":
        shake = Shake(NO_ROLL if why else SHAKEN, why, lasted_ms, self.knocks)
        self.phase = IDLE if why else ROLLED
        self.knocks = 0
        return shake
