"""Wagers on the dice of a Pai Gow shaker, 58 Pa. Code 645c.2: Sum, Match and Beat It.

BETS -> BEGIN -> DONE, or VOID. The first die is the red one, the others are blue. The shaker is not in here.
"""

from tabletop.rules import stakes
from tabletop.rules.progressive import bets, checks, pays, shaking

NAME = "dice"
SOURCE = "DICE"
SUM, MATCH, BEAT_IT = "Sum", "Match", "Beat It"
MATCHES = tuple(["Match %d" % n for n in range(1, 7)])  # (d)(2): six betting areas
SPOTS = (SUM,) + MATCHES + (BEAT_IT,)
# (g)(1): paytable -> result -> pay. Results of A and B are the total of the three dice.
SUMS = {
    "A": {"17": (pays.TO, 25, 1), "16": (pays.TO, 6, 1), "8": (pays.TO, 3, 1)},
    "B": {"3": (pays.TO, 25, 1), "8": (pays.TO, 4, 1), "9": (pays.TO, 2, 1)},
    "C": {"three match": (pays.TO, 3, 1), "two match": (pays.TO, 1, 1)},
    "D": {"series of three": (pays.TO, 15, 2)},
}
# (g)(2)
NUMBERS = {"triple match": (pays.TO, 100, 1), "double match": (pays.TO, 6, 1)}
# (g)(3): by how many points the red die beats the sum of the blue ones; in C any die that of the others.
BEATS = {
    "A": {"4 points": (pays.TO, 50, 1), "2 or 3 points": (pays.TO, 10, 1), "tie or 1 point": (pays.TO, 1, 1)},
    "B": {"4 points": (pays.TO, 60, 1), "2 or 3 points": (pays.TO, 10, 1), "tie or 1 point": (pays.TO, 1, 1)},
    "C": {"a die beats the two others": (pays.TO, 5, 2)},
}
DEFAULTS: dict = {
    "sum": "A", "beat_it": "A", "min_mills": 1000, "max_mills": 500000, "seats": 7, "shaker": shaking.NONE,
}  # fmt: skip
EXAMPLES = ()
CHECK = ((("wager", 1, MATCHES[0], 1000), ("no_more_bets",), ("dice", 6, 1, 1)), 7000)  # inputs, mills handed out


def layout_hash() -> bytes:
    """Names the betting areas."""
    return stakes.fingerprint(NAME, SPOTS)


def paytable_hash() -> bytes:
    """Names all printed payout tables."""
    tables = [[(name, sorted(group[name].items())) for name in sorted(group)] for group in (SUMS, BEATS)]
    return stakes.fingerprint(NAME, tables, sorted(NUMBERS.items()))


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("sum", settings["sum"], sorted(SUMS))
    checks.one_of("beat_it", settings["beat_it"], sorted(BEATS))
    checks.one_of("shaker", settings["shaker"], shaking.KINDS)
    checks.check_limits(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    return shaking.opened(stakes.opened(NAME, round_number, settings))


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input; the shaker decides, nothing is drawn.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("dice", red, blue, blue) ("void", reason), or in place of
             `dice` those of `shaking.step` where the table watches the shaker
    effects: ("dice", red, blue, blue) ("lose", seat, spot, mills) and those of `stakes`
             ("paid", seat, result, stake, mills handed, INVENTORY)
    """
    if given[0] == "dice":
        if "shake" in state:
            return state, [bets.early(state, "the dice", "shake first, then enter them twice (roll)")]
        return settle(state, list(given[1:]))
    taken = shaking.step(state, given, "BEGIN")
    if taken is not None:
        if len(taken[1]) < 2:
            return taken
        dice, start = taken[1]
        after, effects = settle(taken[0], list(dice[1:]))
        return after, [start] + effects
    return stakes.take(state, given, SPOTS)


def settle(state: dict, dice: list) -> "tuple[dict, list]":
    """(g) The dealer announces the value of each die, collects the losing wagers and pays the winning ones."""
    if state["phase"] != "BEGIN":
        return state, [bets.early(state, "a roll", "close the wagers first")]
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            return state, [("refuse", 3031, {"die": die})]
    losers: list = []
    winners: list = []
    for seat, spot, mills in state["bets"]:
        result, pay = won(state["settings"], spot, dice)
        if pay:
            winners.append(("paid", seat, result, mills, pays.handed(pay, mills, True), pays.INVENTORY))
        else:
            losers.append(("lose", seat, spot, mills))
    after = dict(state)
    after["phase"] = "DONE"
    return after, [("dice",) + tuple(dice)] + losers + winners + [("done",)]


def won(settings: dict, spot: str, dice: list) -> "tuple[str, tuple | None]":
    """The result of a spot and its pay; None when it lost."""
    if spot == SUM:
        return sum_of(settings["sum"], dice)
    if spot == BEAT_IT:
        return beaten(settings["beat_it"], dice)
    return matched(int(spot[-1]), dice)


def sum_of(paytable: str, dice: list) -> "tuple[str, tuple | None]":
    """(e)(1)(i) and (ii) The total of the dice, (iii) at least two that match, (iv) a series of three, in any order."""
    result = str(sum(dice))
    if paytable == "C":
        result = {1: "three match", 2: "two match", 3: ""}[len(set(dice))]
    elif paytable == "D":
        low = min(dice)
        result = "series of three" if sorted(dice) == [low, low + 1, low + 2] else ""
    return result, SUMS[paytable].get(result)


def matched(number: int, dice: list) -> "tuple[str, tuple | None]":
    """(e)(2) At least two of the dice are the number of the betting area."""
    result = ("", "", "double match", "triple match")[dice.count(number)]
    return result, NUMBERS.get(result)


def beaten(paytable: str, dice: list) -> "tuple[str, tuple | None]":
    """(e)(3)(i) The red die against the sum of the blue ones, or (ii) a single die that beats the sum of the others."""
    if paytable == "C":
        result = "a die beats the two others" if 2 * max(dice) > sum(dice) else ""
    else:
        ahead = dice[0] - dice[1] - dice[2]
        result = "" if ahead < 0 else "tie or 1 point" if ahead < 2 else "2 or 3 points" if ahead < 4 else "4 points"
    return result, BEATS[paytable].get(result)
