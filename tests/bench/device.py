"""The firmware on the MicroPython VM: journal cost, with CPython beside it in the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wheelwright.virtual import micropython

from tests.bench.figures import Figure
from tests.conftest import ROOT

SCRIPT = Path(__file__).with_name("journal_cost.py")


def _measure(*program: str) -> dict[str, Any]:
    path = os.pathsep.join([str(ROOT / "firmware"), ".frozen"])
    environment = dict(os.environ, MICROPYPATH=path, PYTHONPATH=str(ROOT / "firmware"))
    run = subprocess.run([*program, str(SCRIPT)], capture_output=True, text=True, check=True, env=environment)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def figures() -> Iterator[Figure]:
    """A full ring of 512 KB in memory: the journal's own work, without a flash's."""
    vm, host = _measure(micropython(), "-X", "heapsize=1200k"), _measure(sys.executable)
    yield Figure("journal append on the VM", vm["append_ms"], "ms", "design budget", 15.0, less_is_better=True)
    yield Figure("journal append on the VM", vm["append_ms"], "ms", "CPython", host["append_ms"], less_is_better=True)
    yield Figure("journal appends on the VM", 1000 / vm["append_ms"], "records/s", "CPython", 1000 / host["append_ms"])
    yield Figure("rubbish of an append on the VM", vm["append_rubbish_bytes"], "bytes")
    yield Figure("memory kept after 50 appends on the VM", vm["append_kept_bytes"], "bytes")
    yield Figure("start-up with a full ring on the VM", vm["open_ms"], "ms", "goal on the chip", 2000.0,
                 less_is_better=True)
    yield Figure("reads of flash at that start-up", vm["open_reads"], "reads", f"of {vm['records']} records")
    yield Figure("verification of the ring on the VM", vm["verify_records_per_s"], "records/s")
