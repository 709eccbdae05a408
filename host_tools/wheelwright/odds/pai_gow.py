"""What can be said of the Tiger 9 without chapter 645a, which says how the dealer sets the low hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from tabletop.rules.progressive import pai_gow as rules

from wheelwright.odds.wagers import Chances, percent


class TigerPrice:
    """The wager pays 30 to 1, so it is worth its stake when the dealer has a Tiger 9 in 1 of 31 hands."""

    which = rules.SPOTS[1]
    chances: Chances = {}  # the house's way of setting the dealer's hand, 645a.11(c), decides them

    def at(self, chance: Fraction) -> Fraction:
        """Return of the wager when the dealer has a Tiger 9 with this chance."""
        return chance * (1 + Fraction(rules.TIGER[1], rules.TIGER[2]))

    def break_even(self) -> Fraction:
        """The chance at which the return is 1."""
        return 1 / self.at(Fraction(1))

    def cells(self) -> dict[str, str]:
        return {"pays": "30 to 1", "100 % at a Tiger 9 in": percent(self.break_even())}

    def details(self) -> list[str]:
        return ["how often it comes depends on how the house sets the dealer's hand (645a.11(c), not held)"]

    def as_json(self) -> dict[str, Any]:
        return {"paytable": self.which, "pays": "30 to 1", "break_even_chance_exact": str(self.break_even())}


def prices(_settings: Mapping[str, Any], _every: bool) -> Iterator[TigerPrice]:
    """One price."""
    yield TigerPrice()


def dealer(_settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Nothing is dealt: the way the dealer's seven cards are set is not held."""
    return lambda _generator: [None]
