"""Seeded play of the table's own rules, to hold against the exact price.

The result depends on seed and number of rounds alone, not on how many processes share the work: rounds go in chunks,
and every chunk has a generator of its own. This is a simulation, never a source of results.
"""

from __future__ import annotations

import math
import os
import random
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any

from wheelwright.configuration import Configuration
from wheelwright.games import GAMES

CHUNK = 500
Z = 3.2905  # two-sided 99.9 %
CONFIDENCE = 0.999
SPIN_SECTIONS = 54


class Seeded:
    """Draws from a seeded generator, by the contract of tabletop.rules.scripted."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator
        self._sums: dict[tuple[int, ...], list[int]] = {}

    def uniform(self, _name: str, n: int) -> int:
        return self._random.randrange(n)

    def weighted(self, _name: str, weights: Sequence[int]) -> int:
        key = tuple(weights)
        sums = self._sums.get(key)
        if sums is None:
            sums = self._sums[key] = list(accumulate(weights))
        return bisect(sums, self._random.randrange(sums[-1]))

    def shuffle(self, _name: str, n: int) -> list[int]:
        return self._random.sample(range(n), n)

    def choose(self, _name: str, k: int, n: int) -> list[int]:
        return self._random.sample(range(n), k)


@dataclass
class Tally:
    """What `rounds` simulated rounds paid: odds to 1 -> how often (-1: the wager lost), and the notes of results."""

    rounds: int = 0
    odds: Counter[int] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.rounds += other.rounds
        self.odds += other.odds
        self.notes += other.notes

    def mean(self) -> float:
        """Mean odds to 1 of the rounds in which the wager won."""
        won = sum(count for odds, count in self.odds.items() if odds >= 0)
        return sum(odds * count for odds, count in self.odds.items() if odds >= 0) / won if won else 0.0

    def margin(self, variance: float | None = None) -> float:
        """Half the width of the 99.9 % confidence interval of `mean`.

        From the exact `variance` where it is known: rare high pays make that of the sample itself too small.
        """
        won = sum(count for odds, count in self.odds.items() if odds >= 0)
        if won < 2:
            return math.inf
        mean = self.mean()
        if variance is None:
            variance = sum(count * (odds - mean) ** 2 for odds, count in self.odds.items() if odds >= 0) / (won - 1)
        return Z * math.sqrt(variance / won)

    def band(self) -> float:
        """How far any cumulative share can be from the truth, with 99.9 % confidence (Dvoretzky-Kiefer-Wolfowitz)."""
        return math.sqrt(math.log(2 / (1 - CONFIDENCE)) / (2 * self.rounds)) if self.rounds else 1.0

    def share(self, note: str) -> tuple[float, float]:
        """The share of results with a note, and half the width of its 99.9 % interval (Wilson)."""
        return share_of(self.notes[note], self.rounds)


def share_of(count: int, rounds: int) -> tuple[float, float]:
    """Centre and half width of the 99.9 % Wilson interval for `count` of `rounds`."""
    if not rounds:
        return 0.5, 0.5
    share, square = count / rounds, Z * Z / rounds
    centre = (share + square / 2) / (1 + square)
    return centre, Z / (1 + square) * math.sqrt(share * (1 - share) / rounds + square / (4 * rounds))


def wheel_of(sections: Sequence[Fraction]) -> tuple[int, ...]:
    """Integer weights in the proportion of the sections' chances."""
    common = math.lcm(*(section.denominator for section in sections))
    return tuple(int(section * common) for section in sections)


def play(
    rules: Any, settings: dict[str, Any], spot: str, choice: int | None, draws: Seeded, wheel: Sequence[int]
) -> tuple[int, str]:
    """One round with one wager: odds to 1 (-1 when it lost) and the note of the result."""
    step = rules.step
    state = rules.new(1, settings)
    state, _ = step(state, ("wager", 1, spot, settings["min_mills"]))
    state, _ = step(state, ("no_more_bets",))
    if state["phase"] == "BEGIN":
        state, _ = step(state, ("begin", spot), draws)
    automatic = getattr(rules, "AUTOMATIC", ())
    effects: list[Any] = []
    while state["phase"] != "DONE":
        phase = state["phase"]
        if phase in automatic:
            given: tuple[Any, ...] = ("next",)
        elif phase == "SPIN":
            given = ("spin", "SECTION", draws.weighted("wheel", wheel))
        elif phase == "PRESS":
            given = ("press", 1)
        elif choice is None:
            given = ("timeout",)
        else:
            given = ("choose", 1, choice)
        state, effects = step(state, given, draws)
    note = next((effect[4] for effect in effects if effect[0] == "odds"), "")
    paid = next((effect[4] for effect in effects if effect[0] == "pay"), -1)
    return paid, note


def _chunk(
    name: str, settings: dict[str, Any], spot: str, choice: int | None, wheel: Sequence[int], seed: int, work: list[int]
) -> Tally:
    number, rounds = work
    draws = Seeded(random.Random(f"{seed} {name} {spot} {choice} {number}"))
    rules = GAMES[name].rules
    tally = Tally()
    for _ in range(rounds):
        odds, note = play(rules, settings, spot, choice, draws, wheel)
        tally.odds[odds] += 1
        if note:
            tally.notes[note] += 1
    tally.rounds = rounds
    return tally


def simulate(
    configuration: Configuration, spot: str, rounds: int, seed: int, sections: Sequence[Fraction],
    choice: int | None = None, processes: int | None = None, advance: Callable[[int], None] = lambda _n: None,
) -> Tally:  # fmt: skip
    """Play `rounds` rounds with one wager on `spot`; `choice` is the player's, or drawn at the time out when None.

    `processes` defaults to the number of cores; `advance(n)` hears of every n rounds done.
    """
    work = [[number, min(CHUNK, rounds - at)] for number, at in enumerate(range(0, rounds, CHUNK))]
    wheel = wheel_of(sections)
    one = partial(_chunk, configuration.game.name, configuration.settings, spot, choice, wheel, seed)
    tally = Tally()
    for part in _spread(one, work, processes or os.cpu_count() or 1):
        tally.add(part)
        advance(part.rounds)
    return tally


def _spread(one: Callable[[list[int]], Tally], work: list[list[int]], processes: int) -> Iterator[Tally]:
    if processes == 1 or len(work) < 2:
        yield from map(one, work)
        return
    with ProcessPoolExecutor(min(processes, len(work))) as pool:
        yield from pool.map(one, work)
