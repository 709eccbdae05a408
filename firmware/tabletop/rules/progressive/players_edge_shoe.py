"""The shoe of Player's Edge 21 and its side wagers, 58 Pa. Code 635c.2(c)."""

from tabletop.rules.progressive import cards

DECKS = (5, 6, 8)  # (c): five, six or eight decks of 48 cards, without the tens


def shoe_of(settings: dict) -> "tuple[int, int]":
    """(c) The number of decks, and of the cards of each."""
    return settings["decks"], cards.SPANISH
