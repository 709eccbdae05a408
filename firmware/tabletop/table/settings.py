"""The settings of a table: the game's limits and the table's own times, with defaults, all checked at start."""

from tabletop import cbor
from tabletop.const import const
from tabletop.rules import game_named

_MOST_RULES = const(800)  # bytes: a round is opened with them in one record

game_named("dreamcatcher")  # loaded with this module, while memory is not yet in pieces

# name: (default, smallest, largest)
TABLE = {
    "min_turns": (3, 3, 20),  # 689a.2(b) allows no fewer than three
    "settled_show_ms": (5000, 0, 600000),
    "step_ms": (700, 0, 60000),  # of a bonus game: how long a step stays on the lamps, or as long as it moves
}


class Settings:
    """`game` (module), `rules` (what a round is opened with), and the names of TABLE as attributes."""

    def __init__(self, given: dict, board: dict) -> None:
        """ValueError naming the key and its limit when a value is wrong; unknown keys are wrong too.

        The game is that of the board where `given` names none.
        """
        given = dict(given)
        self.game = game_named(given.pop("game", board.get("game", "dreamcatcher")))
        self.min_turns = _whole(given, "min_turns")
        self.settled_show_ms = _whole(given, "settled_show_ms")
        self.step_ms = _whole(given, "step_ms")
        self.rules = dict(self.game.DEFAULTS)
        self.rules.update(given)
        self.game.validate(self.rules)
        size = len(cbor.dumps(self.rules))
        if size > _MOST_RULES:
            raise ValueError("the settings of %s have %d bytes, more than %d" % (self.game.NAME, size, _MOST_RULES))


def _whole(given: dict, key: str) -> int:
    default, low, high = TABLE[key]
    value = given.pop(key, default)
    if type(value) is not int or not low <= value <= high:
        raise ValueError("%s is %s, but must be a whole number from %d to %d" % (key, value, low, high))
    return value
