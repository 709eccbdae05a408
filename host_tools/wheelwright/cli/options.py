"""Options that several commands share, with one wording."""

import math
import re
from pathlib import Path
from typing import Annotated, Any
from unicodedata import category

import typer
from typer.core import TyperCommand

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
EMPTY = "wheelwright.empty"  # an argument is empty
# Bytes of what people say of themselves, and why: it fits a record, a ledger's line and a report's.
MOST_WORDS = {"operator": 60, "second": 60, "technician": 60, "licence": 60, "asset": 60, "place": 60, "reason": 200}
NO_TEXT = ("Cc", "Cs")  # control characters, and bytes of an argument that are no UTF-8


def seconds(text: str) -> float:
    """A time to wait, in seconds: more than none and no more than a day; what is neither is a usage error."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= DAY_S:  # not a number is not in any range
        raise typer.BadParameter(f"{text!r} is not a number of seconds above 0, at most {DAY_S}.")
    return value


def moment(text: str) -> int:
    """A point in time as ISO 8601 (2026-11-30, 2026-11-30T22:15; of this computer's zone unless it names one) in ms."""
    from datetime import datetime

    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise typer.BadParameter(f"{text!r} is no time such as 2026-11-30T22:15.") from None


Timeout = Annotated[
    float, typer.Option("--timeout", parser=seconds, metavar="SECONDS", help="How long to wait for the table.")
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="PATH", help="Where to write.")]


def public_key(text: str) -> str:
    """An Ed25519 key in hex; what is none is a usage error."""
    if not re.fullmatch("[0-9A-Fa-f]{64}", text):
        raise typer.BadParameter(f"{text!r} is no public key: it has 64 hex digits.")
    return text


PublicKey = Annotated[
    str | None,
    typer.Option(
        "--public-key", parser=public_key, metavar="HEX", help="The key that must have signed it: 64 hex digits."
    ),
]

ReportKey = Annotated[
    Path | None,
    typer.Option(
        "--key", envvar="WHEELWRIGHT_KEY", metavar="FILE",
        help="Seal with this Ed25519 key, made on first use; else with this user's own.",
    ),
]  # fmt: skip


def report_key(given: Path | None) -> Path:
    """The key given, or the one in the user's folder of settings."""
    return given or Path(typer.get_app_dir("wheelwright")) / "report-key.pem"


class Command(TyperCommand):
    """A command none of whose words hold what is no text, and no record, message or log could hold, or no file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[EMPTY] = any(not word or word.endswith("=") for word in args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        for name, value in ctx.params.items():
            for word in value if isinstance(value, (list, tuple)) else (value,):
                if word == Path() and ctx.meta[EMPTY]:  # else this folder would be meant
                    raise typer.BadParameter("an empty text names no file.", ctx=ctx, param_hint=f"--{name}")
                if isinstance(word, str) and any(category(sign) in NO_TEXT for sign in word):
                    hint = "--" + name.strip("_").replace("_", "-")
                    raise typer.BadParameter(f"{word!r} is no text of one line.", ctx=ctx, param_hint=hint)
                if isinstance(word, str) and name in MOST_WORDS and len(word.encode()) > MOST_WORDS[name]:
                    words = f"{word[:16]!r}... has {len(word.encode())} bytes, more than {MOST_WORDS[name]}."
                    raise typer.BadParameter(words, ctx=ctx, param_hint="--" + ("table" if name == "place" else name))
        return super().invoke(ctx)


def check_span(first: int, last: int | None) -> None:
    """E-9001 for records --from a number --to a lower one."""
    from wheelwright.errors import WheelwrightError

    if last is not None and last < first:
        raise WheelwrightError(9001, option="--to", value=last, advice=f"give a number from --from, {first}, on")


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
