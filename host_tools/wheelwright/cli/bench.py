"""`wheelwright bench`: guided tests of one table, and the report of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Hand, Json, ReportKey, Timeout, example
from wheelwright.cli.table import OptionalPort

if TYPE_CHECKING:
    from wheelwright.bench.running import Running
    from wheelwright.bench.session import Bench
    from wheelwright.bench.technician import Technician
    from wheelwright.errors import WheelwrightError
    from wheelwright.reports.run import Check, Run

app = typer.Typer()

OptionalKey = Annotated[
    Path | None,
    typer.Option(
        "--device-key", envvar="WHEELWRIGHT_DEVICE_KEY", metavar="FILE",
        help="The key of this table, when it is live: 64 hex digits.",
    ),
]  # fmt: skip
Virtual = Annotated[bool, typer.Option("--virtual", help="A virtual table, started for this.")]
Yes = Annotated[bool, typer.Option("--yes", help="Nobody is at the table but a rig: ask nothing.")]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FOLDER", help="Write the reports there; earlier ones there are compared with."),
]


@app.command(
    epilog=example(
        "wheelwright bench --port /dev/ttyACM0 --report reports --technician ann --licence 1234",
        "wheelwright bench encoder_lines index --port /dev/ttyACM0",
        "wheelwright bench --virtual --report reports",
    )
)
def bench(
    tests: Annotated[list[str], typer.Argument(metavar="[TEST]...", help="Only these tests.")] = [],  # noqa: B006
    port: OptionalPort = None,
    virtual: Virtual = False,
    hand: Hand = None,
    yes: Yes = False,
    report: Report = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that was interrupted.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Name the tests and end.")] = False,
    device_key: OptionalKey = None,
    image: Annotated[
        Path | None, typer.Option("--image", metavar="FILE", help="The image whose program the table must have.")
    ] = None,
    technician: Annotated[str, typer.Option("--technician", metavar="NAME", help="Who does this.")] = "",
    licence: Annotated[str, typer.Option("--licence", metavar="TEXT", help="The technician's licence.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
    asset: Annotated[str, typer.Option("--asset", metavar="TEXT", help="The house's number of the table.")] = "",
    place: Annotated[str, typer.Option("--table", metavar="TEXT", help="Where the table stands.")] = "",
    key: ReportKey = None,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Test a table, one thing at a time: what is measured, what it must be, and what is wrong if it is not.

    The table is in test mode for as long as this runs, and then as it was, however it ends. Exit code 1: a test failed.
    """
    from wheelwright.bench import running
    from wheelwright.bench.tests import BY_NAME, TESTS
    from wheelwright.errors import WheelwrightError

    if list_:
        for test in TESTS:
            print(f"{test.name:15} {test.title}")
        return
    for name in tests:
        if name not in BY_NAME:
            raise WheelwrightError(
                9001, option="TEST", value=name, advice="see them all with: wheelwright bench --list"
            )
    if resume and report is None:
        raise WheelwrightError(
            9001, option="--resume", value="given without --report", advice="name the report's folder"
        )
    who = running.Who(technician, licence, reason, asset, place)
    with at_table(port, virtual, hand, yes, device_key, image, report, timeout, json) as (session, address):
        run = running.Running(session, who, address, report)
        done = run.resume() if resume else []
        if resume and not done:
            session.say(f"Nothing to go on with: {report} holds no test of table {session.client.hello.serial} that is "
                        "done and has no report. All are done anew.")
        with running.given_back(session):
            run.run([test.name for test in TESTS if test.name not in done and (not tests or test.name in tests)],
                    lambda check: None if json else _say(check))  # fmt: skip
            found = run.end()
    paths, failed = _write(run, found, report, key) if report else ([], None)
    if json:
        terminal.print_json({**running.as_json(found), "reports": [str(path) for path in paths]})
    else:
        _sum_up(found, paths)
    if failed:
        raise failed
    if found.verdict not in ("PASS", "SKIPPED"):
        wrong = [check.name for check in found.checks if check.verdict in ("FAIL", "INVALID")]
        raise WheelwrightError(8120, serial=found.serial, verdict=found.verdict, names=", ".join(wrong) or "meters")


@contextlib.contextmanager
def at_table(
    port: str | None, virtual: bool, hand: str | None, yes: bool, device_key: Path | None, image: Path | None,
    report: Path | None, timeout: float, quiet: bool,
) -> Iterator[tuple[Bench, str]]:  # fmt: skip
    """A bench at the table of the options; closed at the end. E-9001: which table is meant is not clear."""
    import time

    from wheelwright import supervising
    from wheelwright.bench.running import earlier_losses
    from wheelwright.bench.session import Bench
    from wheelwright.errors import WheelwrightError
    from wheelwright.link import Client
    from wheelwright.virtual import BENCH_HEAP, VirtualTable

    if virtual == (port is not None):
        advice = "give one of them: the port of a table, or --virtual"
        raise WheelwrightError(
            9001, option="--port", value="given with --virtual" if virtual else "left out", advice=advice
        )
    with contextlib.ExitStack() as stack:
        table = stack.enter_context(VirtualTable(pace=30, heap=BENCH_HEAP)) if virtual else None
        address = table.address if table else str(port)
        secret = supervising.read_key(device_key) if device_key else None
        client = Client.open(address, timeout)
        stack.callback(client.close)
        if secret and device_key:
            supervising.prove(client, secret, device_key)
        earlier = earlier_losses(report, client.hello.serial, time.time())
        line = _Live(quiet)
        stack.callback(line.end)
        someone = _technician(table, hand, yes, line)
        session = Bench(client, someone, device_key=secret, image=image, earlier=earlier, say=line.say, tell=line.show)
        stack.callback(lambda: session.client.close())
        yield session, address


def _technician(table: object, hand: str | None, yes: bool, line: _Live) -> Technician:
    from wheelwright.bench import technician
    from wheelwright.hand import Hand as HandOf
    from wheelwright.virtual import VirtualTable

    if isinstance(table, VirtualTable):
        return technician.Virtual(lambda: table.hand, table.restart)
    if hand is not None:
        there = HandOf(hand)
        return technician.Virtual(lambda: there)
    if yes:
        return technician.Rig(line.say)
    return technician.Person(line.say, line.ask)


class _Live:
    """Instructions, questions and the line of live values, on standard error; a pipe gets the instructions alone."""

    def __init__(self, quiet: bool) -> None:
        import sys

        self._out = sys.stderr
        self._moving = not quiet and not terminal.is_plain(sys.stderr)
        self._quiet = quiet
        self._shown = 0
        self._at = 0.0

    def say(self, words: str) -> None:
        self.end()
        if not self._quiet:
            print(words, file=self._out, flush=True)

    def ask(self, question: str) -> str:
        self.end()
        print(question, end="", file=self._out, flush=True)
        try:
            return input()
        except EOFError:
            return "s"

    def show(self, words: str) -> None:
        import time

        if not self._moving or time.monotonic() < self._at:
            return
        self._at = time.monotonic() + 0.1
        print("\r" + words[:78].ljust(self._shown), end="", file=self._out, flush=True)
        self._shown = len(words[:78])

    def end(self) -> None:
        if self._shown:
            print("\r" + " " * self._shown + "\r", end="", file=self._out, flush=True)
            self._shown = 0


def _say(check: Check) -> None:
    from wheelwright.reports.words import limits
    from wheelwright.wording import measure

    told = check.measured is not None and not isinstance(check.measured, str)
    measured = measure(check.measured, check.unit) if told else ""
    wanted = limits(check) if measured else ""
    print(
        f"{check.verdict:8} {check.title}"
        + (f": {measured}" if measured else "")
        + (f" (expected {wanted})" if wanted else "")
    )
    if check.detail:
        print(f"         {check.detail}")
    if check.cause:
        print(f"         likely cause: {check.cause}")
    if check.next_step:
        print(f"         next: {check.next_step}", flush=True)


def _write(
    running: Running, run: Run, folder: Path, key: Path | None
) -> tuple[list[Path], WheelwrightError | None]:
    """The reports, or why there are none; the run is kept until they are in their place."""
    from wheelwright import signatures
    from wheelwright.bench.running import unfinished
    from wheelwright.cli.options import report_key
    from wheelwright.errors import WheelwrightError
    from wheelwright.interrupt import put_off
    from wheelwright.reports import files

    try:
        with put_off():
            paths = files.write(run, folder, signatures.key(report_key(key)))
    except WheelwrightError as error:
        error.add(f"the tests are kept in {unfinished(folder, run.serial)}: then do the same again with --resume")
        return [], error
    running.reported()
    return paths, None


def _sum_up(run: Run, paths: list[Path]) -> None:
    moved = "no live meter moved" if not run.moved else "meters moved: " + ", ".join(run.moved)
    print(f"{run.verdict}: table {run.serial}, {len(run.checks)} tests in {run.ended_s - run.started_s:.0f} s, {moved}")
    for path in paths:
        print(f"report: {path}")
