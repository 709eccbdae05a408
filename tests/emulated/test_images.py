"""Images as files: the same bytes from two whole builds, and the one of the board that no emulator runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.flashing.image import Layout, check_facts, check_image, layout_of, layouts, read_image

from tests.conftest import ROOT

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
BUILD = ROOT / "build"


def build(board: str, folder: Path = BUILD, **env: str) -> Path:
    run = subprocess.run([sys.executable, str(ROOT / "boards" / "build_image.py"), board, str(folder)], text=True,
                         env=dict(os.environ, **env), capture_output=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stderr
    return folder / board / f"wheelwright-{board}.uf2"


def facts(image: Path) -> Any:
    return json.loads(image.with_suffix(".json").read_text())


def test_two_whole_builds_are_the_same_bytes_also_from_a_checkout_that_is_named(image: Path) -> None:
    """The second is made from nothing, elsewhere, of a MICROPY_DIR; one that has been compared is not made again."""
    second = BUILD / "second"
    compared = second / "compared.json"
    if not compared.exists() or json.loads(compared.read_text()) != facts(image):
        shutil.rmtree(second, ignore_errors=True)
        tree = os.environ.get("MICROPY_DIR", str(BUILD / "micropython" / "tree"))
        again = build("WHEEL_PICO", second, MICROPY_DIR=tree)
        assert again.read_bytes() == image.read_bytes()
        assert facts(again) == facts(image)
        compared.write_text(json.dumps(facts(image)))


@pytest.mark.parametrize(("board", "top"), [("WHEEL_PICO", 0x20042000), ("WHEEL_PICO2", 0x20082000)])
def test_what_a_start_keeps_lies_between_heap_and_stack(image: Path, board: str, top: int) -> None:
    """`registers.KEPT` goes by the end of the chip's memory and the numbers of the board's C header."""
    build(board)
    header = (ROOT / "boards" / board / "mpconfigboard.h").read_text()
    assert dict(re.findall(r"#define (WHEEL_\w+)\s+\((\d+)\)", header)) == {"WHEEL_STACK": "16384", "WHEEL_KEPT": "16"}
    for elf in (BUILD / board).glob("cmake-*/firmware.elf"):
        names = subprocess.run(["arm-none-eabi-nm", str(elf)], capture_output=True, text=True, check=True).stdout
        at = {name: int(address, 16) for address, _, name in map(str.split, names.splitlines()) if name[:2] == "__"}
        assert at["__StackTop"] == top
        assert at["__StackBottom"] >= top - 16384, "all of the port's own stack is within ours"


def test_the_image_of_the_pico_2_is_whole_and_for_its_chip_alone(image: Path) -> None:
    """Nothing of it is run: there is no emulator of an RP2350."""
    path = build("WHEEL_PICO2")
    found = read_image(path)
    check_facts(found)
    check_image(found, layout_of(found))
    assert (found.chip, found.identity["board"]) == ("RP2350", "WHEEL_PICO2")
    assert facts(path)["program"] == found.program_hash().hex() != facts(image)["program"]
    assert facts(path)["commit"] == facts(image)["commit"]
    pico: Layout = layouts()["WHEEL_PICO"]
    with pytest.raises(WheelwrightError, match=r"E-730[47]"):
        check_image(found, pico)
