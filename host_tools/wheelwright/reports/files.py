"""Writes the four forms of a report, each sealed: all of them or none."""

import re
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from wheelwright import whole
from wheelwright.errors import WheelwrightError
from wheelwright.reports import sealing
from wheelwright.reports.run import Run, from_json


def write(run: Run, folder: Path, key: Ed25519PrivateKey) -> list[Path]:
    """Write `SERIAL-YYYYMMDD-HHMMSS` .json, .html, .pdf and .xml; returns their paths. E-8010.

    The time is the start of the run (UTC): the same run gives the same files again.
    """
    from wheelwright.reports.junit import junit  # each takes its time to load
    from wheelwright.reports.page import page
    from wheelwright.reports.pdf import pdf

    plain = sealing.unsealed(run)
    of_run = sealing.seal_of(plain, ".json", run, key)
    contents = {".json": plain, ".html": page(run, of_run), ".pdf": pdf(run, of_run), ".xml": junit(run, of_run)}
    stem = re.sub(r"[^\w.-]", "_", run.serial) + time.strftime("-%Y%m%d-%H%M%S", time.gmtime(run.started_s))
    written: dict[Path, bytes | str] = {
        folder / (stem + form): sealing.sealed(content, form, sealing.seal_of(content, form, run, key))
        for form, content in contents.items()
    }
    whole.write_all(written)
    return list(written)


def read(path: Path) -> Run:
    """The run of a JSON file; with a seal in it, the seal must fit (E-8106). E-9012."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or str(error)) from None
    run = from_json(data, path)
    if isinstance(run.seal, dict):
        sealing.check(path)
    return run
