"""The price of Wonderspins: a dynamic program over spins remaining and one multiplier, character by character.

The meter is the sum of what each character adds, so its mean is the sum of six means, and a character needs only
its own multiplier and the counter. Eat Me, Drink Me and additional spins let the counter rise without an end; the
program stops when less than TAIL of the chance is left, and bounds what was left out. The distribution of the meter
needs all six multipliers at once and is too large to enumerate: the simulation gives it, with a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from tabletop.rules import wonderspins as rules

from wheelwright.errors import WheelwrightError
from wheelwright.odds.price import Price

Grid = npt.NDArray[np.float64]  # [spins remaining, multiplier] -> chance
TAIL = 1e-18
ROUNDS = 4000  # no wheel with a usable price needs as many
PLUS = "+"


class Chances:
    """Chances of one round of spins, from the settings and the chances of the outer sections."""

    def __init__(self, settings: Mapping[str, Any], sections: Sequence[Fraction]) -> None:
        self.outer: dict[str, float] = {}
        for symbol, share in zip(rules.LAYOUT, sections, strict=True):
            self.outer[symbol] = self.outer.get(symbol, 0.0) + float(share)
        inner = Counter(rules.INNER)
        self.plus = inner.pop(PLUS) / len(rules.INNER)
        self.amounts = {int(symbol): count / len(rules.INNER) for symbol, count in inner.items()}
        weights = settings["inner_characters"]
        self.goes_to = [weight / sum(weights) for weight in weights]
        self.extra = 0 if settings["extra_spin_deducts"] else 1
        more = self.outer["Eat Me"] + self.outer["Drink Me"]
        self.drift = self.plus + more * (1 + self.extra) - 1  # of the counter in a round
        # the counter's change in a round: plus (0, 1) and the outer wheel (-1, or the additional spin)
        changes = [(b - 1 + a * (1 + self.extra), self._chance(a, b, more)) for a in (0, 1) for b in (0, 1)]
        self.variance = sum(chance * (change - self.drift) ** 2 for change, chance in changes)
        if self.drift >= -1e-6:
            raise WheelwrightError(9014, reason="its additional spins come as often as they are used up")

    def _chance(self, outer: int, inner: int, more: float) -> float:
        return (more if outer else 1 - more) * (self.plus if inner else 1 - self.plus)


def wonderspins(settings: Mapping[str, Any], sections: Sequence[Fraction]) -> list[Price]:
    """One price for each of the two starts; `sections` are the chances of the outer wheel's 54 sections. E-9014."""
    chances = Chances(settings, sections)
    prices = []
    for spot, rounds in rules.SPOTS.items():
        mean, bound = 0.0, 0.0
        done: dict[object, tuple[float, float]] = {}
        means = {}
        for n, name in enumerate(rules.CHARACTERS):
            table = settings["starts"][n]
            # characters of equal weights and sections have equal means
            key = (repr(table), chances.goes_to[n], chances.outer[name])
            if key not in done:
                done[key] = _character(chances, n, table, rounds)
            mean += done[key][0]
            bound += done[key][1]
            means[f"from {name}"] = Fraction(done[key][0])
        nothing = _no_character(chances, rounds)
        means["rounds of spins"] = Fraction(rounds / -chances.drift)
        means["odds paid"] = Fraction(mean)
        prices.append(Price(
            "wonderspins", spot, Fraction(mean), None, Fraction(1 - nothing), bound=Fraction(bound), listed=Fraction(0),
            why="six multipliers, meter and counter together are too many states to enumerate; --simulate gives the "
            "distribution with its bound", means=means,
        ))  # fmt: skip
    return prices


def _spread(grid: Grid, chances: Chances, goes_to: float) -> Grid:
    """One turn of the inner wheel: an additional spin, or a multiplier to this character or another."""
    after = np.zeros((grid.shape[0] + 1, grid.shape[1] + max(chances.amounts)))
    rows, columns = grid.shape
    after[1:, :columns] += chances.plus * grid
    after[:rows, :columns] += (1 - chances.plus) * (1 - goes_to) * grid
    for amount, chance in chances.amounts.items():
        after[:rows, amount:amount + columns] += chance * goes_to * grid
    return after


def _rest(grid: Grid, chances: Chances) -> Grid:
    """One spin of the outer wheel, and the games that end leave the grid."""
    rows, columns = grid.shape
    after = np.zeros((rows + 1, columns + 1))
    eat, drink = chances.outer["Eat Me"], chances.outer["Drink Me"]
    after[:rows - 1, :columns] += (1 - eat - drink) * grid[1:]
    extra = chances.extra
    after[extra:extra + rows, 1:] += eat * grid
    after[extra:extra + rows, 1:columns - 1] += drink * grid[:, 2:]
    after[extra:extra + rows, 1] += drink * grid[:, 1]  # no multiplier below one
    after[0] = 0
    return after


def _trimmed(grid: Grid) -> Grid:
    """Without rows and columns at the far ends that hold nothing at all any more."""
    rows = np.flatnonzero(grid.sum(axis=1))
    columns = np.flatnonzero(grid.sum(axis=0))
    return grid[: rows[-1] + 1, : columns[-1] + 1] if len(rows) else grid[:1, :1]


def _character(chances: Chances, n: int, table: list[list[int]], rounds: int) -> tuple[float, float]:
    """What one character adds to the meter in the mean, and how far from the truth that can be."""
    total = sum(weight for _, weight in table)
    grid: Grid = np.zeros((rounds + 1, max(value for value, _ in table) + 1))
    for value, weight in table:
        grid[rounds, value] = weight / total
    lands = chances.outer[rules.CHARACTERS[n]]
    mean = dropped = 0.0
    operations = 0
    while grid.sum() > TAIL:
        operations += 1
        if operations > ROUNDS:
            raise WheelwrightError(9014, reason=f"it goes on for more than {ROUNDS} rounds of spins")
        grid = _spread(grid, chances, chances.goes_to[n])
        mean += lands * float(grid.sum(axis=0) @ np.arange(grid.shape[1]))
        grid = _rest(grid, chances)
        small = grid < TAIL * 1e-6
        dropped += float((grid * small).sum() * _worst(chances, grid.shape))
        grid = _trimmed(np.where(small, 0.0, grid))
    dropped += float(grid.sum()) * _worst(chances, grid.shape)
    # every chance passed through at most `operations` rounds of a few roundings each
    return mean, dropped + mean * operations * 16 * np.finfo(float).eps


def _worst(chances: Chances, shape: tuple[int, ...]) -> float:
    """A bound on what any state of a grid of this shape can still add.

    N rounds remain, of mean r / d and variance r v / d^3 (first passage of the counter, Wald), and in the k-th of
    them a multiplier is at most m + 11 k: ten of the inner wheel and one of Eat Me.
    """
    drift = -chances.drift
    rounds = shape[0] / drift
    square = shape[0] * chances.variance / drift**3 + rounds**2
    return shape[1] * rounds + 11 * (square + rounds) / 2


def _no_character(chances: Chances, rounds: int) -> float:
    """The chance that the wheel never rests on a character, so that the meter stays at zero."""
    more = chances.outer["Eat Me"] + chances.outer["Drink Me"]
    left: Grid = np.zeros(rounds + 1)
    left[rounds] = 1.0
    ended = 0.0
    while left.sum() > TAIL:
        spun = np.zeros(len(left) + 2)
        spun[1:len(left) + 1] += chances.plus * left
        spun[:len(left)] += (1 - chances.plus) * left
        left = np.zeros(len(spun))
        left[:-1] += chances.outer["No Win"] * spun[1:]
        left[chances.extra:] += more * spun[:len(spun) - chances.extra]
        ended += float(left[0])
        left[0] = 0.0
    return ended
