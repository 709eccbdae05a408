"""The derived constants of `tabletop.chance`, derived again another way."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from statistics import NormalDist

import pytest
from tabletop.chance import cutoffs as tables
from tabletop.chance import monitor
from wheelwright.rng import cutoffs

from tests.conftest import ROOT, some
from tests.unit.test_chance_page import rows

SCALE = 400  # bits of the fixed point numbers below


def test_the_table_in_the_firmware_is_the_scripts_output_to_the_letter() -> None:
    assert (ROOT / "firmware" / "tabletop" / "chance" / "cutoffs.py").read_text() == cutoffs.module()


def fixed_power(h_milli: int) -> int:
    """2^-H in fixed point, by integer bisection of x^1000 = 2^(-h_milli): no logarithm, no decimal."""
    low, high = 0, 1 << SCALE
    target = Fraction(1, 2**h_milli)
    while high - low > 1 << SCALE - 160:  # 160 good bits are ample: the tail moves by 1024 times the error
        middle = (low + high) // 2
        if Fraction(middle >> SCALE - 200, 1 << 200) ** 1000 <= target:
            low = middle
        else:
            high = middle
    return low


@cache
def distribution(h_milli: int, window: int) -> list[int]:
    """P(X = k) of the binomial in fixed point, by adding one sample after another (no closed form)."""
    p = fixed_power(h_milli)
    q = (1 << SCALE) - p
    row = [1 << SCALE]
    for _ in range(window):
        row = [
            ((row[k] * q if k < len(row) else 0) + (row[k - 1] * p if k else 0)) >> SCALE for k in range(len(row) + 1)
        ]
    return row


def critbinom(h_milli: int, window: int, alpha_bits: int) -> int:
    """The smallest k with P(X <= k) >= 1 - alpha."""
    total = 0
    row = distribution(h_milli, window)
    for k, term in enumerate(row):
        total += term
        if (1 << SCALE) - total <= 1 << SCALE - alpha_bits:
            return k
    raise AssertionError


@pytest.mark.parametrize("h_milli", some([1000, 500, 100]))
def test_binary_proportion_cutoffs_derived_by_adding_samples_one_by_one(h_milli: int) -> None:
    expected = 1 + critbinom(h_milli, 1024, 30), 1 + critbinom(h_milli, 1024, 60)
    assert rows(tables.BINARY)[h_milli][2:] == expected


@pytest.mark.parametrize("h_milli", some(cutoffs.BYTES_H_MILLI))
def test_byte_proportion_cutoffs_derived_by_adding_samples_one_by_one(h_milli: int) -> None:
    expected = 1 + critbinom(h_milli, 512, 30), 1 + critbinom(h_milli, 512, 60)
    assert rows(tables.BYTES)[h_milli][2:] == expected


@pytest.mark.parametrize("table", [rows(tables.BINARY), rows(tables.BYTES)])
def test_repetition_cutoffs_are_the_shortest_runs_with_the_wanted_chance(table: dict[int, tuple[int, ...]]) -> None:
    for h_milli, (discard, fail, _, _) in table.items():
        for cutoff, bits in ((discard, 30), (fail, 60)):
            # a run of C has C - 1 repetitions, each with a chance of 2^-H at most
            assert (cutoff - 1) * h_milli >= bits * 1000 > (cutoff - 2) * h_milli


def test_the_formulas_give_published_values() -> None:
    """Points others have printed for alpha = 2^-20: H 0.5 with window 512, H 8, H 1 with both windows."""
    assert (cutoffs.repetition(500, 20), cutoffs.proportion(500, 20, 512)) == (41, 410)
    assert (cutoffs.repetition(8000, 20), cutoffs.proportion(8000, 20, 512)) == (4, 13)
    assert (cutoffs.proportion(1000, 20, 512), cutoffs.proportion(1000, 20, 1024)) == (311, 589)


def test_the_monitors_quantiles_are_those_of_the_normal_distribution() -> None:
    for look, quantile in enumerate(monitor.QUANTILES):
        exact = NormalDist().inv_cdf(1 - 0.00025 / 2**look)
        assert abs(quantile / 1000 - exact) < 0.001, (look, exact)


def upper_tail(chi_square: float, df: int) -> float:
    """P(chi-square with df degrees of freedom > x): the incomplete gamma function as a continued fraction (Lentz)."""
    a, x = df / 2, chi_square / 2
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 2000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-13:
            break
    return math.exp(-x + a * math.log(x) - math.lgamma(a)) * h


def test_the_monitors_chi_square_limits_spend_no_more_than_they_may() -> None:
    assert abs(upper_tail(90.573, 53) - 0.001) < 1e-5, "the check itself: 99.9 % at 53 degrees of freedom"
    for cells in (2, 3, 6, 12, 37, 54, 100):
        for look in range(16):
            tail = upper_tail(monitor.critical_milli(cells, look) / 1000, cells - 1)
            allowed = 0.00025 / 2**look
            assert 0.01 * allowed < tail < allowed, (cells, look)  # on the safe side, most for few cells
