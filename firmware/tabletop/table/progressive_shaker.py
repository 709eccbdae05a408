"""A table whose dice come from a shaker that it watches: `Progressive` with motor, lid, lock, buttons and a sensor.

What the motor is about to do is a record before it moves, and so is how every shake ended. A shake that was running, or
whose dice were not read, when the power went or a tilt came, is none.
"""

from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.rules.progressive.shaking import PLAYER
from tabletop.table.kept_meter import IDLE_ROOM
from tabletop.table.progressive import Progressive

_SHAKER = const(128)  # bits of the inputs: the one button that is handed to the selected player,
_SHAKE_1 = const(15)  # and from this bit on those of the seats
_NO_RECORD = ("BETS_OPEN", "SHAKES_ALREADY", "SHAKEN_ALREADY")  # pressed in vain, and nothing is wrong


class Shaking(Progressive):
    """`core` is the sensing of this kind of shaker, `wires` its hardware."""

    def __init__(self, table) -> None:
        Progressive.__init__(self, table)
        self.player = table.settings.rules["shaker"] == PLAYER
        if self.player:
            from tabletop.sensing import shaker

            self.core = shaker.Shaker()
        else:
            from tabletop.sensing import hand_shaker

            self.core = hand_shaker.HandShaker()  # type: ignore[assignment]
        self.wires = table.hal.shaker()
        self.motor(False)
        self._buttons = self._pressed()
        self._watched = None  # the round whose shakes this start has seen from their beginning
        self._said = ""  # the last refusal that was written

    def motor(self, on: bool) -> None:
        self.wires.motor(on)

    def stop(self) -> None:
        """Play stops: so does the motor, whatever else fails."""
        self.motor(False)

    def _pressed(self) -> int:
        bits = self.table.bits
        return bits >> _SHAKE_1 & 0x7F | (0x80 if bits & _SHAKER else 0)

    def watch(self, now_ms: int) -> None:
        """Once a tick: what the shaker's sensors say, and its motor."""
        table, core = self.table, self.core
        now_ms = table.hal.clock.ms()
        buttons = self._pressed()
        pressed, self._buttons = buttons & ~self._buttons, buttons
        self.wires.poll(core, now_ms)
        shake = core.tick(now_ms)
        round_ = table.play.round
        state = round_.state if round_ is not None and table.phase == "NO_MORE_BETS" else None
        if not table.records.started or table.tilts.open or state is None or "shake" not in state:
            if core.phase:
                core.disarm(now_ms)
            self._watched = None
            self.motor(False)
        elif self._watched is not round_:
            self._watched = round_
            self._said = ""
            if state["shake"] and state["start"] < 0:
                self._do(("shake", "NO_ROLL", "INTERRUPTED", 0, 0))
        elif shake is not None and state["shake"] and state["start"] < 0:
            self.motor(False)
            self._do(("shake", shake.outcome, shake.reason, shake.shaken_ms, shake.knocks))
        elif state["start"] < 0:
            self._ready(state, now_ms)
        else:
            core.disarm(now_ms)
        for seat in range(1, 9):
            if pressed >> seat - 1 & 1:
                self._press(seat if seat < 8 else 0, now_ms)
        if self.player:
            self.motor(core.motor)
        Progressive.watch(self, now_ms)

    def _ready(self, state: dict, now_ms: int) -> None:
        """The shaker may be started: by the selected player, or by the dealer's hand."""
        core = self.core
        if state["shake"]:
            return
        if not self.player:
            if not core.arm(now_ms, 0, len(state["bets"])):
                try:
                    self._begin(now_ms)
                except Refused as refused:
                    self.table.show.refused(refused.code, now_ms)
        elif state["seat"] and (core.phase == 0 or core.seat != state["seat"]):
            core.arm(now_ms, state["seat"], len(state["bets"]))

    def _begin(self, now_ms: int) -> None:
        """A shake begins with its record, and only while there is room to end the round after it (E-4003)."""
        try:
            self.table.commands.make_room(IDLE_ROOM)
            self._do(("shaking",))
        except Exception:
            self.core.disarm(now_ms)
            raise

    def _press(self, seat: int, now_ms: int) -> None:
        """The button of a seat, 0 for the one that is handed to the selected player."""
        table, core = self.table, self.core
        if not self.player:
            return
        why = core.press(now_ms, seat or core.seat)
        try:
            if not why:
                self._begin(now_ms)
            elif why in _NO_RECORD or self._said == why + str(seat):
                raise Refused(3041, seat=seat, reason=why)
            else:
                self._said = why + str(seat)
                self._check(["press", seat], (3041, {"seat": seat, "reason": why}))
        except Refused as refused:
            table.show.refused(refused.code, now_ms)

    def tell(self, reply: dict) -> None:
        """Adds what the shaker does."""
        Progressive.tell(self, reply)
        round_ = self.table.play.round
        if round_ is not None and round_.state.get("shake"):
            reply["step"] = round_.state["shake"]
