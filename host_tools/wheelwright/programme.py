"""What `wheelwright run` plays: wagers and pushes of the wheel, round by round, all from one seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tabletop.rules import dreamcatcher as game

CHIPS = (1000, 2000, 5000, 10000, 25000, 100000)  # mills


@dataclass(frozen=True)
class PlannedRound:
    """Wagers [seat, spot, mills] and the ends of its spins, in the words of `aim`; after these, any number."""

    bets: list[list[Any]]
    aims: tuple[str, ...]

    def aim(self, nth: int) -> str:
        """The end of the nth spin of the round (from 1)."""
        return self.aims[nth - 1] if nth <= len(self.aims) else "number"


def programme(seed: int, rounds: int) -> list[PlannedRound]:
    """The rounds of a run. The first five show what a wheel can do, the others are as they come."""
    draw = random.Random(seed)
    shown = [("short",), ("between",), ("roll-back",), (f"symbol {draw.choice(('2x', '7x'))}",)]
    draw.shuffle(shown)
    first: list[tuple[str, ...]] = [(), *shown]
    planned = []
    for index in range(rounds):  # one round after the other, so that a longer run begins like a shorter one
        aims = first[index] if index < len(first) else tuple(_as_it_comes(draw))
        planned.append(PlannedRound(_bets(draw), aims))
    return planned


def _as_it_comes(draw: random.Random) -> Iterator[str]:
    """Mostly a number at once; now and then a multiplier, which may be followed by another one."""
    while draw.random() < 0.2:
        yield "multiplier"


def _bets(draw: random.Random) -> list[list[Any]]:
    places = [(seat, spot) for seat in range(1, game.DEFAULTS["seats"] + 1) for spot in game.ODDS]
    chosen = sorted(draw.sample(places, draw.randint(3, 6)), key=lambda place: (place[0], int(place[1])))
    return [[seat, spot, draw.choice(CHIPS)] for seat, spot in chosen]
