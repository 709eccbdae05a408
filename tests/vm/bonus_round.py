"""What the tests of the bonus games share: a round with wagers, and draws given by name."""

from tabletop.rules.scripted import Scripted


class Draws:
    """Gives the values listed for each name; a name that is not listed is an error. `asked` records every draw."""

    def __init__(self, **values):
        self.values = {}
        self.asked = []
        for name in values:
            self.set(name.replace("_", " "), values[name])

    def set(self, name, value):
        self.values[name] = list(value) if isinstance(value, list) else value

    def _next(self, name, n):
        value = self.values[name]
        if isinstance(value, list) and name not in ("shuffle", "segments"):
            value = value.pop(0)
        self.asked.append([name, n, value])
        return value

    def uniform(self, name, n):
        return self._next(name, n)

    def weighted(self, name, weights):
        value = self._next(name, len(weights))
        assert weights[value], name
        return value

    def shuffle(self, name, n):
        order = self._next(name, n)
        assert sorted(order) == list(range(n)), name
        return order


def seed_text(name):
    folder = __file__.rsplit("/", 1)[0]
    with open(folder + "/../data/seeds/" + name, "rb") as file:
        return file.read().decode()


def settings_of(game, **changes):
    settings = dict(game.DEFAULTS)
    settings.update(changes)
    game.validate(settings)
    return settings


def refuses(game):
    """What tells the text with which settings of a game are refused."""
    return lambda **changes: error_of(lambda: settings_of(game, **changes))


def begun(game, draws, bets=((1, 5000),), spot=None, **changes):
    """A round whose bonus game has begun, with `bets` (seat, mills) on `spot`."""
    spot = spot or sorted(game.SPOTS)[0]
    state = game.new(1, settings_of(game, **changes))
    for seat, mills in bets:
        state, effects = step(game, state, ("wager", seat, spot, mills))
        assert effects[0][0] == "accept", effects
    state, _ = step(game, state, ("no_more_bets",))
    return step(game, state, ("begin", spot), draws)


def step(game, state, given, draws=None):
    """One step, which must leave the state it was given as it was."""
    before = repr(state)
    after, effects = game.step(state, given, draws)
    assert repr(state) == before, "the step changed the state it was given"
    return after, effects


def run(game, state, draws, *inputs):
    """Inputs one after another, and ("next",) wherever the game goes on by itself; state and all effects."""
    everything = []
    given = list(inputs)
    while True:
        if state["phase"] in game.AUTOMATIC:
            state, effects = step(game, state, ("next",), draws)
        elif given:
            state, effects = step(game, state, given.pop(0), draws)
        else:
            return state, everything
        everything += effects


def named(effects, name):
    """The effects of one name."""
    return [effect for effect in effects if effect[0] == name]


def error_of(call, *arguments):
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


def replays(game, state, draws, inputs, after):
    """Whether the draws asked for so far, scripted, lead from `state` by `inputs` to `after` again."""
    script = Scripted(draws.asked)
    again, _ = run(game, state, script, *inputs)
    script.finish()
    return again == after
