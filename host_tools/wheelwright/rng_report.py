"""The HTML report of `rng test`: verdict, tests, plots, and what so many samples can show."""

from pathlib import Path
from typing import Any

import jinja2

from wheelwright import pictures
from wheelwright.rng_tests import FALSE_ALARM, Verdict


def report(path: Path, note: dict[str, Any], verdict: Verdict, battery: str) -> str:
    """The whole page, in one file; `battery` says whether dieharder was run."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("wheelwright"), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    marks = [mark for mark, on in (("EMULATED", note.get("emulated")), ("TEST", note.get("test"))) if on]
    return environment.get_template("rng.html.j2").render(
        file=path.name, note=note, marks=marks, verdict=verdict, battery=battery, false_alarm=FALSE_ALARM,
        counts=pictures.counts(verdict.counts), p_values=pictures.p_values(
            [(one.name, one.p) for one in verdict.results if one.p is not None]),
    )  # fmt: skip
