"""A bonus game on the table: its commands, its steps when they are due, the players' timer, and its lamps.

Every input is a record, and so is each of its draws, before anything of the step is shown or answered.
"""

import tabletop.table.watching  # noqa: F401 - the first draw needs it: better now, while memory is whole
from tabletop import ticks
from tabletop.const import const
from tabletop.link.endpoint import Refused
from tabletop.scenes import bonus, panel
from tabletop.scenes.tiles import Tiles
from tabletop.table.show import Show

# Pages of a step: its input and its draws, 24 at most with the examples, and what is kept for tilts. A journal of 24
# sectors can have so much ready.
_STEP_ROOM = const(40)
_ROOM_MS = const(2000)
_LONG_MS = const(16000)  # after a step nothing moves any more but numbers that are shown in turn
_SHOWN = ("BONUS", "SPINNING", "RESULT", "SETTLED")


def start(table) -> None:
    """Gives the table what its bonus game needs."""
    table.bonus = Bonus(table)
    table.show = BonusShow(table.hal.lights, table.settings.game, table.hal.board)


class Bonus:
    """`timer_ms` is what the players have left for their choice, 0 when no choice is asked for.

    `_offered` is the (seat, choice) that the START button would take, None while none is offered.
    """

    def __init__(self, table) -> None:
        self.table = table
        self.timer_ms = 0
        self._round = None
        self._effects = None  # of the step that is being shown
        self._shown_ms = self._asked_ms = 0
        self._stay_ms = -1
        self._offered: "tuple[int, int] | None" = None

    def watch(self, now_ms: int) -> None:
        """Once a tick: the next step when the last one has been shown, or the end of the time for choices."""
        table = self.table
        round_ = table.play.round
        phase = round_.state["phase"] if table.phase == "BONUS" and round_ is not None else ""
        if phase and round_.effects is not self._effects:
            self._effects = round_.effects
            self._offered = None
            self._shown_ms = now_ms
            self._stay_ms = max(table.settings.step_ms, bonus.stay_ms(self._effects))
        if phase == "CHOICE":
            if not self.timer_ms:  # after a restart the time begins again
                self._asked_ms = now_ms
            self.timer_ms = max(0, round_.state["settings"]["choice_ms"] - ticks.since(now_ms, self._asked_ms))
            table.show.timer((self.timer_ms + 999) // 1000)
            if not self.timer_ms:
                self._do(("timeout",))
        elif self.timer_ms:
            self.timer_ms = 0
            table.show.timer(0)
        elif phase in table.settings.game.AUTOMATIC:
            waited_ms = ticks.since(now_ms, self._shown_ms) - self._stay_ms
            # Room is made when the wheel rests and the link is quiet; a full journal is not waited for.
            if waited_ms >= 0 and (table.journal.ready() >= _STEP_ROOM or waited_ms > _ROOM_MS):
                self._do(("next",))

    def _do(self, given: tuple) -> None:
        table = self.table
        table.play.given(given, table.rng.draws())
        table.enter(table.play.round.phase())
        table.changed()

    def next(self) -> "tuple | None":
        """The command and arguments that the START button stands for, None when that is not one of this game."""
        table = self.table
        game = table.settings.game
        if table.phase == "NO_MORE_BETS" and len(game.SPOTS) == 1:
            return "BEGIN", {"spot": game.SPOTS[0]}
        if table.phase == "BONUS" and table.play.round.state["phase"] == "PRESS":
            return "PRESS", {"seat": 0}
        if self._offered and self._chooses():
            return "CHOOSE", {"seat": self._offered[0], "choice": self._offered[1]}
        return None

    def offer(self) -> bool:
        """The NO_MORE_BETS button while players choose: the next choice, for the first seat that has none.

        False when nobody is asked to choose: then the button is what it always is.
        """
        seat = self._chooses()
        if not seat:
            return False
        choice = self._offered[1] + 1 if self._offered and self._offered[0] == seat else 1
        if self.table.play.round.refusal(("choose", seat, choice)):
            choice = 1
        self._offered = (seat, choice)
        self.table.show.offered = "%x-%d" % (seat, choice)  # seat 10 is A
        self.table.changed()
        return True

    def buttons(self) -> int:
        """Bits of the buttons that the game waits for."""
        return (panel.START if self.next() else 0) | (panel.NO_MORE_BETS if self._chooses() else 0)

    def _chooses(self) -> int:
        """The first seat whose choice is asked for and not made, 0 for none."""
        table = self.table
        if table.phase == "BONUS" and table.play.round.state["phase"] == "CHOICE":
            for bet in table.play.round.state["bets"]:
                if bet[0] not in table.play.round.state["choices"]:
                    return bet[0]
        return 0

    def tell(self, reply: dict) -> None:
        """Adds to STATUS and LIVE what the game waits for."""
        round_ = self.table.play.round
        if round_ is not None:
            reply["step"] = round_.state["phase"]
        if self.timer_ms:
            reply["timer_ms"] = self.timer_ms

    # methods `on_x`, as in `commands`

    def on_begin(self, args: dict, _origin) -> dict:
        """The main wheel has stopped on the spot of a bonus game."""
        spots = self.table.settings.game.SPOTS
        if args["spot"] not in spots:
            raise Refused(4009, field="spot", value=args["spot"][:64], choice=", ".join(sorted(spots)))
        return self._input("BEGIN", ("begin", args["spot"]))

    def on_choose(self, args: dict, _origin) -> dict:
        """A player's choice."""
        return self._input("CHOOSE", ("choose", args["seat"], args["choice"]))

    def on_press(self, args: dict, _origin) -> dict:
        """A player's button; seat 0 is the dealer for a player who is absent."""
        return self._input("PRESS", ("press", args["seat"]))

    def _input(self, command: str, given: tuple) -> dict:
        table = self.table
        round_ = table.play.round
        try:
            refused = round_.refusal(given)
        except ValueError:
            raise Refused(4013, command=command, game=table.settings.game.NAME)
        if refused:
            raise Refused(refused[0], **refused[1])
        table.commands.make_room(_STEP_ROOM, _STEP_ROOM)
        self._do(given)
        return {"round": round_.number}


class BonusShow(Show):
    """The lamps of a table with a bonus game: the scene of the game in its phases, else the rim of any table."""

    def __init__(self, lights, game, board: dict) -> None:
        self.scene = scene = __import__("tabletop.scenes." + game.NAME, None, None, ("tiles",))
        layout = getattr(game, "LAYOUT", None)
        Show.__init__(
            self, lights, layout or ("",) * 54, board,
            scene.RIM_COLOURS if layout else {"": (16, 16, 16)},
        )  # fmt: skip
        self.canvas = Tiles() if board.get("tiles") else None
        self._rim = getattr(scene, "rim", None)
        self._inner = getattr(scene, "inner", None) if len(self.inner) >= 36 else None
        self._round = None
        self._effects = None
        self._stepped_ms = -1  # -1: the step is shown from the next frame on
        self._timer_s = 0
        self.offered = ""  # the seat and choice that the START button would take
        self._ms = 0  # of the step, at the last frame
        self._half = -1  # of the numbers that are shown in turn

    def picture(self, shown) -> None:
        self._round = shown
        if shown is not None and shown.effects is not self._effects:
            self._effects = shown.effects
            self._stepped_ms = -1
            self.offered = ""

    def timer(self, seconds: int) -> None:
        """The players have so long; 0: no timer runs."""
        if seconds != self._timer_s:
            self._timer_s = seconds
            self.changed = True

    def show(self, now_ms: int) -> None:
        round_ = self._round
        if round_ is None or self.view.phase not in _SHOWN:
            Show.show(self, now_ms)
            self._half = -1
            if self.canvas is not None:
                self.canvas.clear()
                self.lights.tiles(self.canvas.buf)
            return
        if self._stepped_ms < 0:
            self._stepped_ms = now_ms
            self._half = -1
        self._ms = ms = ticks.since(now_ms, self._stepped_ms)
        half = ms // (bonus.PAGE_MS // 2)
        if half != self._half:
            self._half = half
            self.changed = True  # the digits too
        elif ms > _LONG_MS:
            if not self._rim:
                Show.show(self, now_ms)
            return
        if self._rim:
            self._rim(round_.state, round_.effects, ms, self.frame)
            self.lights.rim(self.frame)
        else:
            Show.show(self, now_ms)
        if self._inner:
            self._inner(round_.state, round_.effects, ms, self.inner)
            self.lights.inner(self.inner)
        if self.canvas is not None:
            self.scene.tiles(round_.state, round_.effects, ms, self.canvas)
            self.lights.tiles(self.canvas.buf)

    def text(self, index: int, now_ms: int) -> str:
        view, round_ = self.view, self._round
        text = panel.digits(view, index, now_ms)
        if round_ is None or view.phase not in _SHOWN:
            return text
        return bonus.text(
            view, text, round_.state, round_.effects, index, self._ms, self._timer_s, self.offered
        )  # fmt: skip
