"""Plays a table of cards or dice: deals from a made-up shoe or throws dice, counts chips, and validates wins.

What is due follows from the round as its records tell it, so a round that somebody else has begun is taken up too.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.rules.progressive import cards, hands
from tabletop.rules.progressive.players_edge_pays import draws_again, points

from wheelwright.dealer import AWAITS_SPIN, PATIENCE_S, Bet, Dealer, Payload, Table
from wheelwright.games import Game
from wheelwright.hand import Hand
from wheelwright.logbook.arrivals import Arrivals

DEALER, FLOORPERSON = "D1", "F1"
STANDS = 17  # points with which a player of ours stands
State = Mapping[str, Any]


class SeatedDealer(Dealer):
    """A Dealer of `game`; `state` gives the round that is open, None while it is not known.

    The same seed, the same cards.
    """

    def __init__(
        self, table: Table, arrivals: Arrivals, game: Game, state: Callable[[], State | None], seed: int,
        patience_s: float = PATIENCE_S, hand: Hand | None = None,
    ) -> None:  # fmt: skip
        super().__init__(table, arrivals, lambda _nth: None, patience_s)
        self._game, self._state = game, state
        self._draw = random.Random(f"{game.name} {seed}")
        self._hand = hand  # of a virtual table with a shaker: presses its buttons and reads its dice

    def _wagers(self, number: int, bets: Sequence[Bet]) -> Sequence[Bet]:
        if bets:
            return bets
        opened = self._next(("ROUND_OPENED",), number)[1]
        return made_up(self._game, opened["settings"], self._draw)

    def finish(self, number: int) -> Payload | None:
        """From "no more bets" to the end of the round: what is due is entered."""
        while True:
            status = self._call("STATUS")
            deadline = time.monotonic() + self._patience_s
            while self._arrivals.waiting or self._arrivals.last < status["last"]:
                self._take(deadline)
            state = self._state()
            if status["phase"] not in AWAITS_SPIN or state is None:
                return self._end(number, status)
            self._spun = state["phase"] not in ("COUNT", "BEGIN")
            if state.get("start", 0) < 0 and self._shaken(state):
                continue
            self._call("GIVE", given=due(self._game, state, self._draw))


    def _shaken(self, state: State) -> bool:
        """A table with a shaker is brought one step on towards the start of the deal."""
        if state["shake"] == "SHAKEN":
            dice = self._hand("shaker")["dice"] if self._hand else [self._draw.randint(1, 6) for _ in range(3)]
            self._call("GIVE", given=["roll", *dice, *dice])
        elif not state["shake"] and not state["seat"] and state["settings"]["shaker"] == "PLAYER":
            self._call("GIVE", given=["select", state["bets"][0][0]])
        else:
            if self._hand and not state["shake"]:
                self._hand("shake", seat=state["seat"])
            self._take(time.monotonic() + self._patience_s)  # the player presses, or the dice fly
        return True


def made_up(game: Game, settings: Mapping[str, Any], draw: random.Random) -> list[list[Any]]:
    """Wagers of a few players."""
    seats = sorted(draw.sample(range(1, settings["seats"] + 1), min(3, settings["seats"])))
    if hasattr(game.rules, "sensed"):
        return [[seat, *game.rules.sensed(settings)] for seat in seats]
    return [[seat, draw.choice(game.rules.SPOTS), settings["min_mills"]] for seat in seats]


def due(game: Game, state: State, draw: random.Random) -> list[Any]:
    """The input that comes next: what the dealer, a floorperson or a player does."""
    phase = state["phase"]
    if phase == "COUNT":
        return ["chips", len(state["bets"]), DEALER]
    if phase == "VALIDATE":
        slips = [win[0] for win in state["wins"] if win[-1] == 1]
        return ["documented", slips[0]] if slips else [
            "validate", next(win[0] for win in state["wins"] if not win[-1]), FLOORPERSON,
        ]  # fmt: skip
    if game.name == "dice":
        return ["dice", *(draw.randint(1, 6) for _ in range(3))]
    shoe = _shoe(game, state)
    draw.shuffle(shoe)
    if game.name == "pai_gow":
        return ["low", " ".join(shoe[:2])]
    missing = hands.missing(state)  # type: ignore[arg-type]
    if missing:
        return ["hand", missing[0], " ".join(shoe[:2])]
    if game.name == "players_edge":
        return _decision(state, shoe)
    if phase == "HOLE":
        return ["hole", shoe[0]]
    number = game.rules.WAGER.dealt if hasattr(game.rules, "WAGER") else 1
    return ["dealt", " ".join(shoe[:number])]


def _shoe(game: Game, state: State) -> list[str]:
    """The cards that do not lie on the table."""
    decks, size = game.rules.shoe_of(state["settings"]) if hasattr(game.rules, "shoe_of") else (1, cards.FULL)
    shoe: list[str] = cards.of_deck(size) * decks
    for card in [*state.get("dealt", ()), *(card for entry in state.get("hands", ()) for card in entry[1])]:
        shoe.remove(card)
    return shoe


def _decision(state: State, shoe: list[str]) -> list[Any]:
    """A card for the first hand that wants one; then the dealer's hand, drawn as the rules say."""
    for seat, some, _total, doubles, how in state["hands"]:
        if how == "PLAYED" and not doubles and points(some)[0] < STANDS:
            return ["card", seat, shoe[0]]
    dealt, live = shoe[:2], any(entry[4] == "PLAYED" for entry in state["hands"])
    while live and draws_again(dealt):
        dealt = shoe[: len(dealt) + 1]
    return ["dealer", " ".join(dealt)]
