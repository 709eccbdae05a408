"""The main wager of Player's Edge 21, 58 Pa. Code 635c.2(e) and (f): a round with its doubles, rescue and soft 17.

BETS -> BEGIN -> DONE, or VOID. `hands` are [[seat, cards, total wager, doubles, state]], state PLAYED until BUST or
RESCUED. What the hands are worth is in `players_edge_pays`. What chapter 635a decides is not held: its odds are
settings, and split pairs are not played.
"""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import bets, checks, hands
from tabletop.rules.progressive.players_edge_pays import (
    DIAMONDS,
    INSURANCE,
    SHARES,
    SPOT,
    blackjack,
    draws_again,
    original,
    points,
    settle,
    super_bonus,
)  # fmt: skip
from tabletop.rules.progressive.players_edge_shoe import DECKS, shoe_of

NAME = "players_edge"
SOURCE = "CARDS"
SPOTS = (SPOT,)
PLAYED, BUST, RESCUED = "PLAYED", "BUST", "RESCUED"
DOUBLES = 3  # (f)(3): "may only double 3x on each hand"

# `odds`: of 635a.12(a) and (b), as [x, y] for x to y. `super_bonus`: of 635a.12(c), as [[original wager from, award]
# in mills, ...]. Both chapters are not held; no file is complete without them.
DEFAULTS: dict = {
    "decks": 6, "min_mills": 5000, "max_mills": 500000, "seats": 7, "super_bonus": [[5000, 1000000]],
    "odds": {
        "win": [1, 1], "Blackjack": [3, 2], "6-7-8": [3, 2], "6-7-8 suited": [2, 1], "7-7-7": [3, 2],
        "7-7-7 suited": [2, 1], "21 of five cards": [3, 2], "21 of six cards": [2, 1], "21 of seven cards": [3, 1],
    },
}  # fmt: skip
EXAMPLES = ("super_bonus", "odds")
CHECK = (  # what the self-test plays: inputs, and the mills that are handed out
    (("wager", 1, SPOT, 5000), ("no_more_bets",), ("hand", 1, "AS KS"), ("dealer", "6S KD 5H")), 12500,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the wager."""
    return stakes.fingerprint(NAME, SPOTS)


def paytable_hash() -> bytes:
    """Names what the section itself fixes in the pay."""
    return stakes.fingerprint(NAME, DIAMONDS, SHARES, INSURANCE, DOUBLES)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("decks", settings["decks"], DECKS)
    checks.check_limits(settings)
    last = 0
    weights.listed("super_bonus", settings["super_bonus"], 0, 8)
    for step_of in settings["super_bonus"]:
        weights.listed("super_bonus: a wager with its award", step_of, 2, 2)
        weights.whole("super_bonus: a wager", step_of[0], last + 1, checks.TOP_MILLS)
        weights.whole("super_bonus: an award", step_of[1], 1, checks.TOP_MILLS)
        last = step_of[0]
    if not isinstance(settings["odds"], dict) or sorted(settings["odds"]) != sorted(DEFAULTS["odds"]):
        raise ValueError("odds must hold %s" % ", ".join(sorted(DEFAULTS["odds"])))
    for name in sorted(settings["odds"]):
        weights.listed("odds of " + name, settings["odds"][name], 2, 2)
        for number in settings["odds"][name]:
            weights.whole("odds of " + name, number, 1, 1000)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    state = stakes.opened(NAME, round_number, settings)
    state["hands"], state["dealt"] = [], []
    return state


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("hand", seat, "AS KH") ("card", seat, "5D")
             ("double", seat, mills, "5D") ("rescue", seat) ("dealer", "6S KD 5H": upcard first) ("void", reason)
    effects: ("points", seat, points) ("lose", seat, spot, mills) ("return", seat, spot, mills) ("push", seat, ...)
             ("paid", seat, result, stake, mills handed, INVENTORY) ("super bonus", seat, mills, whose)
    """
    what = given[0]
    if what == "hand":
        return hand(state, given[1], given[2])
    if what == "card":
        return card(state, given[1], given[2])
    if what == "double":
        return double(state, given[1], given[2], given[3])
    if what == "rescue":
        return rescue(state, given[1])
    if what == "dealer":
        return dealer(state, given[1])
    if what == "void" and [entry for entry in state["hands"] if entry[3] or entry[4] != PLAYED]:
        raise ValueError("a hand was doubled or is settled already; play the round to its end")
    return stakes.take(state, given, SPOTS)


def hand(state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """The first two cards of a seat."""
    if state["phase"] != "BEGIN":
        return state, [bets.early(state, "a hand", "close the wagers first")]
    found, refused = hands.read_hand(state, seat, text, 2, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["hands"] = sorted(state["hands"] + [[seat, found, original(state, seat), 0, PLAYED]])
    return after, [("points", seat, points(found)[0])]


def card(state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """One more card for a hand that was not doubled."""
    at, refused = _playing(state, seat)
    if not refused and (state["hands"][at][3] or points(state["hands"][at][1])[0] == 21):
        refused = ("refuse", 3032, {"seat": seat, "what": "take a card"})
    if refused:
        return state, [refused]
    return _drawn(state, at, text, 0)


def double(state: dict, seat: int, mills: int, text: str) -> "tuple[dict, list]":
    """(f)(1) A Double Down on two or more cards, except on Blackjack, of at most the original wager, and one more card.

    (2) and (3) Immediately after it the wager is redoubled, twice at most: up to 8 times the original wager.
    """
    at, refused = _playing(state, seat)
    if not refused and (state["hands"][at][3] == DOUBLES or blackjack(state["hands"][at][1])):
        refused = ("refuse", 3032, {"seat": seat, "what": "double"})
    if refused:
        return state, [refused]
    total, doubles = state["hands"][at][2:4]
    if type(mills) is not int or mills <= 0:
        return state, [("refuse", 3004, {"mills": mills})]
    if mills > total:
        return state, [("refuse", 3003, {"mills": mills, "limit": total})]
    if doubles and mills < total:
        return state, [("refuse", 3002, {"mills": mills, "limit": total})]
    return _drawn(state, at, text, mills)


def rescue(state: dict, seat: int) -> "tuple[dict, list]":
    """(f)(6) After the card of the first or second double, not in excess of 21: half goes back, half is forfeited."""
    at, refused = _playing(state, seat)
    if not refused and state["hands"][at][3] not in (1, 2):
        refused = ("refuse", 3032, {"seat": seat, "what": "rescue"})
    if refused:
        return state, [refused]
    total = state["hands"][at][2]
    after = _changed(state, at, state["hands"][at][1], total, state["hands"][at][3], RESCUED)
    return after, [("lose", seat, SPOT, total // 2), ("return", seat, SPOT, total - total // 2)]


def dealer(state: dict, text: str) -> "tuple[dict, list]":
    """(e)(1)(iii)(C) and (iv) The dealer's hand, drawn as the rules say; then (g) every hand is settled."""
    if state["phase"] != "BEGIN" or hands.missing(state):
        return state, [bets.early(state, "the dealer's hand", "enter the hands of all seats first")]
    number = len([card for card in text.split(" ") if card])
    found, refused = hands.read(state, text, max(number, 2), shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    live = [entry for entry in state["hands"] if entry[4] == PLAYED]
    early = [n for n in range(2, len(found)) if not draws_again(found[:n])]
    if early or (live and draws_again(found)):
        return state, [("refuse", 3033, {"cards": text})]
    after = dict(state)
    after["dealt"] = found
    after["phase"] = "DONE"
    losers: list = []
    winners: list = []
    for entry in live:
        effects, wins = settle(after, entry)
        if wins:
            winners += effects
        else:
            losers += effects
    return after, losers + winners + super_bonus(after) + [("done",)]


def _playing(state: dict, seat: int) -> "tuple[int, tuple | None]":
    """The place of a hand that is still played, and why there is none."""
    at = [n for n in range(len(state["hands"])) if state["hands"][n][0] == seat]
    if state["phase"] != "BEGIN" or not at:
        return -1, bets.early(state, "a decision of seat %s" % seat, "enter the hand of that seat first")
    if state["hands"][at[0]][4] != PLAYED:
        return -1, ("refuse", 3032, {"seat": seat, "what": "go on"})
    return at[0], None


def _drawn(state: dict, at: int, text: str, mills: int) -> "tuple[dict, list]":
    """A hand with one more card, and `mills` more on it where it was doubled; above 21 it loses at once."""
    found, refused = hands.read(state, text, 1, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    seat, some, total, doubles, _state = state["hands"][at]
    some = some + found
    total += mills
    reached = points(some)[0]
    after = _changed(state, at, some, total, doubles + (1 if mills else 0), BUST if reached > 21 else PLAYED)
    effects: list = [("points", seat, reached)]
    return after, effects + [("lose", seat, SPOT, total)] if reached > 21 else effects


def _changed(state: dict, at: int, some: list, total: int, doubles: int, how: str) -> dict:
    after = dict(state)
    after["hands"] = list(state["hands"])
    after["hands"][at] = [state["hands"][at][0], some, total, doubles, how]
    return after
