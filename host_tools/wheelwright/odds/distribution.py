"""Exact distributions: integer weights over integer values, without rounding.

A `Weights` maps a value to its weight; the chance of a value is its weight over the sum of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add

Weights = dict[int, int]
ONE: Weights = {1: 1}


def of_table(pairs: Iterable[Sequence[int]]) -> Weights:
    """From a setting [[value, weight], ...]."""
    return {pair[0]: pair[1] for pair in pairs}


def combine(a: Weights, b: Weights, how: Callable[[int, int], int]) -> Weights:
    """The distribution of `how(x, y)` for independent x of `a` and y of `b`."""
    found: Weights = {}
    for x, x_weight in a.items():
        for y, y_weight in b.items():
            value = how(x, y)
            found[value] = found.get(value, 0) + x_weight * y_weight
    return found


def total_of(parts: Iterable[Weights]) -> Weights:
    """The distribution of the sum of independent parts."""
    return reduce(lambda a, b: combine(a, b, add), parts, {0: 1})


def product_of(parts: Iterable[Weights], most: int) -> Weights:
    """The distribution of the product of independent parts, none below 1; all above `most` as one, `most` + 1.

    The largest tables have millions of products, and a maximum makes them one.
    """
    return reduce(lambda a, b: combine(a, b, lambda x, y: min(x * y, most + 1)), parts, ONE)


def chances(weights: Weights) -> dict[int, Fraction]:
    """Value -> chance, rising by value, without values of weight 0."""
    whole = sum(weights.values())
    return {value: Fraction(weights[value], whole) for value in sorted(weights) if weights[value]}


def mixed(parts: Iterable[tuple[Fraction, dict[int, Fraction]]]) -> dict[int, Fraction]:
    """The distribution of a mixture: [(chance of the part, its distribution), ...]."""
    found: dict[int, Fraction] = {}
    for share, part in parts:
        for value, chance in part.items():
            found[value] = found.get(value, Fraction(0)) + share * chance
    return {value: found[value] for value in sorted(found) if found[value]}
