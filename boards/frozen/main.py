"""Start-up on the chip: the table runs, unless the last reset asked for the console.

At a console nothing of the table is loaded: no watchdog bites, all memory is free, and mpremote works as on any board.
"""

import gc
import sys

import micropython

from tabletop.hal.rp2 import reset

TICK_MS = 10
COLLECT_TICKS = 100  # at rest, memory is tidied up once a second, so that no collection is due in a spin


def table(reason):
    from tabletop.hal.rp2.board import Board
    from tabletop.table.controller import Table

    hal = Board(reason)
    table = Table(hal, hal.board.get("settings", {}))
    table.boot()
    reset.settled()
    gc.collect()
    ticks = 0
    while True:
        table.tick()
        hal.clock.wait(TICK_MS)
        ticks += 1
        if ticks >= COLLECT_TICKS and not table.sensor.moving:
            ticks = 0
            gc.collect()


if reset.console_asked():
    print("Wheelwright console; reset to start the table")
else:
    reason = reset.reason()
    try:
        table(reason)
    except Exception as error:
        sys.print_exception(error)
        if not reset.faulted_before():
            reset.restart("FAULT")
        # twice in a row: a restart mends nothing, so the console is left to whoever comes to look
        micropython.kbd_intr(3)
