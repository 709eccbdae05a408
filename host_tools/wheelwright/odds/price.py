"""What a game is worth: the exact return and distribution of its pays, and what minimum and maximum change."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

ZERO = Fraction(0)


@dataclass(frozen=True)
class Price:
    """The price of one bet of a game: odds "x to 1" and their chances, given that the bonus game is played.

    spot       : the wager; `choice` says which of the player's choices where they differ
    mean       : mean odds to 1 (for Dreamcatcher: of the wager itself, see `wager_return`)
    bound      : how far `mean` can be from the truth; 0 when it is an exact rational number
    pays       : odds to 1 -> chance; None when there are too many outcomes to list (see `why`)
    listed     : the chance that `pays` covers
    hit        : chance of odds above 0 (Dreamcatcher: of a win)
    minimum, maximum : chances that these limits changed the result
    jackpot    : chance of the jackpot
    trigger    : chance that the wager's spot comes up, when the wheel is known
    """

    game: str
    spot: str
    mean: Fraction
    pays: dict[int, Fraction] | None
    hit: Fraction
    choice: str = ""
    bound: Fraction = ZERO
    listed: Fraction = Fraction(1)
    minimum: Fraction = ZERO
    maximum: Fraction = ZERO
    jackpot: Fraction = ZERO
    trigger: Fraction | None = None
    why: str = ""
    means: dict[str, Fraction] = field(default_factory=dict)

    def wager_return(self, trigger: Fraction | None = None) -> Fraction | None:
        """Return of a wager as a share of the stake: the chance of its spot times (mean odds + the stake itself)."""
        chance = self.trigger if trigger is None else trigger
        return None if chance is None else chance * (self.mean + 1)

    def variance(self) -> float | None:
        """Variance of the odds paid, where `pays` lists them."""
        if self.pays is None:
            return None
        return float(sum(((odds - self.mean) ** 2 * chance for odds, chance in self.pays.items()), ZERO) / self.listed)


def limited(totals: dict[int, Fraction], low: int, high: int) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Minimum and maximum applied last: the odds paid, and the shares of results that each of them changed."""
    pays: dict[int, Fraction] = {}
    for total, chance in totals.items():
        odds = min(max(total, low), high)
        pays[odds] = pays.get(odds, ZERO) + chance
    below = sum((chance for total, chance in totals.items() if total < low), ZERO)
    above = sum((chance for total, chance in totals.items() if total > high), ZERO)
    return {odds: pays[odds] for odds in sorted(pays)}, below, above


def mean_of(chances: dict[int, Fraction]) -> Fraction:
    """The mean value of a distribution."""
    return sum((value * chance for value, chance in chances.items()), ZERO)


def hit_of(chances: dict[int, Fraction]) -> Fraction:
    """The chance of a value above 0."""
    return sum((chance for value, chance in chances.items() if value > 0), ZERO)


def priced(
    game: str, spot: str, totals: dict[int, Fraction], low: int, high: int, means: dict[str, Fraction],
    choice: str = "", mean_total: Fraction | None = None,
) -> Price:  # fmt: skip
    """The price of a game of which the totals before minimum and maximum are known exactly.

    `mean_total` is their mean where `totals` says of those above `high` only that they are.
    """
    pays, below, above = limited(totals, low, high)
    return Price(
        game, spot, mean_of(pays), pays, hit_of(pays), choice, minimum=below, maximum=above,
        means={
            **means, "total before minimum and maximum": mean_of(totals) if mean_total is None else mean_total,
            "odds paid": mean_of(pays),
        },
    )  # fmt: skip
