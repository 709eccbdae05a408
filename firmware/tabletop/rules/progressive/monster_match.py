"""Monster Match, the progressive wager of Player's Edge 21, 58 Pa. Code 635c.2(d)(2)(iii) and (h)."""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import bets, checks, meter, pays, system
from tabletop.rules.progressive.monster_hands import RESULTS, result_of
from tabletop.rules.progressive.players_edge_shoe import DECKS, shoe_of
from tabletop.rules.progressive.players_edge_tables import MONSTER, POOLS

NAME = "monster_match"
SOURCE = "CARDS"
SPOTS = ("Monster Match",)
# `wager_mills`: no text says how much it is. `pool` and `paytable` are selected one by one.
DEFAULTS: dict = {
    "decks": 6, "paytable": "A", "pool": "A", "wager_mills": 5000, "limit_mills": 0, "seats": 7,
    "linked": "",
}  # fmt: skip
EXAMPLES = ("wager_mills",)
CHECK = (  # what the self-test plays: inputs, and the mills that are handed out
    (("wager", 1, SPOTS[0], 5000), ("no_more_bets",), ("chips", 1, "D"), ("hand", 1, "KD KS"), ("dealt", "KD KS"),
     ("validate", 1, "F")), 1000000,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the results."""
    return stakes.fingerprint(NAME, RESULTS)


def paytable_hash() -> bytes:
    """Names all printed paytables and pools."""
    tables = [(name, MONSTER[name]) for name in sorted(MONSTER)], [(name, POOLS[name]) for name in sorted(POOLS)]
    return stakes.fingerprint(NAME, *tables)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("decks", settings["decks"], DECKS)
    checks.one_of("paytable", settings["paytable"], sorted(MONSTER))
    checks.one_of("pool", settings["pool"], sorted(POOLS))
    weights.whole("wager_mills", settings["wager_mills"], 1000, checks.TOP_MILLS)
    weights.whole("seats", settings["seats"], 1, checks.SEATS)
    checks.linked(settings["linked"])
    meter.check(parameters(settings))


def parameters(settings: dict) -> dict:
    """(d)(2)(iii)(C) The meter of the selected pool."""
    seed, reseed, increment, reserve = POOLS[settings["pool"]]
    return {
        "seed": seed * 1000, "reseed": reseed * 1000 or meter.RESERVE, "increment": increment, "reserve": reserve,
        "limit": settings["limit_mills"],
    }  # fmt: skip


def sensed(settings: dict) -> "tuple[str, int]":
    """(d)(1) What a chip on the wager sensor of a seat is: spot and mills."""
    return SPOTS[0], settings["wager_mills"]


def new(round_number: int, settings: dict, on: "dict | None" = None) -> dict:
    """A round that takes wagers, on the meter `on` or a new one. `settings` are complete and kept by reference."""
    return bets.opened(NAME, round_number, settings, parameters(settings), on)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input, as in `system.step`; cards decide, nothing is drawn."""
    return system.step(WAGER, state, given)


def pay_of(state: dict, result: str) -> tuple:
    """(h) What the paytable of the settings pays for a result."""
    return pays_of(state["settings"]["paytable"])[RESULTS.index(result)]


def pays_of(paytable: str) -> list:
    """(h) The pays of one printed paytable, in the order of RESULTS."""
    shares, odds = MONSTER[paytable]
    return [(pays.SHARE, percent) for percent in shares] + [(pays.FOR, x, 1) for x in odds]


WAGER = system.Wager(SPOTS, 2, result_of, pay_of, shoe_of)  # both of the dealer's first two cards
