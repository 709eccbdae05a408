"""`mpremote mip install package.json` in a checkout: every module a board can run is listed, and arrives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright import __version__

from tests.conftest import ROOT, need_micropython
from tests.golden import mip
from tests.unit.vm_board import VmBoard

MANIFEST = json.loads((ROOT / "package.json").read_text())


def test_every_file_listed_exists_and_none_is_missing() -> None:
    assert (ROOT / "package.json").read_text() == mip(), "run: make golden"
    assert MANIFEST["version"] == __version__
    listed = {ROOT / source for _, source in MANIFEST["urls"]}
    package = ROOT / "firmware/tabletop"
    assert listed == set(package.rglob("*.py")) - set((package / "hal/virtual").rglob("*.py"))
    assert all(source == f"firmware/{target}" for target, source in MANIFEST["urls"])


@pytest.mark.vm
def test_mpremote_installs_the_package_from_a_checkout_onto_a_real_micropython(tmp_path: Path) -> None:
    board = VmBoard(need_micropython(), tmp_path)
    few = {**MANIFEST, "urls": [pair for pair in MANIFEST["urls"] if pair[0].count("/") == 1]}
    (tmp_path / "package.json").write_text(json.dumps(few))
    os.symlink(ROOT / "firmware", tmp_path / "firmware")
    # resume: the Unix port ends at a soft reset
    words = [sys.executable, "-m", "mpremote", "connect", board.prompt(), "resume", "mip", "install",
             "--target", "/flash/lib", "package.json"]  # fmt: skip
    try:
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    finally:
        board.power_off()
    assert done.returncode == 0, done.stdout + done.stderr
    out = board.run("sys.path.insert(0, '/flash/lib')\nsys.modules.clear()\nfrom tabletop import cbor\n"
                    "print(cbor.__file__, cbor.dumps({'a': 1}).hex())")  # fmt: skip
    assert out == "/flash/lib/tabletop/cbor.py a1616101"
