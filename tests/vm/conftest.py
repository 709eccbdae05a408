"""Every file here is collected three times: by pytest on CPython, and as an item that runs it on the MicroPython VM.

Once from source, and most of them once more on the program as a virtual table has it, linked (decision 33).
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from wheelwright.compiling import compiled

from tests import linked_program
from tests.conftest import ROOT, need_micropython

HEAP = "800k"  # the source, a test and its recordings at once; what a table has is held to in tests/virtual
TIMEOUT_S = 300
# From source only: what takes long, what no unit has a part of, and what puts something else into a module.
ONE_WAY = {
    "test_journal_cuts", "test_table_cuts", "test_sensing_faults", "test_table_bonus", "test_table_start",
    "test_chance_replayed", "test_table_shaker", "test_must_hit_by", "test_pai_gow_dice", "test_chance_generator",
    "test_table_lease", "test_rounds_misfit",
}  # fmt: skip


@functools.cache
def _linked() -> str:
    """The folder of the linked program, there until the tests end."""
    folder = tempfile.mkdtemp(prefix="wheelwright-linked-")
    atexit.register(shutil.rmtree, folder)
    linked_program.write(Path(folder), compiled.sources())
    return folder


class OnVm(pytest.File):
    """One pure test file on the VM."""

    def collect(self) -> Iterator[pytest.Item]:
        for name in ("on the MicroPython VM", "on the MicroPython VM, linked")[: 1 if self.path.stem in ONE_WAY else 2]:
            item = VmRun.from_parent(self, name=name)
            item.add_marker("vm")
            yield item


class VmRun(pytest.Item):
    """A whole file in one VM process."""

    funcargs: dict[str, object] = {}  # pytest-embedded looks here for its fixtures in every item

    def runtest(self) -> None:
        binary = need_micropython()
        folder = str(self.path.parent)
        program = _linked() if self.name.endswith("linked") else str(ROOT / "firmware")
        environment = dict(os.environ, MICROPYPATH=os.pathsep.join([program, folder, ".frozen"]))
        run = subprocess.run(
            [binary, "-X", f"heapsize={HEAP}", str(Path(folder) / "runner.py"), str(self.path)],
            capture_output=True, text=True, env=environment, cwd=ROOT, timeout=TIMEOUT_S, check=False,
        )
        self.add_report_section("call", "stdout", run.stdout)
        if run.returncode:
            pytest.fail(f"{run.stdout}\n{run.stderr}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name} {self.name}"


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    if file_path.suffix == ".py" and file_path.name.startswith("test_"):
        return OnVm.from_parent(parent, path=file_path)
    return None
