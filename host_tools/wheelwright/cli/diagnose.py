"""`wheelwright diagnose`: what is probably wrong with a table, and what to look at next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.bench import Virtual, Yes
from wheelwright.cli.options import Hand, Json, Serial, Timeout, example
from wheelwright.cli.table import OptionalDb, OptionalPort

app = typer.Typer()


@app.command(epilog=example(
    "wheelwright diagnose --port /dev/ttyACM0", "wheelwright diagnose --db table.db --serial T-0001"))
def diagnose(
    port: OptionalPort = None,
    virtual: Virtual = False,
    hand: Hand = None,
    db: OptionalDb = None,
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

    With --db and no port, by the records of a log alone. Nothing is changed, and no test mode is needed.
    """
    from wheelwright.diagnosis import evidence, ranking
    from wheelwright.doctor import this_computer
    from wheelwright.store import Store

    if db is not None and port is None and not virtual:
        with Store.open(db) as store:
            name = store.serial(serial)
            clues = evidence.of_rows(store.records(name))
    else:
        from wheelwright.cli.bench import at_table

        with at_table(port, virtual, hand, yes, None, None, report, timeout, json) as (bench, _):
            name = bench.client.hello.serial
            clues = evidence.of_table(bench, this_computer().processes, spin=not no_spin)
    suspects = ranking.ranked(clues)
    if json:
        terminal.print_json({"serial": name, "suspects": ranking.as_json(suspects)})
        return
    print(f"table {name}:")
    for line in ranking.lines(suspects):
        print(line)
