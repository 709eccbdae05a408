"""The report of a run as one HTML page that needs nothing beside it: what was checked, played, hit and proved."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wheelwright import __version__, pages, whole, wording
from wheelwright.replay import Played


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, with its verdict and the sentence that says why."""

    name: str
    passed: bool
    detail: str


@dataclass(slots=True)
class Report:
    """What the page tells. Times are seconds since 1970, `speed` is (seconds, turns/s) of the spin `speed_of`."""

    table: Mapping[str, str]  # serial, firmware version and hash, boot number ...: shown in this order
    emulated: bool
    test: bool
    started_s: float
    ended_s: float
    layout: Sequence[str]
    seed: int | None = None
    checks: list[Check] = field(default_factory=list)
    rounds: list[Played] = field(default_factory=list)
    speed: Sequence[tuple[float, float]] = ()
    speed_of: str = ""
    head_number: int = 0
    head_hash: str = ""
    meters_before: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    meters_after: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """True when every check held."""
        return all(check.passed for check in self.checks)

    def hits(self) -> list[int]:
        """How often each section was the result of a counted spin."""
        hits = [0] * len(self.layout)
        for played in self.rounds:
            for spin in played.spins:
                if spin["counted"] and spin["outcome"] == "SECTION":
                    hits[spin["section"]] += 1
        return hits


def html(report: Report) -> str:
    """The page. Everything that came from the table is escaped."""
    from wheelwright import pictures  # takes a second to load, and a run has other things to do first

    return pages.render(
        "report.html.j2",
        report=report,
        tool=__version__,
        rounds=[_round(played, tuple(report.layout)) for played in report.rounds],
        meters=_meters(report.meters_before, report.meters_after),
        hits=wording.count(sum(report.hits()), "spin"),
        sections_hit=pictures.sections_hit(report.hits(), report.layout),
        spin_speed=pictures.spin_speed(report.speed) if report.speed else "",
        started=time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(report.started_s)),
        lasted=f"{report.ended_s - report.started_s:.1f} s",
    )


def write(report: Report, path: Path) -> None:
    """Write the page; the folder is made when it is missing. E-8010."""
    whole.write_all({path: html(report)})


def _round(played: Played, layout: tuple[str, ...]) -> dict[str, Any]:
    settled = played.settled
    if played.problem is not None:
        result = played.problem
    elif settled is not None:
        result = wording.result(settled)
    else:
        result = f"void: {played.voided}" if played.voided is not None else "open"
    return {
        "number": played.number,
        "records": f"{played.first}-{played.last}",
        "bets": [wording.bet(*row) for row in played.bets],
        "spins": [
            wording.outcome(spin, layout if spin["counted"] else ()) + ("" if spin["counted"] else " (not counted)")
            for spin in played.spins
        ],
        "result": result,
        "collected": wording.money(settled["collected"]) if settled else "",
        "pays": wording.pays(settled) if settled else "",
        "held": played.problem is None,
        "corrections": [f"CORRECTED: {one.words()}" for one in played.corrections],
    }


def _meters(
    before: Mapping[str, Mapping[str, int]], after: Mapping[str, Mapping[str, int]]
) -> list[tuple[str, str, str]]:
    """(name, before, after) of every meter, money as dollars."""

    def shown(meters: Mapping[str, Mapping[str, int]], mode: str, name: str) -> str:
        value = meters.get(mode, {}).get(name)
        if value is None:
            return "-"
        return wording.money(value) if name.endswith("_mills") else str(value)

    return [
        (f"{mode} {name.removesuffix('_mills')}", shown(before, mode, name), shown(after, mode, name))
        for mode, values in after.items()
        for name in values
    ]
