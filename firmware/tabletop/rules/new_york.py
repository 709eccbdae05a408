"""New York, New York, bonus game A of MGM Bonus City, in the order of its regulation.

A round goes BETS -> BEGIN -> LIGHT -> TORCH -> DONE (or VOID): the table gives ("next",) in the phases LIGHT and TORCH.
`buildings` are the multipliers of the skyline, `building` the place (from 0) where the light stopped.
"""

from tabletop.const import const
from tabletop.rules import bonus_city, stakes, weights

NAME = "new_york"
SOURCE = "RNG"
AUTOMATIC = ("LIGHT", "TORCH")
SPOTS = (bonus_city.BONUS_GAMES["A"][1],)

LOW, HIGH = 2, 500  # (b)(6)(i) and (ii)
TORCH = const(2)  # (b)(5): the torch's multiplier
_TOP_BUILDINGS = const(28)

# The weights of a building's multiplier, the weight of the light at each building, and of the torch ([dark,
# lit]): an example, not approved mathematics.
DEFAULTS: dict = {
    "awards": [[2, 10], [3, 20], [5, 26], [8, 20], [10, 12], [15, 6], [25, 4], [50, 1], [100, 1]],
    "light": [1] * 12,
    "torch": [3, 1],
    "multipliers": bonus_city.MULTIPLIERS,
}
DEFAULTS.update(stakes.LIMITS)
CHECK = 2  # odds to 1 with these when every draw gives 0: for the self-test


def layout_hash() -> bytes:
    """Names the skyline. The number of its buildings is a setting."""
    return stakes.fingerprint(NAME, "skyline")


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: minimum, maximum and torch."""
    return stakes.fingerprint(NAME, LOW, HIGH, TORCH)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, LOW)
    # (b)(6): a multiplier outside the odds, shown above a building, could not be paid as shown.
    weights.check("awards", settings["awards"], LOW, HIGH)
    light = settings["light"]
    count = weights.listed("light", light, 1, _TOP_BUILDINGS)
    weights.check_list("light", light, ["building %d" % (n + 1) for n in range(count)])
    weights.check_list("torch", settings["torch"], ("dark", "lit"))
    bonus_city.check(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("next",) and those of `stakes.take`
    effects: ("multiplier", n) ("buildings", [multiplier...]) ("light", building, multiplier) ("torch", lit)
             and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "next":
        return light(state, draws) if state["phase"] == "LIGHT" else torch(state, draws)
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(b)(2) Random multipliers are assigned to the buildings and shown: draws `building 1`, `building 2` ..."""
    after, effects = bonus_city.begin(state, spot, SPOTS[0], "LIGHT", draws)
    if after["phase"] == "LIGHT":
        settings = state["settings"]
        assigned = [
            weights.draw(draws, "building %d" % (n + 1), settings["awards"]) for n in range(len(settings["light"]))
        ]
        after["buildings"] = multiplied(assigned, after["multiplier"])
        effects.append(("buildings", after["buildings"]))
    return after, effects


def multiplied(assigned: list, multiplier: int) -> list:
    """(b)(3) The multiplier of 696.3 applies to all multiplier awards."""
    return [award * multiplier for award in assigned]


def light(state: dict, draws) -> "tuple[dict, list]":
    """(b)(4) The light sweeps the buildings and stops on one, the winning outcome: draw `light`."""
    stakes.expect(state, "LIGHT", "the light")
    after = dict(state)
    after["building"] = draws.weighted("light", state["settings"]["light"])
    after["phase"] = "TORCH"
    return after, [("light", after["building"], state["buildings"][after["building"]])]


def torch(state: dict, draws) -> "tuple[dict, list]":
    """(b)(5) The Statue of Liberty: draw `torch`; when it illuminates, a 2x multiplier applies to the outcome."""
    stakes.expect(state, "TORCH", "the torch")
    lit = draws.weighted("torch", state["settings"]["torch"]) == 1
    total = state["buildings"][state["building"]] * (TORCH if lit else 1)
    after, paid = pay(state, total)
    return after, [("torch", lit)] + paid


def pay(state: dict, total: int) -> "tuple[dict, list]":
    """(b)(6) The payout odds are the random number generator's outcome, (i) at least 2 and (ii) at most 500 to 1."""
    odds, note = stakes.within(total, LOW, HIGH)
    return stakes.settle(state, SOURCE, {}, {0: (total, odds, note)})
