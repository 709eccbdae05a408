"""Wheels of another make, to try the sensing core on: a model of the physics that shares none with `wheel_traces`.

Lengths are sections, times seconds. A peg lifts the clapper over a smooth hill of height `hill` (as the square of a
speed); on the way down a share `given_back` of it returns, and it rubs by `rub` more than the bearing. The contact
closes `half` before the line and opens `half` and `lag` behind it, seen the way that the peg goes. Hands are brakes:
they hold the wheel back evenly from a moment on until it stands, and then keep it.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from tests.unit.wheel_traces import SECTIONS, Faults, Run, Wheel, record

STEP = 0.0005


@dataclass
class OtherWheel:
    counts_per_turn: int
    bearing: float = 4.0
    air: float = 0.001  # times the square of the speed
    hill: float = 5.0
    given_back: float = 0.3
    rub: float = 0.0
    half: float = 0.1
    lag: float = 0.0
    bounce_s: float = 0.0
    pegs: list[float] = field(default_factory=lambda: [0.0] * SECTIONS)

    @classmethod
    def some(cls, rng: random.Random, counts_per_turn: int = 0) -> OtherWheel:
        """Soft and stiff, narrow and broad pegs; contacts that bounce; 216 to 40,000 counts, few of them round."""
        wheel = cls(
            counts_per_turn or round(216 * (40_000 / 216) ** (rng.random() ** 1.5)),
            bearing=rng.uniform(1.5, 12),
            air=rng.choice((0.0, 0.001, 0.003)),
            hill=rng.choice((1.0, 3.0, 6.0, 12.0, 24.0)) * rng.uniform(0.7, 1.4),
            given_back=rng.choice((0.0, 0.3, 0.6, 0.9)),
            rub=rng.choice((0.0, 0.0, 4.0)),
            half=rng.uniform(0.06, 0.15),
            lag=rng.choice((0.0, 0.0, 0.01, 0.03)),
            bounce_s=rng.choice((0.0, 0.0, 0.0003, 0.001)),
        )
        wheel.pegs = [rng.gauss(0, rng.choice((0.0, 0.004, 0.008))) for _ in range(SECTIONS)]
        return wheel

    @classmethod
    def ordinary(cls, rng: random.Random, counts_per_turn: int = 0) -> OtherWheel:
        return cls(
            counts_per_turn or rng.choice((1000, 2000, 2160, 2400, 2500, 4096)),
            bearing=rng.uniform(2.5, 6),
            hill=rng.uniform(3, 7),
            given_back=rng.choice((0.0, 0.3, 0.6)),
            bounce_s=rng.choice((0.0, 0.0003)),
        )

    def speed_for(self, turns: float) -> float:
        """About the speed from which the wheel makes so many turns."""
        loss = 2 * self.bearing + self.hill * (1 - self.given_back) + 4 * self.half * self.rub
        way = turns * SECTIONS
        k = 2 * self.air
        return math.sqrt(loss * way if not k else loss / k * math.expm1(k * way))


def spin(wheel: OtherWheel, start: float, speed: float, brake: tuple[float, float] = (math.inf, 0)) -> Run:
    """One spin from rest at `start`. `brake`: from when a hand holds the wheel back, and how strongly (sections/s2)."""
    push_s, rest_s = 0.3, 2.1
    t, x, v, still = 0.0, start, 0.0, 0.0
    began, push = 0.3, speed / push_s
    knots = [(0.0, x)]
    on = abs(x - round(x) - wheel.pegs[round(x) % SECTIONS]) < wheel.half
    bent = [(0.0, on)]
    pegs, half, lag, bearing, air, hill = wheel.pegs, wheel.half, wheel.lag, wheel.bearing, wheel.air, wheel.hill
    slope = math.pi / half * hill / 4
    came = 1
    while still < rest_s:
        line = round(x) + pegs[round(x) % SECTIONS]
        off = x - line
        hold = bearing + air * v * v
        pull = 0.0
        if abs(off) < half:
            pull = slope * math.sin(math.pi * off / half)
            hold += wheel.rub
            if off * (v or off) > 0:
                pull *= wheel.given_back if off * came > 0 else max(0.5, wheel.given_back)
        if t >= brake[0]:
            hold += brake[1]
        if began <= t < began + push_s:
            v += push * STEP
        else:
            way = 1 if v > 0 else -1 if v < 0 else 0
            if way:
                faster = v + (pull - way * hold) * STEP
                v = 0.0 if faster * way <= 0 else faster
            elif abs(pull) > 1.2 * hold:
                v = (pull - math.copysign(hold, pull)) * STEP
        t += STEP
        if v:
            was, x = x, x + v * STEP
            knots.append((t, x))
            still = 0.0
            off = x - line
            edge = half + lag if on and off * came > 0 else half
            if (abs(off) < edge) != on:
                if not on:
                    came = 1 if v > 0 else -1
                share = (math.copysign(edge, off) - was + line) / (x - was)
                on = not on
                bent.append((t - (1 - min(1.0, max(0.0, share))) * STEP, on))
        elif t > began:
            still += STEP
    return Run(start, knots, bent, [(t - still, x, on)], t)


def rows_of(wheel: OtherWheel, ran: Run, faults: Faults, rng: random.Random) -> list[tuple[int, int]]:
    """What the sensors report (see `wheel_traces.record`)."""
    faults.bounce_s = faults.bounce_s or wheel.bounce_s
    return record(Wheel(wheel.counts_per_turn), ran, faults, rng)
