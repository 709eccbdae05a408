"""The HTML report of `rng test`: verdict, tests, plots, and what so many samples can show."""

from pathlib import Path
from typing import Any

from wheelwright import pages, pictures
from wheelwright.rng.tests import FALSE_ALARM, Verdict


def report(path: Path, note: dict[str, Any], verdict: Verdict, battery: str) -> str:
    """The whole page, in one file; `battery` says whether dieharder was run."""
    marks = [mark for mark, on in (("EMULATED", note.get("emulated")), ("TEST", note.get("test"))) if on]
    return pages.render(
        "rng.html.j2", file=path.name, note=note, marks=marks, verdict=verdict, battery=battery,
        false_alarm=FALSE_ALARM,
        counts=pictures.counts(verdict.counts), p_values=pictures.p_values(
            [(one.name, one.p) for one in verdict.results if one.p is not None]),
    )  # fmt: skip
