"""A round of a progressive wager on cards, as a progressive table game system leads the dealer through it.

BETS -> COUNT -> (the wager's own phase ->) CARDS -> VALIDATE -> DONE, or VOID. Beside what `bets` keeps, a round has
`hands` [[seat, [card, card]]], `dealt` (the dealer's cards), `wins` [[seat, result, done]], `done` 0 until validated, 1
until documented, then 2, and on a linked table `claims` [seat] and, as the host named them, `awards` [[seat, mills,
identity]].
"""

from tabletop.const import const
from tabletop.rules.progressive import bets, meter, pays
from tabletop.rules.progressive.bets import early
from tabletop.rules.progressive.hands import read, read_hand
from tabletop.rules.progressive.wins import documented, finished, waiting

_HAND = const(2)  # cards of a player that decide


class Wager:
    """What differs from wager to wager.

    spots: names ; dealt: how many of the dealer's cards decide ; result_of(hand, dealt) -> result or None
    pay_of(state, result) -> pay (see `pays`) ; shoe_of(settings) -> (decks, cards of a deck)
    after_count: the phase after the count of chips
    """

    def __init__(self, spots, dealt: int, result_of, pay_of, shoe_of, after_count: str = "CARDS"):
        self.spots = spots
        self.dealt = dealt
        self.result_of = result_of
        self.pay_of = pay_of
        self.shoe_of = shoe_of
        self.after_count = after_count


def step(wager: Wager, state: dict, given: tuple) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : those of `bets.step`, ("chips", count, operator) ("hand", seat, "AS 10H") ("dealt", "AS")
             ("misdeal", reason) ("award", seat, mills, identity) ("validate", seat, operator) ("documented", seat)
    effects: ("accept", seat, spot, mills) ("refuse", code, {detail}) ("close", n, mills) ("meter", mills)
             ("lose", seat, spot, mills) ("win", seat, result, pay in words) ("lamp", seat, result)
             ("claim", seat, percent) ("award", seat, mills) ("hit", seat, mills)
             ("paid", seat, result, stake, mills handed, INVENTORY or SLIP)
             ("cards stay", seat) ("cards go", seat) ("return", seat, spot, mills) ("done",)
    """
    what = given[0]
    if what == "chips":
        return bets.count(state, given[1], given[2], wager.after_count)
    if what == "hand":
        return hand(wager, state, given[1], given[2])
    if what == "dealt":
        return dealt(wager, state, given[1])
    if what == "misdeal":
        return misdeal(state)
    if what == "award":
        return award(wager, state, given[1], given[2], given[3])
    if what == "validate":
        return validate(wager, state, given[1], given[2])
    if what == "documented":
        return documented(state, given[1])
    mills = state["settings"]["wager_mills"]
    taken = bets.step(state, given, wager.spots, mills, mills)
    if taken is None:
        raise ValueError("%s is no input of %s" % (what, state["game"]))
    return taken


def hand(wager: Wager, state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """(g) The first two cards of a seat, from a card reader or the host."""
    if state["phase"] != "CARDS":
        return state, [early(state, "a hand", "count the chips first; a hand counts once")]
    found, refused = read_hand(state, seat, text, _HAND, wager.shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["hands"] = sorted(state["hands"] + [[seat, found]])
    return settle(wager, after)


def dealt(wager: Wager, state: dict, text: str) -> "tuple[dict, list]":
    """(g) The dealer's cards that decide, the upcard first."""
    if state["phase"] != "CARDS" or state["dealt"]:
        return state, [early(state, "the dealer's card", "count the chips first; the dealer's card counts once")]
    found, refused = read(state, text, wager.dealt, wager.shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealt"] = found
    return settle(wager, after)


def misdeal(state: dict) -> "tuple[dict, list]":
    """Cards were entered wrongly, or dealt again, and no win is validated yet: they are entered anew."""
    if state["phase"] not in ("CARDS", "VALIDATE") or state.get("claims") or [win for win in state["wins"] if win[2]]:
        return state, [early(state, "a misdeal", "a validated win stands; correct the meter with a record")]
    after = dict(state)
    after["phase"] = "CARDS"
    after["hands"], after["dealt"], after["wins"] = [], [], []
    return after, []


def settle(wager: Wager, after: dict) -> "tuple[dict, list]":
    """(g)(1) and (2) With all cards there: who has no winning hand loses, and the lamps of the winners are lit."""
    if len(after["hands"]) < len(after["bets"]) or not after["dealt"]:
        return after, []
    losers: list = []
    winners: list = []
    wins = []
    for n in range(len(after["bets"])):
        seat, spot, mills = after["bets"][n]
        result = wager.result_of(after["hands"][n][1], after["dealt"])
        if result is None:
            losers.append(("lose", seat, spot, mills))
        else:
            wins.append([seat, result, 0])
            winners += [("win", seat, result, pays.words(wager.pay_of(after, result))), ("lamp", seat, result)]
    after["wins"] = wins
    after["phase"] = "VALIDATE" if wins else "DONE"
    return after, losers + winners if wins else losers + [("done",)]


def award(wager: Wager, state: dict, seat: int, mills: int, identity: str) -> "tuple[dict, list]":
    """On a linked table the host names what a claimed share of the meter is, once; then it is paid by jackpot slip.

    `identity` is that of the claim, ROUND/SEAT: no award is taken for the win of another round.
    """
    awards = state.get("awards", [])
    if seat in [one[0] for one in awards]:
        return state, [("refuse", 3035, {"seat": seat, "identity": [one[2] for one in awards if one[0] == seat][0]})]
    if seat not in state.get("claims", []) or identity != "%d/%d" % (state["round"], seat):
        return state, [early(state, "an award", "name one for a seat that waits for its share of a linked meter")]
    if type(mills) is not int or mills < 0:  # nothing, where others had won all that there was
        return state, [("refuse", 3004, {"mills": mills})]
    after = dict(state)
    after["awards"] = awards + [[seat, mills, identity]]
    at = [win[0] for win in state["wins"]].index(seat)
    percent = wager.pay_of(state, state["wins"][at][1])[1]
    after["meter"] = meter.awarded(state["meter"], percent, mills, [state["round"], seat])
    return by_slip(after, at, percent, mills, [("award", seat, mills)])


def by_slip(after: dict, at: int, percent: int, share: int, effects: list) -> "tuple[dict, list]":
    """A share of the meter is handed over; what else is done are `effects`."""
    seat, result, _done = after["wins"][at]
    mills = [bet[2] for bet in after["bets"] if bet[0] == seat][0]
    after["wins"] = list(after["wins"])
    after["wins"][at] = [seat, result, 1]
    effects += [("paid", seat, result, mills, share, pays.SLIP), ("cards stay", seat)]
    effects += [("hit", seat, share)] if percent == 100 else []
    return after, effects + [("meter", after["meter"]["current"])]


def validate(wager: Wager, state: dict, seat: int, operator: str) -> "tuple[dict, list]":
    """(h)(3) and (4) A floorperson validates the win of a seat, seats in their order, and it is paid.

    At odds from the table inventory container. A share of the meter never from there but by jackpot slip, and the
    cards stay until it is documented. Each share is of the meter as the seats before have left it; that of a linked
    meter is claimed, and paid when the host has named it (`award`). A claim is for good: no misdeal comes after it.
    """
    at, refused = waiting(state, seat, operator)
    if refused:
        return state, [refused]
    after = dict(state)
    result = state["wins"][at][1]
    pay = wager.pay_of(state, result)
    mills = [bet[2] for bet in state["bets"] if bet[0] == seat][0]
    after["wins"] = list(state["wins"])
    if pay[0] == pays.SHARE:
        if state["settings"].get("linked"):
            if seat in state.get("claims", []):
                return state, [("refuse", 3034, {"seat": seat})]
            after["claims"] = state.get("claims", []) + [seat]
            return after, [("claim", seat, pay[1])]
        after["meter"], share = meter.win(state["meter"], pay[1], [state["round"], seat])
        return by_slip(after, at, pay[1], share, [])
    after["wins"][at] = [seat, result, 2]
    handed = pays.handed(pay, mills, state["settings"].get("stake_back", True))
    return finished(after, [("paid", seat, result, mills, handed, pays.INVENTORY)])
