"""`wheelwright give`, `floor-code`, `reset-meter`: what dealer, floorperson and supervisor do at cards or dice."""

from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, Port, Timeout, example
from wheelwright.cli.supervise import DeviceKey, Operator, Reason

app = typer.Typer()

MOST_MILLS = 10**12  # of a meter


@app.command(epilog=example(
    'wheelwright give hand 1 "AS 10H" --port /dev/ttyACM0', "wheelwright give validate 1 F1 --code 5f3a9c21"))
def give(
    words: Annotated[
        list[str], typer.Argument(metavar="INPUT", help='chips 3 D1, hand 1 "AS 10H", dealt KD, validate 1 F1 ...')
    ],
    port: Port,
    code: Annotated[
        str | None, typer.Option("--code", metavar="CODE", help="Of the person who validates, in live play.")
    ] = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Enter one input of a round of cards or dice, as docs/wagers.md lists them; the table says what comes next."""
    from wheelwright.giving import input_of
    from wheelwright.link import Client

    given = input_of(words)
    with Client.open(port, timeout) as client:
        reply = client.call("GIVE", given=given, **({} if code is None else {"mac": code.strip().lower().encode()}))
    if json:
        terminal.print_json({"round": reply["round"], "step": reply["step"]})
    else:
        print(f"round {reply['round']}: next {reply['step']}")


@app.command(name="floor-code", epilog=example("wheelwright floor-code F1 --device-key key.hex"))
def floor_code(
    operator: Annotated[str, typer.Argument(metavar="OPERATOR", help="Who validates wins at this table.")],
    device_key: DeviceKey,
    json: Json = False,
) -> None:
    """Tell the code with which a floorperson validates wins at a table: for that person alone."""
    from tabletop.person import person

    from wheelwright import supervising
    from wheelwright.errors import WheelwrightError

    if not person(operator):
        raise WheelwrightError(9001, option="OPERATOR", value=repr(operator[:40]), advice="name a person")
    code = supervising.floor_code(supervising.read_key(device_key), operator)
    if json:
        terminal.print_json({"operator": operator, "code": code})
    else:
        print(f"{operator}: {code}")


@app.command(name="reset-meter", epilog=example(
    'wheelwright reset-meter --reason "display repaired" --operator ann --device-key key.hex --port /dev/ttyACM0'))
def reset_meter(
    port: Port,
    device_key: DeviceKey,
    operator: Operator,
    reason: Reason,
    mills: Annotated[
        int | None,
        typer.Option("--mills", min=0, max=MOST_MILLS, metavar="N", help="What it must show (else its seed)."),
    ] = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Set the meter, with the service key and its own key turned; a record says who and why."""
    from wheelwright import supervising
    from wheelwright.link import Client

    key = supervising.read_key(device_key)
    shown = {} if mills is None else {"mills": mills}
    with Client.open(port, timeout) as client:
        record = supervising.command(client, key, "RESET_METER", reason=reason, operator=operator, **shown)["record"]
    if json:
        terminal.print_json({"record": record})
    else:
        print(f"meter set: record {record}")
