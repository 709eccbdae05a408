"""The dice of a shaker as they are taken over: read twice, and where the deal then starts (58 Pa. Code 645c.2(a), (g)).

A roll is (red, blue, blue); which blue die is named first means nothing.
"""

FACES = 6


def refusal(roll: list, first: "list | None") -> "tuple | None":
    """Why a roll cannot be taken: no faces of dice, or another roll than the one that was read `first`. Or None."""
    if len(roll) != 3:
        return ("refuse", 3029, {"found": len(roll), "limit": 3})
    for die in roll:
        if type(die) is not int or not 1 <= die <= FACES:
            return ("refuse", 3031, {"die": die})
    if first is not None and sorted_roll(roll) != sorted_roll(first):
        return ("refuse", 3040, {"first": words(first), "second": words(roll)})
    return None


def sorted_roll(roll: list) -> list:
    """The red die, then the blue ones by value."""
    return [roll[0]] + sorted(roll[1:])


def words(roll: list) -> str:
    """For people: red 6, blue 2 and 1."""
    return "red %d, blue %d and %d" % (roll[0], roll[1], roll[2])


def start_seat(roll: list, seats: int) -> int:
    """(a) Where the dealing of the cards starts: 0 is the dealer, else a seat.

    The total is counted off around the table, the dealer as one, then the seats in their order, empty ones too. How it
    is counted is in chapter 645a, which is not held: this is the usual way, and docs/wagers.md says so.
    """
    return (sum(roll) - 1) % (seats + 1)
