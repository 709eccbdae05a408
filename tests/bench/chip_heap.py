"""The heap of the whole table on the emulated chip over many rounds: LONG=1000 plays as many (a quarter of an hour)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.emulated.console import ChipConsole
from tests.emulated.table import IMAGE

HEAP = """
import gc
from tabletop.table import controller, service
from tabletop.hal.rp2.board import Board
service.digest_of = lambda hal, algorithm, seed: (bytes(32), 0, 0)  # half a second of hashing that leaves nothing
hal = Board("POWER_ON")
hal.feed = lambda: None  # once fed, a watchdog would bite at the prompt
table = controller.Table(hal, {})
table.boot()
gc.collect()
print(gc.mem_free(), gc.mem_free() + gc.mem_alloc())
handle = table.commands.handle
def play(rounds):
    for _ in range(rounds):
        handle("OPEN_BETS", {}, None)
        handle("WAGER", {"bets": [[1, "10", 5000], [2, "1", 1000]]}, None)
        handle("NO_MORE_BETS", {}, None)
        handle("VOID", {"reason": "TEST"}, None)
        table.tick()
        table.records.anchor(table.journal.last)
        table.journal.idle()
    gc.collect()
    return gc.mem_free()
"""
ROUNDS = int(os.environ.get("LONG", 50))
AT_ONCE = 5  # rounds in one answer of the console
FIRST = 5  # after which all that is made once is there


def figures() -> Iterator[Figure]:
    """What is left of the heap at READY and after the rounds."""
    chip = ChipConsole(IMAGE)
    try:
        free, whole = map(int, chip.run(HEAP).split())
        yield Figure("free heap at READY", free, "bytes", "the whole heap", whole)
        begin = end = int(chip.run(f"print(play({FIRST}))"))
        for done in range(0, ROUNDS, AT_ONCE):
            end = int(chip.run(f"print(play({min(AT_ONCE, ROUNDS - done)}))"))
        yield Figure(f"free heap after {ROUNDS:,} rounds more", end, "bytes", f"after {FIRST} rounds", begin)
        assert chip.run("print(table.play.number, sorted(table.tilts.open))").split() == [str(FIRST + ROUNDS), "[]"]
    finally:
        chip.close()
