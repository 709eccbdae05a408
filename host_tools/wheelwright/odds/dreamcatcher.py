"""The exact price of Dreamcatcher: a geometric series, since the multipliers stack without an end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tabletop.rules import dreamcatcher as rules

from wheelwright.errors import WheelwrightError
from wheelwright.odds.price import Price

STACKS = 12  # spins on a multiplier that `pays` lists; the chance of more is below 10^-17 for equal sections


def dreamcatcher(_settings: Mapping[str, Any], sections: Sequence[Fraction]) -> list[Price]:
    """One price a spot; `sections` are the chances of the 54 sections. The table's payout limit is left out of it.

    With multipliers m of chance c each, a spot of chance p wins with p / (1 - sum of c), and its odds grow on the
    way by a mean factor of (1 - sum of c) / (1 - sum of c x m). `mean` is that of a wager that wins, `trigger` the
    chance to win: their `wager_return` is the return of every wager. E-9014: the mean has no bound.
    """
    chance: dict[str, Fraction] = {}
    for symbol, share in zip(rules.LAYOUT, sections, strict=True):
        chance[symbol] = chance.get(symbol, Fraction(0)) + share
    again = sum((chance[symbol] for symbol in rules.MULTIPLIERS), Fraction(0))
    growth = sum((chance[symbol] * factor for symbol, factor in rules.MULTIPLIERS.items()), Fraction(0))
    if growth >= 1:
        raise WheelwrightError(9014, reason="multipliers come so often that the mean has no bound")
    stacks = _stacks(chance)
    prices = []
    for spot, odds in rules.ODDS.items():
        mean = odds * (1 - again) / (1 - growth)
        pays = {odds * factor: share * (1 - again) for factor, share in sorted(stacks.items())}
        prices.append(Price(
            "dreamcatcher", spot, mean, pays, chance[spot] / (1 - again), listed=sum(pays.values(), Fraction(0)),
            trigger=chance[spot] / (1 - again),
            why=f"pays are those of a wager that wins; stacks of more than {STACKS} multipliers are not listed",
            means={"multiplier of a win": mean / odds, "odds paid": mean},
        ))  # fmt: skip
    return prices


def _stacks(chance: Mapping[str, Fraction]) -> dict[int, Fraction]:
    """Product of the multipliers -> chance that exactly those spins come first, up to STACKS of them."""
    factors = {factor: chance[symbol] for symbol, factor in rules.MULTIPLIERS.items()}
    found, level = {1: Fraction(1)}, {1: Fraction(1)}
    for _ in range(STACKS):
        following: dict[int, Fraction] = {}
        for product, share in level.items():
            for factor, again in factors.items():
                following[product * factor] = following.get(product * factor, Fraction(0)) + share * again
        level = following
        for product, share in level.items():
            found[product] = found.get(product, Fraction(0)) + share
    return found
