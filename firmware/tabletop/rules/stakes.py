"""The wagers of a bonus game: taken on the spots of its layout, closed, made eligible, then paid or returned.

A bonus game begins when the main wheel stops on it. Who wagered on that spot is eligible; other wagers lose.
Every seat has one entry in `bets` [[seat, spot, mills]] for a spot. Money is integer mills (1/1000 dollar),
odds are "x to 1": a pay is the winnings, and the stake goes back to the player as well.
"""

import hashlib

from tabletop.const import const
from tabletop.rules.weights import whole

# Limits as stated on a layout; each game's DEFAULTS hold them. A round pays a seat at most `payout_limit_mills`.
LIMITS = {"min_mills": 1000, "max_mills": 500000, "payout_limit_mills": 2500000000, "seats": 7}
_TOP_MILLS = const(10**12)
_TOP_SEATS = const(10)  # the pays of all seats must fit one journal record


def fingerprint(*words) -> bytes:
    """The first 8 bytes of SHA-256 over the words, joined by a blank: names a layout or a paytable."""
    return hashlib.sha256(" ".join([str(word) for word in words]).encode()).digest()[:8]


def check(settings: dict, defaults: dict, low_odds: int) -> None:
    """ValueError unless `settings` has the keys of `defaults` and limits under which `low_odds` to 1 can be paid."""
    for key in settings:
        if key not in defaults:
            raise ValueError("%s is not a setting of this game" % key)
    for key in defaults:
        if key not in settings:
            raise ValueError("%s is missing" % key)
    for key in LIMITS:
        whole(key, settings[key], 1, _TOP_SEATS if key == "seats" else _TOP_MILLS)
    low, high, limit = settings["min_mills"], settings["max_mills"], settings["payout_limit_mills"]
    if high < low:
        raise ValueError("max_mills is %d, below min_mills %d" % (high, low))
    if limit < high * low_odds:
        raise ValueError(
            "payout_limit_mills is %d, but a wager of max_mills %d at the minimum odds of %d to 1 wins %d: "
            "the minimum cannot be kept" % (limit, high, low_odds, high * low_odds)
        )


def opened(game: str, round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    return {"game": game, "round": round_number, "phase": "BETS", "bets": [], "settings": settings}


def expect(state: dict, phase: str, what: str) -> None:
    """ValueError unless the round is in `phase`."""
    if state["phase"] != phase:
        raise ValueError("%s in phase %s of round %d; due in %s" % (what, state["phase"], state["round"], phase))


def take(state: dict, given: tuple, spots) -> "tuple[dict, list]":
    """The inputs that every bonus game takes alike.

    ("wager", seat, spot, mills) ("wagers", [[seat, spot, mills]...] - all or none) ("no_more_bets",) ("void", reason)
    """
    what = given[0]
    if what == "wagers":
        return place(state, given[1], spots)
    if what == "wager":
        return place(state, (given[1:],), spots)
    if what == "no_more_bets":
        return close(state)
    if what == "void":
        return void(state)
    raise ValueError("%s is no input of %s" % (what, state["game"]))


def place(state: dict, wagers, spots) -> "tuple[dict, list]":
    """Wagers within the limits; several of a seat on one spot are one wager. All of them are taken, or none."""
    if state["phase"] != "BETS":
        return state, [("refuse", 3006, {})]
    settings = state["settings"]
    bets = list(state["bets"])
    effects: list = []
    for seat, spot, mills in wagers:
        if spot not in spots:
            return state, [("refuse", 3001, {"spot": spot})]
        if type(seat) is not int or not 1 <= seat <= settings["seats"]:
            return state, [("refuse", 3005, {"seat": seat, "limit": settings["seats"]})]
        if type(mills) is not int or mills <= 0:
            return state, [("refuse", 3004, {"mills": mills})]
        at = len(bets)
        total = mills
        for n in range(len(bets)):
            if bets[n][0] == seat and bets[n][1] == spot:
                at = n
                total += bets[n][2]
        if total < settings["min_mills"]:
            return state, [("refuse", 3002, {"mills": total, "limit": settings["min_mills"]})]
        if total > settings["max_mills"]:
            return state, [("refuse", 3003, {"mills": total, "limit": settings["max_mills"]})]
        bets[at:at + 1] = [[seat, spot, total]]
        effects.append(("accept", seat, spot, mills))
    after = dict(state)
    after["bets"] = bets
    return after, effects


def close(state: dict) -> "tuple[dict, list]":
    """No more bets: the main wheel decides next."""
    expect(state, "BETS", "no more bets")
    after = dict(state)
    after["phase"] = "BEGIN"
    bets = state["bets"]
    return after, [("close", len(bets), sum([bet[2] for bet in bets]))]


def void(state: dict) -> "tuple[dict, list]":
    """The dealer calls the round off before it is paid: every wager goes back."""
    if state["phase"] in ("DONE", "VOID"):
        raise ValueError("the round is over; it cannot be voided")
    after = dict(state)
    after["phase"] = "VOID"
    return after, [("return", seat, spot, mills) for seat, spot, mills in state["bets"]] + [("done",)]


def begin(state: dict, spot: str, spots, phase: str) -> "tuple[dict, list]":
    """The main wheel stopped on `spot`: wagers on it are eligible, the others are collected.

    The next phase is `phase`; or DONE when nobody is eligible, because a bonus game is played for its wagers.
    """
    expect(state, "BEGIN", "the main wheel's outcome")
    if spot not in spots:
        raise ValueError("%s is no outcome that begins %s" % (spot, state["game"]))
    after = dict(state)
    after["spot"] = spot
    after["bets"] = [bet for bet in state["bets"] if bet[1] == spot]
    effects: list = [("collect", bet[0], bet[1], bet[2]) for bet in state["bets"] if bet[1] != spot]
    after["phase"] = phase if after["bets"] else "DONE"
    if not after["bets"]:
        effects.append(("done",))
    return after, effects


def eligible(state: dict) -> "list[int]":
    """The seats that play the bonus game, in the order of their wagers."""
    return [bet[0] for bet in state["bets"]]


def within(total: int, low: int, high: int) -> "tuple[int, str]":
    """Minimum and maximum payout odds, applied last: the odds paid, and which limit changed them ("" for none)."""
    if total < low:
        return low, "MINIMUM"
    if total > high:
        return high, "MAXIMUM"
    return total, ""


def settle(state: dict, source: str, detail: dict, odds: dict, chosen: "dict | None" = None) -> "tuple[dict, list]":
    """Pay every eligible wager at the odds of its seat's choice, or at `odds[0]` in a game without choices.

    odds   : choice -> (total before minimum and maximum, odds_to_1, note)
    effects: ("result", source, detail) ("odds", choice, total, odds_to_1, note)...
             ("pay", seat, spot, stake, odds_to_1, win_mills, limited)... ("done",)
    """
    effects: list = [("result", source, detail)]
    for choice in sorted(odds):
        effects.append(("odds", choice) + odds[choice])
    limit = state["settings"]["payout_limit_mills"]
    for seat, spot, mills in state["bets"]:
        odds_to_1 = odds[chosen[seat] if chosen else 0][1]
        win = mills * odds_to_1
        effects.append(("pay", seat, spot, mills, odds_to_1, min(win, limit), win > limit))
    effects.append(("done",))
    after = dict(state)
    after["phase"] = "DONE"
    return after, effects
