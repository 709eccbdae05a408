"""Exact distributions by brute force: every branch of every draw of the table's own steps, equal states merged.

It shares no formula with wheelwright.odds and is feasible for small settings only.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tabletop import cbor


class _More(Exception):
    def __init__(self, weights: list[int]) -> None:
        self.weights = weights


class _Branch:
    """Gives the values of a path, then asks for more."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.used = path, 0

    def weighted(self, _name: str, weights: list[int]) -> int:
        possible = [n for n, weight in enumerate(weights) if weight]
        if len(possible) == 1:
            return possible[0]
        if self.used == len(self.path):
            raise _More(list(weights))
        self.used += 1
        return self.path[self.used - 1]

    def uniform(self, name: str, n: int) -> int:
        return self.weighted(name, [1] * n)

    def shuffle(self, _name: str, n: int) -> list[int]:
        return list(range(n))  # whoever picks from it does so at random, and that is enumerated


def branches(rules: Any, state: Any, given: tuple[Any, ...]) -> list[tuple[Fraction, Any, Any]]:
    """(chance, state, effects) of every outcome of one step."""
    found, waiting = [], [(Fraction(1), [])]
    while waiting:
        chance, path = waiting.pop()
        try:
            after, effects = rules.step(state, given, _Branch(path))
        except _More as more:
            whole = sum(more.weights)
            waiting += [
                (chance * Fraction(weight, whole), [*path, n]) for n, weight in enumerate(more.weights) if weight
            ]
            continue
        found.append((chance, after, effects))
    return found


def odds_paid(
    rules: Any, settings: dict[str, Any], spot: str, choice: int | None = None, sections: list[Fraction] | None = None,
    most_steps: int = 10**6, forget: Callable[[Any], Any] = lambda state: state,
) -> tuple[dict[int, Fraction], dict[str, Fraction], Fraction]:
    """Odds to 1 -> chance, note -> chance, and the chance of games still running after `most_steps` steps.

    `forget` may level out parts of a state that cannot change what the one wager is paid.
    """
    state = rules.new(1, settings)
    for given in (("wager", 1, spot, 1000), ("no_more_bets",)):
        state, _ = rules.step(state, given)
    level = {cbor.dumps({**state, "settings": {}}): (Fraction(1), state)}
    paid: dict[int, Fraction] = {}
    notes: dict[str, Fraction] = {}
    for _ in range(most_steps):
        following: dict[bytes, tuple[Fraction, Any]] = {}
        for chance, before in level.values():
            for given, share in _inputs(rules, before, spot, choice, sections):
                for part, after, effects in branches(rules, before, given):
                    here = chance * share * part
                    if after["phase"] == "DONE":
                        odds = next(effect[4] for effect in effects if effect[0] == "pay")
                        note = next(effect[4] for effect in effects if effect[0] == "odds")
                        paid[odds] = paid.get(odds, Fraction(0)) + here
                        notes[note] = notes.get(note, Fraction(0)) + here
                        continue
                    after = forget(after)
                    key = cbor.dumps({**after, "settings": {}})
                    following[key] = (following.get(key, (Fraction(0), None))[0] + here, after)
        level = following
        if not level:
            break
    return {odds: paid[odds] for odds in sorted(paid)}, notes, sum((share for share, _ in level.values()), Fraction(0))


def _inputs(
    rules: Any, state: Any, spot: str, choice: int | None, sections: list[Fraction] | None
) -> list[tuple[tuple[Any, ...], Fraction]]:
    phase = state["phase"]
    if phase == "BEGIN":
        return [(("begin", spot), Fraction(1))]
    if phase in rules.AUTOMATIC:
        return [(("next",), Fraction(1))]
    if phase == "PRESS":
        return [(("press", 1), Fraction(1))]
    if phase == "CHOICE":
        return [(("timeout",) if choice is None else ("choose", 1, choice), Fraction(1))]
    assert phase == "SPIN"
    assert sections is not None
    return [(("spin", "SECTION", n), share) for n, share in enumerate(sections) if share]
