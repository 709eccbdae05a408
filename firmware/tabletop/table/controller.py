"""The table: one state machine that a loop ticks. What happens in a tick is in `tasks`, how it starts in `start`."""

from tabletop import VERSION, ticks
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.journal.journal import Journal
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.spin import SpinSensor
from tabletop.table.commands import Commands
from tabletop.table.links import Links
from tabletop.table.loaned import give_back
from tabletop.table.phases import TRANSITIONS
from tabletop.table.play import Play
from tabletop.table.records import CONTRADICTS, DAMAGED, FULL, TASK_DIED, Records, Stop
from tabletop.table.rng import Rng
from tabletop.table.settings import Settings
from tabletop.table.show import Show
from tabletop.table.spins import Spins
from tabletop.table.supervisor import Supervisor
from tabletop.table.tasks import Tasks
from tabletop.table.tilts import Tilts

_RESTART_MS = const(2000)  # after a task died: time for the host to hear of it


class Table:
    """`boot()` once, then `tick()` at least every 10 ms. Public for the other modules of this package, and to read."""

    def __init__(self, hal, settings: dict) -> None:
        self.hal = hal
        self.phase = "BOOT"
        self.part = "start"  # what runs now; named when it dies
        self.dead: list = []  # parts that died and are not run again before a restart
        self.bits = 0  # inputs of the last tick
        self.settings_fault = ""
        self.calibration: dict = {}  # of the wheel, as CALIBRATE took it; {}: the board's numbers
        try:
            self.settings = Settings(settings, hal.board)
            config = self.wheel_config()
        except ValueError as error:
            self.settings_fault = str(error)[:100]
            self.settings = Settings({}, {})
            config = WheelConfig()
        self.program = b""
        self.sensor = SpinSensor(config)
        self.journal = Journal(hal.store, hal.feed)
        self.records = Records(self.journal, hal.clock)
        self.records.stand = self.stand  # type: ignore[assignment]
        self.tilts = Tilts(self.records)
        self.play = Play(self.records, self.settings)
        self.spins = Spins(self)
        self.supervisor = Supervisor(hal)
        self.rng = Rng(self)
        self.show: Show = None  # type: ignore[assignment]
        self.bonus = None  # a Bonus where such a game is played, a Progressive where cards or dice decide
        self.probe = None  # a Probe while a host tests the table
        self.mirror = None  # a Mirror where the encoder counts against the wheel
        self.start()
        self.commands = Commands(self)
        self.links = Links(hal.ports, self)
        self.tasks = Tasks(self)
        self.since_ms = 0  # of this phase
        self.waits_for_room = False  # the start could not be recorded
        self._died_ms = -1  # when a task died that a restart may mend

    def wheel_config(self) -> WheelConfig:
        """Of the board, its calibration and its settings; ValueError."""
        board, given = self.hal.board, self.calibration
        return WheelConfig(
            given.get("counts_per_turn") or board.get("counts_per_turn", 0),
            min_turns=self.settings.min_turns,
            index_width_counts=given.get("index_width_counts") or board.get("index_width_counts", 3),
            index_at=given.get("index_at", 0),
        )

    def eye(self):
        """What the wheel's readings are handed to."""
        return self.probe or self.mirror or self.sensor

    def configure(self, settings: dict) -> None:
        """Takes other settings, which are sound and recorded; a wheel that has to be homed again is."""
        before = self.settings
        self.settings = self.play.settings = Settings(settings, self.hal.board)
        if self.settings.game is not before.game:
            self.play.shown = None  # of the game that was played before
        if self.settings.game is not before.game or self.settings.rules.get("shaker") != before.rules.get("shaker"):
            self.start()
        self.changed()
        self.settings_fault = ""
        if self.settings.min_turns != before.min_turns:
            self.sensor = SpinSensor(self.wheel_config())

    def start(self) -> None:
        """Lamps and inputs of the game that is played."""
        hal, game = self.hal, self.settings.game
        if hasattr(game, "SOURCE"):  # a table of a wheel alone needs no memory for the others
            from tabletop.table import roles

            roles.start(self)
        else:
            self.bonus = None
            self.show = Show(hal.lights, game.LAYOUT, hal.board)

    # start

    def boot(self) -> None:
        """Takes up what the journal holds; what comes in between leaves the table stopped (`start`)."""
        self.bits = self.hal.inputs.read()
        self.waits_for_room = False
        try:
            from tabletop.table import start

            start.run(self)
        except Stop as stop:
            self.waits_for_room = stop.tilt == FULL and not self.records.started
            self.stop(stop.tilt, stop.detail)
        except Exception as error:
            self._died(error)
        give_back("start")
        self.spins.started_ms = self.hal.clock.ms()  # only now is the wheel watched, however long the start took

    def stand(self) -> dict:
        """The payload of BOOT: who this table is, and all that a restart goes by but an open round."""
        hal, play = self.hal, self.play
        payload = self.records.standing({
            "serial": hal.serial, "version": VERSION, "program": self.program, "reason": hal.reset_reason,
            "emulated": hal.emulated, "test": play.test, "round": play.number,
            "resumes": bool(self.records.round_opened), "tilts": sorted(self.tilts.open), "meters": play.meters,
        })  # fmt: skip
        if self.records.round_opened:
            payload["opened"] = self.records.round_opened
        if self.tilts.open:
            payload["detail"] = self.tilts.details()
        return payload

    def approve(self, operator: str) -> None:
        """From now on the program that runs is the one this table must start with."""
        self.records.keep(kinds.APPROVED, {"program": self.program, "operator": operator})

    def read_back(self):
        """What the journal tells: `resume.Found`; Stop when it cannot be read so far, and tilts are all that counts."""
        from tabletop.table import resume

        self.tasks.holding = None  # what is held is read anew
        found = resume.read_back(self.journal)
        give_back("resume", "holding", "rules.held")
        self.tilts.take_up(found.tilts)
        if self.journal.damaged:
            raise Stop(DAMAGED, record=self.journal.damaged)
        return found

    def test_parts(self) -> dict:
        """Name of each part of the self-test -> `ok`, or what is wrong."""
        from tabletop.table import selftest

        results = selftest.results(self)
        give_back("selftest")
        return results

    def place(self) -> str:
        """The phase that follows from journal and tilts."""
        if self.tilts.open:
            return "TILT"
        if self.play.round is not None:
            return self.play.round.phase()
        return "TEST" if self.play.test else "READY"

    def self_test(self) -> "tuple[bool, dict]":
        """Runs and records the self-test: whether all passed, and name -> text. What fails is a tilt."""
        from tabletop.table import selftest

        self.part = "SELF_TEST"
        try:
            return selftest.run(self)
        finally:
            give_back("selftest")

    # phases and tilts

    def enter(self, phase: str) -> None:
        """The one place where the phase changes."""
        if phase == self.phase:
            return
        if phase not in TRANSITIONS[self.phase]:
            raise RuntimeError("%s to %s is no transition" % (self.phase, phase))
        self.phase = phase
        self.since_ms = self.hal.clock.ms()
        self.spins.phase_changed(phase)
        self.changed()

    def stop(self, tilt: int, detail: dict) -> None:
        """Play stops with a tilt, whatever else fails. A running spin has no result."""
        if self.play.round is not None and self.play.round.running:
            try:
                self.spins.void("TILT")
            except Exception:
                pass  # then the journal shows a spin without an end, and whoever resumes the round voids it
        if hasattr(self.bonus, "stop"):
            self.bonus.stop()  # type: ignore[attr-defined]
        self.tilts.raise_(tilt, detail)
        try:
            if self.phase != "SERVICE":
                self.enter("TILT")
            self.changed()
        except Exception:
            self._darken()

    def _darken(self) -> None:
        """Nobody keeps the lamps up to date any more: let them at least promise nothing."""
        if "lights" not in self.dead:
            self.dead.append("lights")
        try:
            self.hal.lights.lamps(0)
            self.hal.lights.tower("tilt")
        except Exception:
            pass

    def _died(self, error: Exception) -> None:
        """The one place where a failure of the program ends up: the part stays off, play stops, the link goes on."""
        if self.part in ("wheel", "sensing", "inputs", "round", "lights"):
            self.dead.append(self.part)
        elif self.part == "link":
            self.tasks.rest_link()
        if "lights" in self.dead:
            self._darken()
        # After a restart that has mended nothing it stays, so that somebody can look.
        if self.hal.reset_reason != "FAULT" and self._died_ms < 0:
            self._died_ms = self.hal.clock.ms()
        try:
            reason = ("%s %s" % (type(error).__name__, error))[:100]
        except Exception:  # no memory even for that
            reason = type(error).__name__
        self.stop(TASK_DIED, {"task": self.part, "reason": reason})

    def cleared(self) -> None:
        """The last open tilt was cleared: what was going on follows from the journal, not from memory."""
        found = self.read_back()
        reason = self.play.contradiction(found)
        if reason:
            raise Stop(CONTRADICTS, reason=reason)
        self.play.resume(found)
        self.play.go_on("TILT", self.rng)
        self.spins.trust_again()
        if self.phase == "TILT":
            self.enter(self.place())

    def changed(self) -> None:
        """What the lamps may show has changed."""
        view = self.show.view
        view.phase, view.test = self.phase, self.play.test
        view.tilt = min(self.tilts.open) if self.tilts.open else 0
        view.alert = bool(self.rng.alert)
        view.asked = self.bonus.buttons() if self.bonus is not None else 0
        self.play.picture(view)
        self.show.picture(self.play.shown)
        self.show.changed = True

    # the tick

    def tick(self) -> None:
        """Everything that is due now, without blocking; allocates nothing when nothing happens."""
        now_ms = self.hal.clock.ms()
        try:
            self.tasks.run(now_ms)
        except Stop as stop:
            self.stop(stop.tilt, stop.detail)
        except Exception as error:
            self._died(error)
        silent = self.supervisor.missing(now_ms, self.dead)
        if silent:
            self.part = silent
            self._died(RuntimeError("no report"))
        if self._died_ms >= 0 and ticks.since(now_ms, self._died_ms) >= _RESTART_MS:
            self._died_ms = -1
            self.hal.reset("FAULT")

    def moves(self) -> bool:
        """The wheel turns, as far as anybody can tell: the last word of a sensor whose parts died is not waited for."""
        return self.sensor.moving and "wheel" not in self.dead and "sensing" not in self.dead
