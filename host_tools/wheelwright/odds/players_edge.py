"""The main wager of Player's Edge 21 has no price of its own: it depends on how the player plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop.rules.progressive import players_edge as rules

from wheelwright.odds.wagers import Chances


class NoPrice:
    """Says why there is none, where a price would stand."""

    which = rules.SPOTS[0]
    chances: Chances = {}

    def cells(self) -> dict[str, str]:
        return {"returns": "depends on how the hand is played"}

    def details(self) -> list[str]:
        return ["and on the odds of chapter 635a.12, which are a setting"]

    def as_json(self) -> dict[str, Any]:
        return {"paytable": self.which, **self.cells()}


def prices(_settings: Mapping[str, Any], _every: bool) -> Iterator[NoPrice]:
    """Its place is not left empty."""
    yield NoPrice()


def dealer(_settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Nothing is dealt, as nobody decides."""
    return lambda _generator: [None]
