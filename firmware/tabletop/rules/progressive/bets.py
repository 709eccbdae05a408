"""The wagers of a round on a progressive table game system, from the first one to the dealer's count of chips.

BETS -> COUNT -> the wager's own phase. A round keeps `meter`, `bets` [[seat, spot, mills]] and `dealer` (who counted).
"""

from tabletop.person import person
from tabletop.rules.progressive import meter
from tabletop.rules.stakes import expect


def opened(game: str, round_number: int, settings: dict, parameters: dict, on: "dict | None") -> dict:
    """A round that takes wagers, on the meter `on` or a new one. `settings` are complete and kept by reference.

    Parameters that are not those of the meter take effect after its next hit.
    """
    return {
        "game": game, "round": round_number, "phase": "BETS", "bets": [], "dealer": "", "hands": [], "dealt": [],
        "wins": [], "meter": meter.governed(on, parameters) if on else meter.opened(parameters), "settings": settings,
    }  # fmt: skip


def step(state: dict, given: tuple, spots, low: int, high: int) -> "tuple[dict, list] | None":
    """What every such wager takes alike, None for another input: low and high are the limits of a wager in mills.

    ("wager", seat, spot, mills) ("wagers", [[seat, spot, mills]...] - all or none) ("take_back", seat[, spot])
    ("no_more_bets",) ("void", reason)
    """
    what = given[0]
    if what == "wager":
        return place(state, (given[1:],), spots, low, high)
    if what == "wagers":
        return place(state, given[1], spots, low, high)
    if what == "take_back":
        return take_back(state, list(given[1:]))
    if what == "no_more_bets":
        return lock_out(state)
    if what == "void":
        return void(state)
    return None


def place(state: dict, wagers, spots, low: int, high: int) -> "tuple[dict, list]":
    """(e) Wagers of an offered amount, each once a seat, all of them or none; (d)(1) `accept` lights a lamp."""
    if state["phase"] == "HIDE":
        return state, [early(state, "a wager", "wait until the hidden value is chosen")]
    if state["phase"] != "BETS":
        return state, [("refuse", 3006, {})]
    seats = state["settings"]["seats"]
    bets = list(state["bets"])
    effects: list = []
    for seat, spot, mills in wagers:
        if spot not in spots:
            return state, [("refuse", 3001, {"spot": spot})]
        if type(seat) is not int or not 1 <= seat <= seats:
            return state, [("refuse", 3005, {"seat": seat, "limit": seats})]
        if [seat, spot] in [before[:2] for before in bets]:
            return state, [("refuse", 3021, {"seat": seat})]
        if type(mills) is not int or mills <= 0:
            return state, [("refuse", 3004, {"mills": mills})]
        if mills < low:
            return state, [("refuse", 3002, {"mills": mills, "limit": low})]
        if mills > high:
            return state, [("refuse", 3003, {"mills": mills, "limit": high})]
        bets.append([seat, spot, mills])
        effects.append(("accept", seat, spot, mills))
    after = dict(state)
    after["bets"] = sorted(bets)
    return after, effects


def take_back(state: dict, which: list) -> "tuple[dict, list]":
    """A player takes the wagers of a seat [seat] or one of them [seat, spot] back before "no more bets"."""
    if state["phase"] != "BETS":
        return state, [("refuse", 3006, {})]
    after = dict(state)
    after["bets"] = [bet for bet in state["bets"] if bet[: len(which)] != which]
    if len(after["bets"]) == len(state["bets"]):
        return state, [("refuse", 3025, {"seat": which[0]})]
    return after, [("return", bet[0], bet[1], bet[2]) for bet in state["bets"] if bet[: len(which)] == which]


def lock_out(state: dict) -> "tuple[dict, list]":
    """(d)(2), (f) "No more bets": from here on no wager is recognised, and the accepted ones are shown and counted."""
    expect(state, "BETS", "no more bets")
    after = dict(state)
    bets = state["bets"]
    after["phase"] = "COUNT" if bets else "DONE"
    effects: list = [("close", len(bets), sum([bet[2] for bet in bets]))]
    return after, effects if bets else effects + [("done",)]


def count(state: dict, chips: int, operator: str, phase: str) -> "tuple[dict, list]":
    """(f) The dealer's count of the chips must equal the wagers accepted; only then they are contributions.

    A count that differs stops the round with both numbers: the wagers are counted again, or go back.
    """
    refused = miscount(state, chips, operator)
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealer"] = operator
    linked = state["settings"].get("linked", False)
    for bet in state["bets"]:
        after["meter"] = meter.passed_on(after["meter"], bet[2]) if linked else meter.contribute(after["meter"], bet[2])
    after["phase"] = phase
    return after, [("meter", after["meter"]["current"])]


def miscount(state: dict, chips: int, operator: str) -> "tuple | None":
    """Why a count of chips cannot be taken, or None."""
    accepted = len(state["bets"])
    if state["phase"] != "COUNT":
        return early(state, "the count of chips", "close the wagers first; they are counted once")
    if not person(operator):
        return ("refuse", 3030, {})
    if type(chips) is not int or chips != accepted:
        return ("refuse", 3022, {"chips": chips, "accepted": accepted})
    return None


def void(state: dict) -> "tuple[dict, list]":
    """Called off before the chips were counted: every wager goes back, and no meter has moved."""
    if state["phase"] not in ("HIDE", "BETS", "COUNT"):
        raise ValueError("the wagers are in the inventory and on the meter; deal again (misdeal) in place of a void")
    after = dict(state)
    after["phase"] = "VOID"
    return after, [("return", seat, spot, mills) for seat, spot, mills in state["bets"]] + [("done",)]


def early(state: dict, what: str, advice: str) -> tuple:
    """The refusal of what comes in another phase than its own."""
    return ("refuse", 4001, {"command": what, "phase": state["phase"], "advice": advice})
