"""Luxor, bonus game B of MGM Bonus City, in the order of its regulation.

A round goes BETS -> BEGIN -> STRIKES -> STRIKE... -> SHUFFLE -> CHOICE -> REVEAL -> DONE (or VOID): the table gives
("next",) in every phase but CHOICE, where players give ("choose", seat, symbol) and the timer ("timeout",).
`grid` are the 21 awards as they are now; after the shuffle they are hidden behind the symbols 1 to 21.
"""

from tabletop.const import const
from tabletop.rules import bonus_city, choices, stakes, weights

NAME = "luxor"
SOURCE = "RNG"  # (c)(7): and a blind selection
AUTOMATIC = ("STRIKES", "STRIKE", "SHUFFLE", "REVEAL")
SPOTS = (bonus_city.BONUS_GAMES["B"][1],)

_AWARDS = const(21)  # (c)(1)
_TOP_STRIKES = const(3)  # (c)(3)(i)
LOW, HIGH = 5, 1000  # (c)(7)(i) and (ii)
_TOP_FACTOR = const(100)

# The weights of an award, of no, one, two or three strikes, and of the factor by which a strike increases all
# awards: an example, not approved mathematics.
DEFAULTS: dict = {
    "awards": [[5, 40], [6, 20], [8, 15], [10, 12], [15, 6], [20, 4], [50, 2], [100, 1]],
    "strikes": [60, 25, 10, 5],
    "factors": [[2, 80], [3, 15], [5, 5]],
    "multipliers": bonus_city.MULTIPLIERS,
    "choice_ms": 15000,
}
DEFAULTS.update(stakes.LIMITS)
CHECK = 5  # odds to 1 with these when every draw gives 0: for the self-test


def layout_hash() -> bytes:
    """Names the grid."""
    return stakes.fingerprint(NAME, _AWARDS)


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: minimum and maximum."""
    return stakes.fingerprint(NAME, LOW, HIGH, _TOP_STRIKES)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, LOW)
    # (c)(7): an award outside the odds, shown in the grid, could not be paid as shown.
    weights.check("awards", settings["awards"], LOW, HIGH)
    weights.check_list("strikes", settings["strikes"], ("0 strikes", "1 strike", "2 strikes", "3 strikes"))
    weights.check("factors", settings["factors"], 2, _TOP_FACTOR)
    weights.whole("choice_ms", settings["choice_ms"], 1000, 600000)
    bonus_city.check(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("next",) ("choose", seat, symbol) ("timeout",) and those of `stakes.take`
    effects: ("multiplier", n) ("grid", [award...]) ("strikes", n) ("strike", number, factor, [award...]) ("hidden",)
             ("timer", ms) ("chosen", seat, symbol, "PLAYER" or "RNG") ("revealed", [award...]) and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "next":
        return _NEXT.get(state["phase"], reveal)(state, draws)
    if what == "choose":
        return choices.choose(state, given[1], given[2], _AWARDS, "REVEAL")
    if what == "timeout":
        return choices.timeout(state, _AWARDS, "REVEAL", draws)
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(c)(2) 21 multipliers are randomly selected and displayed in the grid: draws `award 1` to `award 21`."""
    after, effects = bonus_city.begin(state, spot, SPOTS[0], "STRIKES", draws)
    if after["phase"] == "STRIKES":
        table = state["settings"]["awards"]
        after["grid"] = [weights.draw(draws, "award %d" % (n + 1), table) for n in range(_AWARDS)]
        effects.append(("grid", after["grid"]))
    return after, effects


def strikes(state: dict, draws) -> "tuple[dict, list]":
    """(c)(3)(i) Zero, one, two or three lightning strikes: draw `strikes`."""
    count = draws.weighted("strikes", state["settings"]["strikes"])
    after = dict(state)
    after["strikes"] = count
    after["struck"] = 0
    effects = [("strikes", count)]
    if count == 0:
        return multiplied(after, effects)
    after["phase"] = "STRIKE"
    return after, effects


def strike(state: dict, draws) -> "tuple[dict, list]":
    """(c)(3)(ii) One strike increases the 21 multipliers on the screen before the next is applied.

    Draws `factor of strike 1` to `factor of strike 3`.
    """
    after = dict(state)
    after["struck"] += 1
    factor = weights.draw(draws, "factor of strike %d" % after["struck"], state["settings"]["factors"])
    after["grid"] = [award * factor for award in state["grid"]]
    effects = [("strike", after["struck"], factor, after["grid"])]
    if after["struck"] < after["strikes"]:
        return after, effects
    return multiplied(after, effects)


def multiplied(after: dict, effects: list) -> "tuple[dict, list]":
    """(c)(4) The multiplier of 696.3 increases the multipliers after the lightning strikes."""
    after["phase"] = "SHUFFLE"
    if after["multiplier"] > 1:
        after["grid"] = [award * after["multiplier"] for award in after["grid"]]
        effects.append(("grid", after["grid"]))
    return after, effects


def shuffle(state: dict, draws) -> "tuple[dict, list]":
    """(c)(5) The multipliers are shuffled and hidden behind 21 identical symbols: draw `shuffle`.

    (c)(6)(i) A timer then indicates how long a player has to select.
    """
    order = draws.shuffle("shuffle", _AWARDS)
    after, effects = choices.ask(state, state["settings"]["choice_ms"])
    after["grid"] = [state["grid"][n] for n in order]
    return after, [("hidden",)] + effects


def reveal(state: dict, _draws) -> "tuple[dict, list]":
    """(c)(6) and (7) Each player's symbol reveals the payout odds, (i) at least 5 and (ii) at most 1,000 to 1."""
    stakes.expect(state, "REVEAL", "the next step")
    odds: dict = {}
    for seat in stakes.eligible(state):
        symbol = state["choices"][seat]
        award = state["grid"][symbol - 1]
        odds[symbol] = (award,) + stakes.within(award, LOW, HIGH)
    after, paid = stakes.settle(state, SOURCE, {}, odds, state["choices"])
    return after, [("revealed", state["grid"])] + paid


_NEXT = {"STRIKES": strikes, "STRIKE": strike, "SHUFFLE": shuffle}
