"""`wheelwright configure`, `correct`, `clear`: what a supervisor may do, with device key and key switch."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, Port, PublicKey, Timeout, example

app = typer.Typer()

MOST_RECORD = (1 << 32) - 1  # what the header of a record holds
MOST_TILT = 999

DeviceKey = Annotated[
    Path,
    typer.Option(
        "--device-key", envvar="WHEELWRIGHT_DEVICE_KEY", metavar="FILE", help="The key of this table: 64 hex digits."
    ),
]
Operator = Annotated[str, typer.Option("--operator", metavar="NAME", help="Who does this.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]


@app.command(epilog=example("wheelwright configure luxor.json --device-key key.hex --operator ann -p /dev/ttyACM0"))
def configure(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game's configuration, or flat settings, as JSON.")],
    port: Port,
    device_key: DeviceKey,
    operator: Operator,
    public_key: PublicKey = None,
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="Send a file without FILE.sig; the log says that nobody signed it.")
    ] = False,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Give the table other settings: all of them, or none when one is wrong. FILE.sig must fit FILE."""
    from wheelwright import supervising
    from wheelwright.configuration import approval, check_for_table, for_table
    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_of
    from wheelwright.link import Client

    settings = for_table(file)
    if unsigned and public_key is not None:
        advice = "leave one of both away: --public-key names who signed it"
        raise WheelwrightError(9001, option="--unsigned", value="given with --public-key", advice=advice)
    approved = approval(file, public_key, unsigned)
    key = supervising.read_key(device_key)
    with Client.open(port, timeout) as client:
        supervising.prove(client, key, device_key)
        check_for_table(file, settings, game_of(client.hello.capabilities).name)
        record = supervising.configure(client, key, settings, operator, approved)
    _say(json, "configured", record)


@app.command(epilog=example(
    'wheelwright correct 120 "seat 2 was paid $5.00" --reason "chip count" --operator ann --device-key key.hex'))
def correct(
    record: Annotated[
        int, typer.Argument(min=1, max=MOST_RECORD, metavar="RECORD", help="The number of the record that is wrong.")
    ],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is right.")],
    port: Port,
    device_key: DeviceKey,
    operator: Operator,
    reason: Reason,
    second: Annotated[str, typer.Option("--second", metavar="NAME", help="Who authorises a further correction.")] = "",
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Add a correction to a record, which stays as it is."""
    from wheelwright import supervising
    from wheelwright.link import Client

    if second:
        supervising.check_two(operator, second)
    key = supervising.read_key(device_key)
    with Client.open(port, timeout) as client:
        supervising.prove(client, key, device_key)
        number = supervising.correct(client, key, record, text, reason, operator, second)
    _say(json, "corrected", number)


@app.command(epilog=example("wheelwright clear 61 --operator ann --device-key key.hex --port /dev/ttyACM0"))
def clear(
    tilt: Annotated[
        int, typer.Argument(min=1, max=MOST_TILT, metavar="TILT", help="The number of the tilt: 61 for T-61.")
    ],
    port: Port,
    device_key: DeviceKey,
    operator: Operator,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Clear a tilt whose cause is mended."""
    from wheelwright import supervising
    from wheelwright.link import Client

    key = supervising.read_key(device_key)
    with Client.open(port, timeout) as client:
        supervising.prove(client, key, device_key)
        left = supervising.command(client, key, "CLEAR_TILT", tilt=tilt, operator=operator)["tilts"]
    if json:
        terminal.print_json({"tilts": left})
    else:
        print("cleared" + (f"; still open: {', '.join(f'T-{number}' for number in left)}" if left else ""))


def _say(json: bool, what: str, record: int) -> None:
    if json:
        terminal.print_json({"record": record})
    else:
        print(f"{what}: record {record}")
