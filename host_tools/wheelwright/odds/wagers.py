"""What a wager of the progressive seeds is worth: exact chances of its results, and its return at any meter."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tabletop.rules.progressive import pays as pay_words

from wheelwright.configuration import Configuration
from wheelwright.odds.simulation import share_of

ZERO = Fraction(0)
Pay = tuple[Any, ...]
Chances = Mapping[str, Fraction]  # result -> chance; what is missing to 1 loses


@dataclass(frozen=True)
class WagerPrice:
    """One paytable. Returns are shares of the stake and hold what the player is handed, the stake included.

    which      : chapter, decks and paytable in words
    pays       : result -> pay (see tabletop.rules.progressive.pays)
    seed       : mills on the meter at first; 0 without a meter
    rates      : what of a wager goes to meter and reserve
    """

    game: str
    which: str
    chances: Chances
    pays: Mapping[str, Pay]
    wager_mills: int
    seed: int = 0
    rates: Fraction = ZERO
    stake_back: bool = True

    def fixed(self) -> Fraction:
        """Return of the pays at odds."""
        return sum((chance * self.handed(result) for result, chance in self.chances.items()), ZERO)

    def handed(self, result: str) -> Fraction:
        """What a stake of 1 is handed for a result at odds; 0 for a share of the meter."""
        pay = self.pays[result]
        if pay[0] == pay_words.SHARE:
            return ZERO
        return Fraction(pay[1], pay[2]) + (1 if pay[0] == pay_words.TO and self.stake_back else 0)

    def share(self) -> Fraction:
        """The share of the meter that a wager wins in the mean."""
        won = [(chance, self.pays[result]) for result, chance in self.chances.items()]
        return sum((chance * pay[1] / 100 for chance, pay in won if pay[0] == pay_words.SHARE), ZERO)

    def at(self, meter_mills: int | Fraction) -> Fraction:
        """Return while the meter stands at `meter_mills`."""
        return self.fixed() + self.share() * meter_mills / self.wager_mills

    def break_even(self) -> Fraction | None:
        """The meter in mills at which the return is 1; None without a meter."""
        return (1 - self.fixed()) * self.wager_mills / self.share() if self.share() else None

    def long_run(self) -> Fraction:
        """Return when all that goes to meter and reserve is won in the end; the house's seeds are left out."""
        return self.fixed() + self.rates

    def hit(self) -> Fraction:
        """Chance of any win."""
        return sum(self.chances.values(), ZERO)

    def jackpot(self) -> Fraction:
        """Chance of the whole meter."""
        won = [(chance, self.pays[result]) for result, chance in self.chances.items()]
        return sum((chance for chance, pay in won if pay == (pay_words.SHARE, 100)), ZERO)


def prices(configuration: Configuration, every: bool) -> list[WagerPrice]:
    """The price of the paytable that is configured, or of `every` one that is printed."""
    return list(_module(configuration).prices(configuration.settings, every))


def results(configuration: Configuration, rounds: int, seed: int) -> Counter[str | None]:
    """Results of `rounds` hands dealt by a seeded generator and read by the table's own rules."""
    one: Callable[[random.Random], str | None] = _module(configuration).dealer(configuration.settings)
    generator = random.Random(f"{seed} {configuration.game.name}")
    return Counter(one(generator) for _ in range(rounds))


def strays(price: WagerPrice, counted: Counter[str | None]) -> Iterator[str]:
    """The results whose exact chance is outside of the 99.9 % interval of what was counted."""
    rounds = sum(counted.values())
    for result, chance in price.chances.items():
        centre, half = share_of(counted[result], rounds)
        if abs(float(chance) - centre) > half:
            yield result


def _module(configuration: Configuration) -> Any:
    import importlib

    return importlib.import_module(f"wheelwright.odds.{configuration.game.name}")
