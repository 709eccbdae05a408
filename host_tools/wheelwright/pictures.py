"""Pictures of a report as SVG text: sections hit round the wheel, speed over one spin."""

import io
import math
from collections.abc import Sequence
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no window, whatever the machine offers
from matplotlib.figure import Figure

COLOURS = {
    "1": "#c9a227", "2": "#2a7fb8", "5": "#8e4fa8", "10": "#3a9d5d", "20": "#d9822b", "40": "#c0392b",
    "2x": "#333333", "7x": "#333333",
}  # fmt: skip
# The same report gives the same bytes: no date, and ids that do not depend on the run.
SETTINGS: Any = {"svg.hashsalt": "wheelwright", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}


def sections_hit(hits: Sequence[int], layout: Sequence[str]) -> str:
    """A bar for each section, clockwise from the top as on the wheel; `hits` counts results by section."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(5, 5), layout="constrained")
        axes: Any = figure.add_subplot(projection="polar")
        axes.set_theta_zero_location("N")
        axes.set_theta_direction(-1)
        step = 2 * math.pi / len(layout)
        angles = [step * (section + 0.5) for section in range(len(layout))]
        top = max([*hits, 1])
        rim = top * 1.15
        axes.bar(angles, [top] * len(layout), width=step * 0.9, bottom=top * 0.35, color="#eef1f4")  # the empty wheel
        colours = [COLOURS.get(symbol, "#777777") for symbol in layout]
        axes.bar(angles, hits, width=step * 0.9, bottom=top * 0.35, color=colours)
        for angle, symbol, colour in zip(angles, layout, colours, strict=True):
            axes.text(angle, rim + top * 0.4, symbol, ha="center", va="center", color=colour, fontsize=7)
        axes.set_ylim(0, rim + top * 0.5)
        axes.set_axis_off()
        return svg_text(figure)


def spin_speed(points: Sequence[tuple[float, float]]) -> str:
    """Speed of the wheel in turns/s over seconds; `points` are (seconds since the spin began, turns/s)."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(7, 3.2), layout="constrained")
        axes: Any = figure.add_subplot()
        axes.plot([point[0] for point in points], [abs(point[1]) for point in points], color="#2a7fb8", linewidth=1.6)
        axes.set_xlabel("seconds")
        axes.set_ylabel("turns per second")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        return svg_text(figure)


def svg_text(figure: Figure) -> str:
    """A figure as an SVG element for a page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    return text[text.index("<svg") :]  # inside a page, an SVG has no XML head of its own


def counts(seen: Sequence[int]) -> str:
    """How often each outcome came, with the band in which 99.9 % of fair counts lie."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(8, 3), layout="constrained")
        axes: Any = figure.add_subplot()
        total, n = sum(seen), max(len(seen), 1)
        mean = total / n
        band = 3.29 * math.sqrt(mean * (1 - 1 / n))
        axes.axhspan(mean - band, mean + band, color="#dfe9df")
        axes.step(range(len(seen)), seen, where="mid", color="#2a7fb8")
        axes.set_xlabel("outcome")
        axes.set_ylabel("times")
        return svg_text(figure)


def p_values(found: Sequence[tuple[str, float]]) -> str:
    """The p-value of each test on one scale."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(8, 1 + 0.35 * len(found)), layout="constrained")
        axes: Any = figure.add_subplot()
        axes.axvspan(0, 0.001, color="#b3261e")
        axes.plot([p for _, p in found], range(len(found)), "o", color="#2a7fb8")
        axes.set_yticks(range(len(found)), [name for name, _ in found])
        axes.set_xlim(0, 1)
        axes.set_xlabel("p-value")
        return svg_text(figure)
