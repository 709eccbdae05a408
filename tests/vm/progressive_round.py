"""What the tests of progressive wagers share: one step after another, none of which changes the state it was given."""


def step(game, state, *given):
    before = repr(state)
    after, effects = game.step(state, given)
    assert repr(state) == before, "the step changed the state it was given"
    return after, effects


def run(game, state, *inputs):
    """State and all effects of inputs of which none is refused."""
    everything = []
    for given in inputs:
        state, effects = step(game, state, *given)
        assert not [effect for effect in effects if effect[0] == "refuse"], effects
        everything += effects
    return state, everything


def refused(game, state, *given):
    """Code and detail of the refusal of an input, which must leave the state as it is."""
    after, effects = step(game, state, *given)
    assert after is state
    assert len(effects) == 1
    assert effects[0][0] == "refuse", effects
    return effects[0][1], effects[0][2]


def settings_of(game, **changes):
    settings = dict(game.DEFAULTS)
    settings.update(changes)
    game.validate(settings)
    return settings


def named(effects, *names):
    return [effect for effect in effects if effect[0] in names]


def error_of(call, *arguments):
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")
