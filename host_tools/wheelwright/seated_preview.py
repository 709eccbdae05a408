"""What a table of cards or dice shows of one simulated round: its displays and the lamps of its seats.

The texts are those of the table's own scenes (`tabletop.scenes.progressive`); cards and dice are made up by a seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from tabletop.scenes import View, panel, progressive

from wheelwright.card_words import picture as words
from wheelwright.games import Game
from wheelwright.odds.simulation import Seeded
from wheelwright.seated_dealer import due, made_up

FRAMES = 3  # of a step, each as long as a number on the displays: as many as there can be Dynamic Pays
SEATS = 7
_PHASES = {"HIDE": "BETS_OPEN", "BETS": "BETS_OPEN", "COUNT": "NO_MORE_BETS", "BEGIN": "NO_MORE_BETS", "DONE": "RESULT"}
_BACKGROUND, _DARK, _LIT = (16, 16, 20), (36, 36, 42), (255, 210, 90)


class Draws(Seeded):
    """Draws of a seed, hidden values among them."""

    def __init__(self, random_: random.Random) -> None:
        super().__init__(random_)
        self._hidden: dict[str, int] = {}

    def commit(self, name: str, n: int) -> None:
        self._hidden[name] = self.uniform(name, n)

    def look(self, name: str) -> int:
        return self._hidden[name]

    def disclose(self, name: str) -> int:
        return self._hidden.pop(name)


def states(game: Game, seed: int) -> Iterator[dict[str, Any]]:
    """The states of one round of a few players, from the open bets to its end."""
    rules, draw = game.rules, random.Random(f"preview {game.name} {seed}")
    draws = Draws(draw)
    state = rules.new(1, dict(rules.DEFAULTS))
    waiting = [("wager", *bet) for bet in made_up(game, rules.DEFAULTS, draw)] + [("no_more_bets",)]
    yield state
    while state["phase"] != "DONE":
        given: tuple[Any, ...] = ("next",)
        if state["phase"] not in getattr(rules, "AUTOMATIC", ()):
            given = waiting.pop(0) if waiting else tuple(due(game, state, draw))
        state, effects = rules.step(state, given, draws)
        if effects and effects[0][0] == "refuse":
            raise AssertionError(f"{given} is refused with E-{effects[0][1]}")
        yield state


def picture(game: Game, state: dict[str, Any], ms: int, size: tuple[int, int]) -> Image.Image:
    """Seat lamps, the three displays, and the cards as they lie."""
    image = Image.new("RGB", size, _BACKGROUND)
    pen = ImageDraw.Draw(image)
    font, small = ImageFont.load_default(28), ImageFont.load_default(16)
    pen.text((40, 24), game.title, font=ImageFont.load_default(20), fill=(200, 200, 200))
    lit = progressive.seats(state)
    for seat in range(1, SEATS + 1):
        x = 60 + (seat - 1) * 86
        pen.ellipse((x - 14, 336, x + 14, 364), fill=_LIT if seat in lit else _DARK)
        pen.text((x - 5, 370), str(seat), font=small, fill=(150, 150, 150))
    view = View()
    view.test = False
    view.phase = _PHASES.get(state["phase"], "BONUS")
    mills = state["meter"]["current"] if "meter" in state else -1
    for index, (left, width) in enumerate(((40, 100), (160, 120), (300, 220))):
        text = progressive.text(view, panel.digits(view, index, ms), state, mills, index, ms)
        pen.rectangle((left, 70, left + width, 112), fill=(28, 4, 4))
        pen.text((left + 8, 74), text, font=font, fill=(255, 70, 50))
    for n, line in enumerate(words(state)[:8]):
        pen.text((40, 130 + 24 * n), line[:72], font=small, fill=(180, 200, 180))
    return image
