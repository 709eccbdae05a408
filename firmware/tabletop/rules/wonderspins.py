"""Wonderspins, the bonus game of Adventures Beyond Wonderland, in the order of its regulation.

A round goes BETS -> BEGIN -> (INNER -> SPIN)... -> DONE (or VOID): the table gives ("next",) in phase INNER, the
physical outer wheel gives ("spin", outcome, section) in phase SPIN. `rounds` is the counter of spins remaining,
`meter` the overall outcome multiplier, `multipliers` those of CHARACTERS in their order.
"""

from tabletop.const import const
from tabletop.rules import stakes, weights

NAME = "wonderspins"
SOURCE = "PHYSICAL+RNG"  # (a): a physical outer wheel and an RNG inner wheel
AUTOMATIC = ("INNER",)

# (b)(3): the inner wheel, clockwise. "+" is an additional spin.
INNER = ("10", "8", "2", "+", "2", "5", "2", "8", "5", "+", "2", "5")
# (c)(1): the six characters.
CHARACTERS = ("Rabbit", "Cat", "Crown", "Bird", "Mouse", "Hat")
# (c)(5): the outer wheel, clockwise. Section k of the wheel is LAYOUT[k].
# Literals, not a text to split: equal literals share their memory on the VM.
LAYOUT = (
    "No Win", "Crown", "Crown", "Crown", "Hat", "Hat", "Drink Me", "Cat", "Cat", "Mouse", "Mouse", "Mouse",
    "No Win", "Hat", "Hat", "Bird", "Bird", "Bird", "Eat Me", "Hat", "Hat", "Hat", "Crown", "Crown", "Drink Me",
    "Hat", "Hat", "Mouse", "Mouse", "Mouse", "Rabbit", "Bird", "Bird", "Bird", "Cat", "Cat", "No Win", "Mouse",
    "Mouse", "Hat", "Hat", "Hat", "Eat Me", "Mouse", "Mouse", "Mouse", "Hat", "Hat", "Drink Me", "Hat", "Hat",
    "Bird", "Bird", "Bird",
)  # fmt: skip
# (d): the main wheel's outcomes that begin the game, with the rounds of spins each starts with.
SPOTS = {"2 Wonderspins": 2, "5 Wonderspins": 5}

# Weights of the starting multipliers and of the inner wheel's character: an example, not approved mathematics.
DEFAULTS: dict = {
    "starts": [[[2, 30], [3, 30], [5, 25], [10, 15]]] * 6,
    "inner_characters": [1, 1, 1, 1, 1, 1],
    "extra_spin_deducts": False,
}
DEFAULTS.update(stakes.LIMITS)
CHECK = 34  # odds to 1 with these when every draw gives 0: for the self-test
_TOP_START = const(1000)


def layout_hash() -> bytes:
    """Names both wheels."""
    return stakes.fingerprint(NAME, ",".join(INNER), ",".join(LAYOUT))


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: the rounds of spins of each start."""
    return stakes.fingerprint(NAME, *["%s=%d" % (spot, SPOTS[spot]) for spot in sorted(SPOTS)])


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, 1)
    starts = settings["starts"]
    count = weights.listed("starts", starts, 0, 6)
    if count < 6:
        raise ValueError("starts: the table of %s is missing" % CHARACTERS[count])
    for n in range(6):
        # (f)(4)(iv): no multiplier of a character is less than one, the first one included.
        weights.check("starts[%d] (%s)" % (n, CHARACTERS[n]), starts[n], 1, _TOP_START)
    weights.check_list("inner_characters", settings["inner_characters"], CHARACTERS)
    if type(settings["extra_spin_deducts"]) is not bool:
        raise ValueError("extra_spin_deducts is %s, but must be true or false" % settings["extra_spin_deducts"])


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("next",) ("spin", outcome, section) and those of `stakes.take`
    effects: ("characters", [multiplier...]) ("rounds", n) ("inner", section, symbol)
             ("add", character, amount, multiplier) ("respin", outcome) ("outer", section, symbol) ("meter", n)
             and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "next":
        return inner(state, draws)
    if what == "spin":
        return rest(state, given[1], given[2])
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(d) The main wheel's outcome is 2 or 5 Wonderspins: so many rounds of spins, for who wagered on it."""
    after, effects = stakes.begin(state, spot, SPOTS, "INNER")
    if after["phase"] == "INNER":
        after["rounds"] = SPOTS[spot]
        after["meter"] = 0
        after["multipliers"] = starting_multipliers(state["settings"], draws)
        effects += [("characters", after["multipliers"]), ("rounds", after["rounds"])]
    return after, effects


def starting_multipliers(settings: dict, draws) -> list:
    """(e) Starting multipliers are randomly assigned to the characters: draws `start Rabbit`, `start Cat` ..."""
    return [weights.draw(draws, "start " + CHARACTERS[n], settings["starts"][n]) for n in range(6)]


def inner(state: dict, draws) -> "tuple[dict, list]":
    """(f)(2) The inner wheel: draw `inner wheel` of its 12 equal sections."""
    stakes.expect(state, "INNER", "the inner wheel")
    section = draws.uniform("inner wheel", 12)
    symbol = INNER[section]
    after = dict(state)
    after["phase"] = "SPIN"
    effects = [("inner", section, symbol)]
    if symbol == "+":
        return additional_spin(after, effects)
    return add_to_character(after, effects, int(symbol), draws)


def add_to_character(after: dict, effects: list, amount: int, draws) -> "tuple[dict, list]":
    """(f)(2)(i) A multiplier: a character is simultaneously selected, draw `inner character`, and it is added there."""
    character = draws.weighted("inner character", after["settings"]["inner_characters"])
    after["multipliers"] = list(after["multipliers"])
    after["multipliers"][character] += amount
    effects.append(("add", CHARACTERS[character], amount, after["multipliers"][character]))
    return after, effects


def additional_spin(after: dict, effects: list) -> "tuple[dict, list]":
    """(f)(2)(ii) An additional spin: it is added to the counter."""
    after["rounds"] += 1
    effects.append(("rounds", after["rounds"]))
    return after, effects


def rest(state: dict, outcome: str, section: int) -> "tuple[dict, list]":
    """(f)(3) and (4) The outer wheel came to rest. `section` counts only with outcome SECTION.

    (f)(3)(i) fewer than three revolutions, (ii) at rest between two sections, or sensors in doubt: the dealer
    spins the outer wheel again. The inner wheel's result stands.
    """
    stakes.expect(state, "SPIN", "a spin")
    if outcome != "SECTION":
        return state, [("respin", outcome)]
    if type(section) is not int or not 0 <= section < len(LAYOUT):
        raise ValueError("section %s is not on the outer wheel (0 to %d)" % (section, len(LAYOUT) - 1))
    symbol = LAYOUT[section]
    after = dict(state)
    effects: list = [("outer", section, symbol)]
    if symbol == "No Win":
        no_win(after)
    elif symbol == "Eat Me":
        eat_me(after, effects)
    elif symbol == "Drink Me":
        drink_me(after, effects)
    else:
        character(after, effects, symbol)
    effects.append(("rounds", after["rounds"]))
    return again(after, effects)


def character(after: dict, effects: list, symbol: str) -> None:
    """(f)(4)(i) A character: its multiplier is added to the meter, and the counter goes down by one."""
    after["meter"] += after["multipliers"][CHARACTERS.index(symbol)]
    after["rounds"] -= 1
    effects.append(("meter", after["meter"]))


def no_win(after: dict) -> None:
    """(f)(4)(ii) No Win: the counter goes down by one, and nothing else changes."""
    after["rounds"] -= 1


def eat_me(after: dict, effects: list) -> None:
    """(f)(4)(iii) Eat Me: one additional spin, and all multipliers of characters increase by one."""
    one_more(after)
    after["multipliers"] = [multiplier + 1 for multiplier in after["multipliers"]]
    effects.append(("characters", after["multipliers"]))


def drink_me(after: dict, effects: list) -> None:
    """(f)(4)(iv) Drink Me: one additional spin, and all multipliers of characters decrease by one, none below one."""
    one_more(after)
    after["multipliers"] = [max(multiplier - 1, 1) for multiplier in after["multipliers"]]
    effects.append(("characters", after["multipliers"]))


def one_more(after: dict) -> None:
    """(f)(4)(iii) and (iv) "add one additional spin": the text takes none off for the spin just used.

    So the counter ends one higher, unless the setting `extra_spin_deducts` takes the used spin off as well.
    """
    if not after["settings"]["extra_spin_deducts"]:
        after["rounds"] += 1


def again(after: dict, effects: list) -> "tuple[dict, list]":
    """(f)(5) The procedure repeats until zero spins remain; then (g) pays."""
    if after["rounds"]:
        after["phase"] = "INNER"
        return after, effects
    after, paid = pay(after)
    return after, effects + paid


def pay(state: dict) -> "tuple[dict, list]":
    """(g) The payout is the meter to 1, on the wager on the segment that began the game."""
    meter = state["meter"]
    detail = {"extra_spin_deducts": state["settings"]["extra_spin_deducts"]}
    return stakes.settle(state, SOURCE, detail, {0: (meter, meter, "")})
