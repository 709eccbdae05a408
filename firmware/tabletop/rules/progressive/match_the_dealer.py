"""Match the Dealer progressive, 58 Pa. Code 635c.1 (Spanish 21) and 685c.1 (Down Under Blackjack), in their order."""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import bets, cards, checks, meter, pays, system
from tabletop.rules.progressive.match_tables import ODDS

NAME = "match_the_dealer"
SOURCE = "CARDS"
SPOTS = ("Match the Dealer",)
# (a)(1) to (6), the highest first.
RESULTS = (
    "two suited match, aces of spades", "two suited match, all others", "one non-suited and one suited match",
    "one suited match", "two non-suited matches", "one non-suited match",
)  # fmt: skip
DECKS = (6, 8)  # (b)
WAGERS = (1000, 5000)  # (e): the amount in mills that the certificate holder offers
SHARES = (100, 10)  # (i): percent of the meter, the same in every paytable
SEED, INCREMENT, RESERVE = 1000, 1500, 600  # (j): times the wager; hundredths of a percent

# `decks_of`: cards of one deck, by chapters 635a and 685a, which are not held. `reseed`: see `parameters`.
# `stake_back`: (f) puts the wager into the inventory before the deal, and nothing gives it back: (h)(4) pays the odds.
DEFAULTS: dict = {
    "chapter": "635c.1", "decks": 6, "paytable": 1, "wager_mills": 1000, "reseed": meter.RESERVE, "limit_mills": 0,
    "seats": 7, "linked": "", "stake_back": False, "decks_of": {"635c.1": cards.SPANISH, "685c.1": cards.FULL},
}  # fmt: skip
EXAMPLES = ("reseed", "stake_back", "decks_of")  # what the text leaves open
# What the self-test plays: inputs, and the mills that are handed out.
CHECK = (
    (("wager", 1, SPOTS[0], 1000), ("no_more_bets",), ("chips", 1, "D"), ("hand", 1, "KD KS"), ("dealt", "KD"),
     ("validate", 1, "F")), 8000,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the results."""
    return stakes.fingerprint(NAME, RESULTS)


def paytable_hash() -> bytes:
    """Names all printed paytables, the shares and the parameters of the meter."""
    tables = [(chapter, decks, ODDS[chapter][decks]) for chapter in sorted(ODDS) for decks in DECKS]
    return stakes.fingerprint(NAME, SHARES, tables, SEED, INCREMENT, RESERVE)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("chapter", settings["chapter"], sorted(ODDS))
    checks.one_of("decks", settings["decks"], DECKS)
    weights.whole("paytable", settings["paytable"], 1, len(ODDS[settings["chapter"]][settings["decks"]][0]))
    checks.one_of("wager_mills", settings["wager_mills"], WAGERS)
    checks.one_of("reseed", settings["reseed"], (meter.RESERVE, "SEED"))
    checks.one_of("stake_back", settings["stake_back"], (True, False))
    weights.whole("seats", settings["seats"], 1, checks.SEATS)
    checks.linked(settings["linked"])
    if not isinstance(settings["decks_of"], dict) or sorted(settings["decks_of"]) != sorted(ODDS):
        raise ValueError("decks_of must hold the cards of a deck for %s" % " and ".join(sorted(ODDS)))
    for chapter in sorted(ODDS):
        checks.one_of("decks_of " + chapter, settings["decks_of"][chapter], (cards.SPANISH, cards.FULL))
    meter.check(parameters(settings))


def parameters(settings: dict) -> dict:
    """(j) The meter: initial seed of 1,000 times the wager, primary rate 15 %, secondary rate 6 %.

    The secondary rate is read as that of the reserve. After a hit the meter starts from it: with all that it holds
    (`reseed` RESERVE), or with the initial seed, which the reserve pays as far as it goes (SEED).
    """
    seed = SEED * settings["wager_mills"]
    reseed = seed if settings["reseed"] == "SEED" else meter.RESERVE
    return {
        "seed": seed, "reseed": reseed, "increment": INCREMENT, "reserve": RESERVE, "limit": settings["limit_mills"],
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


def result_of(hand: list, upcard: list) -> "str | None":
    """(a) The winning combination of a player's two cards with the dealer's upcard; (g)(1) None without a match."""
    up = upcard[0]
    suited = len([card for card in hand if card == up])
    matches = len([card for card in hand if cards.rank(card) == cards.rank(up)])
    if not matches:
        return None
    if suited == 2:
        return RESULTS[0] if up == "AS" else RESULTS[1]  # (1), (2)
    if suited:
        return RESULTS[2] if matches == 2 else RESULTS[3]  # (3), (4)
    return RESULTS[4] if matches == 2 else RESULTS[5]  # (5), (6)


def pay_of(state: dict, result: str) -> tuple:
    """(i) What the paytable of the settings pays for a result."""
    settings = state["settings"]
    return pays_of(settings["chapter"], settings["decks"], settings["paytable"])[RESULTS.index(result)]


def pays_of(chapter: str, decks: int, paytable: int) -> list:
    """(i) The pays of one printed paytable, in the order of RESULTS."""
    rows = ODDS[chapter][decks]
    return [(pays.SHARE, percent) for percent in SHARES] + [(pays.TO, row[paytable - 1], 1) for row in rows]


def shoe_of(settings: dict) -> "tuple[int, int]":
    """(b) The number of decks, and of the cards of each."""
    return settings["decks"], settings["decks_of"][settings["chapter"]]


WAGER = system.Wager(SPOTS, 1, result_of, pay_of, shoe_of)  # (g): the upcard decides
