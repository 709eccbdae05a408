"""Plays a scripted round by the very rules of the table, and says what every step did.

A script is a JSON object: "game"; "inputs" in their order, each [NAME, ARGUMENT...]; "draws" in their order, each
[NAME, VALUE] or [NAME, RANGE, VALUE]; and, where wanted, "settings" that differ from the game's own, the number of
the "round", and the "meter" of a progressive wager. What the table does by itself needs no input. A round from a
journal has in "opened" the hidden values that it opened. docs/games.md and docs/wagers.md list the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tabletop.rules.progressive import meter as meters
from tabletop.rules.scripted import Scripted

from wheelwright.configuration import Configuration, complete
from wheelwright.errors import WheelwrightError, error_text
from wheelwright.games import Game, game_named

OUTCOMES = ("SECTION", "SHORT_SPIN", "BETWEEN_SECTIONS", "FAULT")
# input -> kinds of its arguments
INPUTS: dict[str, tuple[type, ...]] = {
    "wager": (int, str, int), "no_more_bets": (), "void": (str,), "begin": (str,), "spin": (str, int),
    "press": (int,), "choose": (int, int), "timeout": (),
    "take_back": (int,), "award": (int, int, str),
    "chips": (int, str), "hand": (int, str), "dealt": (str,), "misdeal": (str,), "validate": (int, str),
    "documented": (int,), "hole": (str,), "low": (str,), "dice": (int, int, int),
    "select": (int,), "shaking": (), "shake": (str, str, int, int), "roll": (int,) * 6,
    "card": (int, str), "double": (int, int, str), "rescue": (int,), "dealer": (str,),
}  # fmt: skip
ALSO = {"take_back": (str,)}  # arguments that may be left out: only that wager of the seat
EVERY_GAME = ("wager", "no_more_bets", "void")
_KEYS = {"game", "inputs", "draws", "settings", "round", "meter", "opened"}
NEVER = 1 << 62  # mills; no meter goes above it
MONEY = ("collect", "lose", "return", "push")
PAID = ("seat", "result", "stake_mills", "handed_mills", "by")
_WORDS = {int: "a whole number", str: "a text"}


class Noted:
    """Hands draws on from another provider and keeps those of the current step as [name, range, value]."""

    def __init__(self, provider: Any, opened: dict[str, int] | None = None) -> None:
        """`opened`: the hidden values that a journalled round opened; one that it did not was not exceeded in it."""
        self.provider = provider
        self.noted: list[list[Any]] = []
        self._opened = opened
        self._hidden: dict[str, int] = {}

    def take(self) -> list[list[Any]]:
        """The draws since the last call."""
        taken, self.noted = self.noted, []
        return taken

    def _note(self, name: str, n: int, value: Any) -> Any:
        self.noted.append([name, n, value])
        return value

    def uniform(self, name: str, n: int) -> int:
        return int(self._note(name, n, self.provider.uniform(name, n)))

    def weighted(self, name: str, weights: list[int]) -> int:
        return int(self._note(name, len(weights), self.provider.weighted(name, weights)))

    def shuffle(self, name: str, n: int) -> list[int]:
        return list(self._note(name, n, self.provider.shuffle(name, n)))

    def choose(self, name: str, k: int, n: int) -> list[int]:
        return list(self._note(name, n, self.provider.choose(name, k, n)))

    def commit(self, name: str, n: int) -> None:
        """A hidden value, which in a script is a draw like any other."""
        if self._opened is None:
            self._hidden[name] = self.uniform(name, n)

    def look(self, name: str) -> int:
        if self._opened is not None:
            return self._opened.get(name, NEVER)
        if name not in self._hidden:
            raise ValueError(f"{name} was hidden before this round: name it in opened, or leave the meter without it")
        return self._hidden[name]

    def disclose(self, name: str) -> int:
        return self._opened[name] if self._opened is not None else self._hidden.pop(name)


def _refuse(place: str, reason: object) -> WheelwrightError:
    return WheelwrightError(9013, place=place, reason=reason)


def _list(script: dict[str, Any], key: str) -> list[Any]:
    value = script.get(key, [])
    if not isinstance(value, list):
        raise _refuse(key, f"it is {value!r}, but must be a list")
    return value


def checked_input(place: str, given: object, game: Game) -> tuple[Any, ...]:
    """An input with known name and arguments of the right kinds; E-9013 names `place`, value and limit."""
    if not isinstance(given, list) or not given or not isinstance(given[0], str):
        raise _refuse(place, f"it is {given!r}, but must be a list [NAME, ARGUMENT...]")
    name, arguments = given[0], given[1:]
    known = [*EVERY_GAME, *(entry[0] for entry in game.inputs)]
    if name not in known:
        raise _refuse(place, f"{name} is no input of {game.name}; its inputs are {', '.join(known)}")
    kinds = INPUTS[name]
    kinds += ALSO.get(name, ())[: max(0, len(arguments) - len(kinds))]
    if len(arguments) != len(kinds):
        raise _refuse(place, f"{name} has {len(arguments)} arguments, but needs {len(kinds)}")
    for value, kind in zip(arguments, kinds, strict=True):
        if type(value) is not kind:
            raise _refuse(place, f"{value!r} of {name} must be {_WORDS[kind]}")
    if name == "spin" and arguments[0] not in OUTCOMES:
        raise _refuse(place, f"outcome {arguments[0]} is not one of {', '.join(OUTCOMES)}")
    return (name, *arguments)


def checked_draw(place: str, draw: object) -> list[Any]:
    """[name, range or 0, value] of a draw of a script."""
    if not isinstance(draw, list) or len(draw) not in (2, 3) or not isinstance(draw[0], str):
        raise _refuse(place, f"it is {draw!r}, but must be [NAME, VALUE] or [NAME, RANGE, VALUE]")
    if len(draw) == 3 and (type(draw[1]) is not int or draw[1] < 1):
        raise _refuse(place, f"range {draw[1]!r} of {draw[0]} must be a whole number from 1")
    return [draw[0], draw[1] if len(draw) == 3 else 0, draw[-1]]


class Step(NamedTuple):
    """One step of a scripted round: its input, the draws [name, range, value] that it used, and what followed."""

    given: tuple[Any, ...]
    draws: list[list[Any]]
    effects: list[tuple[Any, ...]]
    state: dict[str, Any]


class ScriptedRound:
    """A script that has been looked over: its game, settings and number. E-9010, E-9011 and E-9013 as `adjudicate`."""

    def __init__(self, script: object) -> None:
        if not isinstance(script, dict) or not set(script) <= _KEYS or not isinstance(script.get("game"), str):
            raise _refuse("script", f"it must be an object with game, inputs and draws, and may have {sorted(_KEYS)}")
        self.game = game_named(script["game"])
        settings, self.number = script.get("settings", {}), script.get("round", 1)
        if not isinstance(settings, dict):
            raise _refuse("settings", f"it is {settings!r}, but must be an object")
        if type(self.number) is not int or self.number < 1:
            raise _refuse("round", f"it is {self.number!r}, but must be a whole number from 1")
        self.configuration: Configuration = complete(self.game, settings, "the script")
        self._draws = [checked_draw(f"draws[{n}]", draw) for n, draw in enumerate(_list(script, "draws"))]
        self._inputs = _list(script, "inputs")
        self._meter = [_meter(self, script["meter"])] if "meter" in script else []
        self._opened = script.get("opened")
        if self._opened is not None and not (
            isinstance(self._opened, dict) and all(type(value) is int for value in self._opened.values())
        ):
            raise _refuse("opened", f"it is {self._opened!r}, but must be an object of name and value")

    def new(self) -> dict[str, Any]:
        """The round before its first input."""
        state: dict[str, Any] = self.game.rules.new(self.number, self.configuration.settings, *self._meter)
        return state

    @property
    def meter(self) -> dict[str, Any] | None:
        """The meter on which the script says that the round begins; None for a new one."""
        return self._meter[0] if self._meter else None

    def steps(self) -> Iterator[Step]:
        """Plays it, with what the table does by itself in its places."""
        rules = self.game.rules
        scripted = Scripted(self._draws)
        draws = Noted(scripted, self._opened)
        state = self.new()
        automatic = getattr(rules, "AUTOMATIC", ())
        waiting = list(enumerate(self._inputs))
        place = "before inputs[0]"
        while waiting or state["phase"] in automatic:
            given: tuple[Any, ...] = ("next",)
            if state["phase"] not in automatic:
                n, written = waiting.pop(0)
                place, given = f"inputs[{n}]", checked_input(f"inputs[{n}]", written, self.game)
            try:
                state, effects = rules.step(state, given, draws)
            except ValueError as error:
                raise _refuse(place, error) from None
            yield Step(given, draws.take(), effects, state)
            place = f"inputs[{len(self._inputs) - len(waiting) - 1}], what follows" if self._inputs else place
        try:
            scripted.finish()
        except ValueError as error:
            raise _refuse("draws", error) from None


def adjudicate(script: object) -> dict[str, Any]:
    """The result and every step of a script. E-9010, E-9011 and E-9013 name what is wrong with it.

    A step holds its "input", the "draws" it used, its "effects", for a refusal the "refused" text, and the "phase"
    and "state" after it. `finished` is false when the inputs end before the round does.
    """
    scripted = ScriptedRound(script)
    rules = scripted.game.rules
    steps = [_told(step) for step in scripted.steps()]
    phase = steps[-1]["phase"] if steps else "BETS"
    return {
        "game": scripted.game.name, "round": scripted.number, "settings": scripted.configuration.fingerprint(),
        "examples": list(scripted.configuration.examples), "layout": rules.layout_hash().hex(),
        "paytable": rules.paytable_hash().hex(), "finished": phase in ("DONE", "VOID"), "phase": phase,
        **_result(steps), "steps": steps,
    }  # fmt: skip


def _told(step: Step) -> dict[str, Any]:
    entry = {
        "input": list(step.given), "draws": step.draws, "effects": [list(effect) for effect in step.effects],
        "phase": step.state["phase"],
        "state": {key: value for key, value in step.state.items() if key not in ("settings", "phase", "game")},
    }  # fmt: skip
    refused = [error_text(effect[1], effect[2]) for effect in step.effects if effect[0] == "refuse"]
    if refused:
        entry["refused"] = str(refused[0])
    return entry


def _meter(scripted: ScriptedRound, given: object) -> dict[str, Any]:
    """The meter of a progressive wager as a script says that it stands."""
    rules = scripted.game.rules
    if not hasattr(rules, "parameters"):
        raise _refuse("meter", f"{scripted.game.name} has no meter")
    if isinstance(given, dict) and "parameters" in given:  # as a table has journalled it
        return {**given, "recent": []}
    if not isinstance(given, dict) or not {"current"} <= set(given) <= {"current", "reserve"}:
        raise _refuse("meter", 'it must be {"current": MILLS}, and may have "reserve"')
    try:
        parameters = rules.parameters(scripted.configuration.settings)
        return dict(meters.opened(parameters, given["current"], given.get("reserve", 0)))
    except ValueError as error:
        raise _refuse("meter", error) from None


def _result(steps: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What was decided and paid, from the effects of all steps."""
    effects = [effect for entry in steps for effect in entry["effects"]]
    names = ("seat", "spot", "stake_mills", "odds_to_1", "win_mills", "limited")
    money = {name: sum(effect[3] for effect in effects if effect[0] == name) for name in MONEY}
    return {
        "result": next((effect[1:] for effect in effects if effect[0] == "result"), None),
        "odds": [
            {"choice": choice, "total": total, "odds_to_1": odds, "changed_by": note}
            for _, choice, total, odds, note in (effect for effect in effects if effect[0] == "odds")
        ],
        "pays": [dict(zip(names, effect[1:], strict=True)) for effect in effects if effect[0] == "pay"],
        "paid": [dict(zip(PAID, effect[1:], strict=True)) for effect in effects if effect[0] == "paid"],
        "collected_mills": money["collect"] + money["lose"],
        "returned_mills": money["return"] + money["push"],
    }  # fmt: skip


def explain(game: Game) -> dict[str, Any]:
    """What a script of a game may hold: draws, inputs and settings in words, and the game's own settings."""
    return {
        "game": game.name, "title": game.title, "source": game.source,
        "draws": [draw._asdict() for draw in game.draws],
        "without_draws": "cards or dice decide" if game.seated else "a physical wheel decides",
        "inputs": {
            "wager": "SEAT, SPOT, MILLS (1/1000 dollar)", "no_more_bets": "", "void": "REASON", **dict(game.inputs),
        },
        "spots": sorted(getattr(game.rules, "SPOTS", None) or game.rules.ODDS),
        "settings": {
            key: {"means": meaning, "example": game.rules.DEFAULTS[key]} for key, meaning in game.settings.items()
        },
    }  # fmt: skip
