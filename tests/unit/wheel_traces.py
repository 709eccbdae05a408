"""Makes recordings of a wheel with a physical model of its own, and with faults, to try the sensing core on.

Lengths are sections, speeds sections/s. The wheel has bearing friction, drag, and pegs that bend a spring clapper from
`window` before their line until `window` behind it, where it springs off and the energy is lost. Hands give the
wheel a speed in a time. The truth (where it rests, whether on a peg, net turns) is kept beside the edges.
"""

import random
from dataclasses import dataclass, field

from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay

SECTIONS = 54
A_LEVEL = (0, 1, 1, 0)
B_LEVEL = (0, 0, 1, 1)


@dataclass
class Wheel:
    """One wheel; `barrier` is the energy a peg takes, as the square of a speed."""

    counts_per_turn: int = 2400
    friction: float = 5.0
    stiction: float = 1.25
    drag: float = 0.08
    window: float = 0.1
    barrier: float = 4.5
    peg_spread: float = 0.0
    stiffness_spread: float = 0.05
    pegs: list[float] = field(default_factory=list)

    @classmethod
    def some(cls, rng: random.Random, counts_per_turn: int | None = None) -> "Wheel":
        """An ordinary wheel: friction for spins of 5 to 60 s, soft to stiff pegs."""
        if counts_per_turn is None:
            counts_per_turn = rng.choice([216, 250, 360, 500, 600, 1000, 1024, 2000, 2160, 2400, 2400, 2500, 4096, 5000])
        friction = rng.choice([1.5, 2.5, 5.0, 5.0, 9.0, 15.0]) * rng.uniform(0.8, 1.25)
        wheel = cls(
            counts_per_turn,
            friction=friction,
            drag=rng.choice([0.0, 0.05, 0.1, 0.25]),
            window=rng.uniform(0.08, 0.13),
            barrier=rng.choice([1.0, 4.0, 4.5, 10.0, 20.0]) * rng.uniform(0.8, 1.25),
            peg_spread=rng.choice([0.0, 0.0, 0.015]),
        )
        wheel.pegs = [rng.uniform(-wheel.peg_spread, wheel.peg_spread) for _ in range(SECTIONS)]
        return wheel


@dataclass
class Run:
    """A wheel's way: knots (seconds, sections) and what it came to."""

    knots: list[tuple[float, float]]
    bent: list[tuple[float, bool]]
    ends: float
    rests: list[tuple[float, float, bool]]  # from when, where, on a peg


def spin(wheel: Wheel, rng: random.Random, start: float, hands: list[tuple[float, float, float]], rest_s: float = 2.1) -> Run:
    """Runs a wheel from rest at `start` through `hands`: (at s, speed at the end, duration s), in order, until it rests."""
    stiffness = [2 * wheel.barrier / (2 * wheel.window) ** 2 / 2 * rng.uniform(1 - wheel.stiffness_spread, 1 + wheel.stiffness_spread)
                 for _ in range(SECTIONS)]
    pegs = wheel.pegs or [0.0] * SECTIONS
    t, x, v = 0.0, start, 0.0
    knots = [(0.0, x)]
    rests = []
    hands = list(hands)
    grip: tuple[float, float, float] | None = None  # until, speed at the end, acceleration
    k = round(x)

    def bend_of(x: float) -> tuple[int, float]:
        k = round(x)
        return k, x - k - pegs[k % SECTIONS]

    k, off = bend_of(x)
    on = abs(off) <= wheel.window
    side = 1 if off < 0 else -1
    bent = [(0.0, on)]
    resting = True
    while True:
        if grip is None and hands and t >= hands[0][0]:
            at, speed, duration = hands.pop(0)
            grip = (at + duration, speed, (speed - v) / duration)
            resting = False
        if grip is not None and t >= grip[0] - 1e-9:
            v = grip[1]
            grip = None
        if resting:
            if not hands:
                break
            t = hands[0][0]
            knots.append((t, x))
            continue
        dt = min(0.001, 0.02 / max(abs(v), 1e-3))
        if grip is not None:
            dt = min(dt, grip[0] - t)
            a = grip[2]
        else:
            spring = 0.0
            if on:
                k, off = bend_of(x)
                spring = -side * (wheel.window + side * off) * stiffness[k % SECTIONS]
            if v == 0.0:
                if abs(spring) <= wheel.friction * wheel.stiction:
                    resting = True
                    rests.append((t, x, on))
                    continue
                a = spring - wheel.friction * (1 if spring > 0 else -1)
            else:
                a = spring - wheel.drag * v - wheel.friction * (1 if v > 0 else -1)
                if v * (v + a * dt) <= 0:
                    dt = max(-v / a, 1e-7)
                    x += v * dt / 2
                    v = 0.0
                    t += dt
                    knots.append((t, x))
                    continue
        x += v * dt + a * dt * dt / 2
        v += a * dt
        t += dt
        knots.append((t, x))
        k, off = bend_of(x)
        now = abs(off) <= wheel.window
        if now != on:
            # the edge lies between the last two knots
            (t0, x0), (t1, x1) = knots[-2:]
            kk, _ = bend_of(x if now else x0)
            line = kk + pegs[kk % SECTIONS]
            edge = line - wheel.window if abs(x0 + x1 - 2 * (line - wheel.window)) < abs(x0 + x1 - 2 * (line + wheel.window)) else line + wheel.window
            share = min(1.0, max(0.0, (edge - x0) / (x1 - x0))) if x1 != x0 else 1.0
            bent.append((t0 + share * (t1 - t0), now))
            on = now
            side = 1 if v > 0 else -1
    return Run(knots, bent, t + rest_s, rests)


@dataclass
class Faults:
    """What goes wrong, times in seconds. Spans are (from, until)."""

    slips: list[tuple[float, float, float]] = field(default_factory=list)  # at, sections, duration
    frozen: list[tuple[float, float]] = field(default_factory=list)
    freeze_index: bool = True
    a_dead: list[tuple[float, float]] = field(default_factory=list)
    b_dead: list[tuple[float, float]] = field(default_factory=list)
    clapper_low: list[tuple[float, float]] = field(default_factory=list)
    clapper_high: list[tuple[float, float]] = field(default_factory=list)
    index_dead: list[tuple[float, float]] = field(default_factory=list)
    glitches: list[tuple[float, int]] = field(default_factory=list)  # at, mask A 8, B 4, Z 2, C 1; for glitch_us
    glitch_us: int = 3
    bounce_s: float = 0.0
    stuck_levels: int = 0  # levels of dead lines A and B


def within(spans: list[tuple[float, float]], t: float) -> bool:
    return any(a <= t < b for a, b in spans)


def record(wheel: Wheel, run: Run, faults: Faults, rng: random.Random) -> list[tuple[int, int]]:
    """Rows (time in us, levels A<<3|B<<2|Z<<1|C) of what the sensors report."""
    per = wheel.counts_per_turn / SECTIONS
    events: list[tuple[float, int, int]] = [(0.0, 0, 0)]  # time, what (0 nothing, 1 count, 2 clapper, 3 glitch mask)

    def slipped(t: float) -> float:
        total = 0.0
        for at, sections, duration in faults.slips:
            total += sections * min(1.0, max(0.0, (t - at) / duration))
        return total

    def encoder(t: float, x: float) -> float:
        return (x + (slipped(t) if faults.slips else 0.0)) * per

    last_t, last_x = run.knots[0]
    last_e = encoder(last_t, last_x)
    count = first = int(last_e // 1)
    knots = list(run.knots)
    for at, _, duration in faults.slips:  # a slip at rest needs knots of its own
        knots += [(at + duration * i / 50, None) for i in range(51)]
    if faults.slips:
        knots.sort(key=lambda knot: knot[0])
    for t, x in knots[1:]:
        if x is None:
            x = last_x
        e = encoder(t, x)
        new = int(e // 1)
        if new != count:
            step = 1 if new > count else -1
            for n in range(count + step, new + step, step):
                edge = n if step > 0 else n + 1
                share = (edge - last_e) / (e - last_e)
                events.append((last_t + share * (t - last_t), 1, n))
            count = new
        last_t, last_x, last_e = t, x, e
    for t, on in run.bent:
        if faults.bounce_s and t:
            at = t
            for _ in range(rng.randrange(3)):
                events.append((at, 2, on))
                at += rng.uniform(0.1, 1) * faults.bounce_s / 4
                events.append((at, 2, not on))
                at += rng.uniform(0.1, 1) * faults.bounce_s / 4
            t = at
        events.append((t, 2, on))
    for spans in (faults.frozen, faults.a_dead, faults.b_dead, faults.clapper_low, faults.clapper_high, faults.index_dead):
        for span in spans:
            events += [(t, 0, 0) for t in span if t < run.ends]
    for at, mask in faults.glitches:
        events.append((at, 3, mask))
        events.append((at + faults.glitch_us / 1e6, 3, 0))
    events.sort(key=lambda event: event[0])
    count, clapper, mask, held = first, run.bent[0][1], 0, None
    rows: list[tuple[int, int]] = []
    for t, what, value in events:
        if what == 1:
            count = value
        elif what == 2:
            clapper = bool(value)
        elif what == 3:
            mask = value
        seen = count
        if within(faults.frozen, t):
            held = count if held is None else held
            seen = held
        else:
            held = None
        a, b = A_LEVEL[seen & 3], B_LEVEL[seen & 3]
        if within(faults.a_dead, t):
            a = faults.stuck_levels >> 1 & 1
        if within(faults.b_dead, t):
            b = faults.stuck_levels & 1
        z = (seen if faults.freeze_index else count) % wheel.counts_per_turn < 3 and not within(faults.index_dead, t)
        c = (clapper and not within(faults.clapper_low, t)) or within(faults.clapper_high, t)
        levels = (a << 3 | b << 2 | z << 1 | c) ^ mask
        if not rows or levels != rows[-1][1]:
            rows.append((round(t * 1e6), levels))
    return rows


@dataclass
class Truth:
    outcome: str
    section: int
    turns: float
    direction: str


def truth(run: Run, start: float, which: int = -1) -> Truth:
    """What an onlooker sees at rest number `which`, after one spin from `start`."""
    _, x, on = run.rests[which]
    turns = (x - start) / SECTIONS
    outcome = "SHORT_SPIN" if abs(turns) < 3 else "BETWEEN_SECTIONS" if on else "SECTION"
    return Truth(outcome, int(x // 1) % SECTIONS, abs(turns), "forward" if turns > 0 else "backward")


def sense(wheel: Wheel, rows: list[tuple[int, int]], ends: float, start: float | None, offset_us: int = 0, tick_only: bool = False):
    """The spins that the sensing core reports, as (Spin, time in us)."""
    spins = []
    words = []
    was = 0
    for t, levels in rows:
        words.append((t - was) << 4 | levels)
        was = t
    count = -1 if start is None else int(start * wheel.counts_per_turn / SECTIONS // 1) % wheel.counts_per_turn
    replay = Replay(WheelConfig(wheel.counts_per_turn), rows[0][1], count, lambda spin, t_us: spins.append((spin, t_us)), offset_us)
    replay.feed(words, len(words))
    replay.end(offset_us + int(ends * 1e6))
    return spins
