"""`wheelwright adjudicate`: a scripted round, played by the rules of the table."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wheelwright import terminal
from wheelwright.cli.options import Json, example

app = typer.Typer()


@app.command(epilog=example("wheelwright adjudicate round.json", "wheelwright adjudicate --explain wonderspins"))
def adjudicate(
    script: Annotated[Path | None, typer.Argument(metavar="SCRIPT.json", help="A round: game, inputs, draws.")] = None,
    explain: Annotated[
        str | None, typer.Option(metavar="GAME", help="Show the draws, inputs and settings of a game instead.")
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="Print the records that a table would have written of it, one a line.")
    ] = False,
    json: Json = False,
) -> None:
    """Play a scripted round and print its result and every step as JSON."""
    from wheelwright import adjudicate as rounds
    from wheelwright.configuration import read_json
    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_named

    if explain is not None:
        told = rounds.explain(game_named(explain))
        if json:
            terminal.print_json(told)
        else:
            _print(told)
        return
    if script is None:
        raise WheelwrightError(9000, reason="name a script, or a game with --explain", command="wheelwright adjudicate")
    if records:
        from wheelwright.scripts import records_of_script

        for kind, payload in records_of_script(read_json(script)):
            terminal.print_json({"kind": kind, "payload": payload})
        return
    terminal.print_json(rounds.adjudicate(read_json(script)))


def _print(told: dict[str, Any]) -> None:
    print(f"{told['title']} ({told['game']}), {told['source']}; wagers on {', '.join(told['spots'])}\n\ninputs")
    for name, meaning in told["inputs"].items():
        print(f"  {name:<14} {meaning}")
    print("\ndraws, in brackets their range")
    for draw in told["draws"]:
        print(f"  {draw['name']:<20} [{draw['range']}] {draw['decides']}")
    if not told["draws"]:
        print(f"  none: {told['without_draws']}")
    print("\nsettings, with the values that the rules have where a file is silent")
    for key, setting in told["settings"].items():
        print(f"  {key:<20} {setting['means']}\n{'':<22} {setting['example']}")
