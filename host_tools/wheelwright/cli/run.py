"""`wheelwright run` and `wheelwright sim`: virtual tables, for a look at the whole product or to try things on."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_SEED, Json, example

if TYPE_CHECKING:
    from wheelwright.report import Report

app = typer.Typer()

SERIAL = "[A-Za-z0-9._-]{1,32}"  # of a virtual table: it stands in every log, report and file name that follows
PACE = 10  # spins ten times faster than real: twelve rounds in half a minute, and still to be followed by eye
Pace = Annotated[
    int, typer.Option("--pace", min=0, max=1000, metavar="N", help="Spins run N times faster; 0: at full speed.")
]


@app.command(epilog=example("wheelwright run --seed 7"))
def run(
    rounds: Annotated[int, typer.Option("--rounds", min=5, max=500, metavar="N", help="How many rounds.")] = 12,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=MOST_SEED, metavar="N", help="The same seed, the same run.")
    ] = 7,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where report and log go.")] = Path("run"),
    pace: Pace = PACE,
    no_live: Annotated[bool, typer.Option("--no-live", help="Lines instead of the moving ring.")] = False,
    json: Json = False,
) -> None:
    """Play rounds on a virtual table, prove the log, replay every round, write a report. Exit code 0: all held."""
    from tabletop.rules import dreamcatcher

    from wheelwright import report as reports
    from wheelwright.console import LiveView
    from wheelwright.errors import WheelwrightError
    from wheelwright.interrupt import put_off
    from wheelwright.rehearsal import rehearse

    console = terminal.console(quiet=json)
    report = rehearse(seed, rounds, out, pace, LiveView(dreamcatcher.LAYOUT, console, live=not no_live))
    page = out / "report.html"
    with put_off():
        reports.write(report, page)
    if json:
        terminal.print_json({
            "passed": report.passed, "seed": seed, "rounds": len(report.rounds),
            "spins": sum(len(played.spins) for played in report.rounds),
            "seconds": round(report.ended_s - report.started_s, 1), "report": str(page), "log": str(out / "log.db"),
            "checks": [{"name": c.name, "passed": c.passed, "detail": c.detail} for c in report.checks],
            "results": [
                {"round": played.number, "symbol": played.settled["symbol"],
                 "multiplier": played.settled["multiplier"], "paid": played.paid_mills}
                for played in report.rounds if played.settled
            ],
        })  # fmt: skip
    else:
        print_summary(report)
        console.print(f"report: {page}\nlog:    {out / 'log.db'}", soft_wrap=True, markup=False)
    failed = [check.name for check in report.checks if not check.passed]
    if failed:
        raise WheelwrightError(8104, failed=len(failed), total=len(report.checks), names=", ".join(failed))


@app.command(epilog=example("wheelwright sim --pace 8 --folder mytable"))
def sim(
    board: Annotated[str, typer.Option("--board", metavar="NAME", help="A board, or a board file.")] = "VIRTUAL",
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Keep the table's flash here.")
    ] = None,
    pty: Annotated[bool, typer.Option("--pty", help="The link is a pseudo terminal, like a board's port.")] = False,
    pace: Pace = 1,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="What it plays: luxor, wonderspins ...")] = "",
    serial: Annotated[str | None, typer.Option("--serial", metavar="SERIAL", help="Its serial number.")] = None,
    json: Json = False,
) -> None:
    """A virtual table that stays up until Ctrl-C; prints where its link and its hand are.

    Its memory is that of a bonus game, so that it can be configured to any game.
    """
    import threading

    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_named
    from wheelwright.virtual import BONUS_HEAP, VirtualTable

    if serial is not None and not re.fullmatch(SERIAL, serial):
        advice = "use 1 to 32 of: letters A to Z, a to z, digits, - _ ."
        raise WheelwrightError(9001, option="--serial", value=repr(serial[:40]), advice=advice)
    options = {"serial": serial or "", "game": game_named(game).name if game else ""}
    named = {name: value for name, value in options.items() if value}
    kept = f"; the next sim --folder {folder} goes on with its journal" if folder else " and forgotten"
    with VirtualTable(folder, board=board, pty=pty, heap=BONUS_HEAP, pace=pace, **named) as table:
        if json:
            terminal.print_json({"port": table.address, "hand": table.hand_address, "serial": table.serial,
                                 "folder": str(table.folder)})  # fmt: skip
        else:
            print(f"table {table.serial} is up; Ctrl-C ends it")
            print(f"port: {table.address}\nhand: {table.hand_address}", flush=True)
        stop = threading.Event()
        try:
            while table.running:
                stop.wait(0.2)
        except KeyboardInterrupt:  # as documented: no failure
            if not json:
                print(f"table {table.serial} is off{kept}")
            return
        raise table.death()


def print_summary(report: "Report") -> None:
    """The rounds and the checks of a run as tables."""
    from rich.table import Table

    from wheelwright import wording

    rounds = Table("round", "spins", "result", "wagered", "paid", title=f"table {report.table['serial']}")
    for played in report.rounds:
        settled = played.settled
        result = wording.result(settled) if settled else "void" if played.voided is not None else "open"
        paid = wording.money(played.paid_mills)
        rounds.add_row(str(played.number), str(len(played.spins)), result, wording.money(played.wagered_mills), paid)
    checks = Table("check", "verdict", "found", title=f"seed {report.seed}")
    for check in report.checks:
        checks.add_row(check.name, "[green]held[/]" if check.passed else "[bold red]FAILED[/]", check.detail)
    console = terminal.console()
    console.print(rounds, checks)
