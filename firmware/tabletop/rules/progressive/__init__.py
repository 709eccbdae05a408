"""Side wagers of table games, progressive ones above all: cards, dice, meters and what a seat wins; pure.

In: a round's state with its meter (plain dicts that CBOR can hold) and one input. Out: the next state and the effects
in the order in which the dealer does them. Money is integer mills, rates are in hundredths of a percent. A meter never
goes down but by a win or a recorded correction, and no contribution is lost below a mill. A table of a wheel or a
bonus game loads nothing of this.
"""

from tabletop.rules import GAMES

WAGERS = (
    "match_the_dealer", "players_edge", "match_up_down", "monster_match", "monster_dynamic", "pai_gow", "dice",
    "must_hit_by",
)  # fmt: skip


def wager_named(name: str):
    """The module of a wager, imported when it is first asked for; ValueError when this program does not know it."""
    if name not in WAGERS:
        raise ValueError("game %s is not one of %s" % (name, ", ".join(GAMES + WAGERS)))
    return __import__("tabletop.rules.progressive." + name, None, None, ("step",))
