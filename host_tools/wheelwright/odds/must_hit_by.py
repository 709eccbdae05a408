"""The exact price of the Must-Hit-By Mystery bonus: a hidden value, each as likely, and wagers of the minimum."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tabletop.rules.progressive import meter
from tabletop.rules.progressive import must_hit_by as rules
from tabletop.rules.progressive.must_hit_tables import CHAPTERS, CONFIGURATIONS

from wheelwright.adjudicate import Noted
from wheelwright.odds.simulation import Seeded
from wheelwright.odds.wagers import dollars, percent

HIT = "hit"


@dataclass(frozen=True)
class MysteryPrice:
    """One configuration; money in mills. The bonus comes on top of what the progressive wager itself returns.

    low, high    : minimum and maximum of the meter
    contribution : what a wager of the minimum adds, a whole number of mills in every printed configuration
    """

    which: str
    wager_mills: int
    low: int
    high: int
    contribution: int

    def wagers_per_hit(self) -> Fraction:
        """Mean number of wagers from a reset to a hit: the value h above the minimum takes h // contribution + 1."""
        values = self.high - self.low
        whole, left = divmod(values, self.contribution)
        return Fraction(self.contribution * whole * (whole + 1) // 2 + left * (whole + 1), values)

    def mean_payout(self) -> Fraction:
        """The minimum, and all contributions since."""
        return self.low + self.contribution * self.wagers_per_hit()

    def returned(self) -> Fraction:
        """What the bonus gives back of a wager in the mean: payouts over wagers, from reset to reset."""
        return self.mean_payout() / (self.wagers_per_hit() * self.wager_mills)

    def worth(self, stands_at: int) -> Fraction:
        """What the next wager wins in the mean, as a share of it, while the meter stands at `stands_at`."""
        left = self.high - stands_at  # values that are still possible
        return Fraction(min(self.contribution, left) * (stands_at + self.contribution), left * self.wager_mills)

    def break_even(self) -> Fraction:
        """The meter at which the next wager wins itself back in the mean by the bonus alone."""
        return Fraction(self.wager_mills * self.high - self.contribution**2, self.wager_mills + self.contribution)

    @property
    def chances(self) -> Mapping[str, Fraction]:
        return {HIT: 1 / self.wagers_per_hit()}

    def cells(self) -> dict[str, str]:
        return {
            "contributes": f"{self.contribution / 10:.1f} cents",
            "wagers to a hit": f"{float(self.wagers_per_hit()):,.1f}", "pays in the mean": dollars(self.mean_payout()),
            "returns": percent(self.returned()), "wins itself back at": dollars(self.break_even()),
        }  # fmt: skip

    def details(self) -> list[str]:
        return [f"of that {percent(Fraction(self.contribution, self.wager_mills))} are the players' own contributions"]

    def as_json(self) -> dict[str, Any]:
        return {
            "paytable": self.which, "wager_mills": self.wager_mills, "minimum_mills": self.low,
            "maximum_mills": self.high, "contribution_mills": self.contribution,
            "wagers_per_hit": float(self.wagers_per_hit()), "wagers_per_hit_exact": str(self.wagers_per_hit()),
            "mean_payout_mills": float(self.mean_payout()), "return": float(self.returned()),
            "return_exact": str(self.returned()), "break_even_mills": float(self.break_even()),
        }  # fmt: skip


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[MysteryPrice]:
    """The configuration of the settings, or all twelve; the chapter changes none of them."""
    chosen = CONFIGURATIONS if every else [(settings["paytable"], settings["minimum_wager"])]
    for letter, minimum in chosen:
        low, high, rate = rules.configuration({"paytable": letter, "minimum_wager": minimum})
        added = minimum * 1000 * rate
        yield MysteryPrice(f"paytable {letter}, ${minimum}", minimum * 1000, low, high, added // meter.RATE)


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Places one wager of the minimum on one meter, round after round, by the table's own rules."""
    bet = ("wager", 1, CHAPTERS[settings["chapter"]][1][0], settings["minimum_wager"] * 1000)
    given: dict[str, Any] = {"meter": None}

    def one(generator: random.Random) -> list[str | None]:
        draws = given.setdefault("draws", Noted(Seeded(generator)))
        state = rules.new(1, settings, given["meter"])  # type: ignore[arg-type]
        for word in (("next",),) * (state["phase"] == "HIDE") + (bet, ("no_more_bets",), ("chips", 1, "D1")):
            state, _ = rules.step(state, word, draws)
        given["meter"] = state["meter"]
        draws.take()
        return [HIT if state["wins"] else None]

    return one
