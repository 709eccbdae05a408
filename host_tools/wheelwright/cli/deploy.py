"""`wheelwright deploy`: a developer's modules over those of the image, without building one."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.flash import BoardPort, Key, SerialNumber, unless_stopped
from wheelwright.cli.options import Json, example

app = typer.Typer()

# What Ctrl-C leaves behind, from the step named on.
STOPPED = {
    "": "nothing was written",
    "CONSOLE": "the modules of before are whole; a board at its prompt starts its table when it is reset",
    "BOARD": "the modules are there; ask the table for its version with: wheelwright info",
}


@app.command(epilog=example("wheelwright deploy firmware/tabletop/rules/dreamcatcher.py --serial E66138935F6A8A28"))
def deploy(
    modules: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE.py", help="Modules of the package tabletop.", show_default=False),
    ] = None,
    serial: SerialNumber = "",
    port: BoardPort = "",
    device_key: Key = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove what was deployed: the image alone counts.")] = False,
    format: Annotated[
        bool, typer.Option("--format", help="First make an empty file system in the board's region of files.")
    ] = False,
    json: Json = False,
) -> None:
    """For developers: run changed modules on a board, in place of those in its image; none is ever half there."""
    from wheelwright.errors import WheelwrightError
    from wheelwright.flashing.deploying import Deployment, summary
    from wheelwright.flashing.usb import Usb
    from wheelwright.supervising import read_key

    if bool(modules) == clear:
        raise WheelwrightError(9000, reason="give modules, or --clear", command="wheelwright deploy")
    deployment = Deployment(
        Usb(port, "", read_key(device_key) if device_key else b""), serial or port, modules or [], format=format
    )
    done = []
    for step in unless_stopped(deployment.steps(), STOPPED):
        done.append(step)
        if not json:
            print(f"{step.state.lower():8} {step.text}", flush=True)
    if json:
        terminal.print_json(summary(deployment, done))
