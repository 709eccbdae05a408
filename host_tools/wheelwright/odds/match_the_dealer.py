"""The exact price of Match the Dealer: every upcard with every two cards of the shoe, read by the table's own rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from tabletop.rules.progressive import cards, meter
from tabletop.rules.progressive import match_the_dealer as rules
from tabletop.rules.progressive.match_tables import ODDS

from wheelwright.odds.wagers import WagerPrice

ResultOf = Callable[[list[str], list[str]], "str | None"]


@cache
def matches(result_of: ResultOf, decks: int, size: int) -> dict[str, Fraction]:
    """Result -> chance, of any two cards of a seat and one of the dealer, from a shoe of so many decks."""
    deck = cards.of_deck(size)
    ways: dict[str, int] = {}
    for up in deck:
        left = [decks - (card == up) for card in deck]
        for n, first in enumerate(deck):
            for m in range(n, len(deck)):
                result = result_of([first, deck[m]], [up])
                if result is not None:
                    pairs = comb(left[n], 2) if n == m else left[n] * left[m]
                    ways[result] = ways.get(result, 0) + decks * pairs
    whole = decks * size * comb(decks * size - 1, 2)
    return {result: Fraction(ways[result], whole) for result in ways}


def chances(decks: int, size: int) -> dict[str, Fraction]:
    """The results of Match the Dealer in the order of the text."""
    found = matches(rules.result_of, decks, size)
    return {result: found[result] for result in rules.RESULTS}


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[WagerPrice]:
    """The configured paytable, or all that are printed, at the configured wager."""
    if not every:
        yield _price(settings)
        return
    for chapter in sorted(ODDS):
        for decks in rules.DECKS:
            for paytable in range(1, len(ODDS[chapter][decks][0]) + 1):
                yield _price({**settings, "chapter": chapter, "decks": decks, "paytable": paytable})


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Deals one hand and its upcard from a full shoe, and reads the result."""
    decks, size = rules.shoe_of(settings)  # type: ignore[arg-type]
    shoe = cards.of_deck(size) * decks

    def one(generator: random.Random) -> list[str | None]:
        up, *hand = generator.sample(shoe, 3)
        return [rules.result_of(hand, [up])]

    return one


def _price(settings: Mapping[str, Any]) -> WagerPrice:
    chapter, decks, paytable = settings["chapter"], settings["decks"], settings["paytable"]
    parameters = rules.parameters(settings)  # type: ignore[arg-type]
    pays = rules.pays_of(chapter, decks, paytable)
    return WagerPrice(
        rules.NAME, f"{chapter}, {decks} decks, paytable {paytable}", chances(*rules.shoe_of(settings)),  # type: ignore[arg-type]
        dict(zip(rules.RESULTS, pays, strict=True)), settings["wager_mills"], parameters["seed"],
        Fraction(parameters["increment"] + parameters["reserve"], meter.RATE), settings["stake_back"],
    )  # fmt: skip
