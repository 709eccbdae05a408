"""Draws the plots of a run, as SVG for a page and as PNG for a PDF; the same plot gives the same bytes."""

import io
import itertools
import math
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from wheelwright.pictures import SETTINGS, svg_text
from wheelwright.reports.run import Plot

COLOURS = ("#2a7fb8", "#d9822b", "#3a9d5d", "#8e4fa8", "#c0392b")
LIMIT = "#b3261e"
DPI = 160  # of a picture in a PDF: sharp in print, 60 KB


def svg(plot: Plot) -> str:
    """The picture as text of an SVG element."""
    with rc_context(SETTINGS):
        return svg_text(figure(plot))


def png(plot: Plot) -> bytes:
    """The picture as a PNG file."""
    buffer = io.BytesIO()
    with rc_context(SETTINGS):
        figure(plot).savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def figure(plot: Plot) -> Figure:
    """The picture as matplotlib holds it."""
    made = Figure(figsize=(4.6, 4.6) if plot.polar else (7, 3), layout="constrained")
    axes: Any = made.add_subplot(projection="polar" if plot.polar else None)
    told: set[str] = set()
    turn = 2 * math.pi if plot.polar else 1
    for series, colour in zip(plot.series, COLOURS * len(plot.series), strict=False):
        x, y = [point[0] * turn for point in series.points], [point[1] for point in series.points]
        name = _text(series.name) if series.name not in told else ""  # two limits are one line of the legend
        told.add(series.name)
        if series.style == "points":
            axes.plot(x, y, ".", color=colour, label=name)
        elif series.style == "bars":
            width = min((b - a for a, b in itertools.pairwise(x) if b > a), default=turn) * 0.9
            axes.bar(x, y, width=width, color=colour, label=name)
        elif series.style == "limit":
            axes.plot(x, y, "--", color=LIMIT, linewidth=1.2, label=name)
        else:
            axes.plot(x, y, color=colour, linewidth=1.6, label=name)
    if plot.polar:
        axes.set_theta_zero_location("N")
        axes.set_theta_direction(-1)
    else:
        axes.set_xlabel(_text(plot.x))
        axes.set_ylabel(_text(plot.y))
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(_text(plot.title), fontsize=10)
    named = sum(bool(series.name) for series in plot.series)
    if named > 1 and plot.polar:
        made.legend(loc="outside lower center", ncols=named, fontsize=8, frameon=False)
    elif named > 1:
        axes.legend(fontsize=8, frameon=False)
    return made


def _text(words: str) -> str:
    """Words for a picture: matplotlib would read formulas between dollar signs."""
    return words.replace("$", r"\$")
