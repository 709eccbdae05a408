"""Cards as they are entered, by a reader or the host: each held against the shoe and against what lies there."""

from tabletop.rules.progressive import cards


def read(state: dict, text: str, number: int, shoe: tuple) -> "tuple[list, tuple | None]":
    """The cards of a text, and why they cannot be: not so many, or not in the shoe beside those that lie there."""
    found = [card for card in text.split(" ") if card]
    if len(found) != number:
        return found, ("refuse", 3029, {"found": len(found), "limit": number})
    lying = list(state["dealt"])
    for entry in state["hands"]:
        lying += entry[1]
    return found, cards.refusal(lying, found, shoe[0], shoe[1])


def read_hand(state: dict, seat: int, text: str, number: int, shoe: tuple) -> "tuple[list, tuple | None]":
    """The first cards of a seat, and why they cannot be: it has no wager, it has a hand, or as `read` says."""
    if seat not in [bet[0] for bet in state["bets"]]:
        return [], ("refuse", 3025, {"seat": seat})
    if seat in [entry[0] for entry in state["hands"]]:
        return [], ("refuse", 3026, {"seat": seat})
    return read(state, text, number, shoe)


def missing(state: dict) -> list:
    """The seats with a wager whose hands are not known yet."""
    known = [entry[0] for entry in state["hands"]]
    return [bet[0] for bet in state["bets"] if bet[0] not in known]
