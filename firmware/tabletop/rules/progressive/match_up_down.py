"""Match-Up and Match-Down, side wagers of Player's Edge 21, 58 Pa. Code 635c.2(d)(2)(i) and (ii), (e) and (g)(4).

BETS -> BEGIN -> HOLE -> DONE, or VOID. `hands` are [[seat, [card, card]]], `dealt` the dealer's upcard.
"""

from tabletop.rules import stakes
from tabletop.rules.progressive import bets, cards, checks, hands, pays
from tabletop.rules.progressive.players_edge_shoe import DECKS, shoe_of
from tabletop.rules.progressive.players_edge_tables import MATCH

NAME = "match_up_down"
SOURCE = "CARDS"
SPOTS = ("Match-Up", "Match-Down")
RESULTS = (
    "two suited matches", "one suited match and one unsuited match", "one suited match", "two unsuited matches",
    "one unsuited match",
)  # fmt: skip
DEFAULTS: dict = {"decks": 6, "paytable": "A", "min_mills": 1000, "max_mills": 500000, "seats": 7}
EXAMPLES = ()
CHECK = (  # what the self-test plays: inputs, and the mills that are handed out
    (("wager", 1, SPOTS[0], 1000), ("no_more_bets",), ("hand", 1, "KD 3S"), ("dealt", "KH"), ("hole", "3H")), 5000,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the wagers and their results."""
    return stakes.fingerprint(NAME, SPOTS, RESULTS)


def paytable_hash() -> bytes:
    """Names all printed paytables."""
    return stakes.fingerprint(NAME, [[(name, MATCH[decks][name]) for name in sorted(MATCH[decks])] for decks in DECKS])


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("decks", settings["decks"], DECKS)
    checks.one_of("paytable", settings["paytable"], sorted(MATCH[settings["decks"]]))
    checks.check_limits(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    state = stakes.opened(NAME, round_number, settings)
    state["hands"], state["dealt"] = [], []
    return state


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("hand", seat, "AS KH") ("dealt", "AS") ("hole", "KD")
             ("void", reason)
    effects: ("lose", seat, spot, mills) ("paid", seat, result, stake, mills handed, INVENTORY) and those of `stakes`
    """
    what = given[0]
    if what == "hand":
        return hand(state, given[1], given[2])
    if what == "dealt":
        return dealt(state, given[1])
    if what == "hole":
        return hole(state, given[1])
    if what == "void" and state["phase"] == "HOLE":
        raise ValueError("the Match-Up wagers are settled; play the round to its end")
    return stakes.take(state, given, SPOTS)


def hand(state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """The initial two cards of a seat."""
    if state["phase"] != "BEGIN" or state["dealt"]:
        return state, [bets.early(state, "a hand", "close the wagers first; all hands come before the upcard")]
    found, refused = hands.read_hand(state, seat, text, 2, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["hands"] = sorted(state["hands"] + [[seat, found]])
    return after, []


def dealt(state: dict, text: str) -> "tuple[dict, list]":
    """(e)(1)(i) The upcard: Match-Up wagers are settled."""
    if state["phase"] != "BEGIN" or hands.missing(state):
        return state, [bets.early(state, "the upcard", "close the wagers and enter the hands of all seats first")]
    found, refused = hands.read(state, text, 1, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealt"] = found
    after["phase"] = "HOLE"
    return after, settled(after, SPOTS[0], found[0])


def hole(state: dict, text: str) -> "tuple[dict, list]":
    """(e)(1)(iii)(A) The card that was face down is revealed: Match-Down wagers are settled, before any other card."""
    if state["phase"] != "HOLE":
        return state, [bets.early(state, "the hole card", "enter hands and upcard first")]
    found, refused = hands.read(state, text, 1, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealt"] = state["dealt"] + found
    after["phase"] = "DONE"
    return after, settled(after, SPOTS[1], found[0]) + [("done",)]


def settled(state: dict, spot: str, card: str) -> list:
    """(d)(2)(i) and (ii), (g)(4) The wagers on one spot against one card of the dealer: losers first, then winners."""
    losers: list = []
    winners: list = []
    for seat, name, mills in state["bets"]:
        if name == spot:
            result = result_of([entry[1] for entry in state["hands"] if entry[0] == seat][0], [card])
            if result is None:
                losers.append(("lose", seat, spot, mills))
            else:
                handed = pays.handed(pay_of(state, result), mills, True)
                winners.append(("paid", seat, result, mills, handed, pays.INVENTORY))
    return losers + winners


def result_of(two: list, one: list) -> "str | None":
    """(d)(2)(i) and (ii) Either of the initial two cards matches the rank of the dealer's card; None: neither."""
    card = one[0]
    suited = len([mine for mine in two if mine == card])
    matches = len([mine for mine in two if cards.rank(mine) == cards.rank(card)])
    if not matches:
        return None
    if suited:
        return RESULTS[0] if suited == 2 else RESULTS[1] if matches == 2 else RESULTS[2]
    return RESULTS[3] if matches == 2 else RESULTS[4]


def pay_of(state: dict, result: str) -> tuple:
    """(g)(4) What the paytable of the settings pays for a result."""
    return pays_of(state["settings"]["decks"], state["settings"]["paytable"])[RESULTS.index(result)]


def pays_of(decks: int, paytable: str) -> list:
    """(g)(4)(i) and (ii) The pays of one printed paytable, in the order of RESULTS."""
    return [(pays.TO, odds, 1) for odds in MATCH[decks][paytable]]
