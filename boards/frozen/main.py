"""Start-up on the chip: the table runs, unless the console was asked for - by the last reset, or with the service key
turned and VOID and NO MORE BETS held.

At a console nothing of the table is loaded: no watchdog bites, all memory is free, and mpremote works as on any board.
"""

import gc
import sys
import time

import machine
import micropython
from tabletop.hal.rp2 import pins, reset

TICK_MS = 10
REST_TICK_MS = 25  # with the wheel at rest: edges are latched in hardware, and link bytes end the wait
COLLECT_MS = 1000  # at rest, memory is tidied up once a second, so that no collection is due in a spin


def table(reason):
    from tabletop.hal.rp2.board import Board
    from tabletop.table.controller import Table

    hal = Board(reason)
    table = Table(hal, hal.board.get("settings", {}))
    table.boot()
    reset.settled()
    gc.collect()
    collected = time.ticks_ms()
    while True:
        table.tick()
        if table.sensor.moving:
            hal.clock.wait(TICK_MS)
            continue
        hal.clock.wait(REST_TICK_MS)
        if time.ticks_diff(time.ticks_ms(), collected) > COLLECT_MS:
            gc.collect()
            collected = time.ticks_ms()


def held() -> bool:
    return not any(machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP).value()
                   for pin in (pins.KEY_SERVICE, pins.VOID, pins.NO_MORE_BETS))


if reset.console_asked() or held():
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
