"""Must-Hit-By Mystery bonus, 58 Pa. Code 639c.1 and twelve sections alike, in their order.

HIDE -> BETS -> COUNT -> VALIDATE -> DONE, or VOID. The hidden value is never in a state. Who keeps it gives as `draws`

    commit(name, n)   chooses it from 0 .. n-1 and publishes its hash
    look(name)        its value, for this module only
    disclose(name)    its value, opened for everybody against the hash

and it lives with the meter, in which `hidden` is its name. `wins` are [[seat, mills, done]], as in `system`.
"""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import bets, checks, meter, pays, wins
from tabletop.rules.progressive.must_hit_tables import CHAPTERS, CONFIGURATIONS

NAME = "must_hit_by"
SOURCE = "METER+RNG"  # the contribution that takes the meter above the hidden value decides
BONUS = "Must-Hit-By Mystery bonus"
AUTOMATIC = ("HIDE",)
SPOTS = ("progressive payout", "Three-Card progressive payout", "Four-Card progressive payout",
         "Five-Card progressive payout", "progressive bonus")  # fmt: skip
_DOLLAR = 1000  # mills
_TOP_MILLS = 1000000

# `qualifying`: which wagers of the chapter do, "as indicated by the certificate holder"; [] is all that it names.
# `max_mills`: the largest of them, which chapters not held decide.
DEFAULTS: dict = {
    "chapter": "639c.1", "paytable": "A", "minimum_wager": 1, "qualifying": [], "max_mills": 5000,
    "paid_by": pays.SLIP, "seats": 7,
}  # fmt: skip
EXAMPLES = ("max_mills",)
CHECK = (  # what the self-test plays, with a hidden value of 0: inputs, and the mills that are handed out
    (("wager", 1, SPOTS[0], 1000), ("no_more_bets",), ("chips", 1, "D"), ("validate", 1, "F"), ("documented", 1)),
    100020,
)  # fmt: skip


def layout_hash() -> bytes:
    """Names the sections with their games and wagers."""
    return stakes.fingerprint(NAME, *[(chapter, CHAPTERS[chapter]) for chapter in sorted(CHAPTERS)])


def paytable_hash() -> bytes:
    """Names the twelve configurations."""
    return stakes.fingerprint(NAME, *[(key, CONFIGURATIONS[key]) for key in sorted(CONFIGURATIONS)])


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    checks.check_keys(settings, DEFAULTS)
    checks.one_of("chapter", settings["chapter"], sorted(CHAPTERS))
    checks.one_of("paytable", settings["paytable"], ("A", "B", "C", "D"))
    checks.one_of("minimum_wager", settings["minimum_wager"], (1, 2, 5))
    weights.listed("qualifying", settings["qualifying"], 0, 2)
    for spot in settings["qualifying"]:
        checks.one_of("qualifying", spot, CHAPTERS[settings["chapter"]][1])
    weights.whole("max_mills", settings["max_mills"], settings["minimum_wager"] * _DOLLAR, _TOP_MILLS)
    checks.one_of("paid_by", settings["paid_by"], (pays.INVENTORY, pays.SLIP))
    weights.whole("seats", settings["seats"], 1, checks.SEATS)


def configuration(settings: dict) -> "tuple[int, int, int]":
    """(c)(4) Minimum and maximum in mills, and the contribution rate in hundredths of a percent."""
    low, high, rate = CONFIGURATIONS[settings["paytable"], settings["minimum_wager"]]
    return low * _DOLLAR, high * _DOLLAR, rate


def parameters(settings: dict) -> dict:
    """(c)(2) and (5)(iv) The meter: it starts at the minimum, always, and takes the contributions alone."""
    low, _high, rate = configuration(settings)
    return {"seed": low, "reseed": low, "increment": rate, "reserve": 0, "limit": 0}


def span(settings: dict) -> "tuple[int, int]":
    """(c)(4) What the meter may be corrected to, in mills: from the minimum to the maximum of its configuration."""
    return configuration(settings)[:2]


def sensed(settings: dict) -> "tuple[str, int]":
    """What a chip on the wager sensor of a seat is: spot and mills, the least that qualifies."""
    return qualifying(settings)[0], settings["minimum_wager"] * _DOLLAR


def new(round_number: int, settings: dict, on: "dict | None" = None) -> dict:
    """A round on the meter `on`, or on a new one. `settings` are complete and kept by reference.

    A meter without a hidden value has one chosen first.
    """
    state = bets.opened(NAME, round_number, settings, parameters(settings), on)
    if "hidden" not in state["meter"]:
        state["phase"] = "HIDE"
        state["meter"] = meter.begun(state["meter"], *span(settings))
    return state


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("next",), those of `bets.step`, ("chips", count, operator) ("validate", seat, operator)
             ("documented", seat)
    effects: ("hidden", name, n) ("opened", name, mills) and those of `system.step`
    """
    what = given[0]
    if what == "next":
        return hide(state, draws)
    if what == "chips":
        return contribute(state, given[1], given[2], draws)
    if what == "validate":
        return pay(state, given[1], given[2])
    if what == "documented":
        return wins.documented(state, given[1])
    settings = state["settings"]
    taken = bets.step(state, given, qualifying(settings), settings["minimum_wager"] * _DOLLAR, settings["max_mills"])
    if taken is None:
        raise ValueError("%s is no input of %s" % (what, NAME))
    return taken


def hide(state: dict, draws) -> "tuple[dict, list]":
    """(c)(3) A value between minimum and maximum is preselected by the generator, before any contribution to its meter.

    From the minimum up to, and below, the maximum, in mills: so it is hit at the latest by the contribution that takes
    the meter to its maximum or beyond.
    """
    stakes.expect(state, "HIDE", "a hidden value")
    after = dict(state)
    after["meter"], effects = _hidden(state["meter"], state["settings"], draws)
    after["phase"] = "BETS"
    return after, effects


def qualifying(settings: dict) -> tuple:
    """(c)(1) A progressive wager of the chapter qualifies, of the configuration's minimum or more."""
    return settings["qualifying"] or CHAPTERS[settings["chapter"]][1]


def contribute(state: dict, chips: int, operator: str, draws) -> "tuple[dict, list]":
    """(c)(2) and (3) The contributions of the wagers accepted, seat by seat.

    The seat whose contribution takes the meter above the hidden value wins all of it, (7); the next seat contributes to
    the meter that has started anew, with a value of its own.
    """
    refused = bets.miscount(state, chips, operator)
    if refused:
        return state, [refused]
    after = dict(state)
    after["dealer"] = operator
    effects: list = []
    won_by = []
    for seat, _spot, mills in state["bets"]:
        on = meter.contribute(after["meter"], mills)
        low = on["parameters"]["reseed"]  # the minimum under which this value was chosen
        if exceeds(on, low + draws.look(on["hidden"])):
            on, won = meter.win(on, 100, [state["round"], seat])
            won_by.append([seat, won, 0])
            value = low + draws.disclose(on["hidden"])
            effects += [("opened", on["hidden"], value), ("hit", seat, won), ("lamp", seat, BONUS)]  # (5)(i)
            on, more = _hidden(on, state["settings"], draws)
            effects += more
        after["meter"] = on
    after["wins"] = won_by
    after["phase"] = "VALIDATE" if won_by else "DONE"
    effects.append(("meter", after["meter"]["current"]))
    return after, effects if won_by else effects + [("done",)]


def exceeds(on: dict, value: int) -> bool:
    """(c)(3) "in excess of": strictly above, and what is below a mill counts."""
    return on["current"] > value or (on["current"] == value and on["rest"] > 0)


def pay(state: dict, seat: int, operator: str) -> "tuple[dict, list]":
    """(c)(5)(ii) and (iii), (6) and (7) Validated by a floorperson, 100 % of the meter is paid, as the house submitted.

    (5)(iv) The meter is at its minimum since the hit. A jackpot slip is documented before the round ends.
    """
    at, refused = wins.waiting(state, seat, operator)
    if refused:
        return state, [refused]
    by = state["settings"]["paid_by"]
    after = dict(state)
    won = state["wins"][at][1]
    stake = sum([bet[2] for bet in state["bets"] if bet[0] == seat])
    after["wins"] = list(state["wins"])
    after["wins"][at] = [seat, won, 1 if by == pays.SLIP else 2]
    return wins.finished(after, [("paid", seat, BONUS, stake, won, by)])


def _hidden(on: dict, settings: dict, draws) -> "tuple[dict, list]":
    """The meter with the name of its next hidden value, which is chosen."""
    low, high, _rate = configuration(settings)
    after = dict(on)
    after["hidden"] = "must-hit-by %d" % (on["hits"] + 1)
    draws.commit(after["hidden"], high - low)
    return after, [("hidden", after["hidden"], high - low)]
