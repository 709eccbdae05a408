"""A round whose dice come from a shaker that the table watches, 58 Pa. Code 645c.2(a), (b), (f) and (g).

A state has `seat`, the selected player (0: none yet); `shake` "", "SHAKING" or "SHAKEN"; `start`, where the deal starts
once the dice are read (-1: not yet). The table itself gives ("shaking",) before the motor moves and ("shake", ...) when
it has ended; what was running when the power went is NO_ROLL.
"""

from tabletop.rules.progressive import roll
from tabletop.rules.progressive.bets import early

NONE, PLAYER, MANUAL = "NONE", "PLAYER", "MANUAL"
KINDS = (NONE, PLAYER, MANUAL)  # `shaker`: nothing that the table watches; with motor and buttons; by the dealer's hand


def opened(state: dict) -> dict:
    """A round on a table with a shaker."""
    if state["settings"]["shaker"] != NONE:
        state.update({"seat": 0, "shake": "", "start": -1})
    return state


def step(state: dict, given: tuple, phase: str) -> "tuple[dict, list] | None":
    """Selection, shake and reading in the game's `phase`; None for another input.

    inputs : ("select", seat) ("shaking",) ("shake", SHAKEN or NO_ROLL, reason, ms, knocks)
             ("roll", red, blue, blue, red, blue, blue) - as read by two, or by one twice
    effects: ("select", seat) ("shaking", seat) ("shake", outcome, reason, ms) ("dice", red, blue, blue) ("start", seat)
    """
    what = given[0]
    if what not in ("select", "shaking", "shake", "roll") or "shake" not in state:
        return None
    if state["phase"] != phase or state["start"] >= 0:
        return state, [early(state, "the shaker", "close the wagers first; the dice are shaken once a round")]
    if what == "select":
        return select(state, given[1])
    if what == "shaking":
        return shaking(state)
    if what == "shake":
        return shake(state, given)
    return read(state, list(given[1:4]), list(given[4:]))


def select(state: dict, seat: int) -> "tuple[dict, list]":
    """(f)(1) The player whose button starts the shaker, one with a wager."""
    if seat not in [bet[0] for bet in state["bets"]]:
        return state, [("refuse", 3042, {"seat": seat})]
    if state["shake"]:
        return state, [early(state, "a selection", "the dice are shaken already")]
    after = dict(state)
    after["seat"] = seat
    return after, [("select", seat)]


def shaking(state: dict) -> "tuple[dict, list]":
    """The motor is about to move, or the dealer to shake."""
    if state["shake"] or (not state["seat"] and state["settings"]["shaker"] == PLAYER):
        return state, [early(state, "a shake", "select the player first; a shake ends before the next")]
    after = dict(state)
    after["shake"] = "SHAKING"
    return after, [("shaking", state["seat"])]


def shake(state: dict, given: tuple) -> "tuple[dict, list]":
    """(b)(2) What came of it. A shake that was good can be none afterwards: the lid was opened, or the dice moved."""
    _what, outcome, reason, ms, _knocks = given
    if not state["shake"]:
        return state, [early(state, "the end of a shake", "nothing was shaken")]
    after = dict(state)
    after["shake"] = "SHAKEN" if outcome == "SHAKEN" else ""
    return after, [("shake", outcome, reason, ms)]


def read(state: dict, dice: list, again: list) -> "tuple[dict, list]":
    """(g) Dice at rest, read twice alike; the start of the deal follows from their total (a)."""
    if state["shake"] != "SHAKEN":
        return state, [early(state, "the dice", "shake first: no dice are taken that were not shaken for 5 seconds")]
    refused = roll.refusal(dice, None) or roll.refusal(again, dice)
    if refused:
        return state, [refused]
    after = dict(state)
    after["start"] = roll.start_seat(dice, state["settings"]["seats"])
    return after, [("dice",) + tuple(dice), ("start", after["start"])]
