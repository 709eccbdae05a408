"""Playing cards as a dealer calls them, rank and suit: `AS`, `10H`, `KD`; and what a shoe can hold of them."""

from tabletop.const import const

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")  # spades, hearts, diamonds, clubs
BLACK = "SC"
SPANISH = const(48)  # cards of a deck from which the 10 of each suit is removed
FULL = const(52)


def rank(card: str) -> str:
    """`10` of `10H`."""
    return card[:-1]


def suit(card: str) -> str:
    """`H` of `10H`."""
    return card[-1]


def black(card: str) -> bool:
    """Whether the card is black: of spades or of clubs."""
    return card[-1] in BLACK


def of_deck(size: int) -> list:
    """The cards of one deck of 48 (without the tens) or 52."""
    return [r + s for r in RANKS if size == FULL or r != "10" for s in SUITS]


def refusal(lying: list, more: list, decks: int, size: int) -> "tuple | None":
    """Why `more` cards cannot lie beside those `lying`, from a shoe of `decks` decks of `size` cards; or None."""
    seen = list(lying)
    for card in more:
        if card[:-1] not in RANKS or card[-1:] not in SUITS or (size != FULL and card[:-1] == "10"):
            return ("refuse", 3023, {"card": card, "size": size})
        seen.append(card)
        if seen.count(card) > decks:
            return ("refuse", 3024, {"card": card, "count": seen.count(card), "limit": decks})
    return None
