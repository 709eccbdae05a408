"""The tests of the textbooks on counts by section, each right for one look at a number of spins fixed beforehand."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from wheelwright.balance.evidence import ANGLES, SECTIONS

EXPECTED_LEAST = 5  # spins a section: below, chi-square's own approximation is not to be trusted (Cochran 1954)


class Harmonic(NamedTuple):
    """The first harmonic of the counts: `lean` is its amplitude as a share of the mean, `angle` where it peaks, in
    turns from the front edge of section 0 on."""

    lean: float
    angle: float

    @property
    def section(self) -> int:
        """The section at the peak."""
        return int(self.angle * SECTIONS) % SECTIONS


def harmonic(counts: Sequence[int]) -> Harmonic:
    """The lean that fits the counts best."""
    total = sum(counts)
    wave = complex(np.sum(np.asarray(counts) * np.exp(1j * ANGLES))) / max(total, 1)
    return Harmonic(2 * abs(wave), math.atan2(wave.imag, wave.real) / (2 * math.pi) % 1)


def chi_square(counts: Sequence[int]) -> float | None:
    """p-value of Pearson's test that all sections are alike; None with too few spins for it."""
    if sum(counts) < EXPECTED_LEAST * SECTIONS:
        return None
    return float(stats.chisquare(counts).pvalue)


def highest_section(counts: Sequence[int]) -> float:
    """p-value of the most frequent section: its binomial tail, times the sections that it was picked from."""
    return min(1.0, SECTIONS * float(stats.binom.sf(max(counts) - 1, sum(counts), 1 / SECTIONS)))


def first_harmonic(counts: Sequence[int]) -> float:
    """p-value of Rayleigh's test for one heavy spot (Mardia and Jupp, Directional Statistics, 2000, section 6.3)."""
    total = sum(counts)
    return float(stats.chi2.sf(total * harmonic(counts).lean ** 2 / 2, 2))
