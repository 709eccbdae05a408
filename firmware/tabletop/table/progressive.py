"""A table of wagers on cards or dice: its wager sensors, and what dealer and floorperson enter.

It stands where a bonus game's `Bonus` does. An input that the rules take is a GIVEN record; one that a person gave in
vain is a REFUSED one. Its meter is in `kept_meter`, its lamps are in `progressive_show`.
"""

from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.rules.progressive import rounds
from tabletop.table.kept_meter import IDLE_ROOM, LINK_MS, KeptMeter
from tabletop.table.progressive_show import SEAT_1, ProgressiveShow
from tabletop.table.service import text_of

# Pages: a round with its inputs, and one step with all that it draws and hides.
_ROUND_ROOM = const(200)
_STEP_ROOM = const(40)
_LAST_ROOM = const(100)  # below IDLE_ROOM: sensors that flicker leave enough for what the lock-out takes up
_SEATS = const(7)


def start(table) -> None:
    """Gives the table what a game of cards or dice needs."""
    if "RNG" in table.settings.game.SOURCE:
        import tabletop.table.watching  # noqa: F401 - the first draw needs it: better now, while memory is whole
    if table.settings.rules.get("shaker", "NONE") == "NONE":
        table.bonus = Progressive(table)
    else:
        from tabletop.table.progressive_shaker import Shaking

        table.bonus = Shaking(table)
    table.show = ProgressiveShow(table.hal.lights, table.hal.board, table.bonus)


class Progressive(KeptMeter):
    """A KeptMeter with the round that moves it."""

    def __init__(self, table) -> None:
        KeptMeter.__init__(self, table)
        self._sensors = -1  # what the round knows of them; -1 at a start: what its records say

    def _read(self) -> int:
        return self.table.bits >> SEAT_1 & 0x7F if hasattr(self.table.settings.game, "parameters") else 0

    # the tick

    def watch(self, _now_ms: int) -> None:
        """Once a tick: what the table does by itself, and what the wager sensors say."""
        table = self.table
        round_ = table.play.round
        if not table.records.started or table.tilts.open:
            return
        if self._of != table.play.test:
            self._look_up()
        if round_ is None or table.phase == "SERVICE":
            return
        if round_.owed is None and round_.state["phase"] in getattr(round_.game, "AUTOMATIC", ()):
            self._do(("next",))
        sensors = self._read()
        if self._sensors < 0:
            self._sensors = round_.sensed if table.phase == "BETS_OPEN" else sensors
        for seat in range(1, _SEATS + 1):
            bit = 1 << seat - 1
            if (sensors ^ self._sensors) & bit:
                try:
                    self._sensed(round_, seat, sensors & bit)
                except Refused as refused:
                    table.show.refused(refused.code, table.hal.clock.ms())
                self._sensors ^= bit

    def _sensed(self, round_, seat: int, covered: int, room: int = IDLE_ROOM) -> None:
        """A chip came or went: in time it is a wager or one taken back, later it is nothing but a record."""
        table = self.table
        has = round_.sensed >> seat - 1 & 1
        if covered:
            if has and table.phase == "BETS_OPEN":
                return
            spot, mills = round_.game.sensed(round_.state["settings"])
            given = ["wager", seat, spot, mills]
            if table.phase == "BETS_OPEN":
                table.commands.make_room(room)
                self._check(given, table.play.wager([[seat, spot, mills]], None))
            else:
                self._check(given, (3006, {}))
        elif has and table.phase == "BETS_OPEN":
            table.commands.make_room(room)
            self._do(("take_back", seat, round_.game.sensed(round_.state["settings"])[0]))
        table.changed()

    def _do(self, given: tuple) -> None:
        table = self.table
        round_ = table.play.round
        table.play.given(given, table.rng.draws() if "RNG" in round_.game.SOURCE else None)
        if given[0] == "chips" and "hidden" in round_.state.get("meter", ()):
            self._keep_of_round()  # it moves no more, and tells a host at once what was not opened
        table.enter(round_.phase())
        table.changed()

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
            raise Refused(4014, seconds=LINK_MS // 1000)
        sensors = self._read()
        if sensors:
            seat = 1
            while not sensors >> seat - 1 & 1:
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
        self._sensors = 0
        table.enter("BETS_OPEN")
        self.watch(0)
        return {"round": table.play.number}

    def on_wager(self, args: dict, origin) -> dict:
        """Wagers come and go as often as somebody likes: they leave the room that the round needs for its end."""
        self.table.commands.make_room(IDLE_ROOM)
        return self.table.commands.on_wager(args, origin)

    def on_no_more_bets(self, _args: dict, _origin) -> dict:
        """The lock-out button: no wager is recognised any more. Refused while chips and sensors' wagers differ."""
        table = self.table
        round_ = table.play.round
        sensors = self._read()
        spot = round_.game.sensed(round_.state["settings"])[0] if sensors else ""
        for seat in range(1, _SEATS + 1):
            covered = sensors >> seat - 1 & 1
            if not covered or [seat, spot] not in [bet[:2] for bet in round_.state["bets"]]:
                self._sensed(round_, seat, covered, _LAST_ROOM)
        self._sensors = sensors
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
        if given[0] == "award":
            self._check_award(args)
        try:
            refused = round_.refusal(tuple(given))
        except ValueError:
            raise Refused(4013, command=given[0], game=round_.game.NAME)
        self._check(given, refused)
        if given[0] == "validate" and not table.play.test:
            self._check_code(args)
        again = given[0] in ("take_back", "select", "misdeal")  # as often as somebody likes
        table.commands.make_room(IDLE_ROOM if again else _STEP_ROOM, _STEP_ROOM)
        if given[0] == "validate" and round_.state["settings"].get("linked"):
            round_.nonces[given[1]] = bytes(table.hal.entropy(16))
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
        text_of(args, "reason"), text_of(args, "operator")  # what is refused moves nothing
        if table.phase == "BETS_OPEN" or table.phase == "NO_MORE_BETS":
            try:
                round_.game.step(round_.state, ("void", ""))
            except ValueError as error:
                self._check(["void"], (4001, {"command": "VOID", "phase": table.phase, "advice": str(error)}))
            self._keep_of_round()
        return table.commands.on_void(args, origin)
