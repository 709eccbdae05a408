"""`wheelwright rng ...`: what a laboratory asks for, raw noise and final outcomes, and tests of both."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, Timeout, example

if TYPE_CHECKING:
    from wheelwright.link import Client

app = typer.Typer(
    no_args_is_help=True, help="The random number generator: raw noise, final outcomes, and their tests.",
    epilog=example("wheelwright rng raw -n 1000000 --out noise.bin", "wheelwright rng test noise.bin"),
)  # fmt: skip

OptionalPort = Annotated[
    str | None,
    typer.Option("--port", "-p", metavar="ADDRESS", help="The table's port; a virtual table is started when left out."),
]
File = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")]


@contextmanager
def _table(port: str | None, timeout: float) -> "Iterator[Client]":
    from wheelwright.link import Client
    from wheelwright.virtual import VirtualTable

    if port is not None:
        with Client.open(port, timeout) as client:
            yield client
        return
    with VirtualTable() as table, Client.open(table.address, timeout) as client:
        yield client


@app.command(epilog=example("wheelwright rng raw -n 1000000 --out noise.bin"))
def raw(
    bits: Annotated[int, typer.Option("-n", min=8, metavar="BITS", help="How many raw noise bits, a multiple of 8.")],
    out: File,
    port: OptionalPort = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Raw bits of the noise source, before any conditioning, packed into a file."""
    from wheelwright.errors import WheelwrightError
    from wheelwright.rng import capture as rng_capture

    if bits % 8:
        raise WheelwrightError(9001, option="-n", value=bits, advice="a file holds whole bytes: give a multiple of 8")
    with _table(port, timeout) as client, terminal.progress("noise", bits) as advance:
        note = rng_capture.raw(client, bits, out, advance)
    if json:
        terminal.print_json({"file": str(out), **note})
    else:
        print(f"{note['bits']} raw bits of table {note['serial']}{_marks(note)} in {out}")


@app.command(epilog=example("wheelwright rng outcomes -n 100000 --range 54 --out outcomes.txt"))
def outcomes(
    count: Annotated[int, typer.Option("-n", min=1, metavar="N", help="How many outcomes.")],
    out: File,
    n: Annotated[int, typer.Option("--range", min=1, max=1 << 32, metavar="N", help="Outcomes 0 to N - 1.")] = 54,
    port: OptionalPort = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Final outcomes as a draw would give them, one a line."""
    from wheelwright.rng import capture as rng_capture

    with _table(port, timeout) as client, terminal.progress("outcomes", count) as advance:
        note = rng_capture.outcomes(client, count, n, out, advance)
    if json:
        terminal.print_json({"file": str(out), **note})
    else:
        print(f"{note['count']} outcomes of {n} of table {note['serial']}{_marks(note)} in {out}")


@app.command("test", epilog=example("wheelwright rng test outcomes.txt"))
def examine(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `rng raw` or `rng outcomes`.")],
    n: Annotated[int | None, typer.Option("--range", min=2, metavar="N", help="Outcomes 0 to N - 1.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The HTML report; else FILE.html.")
    ] = None,
    json: Json = False,
) -> None:
    """Chi-square, serial, runs, gap and missing-outcome tests, and dieharder when it is installed, with a plain verdict
    and an HTML report. Exit code 1 when one fails."""
    from wheelwright import whole
    from wheelwright.errors import WheelwrightError
    from wheelwright.rng import capture as rng_capture
    from wheelwright.rng import dieharder
    from wheelwright.rng import report as rng_report
    from wheelwright.rng import tests as rng_tests

    note = rng_capture.read_note(file)
    if n is not None:
        note["range"] = n
    values, outcomes_of = rng_tests.read(file, note)
    battery, more = "", []
    if not rng_tests.is_raw(file.read_bytes(), note):
        battery = dieharder.OUTCOMES
    elif (program := dieharder.found()) is None:
        battery = dieharder.MISSING
    else:
        with terminal.progress("dieharder", dieharder.slices(file.stat().st_size)) as advance:
            more = dieharder.run(file, program, advance)
        battery = dieharder.summary(more)
    verdict = rng_tests.run(values, outcomes_of, more)
    page = out or file.parent / (file.name + ".html")
    whole.write(page, rng_report.report(file, note, verdict, battery))
    if json:
        terminal.print_json({
            "file": str(file), "report": str(page), "samples": verdict.samples, "range": verdict.range,
            "passed": verdict.passed, "verdict": verdict.words(), "p": {one.name: one.p for one in verdict.results},
            "dieharder": battery, "limits": verdict.limits(),
        })  # fmt: skip
    else:
        print(f"{file}{_marks(note)}: {verdict.words()}")
        width = max((len(one.name) for one in verdict.results), default=0)
        for one in verdict.results:
            print(f"  {one.name:{width}}  {one.looked_at}: " + ("not run" if one.p is None else f"p = {one.p:.4g}"))
        print(f"  dieharder: {battery}")
        for line in verdict.limits():
            print(f"  {line}")
        print(f"  report: {page}")
    if not verdict.passed:
        raise WheelwrightError(8105, path=file, verdict=verdict.words())


def _marks(note: dict[str, object]) -> str:
    return "".join(f" {mark}" for mark, on in (("EMULATED", note.get("emulated")), ("TEST", note.get("test"))) if on)
