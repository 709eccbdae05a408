"""What the emulated tests share: the image, built when it can be, and chips at their console."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.emulated.console import ChipConsole

SENTENCE = "The image cannot be built: {}"


def _without(reason: str) -> None:
    sentence = SENTENCE.format(reason)
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def image() -> Path:
    """The image of WHEEL_PICO, newly built; no toolchain skips with one sentence, REQUIRE_ALL=1 makes it fail."""
    pytest.importorskip("rp2040py", reason=SENTENCE.format("rp2040py is missing: make venv"))
    build = subprocess.run([sys.executable, str(ROOT / "boards" / "build_image.py")], capture_output=True, text=True,
                           check=False, cwd=ROOT)
    if build.returncode:
        _without(build.stderr.strip().splitlines()[-1] if build.stderr.strip() else "see make image")
    return ROOT / "build" / "WHEEL_PICO" / "wheelwright-WHEEL_PICO.uf2"


@pytest.fixture
def chip(image: Path) -> Iterator[ChipConsole]:
    """A chip at its console, nothing of the table loaded."""
    from tests.emulated.console import ChipConsole

    console = ChipConsole(image)
    yield console
    console.close()
