"""Monster Match Dynamic, 58 Pa. Code 635b.3: Monster Match with pays that a generator raises before the deal.

BETS -> COUNT -> DRAW -> CARDS -> VALIDATE -> DONE, or VOID. `dynamic` is [[result, x for 1], ...].
"""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import bets, checks, meter, monster_hands, pays, system
from tabletop.rules.progressive.dynamic_tables import DYNAMIC, DYNAMIC_METER
from tabletop.rules.progressive.players_edge_shoe import DECKS, shoe_of

NAME = "monster_dynamic"
SOURCE = "CARDS+RNG"
SPOTS = ("Monster Match Dynamic",)
AUTOMATIC = ("DRAW",)
RESULTS = monster_hands.RESULTS[:5]  # (h): a suited pair wins nothing in Paytable Dynamic 1
RAISED = RESULTS[1:]  # four-of-a-kind (suited) has no Dynamic Pays

# `counts`: weights of one, two and three Dynamic Pays. `combinations`: how likely each of RAISED is taken, of those
# that are left. `raises`: for each of RAISED the weights of its ten pays. An example, not approved mathematics.
DEFAULTS: dict = {
    "decks": 6, "wager_mills": 1000, "reseed": meter.RESERVE, "limit_mills": 0, "seats": 7,
    "linked": "",
    "counts": [1, 1, 1], "combinations": [1, 1, 1, 1], "raises": [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]] * 4,
}  # fmt: skip
EXAMPLES = ("wager_mills", "reseed", "counts", "combinations", "raises")
CHECK = (  # what the self-test plays, with draws of 0: inputs, and the mills that are handed out
    (("wager", 1, SPOTS[0], 1000), ("no_more_bets",), ("chips", 1, "D"), ("hand", 1, "KD KH"), ("dealt", "KD KH"),
     ("validate", 1, "F")), 750000,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the results."""
    return stakes.fingerprint(NAME, RESULTS)


def paytable_hash() -> bytes:
    """Names Paytable Dynamic 1 and its meter."""
    return stakes.fingerprint(NAME, DYNAMIC, DYNAMIC_METER)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("decks", settings["decks"], DECKS)
    checks.one_of("reseed", settings["reseed"], (meter.RESERVE, "SEED"))
    weights.whole("wager_mills", settings["wager_mills"], 1000, checks.TOP_MILLS // 10)
    weights.whole("seats", settings["seats"], 1, checks.SEATS)
    checks.linked(settings["linked"])
    weights.check_list("counts", settings["counts"], ("one Dynamic Pay", "two", "three"))
    weights.listed("combinations", settings["combinations"], len(RAISED), len(RAISED))
    for n in range(len(RAISED)):  # three of the four must always be there to be taken
        weights.whole("combinations: weight of " + RAISED[n], settings["combinations"][n], 1, weights.TOP_TOTAL // 8)
    weights.listed("raises", settings["raises"], len(RAISED), len(RAISED))
    for n in range(len(RAISED)):
        names = ["%d for 1" % x for x in DYNAMIC[n][1]]
        weights.check_list("raises[%d] (%s)" % (n, RAISED[n]), settings["raises"][n], names)
    meter.check(parameters(settings))


def parameters(settings: dict) -> dict:
    """(i) The meter: initial seed of 10,000 times the wager, increment 14 %, reserve 4 %, from which it starts anew."""
    times, increment, reserve = DYNAMIC_METER
    seed = times * settings["wager_mills"]
    reseed = seed if settings["reseed"] == "SEED" else meter.RESERVE
    return {
        "seed": seed, "reseed": reseed, "increment": increment, "reserve": reserve, "limit": settings["limit_mills"],
    }  # fmt: skip


def sensed(settings: dict) -> "tuple[str, int]":
    """(d)(1) What a chip on the wager sensor of a seat is: spot and mills."""
    return SPOTS[0], settings["wager_mills"]


def new(round_number: int, settings: dict, on: "dict | None" = None) -> dict:
    """A round that takes wagers, on the meter `on` or a new one. `settings` are complete and kept by reference."""
    state = bets.opened(NAME, round_number, settings, parameters(settings), on)
    state["dynamic"] = []
    return state


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input: ("next",) and those of `system.step`.

    effects: ("dynamic", [[result, x for 1], ...]) and those of `system.step`
    """
    if given[0] == "next":
        return raise_pays(state, draws)
    return system.step(WAGER, state, given)


def raise_pays(state: dict, draws) -> "tuple[dict, list]":
    """(f) After the wagers are verified: one to three winning combinations get a Dynamic Pay, and all of it is shown.

    Draws `dynamic pays` (0 to 2 for one to three), then for each `combination N` and `pay of combination N`.
    """
    stakes.expect(state, "DRAW", "Dynamic Pays")
    settings = state["settings"]
    left = list(range(len(RAISED)))
    raised = []
    for n in range(draws.weighted("dynamic pays", settings["counts"]) + 1):
        name = "combination %d" % (n + 1)
        taken = left.pop(draws.weighted(name, [settings["combinations"][one] for one in left]))
        pay = draws.weighted("pay of " + name, settings["raises"][taken])
        raised.append([RAISED[taken], DYNAMIC[taken][1][pay]])
    after = dict(state)
    after["dynamic"] = raised
    after["phase"] = "CARDS"
    return after, [("dynamic", raised)]


def result_of(hand: list, dealt: list) -> "str | None":
    """(h) The highest ranking hand of the four cards; of those of Monster Match all but the suited pair."""
    result = monster_hands.result_of(hand, dealt)
    return result if result in RESULTS else None


def pay_of(state: dict, result: str) -> tuple:
    """(h) and (g)(4)(ii) The increased payout shown for a combination, or its base pay."""
    for raised, x in state["dynamic"]:
        if raised == result:
            return (pays.FOR, x, 1)
    return BASE[RESULTS.index(result)]


BASE = [(pays.SHARE, 100)] + [(pays.FOR, row[0], 1) for row in DYNAMIC]
WAGER = system.Wager(SPOTS, 2, result_of, pay_of, shoe_of, "DRAW")
