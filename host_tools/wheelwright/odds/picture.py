"""The distribution of a game's pays as an SVG: how often a win is at least so high, exact and simulated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no window, whatever the machine offers
from matplotlib.figure import Figure

from wheelwright import whole
from wheelwright.odds.price import Price
from wheelwright.odds.simulation import Tally

_SETTINGS: Any = {"svg.hashsalt": "wheelwright", "svg.fonttype": "none", "font.size": 9}


def at_least(chances: dict[int, float]) -> tuple[list[int], list[float]]:
    """Odds above 0, rising, and the chance of at least these odds."""
    odds = sorted(value for value in chances if value > 0)
    left, shares = sum(chances[value] for value in odds), []
    for value in odds:
        shares.append(left)
        left -= chances[value]
    return odds, shares


def draw(path: Path, title: str, prices: Sequence[Price], tallies: Sequence[Tally | None]) -> None:
    """Write the picture; simulated points carry no line, exact ones are steps. Both axes are logarithmic."""
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(7, 4), layout="constrained")
        axes: Any = figure.add_subplot()
        for one, tally in zip(prices, tallies, strict=True):
            name = f"{one.spot} {one.choice}".strip()
            if one.pays is not None:
                odds, shares = at_least({value: float(chance) for value, chance in one.pays.items()})
                axes.step(odds, shares, where="pre", label=f"{name}, exact")
            if tally is not None:
                odds, shares = at_least({value: count / tally.rounds for value, count in tally.odds.items()})
                axes.plot(odds, shares, ".", markersize=3, label=f"{name}, {tally.rounds} simulated")
        axes.set(xscale="log", yscale="log", xlabel="odds to 1", ylabel="chance of at least these odds", title=title)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        with whole.placed(path) as part:
            figure.savefig(part, format="svg", metadata={"Date": None, "Creator": None})
