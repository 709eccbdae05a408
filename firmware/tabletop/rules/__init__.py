"""The games: what a wager, a spin or a void does to a round, and nothing else.

In: a round's state (a plain dict that CBOR can hold) and one input. Out: the next state and the effects
in the order in which the dealer does them. A game never reads a clock, a sensor or the journal, never
changes the state it was given, and never guesses: an input that makes no sense raises ValueError.
"""

GAMES = ("dreamcatcher", "wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio")


def game_named(name: str):
    """The module of a game, imported when it is first asked for; ValueError when this program does not know it."""
    if name in GAMES:
        return __import__("tabletop.rules." + name, None, None, ("step",))
    from tabletop.rules import progressive

    return progressive.wager_named(name)
