"""The tests of a real chip at its prompt, on the emulated one: found by `--port`, asked for its prompt with its key."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.emulated.process import START_S, Process
from tests.emulated.table import KEY
from tests.hardware.bench import load

pytestmark = [pytest.mark.emulated, pytest.mark.slow]


def test_the_tests_of_a_real_chip_run_on_any_that_a_port_leads_to(image: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(KEY.hex())
    with Process(tmp_path / "emulator.log", serial=load()["table_serial"]) as table:
        table.until("TE5T")
        table.hand("key", key="SERVICE", on=True)
        table.run_for(100)
        words = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "tests.emulated.patient",
                 "tests/hardware/test_hardware_chip.py", "-k", "not heap", "--port", table.address,
                 "--device-key", str(key), "--answer", str(START_S)]  # fmt: skip
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search("6 passed, 1 deselected", done.stdout), done.stdout
