"""Start-up on the chip: the table runs, unless the console was asked for - by the last reset, or with the service key
turned and VOID and NO MORE BETS held.

At a console nothing of the table is loaded: no watchdog bites, all memory is free, and mpremote works as on any board.
Nothing but this gives the prompt, Ctrl-C does not; and whoever gets it finds no secret of hidden values (`vault`).
"""

import sys

import machine
import micropython

from tabletop.hal.rp2 import pins, reset, vault


def held() -> bool:
    return not any([machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP).value()
                    for pin in (pins.KEY_SERVICE, pins.VOID, pins.NO_MORE_BETS)])


def start(run, _load) -> None:
    """`run(hal)` with the board's HAL, or the prompt. What is frozen needs no loading beforehand."""
    micropython.kbd_intr(-1)
    if reset.console_asked() or held():
        _give()
        print("Wheelwright console; reset to start the table")
        return
    reason = reset.reason()
    try:
        from tabletop.hal.rp2.board import Board

        run(Board(reason))
    except Exception as error:
        sys.print_exception(error)
        if not reset.faulted_before():
            reset.restart("FAULT")
        # twice in a row: a restart mends nothing, so the console is left to whoever comes to look
        _give()


def _give() -> None:
    vault.bare()
    micropython.kbd_intr(3)
