"""Watches the wheel for the round: which turn of it is a spin that counts, and what becomes of every other one."""

from tabletop import ticks
from tabletop.const import const
from tabletop.table.phases import AWAITS_SPIN
from tabletop.table.records import FULL, SPIN_ROOM, Stop

_WHEEL_SENSORS = const(21)  # tilt
_NUDGE_MILLI = const(250)  # turns; somebody touched the wheel
_DOUBTS = const(3)  # spins one after another in which the sensors disagreed
_WAS_TURNING_MS = const(1000)  # a wheel seen to turn so soon after the start was turning before it


class Spins:
    """What the wheel does means something only in the phase in which it began to turn."""

    def __init__(self, table) -> None:
        self.table = table
        self.started_ms = 0  # -1 when WAS_TURNING_MS are over
        self._began = ""  # the phase in which the wheel began to turn, or why that turn cannot count; "": it rests
        self._counts = False  # it began while a spin was awaited, and nothing has come between
        self._from_section = -1
        self._doubts = 0

    def watch(self, spin, now_ms: int) -> None:
        """Once a tick, with the Spin that ended in it, or None."""
        table = self.table
        sensor, play = table.sensor, table.play
        if self.started_ms >= 0 and ticks.since(now_ms, self.started_ms) > _WAS_TURNING_MS:
            self.started_ms = -1
        if not sensor.moving and spin is None:
            if self._began:
                self._at_rest()
            return
        awaited = table.phase in AWAITS_SPIN and play.round.state["phase"] == "SPIN"
        if not self._began:
            self._began = "POWER_CUT" if self.started_ms >= 0 else table.phase
            self._counts = awaited and self.started_ms < 0
            self._from_section = sensor.section
        table.show.point(sensor.section)
        turned = abs(sensor.turns_milli if spin is None else spin.turns_milli)
        nudge = turned < _NUDGE_MILLI and (spin is None or spin.outcome == "SHORT_SPIN")
        if self._counts and awaited and not nudge:
            if table.journal.ready() < SPIN_ROOM:
                raise Stop(FULL)
            play.spin_started(self._from_section)
            sensor.config.min_turns = play.round.min_turns_milli // 1000  # as the round was opened, if settings changed
            table.enter("SPINNING")
        if spin is not None:
            began, self._began = self._began, ""
            self._doubt(spin)
            if table.phase == "SPINNING":
                play.spin_ended(spin)
                table.enter(play.round.phase())
            elif not nudge and table.records.started and table.journal.ready() >= SPIN_ROOM:
                play.stray_spin(spin, began)
            if self._doubts >= _DOUBTS:
                self._doubts = 0
                raise Stop(_WHEEL_SENSORS, count=_DOUBTS)

    def _doubt(self, spin) -> None:
        if spin.outcome != "FAULT":
            self._doubts = 0
        elif list(spin.faults) != ["OBSTRUCTED"]:  # a hand on the wheel is no fault of the sensors
            self._doubts += 1

    def _at_rest(self) -> None:
        """The wheel rests and the sensor has made no spin of it."""
        table = self.table
        self._began = ""
        if table.phase == "SPINNING":
            table.play.spin_void("NO_SPIN")
            table.enter(table.play.round.phase())

    def phase_changed(self, phase: str) -> None:
        """A motion that began before this change is not the spin that the new phase waits for."""
        if phase != "SPINNING":
            self._counts = False

    def void(self, why: str) -> None:
        """The running spin cannot count any more, wherever it comes to rest (case 63)."""
        self._began = why
        self.table.play.spin_void(why, self.table.sensor)

    def is_void(self) -> bool:
        """The wheel still turns from a spin that the dealer voided."""
        return self._began == "DEALER_VOID"

    def trust_again(self) -> None:
        """Somebody has looked at the sensors."""
        self._doubts = 0
