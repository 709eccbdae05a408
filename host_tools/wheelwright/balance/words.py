"""The verdict on a wheel in plain words, and its picture."""

import math
from collections.abc import Sequence
from typing import Any

from wheelwright.balance import power
from wheelwright.balance.evidence import ALPHA, KINDS, SECTIONS
from wheelwright.balance.verdict import Look, Verdict
from wheelwright.reports.run import Plot, Series
from wheelwright.wording import count

DISTANCES = {"heavy spot": "one distance too often", "one section": "one exact distance", "any pattern": "any pattern"}
BAND = 3.29  # standard deviations: 99.9 % of the counts of a section on a level wheel lie within


def lines(verdict: Verdict, layout: Sequence[str]) -> list[str]:
    """What was seen, what so many spins can show, and what they cannot."""
    return [_what(verdict), *seen(verdict, layout), *can(verdict), *by_dealer(verdict), *_textbook(verdict)]


def _what(verdict: Verdict) -> str:
    test = f", {verdict.test} of them in test mode" if verdict.test else ""
    counts = verdict.results.counts
    most, fewest = max(counts), min(counts)
    return (
        f"{count(verdict.spins, 'spin')} gave a section, {verdict.forward} forward and "
        f"{verdict.spins - verdict.forward} backward{test}; a section came {verdict.spins / SECTIONS:.1f} times on "
        f"average, between {fewest} (section {counts.index(fewest)}) and {most} (section {counts.index(most)})"
    )


def seen(verdict: Verdict, layout: Sequence[str]) -> list[str]:
    """One line for each alert, or that there is none."""
    if not verdict.alerts:
        return ["no lean was seen; that is no proof that there is none"]
    return [f"ALERT {look.name}: {_alert(look, layout)}" for look in verdict.alerts]


def short(look: Look) -> str:
    """An alert in a few words, for a sentence."""
    return f"{look.name}, {look.alerts[0] if look.of_results else DISTANCES[look.alerts[0]]}"


def _alert(look: Look, layout: Sequence[str]) -> str:
    kind, lean = look.alerts[0], look.lean
    top, mean = max(look.counts), look.spins / SECTIONS
    at = lean.section if kind == "heavy spot" else look.counts.index(top)
    place = f"section {at} ({layout[at]})" if look.of_results else f"{count(at, 'section')} on from where they began"
    if kind == "any pattern":
        words = f"{'sections' if look.of_results else 'distances'} differ by more than chance, in no simple pattern"
    elif not look.of_results and kind == "heavy spot":
        words = f"spins end about {place} {_share(lean.lean)} more often, and as much less half a turn from there"
    elif not look.of_results:
        words = f"spins ended {place} {top} times, {_share(top / mean - 1)} more than the mean"
    elif kind == "heavy spot":
        words = f"a heavy spot, {place}: {_share(lean.lean)} more often there, as much less opposite"
    else:
        words = f"{place} came {top} times, {_share(top / mean - 1)} more than the mean"
    who = "A level wheel" if look.of_results else "A wheel that is thrown by no habit"
    return f"{words}. {who} ever shows as much with a chance below {_chance(look.chance)}"


def by_dealer(verdict: Verdict) -> list[str]:
    """How many spins each dealer had, and what so many can show; nothing without a list of dealers."""
    if not any(verdict.dealers):
        return []
    needed = {look.name: look.needed("heavy spot") for look in verdict.looks}
    told = []
    for dealer, spins in verdict.dealers.items():
        lean = power.smallest_lean(spins, needed[f"results of dealer {dealer}"]) if dealer else None
        finds = "too few to show any habit" if lean is None else f"a lean of {_share(lean)} or more is found"
        told.append(f"dealer {dealer}: {count(spins, 'spin')}, {finds}" if dealer else
                    f"{count(spins, 'spin')} at times of no dealer in the list")  # fmt: skip
    return told


def can(verdict: Verdict) -> list[str]:
    """What this number of spins can show, and what it cannot."""
    lean, excess = verdict.smallest_lean, verdict.smallest_excess
    if lean is None:
        return [f"{count(verdict.spins, 'spin')} are too few to show any heavy spot: take more"]
    told = [
        f"so many spins find, nine times out of ten, a heavy spot of {_share(lean)} or more "
        f"({_share(lean)} more often on its side, as much less opposite); they cannot show a smaller one"
    ]
    if excess is not None:
        told.append(f"and one section that comes {_share(excess)} too often or more; they cannot show a smaller excess")
    return [*told, f"to find one half as heavy takes four times as many, about {count(verdict.spins * 4, 'spin')}"]


def _textbook(verdict: Verdict) -> list[str]:
    shown = [f"{name} {'needs 270 spins' if p is None else f'p = {p:.3g}'}" for name, p in verdict.p.items()]
    return [
        f"for one look only: {', '.join(shown)}",
        f"an alert here is right however often one looks: a level wheel ever raises one with a chance of {ALPHA:.0%}",
    ]


def _share(value: float) -> str:
    return f"{100 * value:.2g} %" if value < 0.995 else f"{100 * value:.0f} %"


def _chance(value: float) -> str:
    return f"1 in {1 / value:,.0f}" if value > 1e-9 else "1 in a thousand million"


def plot(verdict: Verdict, title: str) -> Plot:
    """The counts round the wheel, their mean, the band of chance, and the lean that fits best."""
    counts = verdict.results.counts
    mean, lean = verdict.spins / SECTIONS, verdict.results.lean
    width = BAND * math.sqrt(mean * (1 - 1 / SECTIONS))
    middles = [(section + 0.5) / SECTIONS for section in range(SECTIONS)]
    round_ = [*middles, middles[0] + 1]
    fit = [mean * (1 + lean.lean * math.cos(2 * math.pi * (at - lean.angle))) for at in round_]
    return Plot(
        title=title, x="section", y="times", polar=True,
        series=[
            Series(name="times", points=list(zip(middles, map(float, counts), strict=True)), style="bars"),
            Series(name="best fitting lean", points=list(zip(round_, fit, strict=True))),
            Series(name="99.9 % of level wheels", points=[(at, mean + width) for at in round_], style="limit"),
            Series(name="", points=[(at, max(mean - width, 0.0)) for at in round_], style="limit"),
        ],
    )  # fmt: skip


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict for programs; evidence as e-values, 1/alpha and the shares of it as in docs/balance.md."""
    return {
        "spins": verdict.spins, "forward": verdict.forward, "test": verdict.test, "alpha": ALPHA,
        "alert": bool(verdict.alerts), "smallest_lean": verdict.smallest_lean,
        "smallest_excess": verdict.smallest_excess, "p": verdict.p, "dealers": verdict.dealers,
        "looks": [{
            "name": look.name, "spins": look.spins, "counts": list(look.counts), "alerts": look.alerts,
            "chance": look.chance, "lean": look.lean.lean, "lean_section": look.lean.section,
            "log_e": look.evidence, "log_e_needed": {kind: look.needed(kind) for kind in KINDS},
        } for look in verdict.looks],
    }  # fmt: skip
