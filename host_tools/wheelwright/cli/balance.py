"""`wheelwright balance`: do the results of a wheel lean, and could so many spins show it?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal, wording
from wheelwright.cli.log import DEFAULT_DB, First, Last
from wheelwright.cli.options import Db, Json, Serial, example

if TYPE_CHECKING:
    from wheelwright.reports.run import Plot

app = typer.Typer()


@app.command(epilog=example("wheelwright balance --db table.db --plot wheel.svg"))
def balance(
    db: Db = DEFAULT_DB,
    serial: Serial = None,
    first: First = 0,
    last: Last = None,
    dealers: Annotated[
        Path | None, typer.Option("--dealers", metavar="FILE", help="Who dealt when: CSV with dealer, from, to.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the wheel: a .svg or .png file.")
    ] = None,
    json: Json = False,
) -> None:
    """Look for a heavy spot, a favoured section, and results that depend on start, direction or dealer. Says too what
    so many spins cannot show. Exit code 1 when there is an alert."""
    from tabletop.rules.dreamcatcher import LAYOUT

    from wheelwright.balance import spins, words
    from wheelwright.balance.verdict import judge
    from wheelwright.cli.options import check_span
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook.store import Store

    check_span(first, last)
    if plot is not None and plot.suffix.lower() not in (".svg", ".png"):
        raise WheelwrightError(9001, option="--plot", value=plot, advice="end it with .svg or .png")
    shifts = spins.read_shifts(dealers) if dealers else []
    with Store.open(db) as store:
        serial = store.serial(serial)
        with terminal.progress("spins", None) as advance:
            rows = terminal.counted(store.records(serial, first=first, last=last, kinds=spins.KINDS), advance)
            found = list(spins.spins(serial, rows, shifts))
        gaps = [gap for gap in store.gaps(serial) if gap[1] >= first and (last is None or gap[0] <= last)]
    if not found:
        where = f" in records {first} to {last}" if last is not None else f" from record {first} on" if first else ""
        raise WheelwrightError(8015, serial=serial, where=where)
    verdict = judge(found)
    if plot is not None:
        _draw(plot, words.plot(verdict, f"Wheel of table {serial}, {wording.count(verdict.spins, 'spin')}"))
    if json:
        terminal.print_json({"serial": serial, **words.as_json(verdict), "gaps": [list(gap) for gap in gaps],
                             "plot": plot and str(plot)})
    else:
        what, *more = words.lines(verdict, LAYOUT)
        print(f"table {serial}: {what}")
        for line in more:
            print(f"  {line}")
        for gap in gaps:
            print(f"  {wording.span(*gap)} missing: spins in them are not counted")
    if verdict.alerts:
        raise WheelwrightError(8108, serial=serial, what=words.short(verdict.alerts[0]))


def _draw(path: Path, picture: "Plot") -> None:
    from wheelwright import whole
    from wheelwright.reports import plots

    whole.write(path, plots.png(picture) if path.suffix.lower() == ".png" else plots.svg(picture))
