"""Dreamcatcher, 58 Pa. Code Chapter 689a, in the order of the regulation.

A round is a dict: `phase` BETS -> SPIN -> DONE (or VOID), `bets` [[seat, spot, mills]] with one entry for a
seat on a spot, `multiplier` (1 until a bonus spin), `bonus_spins` and `settings`. Money is integer mills
(1/1000 dollar). Odds are "x to 1": a pay is the *winnings*, and the stake goes back to the player as well.
"""

import hashlib

from tabletop.const import const

NAME = "dreamcatcher"

# 689a.1(b): the 54 sections, clockwise around the rim. Section k of the wheel is LAYOUT[k].
LAYOUT = tuple(
    (
        "7x 2 1 5 1 2 5 1 2 10 1 2 1 20 1 2 1 2 1 5 1 2 10 1 5 1 2 "
        "2x 1 5 1 40 2 1 2 1 10 2 1 5 1 2 1 5 2 1 20 1 2 1 10 1 2 1"
    ).split()
)
# 689a.1(d): the symbols that multiply and trigger a bonus spin.
MULTIPLIERS = {"2x": 2, "7x": 7}
# 689a.1(g)(2) and 689a.3(a): the spots of the layout, each with its odds "x to 1".
ODDS = {"1": 1, "2": 2, "5": 5, "10": 10, "20": 20, "40": 40}

# 689a.1(g)(4): limits as stated on the layout. A round pays a seat at most `payout_limit_mills` in winnings:
# the chapter leaves open whose payout is limited, and we read it as each seat's, so that a player's
# winnings never depend on what others wagered.
DEFAULTS = {"min_mills": 1000, "max_mills": 500000, "payout_limit_mills": 50000000, "seats": 7}
_TOP_MILLS = const(10**12)  # no limit may be set above a billion dollars
_TOP_SEATS = const(20)  # the pays of all seats must fit one journal record
# A stack of multipliers stops growing here. It is far above TOP_MILLS, so every pay is at its limit long before
# and no player loses by it; 40 times it still fits the 64 bits of a journal field.
TOP_MULTIPLIER = const(10**17)


_ODDS = ["%s=%d" % (spot, ODDS[spot]) for spot in sorted(ODDS, key=int)]
_HASHES = [
    hashlib.sha256(("%s %s" % (NAME, text)).encode()).digest()[:8]
    for text in (",".join(LAYOUT), ",".join(_ODDS) + ",2x*%(2x)d,7x*%(7x)d" % MULTIPLIERS)
]


def layout_hash() -> bytes:
    """The first 8 bytes of SHA-256 over `dreamcatcher 7x,2,1,...`: names the wheel a result was read from."""
    return _HASHES[0]


def paytable_hash() -> bytes:
    """The first 8 bytes of SHA-256 over `dreamcatcher 1=1,2=2,...,2x*2,7x*7`."""
    return _HASHES[1]


def validate(settings: dict) -> None:
    """689a.1(g)(4): ValueError, naming key and limit, unless `settings` has DEFAULTS' keys with usable values."""
    for key in settings:
        if key not in DEFAULTS:
            raise ValueError("%s is not a setting of %s" % (key, NAME))
    for key in DEFAULTS:
        if key not in settings:
            raise ValueError("%s is missing" % key)
        value, top = settings[key], _TOP_SEATS if key == "seats" else _TOP_MILLS
        if type(value) is not int or not 1 <= value <= top:
            raise ValueError("%s is %s, but must be a whole number from 1 to %d" % (key, value, top))
    low, high, limit = settings["min_mills"], settings["max_mills"], settings["payout_limit_mills"]
    if high < low:
        raise ValueError("max_mills is %d, below min_mills %d" % (high, low))
    if limit < high:
        raise ValueError("payout_limit_mills is %d, below max_mills %d" % (limit, high))


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return {
        "game": NAME, "round": round_number, "phase": "BETS", "bets": [], "multiplier": 1, "bonus_spins": 0,
        "settings": settings,
    }  # fmt: skip


def step(state: dict, given: tuple, draws: "list | None" = None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input; a physical wheel needs no `draws`.

    inputs : ("wager", seat, spot, mills) ("wagers", [[seat, spot, mills]...] - all or none) ("no_more_bets",)
             ("spin", outcome, section) ("void", reason)
    effects: ("accept", seat, spot, mills) ("refuse", code, {detail}) ("close", n, mills) ("respin", reason)
             ("bonus", multiplier) ("result", section, symbol, multiplier) ("collect", seat, spot, mills)
             ("pay", seat, spot, stake, odds_to_1, win_mills, limited) ("return", seat, spot, mills) ("done",)
    """
    what = given[0]
    if what == "wagers":
        return place(state, given[1])
    if what == "wager":
        return place(state, [given[1:]])
    if what == "spin":
        return rest(state, given[1], given[2])
    if what == "no_more_bets":
        return close(state)
    if what == "void":
        return void(state)
    raise ValueError("%s is no input of %s" % (what, NAME))


def place(state: dict, wagers: list) -> "tuple[dict, list]":
    """689a.1(g)(2) and (4): wagers on the spots of the layout, within its limits; all of them, or none.

    Several wagers of a seat on one spot are one wager: the limits apply to the sum.
    """
    if state["phase"] != "BETS":
        return state, [("refuse", 3006, {})]
    settings = state["settings"]
    low, high, seats = settings["min_mills"], settings["max_mills"], settings["seats"]
    bets = list(state["bets"])
    effects = []
    for seat, spot, mills in wagers:
        if spot not in ODDS:
            return state, [("refuse", 3001, {"spot": spot})]
        if type(seat) is not int or not 1 <= seat <= seats:
            return state, [("refuse", 3005, {"seat": seat, "limit": seats})]
        if type(mills) is not int or mills <= 0:
            return state, [("refuse", 3004, {"mills": mills})]
        total = mills
        for before in bets:
            if before[1] == spot and before[0] == seat:
                total += before[2]
                break
        else:
            before = None
        if total < low:
            return state, [("refuse", 3002, {"mills": total, "limit": low})]
        if total > high:
            return state, [("refuse", 3003, {"mills": total, "limit": high})]
        if before is None:
            bets.append([seat, spot, total])
        else:
            bets[bets.index(before)] = [seat, spot, total]
        effects.append(("accept", seat, spot, mills))
    after = dict(state)
    after["bets"] = bets
    return after, effects


def close(state: dict) -> "tuple[dict, list]":
    """689a.2(a): prior to the spin the dealer announces "no more bets"."""
    _expect(state, "BETS", "no more bets")
    after = dict(state)
    after["phase"] = "SPIN"
    bets = state["bets"]
    return after, [("close", len(bets), sum([bet[2] for bet in bets]))]


def rest(state: dict, outcome: str, section: int) -> "tuple[dict, list]":
    """689a.2(b) to (f): what the end of a spin does. `section` counts only with outcome SECTION."""
    _expect(state, "SPIN", "the end of a spin")
    if outcome != "SECTION":
        # (b) fewer than three revolutions, (d) between two sections, or sensors in doubt: void, and the dealer
        # spins again. A multiplier won before stays: only this spin is void, not the bonus round.
        return state, [("respin", outcome)]
    if type(section) is not int or not 0 <= section < len(LAYOUT):
        raise ValueError("section %s is not on the wheel" % section)
    symbol = LAYOUT[section]
    if symbol in MULTIPLIERS:
        return bonus(state, symbol)
    return settle(state, section, symbol)


def bonus(state: dict, symbol: str) -> "tuple[dict, list]":
    """689a.2(f) and 689a.3(c): the wheel is spun again, and multipliers stack until a number comes."""
    after = dict(state)
    after["multiplier"] = min(state["multiplier"] * MULTIPLIERS[symbol], TOP_MULTIPLIER)
    after["bonus_spins"] += 1
    return after, [("bonus", after["multiplier"])]


def settle(state: dict, section: int, symbol: str) -> "tuple[dict, list]":
    """689a.2(e): first collect all losing wagers, then pay off all winning ones at the odds of 689a.3.

    689a.3(b): the multiplier applies to the odds. 689a.1(g)(4): a seat wins at most the payout limit; a seat has
    one entry on a spot and one spot wins, so the limit of a seat is the limit of its one pay.
    """
    multiplier, limit = state["multiplier"], state["settings"]["payout_limit_mills"]
    odds_to_1 = ODDS[symbol] * multiplier
    effects: list = [("result", section, symbol, multiplier)]
    pays = []
    for seat, spot, mills in state["bets"]:
        if spot != symbol:
            effects.append(("collect", seat, spot, mills))
        elif mills * odds_to_1 > limit:
            pays.append(("pay", seat, spot, mills, odds_to_1, limit, True))
        else:
            pays.append(("pay", seat, spot, mills, odds_to_1, mills * odds_to_1, False))
    effects += pays
    effects.append(("done",))
    after = dict(state)
    after["phase"] = "DONE"
    return after, effects


def void(state: dict) -> "tuple[dict, list]":
    """The dealer calls the round off before its result: every wager goes back."""
    if state["phase"] not in ("BETS", "SPIN"):
        raise ValueError("the round is over; it cannot be voided")
    after = dict(state)
    after["phase"] = "VOID"
    return after, [("return", seat, spot, mills) for seat, spot, mills in state["bets"]] + [("done",)]


def _expect(state: dict, phase: str, what: str) -> None:
    if state["phase"] != phase:
        raise ValueError("%s in phase %s of round %d; due in %s" % (what, state["phase"], state["round"], phase))


def self_check() -> str:
    """The program's own layout and odds against the counts of 689a.1(a) and the example of 689a.3(c); "" when right."""
    for symbol, sections in (("1", 23), ("2", 15), ("5", 7), ("10", 4), ("20", 2), ("40", 1), ("2x", 1), ("7x", 1)):
        if LAYOUT.count(symbol) != sections:
            return "the layout has not %d sections of %s" % (sections, symbol)
    state = step(step(new(1, DEFAULTS), ("wager", 1, "10", 1000))[0], ("no_more_bets",))[0]
    for symbol in ("2x", "7x", "10"):
        state, effects = step(state, ("spin", "SECTION", LAYOUT.index(symbol)))
    return "" if effects[1] == ("pay", 1, "10", 1000, 140, 140000, False) else "2x, 7x, 10 did not pay 140 to 1"
