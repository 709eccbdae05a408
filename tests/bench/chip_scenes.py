"""A frame of every bonus game's lamps on the emulated RP2040: time in emulated milliseconds, and what it allocates.

Both are of the scene's own work: tiles, and rim or inner ring where the game has them. Every step of a whole round is
drawn at moments of its movement and at its end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.conftest import ROOT
from tests.emulated.console import ChipConsole
from tests.emulated.table import IMAGE
from tests.vm.test_scenes_bonus import GAMES, moments

STEPS = 16  # of a round, from its beginning: later ones of long rounds are of the same kinds
LIMIT_MS = 10.0
SCENE = """
import gc, time
from tabletop.scenes.tiles import Tiles
import tabletop.scenes.%s as scene
canvas, inner, rim = Tiles(), bytearray(36), bytearray(54 * 9)
has_inner, has_rim = hasattr(scene, "inner"), hasattr(scene, "rim")
def cost(state, effects):
    slowest = 0
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for ms in (0, 700, 1500, 2900, 9000):
        begin = time.ticks_us()
        scene.tiles(state, effects, ms, canvas)
        if has_inner:
            scene.inner(state, effects, ms, inner)
        if has_rim:
            scene.rim(state, effects, ms, rim)
        slowest = max(slowest, time.ticks_diff(time.ticks_us(), begin))
    grown = gc.mem_alloc() - before
    gc.enable()
    print(slowest, grown)
"""


def costs(chip: ChipConsole, name: str) -> Iterator[tuple[int, int]]:
    """(slowest frame in emulated us, bytes allocated by five frames) of each step."""
    chip.run(SCENE % name)
    for state, effects in moments(name)[:STEPS]:
        if state["phase"] in ("BETS", "BEGIN"):
            continue  # the lamps of any table
        shown = {**state, "settings": {"reels": state["settings"].get("reels")}}  # all that a scene reads of them
        slowest, grown = chip.run(f"cost({shown!r}, {effects!r})").split()
        yield int(slowest), int(grown)


def figures() -> Iterator[Figure]:
    """Every game, on the image as the sources have it now."""
    subprocess.run([sys.executable, str(ROOT / "boards" / "build_image.py")], check=True, stdout=subprocess.DEVNULL)
    chip = ChipConsole(IMAGE)
    try:
        for name in GAMES:
            found = list(costs(chip, name))
            slowest = max(us for us, _ in found) / 1000
            yield Figure(f"{name}: slowest frame", slowest, "ms", "limit", LIMIT_MS, less_is_better=True)
            yield Figure(f"{name}: allocated by its frames", max(grown for _, grown in found), "bytes", "wanted: 0")
    finally:
        chip.close()
