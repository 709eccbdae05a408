"""`wheelwright preview`: what a player would see of one round."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_SEED, Json, example

app = typer.Typer()


@app.command(epilog=example("wheelwright preview wonderspins --out wonderspins.gif"))
def preview(
    game: Annotated[str, typer.Argument(metavar="GAME", help="dreamcatcher, wonderspins, luxor ...")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="FILE.gif moves, FILE.png is its end.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=MOST_SEED, help="Another seed is another round.")] = 1,
    json: Json = False,
) -> None:
    """Draw the lamps of a simulated round, LEDs as LEDs."""
    from wheelwright import wording
    from wheelwright.errors import WheelwrightError
    from wheelwright.games import game_named
    from wheelwright.preview import preview as draw

    if out.suffix.lower() not in (".gif", ".png"):
        raise WheelwrightError(9001, option="--out", value=out, advice="end it with .gif or .png")
    found = game_named(game)
    frames = draw(found, seed, out)
    if json:
        terminal.print_json({"game": game, "seed": seed, "path": str(out), "frames": frames})
    else:
        print(f"{out}: {wording.count(frames, 'frame')} of {found.title}")
