"""The exact price of Monster Match Dynamic: the chances of Monster Match, with the mean of what is drawn for each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tabletop.rules.progressive import cards, meter, pays
from tabletop.rules.progressive import monster_dynamic as rules
from tabletop.rules.progressive.dynamic_tables import DYNAMIC
from tabletop.rules.progressive.players_edge_shoe import DECKS

from wheelwright.odds import monster_match
from wheelwright.odds.simulation import Seeded
from wheelwright.odds.wagers import WagerPrice, percent


@dataclass(frozen=True)
class DynamicPrice(WagerPrice):
    """`pays` are the base pays; `raised` how likely each combination has a Dynamic Pay, `mean` its mean pay then."""

    raised: Mapping[str, Fraction] = None  # type: ignore[assignment]
    mean: Mapping[str, Fraction] = None  # type: ignore[assignment]

    def handed(self, result: str) -> Fraction:
        base = super().handed(result)
        if result not in self.raised:
            return base
        return (1 - self.raised[result]) * base + self.raised[result] * self.mean[result]

    def details(self) -> list[str]:
        raises = [
            f"{result}: raised in {percent(share)} of the rounds, to {float(self.mean[result]):.2f} for 1 in the mean"
            for result, share in self.raised.items()
        ]  # fmt: skip
        return super().details() + raises


def taken(counts: list[int], weights: list[int]) -> list[Fraction]:
    """For each combination the chance that it is among those taken: all orders in which they can be."""

    def spread(left: tuple[int, ...], more: int, chance: Fraction) -> None:
        whole = sum(weights[n] for n in left)
        for n in left if more else ():
            share = chance * Fraction(weights[n], whole)
            found[n] += share
            spread(tuple(one for one in left if one != n), more - 1, share)

    found = [Fraction(0)] * len(weights)
    for number, weight in enumerate(counts, 1):
        spread(tuple(range(len(weights))), number, Fraction(weight, sum(counts)))
    return found


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[DynamicPrice]:
    """Paytable Dynamic 1 for the configured decks, or for five, six and eight, at the configured weights."""
    shares = taken(settings["counts"], settings["combinations"])
    raised = dict(zip(rules.RAISED, shares, strict=True))
    mean = {
        result: Fraction(sum(x * weight for x, weight in zip(row[1], weights, strict=True)), sum(weights))
        for result, row, weights in zip(rules.RAISED, DYNAMIC, settings["raises"], strict=True)
    }
    parameters = rules.parameters(settings)  # type: ignore[arg-type]
    rates = Fraction(parameters["increment"] + parameters["reserve"], meter.RATE)
    base = dict(zip(rules.RESULTS, rules.BASE, strict=True))
    for decks in DECKS if every else (settings["decks"],):
        found = monster_match.chances(decks)
        yield DynamicPrice(
            rules.NAME, f"{decks} decks, paytable Dynamic 1", {result: found[result] for result in rules.RESULTS}, base,
            settings["wager_mills"], parameters["seed"], rates, True, raised, mean,
        )  # fmt: skip


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Plays the draws and a hand by the table's own rules; the result is that of the hand."""
    shoe = cards.of_deck(cards.SPANISH) * settings["decks"]

    def one(generator: random.Random) -> list[str | None]:
        four = generator.sample(shoe, 4)
        return [rules.result_of(four[:2], four[2:])]

    return one


def pay_drawn(settings: Mapping[str, Any], generator: random.Random, result: str) -> int:
    """What a result pays for 1 after the draws of one round: for a simulation of the mean."""
    state = {**rules.new(1, settings), "phase": "DRAW"}  # type: ignore[arg-type]
    state, _ = rules.step(state, ("next",), Seeded(generator))
    pay = rules.pay_of(state, result)
    assert pay[0] == pays.FOR
    return int(pay[1])
