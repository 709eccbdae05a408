"""Options that several commands share, with one wording."""

import math
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]
Port = Annotated[
    str,
    typer.Option(
        "--port", "-p", envvar="WHEELWRIGHT_PORT", metavar="ADDRESS", show_default=False,
        help="The table's port: /dev/ttyACM0, COM5, socket://HOST:PORT, any pyserial address.",
    ),
]  # fmt: skip
Hand = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="The hand of a virtual table (sim prints it); it spins the wheel.")
]
Db = Annotated[
    str,
    typer.Option(
        "--db", envvar="WHEELWRIGHT_DB", metavar="FILE",
        help="The log database: a file, or a database address such as postgresql://...",
    ),
]  # fmt: skip
Serial = Annotated[
    str | None, typer.Option("--serial", metavar="SERIAL", help="The table, when the log holds several.")
]
MOST_SEED = (1 << 32) - 1
MOST_NUMBER = (1 << 63) - 1  # of a record or round: what a database holds
DAY_S = 86_400


def seconds(text: str) -> float:
    """A time to wait, in seconds: more than none and no more than a day; what is neither is a usage error."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= DAY_S:  # not a number is not in any range
        raise typer.BadParameter(f"{text!r} is not a number of seconds above 0, at most {DAY_S}.")
    return value


Timeout = Annotated[
    float, typer.Option("--timeout", parser=seconds, metavar="SECONDS", help="How long to wait for the table.")
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="PATH", help="Where to write.")]


def example(*lines: str) -> str:
    """The epilog of a command's help: example lines, kept as they are."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def kind_numbers(names: list[str]) -> list[int]:
    """Record kinds by name (any case); E-9001 for one that does not exist."""
    from tabletop.journal.fields import KINDS

    from wheelwright.errors import WheelwrightError

    known = {entry[0]: number for number, entry in KINDS.items()}
    for name in names:
        if name.upper() not in known:
            raise WheelwrightError(9001, option="--kind", value=name, advice=f"use one of {' '.join(known)}")
    return [known[name.upper()] for name in names]
