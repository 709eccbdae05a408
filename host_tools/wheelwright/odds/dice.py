"""The exact price of the wagers on three dice: all 216 outcomes, read by the table's own rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from tabletop.rules.progressive import dice as rules

from wheelwright.odds.wagers import WagerPrice

OUTCOMES = 6**3
ONE_NUMBER = rules.MATCHES[0]  # the six areas are alike


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[WagerPrice]:
    """Sum, Match and Beat It of the configured payout tables, or of all."""
    for name in rules.SUMS if every else (settings["sum"],):
        yield _price(f"Sum, paytable {name}", {**settings, "sum": name}, rules.SUM)
    yield _price("Match", settings, ONE_NUMBER)
    for name in rules.BEATS if every else (settings["beat_it"],):
        yield _price(f"Beat It, paytable {name}", {**settings, "beat_it": name}, rules.BEAT_IT)


def _price(which: str, settings: Mapping[str, Any], spot: str) -> WagerPrice:
    counts: dict[str, int] = {}
    pays = {}
    for three in product(range(1, 7), repeat=3):
        result, pay = rules.won(settings, spot, list(three))  # type: ignore[arg-type]
        if pay:
            counts[result] = counts.get(result, 0) + 1
            pays[result] = pay
    order = sorted(counts, key=lambda result: -Fraction(pays[result][1], pays[result][2]))
    chances = {result: Fraction(counts[result], OUTCOMES) for result in order}
    return WagerPrice(rules.NAME, which, chances, pays, settings["min_mills"])


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Rolls three dice and reads the wagers of `prices`."""

    def one(generator: random.Random) -> list[str | None]:
        three = [generator.randint(1, 6) for _ in range(3)]
        won = [rules.won(settings, spot, three) for spot in (rules.SUM, ONE_NUMBER, rules.BEAT_IT)]  # type: ignore[arg-type]
        return [result if pay else None for result, pay in won]

    return one
