"""`wheelwright diagnose`: what is probably wrong with a table, and what to look at next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal, wording
from wheelwright.cli.bench import Virtual, Yes
from wheelwright.cli.options import Hand, Json, Serial, Timeout, example
from wheelwright.cli.table import OptionalPort

app = typer.Typer()

OfLog = Annotated[
    str | None,
    typer.Option("--db", envvar="WHEELWRIGHT_DB", metavar="FILE", help="Go by the records of this log, and no table."),
]


@app.command(epilog=example(
    "wheelwright diagnose --port /dev/ttyACM0", "wheelwright diagnose --db table.db --serial T-0001"))
def diagnose(
    context: typer.Context,
    port: OptionalPort = None,
    virtual: Virtual = False,
    hand: Hand = None,
    db: OfLog = None,
    serial: Serial = None,
    no_spin: Annotated[bool, typer.Option("--no-spin", help="Journal and counters only.")] = False,
    yes: Yes = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FOLDER", help="Compare with the bench reports there.")
    ] = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Rank what may be wrong with a table, by its journal, its counters and a spin each way.

    With --db by the records of a log alone. Nothing is changed, and no test mode is needed. Ends with 1 while a tilt
    is open or records are missing.
    """
    from wheelwright.diagnosis import evidence, ranking
    from wheelwright.doctor import this_computer
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook.store import Store

    typed = [name for name in ("port", "virtual", "db") if _typed(context, name)]
    if "db" in typed and len(typed) > 1:
        advice = "give one of them: a table is looked at, or a log is read; fill a log with: wheelwright log pull"
        raise WheelwrightError(9001, option="--db", value=f"given with --{typed[0]}", advice=advice)
    gaps = []
    if db is not None and ("db" in typed or (port is None and not virtual)):
        with Store.open(db) as store:
            name = store.serial(serial)
            if store.bounds(name) is None:
                raise WheelwrightError(8015, serial=name, where="")
            rows = list(store.records(name))
            clues, tilts = evidence.of_rows(rows), evidence.left_open(rows)
            gaps = evidence.missing(store, name)
    else:
        from wheelwright.cli.bench import at_table

        with at_table(port, virtual, hand, yes, None, None, report, timeout, json) as (bench, _):
            name = bench.client.hello.serial
            clues = evidence.of_table(bench, this_computer().processes, spin=not no_spin)
            tilts = evidence.open_tilts(bench.call("STATUS"))
    suspects = ranking.ranked(clues)
    if json:
        terminal.print_json({"serial": name, "suspects": ranking.as_json(suspects),
                             "tilts": ranking.tilts_as_json(tilts), "gaps": [list(gap) for gap in gaps]})
    else:
        print(f"table {name}:")
        for line in ranking.lines(suspects, tilts):
            print(line)
        for gap in gaps:
            print(f"{wording.span(*gap)} missing, and may say otherwise: run: wheelwright log verify")
    if tilts or gaps:
        raise typer.Exit(1)


def _typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given in the command itself, not by the environment."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
