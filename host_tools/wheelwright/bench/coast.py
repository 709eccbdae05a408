"""The coast-down of a spin: what the wheel loses, and how that compares with its earlier spins ("wheel health")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from wheelwright.bench.capture import Capture, Passing
from wheelwright.bench.encoder import Wheel
from wheelwright.bench.finding import Found, invalid
from wheelwright.reports.run import Plot, Series

AT = 0.5  # turns a second: where wheels are compared, whatever their first speed
SPAN = 9  # sections to a point of the curve
USUAL = (0.05, 0.17)  # turns/s2 that a wheel loses there, which nobody has measured before
CHANGE = 0.25  # of its own earlier value: more is a change of the wheel
ABRUPT = 3.5  # times what it loses otherwise


def speeds(passings: Sequence[Passing], wheel: Wheel) -> list[tuple[float, float]]:
    """(seconds, turns a second) of each section, from peg to peg; a missed peg leaves out its sections."""
    found = []
    for one, later in pairwise(passings):
        steps = abs(later.middle - one.middle) / wheel.section
        us = later.middle_us - one.middle_us
        if us > 0 and 0.7 < steps < 1.3:
            found.append(((one.middle_us + later.middle_us) / 2e6, 1e6 / us / wheel.sections))
    return found


def curve(passings: Sequence[Passing], wheel: Wheel) -> list[tuple[float, float]]:
    """(turns a second, turns a second lost in a second) along the spin, from its top speed on."""
    points = speeds(passings, wheel)
    top = max(range(len(points)), key=lambda i: points[i][1], default=0)
    points = points[top:]
    found = []
    last = len(points) - 1 - SPAN
    for i in [*range(0, last, SPAN // 2), last] if last >= 0 else []:
        (t0, v0), (t1, v1) = points[i], points[i + SPAN]
        if t1 > t0:
            found.append(((v0 + v1) / 2, (v0 - v1) / (t1 - t0)))
    return found


def loss_at(points: Sequence[tuple[float, float]], speed: float = AT) -> float | None:
    """Turns/s2 lost at `speed`, from the line through the curve; None when it has too few points near it."""
    near = [(v, a) for v, a in points if 0.5 * speed < v < 1.8 * speed]
    if len(near) < 5:
        return None
    usual = median(a for _, a in near)
    near = [(v, a) for v, a in near if a < 2 * usual]
    mean_v = sum(v for v, _ in near) / len(near)
    mean_a = sum(a for _, a in near) / len(near)
    spread = sum((v - mean_v) ** 2 for v, _ in near)
    slope = sum((v - mean_v) * (a - mean_a) for v, a in near) / spread if spread else 0.0
    return mean_a + slope * (speed - mean_v)


def coast_down(forward: Capture, wheel: Wheel, earlier: Sequence[float]) -> Found:
    """What the wheel loses at half a turn a second; `earlier`: the same of this table's earlier runs."""
    points = curve(forward.main(), wheel)
    worst = max((a for _, a in points), default=0.0)
    if points and worst > ABRUPT * max(median(a for _, a in points), USUAL[0]):
        return replace(invalid(f"the wheel lost {worst:.2f} turns/s2 at once"), fault="hand", next_step="")
    loss = loss_at(points)
    if loss is None:
        return invalid("too few pegs came to follow its speed", "mend encoder and clapper first, then spin faster")
    before = median(earlier) if earlier else None
    low, high = USUAL if before is None else (before * (1 - CHANGE), before * (1 + CHANGE))
    low, high = round(low, 4), round(high, 4)
    plot = Plot(title="Coast-down", x="turns a second", y="turns a second lost in a second", series=[
        Series(name="this spin", points=[(round(v, 4), round(a, 4)) for v, a in points], style="points"),
        Series(name="expected at most", points=[(0.0, high), (1.5, high)], style="limit"),
    ])  # fmt: skip
    like = "as wheels of this size" if before is None else f"as in {len(earlier)} earlier runs"
    since = "the first run of this table" if before is None else f"{before:.3f} before"
    fault = "bearing" if loss > high else "bearing_free" if loss < low else ""
    return Found(
        "FAIL" if fault else "PASS", round(loss, 4), low, high, "turns/s2", f"at {AT} turns/s, {like}",
        f"{loss:.3f} turns/s2 lost at {AT} turns/s, {since}", fault, plot=plot,
    )  # fmt: skip
