"""The commands of the tool, assembled; each lives in a module of its own and loads what it needs when it runs."""

import sys
from typing import Annotated

import typer

from wheelwright import __version__, terminal
from wheelwright.cli import (
    adjudicate,
    balance,
    bench,
    calibrate,
    deploy,
    diagnose,
    doctor,
    explain,
    flash,
    fleet,
    identity,
    link,
    log,
    logbook,
    odds,
    preview,
    replay,
    report,
    rng,
    run,
    seated,
    supervise,
    table,
    trace,
)  # fmt: skip
from wheelwright.cli.options import Command, example

# In a file or pipe the help is plain text; Typer would draw boxes around it.
app = typer.Typer(
    name="wheelwright", no_args_is_help=True, rich_markup_mode=None if terminal.is_plain(sys.stdout) else "rich",
    pretty_exceptions_enable=False, epilog=example("wheelwright run --seed 7", "wheelwright log verify --db table.db"),
)  # fmt: skip
for part in (
    run, table, supervise, seated, bench, calibrate, diagnose, replay, balance, odds, adjudicate, preview, flash,
    deploy, doctor, explain, fleet,
):  # fmt: skip
    app.registered_commands += part.app.registered_commands
log.app.registered_commands += logbook.app.registered_commands
for group in (app, identity.app, link.app, log.app, report.app, rng.app, trace.app):
    for info in group.registered_commands:
        info.cls = Command
app.add_typer(identity.app, name="identity")
app.add_typer(link.app, name="link")
app.add_typer(log.app, name="log")
app.add_typer(report.app, name="report")
app.add_typer(rng.app, name="rng")
app.add_typer(trace.app, name="trace")


def is_usage_error(error: Exception) -> bool:
    """True for a wrong option, argument or command: what Typer would answer with its usage line."""
    return any(kind.__name__ == "ClickException" for kind in type(error).__mro__)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"wheelwright {__version__}")
        raise typer.Exit


@app.callback()
def wheelwright(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Play, watch, log, verify and replay casino wheel tables."""
