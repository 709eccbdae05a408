"""What each setting moves: the change of the mean odds when one weight of a configuration is doubled."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from wheelwright.configuration import Configuration, complete
from wheelwright.errors import WheelwrightError
from wheelwright.odds import EQUAL, price


class Lever(NamedTuple):
    """`place` is the weight as written in the file; `changes` are those of the mean odds of each price.

    Where the doubled weight makes choices differ that were alike, `choices` names them, and there is a change for
    each. None at all: the rules fix this weight.
    """

    place: str
    changes: list[Fraction]
    choices: tuple[str, ...] = ()


# Settings that hold a list of weights for each part of a game, none of them the second of a pair [value, weight].
_WEIGHTS_ALONE = {("money_mountain", "reels"): ("award", "no award")}


def weights_of(place: str, value: Any) -> Iterator[tuple[str, list[Any], int]]:
    """(place, list that holds it, index) of every weight: the second of a pair, or an item of a list of numbers."""
    if not isinstance(value, list):
        return
    if all(isinstance(item, list) and len(item) == 2 and not isinstance(item[0], list) for item in value):
        for n, item in enumerate(value):
            if type(item[1]) is int:
                yield f"{place}[{n}] ({item[0]})", item, 1
    elif all(type(item) is int for item in value):
        for n in range(len(value)):
            yield f"{place}[{n}]", value, n
    else:
        for n, item in enumerate(value):
            yield from weights_of(f"{place}[{n}]", item)


def _places(game: str, key: str, value: Any) -> Iterator[tuple[str, list[Any], int]]:
    names = _WEIGHTS_ALONE.get((game, key))
    if names is None:
        yield from weights_of(key, value)
        return
    for n, weights in enumerate(value):
        for index, name in enumerate(names):
            yield f"{key}[{n}][{index}] ({name})", weights, index


def levers(
    configuration: Configuration, sections: Sequence[Fraction] = EQUAL,
    advance: Callable[[int], None] = lambda _n: None,
) -> list[Lever]:  # fmt: skip
    """The levers of all weights, strongest first; those that the rules fix (segments of a wheel) last."""
    before = [one.mean for one in price(configuration, sections)]
    settings = {key: copy.deepcopy(value) for key, value in configuration.settings.items()}
    found = []
    for key in configuration.game.settings:
        settings[key] = _unshared(settings[key])
        for place, holder, index in _places(configuration.game.name, key, settings[key]):
            held = holder[index]
            holder[index] = held * 2
            try:
                changed = price(complete(configuration.game, settings, place), sections)
                apart = len(changed) != len(before)  # what each choice is worth beside what any was worth
                means = before * (len(changed) // len(before)) if apart else before
                moves = [one.mean - mean for one, mean in zip(changed, means, strict=True)]
                found.append(Lever(place, moves, tuple(one.choice for one in changed) if apart else ()))
            except WheelwrightError:
                found.append(Lever(place, []))  # a wheel has 54 segments
            holder[index] = held
            advance(1)
    return sorted(found, key=lambda lever: -max([abs(change) for change in lever.changes] or [Fraction(-1)]))


def _unshared(value: Any) -> Any:
    """A copy in which no inner list stands twice, as [[1, 14]] * 9 has it."""
    return [_unshared(item) for item in value] if isinstance(value, list) else value
