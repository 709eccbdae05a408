"""What becomes of a win: a floorperson validates it, a jackpot slip is documented, and then the round is done.

`wins` are [[seat, ..., done]] in the order of the seats; `done` is 0 until validated, 1 until documented, then 2.
"""

from tabletop.person import person
from tabletop.rules.progressive.bets import early


def waiting(state: dict, seat: int, operator: str) -> "tuple[int, tuple | None]":
    """The place in `wins` of the first that waits to be validated, and why this is not it or not the person."""
    if state["phase"] != "VALIDATE":
        return -1, early(state, "a validation", "wait until the winners are known")
    left = [n for n in range(len(state["wins"])) if not state["wins"][n][2]]
    first = state["wins"][left[0]][0] if left else "no seat"
    if seat != first:
        return -1, ("refuse", 3027, {"seat": seat, "next": first})
    if not person(operator):
        return -1, ("refuse", 3030, {})
    if person(operator) == person(state["dealer"]):
        return -1, ("refuse", 3028, {"operator": operator})
    return left[0], None


def documented(state: dict, seat: int) -> "tuple[dict, list]":
    """(h)(4) The documentation of a win by jackpot slip is complete: now the player's cards may go."""
    at = [n for n in range(len(state["wins"])) if state["wins"][n][0] == seat and state["wins"][n][2] == 1]
    if not at:
        return state, [early(state, "the documentation of seat %d" % seat, "validate a share of the meter first")]
    after = dict(state)
    after["wins"] = list(state["wins"])
    after["wins"][at[0]] = state["wins"][at[0]][:2] + [2]
    return finished(after, [("cards go", seat)])


def finished(after: dict, effects: list) -> "tuple[dict, list]":
    """The round is done when every win is validated, and documented where it was paid by slip."""
    if [win for win in after["wins"] if win[2] < 2]:
        return after, effects
    after["phase"] = "DONE"
    return after, effects + [("done",)]
