"""Start-up of a virtual table: `micropython -m main board=BOARD.json flash=IMAGE [key=value ...]` (`board.Options`).

It prints one JSON line with its addresses when it is ready. A reset makes another board on the same flash.
"""

import gc
import sys


def start(run) -> None:
    """`run(hal)` after every reset; exit code 2 when there can be no such board."""
    gc.threshold(4096)  # collections are frequent while modules are loaded, so that what stays lies close together
    import tabletop.table.controller  # noqa: F401 - the largest first, while memory is whole
    from tabletop.hal.virtual.board import Board, Options
    from tabletop.hal.virtual.clock import Reset

    hal = None
    reason = "POWER_ON"
    try:
        while True:
            try:
                if hal is None:
                    options = Options(sys.argv[1:])
                hal = Board(options, reason, hal)
            except (OSError, ValueError, KeyError) as error:
                sys.stderr.write("no board: %s\n" % error)
                sys.exit(2)
            try:
                run(hal)
            except Reset as reset:
                reason = reset.reason
                hal.close()
                gc.collect()
    except KeyboardInterrupt:
        pass
