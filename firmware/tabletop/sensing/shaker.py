"""The shaker of a Pai Gow table, 58 Pa. Code 645c.2: from lid, lock, button and motion to a shake, or why it is none.

A shake counts only when its motion was measured: pulses of the sensor on the cup, none further from the next than
`gap_ms`, for 5 seconds (b)(2). The motor's command proves nothing. Doubt is no roll, a reason, and another shake.
Time is an argument (ticks, ms); nothing is allocated before a shake ends. docs/decisions/0071 says what one sensor
cannot tell.
"""

from tabletop import ticks
from tabletop.const import const

SHAKEN, NO_ROLL = "SHAKEN", "NO_ROLL"
IDLE, ARMED, SHAKING, RESTING, ROLLED = 0, 1, 2, 3, 4  # `phase`

_GAP_MS = const(150)  # the dice fly for no longer between two knocks on the cup
_START_MS = const(1500)  # the first knock comes by then, or the motor stands
_STOPPED_MS = const(800)  # no knock for so long: the shaking has stopped
_MOST_MS = const(12000)  # the motor never runs longer
_REST_MS = const(1000)  # without a knock: the dice lie
_CALM_MS = const(5000)  # they lie by then
_STUCK_MS = const(400)  # a knock closes the sensor for a few ms; longer is no knock
_BOUNCE_MS = const(40)  # a contact that opens for less has only been shaken
_LOOSE = const(25)  # so many bounces in a shake: the contact is loose
_PAUSE_MS = const(25)  # between two strokes the dice fly for so long at least, once in a while
_JUDGED = const(40)  # knocks without such a pause are the hum of a wire
_BUMPS = const(3)  # knocks while the dice lie that may have turned one


class Shake:
    """How a shake ended: SHAKEN or NO_ROLL with a reason; how long it was measured, and how many knocks."""

    def __init__(self, outcome: str, reason: str, shaken_ms: int, knocks: int) -> None:
        self.outcome = outcome
        self.reason = reason
        self.shaken_ms = shaken_ms
        self.knocks = knocks


class Contact:
    """A switch that is believed when it has stayed for the bounce time; `bounces` counts what was shorter."""

    def __init__(self) -> None:
        self.on = False
        self.bounces = 0
        self._raw = False
        self._since_ms = 0

    def edge(self, t_ms: int, on: bool) -> None:
        if on != self._raw:
            self.look(t_ms)
            if on == self.on:
                self.bounces += 1
            self._raw = on
            self._since_ms = t_ms

    def look(self, t_ms: int) -> None:
        if self._raw != self.on and ticks.since(t_ms, self._since_ms) >= _BOUNCE_MS:
            self.on = self._raw

    def sure(self) -> bool:
        """On, and not about to be something else."""
        return self.on and self._raw


class Shaker:
    """`lid`, `lock`, `motion` are edges, with their times; `tick` at least every 10 ms. `motor` is to be obeyed."""

    def __init__(self, shake_ms: int = 5000) -> None:
        """ValueError below the 5 seconds of (b)(2)."""
        if shake_ms < 5000:
            raise ValueError("shake_ms is %d, but 645c.2(b)(2) asks for 5000 at least" % shake_ms)
        self.shake_ms = shake_ms
        self.phase = IDLE
        self.motor = False
        self.seat = 0  # whose button starts it
        self.lid_closed = Contact()
        self.locked = Contact()
        self.knocks = 0  # of this shake
        self.longest_ms = 0  # measured without a gap
        self._level = 0
        self._level_ms = self._run_ms = self._phase_ms = 0
        self._knock_ms = -1  # never
        self._bumps = self._paceless = 0
        self._hum = False
        self._running = False  # a run of knocks goes on

    # what the sensors say

    def lid(self, t_ms: int, closed: bool) -> None:
        self.lid_closed.edge(t_ms, closed)

    def lock(self, t_ms: int, locked: bool) -> None:
        self.locked.edge(t_ms, locked)

    def motion(self, t_ms: int, level: int) -> None:
        """An edge of the motion sensor: level 1 is a knock."""
        if level == self._level:
            return
        self._level = level
        self._level_ms = t_ms
        if not level:
            return
        gap_ms = ticks.since(t_ms, self._knock_ms)
        self._knock_ms = t_ms
        self.knocks += 1
        self._bumps += 1
        self._paceless = self._paceless + 1 if gap_ms < _PAUSE_MS else 0
        if self._paceless >= _JUDGED:
            self._hum = True
        if not self._running or gap_ms > _GAP_MS:
            self._running = True
            self._run_ms = t_ms
        self.longest_ms = max(self.longest_ms, ticks.since(t_ms, self._run_ms))

    # what people do

    def arm(self, t_ms: int, seat: int, wagers: int) -> str:
        """(f) Wagers are placed and closed: the button of `seat` may start it. "" or why not."""
        if not wagers:
            return "NO_WAGERS"
        if self.phase == SHAKING or self.phase == RESTING:
            return "SHAKES_ALREADY"
        self._enter(t_ms, ARMED)
        self.seat = seat
        return ""

    def disarm(self, t_ms: int) -> None:
        """The dice are taken, or the round is off: no button starts anything."""
        self._enter(t_ms, IDLE)

    def press(self, t_ms: int, seat: int) -> str:
        """The button of a seat. "" when the motor starts, or why nothing happens."""
        self._look(t_ms)
        if self.phase == IDLE:
            return "BETS_OPEN"
        if self.phase == SHAKING or self.phase == RESTING:
            return "SHAKES_ALREADY"
        if self.phase == ROLLED:
            return "SHAKEN_ALREADY"
        if seat != self.seat:
            return "NOT_SELECTED"
        why = self._unready(t_ms)
        if not why:
            self._enter(t_ms, SHAKING)
        return why

    def _unready(self, t_ms: int) -> str:
        if not self.lid_closed.sure():
            return "LID_OPEN"
        if not self.locked.sure():
            return "NOT_LOCKED"
        if self._level and ticks.since(t_ms, self._level_ms) >= _STUCK_MS:
            return "SENSOR_STUCK"
        if self._level or self._bumps >= _BUMPS:
            return "NOT_AT_REST"
        return ""

    # what time brings

    def tick(self, t_ms: int) -> "Shake | None":
        """A Shake when one has ended, or when one that had ended well cannot be believed any more."""
        self._look(t_ms)
        quiet_ms = ticks.since(t_ms, self._knock_ms)
        if self.phase < SHAKING:
            if quiet_ms >= _REST_MS:
                self._bumps = 0
            return None
        why = self._spoiled(t_ms)
        if why:
            return self._end(t_ms, why)
        if self.phase == ROLLED:
            if quiet_ms >= _REST_MS:
                self._bumps = 0
            return self._end(t_ms, "MOVED") if self._bumps >= _BUMPS else None
        so_far_ms = ticks.since(t_ms, self._phase_ms)
        if self.phase == RESTING:
            if quiet_ms < _REST_MS or not self._steady():
                return self._end(t_ms, "NO_REST") if so_far_ms >= _CALM_MS else None
            return self._end(t_ms, "")
        if self.longest_ms >= self.shake_ms:
            self.motor = False
            self.phase = RESTING
            self._phase_ms = t_ms
        elif not self.knocks and so_far_ms >= _START_MS:
            return self._end(t_ms, "NO_MOTION")
        elif self.knocks and quiet_ms >= _STOPPED_MS:
            return self._end(t_ms, "TOO_SHORT")
        elif so_far_ms >= _MOST_MS:
            return self._end(t_ms, "TOO_WEAK")
        return None

    def _look(self, t_ms: int) -> None:
        self.lid_closed.look(t_ms)
        self.locked.look(t_ms)

    def _steady(self) -> bool:
        return self.lid_closed.sure() and self.locked.sure()

    def _spoiled(self, t_ms: int) -> str:
        """What makes a shake none, whatever its phase."""
        if not self.lid_closed.on:
            return "LID_OPENED"
        if not self.locked.on:
            return "UNLOCKED"
        if self.lid_closed.bounces >= _LOOSE:
            return "LID_LOOSE"
        if self.locked.bounces >= _LOOSE:
            return "LOCK_LOOSE"
        if self._level and ticks.since(t_ms, self._level_ms) >= _STUCK_MS:
            return "SENSOR_STUCK"
        return "SENSOR_NOISE" if self._hum else ""

    def _end(self, t_ms: int, why: str) -> "Shake":
        shake = Shake(NO_ROLL if why else SHAKEN, why, self.longest_ms, self.knocks)
        if why:
            self._enter(t_ms, ARMED)
        else:
            self.phase = ROLLED
            self._phase_ms = t_ms
            self._bumps = 0
        return shake

    def _enter(self, t_ms: int, phase: int) -> None:
        self.phase = phase
        self.motor = phase == SHAKING
        self._phase_ms = t_ms
        self.knocks = self.longest_ms = self._paceless = 0
        self._running = self._hum = False
        self.lid_closed.bounces = self.locked.bounces = 0
