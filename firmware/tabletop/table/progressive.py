"""A table of wagers on cards or dice: its wager sensors, what dealer and floorperson enter, its meter and its lamps.

It stands where a bonus game's `Bonus` does. An input that the rules take is a GIVEN record; one that a person gave in
vain is a REFUSED one. The meter is kept in a METER record of its game and mode, written before a round ends.
"""

from tabletop import ticks
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.link.endpoint import Refused
from tabletop.rules.progressive import meter as meters
from tabletop.rules.progressive import rounds
from tabletop.scenes import progressive
from tabletop.table.records import ROUND_ROOM
from tabletop.table.service import text_of
from tabletop.table.show import Show

# Pages: a round with its inputs, one step with all that it draws and hides, and what must be left when a refusal or a
# wager that was taken back is written.
_ROUND_ROOM = const(200)
_STEP_ROOM = const(40)
_IDLE_ROOM = const(120)
_KEY_RESET = const(16)
_SEAT_1 = const(8)  # the bit of its sensor and lamp
_SEATS = const(7)
_LINK_MS = const(10000)  # a host that has not named the linked meter for so long is away


def start(table) -> None:
    """Gives the table what a game of cards or dice needs."""
    if "RNG" in table.settings.game.SOURCE:
        import tabletop.chance.monitor  # noqa: F401 - the first draw needs it: better now, while memory is whole
    if table.settings.rules.get("shaker", "NONE") == "NONE":
        table.bonus = Progressive(table)
    else:
        from tabletop.table.progressive_shaker import Shaking

        table.bonus = Shaking(table)
    table.show = ProgressiveShow(table.hal.lights, table.hal.board, table.bonus)


class Progressive:
    """`meter` is what the kept record says, None for a game or a mode that never had one."""

    def __init__(self, table) -> None:
        self.table = table
        self.meter: "dict | None" = None
        self._of = -1  # the mode whose meter that is; -1: not looked up yet
        self._sensors = self._read()
        self._state = None  # that the lamps show
        self._linked_mills = self._linked_ms = -1  # what the host said of the linked meter, and when

    def _read(self) -> int:
        return self.table.bits >> _SEAT_1 & 0x7F if hasattr(self.table.settings.game, "parameters") else 0

    # the tick

    def watch(self, _now_ms: int) -> None:
        """Once a tick: what the table does by itself, and what the wager sensors say."""
        table = self.table
        sensors = self._read()
        changed, self._sensors = sensors ^ self._sensors, sensors
        round_ = table.play.round
        if not table.records.started or table.tilts.open:
            return
        if self._of != table.play.test:
            self._look_up()
        if round_ is None or table.phase == "SERVICE":
            return
        if round_.owed is None and round_.state["phase"] in getattr(round_.game, "AUTOMATIC", ()):
            self._do(("next",))
        for seat in range(1, _SEATS + 1):
            if changed >> seat - 1 & 1:
                try:
                    self._sensed(round_, seat, sensors >> seat - 1 & 1)
                except Refused as refused:
                    table.show.refused(refused.code, table.hal.clock.ms())

    def _sensed(self, round_, seat: int, covered: int) -> None:
        """A chip came or went: in time it is a wager or one taken back, later it is nothing but a record."""
        table = self.table
        has = seat in [bet[0] for bet in round_.state["bets"]]
        if covered:
            spot, mills = round_.game.sensed(round_.state["settings"])
            given = ["wager", seat, spot, mills]
            if table.phase == "BETS_OPEN":
                table.commands.make_room(_IDLE_ROOM)
                self._check(given, table.play.wager([[seat, spot, mills]], None))
            else:
                self._check(given, (3006, {}))
        elif has and table.phase == "BETS_OPEN":
            table.commands.make_room(_IDLE_ROOM)
            self._do(("take_back", seat))
        table.changed()

    def _check(self, given: list, refused: "tuple | None") -> None:
        """What a person gave in vain is written down, while there is room, and refused."""
        if refused is None:
            return
        table = self.table
        if table.journal.free() >= _IDLE_ROOM:
            payload = {"given": given, "code": refused[0], "detail": refused[1]}
            if table.play.round is not None:
                payload["round"] = table.play.number
            table.records.write(kinds.REFUSED, payload)
        raise Refused(refused[0], **refused[1])

    def _do(self, given: tuple) -> None:
        table = self.table
        round_ = table.play.round
        table.play.given(given, table.rng.draws() if "RNG" in round_.game.SOURCE else None)
        if given[0] == "chips" and "hidden" in round_.state.get("meter", ()):
            self._keep_of_round()  # it moves no more, and tells a host at once what was not opened
        table.enter(round_.phase())
        table.changed()

    # the meter

    def _look_up(self) -> None:
        self._of = self.table.play.test
        self.meter = None
        for _number, kind, payload in self.table.records.kept_records():
            if kind == kinds.METER and self._mine(payload):
                self.meter = payload["meter"]
        self.table.changed()

    def _mine(self, payload: dict) -> bool:
        return payload["game"] == self.table.settings.game.NAME and payload["test"] == self.table.play.test

    def _keep(self, on: dict, **more) -> int:
        """The meter from now on, in place of the record that held so far: the number of the new one."""
        table = self.table
        payload = {"game": table.settings.game.NAME, "test": table.play.test, "meter": on}
        payload.update(more)
        for number, kind, held in table.records.kept_records():
            if kind == kinds.METER and self._mine(held):
                payload["of"] = number
        number = table.records.write(kinds.METER, payload)
        self.meter = on
        table.changed()
        return number

    def _keep_of_round(self) -> None:
        """Before the round that is open ends: its meter, with the hits of before."""
        round_ = self.table.play.round
        if "meter" not in round_.state or round_.meter_kept:
            return
        on = dict(round_.state["meter"])
        on["recent"] = meters.latest((self.meter["recent"] if self.meter else []) + on["recent"])
        self._keep(on, round=round_.number)
        round_.meter_kept = True

    def _away(self) -> bool:
        """The table is linked, and its host is not to be heard."""
        table = self.table
        if not table.settings.rules.get("linked"):
            return False
        return ticks.since(table.hal.clock.line_ms(), self._linked_ms) > _LINK_MS

    def on_linked(self, args: dict, _origin) -> dict:
        """The host tells what the linked meter is."""
        if not self.table.settings.rules.get("linked"):
            raise Refused(4013, command="LINKED", game=self.table.settings.game.NAME)
        self._linked_ms = self.table.hal.clock.line_ms()
        if self._linked_mills != args["mills"]:
            self._linked_mills = args["mills"]
            self.table.changed()
        return {}

    def mills(self) -> int:
        """What the meter shows; -1 for a game without one, and for a linked one that its host has not named."""
        if self.table.settings.rules.get("linked"):
            return self._linked_mills
        round_ = self.table.play.round
        if round_ is not None and "meter" in round_.state:
            return round_.state["meter"]["current"]
        game = self.table.settings.game
        if not hasattr(game, "parameters"):
            return -1
        return self.meter["current"] if self.meter else game.parameters(self.table.settings.rules)["seed"]

    # what the buttons and STATUS ask

    def next(self) -> None:
        """START begins and ends a round as at any table."""

    def offer(self) -> bool:
        """NO_MORE_BETS is the lock-out, and nothing else."""
        return False

    def buttons(self) -> int:
        """Nothing but what the phase lights."""
        return 0

    def tell(self, reply: dict) -> None:
        """Adds to STATUS and LIVE what the round waits for, and the meter."""
        round_ = self.table.play.round
        if round_ is not None:
            reply["step"] = round_.state["phase"]
        if self.mills() >= 0:
            reply["meter_mills"] = self.mills()

    # methods `on_x`, as in `commands`, which they go before

    def on_open_bets(self, _args: dict, _origin) -> dict:
        """Begins a round on the meter that is kept; no sensor may be covered."""
        table = self.table
        if self._away():
            raise Refused(4014, seconds=_LINK_MS // 1000)
        if self._sensors:
            seat = 1
            while not self._sensors >> seat - 1 & 1:
                seat += 1
            self._check(["open"], (3036, {"seat": seat}))
        table.commands.make_room(_ROUND_ROOM)
        table.rng.reseed()
        self._look_up()
        on = {}
        if self.meter:
            on = {"meter": dict(self.meter)}
            del on["meter"]["recent"]
        table.play.open(on)
        table.enter("BETS_OPEN")
        self.watch(0)
        return {"round": table.play.number}

    def on_no_more_bets(self, _args: dict, _origin) -> dict:
        """The lock-out button: no wager is recognised any more."""
        table = self.table
        table.play.no_more_bets()
        table.play.settle_owed()
        table.enter(table.play.round.phase())
        return table.commands.totals()

    def on_give(self, args: dict, _origin) -> dict:
        """What dealer, floorperson, card reader or host enter: one input of the rules."""
        table, given = self.table, args["given"]
        round_ = table.play.round
        if not rounds.well_formed(given):
            raise Refused(4009, field="given", value=str(given)[:64], choice=", ".join(sorted(rounds.INPUTS)))
        for value in given[1:]:
            if type(value) is str:
                text_of({"given": value}, "given")
        try:
            refused = round_.refusal(tuple(given))
        except ValueError:
            raise Refused(4013, command=given[0], game=round_.game.NAME)
        self._check(given, refused)
        table.commands.make_room(_STEP_ROOM, _STEP_ROOM)
        self._do(tuple(given))
        self.watch(0)
        return {"round": round_.number, "step": round_.state["phase"]}

    def on_settle(self, args: dict, origin) -> dict:
        """All payouts are made: the meter is kept, and the round is closed."""
        self._keep_of_round()
        return self.table.commands.on_settle(args, origin)

    def on_void(self, args: dict, origin) -> dict:
        """A round is called off while its rules allow it; its meter is kept, for a hidden value may live with it."""
        table = self.table
        round_ = table.play.round
        if table.phase == "BETS_OPEN" or table.phase == "NO_MORE_BETS":
            try:
                round_.game.step(round_.state, ("void", ""))
            except ValueError as error:
                self._check(["void"], (4001, {"command": "VOID", "phase": table.phase, "advice": str(error)}))
            self._keep_of_round()
        return table.commands.on_void(args, origin)

    def on_reset_meter(self, args: dict, _origin) -> dict:
        """The meter is set to its seed, or to what somebody says, with its own key beside that of service."""
        table, reason, operator = self.table, text_of(args, "reason"), text_of(args, "operator")
        game = table.settings.game
        table.commands.service.demand("RESET_METER", args)
        given = ["reset", args.get("mills", 0), operator]
        if not table.bits & _KEY_RESET:
            self._check(given, (1013, {}))
        if table.play.round is not None:
            advice = "end the round that is open, then reset the meter"
            self._check(given, (4001, {"command": "RESET_METER", "phase": table.phase, "advice": advice}))
        if not hasattr(game, "parameters"):
            raise Refused(4013, command="RESET_METER", game=game.NAME)
        for field, value in (("reason", reason), ("operator", operator)):
            if not value:
                raise Refused(4009, field=field, value="empty", choice="a text")
        parameters = game.parameters(table.settings.rules)
        self._look_up()
        before = self.meter or meters.opened(parameters)
        mills = args.get("mills", before["parameters"]["seed"])
        try:
            on = meters.correct(before, mills)
        except ValueError as error:
            self._check(given, (4009, {"field": "mills", "value": mills, "choice": str(error)}))
        table.commands.make_room(ROUND_ROOM)
        return {"record": self._keep(on, reason=reason, operator=operator)}


class ProgressiveShow(Show):
    """The lamps of a table of cards or dice: seats, displays and the meter; a rim that it may have is dim."""

    def __init__(self, lights, board: dict, of: Progressive) -> None:
        Show.__init__(self, lights, ("",) * 54, board, {"": (16, 16, 16)})
        self.of = of
        self._round = None

    def picture(self, shown) -> None:
        self._round = shown

    def text(self, index: int, now_ms: int) -> str:
        base = Show.text(self, index, now_ms)
        state = self._round.state if self._round is not None else None
        return progressive.text(self.view, base, state, self.of.mills(), index, now_ms)

    def lit(self) -> int:
        lamps = Show.lit(self)
        round_ = self._round
        if round_ is not None and not round_.over:
            for seat in progressive.seats(round_.state):
                lamps |= 1 << _SEAT_1 + seat - 1
        return lamps
