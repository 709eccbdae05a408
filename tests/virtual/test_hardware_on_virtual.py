"""The tests of a real board, on a virtual one: they find it by `--port`, and touch no table but the bench's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright.virtual import VirtualTable

from tests.conftest import ROOT, need_micropython
from tests.hardware.bench import load

pytestmark = pytest.mark.virtual


def hardware(port: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "pytest", "-p", "no:xdist", "tests/hardware", "--port", port]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))


def test_the_same_test_files_run_on_any_table_that_a_port_leads_to(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0, serial=load()["table_serial"]) as table:
        done = hardware(table.address)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


def test_a_table_that_is_not_the_benchs_is_left_alone(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        done = hardware(table.address)
    assert done.returncode == 1
    assert re.search(r"\d\d invalid", done.stdout)
    assert not re.search(r"\d+ (passed|failed|error)", done.stdout)
    assert "test_the_self_test_passes: INVALID: " in done.stdout
    assert "leads to table VT-000001, the bench's is BENCH-1" in done.stdout
