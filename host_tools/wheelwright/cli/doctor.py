"""`wheelwright doctor`: what keeps this computer from talking to a table, each with the command that mends it."""

from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, Timeout, example

app = typer.Typer()

MARKS = {"ok": "ok", "look": "look", "wrong": "WRONG"}


@app.command(epilog=example("wheelwright doctor", "wheelwright doctor --port /dev/ttyACM0"))
def doctor(
    port: Annotated[
        str, typer.Option("--port", "-p", metavar="ADDRESS", help="Also ask the table here for its version.")
    ] = "",
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:
    """Look this computer over; changes nothing. Exit code 1: something is wrong."""
    from dataclasses import asdict

    from wheelwright.doctor import Finding, examine, this_computer
    from wheelwright.errors import WheelwrightError
    from wheelwright.link import Client

    computer = this_computer()
    silent = []
    if port:
        try:
            with Client.open(port, timeout) as table:
                computer.tables[port] = table.hello.version
        except WheelwrightError as error:
            silent.append(Finding("table", "wrong", error.what, error.advice))
    found = examine(computer) + silent
    if json:
        terminal.print_json([asdict(item) for item in found])
    else:
        for item in found:
            print(f"{MARKS[item.state]:6} {item.text}")
            if item.mend:
                print(f"       -> {item.mend}")
    if any(item.state == "wrong" for item in found):
        raise typer.Exit(1)
