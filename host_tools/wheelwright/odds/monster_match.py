"""The exact price of Monster Match: every four cards of the shoe, read by the table's own rules.

Ranks are alike, so four cards are a pattern of ranks (4, 3-1, 2-2, 2-1-1 or 1-1-1-1) with every choice of suits.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

from tabletop.rules.progressive import cards, meter, monster_hands
from tabletop.rules.progressive import monster_match as rules
from tabletop.rules.progressive.players_edge_shoe import DECKS
from tabletop.rules.progressive.players_edge_tables import MONSTER, POOLS

from wheelwright.odds.wagers import WagerPrice

PATTERNS = ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1))
SPANISH_RANKS = 12


@cache
def chances(decks: int, ranks: int = SPANISH_RANKS) -> dict[str, Fraction]:
    """Result -> chance, of four cards from a shoe of so many decks with so many ranks in four suits."""
    ways = dict.fromkeys(monster_hands.RESULTS, 0)
    for pattern in PATTERNS:
        same = [pattern.count(size) for size in set(pattern)]
        assigned = prod(range(ranks - len(pattern) + 1, ranks + 1)) // prod(map(factorial, same))
        suits = [list(combinations_with_replacement(cards.SUITS, size)) for size in pattern]
        for chosen in product(*suits):
            four = [rank + suit for rank, some in zip(cards.RANKS, chosen, strict=False) for suit in some]
            result = monster_hands.result_of(four[:2], four[2:])
            if result is not None:
                ways[result] += assigned * prod(comb(decks, four.count(card)) for card in set(four))
    whole = comb(4 * ranks * decks, 4)
    return {result: Fraction(ways[result], whole) for result in monster_hands.RESULTS}


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[WagerPrice]:
    """The configured paytable and pool, or each of both under its own letter, for five, six and eight decks."""
    chosen = [(decks, name, name) for decks in DECKS for name in MONSTER if name in POOLS]
    for decks, paytable, pool in chosen if every else [(settings["decks"], settings["paytable"], settings["pool"])]:
        parameters = rules.parameters({**settings, "pool": pool})
        pays = dict(zip(monster_hands.RESULTS, rules.pays_of(paytable), strict=True))
        rates = Fraction(parameters["increment"] + parameters["reserve"], meter.RATE)
        which = f"{decks} decks, paytable {paytable}, pool {pool}"
        yield WagerPrice(
            rules.NAME, which, chances(decks), pays, settings["wager_mills"], parameters["seed"], rates
        )  # fmt: skip


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Deals a hand and the dealer's first two cards from a full shoe, and reads the result."""
    shoe = cards.of_deck(cards.SPANISH) * settings["decks"]

    def one(generator: random.Random) -> list[str | None]:
        four = generator.sample(shoe, 4)
        return [monster_hands.result_of(four[:2], four[2:])]

    return one
