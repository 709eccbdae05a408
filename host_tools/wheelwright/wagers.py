"""The wagers of the progressive seeds that the rules know and no table plays yet, in words as the games are."""

from __future__ import annotations

from wheelwright.errors import WheelwrightError
from wheelwright.games import GAMES, Draw, Game

_PACKAGE = "tabletop.rules.progressive"
_CHIPS = ("chips", "COUNT, OPERATOR: the dealer's count of the chips wagered, and who the dealer is")
_PAY = (
    ("validate", "SEAT, OPERATOR: a floorperson or above validates the win of a seat, seats in their order"),
    ("documented", "SEAT: the documentation of a jackpot slip is complete, the cards may go"),
)
_CARDS = (
    ("hand", 'SEAT, CARDS: the first two cards of a seat, such as "AS 10H"'),
    ("misdeal", "REASON: all cards are entered anew, until a win is validated"),
    *_PAY,
)
_SEATS = {"seats": "number of seats, 1 to 7"}
_METER = {
    "reseed": "how the meter starts after a hit: RESERVE (all that the reserve holds) or SEED (the initial seed)",
    "stake_back": 'true: odds "x to 1" are paid beside the wager, which goes back; false: the house keeps the wager',
    "limit_mills": "most that the meter shows, in mills; 0: no limit. What is above comes back when there is room",
    **_SEATS,
}

_ALL = (
    Game(
        "match_the_dealer", "Match the Dealer progressive", "635c.1 (Spanish 21) and 685c.1 (Down Under Blackjack)", (),
        (_CHIPS, *_CARDS, ("dealt", "CARD: the dealer's upcard")),
        {
            "chapter": "635c.1 or 685c.1: whose paytables",
            "decks": "number of decks, 6 or 8",
            "paytable": "number of the printed paytable for these decks, 1 to 10",
            "wager_mills": "the one wager that is offered, 1000 or 5000 mills",
            "decks_of": "cards of a deck by chapters 635a and 685a, which are not held: 48 (without the tens) or 52",
            **_METER,
        },
        package=_PACKAGE,
    ),
    Game(
        "must_hit_by", "Must-Hit-By Mystery bonus", "639c.1 and twelve sections alike",
        (Draw("must-hit-by N", "maximum - minimum in mills", "the hidden value of hit N, in mills above the minimum"),),
        (_CHIPS, *_PAY),
        {
            "chapter": "the section, from 639c.1 to 688c.1: whose game and wagers",
            "paytable": "A, B, C or D",
            "minimum_wager": "1, 2 or 5: the configuration, by its minimum progressive wager in dollars",
            "qualifying": "which of the section's progressive wagers qualify; [] is all",
            "max_mills": "largest progressive wager in mills, as chapters that are not held decide",
            "paid_by": "INVENTORY or SLIP: how the bonus is paid",
            **_SEATS,
        },
        package=_PACKAGE,
    ),
)  # fmt: skip
WAGERS = {wager.name: wager for wager in _ALL}


def any_named(name: str) -> Game:
    """The game or the wager of a name; E-9010 when there is none."""
    found = GAMES.get(name) or WAGERS.get(name)
    if found is None:
        raise WheelwrightError(9010, game=name, known=", ".join([*GAMES, *WAGERS]))
    return found
