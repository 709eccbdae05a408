"""`wheelwright trace ...`: recordings of a wheel's sensors, judged by the table's own sensing."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, example

HELP = "Recordings of a wheel: what the table's sensing makes of them."
EXAMPLE = example("wheelwright trace run recording.csv.gz --json")
app = typer.Typer(no_args_is_help=True, help=HELP, epilog=EXAMPLE)


@app.callback(help=HELP)
def trace() -> None:
    """Keeps `run` a command of its own although it is the only one."""


@app.command(epilog=EXAMPLE)
def run(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files (.csv, .csv.gz) or folders of them.")],
    vm: Annotated[bool, typer.Option("--vm", help="Run on the MicroPython VM, in the memory of a chip.")] = False,
    json: Json = False,
) -> None:
    """Run recordings through the sensing of the firmware; prints the spins in each."""
    from wheelwright.trace import find_traces, play, play_on_vm, read_trace

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


def _words(event: dict[str, object]) -> str:
    section = f" {event['section']}" if event["section"] is not None else ""
    because = " ".join([*event["faults"], *event["notes"]])  # type: ignore[misc]
    return f"{event['outcome']}{section}, {event['turns']:.2f} turns {event['direction']}{because and ', '}{because}"
