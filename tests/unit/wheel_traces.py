"""Makes recordings of a wheel with a physical model of its own, and with faults, to try the sensing core on.

Lengths are sections, times seconds, speeds sections/s. The wheel has bearing friction, drag, and pegs that bend a
spring clapper from `window` before their line until `window` behind it, where it springs off and its energy is
lost; a wheel too slow for that is pushed back. Hands bring the wheel to a speed in a time. What truly happened is
kept beside the edges: see `Run.rests` and `truth`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay
from tabletop.sensing.spin import Spin

SECTIONS = 54
A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)
COUNTS_PER_TURN = (216, 250, 360, 500, 600, 1000, 1024, 2000, 2160, 2400, 2400, 2500, 4096, 5000)

Times = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Span = tuple[float, float]
Hand = tuple[float, float, float]  # from when, speed at the end, for how long


@dataclass
class Wheel:
    """One wheel; `barrier` is the energy that a peg takes, as the square of a speed."""

    counts_per_turn: int = 2400
    friction: float = 5.0
    drag: float = 0.08
    window: float = 0.1
    barrier: float = 4.5
    pegs: list[float] = field(default_factory=lambda: [0.0] * SECTIONS)

    @classmethod
    def some(cls, rng: random.Random, counts_per_turn: int = 0) -> Wheel:
        """Any wheel: spins of 4 to 60 s, soft and stiff pegs, pegs in their places or up to 0.03 section apart."""
        wheel = cls(
            counts_per_turn or rng.choice(COUNTS_PER_TURN),
            friction=rng.choice((1.5, 2.5, 5.0, 5.0, 9.0, 15.0)) * rng.uniform(0.8, 1.25),
            drag=rng.choice((0.0, 0.05, 0.1, 0.25)),
            window=rng.uniform(0.08, 0.13),
            barrier=rng.choice((1.0, 4.0, 4.5, 10.0, 20.0)) * rng.uniform(0.8, 1.25),
        )
        spread = rng.choice((0.0, 0.0, 0.015))
        wheel.pegs = [rng.uniform(-spread, spread) for _ in range(SECTIONS)]
        return wheel

    @classmethod
    def ordinary(cls, rng: random.Random, counts_per_turn: int = 0) -> Wheel:
        """A wheel as in the public traces."""
        return cls(
            counts_per_turn or rng.choice((2160, 2400, 4096)),
            friction=rng.uniform(2.4, 6),
            barrier=rng.uniform(3.5, 6),
            drag=rng.choice((0.05, 0.1, 0.3)),
        )

    def speed_for(self, turns: float) -> float:
        """About the speed from which the wheel makes so many turns."""
        loss = 2 * (self.friction + self.barrier / 2) * SECTIONS * turns
        return min(200.0, loss**0.5 * (1 + 0.6 * self.drag))


@dataclass
class Run:
    """A wheel's way: knots (when, where); `bent` the clapper's edges; `rests` (when, where, on a peg)."""

    start: float
    knots: list[tuple[float, float]]
    bent: list[tuple[float, bool]]
    rests: list[tuple[float, float, bool]]
    ends: float


def run(wheel: Wheel, rng: random.Random, start: float, hands: list[Hand], rest: float = 2.1) -> Run:
    """Lets the wheel go from rest at `start` through `hands`, in order, until it rests after the last of them."""
    stiffness = [wheel.barrier / (2 * wheel.window) ** 2 * rng.uniform(0.95, 1.05) for _ in range(SECTIONS)]
    friction, drag, window, pegs = wheel.friction, wheel.drag, wheel.window, wheel.pegs
    t, x, v = 0.0, start, 0.0
    k = round(x)
    off = x - k - pegs[k % SECTIONS]
    on = abs(off) <= window
    side = 1 if off < 0 else -1
    knots = [(t, x)]
    bent = [(t, on)]
    rests: list[tuple[float, float, bool]] = []
    waiting = list(hands)
    grip: Hand | None = None  # until, speed at the end, acceleration
    resting = True
    while True:
        if grip is None and waiting and t >= waiting[0][0]:
            at, speed, duration = waiting.pop(0)
            grip = (at + duration, speed, (speed - v) / duration)
            resting = False
        if grip is not None and t >= grip[0] - 1e-9:
            v = grip[1]
            grip = None
        if resting:
            if not waiting:
                return Run(start, knots, bent, rests, t + rest)
            t = waiting[0][0]
            knots.append((t, x))
            continue
        dt = min(0.001, 0.02 / max(abs(v), 1e-3))
        if grip is not None:
            dt = min(dt, grip[0] - t)
            a = grip[2]
        else:
            spring = -side * (window + side * off) * stiffness[k % SECTIONS] if on else 0.0
            if v == 0.0 and abs(spring) <= 1.25 * friction:
                resting = True
                rests.append((t, x, on))
                continue
            if v == 0.0:
                a = spring - friction * (1 if spring > 0 else -1)
            else:
                a = spring - drag * v - friction * (1 if v > 0 else -1)
                if v * (v + a * dt) <= 0:
                    dt = max(-v / a, 1e-7)
                    x += v * dt / 2
                    v = 0.0
                    t += dt
                    k = round(x)
                    off = x - k - pegs[k % SECTIONS]
                    knots.append((t, x))
                    continue
        was_x, was_off, was_k = x, off, k
        x += v * dt + a * dt * dt / 2
        v += a * dt
        t += dt
        k = round(x)
        off = x - k - pegs[k % SECTIONS]
        knots.append((t, x))
        if (abs(off) <= window) != on:
            on = not on
            line = (k if on else was_k) + pegs[(k if on else was_k) % SECTIONS]
            edge = line + (window if (off if on else was_off) > 0 else -window)
            if not on:
                edge = line + (window if x > line else -window)
            share = min(1.0, max(0.0, (edge - was_x) / (x - was_x)))
            bent.append((t - (1 - share) * dt, on))
            side = 1 if v > 0 else -1


@dataclass
class Faults:
    """What goes wrong and when. `slips`: (when, sections, in what time); `glitches`: (when, mask A 8 B 4 Z 2 C 1).
    `play`: (when, sections): the encoder waits until the wheel has turned so far."""

    slips: list[tuple[float, float, float]] = field(default_factory=list)
    play: Span = (0.0, 0.0)
    frozen: list[Span] = field(default_factory=list)
    freeze_index: bool = True
    a_dead: list[Span] = field(default_factory=list)
    b_dead: list[Span] = field(default_factory=list)
    dead_levels: int = 0
    clapper_low: list[Span] = field(default_factory=list)
    clapper_high: list[Span] = field(default_factory=list)
    index_dead: list[Span] = field(default_factory=list)
    glitches: list[tuple[float, int]] = field(default_factory=list)
    glitch_s: float = 3e-6
    bounce_s: float = 0.0

    def slipped(self, t: Times) -> Times:
        """How far the shaft has turned against the wheel, sections."""
        ways = [way * np.clip((t - at) / duration, 0.0, 1.0) for at, way, duration in self.slips]
        return sum(ways, np.zeros_like(t))


def within(spans: list[Span], t: Times) -> npt.NDArray[np.bool_]:
    inside = np.zeros(len(t), bool)
    for begin, end in spans:
        inside |= (begin <= t) & (t < end)
    return inside


def count_edges(wheel: Wheel, ran: Run, faults: Faults) -> tuple[int, Times, Counts]:
    """The count at the start, and when each count of the encoder's shaft came."""
    per = wheel.counts_per_turn / SECTIONS
    t, x = np.array(ran.knots).T
    for at, _, duration in faults.slips:  # the shaft slips while the wheel rests, too
        more = at + duration * np.arange(51) / 50
        known = np.searchsorted(t, more, side="right")
        t, x = np.insert(t, known, more), np.insert(x, known, x[known - 1])
    begin, most = faults.play
    if most:
        first = np.searchsorted(t, begin)
        waited = np.clip(x - x[first - 1], -most, most)
        waited[:first] = 0
        if (full := np.abs(waited) >= most).any():
            waited[full.argmax():] = waited[full.argmax()]
        x = x - waited
    now = (x + faults.slipped(t)) * per
    whole = np.floor(now).astype(np.int64)
    steps = np.diff(whole)
    many = np.abs(steps)
    knot = np.repeat(np.arange(len(steps)), many)  # that each count comes after
    way = np.sign(steps)[knot]
    number = np.arange(len(knot)) - np.repeat(np.cumsum(many) - many, many) + 1
    count = whole[knot] + way * number
    edge = np.where(way > 0, count, count + 1)
    share = (edge - now[knot]) / (now[knot + 1] - now[knot])
    return int(whole[0]), t[knot] + share * (t[knot + 1] - t[knot]), count


def clapper_edges(ran: Run, bounce_s: float, rng: random.Random) -> list[tuple[float, bool]]:
    events = []
    for t, on in ran.bent:
        events.append((t, on))
        for _ in range(rng.randrange(3) if bounce_s and t else 0):
            for level in (not on, on):
                t += rng.uniform(0.1, 1) * bounce_s / 4
                events.append((t, level))
    return events


def held(at: Times, values: Counts, t: Times, first: int) -> Counts:
    """The value at each moment `t` of what becomes `values` at the moments `at`."""
    return np.concatenate(([first], values))[np.searchsorted(at, t, side="right")]


def record(wheel: Wheel, ran: Run, faults: Faults, rng: random.Random) -> list[tuple[int, int]]:
    """Rows (us, levels A<<3|B<<2|Z<<1|C) of what the sensors report."""
    first, count_t, counts = count_edges(wheel, ran, faults)
    clapper = sorted(clapper_edges(ran, faults.bounce_s, rng), key=lambda edge: edge[0])
    noise = sorted((t, mask) for at, m in faults.glitches for t, mask in ((at, m), (at + faults.glitch_s, 0)))
    spans = (faults.frozen, faults.a_dead, faults.b_dead, faults.clapper_low, faults.clapper_high, faults.index_dead)
    bounds = [t for some in spans for span in some for t in span if t < ran.ends]
    clapper_t, noise_t = np.array([t for t, _ in clapper]), np.array([t for t, _ in noise])
    t = np.unique(np.concatenate(([0.0], count_t, clapper_t, noise_t, bounds)))
    count = held(count_t, counts, t, first)
    bent = held(clapper_t, np.array([on for _, on in clapper]), t, 0) > 0
    seen = count
    for begin, end in faults.frozen:
        frozen = (begin <= t) & (t < end)
        if frozen.any():
            seen = np.where(frozen, seen[frozen.argmax()], seen)
    quarter = seen & 3
    a = np.where(within(faults.a_dead, t), faults.dead_levels >> 1, np.array(A_LEVEL)[quarter])
    b = np.where(within(faults.b_dead, t), faults.dead_levels & 1, np.array(B_LEVEL)[quarter])
    z = ((seen if faults.freeze_index else count) % wheel.counts_per_turn < 3) & ~within(faults.index_dead, t)
    c = (bent & ~within(faults.clapper_low, t)) | within(faults.clapper_high, t)
    levels = (a << 3 | b << 2 | z << 1 | c) ^ held(noise_t, np.array([mask for _, mask in noise], int), t, 0)
    changed = np.concatenate(([True], levels[1:] != levels[:-1]))
    return list(zip(np.rint(t[changed] * 1e6).astype(np.int64).tolist(), levels[changed].tolist(), strict=True))


def truth(ran: Run, spin: int = -1) -> tuple[str, int | None]:
    """Outcome and section that an onlooker sees at rest number `spin`."""
    _, x, on = ran.rests[spin]
    before = ran.start if spin in (0, -len(ran.rests)) else ran.rests[spin - 1][1]
    if abs(x - before) < 3 * SECTIONS:
        return "SHORT_SPIN", None
    return ("BETWEEN_SECTIONS", None) if on else ("SECTION", int(x // 1) % SECTIONS)


def sense(
    wheel: Wheel, rows: list[tuple[int, int]], ends: float, start: float | None, begin_us: int = 0
) -> list[Spin]:
    """The spins that the sensing core reports; `start` None when nobody knows where the wheel stood."""
    spins: list[Spin] = []
    words = []
    was_us = 0
    for t_us, levels in rows:
        words.append((t_us - was_us) << 4 | levels)
        was_us = t_us
    count = -1 if start is None else int(start * wheel.counts_per_turn / SECTIONS // 1) % wheel.counts_per_turn
    replay = Replay(WheelConfig(wheel.counts_per_turn), rows[0][1], count, lambda spin, _: spins.append(spin), begin_us)
    replay.feed(words, len(words))
    replay.end(begin_us + int(ends * 1e6))
    return spins


def told(spins: list[Spin]) -> list[tuple[str, int | None]]:
    return [(spin.outcome, spin.section if spin.outcome == "SECTION" else None) for spin in spins]
