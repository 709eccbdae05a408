"""The games: rounds by replay and by simulation on one core, the exact price, a frame of the lamps on the VM."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabletop.rules.scripted import Scripted
from wheelwright.adjudicate import Noted
from wheelwright.configuration import complete
from wheelwright.games import GAMES
from wheelwright.odds import EQUAL, price
from wheelwright.odds.simulation import Seeded, play, simulate, wheel_of
from wheelwright.virtual import micropython

from tests.bench.figures import Figure, computed
from tests.conftest import ROOT

ROUNDS = 3000
SCRIPT = Path(__file__).with_name("scene_cost.py")


def figures() -> Iterator[Figure]:
    """Every game with the example settings of its rules."""
    for name, game in GAMES.items():
        configuration = complete(game, {}, "the bench")
        spot = price(configuration)[0].spot
        wheel, draws = wheel_of(EQUAL), Noted(Seeded(random.Random(1)))
        for _ in range(ROUNDS):
            play(game.rules, configuration.settings, spot, None, draws, wheel)  # type: ignore[arg-type]
        scripted: Any = Scripted(draws.take())
        seconds, _ = computed(lambda: _replay(game.rules, configuration.settings, spot, scripted))  # noqa: B023
        yield Figure(f"{name}: rounds by replay", ROUNDS / seconds, "rounds/s", "design budget of replay", 100_000)
        seconds, _ = computed(lambda: simulate(configuration, spot, ROUNDS, 1, EQUAL, processes=1))  # noqa: B023
        yield Figure(f"{name}: rounds by simulation", ROUNDS / seconds, "rounds/s")
        seconds, _ = computed(lambda: price(configuration))  # noqa: B023
        yield Figure(f"{name}: exact price", seconds, "s", "limit", 10.0, less_is_better=True)
        if name != "dreamcatcher":
            found = _on_vm(name)
            yield Figure(f"{name}: slowest frame on the VM", found["frame_us"] / 1000, "ms", "limit on the chip", 10.0,
                         less_is_better=True)  # fmt: skip
            yield Figure(f"{name}: allocated by a frame on the VM", found["frame_bytes"], "bytes", "wanted: 0")
            yield Figure(f"{name}: heap of its rules on the VM", found["rules_bytes"], "bytes", "with what they import")


def _replay(rules: Any, settings: dict[str, Any], spot: str, scripted: Any) -> None:
    wheel = wheel_of(EQUAL)
    for _ in range(ROUNDS):
        play(rules, settings, spot, None, scripted, wheel)
    scripted.finish()


def _on_vm(name: str) -> dict[str, int]:
    path = os.pathsep.join([str(ROOT / "firmware"), str(ROOT / "tests" / "vm"), ".frozen"])
    program = [micropython(), "-X", "heapsize=400k", str(SCRIPT), name]
    run = subprocess.run(program, capture_output=True, text=True, check=True, env=dict(os.environ, MICROPYPATH=path))
    found: dict[str, int] = json.loads(run.stdout)
    return found
