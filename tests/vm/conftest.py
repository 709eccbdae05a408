"""Every file here is collected twice: by pytest on CPython, and as one item that runs it on the MicroPython VM."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, need_micropython

HEAP = "800k"  # the source, a test and its recordings at once; what a table has is held to in tests/virtual
TIMEOUT_S = 300


class OnVm(pytest.File):
    """One pure test file on the VM."""

    def collect(self) -> Iterator[pytest.Item]:
        item = VmRun.from_parent(self, name="on the MicroPython VM")
        item.add_marker("vm")
        yield item


class VmRun(pytest.Item):
    """A whole file in one VM process."""

    funcargs: dict[str, object] = {}  # pytest-embedded looks here for its fixtures in every item

    def runtest(self) -> None:
        binary = need_micropython()
        folder = str(self.path.parent)
        environment = dict(os.environ, MICROPYPATH=os.pathsep.join([str(ROOT / "firmware"), folder, ".frozen"]))
        run = subprocess.run(
            [binary, "-X", f"heapsize={HEAP}", str(Path(folder) / "runner.py"), str(self.path)],
            capture_output=True, text=True, env=environment, cwd=ROOT, timeout=TIMEOUT_S, check=False,
        )
        self.add_report_section("call", "stdout", run.stdout)
        if run.returncode:
            pytest.fail(f"{run.stdout}\n{run.stderr}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name} on the MicroPython VM"


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    if file_path.suffix == ".py" and file_path.name.startswith("test_"):
        return OnVm.from_parent(parent, path=file_path)
    return None
