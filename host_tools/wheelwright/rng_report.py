"""The HTML report of `rng test`: verdict, tests, plots, dieharder if present, and what so many samples can show."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import jinja2

from wheelwright import pictures
from wheelwright.rng_tests import FALSE_ALARM, Verdict

DIEHARDER_LEAST = 100_000_000  # bytes: with less it reads the file again and again, and finds that
DIEHARDER_S = 3600


def dieharder(path: Path, raw: bool) -> str:
    """What Robert Brown's dieharder (Debian package) says of a file of raw bits; why not, when it was not run."""
    program = shutil.which("dieharder")
    if program is None:
        return "not run: dieharder is not installed (Debian package dieharder)"
    if not raw:
        return "not run: dieharder tests raw bits, and these are outcomes"
    size = path.stat().st_size
    if size < DIEHARDER_LEAST:
        return f"not run: {size} bytes are too few, it needs {DIEHARDER_LEAST} not to read them twice"
    done = subprocess.run(
        [program, "-a", "-g", "201", "-f", str(path)], capture_output=True, text=True, check=False, timeout=DIEHARDER_S
    )
    return done.stdout


def report(path: Path, note: dict[str, Any], verdict: Verdict, battery: str) -> str:
    """The whole page, in one file."""
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
