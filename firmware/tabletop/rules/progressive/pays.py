"""What a result pays: odds `("to", x, y)` "x to y", `("for", x, y)` "x for y", or `("share", percent)` of the meter."""

TO, FOR, SHARE = "to", "for", "share"
INVENTORY, SLIP = "INVENTORY", "SLIP"  # who hands it out: the table inventory container, or a jackpot slip


def words(pay: tuple) -> str:
    """`8 to 1`, `200 for 1`, `10 % of the meter`."""
    if pay[0] == SHARE:
        return "%d %% of the meter" % pay[1]
    return "%d %s %d" % (pay[1], pay[0], pay[2])


def handed(pay: tuple, mills: int, stake_back: bool) -> int:
    """What the player of a wager of `mills` is handed at odds.

    "for" holds the stake; with "to" it goes back as well, unless the house reads it otherwise (`stake_back` False).
    """
    won = mills * pay[1] // pay[2]
    return mills + won if pay[0] == TO and stake_back else won
