"""One choice for each eligible player, against a timer; what is not chosen in time is drawn.

`state["choices"]` maps seat -> choice, counted from 1 as on the layout. The time itself is the table's: the
effect ("timer", ms) starts it, and its end comes back as the input ("timeout",).
"""

from tabletop.rules import stakes


def ask(state: dict, ms: int) -> "tuple[dict, list]":
    """Open the choices in phase CHOICE, and start the timer."""
    after = dict(state)
    after["phase"] = "CHOICE"
    after["choices"] = {}
    return after, [("timer", ms)]


def choose(state: dict, seat: int, choice: int, limit: int, phase: str) -> "tuple[dict, list]":
    """A player's choice of 1 to `limit`; the last one ends the timer and begins `phase`."""
    if state["phase"] != "CHOICE":
        late = "choices" in state or state["phase"] in ("DONE", "VOID")
        return state, [("refuse", 3008 if late else 3007, {"seat": seat})]
    if seat not in stakes.eligible(state):
        return state, [("refuse", 3011, {"seat": seat})]
    if seat in state["choices"]:
        return state, [("refuse", 3009, {"seat": seat, "choice": state["choices"][seat]})]
    if type(choice) is not int or not 1 <= choice <= limit:
        return state, [("refuse", 3010, {"choice": choice, "limit": limit})]
    after = dict(state)
    after["choices"] = dict(state["choices"])
    after["choices"][seat] = choice
    if len(after["choices"]) == len(state["bets"]):
        after["phase"] = phase
    return after, [("chosen", seat, choice, "PLAYER")]


def timeout(state: dict, limit: int, phase: str, draws) -> "tuple[dict, list]":
    """The time is over: a draw `choice of seat N` chooses for every player who did not."""
    stakes.expect(state, "CHOICE", "the end of the timer")
    after = dict(state)
    after["choices"] = dict(state["choices"])
    after["phase"] = phase
    effects: list = []
    for seat in stakes.eligible(state):
        if seat not in state["choices"]:
            after["choices"][seat] = 1 + draws.uniform("choice of seat %d" % seat, limit)
            effects.append(("chosen", seat, after["choices"][seat], "RNG"))
    return after, effects
