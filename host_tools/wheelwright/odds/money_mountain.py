"""The exact price of Money Mountain: which reels lock together, then what the wheel showed each time.

A spin in which j reels lock adds j times one multiplier of the wheel. The order of such spins does not matter, so
the locks of a game are a multiset of j's: fewer than a hundred for nine reels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

from tabletop.rules import money_mountain as rules

from wheelwright.odds import distribution
from wheelwright.odds.price import Price, hit_of, limited, mean_of

Locks = tuple[int, ...]  # how many reels locked in each spin that awarded, rising


def locks_of(reels: list[list[int]]) -> dict[Locks, Fraction]:
    """Chance of every way in which the reels of a game lock; only the first spins of each three can miss."""
    kinds = Counter((award, award + blank) for award, blank in reels)
    states: dict[tuple[tuple[int, ...], Locks], Fraction] = {(tuple(kinds.values()), ()): Fraction(1)}
    found: dict[Locks, Fraction] = {}
    for _ in range(rules.REELS + 1):
        following: dict[tuple[tuple[int, ...], Locks], Fraction] = {}
        for (still_open, locks), chance in states.items():
            if not any(still_open):
                found[locks] = found.get(locks, Fraction(0)) + chance
                continue
            steps = _one_spin(tuple(kinds), still_open)
            miss = steps.pop((0,) * len(still_open))
            found[locks] = found.get(locks, Fraction(0)) + chance * miss**rules.SPINS
            tries = sum((miss**n for n in range(rules.SPINS)), Fraction(0))
            for locked, share in steps.items():
                left = tuple(n - j for n, j in zip(still_open, locked, strict=True))
                key = (left, tuple(sorted((*locks, sum(locked)))))
                following[key] = following.get(key, Fraction(0)) + chance * tries * share
        states = following
    return found


def _one_spin(kinds: tuple[tuple[int, int], ...], still_open: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """How many open reels of each kind (weight of an award, total weight) lock in one spin -> chance."""
    found = {}
    for locked in product(*(range(n + 1) for n in still_open)):
        ways = prod(
            comb(n, j) * award**j * (whole - award) ** (n - j)
            for (award, whole), n, j in zip(kinds, still_open, locked, strict=True)
        )
        if ways or not any(locked):
            found[locked] = Fraction(ways, prod(whole**n for (_, whole), n in zip(kinds, still_open, strict=True)))
    return found


def money_mountain(settings: Mapping[str, Any]) -> list[Price]:
    """The price given that the bonus game is played."""
    wheel = distribution.of_table(settings["segments"])
    mystery = distribution.chances(distribution.of_table(settings["mystery"]))
    locks = locks_of(settings["reels"])
    jackpots = distribution.chances(distribution.of_table(settings["jackpots"]))
    jackpot = sum((chance for spins, chance in locks.items() if sum(spins) == rules.REELS), Fraction(0))
    sums: dict[Locks, distribution.Weights] = {(): {0: 1}}

    def sum_of(spins: Locks) -> distribution.Weights:
        if spins not in sums:
            last = {spins[-1] * value: count for value, count in wheel.items()}
            sums[spins] = distribution.combine(sum_of(spins[:-1]), last, int.__add__)
        return sums[spins]

    collected = distribution.mixed(
        (chance, distribution.chances(sum_of(spins))) for spins, chance in locks.items() if sum(spins) < rules.REELS
    )
    totals = distribution.mixed([
        *((chance, {value * by: share for value, share in collected.items()}) for by, chance in mystery.items()),
        (jackpot, jackpots),
    ])  # fmt: skip
    pays, below, above = limited(totals, 0, rules.TOP_ODDS)
    means = {
        "multiplier of the wheel": mean_of(distribution.chances(wheel)), "Mystery multiplier (694.3)": mean_of(mystery),
        "reels that lock": sum((sum(spins) * chance for spins, chance in locks.items()), Fraction(0)),
        "jackpot": mean_of(jackpots), "total before the maximum": mean_of(totals), "odds paid": mean_of(pays),
    }  # fmt: skip
    return [
        Price("money_mountain", rules.SPOTS[0], mean_of(pays), pays, hit_of(pays), minimum=below, maximum=above,
              jackpot=jackpot, means=means)
    ]  # fmt: skip
