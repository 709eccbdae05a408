"""Money Mountain, the bonus game of Mega Money Mountain, in the order of its regulation.

A round goes BETS -> BEGIN -> (PRESS -> REELS)... -> DONE (or VOID): a player gives ("press", seat) in phase PRESS,
the table gives ("next",) in phase REELS. `segments` are the multipliers around the outer wheel, `rounds` the
spins remaining, `locked` the multiplier of each reel in the order of the arrangement (0 while it is open).
"""

from tabletop.const import const
from tabletop.rules import stakes, weights

NAME = "money_mountain"
SOURCE = "RNG"
AUTOMATIC = ("REELS",)
SPOTS = ("Money Mountain",)

_SEGMENTS = const(54)  # (b)(1)
LOW, HIGH = 2, 500  # (b)(2): multipliers from 2x to 500x
REELS = const(9)  # (c): three by three, row by row
SPINS = const(3)  # (d): on the remaining spin counter
TOP_ODDS = const(5000)  # (j) and 694.4(d)
_TOP_MYSTERY = const(100)

# Multipliers on the wheel as [value, how many segments], and the weights of jackpot, Mystery multiplier and
# reels ([award, no award] each): an example, not approved mathematics.
DEFAULTS: dict = {
    "segments": [[2, 12], [3, 10], [5, 10], [8, 7], [10, 6], [15, 3], [20, 2], [50, 1], [100, 1], [200, 1], [500, 1]],
    "jackpots": [[500, 50], [1000, 30], [2500, 15], [5000, 5]],
    "mystery": [[1, 90], [2, 7], [5, 2], [10, 1]],
    "reels": [[1, 14]] * 9,
}
DEFAULTS.update(stakes.LIMITS)
CHECK = 500  # odds to 1 with these when every draw gives 0: for the self-test


def layout_hash() -> bytes:
    """Names the arrangement of wheel and reels."""
    return stakes.fingerprint(NAME, _SEGMENTS, REELS)


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: range of the multipliers, spins and cap."""
    return stakes.fingerprint(NAME, LOW, HIGH, SPINS, TOP_ODDS)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, 0)
    weights.check("segments", settings["segments"], LOW, HIGH)
    count = sum([pair[1] for pair in settings["segments"]])
    if count != _SEGMENTS:
        raise ValueError("segments: the counts add up to %d, but the wheel has %d" % (count, _SEGMENTS))
    # (j): a jackpot above the cap could never be paid.
    weights.check("jackpots", settings["jackpots"], 1, TOP_ODDS)
    weights.check("mystery", settings["mystery"], 1, _TOP_MYSTERY)
    reels = settings["reels"]
    weights.listed("reels", reels, REELS, REELS)
    for n in range(REELS):
        weights.check_list("reels[%d]" % n, reels[n], ("award", "no award"))


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("press", seat - 0 is the dealer for a player who is absent) ("next",)
             and those of `stakes.take`
    effects: ("mystery", multiplier) ("jackpot", odds_to_1) ("segments", [multiplier...]) ("rounds", n)
             ("outer", segment, multiplier of the wheel, multiplier to award) ("lock", reel, multiplier)
             ("meter", n) and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "press":
        return press(state, given[1], draws)
    if what == "next":
        return reels(state, draws)
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(d) The jackpot is set (draw `jackpot`), multipliers go on the wheel, and three spins are on the counter.

    694.3: the draw `mystery` says whether a Mystery multiplier applies; 1 is none.
    """
    after, effects = stakes.begin(state, spot, SPOTS, "PRESS")
    if after["phase"] == "PRESS":
        settings = state["settings"]
        after["mystery"] = weights.draw(draws, "mystery", settings["mystery"])
        after["jackpot"] = weights.draw(draws, "jackpot", settings["jackpots"])
        after["segments"] = assigned(settings, draws)
        after["rounds"] = SPINS
        after["locked"] = [0] * REELS
        after["meter"] = 0
        effects += [
            ("mystery", after["mystery"]), ("jackpot", after["jackpot"]), ("segments", after["segments"]),
            ("rounds", SPINS),
        ]  # fmt: skip
    return after, effects


def assigned(settings: dict, draws) -> list:
    """(b)(3) The multipliers are randomly assigned to the 54 segments: draw `segments`, a shuffle."""
    values = []
    for value, count in settings["segments"]:
        values += [value] * count
    return [values[n] for n in draws.shuffle("segments", _SEGMENTS)]


def press(state: dict, seat: int, draws) -> "tuple[dict, list]":
    """(e) A player presses the button, and the outer wheel stops at random: draw `outer wheel`.

    The Mystery multiplier is multiplied by the outer wheel's multiplier.
    """
    if state["phase"] != "PRESS":
        return state, [("refuse", 3012, {"seat": seat, "phase": state["phase"]})]
    if seat != 0 and seat not in stakes.eligible(state):
        return state, [("refuse", 3011, {"seat": seat})]
    segment = draws.uniform("outer wheel", _SEGMENTS)
    multiplier = state["segments"][segment]
    after = dict(state)
    after["phase"] = "REELS"
    after["award"] = multiplier * state["mystery"]
    after["rounds"] -= 1
    return after, [("outer", segment, multiplier, after["award"]), ("rounds", after["rounds"])]


def reels(state: dict, draws) -> "tuple[dict, list]":
    """(f) The open reels spin, each an independent outcome: draws `reel 1` to `reel 9`, 0 awards and 1 does not.

    (f)(1) a reel that does not award stays open; (f)(2)(i) one that awarded before does not spin.
    """
    stakes.expect(state, "REELS", "the reels")
    after = dict(state)
    after["locked"] = list(state["locked"])
    effects: list = []
    for reel in range(REELS):
        if not state["locked"][reel] and draws.weighted("reel %d" % (reel + 1), state["settings"]["reels"][reel]) == 0:
            lock(after, effects, reel)
    if 0 not in after["locked"] or not after["rounds"]:
        after, paid = pay(after)
        return after, effects + paid
    after["phase"] = "PRESS"
    return after, effects


def lock(after: dict, effects: list, reel: int) -> None:
    """(f)(2) A reel awards: it locks the multiplier in, the meter grows by it, and the counter goes back to three."""
    after["locked"][reel] = after["award"]
    after["meter"] += after["award"]
    after["rounds"] = SPINS
    effects += [("lock", reel, after["award"]), ("meter", after["meter"]), ("rounds", SPINS)]


def pay(state: dict) -> "tuple[dict, list]":
    """(g) No spins are left, or no reel: (h) the locked multipliers together, (i) or the jackpot for all nine."""
    jackpot = 0 not in state["locked"]
    total = state["jackpot"] if jackpot else sum(state["locked"])
    odds, note = capped(total)
    if jackpot and not note:
        note = "JACKPOT"
    return stakes.settle(state, SOURCE, {"jackpot": jackpot}, {0: (total, odds, note)})


def capped(total: int) -> "tuple[int, str]":
    """(j) The payout may exceed 500x, but not 5,000 to 1."""
    return stakes.within(total, 0, TOP_ODDS)
