"""Start-up of the table: choose the board's HAL, hand it to the controller, and let it tick.

On the Unix port the table is a virtual one: `micropython -m main board=BOARD.json flash=IMAGE [key=value ...]`
(`tabletop.hal.virtual.board.Options`). It prints one JSON line with its addresses when it is ready.
"""

import gc
import json
import sys


def ready(hal):
    link, hand = hal.addresses
    gc.collect()
    line = {
        "link": "socket://127.0.0.1:%d" % link,
        "hand": "127.0.0.1:%d" % hand,
        "serial": hal.serial,
        "mem_free": gc.mem_free(),
    }
    sys.stdout.write(json.dumps(line) + "\n")


def run(hal):
    from tabletop.table.controller import Table

    table = Table(hal, hal.board.get("settings", {}))
    table.boot()
    gc.threshold(-1)
    # The table believes that a wheel seen to turn in its first second was turning before.
    end_ms = hal.clock.uptime_ms() + 1200
    while hal.clock.uptime_ms() < end_ms:
        table.tick()
        hal.clock.wait(10)
    ready(hal)
    ticks = 0
    while True:
        table.tick()
        hal.clock.wait(10)
        ticks += 1
        # At rest, memory is tidied up once a second, so that no collection is due in a spin.
        if ticks >= 100 and not table.sensor.moving:
            ticks = 0
            gc.collect()


def main():
    gc.threshold(4096)  # collections are frequent while modules are loaded, so that what stays lies close together
    import tabletop.table.controller  # noqa: F401 - the largest first, while memory is whole
    from tabletop.hal.virtual.board import Board, Options
    from tabletop.hal.virtual.clock import Reset

    hal = None
    reason = "POWER_ON"
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


try:
    main()
except KeyboardInterrupt:
    pass
