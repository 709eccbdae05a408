"""A round of a progressive wager, as a progressive table game system leads the dealer through it.

BETS -> COUNT -> (the wager's own phase ->) CARDS -> VALIDATE -> DONE, or VOID. A round keeps `meter`, `bets`
[[seat, spot, mills]], `dealer` (who counted), `hands` [[seat, [card, card]]], `dealt` (the dealer's cards) and `wins`
[[seat, result, done]], `done` 0 until validated, 1 until documented, then 2.
"""

from tabletop.const import const
from tabletop.rules.progressive import cards, meter, pays
from tabletop.rules.stakes import expect
from tabletop.rules.weights import whole

INVENTORY, SLIP = "INVENTORY", "SLIP"
TOP_MILLS = const(10**9)  # no wager may be set above a million dollars
SEATS = const(7)  # of a progressive table: so many wager sensors
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


def check_keys(settings: dict, defaults: dict) -> None:
    """ValueError unless `settings` has the keys of `defaults`."""
    for key in settings:
        if key not in defaults:
            raise ValueError("%s is not a setting of this game" % key)
    for key in defaults:
        if key not in settings:
            raise ValueError("%s is missing" % key)


def one_of(place: str, value, choice) -> None:
    """ValueError unless `value` is one of `choice`, of the same kind."""
    for one in choice:
        if type(value) is type(one) and value == one:
            return
    raise ValueError("%s is %s, but must be one of %s" % (place, value, ", ".join([str(one) for one in choice])))


def opened(game: str, round_number: int, settings: dict, parameters: dict, on: "dict | None") -> dict:
    """A round that takes wagers, on the meter `on` or a new one. `settings` are complete and kept by reference.

    Parameters that are not those of the meter take effect after its next hit.
    """
    return {
        "game": game, "round": round_number, "phase": "BETS", "bets": [], "dealer": "", "hands": [], "dealt": [],
        "wins": [], "meter": meter.governed(on, parameters) if on else meter.opened(parameters), "settings": settings,
    }  # fmt: skip


def check_limits(settings: dict) -> None:
    """ValueError unless `min_mills`, `max_mills` and `seats` of a wager without a meter can be used."""
    whole("min_mills", settings["min_mills"], 1, TOP_MILLS)
    whole("max_mills", settings["max_mills"], settings["min_mills"], TOP_MILLS)
    whole("seats", settings["seats"], 1, SEATS)


def step(wager: Wager, state: dict, given: tuple) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("chips", count, operator) ("hand", seat, "AS 10H")
             ("dealt", "AS") ("misdeal", reason) ("validate", seat, operator) ("documented", seat) ("void", reason)
    effects: ("accept", seat, spot, mills) ("refuse", code, {detail}) ("close", n, mills) ("meter", mills)
             ("lose", seat, spot, mills) ("win", seat, result, pay in words) ("lamp", seat, result)
             ("paid", seat, result, stake, mills handed, INVENTORY or SLIP) ("hit", seat, mills) ("cards stay", seat)
             ("cards go", seat) ("return", seat, spot, mills) ("done",)
    """
    what = given[0]
    if what == "wager":
        mills = state["settings"]["wager_mills"]
        return place(state, given[1:], wager.spots, mills, mills)
    if what == "no_more_bets":
        return lock_out(state)
    if what == "chips":
        return count(wager, state, given[1], given[2])
    if what == "hand":
        return hand(wager, state, given[1], given[2])
    if what == "dealt":
        return dealt(wager, state, given[1])
    if what == "misdeal":
        return misdeal(state)
    if what == "validate":
        return validate(wager, state, given[1], given[2])
    if what == "documented":
        return documented(state, given[1])
    if what == "void":
        return void(state)
    raise ValueError("%s is no input of %s" % (what, state["game"]))


def place(state: dict, bet: tuple, spots, low: int, high: int) -> "tuple[dict, list]":
    """(e) The wager (seat, spot, mills), of an offered amount, once a seat; (d)(1) `accept` lights a lamp."""
    seat, spot, mills = bet
    seats = state["settings"]["seats"]
    if state["phase"] != "BETS":
        return state, [("refuse", 3006, {})]
    if spot not in spots:
        return state, [("refuse", 3001, {"spot": spot})]
    if type(seat) is not int or not 1 <= seat <= seats:
        return state, [("refuse", 3005, {"seat": seat, "limit": seats})]
    if [seat, spot] in [before[:2] for before in state["bets"]]:
        return state, [("refuse", 3021, {"seat": seat})]
    if type(mills) is not int or mills <= 0:
        return state, [("refuse", 3004, {"mills": mills})]
    if mills < low:
        return state, [("refuse", 3002, {"mills": mills, "limit": low})]
    if mills > high:
        return state, [("refuse", 3003, {"mills": mills, "limit": high})]
    after = dict(state)
    after["bets"] = sorted(state["bets"] + [[seat, spot, mills]])
    return after, [("accept", seat, spot, mills)]


def lock_out(state: dict) -> "tuple[dict, list]":
    """(d)(2), (f) "No more bets": from here on no wager is recognised, and the accepted ones are shown and counted."""
    expect(state, "BETS", "no more bets")
    after = dict(state)
    bets = state["bets"]
    after["phase"] = "COUNT" if bets else "DONE"
    effects: list = [("close", len(bets), sum([bet[2] for bet in bets]))]
    return after, effects if bets else effects + [("done",)]


def count(wager: Wager, state: dict, chips: int, operator: str) -> "tuple[dict, list]":
    """(f) The dealer's count of the chips must equal the wagers accepted; only then they are contributions.

    A count that differs stops the round with both numbers: the wagers are counted again, or go back.
    """
    refused = miscount(state, chips, operator)
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealer"] = operator
    for bet in state["bets"]:
        after["meter"] = meter.contribute(after["meter"], bet[2])
    after["phase"] = wager.after_count
    return after, [("meter", after["meter"]["current"])]


def miscount(state: dict, chips: int, operator: str) -> "tuple | None":
    """Why a count of chips cannot be taken, or None."""
    accepted = len(state["bets"])
    if state["phase"] != "COUNT":
        return early(state, "the count of chips", "close the wagers first")
    if not operator:
        return ("refuse", 3030, {})
    if type(chips) is not int or chips != accepted:
        return ("refuse", 3022, {"chips": chips, "accepted": accepted})
    return None


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
    if state["phase"] not in ("CARDS", "VALIDATE") or [win for win in state["wins"] if win[2]]:
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


def validate(wager: Wager, state: dict, seat: int, operator: str) -> "tuple[dict, list]":
    """(h)(3) and (4) A floorperson validates the win of a seat, seats in their order, and it is paid.

    At odds from the table inventory container. A share of the meter never from there but by jackpot slip, and the
    cards stay until it is documented. Each share is of the meter as the seats before have left it.
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
        after["meter"], share = meter.win(state["meter"], pay[1], [state["round"], seat])
        after["wins"][at] = [seat, result, 1]
        effects: list = [("paid", seat, result, mills, share, SLIP), ("cards stay", seat)]
        effects += [("hit", seat, share)] if pay[1] == 100 else []
        return after, effects + [("meter", after["meter"]["current"])]
    after["wins"][at] = [seat, result, 2]
    handed = pays.handed(pay, mills, state["settings"].get("stake_back", True))
    return finished(after, [("paid", seat, result, mills, handed, INVENTORY)])


def waiting(state: dict, seat: int, operator: str) -> "tuple[int, tuple | None]":
    """The place in `wins` of the first that waits to be validated, and why this is not it or not the person."""
    if state["phase"] != "VALIDATE":
        return -1, early(state, "a validation", "wait until the winners are known")
    left = [n for n in range(len(state["wins"])) if not state["wins"][n][2]]
    first = state["wins"][left[0]][0] if left else "no seat"
    if seat != first:
        return -1, ("refuse", 3027, {"seat": seat, "next": first})
    if not operator:
        return -1, ("refuse", 3030, {})
    if operator == state["dealer"]:
        return -1, ("refuse", 3028, {"operator": operator})
    return left[0], None


def documented(state: dict, seat: int) -> "tuple[dict, list]":
    """(h)(4) The documentation of a win by jackpot slip is complete: now the player's cards may go."""
    at = [n for n in range(len(state["wins"])) if state["wins"][n][0] == seat and state["wins"][n][2] == 1]
    if not at:
        return state, [early(state, "the documentation of seat %d" % seat, "validate a share of the meter first")]
    after = dict(state)
    after["wins"] = list(state["wins"])
    after["wins"][at[0]] = [seat, state["wins"][at[0]][1], 2]
    return finished(after, [("cards go", seat)])


def void(state: dict) -> "tuple[dict, list]":
    """Called off before the chips were counted: every wager goes back, and no meter has moved."""
    if state["phase"] not in ("BETS", "COUNT"):
        raise ValueError("the wagers are in the inventory and on the meter; deal again (misdeal) in place of a void")
    after = dict(state)
    after["phase"] = "VOID"
    return after, [("return", seat, spot, mills) for seat, spot, mills in state["bets"]] + [("done",)]


def _seats(state: dict) -> list:
    return [bet[0] for bet in state["bets"]]


def early(state: dict, what: str, advice: str) -> tuple:
    """The refusal of what comes in another phase than its own."""
    return ("refuse", 4001, {"command": what, "phase": state["phase"], "advice": advice})


def read(state: dict, text: str, number: int, shoe: tuple) -> "tuple[list, tuple | None]":
    """The cards of a text, and why they cannot be: not so many, or not in the shoe beside those that lie there."""
    found = text.split()
    if len(found) != number:
        return found, ("refuse", 3029, {"found": len(found), "limit": number})
    lying = list(state["dealt"])
    for entry in state["hands"]:
        lying += entry[1]
    return found, cards.refusal(lying, found, shoe[0], shoe[1])


def read_hand(state: dict, seat: int, text: str, number: int, shoe: tuple) -> "tuple[list, tuple | None]":
    """The first cards of a seat, and why they cannot be: it has no wager, it has a hand, or as `read` says."""
    if seat not in _seats(state):
        return [], ("refuse", 3025, {"seat": seat})
    if seat in [entry[0] for entry in state["hands"]]:
        return [], ("refuse", 3026, {"seat": seat})
    return read(state, text, number, shoe)


def finished(after: dict, effects: list) -> "tuple[dict, list]":
    """The round is done when every win is validated, and documented where it was paid by slip."""
    if [win for win in after["wins"] if win[2] < 2]:
        return after, effects
    after["phase"] = "DONE"
    return after, effects + [("done",)]
