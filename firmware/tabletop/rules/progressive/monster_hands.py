"""What four cards make in Monster Match, 58 Pa. Code 635c.2(d)(2)(iii)(B), the wager and the Dynamic one alike."""

from tabletop.rules.progressive import cards

# (d)(2)(iii)(B)(VI) to (I): the highest first.
RESULTS = (
    "four-of-a-kind (suited)", "four-of-a-kind (same color)", "four-of-a-kind", "three-of-a-kind (same color)",
    "three-of-a-kind", "suited pair",
)  # fmt: skip


def result_of(hand: list, dealt: list) -> "str | None":
    """(d)(2)(iii)(B) What the player's first two cards make with the dealer's first two: the highest of it."""
    four = hand + dealt
    for card in four:
        alike = [other for other in four if cards.rank(other) == cards.rank(card)]
        if len(alike) == 4:
            if len([other for other in four if other == card]) == 4:
                return RESULTS[0]  # (VI)
            return RESULTS[1] if same_color(alike) else RESULTS[2]  # (V), (IV)
        if len(alike) == 3:
            return RESULTS[3] if same_color(alike) else RESULTS[4]  # (III), (II)
    if [card for card in four if len([other for other in four if other == card]) == 2]:
        return RESULTS[5]  # (I)
    return None


def same_color(some: list) -> bool:
    """Whether all these cards are red, or all black."""
    return len([card for card in some if cards.black(card)]) in (0, len(some))
