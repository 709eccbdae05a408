"""The exact price of Match-Up and Match-Down: each is two cards of a seat against one of the dealer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop.rules.progressive import cards
from tabletop.rules.progressive import match_up_down as rules
from tabletop.rules.progressive.players_edge_shoe import DECKS
from tabletop.rules.progressive.players_edge_tables import MATCH

from wheelwright.odds.match_the_dealer import matches
from wheelwright.odds.wagers import WagerPrice


def prices(settings: Mapping[str, Any], every: bool) -> Iterator[WagerPrice]:
    """The configured paytable, or all; the card face down is as likely as the upcard, so both wagers have one price."""
    chosen = [(decks, name) for decks in DECKS for name in MATCH[decks]]
    for decks, name in chosen if every else [(settings["decks"], settings["paytable"])]:
        found = matches(rules.result_of, decks, cards.SPANISH)
        chances = {result: found[result] for result in rules.RESULTS}
        pays = dict(zip(rules.RESULTS, rules.pays_of(decks, name), strict=True))
        yield WagerPrice(rules.NAME, f"{decks} decks, paytable {name}", chances, pays, settings["min_mills"])


def dealer(settings: Mapping[str, Any]) -> Callable[[random.Random], list[str | None]]:
    """Deals one hand and the dealer's two cards, and reads the second of these: the Match-Down."""
    shoe = cards.of_deck(cards.SPANISH) * settings["decks"]

    def one(generator: random.Random) -> list[str | None]:
        _up, down, *hand = generator.sample(shoe, 4)
        return [rules.result_of(hand, [down])]

    return one
