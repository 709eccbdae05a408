"""Bellagio, bonus game D of MGM Bonus City, in the order of its regulation.

A round goes BETS -> BEGIN -> CHOICE -> SPINS... -> DONE (or VOID): players give ("choose", seat, machine) and the timer
("timeout",) in phase CHOICE, the table gives ("next",) in phase SPINS, one for each of the eight spins.
`awards` are the multipliers of the reel combinations, `meters` the cumulative results of the three machines,
`icons` the Bellagio bonus tracker, `spun` the number of spins done.
"""

from tabletop.const import const
from tabletop.rules import bonus_city, choices, stakes, weights

NAME = "bellagio"
SOURCE = "RNG"
AUTOMATIC = ("SPINS",)
SPOTS = (bonus_city.BONUS_GAMES["D"][1],)

MACHINES, REELS = 3, 3  # (e)(2)
SPINS = const(8)  # (e)(8)
ICON = "Bellagio"  # (e)(9)
ICONS = const(8)  # (e)(9)(i): so many trigger the Bellagio bonus
BONUS = const(2)  # (e)(9)(ii)
LOW, HIGH = 10, 2000  # (e)(10)(i) and (ii)
ANY = "*"
_TOP_COMBINATIONS = const(16)
_TOP_SYMBOLS = const(16)

# The symbols of each reel with their weights, the winning combinations (the first that fits counts; "*" is any
# symbol) and the weights of the multiplier assigned to each: an example, not approved mathematics.
DEFAULTS: dict = {
    "reels": [[["Seven", 2], ["Bell", 4], ["Bar", 6], ["Cherry", 8], [ICON, 2]]] * 3,
    "combinations": [
        ["Seven", "Seven", "Seven"], ["Bell", "Bell", "Bell"], ["Bar", "Bar", "Bar"], ["Cherry", "Cherry", "Cherry"],
        ["Cherry", "Cherry", ANY],
    ],
    "awards": [[[100, 3], [250, 1]], [[40, 3], [80, 1]], [[20, 3], [40, 1]], [[10, 3], [20, 1]], [[3, 3], [5, 1]]],
    "multipliers": bonus_city.MULTIPLIERS,
    "choice_ms": 15000,
}  # fmt: skip
DEFAULTS.update(stakes.LIMITS)
CHECK = 800  # odds to 1 with these when every draw gives 0: for the self-test


def layout_hash() -> bytes:
    """Names the machines. The symbols on their reels are a setting."""
    return stakes.fingerprint(NAME, MACHINES, REELS)


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: spins, bonus, minimum and maximum."""
    return stakes.fingerprint(NAME, SPINS, ICONS, BONUS, LOW, HIGH)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, LOW)
    weights.listed("reels", settings["reels"], REELS, REELS)
    for n in range(REELS):
        check_reel("reels[%d]" % n, settings["reels"][n])
    if ICON not in [pair[0] for reel in settings["reels"] for pair in reel]:
        raise ValueError("reels: the symbol %s of the tracker is on none of them" % ICON)  # (e)(9)
    combinations, awards = settings["combinations"], settings["awards"]
    weights.listed("combinations", combinations, 1, _TOP_COMBINATIONS)
    for n in range(len(combinations)):
        check_combination("combinations[%d]" % n, combinations[n], settings["reels"])
    weights.listed("awards", awards, len(combinations), len(combinations))
    for n in range(len(awards)):
        # (e)(10)(ii): an award above the maximum, shown on a machine, could not be paid as shown.
        weights.check("awards[%d] (%s)" % (n, " ".join(combinations[n])), awards[n], 1, HIGH)
    weights.whole("choice_ms", settings["choice_ms"], 1000, 600000)
    bonus_city.check(settings)


def check_reel(place: str, reel) -> None:
    """ValueError unless a reel is a list of different symbols, each with a weight."""
    weights.listed(place, reel, 1, _TOP_SYMBOLS)
    names: "list[str]" = []
    for pair in reel:
        weights.listed(place + ": a symbol with its weight", pair, 2, 2)
        symbol, weight = pair
        if type(symbol) is not str or symbol == ANY or symbol in names:
            raise ValueError("%s: symbol %s must be a text, only once on its reel, and not %s" % (place, symbol, ANY))
        names.append(symbol)
        weights.whole("%s: weight of %s" % (place, symbol), weight, 1, weights.TOP_TOTAL // _TOP_SYMBOLS - 1)


def check_combination(place: str, combination, reels) -> None:
    """ValueError unless a combination has, for each reel, one of its symbols or "*"."""
    weights.listed(place, combination, REELS, REELS)
    for n in range(REELS):
        if combination[n] != ANY and combination[n] not in [pair[0] for pair in reels[n]]:
            raise ValueError("%s: symbol %s is not on reel %d" % (place, combination[n], n + 1))


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("choose", seat, machine 1 to 3) ("timeout",) ("next",) and those of `stakes.take`
    effects: ("multiplier", n) ("awards", [multiplier of each combination...]) ("timer", ms)
             ("chosen", seat, machine, "PLAYER" or "RNG") ("reels", machine, [symbol...], award) ("meters", [total...])
             ("tracker", icons) ("bonus", 2) and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "next":
        return spin(state, draws)
    if what == "choose":
        return choices.choose(state, given[1], given[2], MACHINES, "SPINS")
    if what == "timeout":
        return choices.timeout(state, MACHINES, "SPINS", draws)
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(e)(3) Multipliers are randomly assigned to the reel combinations: draws `award 1`, `award 2` ...

    (e)(4) The multiplier of 696.3 applies to all of them. (e)(5) Then the timer for the players' selection starts.
    """
    after, effects = bonus_city.begin(state, spot, SPOTS[0], "CHOICE", draws)
    if after["phase"] == "CHOICE":
        settings = state["settings"]
        multiplier = after["multiplier"]
        tables = settings["awards"]
        after["awards"] = [
            multiplier * weights.draw(draws, "award %d" % (n + 1), tables[n]) for n in range(len(tables))
        ]
        effects.append(("awards", after["awards"]))
        after, asked = choices.ask(after, settings["choice_ms"])
        after["meters"] = [0] * MACHINES
        after["icons"] = 0
        after["spun"] = 0
        effects += asked
    return after, effects


def spin(state: dict, draws) -> "tuple[dict, list]":
    """(e)(6) The machines spin, each independent of the other two: draws `machine 1 reel 1` to `machine 3 reel 3`.

    (e)(8) There are eight spins.
    """
    stakes.expect(state, "SPINS", "a spin of the machines")
    settings = state["settings"]
    strips = settings["reels"]
    chances = [[pair[1] for pair in strip] for strip in strips]
    after = dict(state)
    after["meters"] = list(state["meters"])
    effects: list = []
    for machine in range(MACHINES):
        symbols = []
        for reel in range(REELS):
            name = "machine %d reel %d" % (machine + 1, reel + 1)
            symbols.append(strips[reel][draws.weighted(name, chances[reel])][0])
        award = award_of(symbols, settings["combinations"], state["awards"])
        after["meters"][machine] += award
        track(after, symbols)
        effects.append(("reels", machine + 1, symbols, award))
    effects += [("meters", after["meters"]), ("tracker", after["icons"])]
    after["spun"] += 1
    if after["spun"] < SPINS:
        return after, effects
    bellagio_bonus(after, effects)
    after, paid = pay(after)
    return after, effects + paid


def award_of(symbols: list, combinations: list, awards: list) -> int:
    """(e)(7) What a machine's reels add to its meter: the award of the first combination that fits, or 0."""
    for n in range(len(combinations)):
        for reel in range(REELS):
            if combinations[n][reel] != ANY and combinations[n][reel] != symbols[reel]:
                break
        else:
            return awards[n]
    return 0


def track(after: dict, symbols: list) -> None:
    """(e)(9) Every Bellagio icon that any machine reveals is added to the Bellagio bonus tracker."""
    after["icons"] += symbols.count(ICON)


def bellagio_bonus(after: dict, effects: list) -> None:
    """(e)(9)(i) and (ii) Eight icons trigger the bonus: after all eight spins a 2x multiplier applies to all meters."""
    if after["icons"] >= ICONS:
        after["meters"] = [meter * BONUS for meter in after["meters"]]
        effects += [("bonus", BONUS), ("meters", after["meters"])]


def pay(state: dict) -> "tuple[dict, list]":
    """(e)(10) Each player is paid the meter of the machine selected, (i) at least 10 and (ii) at most 2,000 to 1."""
    odds: dict = {}
    for seat in stakes.eligible(state):
        machine = state["choices"][seat]
        total = state["meters"][machine - 1]
        odds[machine] = (total,) + stakes.within(total, LOW, HIGH)
    return stakes.settle(state, SOURCE, {"bonus": state["icons"] >= ICONS}, odds, state["choices"])
