"""Evidence against a level wheel from counts by section, valid however often and whenever one looks.

Each e-value is a likelihood ratio, averaged over wheels that lean in ways chosen beforehand; on a level wheel its mean
is 1 after every spin, so that it ever reaches 1/alpha with a chance of at most alpha (Ville 1939; see Ramdas,
Gruenwald, Vovk and Shafer, "Game-theoretic statistics and safe anytime-valid inference", Statistical Science 38, 2023).
No account of earlier looks is needed, and none can be forgotten. An average of e-values is one again: that is how
several looks at the same spins share one alpha. All values are natural logarithms.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

SECTIONS = 54
ALPHA = 0.01  # the chance that a level wheel ever raises an alert, over its whole life

Array = NDArray[np.float64]
LEANS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # amplitudes of a heavy spot: that share more often there, less opposite
EXCESSES = (0.1, 0.2, 0.5, 1.0, 2.0, 8.0)  # one section this share more often than the mean
SPREADS = (1.0, 10.0, 100.0, 1000.0)  # Dirichlet: sections that differ by about 1/sqrt(spread)

ANGLES: Array = 2 * math.pi * (np.arange(SECTIONS) + 0.5) / SECTIONS  # of the middle of each section
_TILTED: Array = np.array([
    np.log1p(lean * np.cos(ANGLES - where)) for lean in LEANS for where in ANGLES
])  # fmt: skip


def heavy_spot(counts: Sequence[float]) -> float:
    """Against a heavy spot anywhere: chances that follow the first harmonic round the wheel."""
    return _mean(_TILTED @ np.asarray(counts, dtype=float))


def one_section(counts: Sequence[float]) -> float:
    """Against one section that comes too often, the others alike."""
    seen = np.asarray(counts, dtype=float)
    more = np.asarray(EXCESSES)[:, None]
    ratios = seen * np.log1p(more) + (seen.sum() - seen) * np.log1p(-more / (SECTIONS - 1))
    return _mean(ratios.ravel())


def any_pattern(counts: Sequence[float]) -> float:
    """Against sections that differ in any way (Dirichlet priors of several spreads)."""
    seen = np.asarray(counts, dtype=float)
    total = float(seen.sum())
    ratios = [
        gammaln(SECTIONS * spread) - gammaln(total + SECTIONS * spread)
        + float(np.sum(gammaln(seen + spread) - gammaln(spread))) + total * math.log(SECTIONS)
        for spread in SPREADS
    ]  # fmt: skip
    return _mean(np.asarray(ratios))


# kind of lean: its test, and its share of the alpha; a heavy spot is what real wheels have most
KINDS = {"heavy spot": (heavy_spot, 0.5), "one section": (one_section, 0.25), "any pattern": (any_pattern, 0.25)}


def _mean(logs: Array) -> float:
    return float(logsumexp(logs)) - math.log(len(logs))
