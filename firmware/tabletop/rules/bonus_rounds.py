"""A round of a bonus game from its journal records: inputs, and the draws that belong to the step of each.

An input is a GIVEN record: ["begin", spot], ["choose", seat, choice], ["press", seat], ["timeout"] or ["next"] (what
the table does by itself); that of a physical wheel is its SPIN record. The DRAW records that follow a GIVEN are those
of its step, in their order. The step is done when the next record of the round comes, with exactly these draws;
the table does it at once, and after a power cut with the draws that it finds first, and only then with new ones.
"""

from tabletop.drawn import Missing, Replayed
from tabletop.rules import GAMES
from tabletop.rules.rounds import Round

INPUTS = ("begin", "choose", "press", "timeout", "next")


class BonusRound(Round):
    """A Round with `given`, the input whose step is not done yet, and the `effects` of the last step that is."""

    def __init__(self, opened: dict) -> None:
        Round.__init__(self, opened)
        self.effects: list = []
        self._draws: list = []  # [number, name, ranges, values] of the step of `given`
        self._collected = 0
        self._closed_mills = -1

    def phase(self) -> str:
        """The table's phase that follows from the records so far."""
        if self.over or self.owed is not None:
            return "SETTLED" if self.over else "RESULT"
        if self.running:
            return "SPINNING"
        return {"BETS": "BETS_OPEN", "BEGIN": "NO_MORE_BETS"}.get(self.state["phase"], "BONUS")

    def wagered_mills(self) -> int:
        """All stakes of the round, those that did not take part in the bonus game too."""
        return Round.wagered_mills(self) if self._closed_mills < 0 else self._closed_mills

    def refusal(self, given: tuple) -> "tuple | None":
        """Why the rules refuse an input (code, detail), None when they take it: a step that asks for a draw is taken.

        ValueError when the input makes no sense in this game or phase.
        """
        try:
            effects = self.game.step(self.state, given, self.draws())[1]
        except Missing:
            return None
        return effects[0][1:] if effects and effects[0][0] == "refuse" else None

    def draws(self, live=None):
        """What the step of `given` draws from."""
        return Replayed(self._draws, live)

    def go_on(self, live=None) -> None:
        """Does the step of `given` with its journalled draws, then with those of `live`; Missing when it has none."""
        draws = self.draws(live)
        state, effects = self.game.step(self.state, self.given, draws)
        draws.finish()
        self._take(state, effects)
        self.given = None
        self._draws = []

    def also(self, _given: tuple) -> dict:
        """What the record of an input names besides it."""
        return {}

    def _bets_closed(self, payload: dict) -> None:
        Round._bets_closed(self, payload)
        self._closed_mills = payload["mills"]

    def take(self, kind: str, payload: dict) -> None:
        if kind == "DRAW":
            self._draw(payload)
            return
        if kind == "SPIN" and not payload["spin"] and not payload["counted"]:
            return  # somebody turned the wheel: that interrupts no step
        self._end_step()
        if kind == "GIVEN":
            self._given(payload)
        else:
            Round.take(self, kind, payload)

    def _end_step(self) -> None:
        """Another record has come: the step of `given` has all its draws."""
        if self.given is not None:
            self.go_on()

    def _given(self, payload: dict) -> None:
        given = payload["given"]
        if self.running or self.owed is not None or self.state["phase"] == "BETS" or given[0] not in INPUTS:
            raise ValueError("input %s of round %d came out of turn" % (given, self.number))
        self.given = tuple(given)

    def _draw(self, payload: dict) -> None:
        if self.given is None:
            raise ValueError("draw %d of round %d belongs to no step" % (payload["number"], self.number))
        self._draws.append([payload["number"], payload["name"], payload["ranges"], payload["values"]])

    def step(self, given: tuple) -> None:
        self._take(*self.game.step(self.state, given))

    def _take(self, state: dict, effects: list) -> None:
        if effects and effects[0][0] == "refuse":
            raise ValueError("round %d holds an input that E-%d refuses" % (self.number, effects[0][1]))
        self.state, self.effects = state, effects
        self._collected += sum([effect[3] for effect in effects if effect[0] == "collect"])
        if state["phase"] == "DONE":
            self.owed = self._settlement(effects)

    def _settlement(self, effects: list) -> dict:
        game = self.game
        return {
            "round": self.number, "collected": self._collected, "test": self.test, "source": game.SOURCE,
            "layout": self.layout, "paytable": game.paytable_hash(),
            "pays": [list(effect[1:]) for effect in effects if effect[0] == "pay"],
            "odds": [list(effect[1:]) for effect in effects if effect[0] == "odds"],
            "detail": [effect[2] for effect in effects if effect[0] == "result"][0] if self.state["bets"] else {},
        }  # fmt: skip

    def _round_voided(self, payload: dict) -> None:
        if "spot" in self.state:
            raise ValueError("round %d was voided after its bonus game had begun" % self.number)
        Round._round_voided(self, payload)


def opened(payload: dict) -> BonusRound:
    """The round that a ROUND_OPENED opens, of a game that is not of a wheel alone."""
    if payload["game"] in GAMES:
        return BonusRound(payload)
    from tabletop.rules.progressive.rounds import ProgressiveRound

    return ProgressiveRound(payload)


class Zeros:
    """Every draw gives 0."""

    def uniform(self, _name: str, _n: int) -> int:
        return 0

    def weighted(self, _name: str, _weights: list) -> int:
        return 0

    def shuffle(self, _name: str, n: int) -> list:
        return list(range(n))


def self_check(game) -> str:
    """A round in which every draw gives 0 and everybody takes the first, against the game's CHECK; "" when right."""
    if game.NAME not in GAMES:
        from tabletop.rules.progressive import rounds

        return rounds.self_check(game)
    spot = sorted(game.SPOTS)[0]
    inputs = {
        "BEGIN": ("begin", spot), "CHOICE": ("choose", 1, 1), "PRESS": ("press", 1), "SPIN": ("spin", "SECTION", 30),
    }  # fmt: skip
    state = game.step(game.new(1, game.DEFAULTS), ("wager", 1, spot, 1000))[0]
    state = game.step(state, ("no_more_bets",))[0]
    while state["phase"] != "DONE":
        state, effects = game.step(state, inputs.get(state["phase"], ("next",)), Zeros())
    paid = [effect[4] for effect in effects if effect[0] == "pay"]
    return "" if paid == [game.CHECK] else "the round of zeros paid %s to 1, not %d" % (paid, game.CHECK)
