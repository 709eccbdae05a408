"""rp2040py's core compiled for this very Python: three times as fast as the one in its wheel.

The wheel's is for any Python, so each call within it looks first whether somebody has overridden the method. The wheel
brings the same source in C; compiled without that limit it asks nobody. It needs a compiler and Python's header
(Debian: build-essential, python3-dev); without them the wheel's own is used.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from tests.conftest import ROOT

PACKAGE = "rp2040py.native"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
INCLUDE = sysconfig.get_paths()["include"]
FLAGS = ("-O2", "-std=c99", "-fPIC", "-shared", "-DNDEBUG", "-w")


def _compile(source: Path, into: Path) -> bool:
    words = ["cc", *FLAGS, f"-I{INCLUDE}", str(source), "-o", str(into / (source.stem + SUFFIX))]
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


@cache
def modules() -> Path | None:
    """The folder of the compiled modules, made when it is not there; None when it cannot be. All or none of them are
    there, as they know each other's insides."""
    place = ROOT / "build" / "rp2040py" / (version("rp2040py") + SUFFIX.removesuffix(".so"))
    spec = importlib.util.find_spec("rp2040py")
    if spec is None or spec.origin is None or shutil.which("cc") is None or not (Path(INCLUDE) / "Python.h").exists():
        return None
    sources = sorted((Path(spec.origin).parent / "native").glob("_*.c"))
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place.parent / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=place.parent) as part, ThreadPoolExecutor(os.cpu_count()) as pool:
                made = Path(part) / "made"
                made.mkdir()
                if not sources or not all(pool.map(lambda source: _compile(source, made), sources)):
                    return None
                made.rename(place)
    return place


class Finder(MetaPathFinder):
    """Finds the modules of the emulator's core where they were compiled."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(PACKAGE + "."):
            return None
        place = modules()
        return PathFinder.find_spec(name, [str(place)]) if place else None


def use() -> None:
    """From now on; before the emulator is imported for the first time."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
