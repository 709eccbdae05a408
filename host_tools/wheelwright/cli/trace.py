"""`wheelwright trace ...`: recordings of a wheel's sensors, judged by the table's own sensing."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, Port, Timeout, example, seconds

if TYPE_CHECKING:
    from wheelwright.traces.capturing import Recording

HELP = "Recordings of a wheel: take one from a table, see it, and what the table's sensing makes of it."
EXAMPLE = example("wheelwright trace run recording.csv.gz --json")
app = typer.Typer(no_args_is_help=True, help=HELP, epilog=EXAMPLE)


@app.command(epilog=EXAMPLE)
def run(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files (.csv, .csv.gz) or folders of them.")],
    vm: Annotated[bool, typer.Option("--vm", help="Run on the MicroPython VM, in the memory of a chip.")] = False,
    json: Json = False,
) -> None:
    """Run recordings through the sensing of the firmware; prints the spins in each."""
    from wheelwright.traces.trace import find_traces, play, play_on_vm, read_trace

    found = find_traces(paths)
    results: list[tuple[str, list[dict[str, object]]]] = []
    with terminal.progress("traces", len(found)) as advance:
        for path in terminal.counted(found, advance):
            recording = read_trace(path)
            results.append((recording.name, play_on_vm([recording])[0] if vm else play(recording)))
    if json:
        terminal.print_json([{"file": name, "events": events} for name, events in results])
        return
    for name, events in results:
        print(f"{name}:{'' if events else ' no spin'}")
        for event in events:
            print(f"  {_words(event)}")


@app.command(epilog=example("wheelwright trace capture --port /dev/ttyACM0 --out spin.csv.gz",
                      "wheelwright trace capture --port /dev/ttyACM0 --out spins --wait 86400"))
def capture(
    port: Port,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The trace to write, .csv or .csv.gz; or a folder.")
    ],
    wait: Annotated[
        float, typer.Option("--wait", parser=seconds, metavar="SECONDS", help="How long to wait for the spin.")
    ] = 120.0,
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Record the next spin of a table, or, into a folder, every spin until Ctrl-C. It takes nothing from the table: a
    spin that counts goes on counting."""
    import sys

    from wheelwright.errors import WheelwrightError
    from wheelwright.link import Client
    from wheelwright.traces import capturing

    every = out.is_dir()
    if not every and not out.name.endswith((".csv", ".csv.gz")):
        raise WheelwrightError(9001, option="--out", value=out, advice="end it with .csv or .csv.gz, or name a folder")
    with Client.open(port, timeout) as client:
        while True:
            recording = capturing.record(client, wait, lambda line: print(line, file=sys.stderr, flush=True))
            path = out / f"{recording.serial}-{recording.spins[-1][0]}.csv.gz" if every else out
            capturing.write(recording, path)
            _captured(recording, path, json)
            if not every:
                return


def _captured(recording: "Recording", path: Path, json: bool) -> None:
    from wheelwright import wording
    from wheelwright.traces.trace import play, read_trace

    again = play(read_trace(path))
    if json:
        said = [{"record": number, **spin} for number, spin in recording.spins]
        terminal.print_json({"file": str(path), "serial": recording.serial, "spins": said, "events": again})
        return
    for number, spin in recording.spins:
        print(f"record {number}: {wording.outcome(spin)}")
    print(f"{path}: {wording.count(len(recording.events), 'reading')}; trace run says:{'' if again else ' no spin'}")
    for event in again:
        print(f"  {_words(event)}")


@app.command(epilog=example("wheelwright trace plot spin.csv.gz --out spin.svg"))
def plot(
    path: Annotated[Path, typer.Argument(metavar="TRACE", help="A recording (.csv, .csv.gz).")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The picture: .svg or .png.")],
    json: Json = False,
) -> None:
    """Draw a recording: speed, position, clapper and index over time, and what the sensing made of it."""
    from wheelwright.errors import WheelwrightError
    from wheelwright.traces import plot as trace_plot
    from wheelwright.traces.trace import play, read_trace

    if out.suffix.lower() not in (".svg", ".png"):
        raise WheelwrightError(9001, option="--out", value=out, advice="end it with .svg or .png")
    recording = read_trace(path)
    events = play(recording)
    trace_plot.draw(recording, events, out)
    if json:
        terminal.print_json({"file": str(out), "events": events})
    else:
        print(out)


def _words(event: dict[str, object]) -> str:
    section = f" {event['section']}" if event["section"] is not None else ""
    because = " ".join([*event["faults"], *event["notes"]])  # type: ignore[misc]
    return f"{event['outcome']}{section}, {event['turns']:.2f} turns {event['direction']}{because and ', '}{because}"
