"""Monster Match, the progressive wager of Player's Edge 21, 58 Pa. Code 635c.2(d)(2)(iii) and (h)."""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import cards, meter, pays, system
from tabletop.rules.progressive.match_up_down import DECKS, shoe_of
from tabletop.rules.progressive.players_edge_tables import MONSTER, POOLS

NAME = "monster_match"
SPOTS = ("Monster Match",)
# (d)(2)(iii)(B)(VI) to (I): the highest first.
RESULTS = (
    "four-of-a-kind (suited)", "four-of-a-kind (same color)", "four-of-a-kind", "three-of-a-kind (same color)",
    "three-of-a-kind", "suited pair",
)  # fmt: skip

# `wager_mills`: no text says how much it is. `pool` and `paytable` are selected one by one.
DEFAULTS: dict = {"decks": 6, "paytable": "A", "pool": "A", "wager_mills": 5000, "limit_mills": 0, "seats": 7}
EXAMPLES = ("wager_mills",)


def layout_hash() -> bytes:
    """Names the results."""
    return stakes.fingerprint(NAME, RESULTS)


def paytable_hash() -> bytes:
    """Names all printed paytables and pools."""
    tables = [(name, MONSTER[name]) for name in sorted(MONSTER)], [(name, POOLS[name]) for name in sorted(POOLS)]
    return stakes.fingerprint(NAME, *tables)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    system.check_keys(settings, DEFAULTS)
    system.one_of("decks", settings["decks"], DECKS)
    system.one_of("paytable", settings["paytable"], sorted(MONSTER))
    system.one_of("pool", settings["pool"], sorted(POOLS))
    weights.whole("wager_mills", settings["wager_mills"], 1000, system.TOP_MILLS)
    weights.whole("seats", settings["seats"], 1, system.SEATS)
    meter.check(parameters(settings))


def parameters(settings: dict) -> dict:
    """(d)(2)(iii)(C) The meter of the selected pool."""
    seed, reseed, increment, reserve = POOLS[settings["pool"]]
    return {
        "seed": seed * 1000, "reseed": reseed * 1000 or meter.RESERVE, "increment": increment, "reserve": reserve,
        "limit": settings["limit_mills"],
    }  # fmt: skip


def new(round_number: int, settings: dict, on: "dict | None" = None) -> dict:
    """A round that takes wagers, on the meter `on` or a new one. `settings` are complete and kept by reference."""
    return system.opened(NAME, round_number, settings, parameters(settings), on)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input, as in `system.step`; cards decide, nothing is drawn."""
    return system.step(WAGER, state, given)


def result_of(hand: list, dealt: list) -> "str | None":
    """(d)(2)(iii)(B) What the player's first two cards make with the dealer's first two: the highest of it."""
    four = hand + dealt
    for card in four:
        alike = [other for other in four if cards.rank(other) == cards.rank(card)]
        if len(alike) == 4:
            if len([other for other in four if other == card]) == 4:
                return RESULTS[0]  # (VI)
            return RESULTS[1] if same_color(alike) else RESULTS[2]  # (V), (IV)
        if len(alike) == 3:
            return RESULTS[3] if same_color(alike) else RESULTS[4]  # (III), (II)
    if [card for card in four if len([other for other in four if other == card]) == 2]:
        return RESULTS[5]  # (I)
    return None


def same_color(some: list) -> bool:
    """Whether all these cards are red, or all black."""
    return len([card for card in some if cards.black(card)]) in (0, len(some))


def pay_of(state: dict, result: str) -> tuple:
    """(h) What the paytable of the settings pays for a result."""
    return pays_of(state["settings"]["paytable"])[RESULTS.index(result)]


def pays_of(paytable: str) -> list:
    """(h) The pays of one printed paytable, in the order of RESULTS."""
    shares, odds = MONSTER[paytable]
    return [(pays.SHARE, percent) for percent in shares] + [(pays.FOR, x, 1) for x in odds]


WAGER = system.Wager(SPOTS, 2, result_of, pay_of, shoe_of)  # both of the dealer's first two cards
