"""The wagers of the progressive seeds: exact prices of every paytable, and a full table settled on the VM."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from wheelwright.configuration import complete
from wheelwright.odds import wagers
from wheelwright.virtual import micropython
from wheelwright.wagers import WAGERS

from tests.bench.figures import Figure, computed
from tests.conftest import ROOT

METERED = ("match_the_dealer", "monster_match")
SCRIPT = Path(__file__).with_name("wager_cost.py")


def figures() -> Iterator[Figure]:
    """Every wager at the settings of its rules."""
    for name, wager in WAGERS.items():
        configuration = complete(wager, {}, "the bench")
        seconds, found = computed(lambda: wagers.prices(configuration, True))  # noqa: B023
        if not found[0].chances:
            continue  # what it is worth depends on how it is played
        what = f"{name}: exact prices of {len(found)} paytables"
        yield Figure(what, seconds, "s", "limit", 60.0, less_is_better=True)
        if name in METERED:
            vm, here = (_cost(program, name) for program in ([micropython(), "-X", "heapsize=400k"], [sys.executable]))
            settled, whole, beside = vm["settle_us"] / 1000, vm["round_us"] / 1000, here["round_us"] / 1000
            yield Figure(f"{name}: seven seats settled on the VM", settled, "ms", "goal on the chip", 50.0,
                         less_is_better=True)  # fmt: skip
            yield Figure(f"{name}: whole round on the VM", whole, "ms", "CPython", beside, less_is_better=True)
            both = vm["contributions_s"], here["contributions_s"]
            yield Figure("meter: contributions on the VM", both[0], "1/s", "CPython", both[1])
            yield Figure(f"{name}: heap of its rules on the VM", vm["bytes"], "bytes", "with what they import")


def _cost(program: list[str], name: str) -> dict[str, int]:
    path = os.pathsep.join([str(ROOT / "firmware"), ".frozen"])
    variables = dict(os.environ, MICROPYPATH=path, PYTHONPATH=str(ROOT / "firmware"))
    run = subprocess.run([*program, str(SCRIPT), name], capture_output=True, text=True, check=True, env=variables)
    found: dict[str, int] = json.loads(run.stdout)
    return found
