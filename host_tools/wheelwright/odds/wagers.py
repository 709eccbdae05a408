"""What a wager of the progressive seeds is worth: exact chances of its results, and its return at any meter."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from tabletop.rules.progressive import pays as pay_words

from wheelwright.configuration import Configuration
from wheelwright.odds.simulation import CONFIDENCE

ZERO = Fraction(0)


class Priced(Protocol):
    """What every price of a wager can tell: `which` paytable it is of, and the chances that a simulation is held to."""

    @property
    def which(self) -> str: ...
    @property
    def chances(self) -> Mapping[str, Fraction]: ...
    def cells(self) -> dict[str, str]:
        """The figures in words, by the heads of their columns."""
    def details(self) -> list[str]:
        """A line a result."""
    def as_json(self) -> dict[str, Any]:
        """The same in numbers, exact ones as texts."""


def percent(value: Fraction) -> str:
    """A share, as `70.196 %`."""
    return f"{float(100 * value):.3f} %"


def dollars(mills: Fraction) -> str:
    """Mills, as `$10,300.63`."""
    return f"${float(mills) / 1000:,.2f}"


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


    def cells(self) -> dict[str, str]:
        told = {"at odds": percent(self.fixed()), "wins": percent(self.hit())}
        even = self.break_even()
        if even is not None:
            told |= {"at the seed": percent(self.at(self.seed)), "100 % at": dollars(even),
                     "in the long run": percent(self.long_run())}  # fmt: skip
        return told

    def details(self) -> list[str]:
        lines = [
            f"{result:<40} {float(100 * chance):>10.5f} %  {pay_words.words(self.pays[result])}"
            for result, chance in self.chances.items()
        ]  # fmt: skip
        return lines + ([f"mean number of wagers to a hit: {float(1 / self.jackpot()):,.0f}"] if self.jackpot() else [])

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "paytable": self.which, "wager_mills": self.wager_mills, "hit": float(self.hit()),
            "return_at_odds": float(self.fixed()), "return_at_odds_exact": str(self.fixed()),
            "results": [
                {"result": name, "chance": float(chance), "chance_exact": str(chance),
                 "pays": pay_words.words(self.pays[name])}
                for name, chance in self.chances.items()
            ],
        }  # fmt: skip
        even = self.break_even()
        if even is not None:
            told["meter"] = {
                "seed_mills": self.seed, "return_at_seed": float(self.at(self.seed)),
                "return_in_the_long_run": float(self.long_run()), "break_even_mills": float(even),
                "wagers_per_hit": float(1 / self.jackpot()),
            }  # fmt: skip
        return told


def prices(configuration: Configuration, every: bool) -> list[Priced]:
    """The price of the paytable that is configured, or of `every` one that is printed."""
    return list(_module(configuration).prices(configuration.settings, every))


def results(configuration: Configuration, rounds: int, seed: int) -> list[Counter[str | None]]:
    """Results of `rounds` rounds of a seeded generator, read by the table's own rules; for each configured price."""
    one: Callable[[random.Random], list[str | None]] = _module(configuration).dealer(configuration.settings)
    generator = random.Random(f"{seed} {configuration.game.name}")
    counted: list[Counter[str | None]] = [Counter() for _ in prices(configuration, False)]
    for _ in range(rounds):
        for counter, result in zip(counted, one(generator), strict=True):
            counter[result] += 1
    return counted


def strays(price: Priced, counted: Counter[str | None]) -> Iterator[str]:
    """The results counted so rarely or so often that their exact chance gives as much in less than 0.1 % of all cases.

    From the binomial distribution itself: some results come once in a million rounds.
    """
    from scipy.stats import binom

    rounds = sum(counted.values())
    for result, chance in price.chances.items():
        at_most = binom.cdf(counted[result], rounds, float(chance))
        at_least = binom.sf(counted[result] - 1, rounds, float(chance))
        if min(at_most, at_least) < (1 - CONFIDENCE) / 2:
            yield result


def _module(configuration: Configuration) -> Any:
    import importlib

    return importlib.import_module(f"wheelwright.odds.{configuration.game.name}")
