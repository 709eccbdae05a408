"""Start-up of a virtual table: `micropython -m main board=BOARD.json flash=IMAGE [key=value ...]` (`board.Options`).

It prints one JSON line with its addresses when it is ready. A reset makes another board on the same flash.
"""

import gc
import sys


def start(run, load) -> None:
    """`load()`, then `run(hal)` after every reset; exit code 2 when there can be no such board."""
    gc.threshold(4096)  # collections are frequent while modules are loaded, so that what stays lies close together
    load()
    from tabletop.hal.virtual.board import Board, Options
    from tabletop.hal.virtual.clock import Reset

    options = before = None
    reason = "POWER_ON"
    try:
        while True:
            try:
                options = options or Options(sys.argv[1:])
                hal = Board(options, reason, before)
            except (OSError, ValueError, KeyError) as error:
                sys.stderr.write("no board: %s\n" % error)
                sys.exit(2)
            try:
                run(hal)
            except Reset as reset:
                reason = reset.reason
            before = hal.outlives()
            hal.close()
            _empty(hal)  # nothing is left of it and its table, as after a reset of a chip
            hal = None  # type: ignore[assignment]
            gc.collect()
    except KeyboardInterrupt:
        pass


def _empty(thing) -> None:
    """Takes everything from an object: a stray pointer to it, which the collector honours, then keeps nothing else."""
    for name in list(thing.__dict__):
        part = getattr(thing, name)
        setattr(thing, name, None)
        if hasattr(part, "__dict__") and type(part) is not type(sys) and type(part) is not type:
            _empty(part)
