"""MGM Grand, bonus game C of MGM Bonus City, in the order of its regulation.

A round goes BETS -> BEGIN -> CHOICE -> DROP... -> DONE (or VOID): players give ("choose", seat, spot) and the timer
("timeout",) in phase CHOICE, the table gives ("next",) in phase DROP, one for each colour of balls.
`spots` are the totals of the four landing spots, `dropped` the number of colours that have dropped.
"""

from tabletop.rules import bonus_city, choices, stakes, weights

NAME = "mgm_grand"
SOURCE = "RNG"  # (d)(8): and a blind selection
AUTOMATIC = ("DROP",)
SPOTS = (bonus_city.BONUS_GAMES["C"][1],)

# (d)(3) and (6): the balls in the order of their drops: colour, how many, multiplier.
BALLS = (("blue", 4, 2), ("green", 4, 5), ("red", 2, 10), ("gold", 1, 25), ("disco", 1, 2))
LANDINGS = 4  # (d)(2): landing spots
# (d)(2): where a ball can end: four landing spots, two void holes.
ENDS = ("spot 1", "spot 2", "spot 3", "spot 4", "void 1", "void 2")
LOW, HIGH = 7, 1000  # (d)(8)(i) and (ii)

# The weights of where a ball ends: an example, not approved mathematics.
DEFAULTS: dict = {"landings": [5, 5, 5, 5, 1, 1], "multipliers": bonus_city.MULTIPLIERS, "choice_ms": 15000}
DEFAULTS.update(stakes.LIMITS)
CHECK = 146  # odds to 1 with these when every draw gives 0: for the self-test


def layout_hash() -> bytes:
    """Names the board."""
    return stakes.fingerprint(NAME, ",".join(ENDS))


def paytable_hash() -> bytes:
    """Names what is fixed in the pay: the balls, minimum and maximum."""
    return stakes.fingerprint(NAME, LOW, HIGH, *["%d %s=%d" % (n, colour, value) for colour, n, value in BALLS])


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    stakes.check(settings, DEFAULTS, LOW)
    weights.check_list("landings", settings["landings"], ENDS)
    weights.whole("choice_ms", settings["choice_ms"], 1000, 600000)
    bonus_city.check(settings)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete (see `validate`) and kept by reference."""
    return stakes.opened(NAME, round_number, settings)


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":
    """The next state and the effects of one input.

    inputs : ("begin", spot) ("choose", seat, landing spot 1 to 4) ("timeout",) ("next",) and those of `stakes.take`
    effects: ("multiplier", n) ("timer", ms) ("chosen", seat, landing spot, "PLAYER" or "RNG")
             ("ball", colour, number of its colour, end, value) - end 0 to 3 is a spot, 4 and 5 a void hole -
             ("spots", [total...]) and those of `stakes`
    """
    what = given[0]
    if what == "begin":
        return begin(state, given[1], draws)
    if what == "next":
        return drop(state, draws)
    if what == "choose":
        return choices.choose(state, given[1], given[2], LANDINGS, "DROP")
    if what == "timeout":
        return choices.timeout(state, LANDINGS, "DROP", draws)
    return stakes.take(state, given, SPOTS)


def begin(state: dict, spot: str, draws) -> "tuple[dict, list]":
    """(d)(5) The game begins with the players' selection of a landing spot, against the timer."""
    after, effects = bonus_city.begin(state, spot, SPOTS[0], "CHOICE", draws)
    if after["phase"] == "CHOICE":
        after, asked = choices.ask(after, state["settings"]["choice_ms"])
        after["spots"] = [0] * LANDINGS
        after["dropped"] = 0
        effects += asked
    return after, effects


def value_of(colour: int, multiplier: int) -> int:
    """(d)(3) and (4) A ball's multiplier times that of 696.3; (d)(7)(iii) the disco ball's too: 2 with 10 is 20."""
    return BALLS[colour][2] * multiplier


def drop(state: dict, draws) -> "tuple[dict, list]":
    """(d)(6) The next colour drops, after the one before has settled: draws `blue ball 1`, `blue ball 2` ..."""
    stakes.expect(state, "DROP", "a drop of balls")
    after = dict(state)
    after["spots"] = list(state["spots"])
    colour = state["dropped"]
    name, count, _ = BALLS[colour]
    value = value_of(colour, state["multiplier"])
    effects: list = []
    for number in range(1, count + 1):
        end = draws.weighted("%s ball %d" % (name, number), state["settings"]["landings"])
        effects.append(("ball", name, number, end, value))
        land(after["spots"], name, end, value)
    effects.append(("spots", after["spots"]))
    after["dropped"] = colour + 1
    if after["dropped"] < len(BALLS):
        return after, effects
    after, paid = pay(after)
    return after, effects + paid


def land(spots: list, name: str, end: int, value: int) -> None:
    """(d)(7) A ball in a void hole (i) does not count; in a spot it (ii) adds to the total, or (iii) multiplies it.

    The disco ball drops last, so that the total it doubles is complete.
    """
    if end >= LANDINGS:
        return
    if name == "disco":
        spots[end] *= value
    else:
        spots[end] += value


def pay(state: dict) -> "tuple[dict, list]":
    """(d)(8) Each player is paid the total of the spot selected, (i) at least 7 and (ii) at most 1,000 to 1."""
    odds: dict = {}
    for seat in stakes.eligible(state):
        spot = state["choices"][seat]
        total = state["spots"][spot - 1]
        odds[spot] = (total,) + stakes.within(total, LOW, HIGH)
    return stakes.settle(state, SOURCE, {}, odds, state["choices"])
