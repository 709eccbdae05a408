"""The VM's table of names: full, it doubles and takes 14 KB in one piece, which a table of 200 KB does not have."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from wheelwright.compiling.compiled import program
from wheelwright.virtual import board_file

from tests.conftest import need_micropython

pytestmark = pytest.mark.virtual
FULL = 1_260  # of the VM: 630 of its own, and as many again
# What a table of Dreamcatcher may load besides what it has at READY; `faults` for a table of the bench.
ON_DEMAND = (
    "table.amending", "table.calibration", "table.clearing", "table.drawing", "table.probe", "table.selftest",
    "table.upkeep", "table.watching", "table.fitted", "person", "rules.held", "hal.virtual.orders",
    "hal.virtual.faults",
)  # fmt: skip
LOADED = """
import micropython
from tabletop.hal.virtual import board
settled = board.Board.settled
def names(table):
    settled(table)
    for name in {names}:
        __import__("tabletop." + name)
    micropython.qstr_info()
    raise SystemExit
board.Board.settled = names
import main
"""


def test_the_table_of_names_never_doubles(tmp_path: Path) -> None:
    command = [
        need_micropython(), "-X", "heapsize=1m", "-c", LOADED.format(names=ON_DEMAND),
        f"board={board_file('VIRTUAL')}", f"flash={tmp_path / 'flash.bin'}",
    ]  # fmt: skip
    search = dict(os.environ, MICROPYPATH=f"{program()}{os.pathsep}.frozen")
    said = subprocess.run(command, cwd=program(), env=search, capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r"n_qstr=(\d+)", said.stdout)
    assert found, said
    print(f"{found[1]} names with all that a table of Dreamcatcher can load")
    assert int(found[1]) < FULL
