"""A developer's modules on the chip itself: its littlefs, its start, its imports, and no watchdog at the prompt."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from wheelwright.compiling.compiled import compile_for
from wheelwright.flashing import deploy
from wheelwright.flashing.image import program_length, read_image
from wheelwright.flashing.prompt import Prompt

from tests.emulated.console import ChipConsole, Console

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
NATIVE = b"import micropython\nNAME = 'mine'\n@micropython.viper\ndef twice(x: int) -> int:\n    return x + x\n"
NAME = "from tabletop.rules import dreamcatcher\nprint(dreamcatcher.NAME)"
PROGRAM = ("from tabletop.hal.rp2 import program\nimport hashlib\nsha = hashlib.sha256()\n"
           "for _, data in program.chunks(): sha.update(data)\nprint(sha.digest().hex())")  # fmt: skip
WATCHDOG_RUNS = "import machine\nprint(machine.mem32[0x40058000] >> 30 & 1)"  # CTRL.ENABLE, RP2040 data sheet 4.7.6


def start_again(chip: ChipConsole) -> None:
    """Power goes and comes; the board starts at its prompt, after `_boot.py`."""
    chip.table.power_cycle()
    chip.table.ask_for_console()
    chip.enter()


def test_case_26_modules_are_deployed_at_the_prompt_where_no_watchdog_bites_and_count_from_the_next_start(
    chip: ChipConsole, image: Path
) -> None:
    facts = json.loads(image.with_suffix(".json").read_text())
    prompt = Prompt("chip", Console(chip))
    prompt.format()
    # The board hashes its image at each question, half an emulated minute here; at its start it does so in earnest.
    chip.run(f"from tabletop.hal.rp2 import overlay\noverlay.image_hash = lambda: {facts['program']!r}")
    assert chip.run(WATCHDOG_RUNS).strip() == "0"

    module = compile_for("armv6m", "tabletop/rules/dreamcatcher.py", NATIVE)
    list(deploy.deploy(prompt, "chip", {"tabletop/rules/dreamcatcher": module}))
    start_again(chip)
    assert chip.run(NAME + "\nprint(dreamcatcher.twice(21))").split() == ["mine", "42"]
    data = read_image(image).data()
    want = hashlib.sha256(data[: program_length(data, image)] + module).hexdigest()
    assert chip.run(PROGRAM).strip() == want

    prompt.remove("/program")
    start_again(chip)
    assert chip.run(NAME).strip() == "dreamcatcher"
    assert chip.run("import machine\nmachine.WDT(timeout=8000)\n" + WATCHDOG_RUNS).strip() == "1", "it can be seen"


def test_no_plain_file_stands_in_for_a_module_of_the_program(chip: ChipConsole) -> None:
    prompt = Prompt("chip", Console(chip))
    prompt.format()
    for place in ("/tabletop/rules", "/lib/tabletop/rules"):
        prompt.make_folder(place)
        prompt.write(f"{place}/dreamcatcher.py", b"NAME = 'smuggled'\n")
    for name in ("/boot.py", "/main.py"):
        prompt.write(name, b"SMUGGLED = True\n")
    start_again(chip)
    assert chip.run(NAME + "\nprint('SMUGGLED' in globals())").split() == ["dreamcatcher", "False"]
