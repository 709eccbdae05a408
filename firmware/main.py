"""Start-up of the table: the HAL of this machine is handed to the controller, and the loop turns.

`tabletop.hal.rp2.start` says when a chip starts its table by itself, `tabletop.hal.virtual.start` what a virtual table
is told on the command line of the Unix port.
"""

import gc
import sys

from tabletop import ticks
from tabletop.const import const

_TICK_MS = const(10)
# The table believes that a wheel seen to turn in its first second was turning before.
_SETTLED_MS = const(1200)
_COLLECT_MS = const(1000)


def load():
    """The controller with all it needs, before anything else has broken memory up."""
    import tabletop.table.controller  # noqa: F401


def run(hal):
    """Plays on `hal` until it is reset."""
    from tabletop.table.controller import Table

    table = hal.table = Table(hal, hal.board.get("settings", {}))  # they end together
    table.boot()
    gc.threshold(-1)
    clock = hal.clock
    started_ms = collected_ms = clock.ms()
    settled = False
    while True:
        table.tick()
        now_ms = clock.ms()
        if not settled and ticks.since(now_ms, started_ms) >= _SETTLED_MS:
            settled = True
            hal.settled()
        if table.moves():
            clock.wait(_TICK_MS)
        else:
            # At rest, memory is tidied up once a second, so that no collection is due in a spin.
            if ticks.since(now_ms, collected_ms) >= _COLLECT_MS:
                collected_ms = now_ms
                gc.collect()
            clock.wait(hal.rest_tick_ms)


if sys.platform == "rp2":
    from tabletop.hal.rp2.start import start
else:
    from tabletop.hal.virtual.start import start
start(run, load)
