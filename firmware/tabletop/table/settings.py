"""The settings of a table: the game's limits and the table's own times, with defaults, all checked at start."""

from tabletop.rules import game_named

DEFAULT_GAME = game_named("dreamcatcher")  # compiled with this module, while memory is not yet in pieces

# name: (default, smallest, largest)
TABLE = {
    "min_turns": (3, 3, 20),  # 689a.2(b) allows no fewer than three
    "settled_show_ms": (5000, 0, 600000),
}


class Settings:
    """`game` (module), `rules` (what a round is opened with), and the names of TABLE as attributes."""

    def __init__(self, given: dict) -> None:
        """ValueError naming the key and its limit when a value is wrong; unknown keys are wrong too."""
        given = dict(given)
        name = given.pop("game", "")
        if type(name) is not str:
            raise ValueError("game is %s, but must be a name" % (name,))
        self.game = game_named(name) if name else DEFAULT_GAME
        self.min_turns = _whole(given, "min_turns")
        self.settled_show_ms = _whole(given, "settled_show_ms")
        self.rules = dict(self.game.DEFAULTS)
        self.rules.update(given)
        self.game.validate(self.rules)


def _whole(given: dict, key: str) -> int:
    default, low, high = TABLE[key]
    value = given.pop(key, default)
    if type(value) is not int or not low <= value <= high:
        raise ValueError("%s is %s, but must be a whole number from %d to %d" % (key, value, low, high))
    return value
