"""`wheelwright report ...`: the technician's report, made again from its run, and proved byte by byte."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, PublicKey, ReportKey, example

app = typer.Typer(
    no_args_is_help=True, help="Reports of bench runs: make them again, and prove that nobody changed them.",
    epilog=example("wheelwright report verify VT-000001-20250615-150640.pdf"),
)  # fmt: skip


@app.command(epilog=example("wheelwright report make run.json --out reports"))
def make(
    run: Annotated[Path, typer.Argument(metavar="RUN.json", help="A run as `bench` leaves it, or a JSON report.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for the reports.")] = Path(),
    key: ReportKey = None,
    json: Json = False,
) -> None:
    """Make the report of a run: HTML, PDF, JSON and JUnit XML, each sealed with this computer's key."""
    from wheelwright import signatures
    from wheelwright.cli.options import report_key
    from wheelwright.reports import files

    what = files.read(run)
    written = files.write(what, out, signatures.key(report_key(key)))
    if json:
        terminal.print_json({"serial": what.serial, "verdict": what.verdict, "files": [str(path) for path in written]})
        return
    for path in written:
        print(path)


@app.command(epilog=example("wheelwright report verify VT-000001-20250615-150640.html --public-key HEX"))
def verify(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Reports: .html, .pdf, .json or .xml.")],
    public_key: PublicKey = None,
    json: Json = False,
) -> None:
    """Prove that no byte of a report was changed since it was made, and say which key sealed it."""
    from wheelwright.reports import sealing

    seals = [(path, sealing.check(path, public_key)) for path in paths]
    if json:
        terminal.print_json([{"file": str(path), **seal} for path, seal in seals])
        return
    for path, seal in seals:
        about = f"table {seal['serial']}, verdict {seal['verdict']}"
        print(f"{path}: {about}, unchanged, sealed by key {seal['public_key']}")
    if public_key is None:
        print("Whoever changes a report can seal it anew with another key: compare the key, or give --public-key.")
