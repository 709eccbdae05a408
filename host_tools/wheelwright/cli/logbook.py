"""`wheelwright log search`, `log watch`: the logbook of a house, with many tables in one database."""

from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.log import DEFAULT_DB, Kinds, Round
from wheelwright.cli.options import MOST_NUMBER, Db, Json, Timeout, example, moment

app = typer.Typer()


@app.command(epilog=example(
    "wheelwright log search --db house.db --tilt 21 --since 2026-11-30",
    "wheelwright log search --db postgresql://localhost/house --round 7 --kind SETTLED"))
def search(
    db: Db = DEFAULT_DB,
    serial: Annotated[
        list[str], typer.Option("--serial", metavar="SERIAL", help="Only this table; may be repeated.")
    ] = [],  # noqa: B006
    since: Annotated[
        int | None, typer.Option("--since", parser=moment, metavar="TIME", help="Happened then or later (ISO 8601).")
    ] = None,
    until: Annotated[
        int | None, typer.Option("--until", parser=moment, metavar="TIME", help="Happened then or earlier.")
    ] = None,
    round_: Round = None,
    tilt: Annotated[
        int | None, typer.Option("--tilt", min=1, max=999, metavar="NUMBER", help="Only of this tilt (21 for T-21).")
    ] = None,
    kind: Kinds = [],  # noqa: B006
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, max=MOST_NUMBER, metavar="N", help="At most so many of each table.")
    ] = None,
    json: Json = False,
) -> None:
    """Find records in the logs of all tables: by table, time, round, tilt and kind; table by table, in their order.

    A time is this computer's: of the arrival where a table is followed, worked out from the table's uptime where it was
    pulled; of records before the table's last start it is known only that they were before it.
    """
    import sys
    from itertools import islice

    from wheelwright.cli.options import kind_numbers
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook import entries
    from wheelwright.logbook.store import Store

    if since is not None and until is not None and until < since:
        raise WheelwrightError(9001, option="--until", value="before --since", advice="give the later time there")
    kinds, any_found = kind_numbers(kind), False
    with Store.open(db) as store:
        for table in [store.serial(one) for one in serial] or store.serials():
            found = store.records(table, kinds=kinds, round_=round_, tilt=tilt, since_ms=since, until_ms=until)
            for row in islice(found, limit):
                item, any_found = entries.entry(table, row), True
                if json:
                    terminal.print_json({**item, "at_ms": row.at_ms})
                else:
                    print(entries.line(item, row.at_ms))
    if not any_found and not json:
        print("no record fits", file=sys.stderr)


Ports = Annotated[
    list[str],
    typer.Option(
        "--port", "-p", envvar="WHEELWRIGHT_PORT", metavar="ADDRESS", show_default=False,
        help="The port of a table: /dev/ttyACM0, COM5, socket://HOST:PORT; repeated for each table.",
    ),
]  # fmt: skip


@app.command(epilog=example("wheelwright log watch --port /dev/ttyACM0 --port /dev/ttyACM1 --db house.db"))
def watch(port: Ports, db: Db = DEFAULT_DB, timeout: Timeout = 3.0, json: Json = False) -> None:
    """Follow many tables into one log, over pulled plugs and restarts, until Ctrl-C; no record is left behind."""
    from wheelwright.interrupt import heard
    from wheelwright.logbook.house import House
    from wheelwright.logbook.house_lines import Lines
    from wheelwright.logbook.store import Store

    wishes: list[KeyboardInterrupt] = []
    with (
        Store.open(db, create=True) as store,
        heard(wishes.append),
        House(port, store, timeout, Lines(json=json)) as house,
    ):
        while not wishes:
            house.wait()
