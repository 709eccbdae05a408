"""What a table does in a tick, in its order (`supervisor.TASKS`): wheel, inputs, round, link, lamps, and tidying up."""

from tabletop import ticks
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.link.endpoint import Refused
from tabletop.table.loaned import give_back
from tabletop.table.phases import IDLE
from tabletop.table.records import DAMAGED, SPIN_ROOM, Stop
from tabletop.table.service import SERVICE_KEY
from tabletop.table.supervisor import TASKS

BUTTONS = ((4, "VOID"), (2, "NO_MORE_BETS"), (1, "START"))  # hal.inputs bits; of two at once the safer one counts
_ERASE_EVERY_MS = const(100)
_REPLY_MS = const(200)  # for the reply to a command that restarts the chip
_HELD_AT_ONCE = const(16)  # records; a chip reads so many in 40 ms
_LINK_RESTS = const(50)  # ticks after the link died, so that what follows it in a tick is done too


class Tasks:
    """`run` once a tick; what a task raises passes through, with its name in `table.part`."""

    def __init__(self, table) -> None:
        self.table = table
        self._tasks = (
            self._wheel, self._sense, self._inputs, self._round, self._link, self._lights, self._tidy,
        )  # fmt: skip
        self._spin = None  # what ended in this tick
        self._erased_ms = -1
        self.holding = None  # what `hold` goes on with
        self._link_rests = 0
        self.restarts = ""  # why the chip is about to start anew, since _restart_ms; nothing is begun any more
        self._restart_ms = 0

    def run(self, now_ms: int) -> None:
        """Every task that lives, each reported to the supervisor."""
        table = self.table
        supervisor, dead = table.supervisor, table.dead
        for number in range(len(TASKS)):
            if TASKS[number] not in dead:
                table.part = TASKS[number]
                supervisor.begin(number)
                self._tasks[number](now_ms)
                supervisor.report(number)

    def rest_link(self) -> None:
        """The link has died: it is left alone for a while."""
        self._link_rests = _LINK_RESTS

    def restart(self, reason: str) -> None:
        """The chip starts anew in REPLY_MS."""
        self.restarts, self._restart_ms = reason, self.table.hal.clock.ms()

    def _wheel(self, _now_ms: int) -> None:
        table = self.table
        if "sensing" not in table.dead:
            table.hal.wheel.poll(table.eye())

    def _sense(self, _now_ms: int) -> None:
        table = self.table
        self._spin = None if "wheel" in table.dead else table.sensor.tick(table.hal.clock.us())

    def _round(self, now_ms: int) -> None:
        table = self.table
        spin, self._spin = self._spin, None
        table.spins.watch(spin, now_ms)
        if table.bonus is not None:
            table.bonus.watch(now_ms)
        if table.phase == "SETTLED" and ticks.since(now_ms, table.since_ms) >= table.settings.settled_show_ms:
            table.enter(table.place())

    def _lights(self, now_ms: int) -> None:
        probe = self.table.probe
        if probe is not None:
            probe.watch()
        if probe is None or not probe.strip:
            self.table.show.draw(now_ms)

    def _link(self, now_ms: int) -> None:
        table = self.table
        if self._link_rests:
            self._link_rests -= 1
        else:
            table.links.serve(now_ms, table.hal.clock.line_ms())
        if self.restarts and ticks.since(now_ms, self._restart_ms) >= _REPLY_MS:
            table.hal.reset(self.restarts)

    def _inputs(self, now_ms: int) -> None:
        table = self.table
        bits = table.hal.inputs.read()
        pressed = bits & ~table.bits
        table.bits = bits
        if bits & SERVICE_KEY:
            if table.phase in IDLE or table.phase == "TILT":
                self._service(True)
        elif table.phase == "SERVICE":
            self._service(False)
        if pressed & 7 and (table.probe is None or not table.probe.hold):
            for bit, command in BUTTONS:
                if pressed & bit:
                    self._button(command, now_ms)
                    return

    def _service(self, on: bool) -> None:
        table = self.table
        try:
            if table.records.started:
                table.records.write(kinds.SERVICE, {"on": on})
        except Stop as stop:  # a table whose journal has failed must still come into service
            table.tilts.raise_(stop.tilt, stop.detail)
        if on:
            table.rng.in_service()
        table.enter("SERVICE" if on else table.place())

    def _button(self, command: str, now_ms: int) -> None:
        table = self.table
        if command == "NO_MORE_BETS" and table.bonus is not None and table.bonus.offer():
            return
        args = {"reason": "BUTTON"}
        if command == "START":
            command = "SETTLE" if table.phase == "RESULT" else "OPEN_BETS"
            obvious = table.bonus.next() if table.bonus is not None else None
            if obvious:
                command, args = obvious
        try:
            table.commands.handle(command, args, None)
        except Refused as refused:
            table.show.refused(refused.code, now_ms)

    def _tidy(self, now_ms: int) -> None:
        """Work for moments of rest: room in the journal, and what could not be written for lack of it."""
        table = self.table
        journal = table.journal
        if table.moves():
            return
        lease = table.records.lease
        if lease and not table.links.present(lease):
            table.commands.lease_over()
        if journal.damaged and DAMAGED not in table.tilts.open:  # found while a host was reading
            raise Stop(DAMAGED, record=journal.damaged)
        if ticks.since(now_ms, self._erased_ms) < _ERASE_EVERY_MS or not table.links.quiet(now_ms):
            return
        self._erased_ms = now_ms
        table.rng.cycle(now_ms, table.phase in IDLE)
        table.records.tidy()
        self.hold(_HELD_AT_ONCE)
        if not journal.idle() and journal.ready() >= SPIN_ROOM:
            if table.waits_for_room:
                table.boot()
            table.tilts.record_due()

    def hold(self, steps: int) -> None:
        """Goes on to hold an open round that reaches far back (`holding`), by so many steps."""
        table = self.table
        if self.holding is None:
            if table.play.round is None or not table.records.held_up():
                return
            from tabletop.table import holding

            self.holding = holding.steps(table)
        try:
            for _ in self.holding:  # type: ignore[attr-defined]
                steps -= 1
                if not steps:
                    return
        except MemoryError:  # then the round stays where it was; at rest there is more memory than at a start
            if steps < 0:
                table.records.tried = 0
        self.holding = None
        give_back("holding", "rules.held")
