"""The wagers on cards and dice of the progressive seeds, in words as the games are."""

from __future__ import annotations

from wheelwright.games import Draw, Game

_PACKAGE = "tabletop.rules.progressive"
_BACK = ("take_back", "SEAT: a player takes the wagers of a seat back before no more bets; with a SPOT only that one")
_CHIPS = ("chips", "COUNT, OPERATOR: the dealer's count of the chips wagered, and who the dealer is")
_PAY = (
    ("validate", "SEAT, OPERATOR: a floorperson or above validates the win of a seat, seats in their order"),
    ("documented", "SEAT: the documentation of a jackpot slip is complete, the cards may go"),
)
_CARDS = (
    ("hand", 'SEAT, CARDS: the first two cards of a seat, such as "AS 10H"'),
    ("misdeal", "REASON: all cards are entered anew, until a win is validated"),
    ("award", "SEAT, MILLS, IDENTITY: a seat's share of a linked meter; `link run` gives it, signed by the device key"),
    *_PAY,
)
_SEATS = {"seats": "number of seats, 1 to 7"}
_LIMITS = {
    "min_mills": "smallest wager of a seat on a spot, in mills (1/1000 dollar)",
    "max_mills": "largest wager of a seat on a spot, in mills",
}
_AMOUNT = {"wager_mills": "the one wager that is offered, in mills; the text gives no amount"}
_SHAKER = (
    ("select", "SEAT: the player whose button starts the shaker"),
    ("shaking", "the shaker starts; a table gives this itself"),
    ("shake", "SHAKEN or NO_ROLL, REASON, MS, KNOCKS: what the sensors made of it; a table gives this itself"),
    ("roll", "RED, BLUE, BLUE, RED, BLUE, BLUE: the dice of a watched shaker, read twice; two readings must agree"),
)
_SHAKERS = {"shaker": "NONE: the table watches none; PLAYER: with motor and buttons at the seats; MANUAL: the dealer's"}
_BOTH = ("dealt", "CARDS: the dealer's first two cards")
_METER = {
    "reseed": "how the meter starts after a hit: RESERVE (all that the reserve holds) or SEED (the initial seed)",
    "stake_back": 'false: odds "x to 1" are all that is handed; true: the wager goes back beside them',
    "linked": "the meter that is shared with other tables through the host, named as `link new` does; empty: none",
    "limit_mills": "most that the meter shows, in mills; 0: no limit. What is above comes back when there is room; "
    "a correction puts it into the reserve",
    **_SEATS,
}

_ALL = (
    Game(
        "match_the_dealer", "Match the Dealer progressive", "635c.1 (Spanish 21) and 685c.1 (Down Under Blackjack)", (),
        (_BACK, _CHIPS, *_CARDS, ("dealt", "CARD: the dealer's upcard")),
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
        "players_edge", "Player's Edge 21, the main wager", "635c.2", (),
        (
            _CARDS[0],
            ("card", "SEAT, CARD: one more card for a hand"),
            ("double", "SEAT, MILLS, CARD: a Double Down or Double-Double Down and its card"),
            ("rescue", "SEAT: half of the hand's total wager goes back, half is forfeited"),
            ("dealer", "CARDS: the whole hand of the dealer in its order, the upcard first"),
        ),
        {
            "decks": "number of decks of 48 cards, 5, 6 or 8",
            "odds": "odds [x, y] of 635a.12(a) and (b), which is not held: x to y",
            "super_bonus": "awards of 635a.12(c), which is not held, as [[original wager from, award], ...] in mills",
            **_LIMITS, **_SEATS,
        },
        package=_PACKAGE,
    ),
    Game(
        "match_up_down", "Match-Up and Match-Down", "635c.2 (Player's Edge 21)", (),
        (
            _CARDS[0], ("dealt", "CARD: the dealer's upcard"),
            ("hole", "CARD: the dealer's card that was face down, when it is revealed"),
        ),
        {
            "decks": "number of decks of 48 cards, 5, 6 or 8",
            "paytable": "A, B or C; with eight decks A or B",
            **_LIMITS, **_SEATS,
        },
        package=_PACKAGE,
    ),
    Game(
        "monster_match", "Monster Match", "635c.2 (Player's Edge 21)", (),
        (_BACK, _CHIPS, *_CARDS, _BOTH),
        {
            "decks": "number of decks of 48 cards, 5, 6 or 8",
            "paytable": "A, B, C, D or E",
            "pool": "A, B, C, D or E: seed, reseed and increments of the meter",
            **_AMOUNT, "limit_mills": _METER["limit_mills"], "linked": _METER["linked"], **_SEATS,
        },
        package=_PACKAGE,
    ),
    Game(
        "monster_dynamic", "Monster Match Dynamic", "635b.3",
        (
            Draw("dynamic pays", "3", "how many combinations get a Dynamic Pay: 0 one, 1 two, 2 three"),
            Draw("combination N", "combinations left", "which combination gets the Nth, of those left, highest first"),
            Draw("pay of combination N", "10", "which of its ten increased pays it is, the lowest first"),
        ),
        (_BACK, _CHIPS, *_CARDS, _BOTH),
        {
            "decks": "number of decks of 48 cards, 5, 6 or 8",
            **_AMOUNT, "reseed": _METER["reseed"], "limit_mills": _METER["limit_mills"], "linked": _METER["linked"],
            **_SEATS,
            "counts": "weights of [one, two, three] Dynamic Pays",
            "combinations": "weights with which the four combinations are taken, of those that are left",
            "raises": "for each of the four combinations the weights of its ten increased pays",
        },
        package=_PACKAGE,
    ),
    Game(
        "pai_gow", "Commission-free Pai Gow Poker", "645c.1", (),
        (("low", 'CARDS: the dealer\'s two-card low hand as it was set, such as "9S 4H" or "AS JOKER"'), *_SHAKER),
        {**_LIMITS, **_SEATS, **_SHAKERS},
        package=_PACKAGE,
    ),
    Game(
        "dice", "Wagers on the dice: Sum, Match, Beat It", "645c.2", (),
        (("dice", "RED, BLUE, BLUE: the values of the three dice, where the table watches no shaker"), *_SHAKER),
        {
            "sum": "payout table of the Sum wager: A, B, C or D",
            "beat_it": "payout table of the Beat It wager: A, B or C",
            **_LIMITS, **_SEATS, **_SHAKERS,
        },
        package=_PACKAGE,
    ),
    Game(
        "must_hit_by", "Must-Hit-By Mystery bonus", "639c.1 and twelve sections alike",
        (Draw("must-hit-by N", "maximum - minimum in mills", "the hidden value of hit N, in mills above the minimum"),),
        (_BACK, _CHIPS, *_PAY),
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
