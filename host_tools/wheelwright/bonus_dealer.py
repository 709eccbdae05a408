"""Plays a table with a bonus game: besides wagers and wheel, the main wheel's outcome and the players' inputs."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wheelwright.dealer import AWAITS_SPIN, DECIDED, PATIENCE_S, Bet, Dealer, Payload, Table
from wheelwright.errors import Refused
from wheelwright.games import Game
from wheelwright.logbook.arrivals import Arrivals
from wheelwright.programme import CHIPS

REPEATED = 3009
NOT_ELIGIBLE = 3011
MakeUp = Callable[[int], tuple[Sequence[Bet], Mapping[int, int]]]


class BonusDealer(Dealer):
    """A Dealer of a bonus game that begins with `spot`; `choices` gives what a seat chooses (else the table draws).

    `make_up` gives wagers and choices, by the number of seats of the table, for rounds that have none.
    A seat that presses a button is the first with a wager; without wagers of ours the dealer presses.
    """

    def __init__(
        self, table: Table, arrivals: Arrivals, spin: Callable[[int], object], patience_s: float = PATIENCE_S, *,
        spot: str, choices: Mapping[int, int] | None = None, make_up: MakeUp | None = None,
    ) -> None:  # fmt: skip
        super().__init__(table, arrivals, spin, patience_s)
        self._spot = spot
        self._choices = dict(choices or {})
        self._make_up = make_up
        self._presses = 0

    def _wagers(self, number: int, bets: Sequence[Bet]) -> Sequence[Bet]:
        if not bets and self._make_up is not None:
            opened = self._next(("ROUND_OPENED",), number)[1]
            bets, choices = self._make_up(opened["settings"]["seats"])
            self._choices = dict(choices)
        seats = [int(bet[0]) for bet in bets if bet[1] == self._spot]
        self._presses = seats[0] if seats else 0
        return bets

    def finish(self, number: int) -> Payload | None:
        """From "no more bets" to the end of the round: inputs and spins as the game asks for them."""
        asked: set[int] = set()
        nth = 1
        while True:
            status = self._call("STATUS")
            phase, step = status["phase"], status.get("step", "")
            if phase not in (*AWAITS_SPIN, "SPINNING"):
                return self._end(number, status)
            if step == "BEGIN":
                self._spun = True  # from here on the round is played to its end
                self._call("BEGIN", spot=self._spot)
            elif step == "PRESS":
                self._call("PRESS", seat=self._presses)
            elif step == "CHOICE":
                self._choose(asked)
            awaited = "GIVEN"
            if step == "SPIN":
                awaited = "SPIN"
                if phase == "BONUS" and not status["moving"]:
                    self._arrivals.hear_wish()
                    self._spin(nth)
            kind, payload = self._next((awaited, *DECIDED), number)
            nth += kind == "SPIN" and bool(payload["spin"])

    def _choose(self, asked: set[int]) -> None:
        for seat in sorted(set(self._choices) - asked):
            asked.add(seat)
            try:
                self._call("CHOOSE", seat=seat, choice=self._choices[seat])
            except Refused as refused:
                # in a round that was taken up it may have chosen before, or others may have wagered
                if refused.code not in (REPEATED, NOT_ELIGIBLE):
                    raise


def sample(
    game: Game, seed: int, spot: str = "", seats: int = 0, among: Iterable[int] = ()
) -> tuple[str, list[list[Any]], dict[int, int]]:
    """(spot, wagers, choices) of a round of a game, as a few players might have it; the same seed, the same round.

    `seats` of the table, 0: as many as the game has by default. The seats `among` them have a wager in any case.
    Two of three seats choose where there is a choice; for the third one the time runs out.
    """
    draw = random.Random(f"{game.name} {seed}")
    begins = draw.choice(sorted(game.rules.SPOTS))
    spot = spot or begins
    seats = seats or game.rules.DEFAULTS["seats"]
    taken = sorted({*draw.sample(range(1, seats + 1), min(3, seats)), *among})
    bets = [[seat, spot, draw.choice(CHIPS)] for seat in taken]
    return spot, bets, {seat: draw.randint(1, game.choices) for seat in taken[:2]} if game.choices else {}
