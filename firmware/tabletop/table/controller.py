"""The table: one state machine that a loop ticks. What happens in a tick is written down here in its order."""

from tabletop import VERSION, ticks
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.journal.journal import Journal
from tabletop.link.endpoint import Refused
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.spin import Spin, SpinSensor
from tabletop.table.commands import Commands
from tabletop.table.links import Links
from tabletop.table.loaned import give_back
from tabletop.table.phases import IDLE, TRANSITIONS
from tabletop.table.play import Play
from tabletop.table.records import CONTRADICTS, DAMAGED, FULL, SPIN_ROOM, Records, Stop
from tabletop.table.rng import RNG_FAILED, Rng
from tabletop.table.service import SERVICE_KEY, digest_of
from tabletop.table.settings import Settings
from tabletop.table.show import Show
from tabletop.table.spins import Spins
from tabletop.table.supervisor import TASKS, Supervisor, task_of
from tabletop.table.tilts import Tilts

_TASK_DIED = const(41)
_PROGRAM_CHANGED = const(42)
_SELF_TEST_FAILED = const(43)
BUTTONS = ((4, "VOID"), (2, "NO_MORE_BETS"), (1, "START"))  # hal.inputs bits; of two at once the safer one counts
_ERASE_EVERY_MS = const(100)
_REPLY_MS = const(200)  # for the reply to a command that restarts the chip
_LINK_RESTS = const(50)  # ticks after the link died, so that what follows it in a tick is done too
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
        try:
            self.settings = Settings(settings, hal.board)
            config = self._wheel_config()
        except ValueError as error:
            self.settings_fault = str(error)[:100]
            self.settings = Settings({}, {})
            config = WheelConfig()
        self.program = b""
        self.sensor = SpinSensor(config)
        self.journal = Journal(hal.store)
        self.records = Records(self.journal, hal.clock)
        self.records.stand = self._stand  # type: ignore[assignment]
        self.tilts = Tilts(self.records)
        self.play = Play(self.records, self.settings)
        self.spins = Spins(self)
        self.supervisor = Supervisor(hal)
        self.rng = Rng(self)
        self.show: Show = None  # type: ignore[assignment]
        self.bonus = None  # a Bonus where such a game is played
        self.start()
        self.commands = Commands(self)
        self.links = Links(hal.ports, self.commands, self.journal, self.identity)
        self._tasks = (
            self._wheel, self._sense, self._inputs, self._round, self._link, self._lights, self._tidy,
        )  # fmt: skip
        self._spin: "Spin | None" = None  # what ended in this tick
        self._died_ms = -1  # when a task died that a restart may mend
        self._since_ms = self._erased_ms = self._link_rests = 0
        self._restart = ""  # why the chip is about to start anew, since _restart_ms
        self._restart_ms = 0
        self._waits_for_room = False  # the start could not be recorded

    def identity(self) -> dict:
        """What HELLO answers about this table."""
        hal = self.hal
        return {
            "serial": hal.serial, "version": VERSION, "program": self.program, "boot": self.journal.boot,
            "reset": hal.reset_reason, "test": self.play.test, "capabilities": [self.settings.game.NAME],
            "emulated": hal.emulated,
        }  # fmt: skip

    def _wheel_config(self) -> WheelConfig:
        board = self.hal.board
        return WheelConfig(
            board.get("counts_per_turn", 0),
            min_turns=self.settings.min_turns,
            index_width_counts=board.get("index_width_counts", 3),
        )

    def configure(self, settings: dict) -> None:
        """Takes other settings, which are sound and recorded; a wheel that has to be homed again is."""
        turns, game = self.settings.min_turns, self.settings.game
        self.settings = self.play.settings = Settings(settings, self.hal.board)
        if self.settings.game is not game:
            self.play.shown = None  # of the game that was played before
            self.start()
            self.changed()
        self.settings_fault = ""
        if self.settings.min_turns != turns:
            self.sensor = SpinSensor(self._wheel_config())

    def start(self) -> None:
        """Lamps and inputs of the game that is played."""
        hal, game = self.hal, self.settings.game
        if hasattr(game, "SOURCE"):  # a table that plays no bonus game needs no memory for it
            from tabletop.table import bonus

            bonus.start(self)
        else:
            self.bonus = None
            self.show = Show(hal.lights, game.LAYOUT, hal.board)

    # start

    def boot(self) -> None:
        """Takes up what the journal holds: open tilts, meters, mode and the very round that was open."""
        self.bits = self.hal.inputs.read()
        try:
            self._boot()
        except Stop as stop:
            self._waits_for_room = stop.tilt == FULL
            self.stop(stop.tilt, stop.detail)
        except Exception as error:
            self._died(error)
        self.spins.started_ms = self.hal.clock.ms()  # only now is the wheel watched, however long the start took
        self.changed()

    def _boot(self) -> None:
        hal, journal, play = self.hal, self.journal, self.play
        self.part = "program"
        self.program = digest_of(hal, "sha256", b"")[0]
        self.part = "journal"
        journal.open(hal.clock.uptime_ms())
        while journal.idle():
            hal.feed()
        found = self.read_back()
        self.tilts.take_up(found.tilts)
        if journal.damaged:
            self.tilts.raise_(DAMAGED, {"record": journal.damaged})
        play.resume(found)
        if found.configuration:
            try:
                self.configure(found.configuration["settings"])
            except ValueError as error:
                self.settings_fault = str(error)[:100]
        test = hal.emulated if found.test is None else found.test
        play.test = test or (hal.emulated and not hal.board.get("live"))
        self.records.write(kinds.BOOT, self._stand())
        self.tilts.record_due()
        self.records.tidy()
        if not found.approved:
            self.approve("")
        elif found.approved != self.program:
            self.tilts.raise_(_PROGRAM_CHANGED, {"found": self.program[:4].hex(), "want": found.approved[:4].hex()})
        if hal.reset_reason == "WATCHDOG" or hal.reset_reason == "FAULT":  # what died may not have been recorded
            self.tilts.raise_(_TASK_DIED, {"task": task_of(hal.marked), "reason": hal.reset_reason})
        if found.contradiction:
            self.tilts.raise_(CONTRADICTS, {"reason": found.contradiction})
        if self.phase == "BOOT":
            self.enter("SELF_TEST")
        self.self_test()
        play.go_on("POWER_CUT", None if self.tilts.open else self.rng)
        self.enter(self.place())

    def _stand(self) -> dict:
        """The payload of BOOT: who this table is, and all that a restart goes by but an open round."""
        hal, play = self.hal, self.play
        payload = self.records.standing({
            "serial": hal.serial, "version": VERSION, "program": self.program, "reason": hal.reset_reason,
            "emulated": hal.emulated, "test": play.test, "round": play.number,
            "resumes": bool(self.records.round_opened), "tilts": sorted(self.tilts.open), "meters": play.meters,
        })  # fmt: skip
        if self.tilts.open:
            payload["detail"] = self.tilts.details()
        return payload

    def approve(self, operator: str) -> None:
        """From now on the program that runs is the one this table must start with."""
        self.records.keep(kinds.APPROVED, {"program": self.program, "operator": operator})

    def read_back(self):
        """What the journal tells: `resume.Found`."""
        from tabletop.table import resume

        found = resume.read_back(self.journal)
        give_back("resume")
        return found

    def test_parts(self) -> dict:
        """Name of each part of the self-test -> `ok`, or what is wrong."""
        from tabletop.table import selftest

        results = selftest.run(self)
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
        self.part = "SELF_TEST"
        results = self.test_parts()
        wrong = [name for name in sorted(results) if results[name] != "ok"]
        self.records.write(kinds.SELF_TEST, {"passed": not wrong, "results": results})
        if self.rng.failed:
            self.tilts.raise_(RNG_FAILED, {"test": self.rng.failed})
        if wrong and wrong != ["rng"]:
            wrong = [name for name in wrong if name != "rng"]
            self.tilts.raise_(_SELF_TEST_FAILED, {"test": wrong[0], "reason": results[wrong[0]]})
        return not wrong, results

    # phases and tilts

    def enter(self, phase: str) -> None:
        """The one place where the phase changes."""
        if phase == self.phase:
            return
        if phase not in TRANSITIONS[self.phase]:
            raise RuntimeError("%s to %s is no transition" % (self.phase, phase))
        self.phase = phase
        self._since_ms = self.hal.clock.ms()
        self.spins.phase_changed(phase)
        self.changed()

    def stop(self, tilt: int, detail: dict) -> None:
        """Play stops with a tilt. A running spin has no result."""
        if self.play.round is not None and self.play.round.running:
            try:
                self.spins.void("TILT")
            except Exception:
                pass  # then the journal shows a spin without an end, and whoever resumes the round voids it
        self.tilts.raise_(tilt, detail)
        if self.phase != "SERVICE":
            self.enter("TILT")
        self.changed()

    def _died(self, error: Exception) -> None:
        """The one place where a failure of the program ends up: the part stays off, play stops, the link goes on."""
        if self.part in ("wheel", "sensing", "inputs", "round", "lights"):
            self.dead.append(self.part)
        elif self.part == "link":
            self._link_rests = _LINK_RESTS
        if "lights" in self.dead:  # nobody keeps them up to date any more: let them at least promise nothing
            try:
                self.hal.lights.lamps(0)
                self.hal.lights.tower("tilt")
            except Exception:
                pass
        # After a restart that has mended nothing it stays, so that somebody can look.
        if self.hal.reset_reason != "FAULT" and self._died_ms < 0:
            self._died_ms = self.hal.clock.ms()
        self.stop(_TASK_DIED, {"task": self.part, "reason": ("%s %s" % (type(error).__name__, error))[:100]})

    def cleared(self) -> None:
        """The last open tilt was cleared: what was going on follows from the journal, not from memory."""
        found = self.read_back()
        if found.contradiction:
            raise Stop(CONTRADICTS, reason=found.contradiction)
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
        view.start = self.bonus is not None and self.bonus.next() is not None
        self.play.picture(view)
        self.show.picture(self.play.shown)
        self.show.changed = True

    def restart(self, reason: str) -> None:
        """The chip starts anew in REPLY_MS."""
        self._restart, self._restart_ms = reason, self.hal.clock.ms()

    # the tick

    def tick(self) -> None:
        """Everything that is due now, without blocking; allocates nothing when nothing happens."""
        now_ms = self.hal.clock.ms()
        try:
            self._tick(now_ms)
        except Stop as stop:
            self.stop(stop.tilt, stop.detail)
        except Exception as error:
            self._died(error)
        silent = self.supervisor.missing(now_ms, self.dead)
        if silent:
            self.part = silent
            self._died(RuntimeError("no report"))
        if self._died_ms >= 0 and ticks.diff(now_ms, self._died_ms) >= _RESTART_MS:
            self._died_ms = -1
            self.hal.reset("FAULT")

    def _tick(self, now_ms: int) -> None:
        supervisor, dead = self.supervisor, self.dead
        for number in range(len(TASKS)):
            if TASKS[number] not in dead:
                self.part = TASKS[number]
                supervisor.begin(number)
                self._tasks[number](now_ms)
                supervisor.report(number)

    def _wheel(self, _now_ms: int) -> None:
        if "sensing" not in self.dead:
            self.hal.wheel.poll(self.sensor)

    def _sense(self, _now_ms: int) -> None:
        self._spin = None if "wheel" in self.dead else self.sensor.tick(self.hal.clock.us())

    def _round(self, now_ms: int) -> None:
        spin, self._spin = self._spin, None
        self.spins.watch(spin, now_ms)
        if self.bonus is not None:
            self.bonus.watch(now_ms)
        if self.phase == "SETTLED" and ticks.diff(now_ms, self._since_ms) >= self.settings.settled_show_ms:
            self.enter(self.place())

    def _lights(self, now_ms: int) -> None:
        self.show.draw(now_ms)

    def _link(self, now_ms: int) -> None:
        if self._link_rests:
            self._link_rests -= 1
        else:
            self.links.serve(now_ms, self.hal.clock.line_ms())
        if self._restart and ticks.diff(now_ms, self._restart_ms) >= _REPLY_MS:
            self.hal.reset(self._restart)

    def _inputs(self, now_ms: int) -> None:
        bits = self.hal.inputs.read()
        pressed = bits & ~self.bits
        self.bits = bits
        if bits & SERVICE_KEY:
            if self.phase in IDLE or self.phase == "TILT":
                self._service(True)
        elif self.phase == "SERVICE":
            self._service(False)
        if pressed & 7:
            for bit, command in BUTTONS:
                if pressed & bit:
                    self._button(command, now_ms)
                    return

    def _service(self, on: bool) -> None:
        try:
            self.records.write(kinds.SERVICE, {"on": on})
        except Stop as stop:  # a table whose journal has failed must still come into service
            self.tilts.raise_(stop.tilt, stop.detail)
        if on:
            self.rng.in_service()
        self.enter("SERVICE" if on else self.place())

    def _button(self, command: str, now_ms: int) -> None:
        args = {"reason": "BUTTON"}
        if command == "START":
            command = "SETTLE" if self.phase == "RESULT" else "OPEN_BETS"
            obvious = self.bonus.next() if self.bonus is not None else None
            if obvious:
                command, args = obvious
        try:
            self.commands.handle(command, args, None)
        except Refused as refused:
            self.show.refused(refused.code, now_ms)

    def _tidy(self, now_ms: int) -> None:
        """Work for moments of rest: room in the journal, and what could not be written for lack of it."""
        if self.sensor.moving:
            return
        damaged = self.journal.damaged
        if damaged and DAMAGED not in self.tilts.open:  # found while a host was reading
            raise Stop(DAMAGED, record=damaged)
        if 0 <= ticks.diff(now_ms, self._erased_ms) < _ERASE_EVERY_MS or not self.links.quiet(now_ms):
            return
        self._erased_ms = now_ms
        self.rng.cycle(now_ms, self.phase in IDLE)
        self.records.tidy()
        if not self.journal.idle() and self.journal.ready() >= SPIN_ROOM:
            if self._waits_for_room:
                self._waits_for_room = False
                self._boot()
            self.tilts.record_due()
