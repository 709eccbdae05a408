"""Exact prices of New York, New York, Luxor, MGM Grand and Bellagio: products, sums and one dynamic program."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

from tabletop.rules import bellagio as bellagio_rules
from tabletop.rules import luxor as luxor_rules
from tabletop.rules import mgm_grand as mgm_grand_rules
from tabletop.rules import new_york as new_york_rules

from wheelwright.odds import distribution
from wheelwright.odds.price import Price, mean_of, priced

Settings = Mapping[str, Any]
Cells = dict[tuple[int, int, int], int]  # (spins used, icons, sum) -> weight


def _mean(pairs: list[list[int]]) -> Fraction:
    return mean_of(distribution.chances(distribution.of_table(pairs)))


def _product(means: Mapping[str, Fraction]) -> Fraction:
    """The mean of the product of independent things."""
    return prod(means.values(), start=Fraction(1))


def new_york(settings: Settings) -> list[Price]:
    """Every building has the same distribution, so the light's weights change nothing: award x multiplier x torch."""
    dark, lit = settings["torch"]
    most = new_york_rules.HIGH
    totals = distribution.product_of([
        distribution.of_table(settings["awards"]),
        distribution.of_table(settings["multipliers"]),
        {1: dark, new_york_rules.TORCH: lit},
    ], most)  # fmt: skip
    means = {
        "award of a building": _mean(settings["awards"]), "multiplier (696.3)": _mean(settings["multipliers"]),
        "torch": Fraction(dark + new_york_rules.TORCH * lit, dark + lit),
    }  # fmt: skip
    spot, low = new_york_rules.SPOTS[0], new_york_rules.LOW
    chances = distribution.chances(totals)
    return [priced("new_york", spot, chances, low, most, means, mean_total=_product(means))]


def luxor(settings: Settings) -> list[Price]:
    """A blind pick after a shuffle has the distribution of any one award: award x strikes x multiplier."""
    low, most = luxor_rules.LOW, luxor_rules.HIGH
    counts = settings["strikes"]
    factors = distribution.of_table(settings["factors"])
    plain = [distribution.of_table(settings["awards"]), distribution.of_table(settings["multipliers"])]
    totals = distribution.mixed(
        (Fraction(weight, sum(counts)), distribution.chances(distribution.product_of([*plain, *[factors] * n], most)))
        for n, weight in enumerate(counts)
    )
    factor = _mean(settings["factors"])
    means = {
        "award": _mean(settings["awards"]),
        "factor of all lightning strikes":
            sum((weight * factor**n for n, weight in enumerate(counts)), Fraction(0)) / sum(counts),
        "multiplier (696.3)": _mean(settings["multipliers"]),
    }  # fmt: skip
    return [priced("luxor", luxor_rules.SPOTS[0], totals, low, most, means, mean_total=_product(means))]


def mgm_grand(settings: Settings) -> list[Price]:
    """Each ball lands in a spot or does not, independently; the disco ball multiplies what is there.

    One price where all landing spots are alike, else one for each.
    """
    landings = settings["landings"]
    whole = sum(landings)
    alike = len(set(landings[: mgm_grand_rules.LANDINGS])) == 1
    multipliers = distribution.chances(distribution.of_table(settings["multipliers"]))
    prices = []
    for spot in range(1 if alike else mgm_grand_rules.LANDINGS):
        weight = landings[spot]
        balls = [
            {0: whole - weight, value: weight}
            for colour, count, value in mgm_grand_rules.BALLS if colour != "disco" for _ in range(count)
        ]  # fmt: skip
        sums = distribution.chances(distribution.total_of(balls))
        doubled = Fraction(weight, whole)
        disco = mgm_grand_rules.BALLS[-1][2]
        totals = distribution.mixed(
            (chance * share, {value * multiplier * factor: sums[value] for value in sums})
            for multiplier, chance in multipliers.items()
            for factor, share in ((1, 1 - doubled), (disco * multiplier, doubled))
        )
        means = {
            "balls in the spot": mean_of(sums), "multiplier (696.3)": mean_of(multipliers),
            "disco ball in the spot": doubled,
        }  # fmt: skip
        choice = "" if alike else f"landing spot {spot + 1}"
        low, high = mgm_grand_rules.LOW, mgm_grand_rules.HIGH
        prices.append(priced("mgm_grand", mgm_grand_rules.SPOTS[0], totals, low, high, means, choice))
    return prices


def bellagio(settings: Settings) -> list[Price]:
    """Eight spins of the chosen machine as (icons, sum), and the icons of the two others; the machines are alike.

    The awards are assigned once and hold for all eight spins, so spins are not independent. The program therefore
    runs over the combinations: of the spins left, n show this combination, and its award counts n times.
    """
    shown = _shown(settings)
    whole = prod(sum(weight for _, weight in reel) for reel in settings["reels"])
    spins, icons_needed = bellagio_rules.SPINS, bellagio_rules.ICONS
    cells: Cells = {(0, 0, 0): 1}
    for n, table in enumerate(settings["awards"]):
        cells = _with_combination(cells, shown.get(n, {}), table)
    losing = [_power(shown.get(-1, {}), used) for used in range(spins + 1)]
    machine: dict[tuple[int, int], int] = {}
    for (used, icons, total), weight in cells.items():
        for more, ways in losing[spins - used].items():
            key = (min(icons + more, icons_needed), total)
            machine[key] = machine.get(key, 0) + weight * ways
    others = _power(_icons(shown), spins * (bellagio_rules.MACHINES - 1))
    others_whole = sum(others.values())
    reach = [
        Fraction(sum(ways for more, ways in others.items() if icons + more >= icons_needed), others_whole)
        for icons in range(icons_needed + 1)
    ]
    assigned = prod(sum(weight for _, weight in table) for table in settings["awards"])
    sums: dict[int, Fraction] = {}
    bonus = Fraction(0)
    for (icons, total), weight in machine.items():
        chance = Fraction(weight, whole**spins * assigned)
        bonus += chance * reach[icons]
        for factor, share in ((1, 1 - reach[icons]), (bellagio_rules.BONUS, reach[icons])):
            if share:
                sums[total * factor] = sums.get(total * factor, Fraction(0)) + chance * share
    multipliers = distribution.chances(distribution.of_table(settings["multipliers"]))
    totals = distribution.mixed(
        (chance, {value * multiplier: share for value, share in sums.items()})
        for multiplier, chance in multipliers.items()
    )
    win = 1 - Fraction(sum(shown.get(-1, {}).values()), whole)
    means = {
        "winning spins of a machine": spins * win, "Bellagio bonus": bonus, "multiplier (696.3)": mean_of(multipliers),
    }  # fmt: skip
    low, high = bellagio_rules.LOW, bellagio_rules.HIGH
    return [priced("bellagio", bellagio_rules.SPOTS[0], totals, low, high, means)]


def _shown(settings: Settings) -> dict[int, dict[int, int]]:
    """Combination (-1: none) -> icons shown -> weight, of one spin of one machine."""
    combinations = settings["combinations"]
    numbers = list(range(len(combinations)))
    found: dict[int, dict[int, int]] = {}
    for stops in product(*settings["reels"]):
        symbols = [symbol for symbol, _ in stops]
        # award_of with the numbers 1, 2 ... as awards tells which combination it is, by the table's own rule
        which = bellagio_rules.award_of(symbols, combinations, [n + 1 for n in numbers]) - 1
        icons = symbols.count(bellagio_rules.ICON)
        cell = found.setdefault(which, {})
        cell[icons] = cell.get(icons, 0) + prod(weight for _, weight in stops)
    return found


def _icons(shown: dict[int, dict[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for cell in shown.values():
        for icons, weight in cell.items():
            found[icons] = found.get(icons, 0) + weight
    return found


def _power(icons: dict[int, int], n: int) -> dict[int, int]:
    """Icons shown in `n` spins, counted up to the number that triggers the bonus."""
    found = {0: 1}
    for _ in range(n):
        found = distribution.combine(found, icons, lambda a, b: min(a + b, bellagio_rules.ICONS))
    return found


def _with_combination(cells: Cells, icons: dict[int, int], table: list[list[int]]) -> Cells:
    """The cells after it is decided how many of the spins left show one more combination, and what its award is."""
    spins = bellagio_rules.SPINS
    powers = [_power(icons, n) for n in range(spins + 1)]
    assigned = sum(weight for _, weight in table)
    found: Cells = {}
    for (used, before, total), weight in cells.items():
        for n in range(spins - used + 1):
            ways = weight * comb(spins - used, n)
            for more, icon_weight in powers[n].items():
                seen = min(before + more, bellagio_rules.ICONS)
                for award, award_weight in table if n else [[0, assigned]]:
                    key = (used + n, seen, total + n * award)
                    found[key] = found.get(key, 0) + ways * icon_weight * award_weight
    return found
