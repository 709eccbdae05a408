"""Commission-free Pai Gow Poker, 58 Pa. Code 645c.1: the Tiger 9, for which every Pai Gow Poker wager is a push.

BETS -> BEGIN -> DONE, or VOID. How a Pai Gow Poker wager is settled without a Tiger 9 is in chapter 645a, which is
not held: it is named as open.
"""

from tabletop.rules import stakes
from tabletop.rules.progressive import bets, cards, checks, pays, shaking

NAME = "pai_gow"
SOURCE = "CARDS"
SPOTS = ("Pai Gow Poker", "Tiger 9")
JOKER = "JOKER"
TIGER = (pays.TO, 30, 1)  # (g)
_BELOW_NINE = cards.RANKS[1:8]  # 2 to 8
DEFAULTS: dict = {"min_mills": 1000, "max_mills": 500000, "seats": 7, "shaker": shaking.NONE}
EXAMPLES = ()
CHECK = ((("wager", 1, SPOTS[1], 1000), ("no_more_bets",), ("low", "9S 4H")), 31000)  # inputs, mills handed out


def layout_hash() -> bytes:
    """Names the wagers."""
    return stakes.fingerprint(NAME, SPOTS)


def paytable_hash() -> bytes:
    """Names the odds of the Tiger 9."""
    return stakes.fingerprint(NAME, TIGER)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("shaker", settings["shaker"], shaking.KINDS)
    checks.check_limits(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    return shaking.opened(stakes.opened(NAME, round_number, settings))


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("low", "9S 4H": the dealer's low hand) ("void", reason)
    effects: ("tiger", True or False) ("push", seat, spot, mills) ("paid", ...) ("lose", seat, spot, mills)
             ("open", seat, spot, mills): by chapter 645a ; and those of `stakes`
    """
    if given[0] == "low":
        return low(state, given[1])
    taken = shaking.step(state, given, "BEGIN")
    return taken if taken is not None else stakes.take(state, given, SPOTS)


def low(state: dict, text: str) -> "tuple[dict, list]":
    """(e) The dealer's low hand decides: (1) with a Tiger 9, or (2) without."""
    if state["phase"] != "BEGIN":
        return state, [bets.early(state, "the dealer's low hand", "close the wagers first")]
    if state.get("start", 0) < 0:
        return state, [bets.early(state, "the dealer's low hand", "shake the dice first: the deal starts by them")]
    found = [card for card in text.split(" ") if card]
    if len(found) != 2:
        return state, [("refuse", 3029, {"found": len(found), "limit": 2})]
    refused = cards.refusal([], [card for card in found if card != JOKER], 1, cards.FULL)
    if not refused and found.count(JOKER) > 1:
        refused = ("refuse", 3024, {"card": JOKER, "count": 2, "limit": 1})
    if refused:
        return state, [refused]
    tiger = nine_high(found)
    effects: list = [("tiger", tiger)]
    for seat, spot, mills in state["bets"]:
        if spot == SPOTS[1]:
            paid = ("paid", seat, spot, mills, pays.handed(TIGER, mills, True), pays.INVENTORY)
            effects.append(paid if tiger else ("lose", seat, spot, mills))
        else:
            effects.append(("push" if tiger else "open", seat, spot, mills))
    after = dict(state)
    after["phase"] = "DONE"
    return after, effects + [("done",)]


def nine_high(two: list) -> bool:
    """(c)(2), (h) A two-card low hand that is 9-high: a nine, and a lower card; no pair, and no joker (an ace)."""
    ranks = [cards.rank(card) for card in two]
    return "9" in ranks and (ranks[0] in _BELOW_NINE or ranks[1] in _BELOW_NINE)
