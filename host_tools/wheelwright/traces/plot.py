"""Draws a trace: speed and position over time, the edges of clapper and index, and what the sensing core made of it."""

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure
from tabletop.sensing.quadrature import Quadrature

from wheelwright import whole
from wheelwright.pictures import SETTINGS, svg_text
from wheelwright.traces.trace import Event, Trace

SPAN_S = 0.1  # speed is measured over so long
BLUE, RED, GREY, GREEN = "#2a7fb8", "#b3261e", "#5b6876", "#3a9d5d"


class Seen(NamedTuple):
    """What lines did, in seconds: (when, turns since the start) of the encoder; index pulses; clapper (from, to)."""

    way: list[tuple[float, float]]
    pulses: list[float]
    bent: list[tuple[float, float]]
    ends: float


def seen(trace: Trace) -> Seen:
    """The trace as people look at it."""
    quadrature = Quadrature(trace.levels >> 3, trace.levels >> 2 & 1)
    found = Seen([(0.0, 0.0)], [], [], trace.ends_us / 1e6)
    levels, now_us, since = trace.levels, 0, 0.0
    for word in trace.words:
        now_us += word >> 4
        at = now_us / 1e6
        changed, levels = (word & 15) ^ levels, word & 15
        if changed & 12:
            found.way.append((at, quadrature.step(levels >> 3, levels >> 2 & 1) / trace.counts_per_turn))
        if changed & 2 and levels & 2:
            found.pulses.append(at)
        if changed & 1 and levels & 1:
            since = at
        elif changed & 1:
            found.bent.append((since, at))
    if levels & 1:
        found.bent.append((since, found.ends))
    found.way.append((found.ends, found.way[-1][1]))
    return found


def speeds(way: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """(when, turns/s) over spans of SPAN_S; the counts in a span, or none when the wheel rests."""
    found = []
    number, last = 0, way[0][1]
    for step in range(1, int(way[-1][0] / SPAN_S) + 1):
        until, before = step * SPAN_S, last
        while number < len(way) and way[number][0] <= until:
            last = way[number][1]
            number += 1
        found.append((until - SPAN_S / 2, (last - before) / SPAN_S))
    return found


def draw(trace: Trace, events: Sequence[Event], path: Path) -> None:
    """Write the picture, SVG or PNG by the path's name. E-8010."""
    with rc_context(SETTINGS):
        figure = _figure(trace, events)
        if path.suffix.lower() == ".svg":
            data: bytes | str = svg_text(figure)
        else:
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", dpi=130, metadata={"Software": None})
            data = buffer.getvalue()
    whole.write(path, data)


def _figure(trace: Trace, events: Sequence[Event]) -> Figure:
    lines = seen(trace)
    figure = Figure(figsize=(9, 6), layout="constrained")
    speed, way, edges = figure.subplots(3, 1, sharex=True, height_ratios=(3, 3, 1))
    measured = speeds(lines.way)
    speed.plot([at for at, _ in measured], [value for _, value in measured], color=BLUE, linewidth=1.4)
    speed.set_ylabel("turns/s")
    way.plot([at for at, _ in lines.way], [turns for _, turns in lines.way], color=BLUE, linewidth=1.4)
    way.set_ylabel("turns")
    edges.hlines([0] * len(lines.bent), [a for a, _ in lines.bent], [b for _, b in lines.bent], color=GREY, linewidth=9)
    edges.plot(lines.pulses, [1] * len(lines.pulses), "|", color=GREEN, markersize=12)
    edges.set_yticks([0, 1], ["clapper bent", "index"])
    edges.set_ylim(-0.7, 1.7)
    edges.set_xlabel("seconds")
    edges.set_xlim(0, lines.ends or 1)
    for axes in (speed, way, edges):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        for one in events:
            axes.axvline(int(str(one["t_us"])) / 1e6, color=RED, linestyle="--", linewidth=1)
    for one in events:
        told = speed.annotate(
            _words(one), (int(str(one["t_us"])) / 1e6, 1), xycoords=("data", "axes fraction"), fontsize=8, color=RED,
            ha="right", va="top", xytext=(-4, -2), textcoords="offset points",
        )  # fmt: skip
        told.set_in_layout(False)
    speed.set_title(title(trace).replace("$", r"\$"), fontsize=10)
    return figure


def title(trace: Trace) -> str:
    """Which spin this is: table, record and time where the recording has them, else the name of its file."""
    which = textwrap.shorten(", ".join(trace.origin) or trace.name, 90, placeholder="...")
    return f"{which}: {trace.counts_per_turn} counts a turn"


def _words(event: Event) -> str:
    section = f" {event['section']}" if event["section"] is not None else ""
    marks: Any = [*event["faults"], *event["notes"]]  # type: ignore[misc]
    return "\n".join([f"{event['outcome']}{section}".replace("_", " ").lower(), *marks])
