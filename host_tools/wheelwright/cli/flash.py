"""`wheelwright flash`: an image onto one board, checked before the first byte and read back after the last."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, example

if TYPE_CHECKING:
    from wheelwright.flashing.flash import Flasher, Step

app = typer.Typer()

SerialNumber = Annotated[
    str, typer.Option("--serial", metavar="NUMBER", help="The board: its USB serial number, as `ports` lists it.")
]
BoardPort = Annotated[
    str, typer.Option("--port", "-p", envvar="WHEELWRIGHT_PORT", metavar="ADDRESS", help="The board, by its port.")
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--device-key", envvar="WHEELWRIGHT_DEVICE_KEY", metavar="FILE",
        help="The table's device key, 64 hex digits: it is asked by command, with its service key turned.",
    ),
]  # fmt: skip
# What Ctrl-C leaves behind, from the step named on.
STOPPED = {
    "": "nothing was written",
    "ENTER": "nothing was written; a board in its boot loader starts again when it is unplugged and plugged in",
    "WRITE": "the board may hold half a program: hold BOOTSEL while plugging it in and flash again; data is kept",
    "BOARD": "the image was written; ask the table for its version with: wheelwright info",
}
MICROPYTHON = "An official MicroPython image (it may format a table's data) is flashed by mpflash: docs/operations.md."


@app.command(
    epilog=example("wheelwright flash build/WHEEL_PICO/wheelwright-WHEEL_PICO.uf2 --serial E66138935F6A8A28")
    + f"\n\n{MICROPYTHON}"
)
def flash(
    image: Annotated[Path, typer.Argument(metavar="IMAGE.uf2", help="The image, as `make image` built it.")],
    serial: SerialNumber = "",
    port: BoardPort = "",
    drive: Annotated[
        str, typer.Option("--drive", metavar="FOLDER", help="Where the boot loader's drive is (or will be) mounted.")
    ] = "",
    device_key: Key = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check image and board; write nothing.")] = False,
    json: Json = False,
) -> None:
    """Write an image to a board: checked first, read back afterwards; journal and settings stay."""
    from wheelwright.flashing.flash import Flasher
    from wheelwright.flashing.image import check_facts, layout_of, read_image
    from wheelwright.flashing.usb import Usb
    from wheelwright.supervising import read_key

    found = read_image(image)
    layout = layout_of(found)
    check_facts(found)
    world = Usb(port, drive, read_key(device_key) if device_key else b"")
    waiting = any(board.port == drive for board in world.boards())  # the drive is the choice, when none is named
    flasher = Flasher(world, found, layout, serial or port or (drive if waiting else ""), drive)
    done = []
    for step in unless_stopped(flasher.steps(dry_run), STOPPED):
        done.append(step.state)
        if not json:
            print(f"{step.state.lower().replace('_', ' '):10} {step.text}", flush=True)
    if json:
        terminal.print_json(summary(flasher, done))


def summary(flasher: "Flasher", done: list[str]) -> dict[str, object]:
    """What `--json` prints."""
    image, answer, board = flasher.image, flasher.answer, flasher.board
    return {
        "image": str(image.path), "board": image.identity["board"], "chip": image.chip,
        "program": image.program_hash().hex(), "version": image.identity.get("version"),
        "port": board.port if board else None, "usb_serial": board.serial if board else None,
        "serial": answer.serial if answer else None, "written": "WRITE" in done, "steps": done,
    }  # fmt: skip


def unless_stopped(steps: "Iterator[Step]", leaves: "Mapping[str, str]") -> "Iterator[Step]":
    """The steps; Ctrl-C becomes E-9902 with what it leaves behind, of `leaves` by the last step that it knows."""
    from wheelwright.interrupt import stopped

    left = leaves[""]
    try:
        for step in steps:
            left = leaves.get(step.state, left)
            yield step
    except KeyboardInterrupt as wish:
        raise stopped(wish, left) from None
