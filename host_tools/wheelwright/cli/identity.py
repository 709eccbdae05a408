"""`wheelwright identity ...`: who a board is: its serial number, asset number and device key."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.flash import BoardPort, Key, SerialNumber, unless_stopped
from wheelwright.cli.options import Json, example

app = typer.Typer(
    no_args_is_help=True, help="Who a board is: serial number, asset number and device key.",
    epilog=example("wheelwright identity write --key W-000012.key --asset 4711", "wheelwright identity show"),
)  # fmt: skip

# What Ctrl-C leaves behind, from the step named on.
STOPPED = {
    "": "nothing was written to the board",
    "WRITE": "the board may have no identity now: give the command again with the same key file",
    "BOARD": "the identity was written; see it with: wheelwright identity show",
}


@app.command(epilog=example("wheelwright identity write --key W-000012.key --table W-000012 --asset 4711"))
def write(
    key: Annotated[
        Path,
        typer.Option("--key", metavar="FILE", help="Where its device key is kept; made when there is no such file."),
    ],
    table: Annotated[
        str, typer.Option("--table", metavar="NUMBER", help="Its serial number; else it keeps the one it has.")
    ] = "",
    asset: Annotated[str, typer.Option("--asset", metavar="TEXT", help="The casino's number for it.")] = "",
    erase_journal: Annotated[
        bool, typer.Option("--erase-journal", help="Give up the records of a table under another number.")
    ] = False,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="JSON: what this one table sets otherwise than its board."),
    ] = None,
    serial: SerialNumber = "",
    port: BoardPort = "",
    device_key: Key = None,
    json: Json = False,
) -> None:
    """Give a board serial number, asset number and device key; it keeps those it has, but for who has its key."""
    from wheelwright.configuration import read_json
    from wheelwright.flashing.identity import Commissioning
    from wheelwright.flashing.usb import Usb
    from wheelwright.supervising import read_key

    old = read_key(device_key) if device_key else b""
    own = read_json(settings) if settings else None
    work = Commissioning(Usb(port, "", old), serial or port, key, table, asset, old, erase=erase_journal, settings=own)
    done = []
    for step in unless_stopped(work.steps(), STOPPED):
        done.append(step.state)
        if not json:
            print(f"{step.state.lower():8} {step.text}", flush=True)
    if json and work.identity:
        terminal.print_json({**work.identity.as_json(), "key": str(key), "steps": done})


@app.command(epilog=example("wheelwright identity show --port /dev/ttyACM0 --device-key W-000012.key"))
def show(serial: SerialNumber = "", port: BoardPort = "", device_key: Key = None, json: Json = False) -> None:
    """Show who a board at its prompt is. Its key is never told, only the check number of it."""
    from wheelwright.flashing import identity
    from wheelwright.flashing.usb import Usb
    from wheelwright.supervising import read_key

    found = identity.show(Usb(port, "", read_key(device_key) if device_key else b""), serial or port)
    if json:
        terminal.print_json(found.as_json())
    else:
        print(found.words())
