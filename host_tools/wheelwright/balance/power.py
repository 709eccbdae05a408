"""What a number of spins can show: the smallest heavy spot, and the smallest excess of one section."""

import math
from collections.abc import Callable

import numpy as np
from scipy import optimize, stats

from wheelwright.balance.evidence import ANGLES, SECTIONS, heavy_spot, one_section

CHANCE = 0.9  # "would find" means: nine times out of ten


def smallest_lean(spins: int, needed: float) -> float | None:
    """The amplitude of the smallest heavy spot found by `spins` spins when the log e-value must reach `needed`.

    None: not even the greatest one, 1, would be.
    """

    def seen(lean: float) -> float:  # the evidence when the counts are just what the lean gives
        return heavy_spot(list(spins * (1 + lean * np.cos(ANGLES)) / SECTIONS)) - needed

    def found(lean: float) -> float:  # the measured amplitude, squared, is a noncentral chi-square
        return float(stats.ncx2.sf(spins * least**2 / 2, 2, spins * lean**2 / 2)) - CHANCE

    if spins == 0 or seen(1.0) < 0:
        return None
    least = _root(seen, 0.0, 1.0)
    return _root(found, 1e-9, 1.0) if found(1.0) >= 0 else None


def smallest_excess(spins: int, needed: float) -> float | None:
    """How much too often, as a share of its mean, one section must come to be found. None: none would be."""

    def seen(count: float) -> float:
        others = (spins - count) / (SECTIONS - 1)
        return one_section([count] + [others] * (SECTIONS - 1)) - needed

    def found(excess: float) -> float:
        return float(stats.binom.sf(least - 1, spins, min(1.0, (1 + excess) / SECTIONS))) - CHANCE

    if spins == 0 or seen(spins) < 0:
        return None
    least = math.ceil(_root(seen, spins / SECTIONS, spins))
    return _root(found, 0.0, SECTIONS - 1.0)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    if function(low) >= 0:
        return low
    return float(optimize.brentq(function, low, high, xtol=1e-6))
