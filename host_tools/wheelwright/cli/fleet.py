"""`wheelwright bridge`: a logbook, and the tables that fill it, to an MQTT broker."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright.cli.log import DEFAULT_DB
from wheelwright.cli.options import Db, Json, Timeout, example

app = typer.Typer()


@app.command(epilog=example(
    "wheelwright bridge --broker mqtt://localhost --db house.db --port /dev/ttyACM0 --port /dev/ttyACM1",
    "wheelwright bridge --broker mqtts://broker --ca ca.pem --cert house.pem --key house.key --db house.db"))
def bridge(
    broker: Annotated[
        str, typer.Option("--broker", envvar="WHEELWRIGHT_BROKER", metavar="ADDRESS", show_default=False,
                          help="The broker: mqtt://HOST or mqtts://HOST:PORT."),
    ],
    db: Db = DEFAULT_DB,
    port: Annotated[
        list[str], typer.Option("--port", "-p", metavar="ADDRESS", help="Also follow the table at this port, as log "
                                "watch does; repeated for each table."),
    ] = [],  # noqa: B006
    house: Annotated[str, typer.Option("--house", metavar="NAME", help="The house, in the topics.")] = "house",
    prefix: Annotated[str, typer.Option("--prefix", metavar="TOPIC", help="What every topic begins with.")] = (
        "wheelwright"),
    ca: Annotated[Path | None, typer.Option("--ca", metavar="FILE", help="Certificates that the broker's must be "
                                            "signed by; else those of this system.")] = None,
    cert: Annotated[Path | None, typer.Option("--cert", metavar="FILE", help="The client certificate.")] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Its key.")] = None,
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="The user at the broker.")] = None,
    password_file: Annotated[
        Path | None, typer.Option("--password-file", metavar="FILE", help="A file with the user's password.")
    ] = None,
    timeout: Timeout = 3.0,
    json: Json = False,
) -> None:  # fmt: skip
    """Publish every record of a log, and how its tables are, to an MQTT broker until Ctrl-C.

    No event is lost while the broker is away: the log remembers what it has acknowledged.
    """
    import time
    from contextlib import ExitStack

    from wheelwright.errors import WheelwrightError
    from wheelwright.fleet.broker import Broker
    from wheelwright.fleet.publishing import Bridge, States
    from wheelwright.interrupt import heard
    from wheelwright.logbook.house import House
    from wheelwright.logbook.house_lines import Lines
    from wheelwright.logbook.store import Store

    if not house:
        raise WheelwrightError(9001, option="--house", value=repr(house), advice="give a name")
    if not prefix or any(sign in prefix for sign in "+#") or prefix.startswith("$"):
        raise WheelwrightError(9001, option="--prefix", value=repr(prefix), advice="give a topic without +, # and $")
    try:
        password = password_file.read_text(encoding="utf-8").strip() if password_file is not None else None
    except (OSError, ValueError) as error:
        raise WheelwrightError(9012, path=password_file, reason=error) from None
    states = States(Lines(json=json, records=False))
    wishes: list[KeyboardInterrupt] = []
    with ExitStack() as opened:
        at = Broker(broker, ca, cert, key, user, password)
        store = opened.enter_context(Store.open(db, create=bool(port)))
        made = Bridge(store, at, prefix, house, states)
        opened.enter_context(heard(wishes.append))
        tables = opened.enter_context(House(port, store, timeout, states)) if port else None
        made.run(lambda: bool(wishes), tables.wait if tables is not None else time.sleep)
