"""Makes recordings of a wheel with a physical model of its own, and with faults, to try the sensing core on.

Lengths are sections, times seconds, speeds sections/s. The wheel has bearing friction, drag, and pegs that bend a
spring clapper from `window` before their line until `window` behind it, where it springs off and its energy is
lost; a wheel too slow for that is pushed back. Hands bring the wheel to a speed in a time. What truly happened is
kept beside the edges: see `Run.rests` and `truth`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay
from tabletop.sensing.spin import Spin

SECTIONS = 54
A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)
COUNTS_PER_TURN = (216, 250, 360, 500, 600, 1000, 1024, 2000, 2160, 2400, 2400, 2500, 4096, 5000)

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
    """What goes wrong and when. `slips`: (when, sections, in what time); `glitches`: (when, mask A 8 B 4 Z 2 C 1)."""

    slips: list[tuple[float, float, float]] = field(default_factory=list)
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

    def slipped(self, t: float) -> float:
        return sum(way * min(1.0, max(0.0, (t - at) / duration)) for at, way, duration in self.slips)


def within(spans: list[Span], t: float) -> bool:
    return any(begin <= t < end for begin, end in spans)


def count_edges(wheel: Wheel, ran: Run, faults: Faults) -> tuple[int, list[tuple[float, int, int]]]:
    """The count at the start, and an event (when, 1, count) for each count of the encoder's shaft."""
    per = wheel.counts_per_turn / SECTIONS
    knots: list[tuple[float, float | None]] = list(ran.knots)
    for at, _, duration in faults.slips:  # the shaft slips while the wheel rests, too
        knots += [(at + duration * i / 50, None) for i in range(51)]
    knots.sort(key=lambda knot: knot[0])
    was_t, was_x = ran.knots[0]
    was = was_x * per
    first = count = int(was // 1)
    events = []
    for t, known in knots:
        x = was_x if known is None else known
        now = (x + (faults.slipped(t) if faults.slips else 0.0)) * per
        new = int(now // 1)
        step = 1 if new > count else -1
        for n in range(count + step, new + step, step) if new != count else ():
            edge = n if step > 0 else n + 1
            events.append((was_t + (edge - was) / (now - was) * (t - was_t), 1, n))
        count = new
        was_t, was_x, was = t, x, now
    return first, events


def clapper_edges(ran: Run, bounce_s: float, rng: random.Random) -> list[tuple[float, int, int]]:
    events = []
    for t, on in ran.bent:
        events.append((t, 2, int(on)))
        for _ in range(rng.randrange(3) if bounce_s and t else 0):
            for level in (not on, on):
                t += rng.uniform(0.1, 1) * bounce_s / 4
                events.append((t, 2, int(level)))
    return events


def record(wheel: Wheel, ran: Run, faults: Faults, rng: random.Random) -> list[tuple[int, int]]:
    """Rows (us, levels A<<3|B<<2|Z<<1|C) of what the sensors report."""
    count, events = count_edges(wheel, ran, faults)
    events.append((0.0, 0, 0))
    events += clapper_edges(ran, faults.bounce_s, rng)
    for spans in (faults.frozen, faults.a_dead, faults.b_dead, faults.clapper_low, faults.clapper_high,
                  faults.index_dead):
        events += [(t, 0, 0) for span in spans for t in span if t < ran.ends]
    for at, mask in faults.glitches:
        events += [(at, 3, mask), (at + faults.glitch_s, 3, 0)]
    events.sort(key=lambda event: event[0])
    bent, mask = ran.bent[0][1], 0
    held: int | None = None
    rows: list[tuple[int, int]] = []
    for t, what, value in events:
        if what == 1:
            count = value
        elif what == 2:
            bent = bool(value)
        elif what == 3:
            mask = value
        held = (count if held is None else held) if within(faults.frozen, t) else None
        seen = count if held is None else held
        a = faults.dead_levels >> 1 if within(faults.a_dead, t) else A_LEVEL[seen & 3]
        b = faults.dead_levels & 1 if within(faults.b_dead, t) else B_LEVEL[seen & 3]
        z = (seen if faults.freeze_index else count) % wheel.counts_per_turn < 3 and not within(faults.index_dead, t)
        c = (bent and not within(faults.clapper_low, t)) or within(faults.clapper_high, t)
        levels = (a << 3 | b << 2 | z << 1 | c) ^ mask
        if not rows or levels != rows[-1][1]:
            rows.append((round(t * 1e6), levels))
    return rows


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
