"""Aims a virtual wheel: finds the push that ends as wanted, by trying pushes on the same wheel model.

The table's own model is whole-number arithmetic, so what it does here it does there, to the last grain.
What is wanted, in words: see `KNOWN`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from tabletop.hal.virtual.wheel import PEG_HALF, SECTION, SECTIONS, TURN, Wheel, speed
from tabletop.rules.dreamcatcher import LAYOUT, MULTIPLIERS

from wheelwright.errors import WheelwrightError

LAUNCH_US = 300_000
TRIES = 4000
BACK = SECTION * 3 // 10  # a roll-back that every sensor sees
KNOWN = "section 17, symbol 7x, number, multiplier, roll-back, between, short"
CLEAR = PEG_HALF + SECTION // 40  # nearer to a line, sensors may rightly doubt on which side of a peg the wheel rests
# thousandths of a turn a second: ordinary launches, and those of a tired arm
ORDINARY = (750, 1450)
TIRED = (300, 650)


class Launch(NamedTuple):
    """A push from rest; as keywords for the hand's order `spin`."""

    speed_mturns_s: int
    direction: int
    noise: int

    def order(self) -> dict[str, int]:
        return self._asdict()


class Forecast(NamedTuple):
    """How a launch ends: `between` with the clapper on a peg, `rolled_back` well over a line it had passed.

    `clear`: the wheel rests on a peg, or well away from any.
    """

    section: int
    between: bool
    rolled_back: bool
    clear: bool
    turns: float
    seconds: float
    at: int
    side: int


Wanted = Callable[[Forecast], bool]


def forecast(at: int, side: int, launch: Launch) -> Forecast:
    """The spin of a wheel standing at `at` grains (`side`: how its clapper is bent)."""
    wheel = Wheel(at, launch.noise)
    wheel.place(at, side)
    wheel.push(0, launch.direction * speed(launch.speed_mturns_s), LAUNCH_US)
    furthest = at * launch.direction
    while wheel.moving:
        wheel.step()
        furthest = max(furthest, wheel.at * launch.direction)
    lines_passed = furthest // SECTION - (wheel.at * launch.direction) // SECTION
    return Forecast(
        section=wheel.at % TURN // SECTION,
        between=wheel.bent(),
        rolled_back=lines_passed > 0 and furthest - wheel.at * launch.direction >= BACK,
        clear=wheel.bent() or CLEAR <= wheel.at % SECTION <= SECTION - CLEAR,
        turns=abs(wheel.at - at) / TURN,
        seconds=wheel.t_us / 1e6,
        at=wheel.at,
        side=wheel.side,
    )


def _full(end: Forecast) -> bool:
    return end.turns > 3.1 and end.clear and not end.between


def wanted(words: str) -> tuple[tuple[int, int], Wanted]:
    """Speeds to try and the test of an outcome in words; E-9006 when they name none."""
    kind, _, value = words.partition(" ")
    if kind == "short":
        return TIRED, lambda end: end.turns < 2.9 and end.clear and not end.between
    if kind == "between":
        return ORDINARY, lambda end: end.turns > 3.1 and end.between
    if kind == "roll-back":
        return ORDINARY, lambda end: _full(end) and end.rolled_back
    if kind == "section" and value.isascii() and value.isdigit() and len(value) < 4 and int(value) < SECTIONS:
        return ORDINARY, lambda end: _full(end) and end.section == int(value)
    if kind == "symbol" and value in LAYOUT:
        return ORDINARY, lambda end: _full(end) and LAYOUT[end.section] == value
    if kind in ("number", "multiplier") and not value:
        return ORDINARY, lambda end: _full(end) and (LAYOUT[end.section] in MULTIPLIERS) == (kind == "multiplier")
    raise WheelwrightError(9006, words=repr(words[:40]), known=KNOWN)


def plan(at: int, side: int, words: str, seed: int) -> tuple[Launch, Forecast]:
    """A launch from `at` that ends as `words` say; the same for the same arguments. E-7206: none is found; E-9006."""
    (slowest, fastest), fits = wanted(words)
    draws = random.Random(seed)
    for _ in range(TRIES):
        launch = Launch(draws.randint(slowest, fastest), draws.choice((1, -1)), draws.randrange(1, 1 << 31))
        end = forecast(at, side, launch)
        if fits(end):
            return launch, end
    raise WheelwrightError(7206, outcome=words)
