"""The games that the tool knows: their rules, and in words their draws, inputs and settings.

`tests/unit/test_adjudicate.py` plays every game and checks that no draw, input or setting is missing here.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from wheelwright.errors import WheelwrightError


class Draw(NamedTuple):
    """A named draw: `name` as journalled, N counting up from 1 where there are several; its range; what it decides."""

    name: str
    range: str
    decides: str


class Game(NamedTuple):
    """One game in words. `inputs` are those beside wagers, no_more_bets and void."""

    name: str
    title: str
    source: str
    draws: tuple[Draw, ...]
    inputs: tuple[tuple[str, str], ...]
    settings: dict[str, str]
    choices: int = 0  # a player chooses from 1 to this; 0: there is no choice
    package: str = "tabletop.rules"

    @property
    def layout(self) -> tuple[str, ...]:
        """The sections of its physical wheel; () when it has none."""
        return tuple(getattr(self.rules, "LAYOUT", ()))

    @property
    def bonus(self) -> bool:
        """Whether it is a bonus game: with draws, and steps that the table does by itself."""
        return hasattr(self.rules, "SOURCE") and not self.seated

    @property
    def seated(self) -> bool:
        """Whether cards or dice decide: a wager of `wheelwright.wagers`."""
        return self.package.endswith(".progressive")

    @property
    def rules(self) -> Any:
        """The module of the table's rules that plays it."""
        return importlib.import_module(f"{self.package}.{self.name}")


_LIMITS = {
    "min_mills": "smallest wager of a seat on a spot, in mills (1/1000 dollar)",
    "max_mills": "largest wager of a seat on a spot, in mills",
    "payout_limit_mills": "most that a round pays a seat in winnings, in mills",
    "seats": "number of seats",
}
_TABLE = "as [[value, weight], ...]"
_MULTIPLIERS = {"multipliers": f"weights of the multiplier of section 696.3 {_TABLE}; 1 is none"}
_CHOICE_MS = {"choice_ms": "time for the players' choice in milliseconds"}
_MULTIPLIER_DRAW = Draw("multiplier", "rows of multipliers", "the multiplier of section 696.3")
_BEGIN = ("begin", "SPOT: the main wheel's outcome that begins the game")
_TIMEOUT = ("timeout", "the time for choices is over; a draw chooses for who did not")
_SPIN = (
    "spin", "OUTCOME, SECTION of the physical wheel: SECTION 0 to 53, or SHORT_SPIN, BETWEEN_SECTIONS, FAULT with -1"
)  # fmt: skip


def _choice(what: str) -> tuple[str, str]:
    return ("choose", f"SEAT, {what}")


def _choice_draw(n: int) -> Draw:
    return Draw("choice of seat N", str(n), "the choice of a player who did not choose in time, from 0")


_ALL = (
    Game("dreamcatcher", "Dreamcatcher", "689a.1 to 689a.3", (), (_SPIN,), dict(_LIMITS)),
    Game(
        "wonderspins", "Wonderspins", "seed 002 (Adventures Beyond Wonderland)",
        (
            *(
                Draw(f"start {name}", f"rows of starts[{n}]", f"the starting multiplier of {name}")
                for n, name in enumerate(("Rabbit", "Cat", "Crown", "Bird", "Mouse", "Hat"))
            ),
            Draw("inner wheel", "12", "the section of the inner wheel, clockwise from 0"),
            Draw("inner character", "6", "who gets its multiplier: Rabbit, Cat, Crown, Bird, Mouse, Hat from 0"),
        ),
        (_BEGIN, _SPIN),
        {
            "starts": f"for each character the weights of its starting multiplier {_TABLE}",
            "inner_characters": "weights with which the inner wheel's multiplier goes to each character",
            "extra_spin_deducts": "true: Eat Me and Drink Me take off the spin just used as well; false: not",
            **_LIMITS,
        },
    ),
    Game(
        "money_mountain", "Money Mountain", "seed 000 (Mega Money Mountain)",
        (
            Draw("mystery", "rows of mystery", "the Mystery multiplier of section 694.3"),
            Draw("jackpot", "rows of jackpots", "the jackpot of the round"),
            Draw("segments", "54", "the order of the multipliers around the outer wheel: a shuffle of 0 to 53"),
            Draw("outer wheel", "54", "the segment at which the outer wheel stops, from 0"),
            Draw("reel N", "2", "reel N, row by row: 0 awards the wheel's multiplier, 1 does not"),
        ),
        (_BEGIN, ("press", "SEAT: the player's button; 0 is the dealer for a player who is absent")),
        {
            "segments": "multipliers on the outer wheel as [[value, number of segments], ...], 54 in all",
            "jackpots": f"weights of the jackpot {_TABLE}",
            "mystery": f"weights of the Mystery multiplier of section 694.3 {_TABLE}; 1 is none",
            "reels": "for each of nine reels the weights [award, no award]",
            **_LIMITS,
        },
    ),
    Game(
        "new_york", "New York, New York", "seed 001 (b)",
        (
            _MULTIPLIER_DRAW,
            Draw("building N", "rows of awards", "the multiplier of building N"),
            Draw("light", "number of buildings", "the building at which the light stops, from 0"),
            Draw("torch", "2", "the Statue of Liberty's torch: 0 dark, 1 lit (2x)"),
        ),
        (_BEGIN,),
        {
            "awards": f"weights of a building's multiplier {_TABLE}",
            "light": "weight of the light at each building; their number is that of the buildings",
            "torch": "weights of the torch [dark, lit]",
            **_MULTIPLIERS, **_LIMITS,
        },
    ),
    Game(
        "luxor", "Luxor", "seed 001 (c)",
        (
            _MULTIPLIER_DRAW,
            Draw("award N", "rows of awards", "award N of the grid of 21"),
            Draw("strikes", "4", "the number of lightning strikes, 0 to 3"),
            Draw("factor of strike N", "rows of factors", "by how much strike N multiplies all awards"),
            Draw("shuffle", "21", "the order in which the awards are hidden: a shuffle of 0 to 20"),
            _choice_draw(21),
        ),
        (_BEGIN, _choice("SYMBOL 1 to 21"), _TIMEOUT),
        {
            "awards": f"weights of an award {_TABLE}",
            "strikes": "weights of [0, 1, 2, 3] lightning strikes",
            "factors": f"weights of a strike's factor {_TABLE}",
            **_MULTIPLIERS, **_CHOICE_MS, **_LIMITS,
        },
        21,
    ),
    Game(
        "mgm_grand", "MGM Grand", "seed 001 (d)",
        (
            _MULTIPLIER_DRAW,
            *(
                Draw(f"{colour} ball N", "6", f"where a {colour} ball ends: 0 to 3 spots 1 to 4, 4 and 5 void holes")
                for colour in ("blue", "green", "red", "gold", "disco")
            ),
            _choice_draw(4),
        ),
        (_BEGIN, _choice("LANDING SPOT 1 to 4"), _TIMEOUT),
        {
            "landings": "weights of where a ball ends [spot 1, spot 2, spot 3, spot 4, void 1, void 2]",
            **_MULTIPLIERS, **_CHOICE_MS, **_LIMITS,
        },
        4,
    ),
    Game(
        "bellagio", "Bellagio", "seed 001 (e)",
        (
            _MULTIPLIER_DRAW,
            Draw("award N", "rows of awards[N-1]", "the multiplier of combination N"),
            *(
                Draw(f"machine {machine} reel {reel}", f"rows of reels[{reel - 1}]", "a reel's symbol, once a spin")
                for machine in (1, 2, 3) for reel in (1, 2, 3)
            ),
            _choice_draw(3),
        ),
        (_BEGIN, _choice("MACHINE 1 to 3"), _TIMEOUT),
        {
            "reels": "for each of three reels its symbols as [[symbol, weight], ...]",
            "combinations": '[[symbol, symbol, symbol], ...] that win; the first that fits counts, "*" is any symbol',
            "awards": f"for each combination the weights of its multiplier {_TABLE}",
            **_MULTIPLIERS, **_CHOICE_MS, **_LIMITS,
        },
        3,
    ),
)  # fmt: skip
GAMES = {game.name: game for game in _ALL}


def game_named(name: str) -> Game:
    """The game or wager of a name; E-9010 when there is none."""
    from wheelwright.wagers import WAGERS  # which describes its own as Games

    found = GAMES.get(name) or WAGERS.get(name)
    if found is None:
        raise WheelwrightError(9010, game=name, known=", ".join([*GAMES, *WAGERS]))
    return found


def game_of(capabilities: Sequence[str]) -> Game:
    """The game that a table says in its HELLO it plays; E-9010 when this tool does not know it."""
    return game_named(capabilities[0] if capabilities else "")
