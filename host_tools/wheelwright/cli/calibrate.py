"""`wheelwright calibrate`: what the wheel of a table is, measured, shown and written - or taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.bench import Virtual, Yes
from wheelwright.cli.options import Hand, Json, Timeout, example
from wheelwright.cli.supervise import DeviceKey, Operator
from wheelwright.cli.table import OptionalPort

app = typer.Typer()


@app.command(epilog=example(
    "wheelwright calibrate --operator ann --device-key key.hex --port /dev/ttyACM0",
    "wheelwright calibrate --undo --operator ann --device-key key.hex --port /dev/ttyACM0"))
def calibrate(
    device_key: DeviceKey,
    operator: Operator,
    port: OptionalPort = None,
    virtual: Virtual = False,
    hand: Hand = None,
    yes: Yes = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Go back to the calibration before; once more: take that back.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Keep what was measured as a file, too.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Write this calibration, of this very table, again.")
    ] = None,
    lamps: Annotated[
        bool, typer.Option("--lamps", help="Find out how the LED strips are wired instead: colours, first LED, way.")
    ] = False,
    leds: Annotated[
        int | None, typer.Option("--leds", min=10, max=100, metavar="PERCENT", help="How bright the LEDs are.")
    ] = None,
    digits: Annotated[
        int | None, typer.Option("--digits", min=0, max=15, metavar="LEVEL", help="How bright the displays are.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure and show; write nothing.")] = False,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Measure counts a turn, direction and zero of the wheel, show before and after, and have the table take them.

    With --lamps, --leds or --digits the lamps instead, and the wheel stays as it is. A wheel whose numbers do not add
    up is refused with the likely cause. The service key must be turned to write.
    """
    from wheelwright import calibrating, calibrating_lamps, calibration, supervising
    from wheelwright.cli.bench import at_table
    from wheelwright.errors import WheelwrightError

    key = supervising.read_key(device_key)
    of_lamps = lamps or leds is not None or digits is not None
    if of_lamps and (undo or file is not None):
        raise WheelwrightError(9001, option="--undo" if undo else "--from", value="given with those of the lamps",
                               advice="give one or the other")  # fmt: skip
    with at_table(port, virtual, hand, yes, device_key, None, None, timeout, json) as (bench, _):
        serial = bench.client.hello.serial
        before, earlier = calibrating.current(bench)
        if undo:
            if not before and not earlier:
                advice = f"table {serial} was never calibrated, so there is nothing to go back to"
                raise WheelwrightError(9001, option="--undo", value="done", advice=advice)
            after = earlier
        elif file is not None:
            after = calibration.read(file, serial)
        elif of_lamps:
            before, after, _ = calibrating.propose_lamps(bench, lamps, leds, digits)
        else:
            before, after, _ = calibrating.propose(bench)
        changes = calibration.differences(before, after)
        if not json:
            for name, was, now in changes:
                print(f"{name.replace('_', ' '):16} {was} -> {now}")
            if not changes:
                print("nothing differs from the calibration that the table has")
        if out is not None:
            calibration.save(out, after)
        record, true = 0, None
        if changes and not dry_run:
            bench.say("Turn the service key.")
            bench.technician.touch("SERVICE", True)
            bench.await_phase("SERVICE")
            record = calibrating.write(bench, key, after, operator)
            bench.say("Turn the service key back.")
            bench.technician.touch("SERVICE", False)
            if of_lamps:
                true = calibrating_lamps.came_true(bench) if lamps else None
            elif not undo:
                true = calibrating.came_true(bench)
        bench.end()
    if json:
        terminal.print_json({
            "serial": serial, "before": before, "after": after, "record": record or None, "came_true": true,
        })  # fmt: skip
    elif record:
        agrees = "; what is seen agrees" if of_lamps else "; a spin agrees"
        print(f"calibrated: record {record}" + (agrees if true else ""))
    if true is False and of_lamps:
        reason = "the first LED of section 0 is not lit red when that is asked for"
        raise WheelwrightError(7415, strip="rim", reason=reason)
    if true is False:
        raise WheelwrightError(7413, serial=serial)
