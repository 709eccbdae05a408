"""What a stream can show: plain ASCII in files and pipes, pictures and colour only where a terminal says so."""

import codecs
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

# Signs that the texts of this tool may hold, as they are written where only ASCII is safe (field case 55).
_ASCII = {
    "×": "x", "…": "...", "–": "-", "—": "-", "✓": "ok", "✗": "NO", "▲": "^", "▼": "v", "●": "*", "•": "*",
    "←": "<", "→": ">", "─": "-", "│": "|", "━": "-", "’": "'", "µ": "u",
}  # fmt: skip
_HANDLER = "wheelwright.ascii"
SLOW_S = 1.0  # work shorter than this shows no progress bar


def _as_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_ASCII.get(sign, "?") for sign in bad), error.end


def is_plain(stream: IO[str]) -> bool:
    """True when only ASCII may be written: no terminal, a dumb one, or one whose encoding is not Unicode."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    return not stream.isatty() or not encoding.startswith("utf") or os.environ.get("TERM") == "dumb"


def prepare_streams() -> None:
    """Make standard output and error unable to fail on a sign they cannot encode."""
    codecs.register_error(_HANDLER, _as_ascii)
    if sys.stdout is None:  # closed by whoever started the tool
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure and is_plain(stream):
            reconfigure(encoding="ascii", errors=_HANDLER)
        elif reconfigure:  # a name of a file may hold bytes that are no text
            reconfigure(errors="backslashreplace")


def console(*, error: bool = False, quiet: bool = False) -> "Console":
    """A Rich console on standard output (or error) that is plain where the stream is; `quiet` shows nothing at all."""
    from rich.console import Console

    if quiet:
        return Console(quiet=True)
    stream = sys.stderr if error else sys.stdout
    if is_plain(stream):
        return Console(file=stream, force_terminal=False, no_color=True, highlight=False, width=200, emoji=False)
    return Console(file=stream, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output; bytes are written as hex."""
    sys.stdout.write(json.dumps(value, default=_json_default) + "\n")  # one write: lines of two threads stay whole
    sys.stdout.flush()


def _json_default(value: object) -> object:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    raise TypeError(f"no JSON for {type(value).__name__}")


def counted(items: Iterable[T], advance: Callable[[int], None]) -> Iterator[T]:
    """The items one by one, each told to `advance`."""
    for item in items:
        yield item
        advance(1)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Yields `advance(n)`; a bar appears on a terminal's standard error once the work takes over a second."""
    if is_plain(sys.stderr):
        yield lambda _n: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    def __init__(self, what: str, total: int | None) -> None:
        self._what, self._total = what, total
        self._done = 0
        self._started = time.monotonic()
        self._rich: Any = None
        self._task: Any = None

    def advance(self, n: int) -> None:
        self._done += n
        if self._rich is None:
            if time.monotonic() - self._started < SLOW_S:
                return
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._rich = Progress(*columns, console=console(error=True), transient=True)
            self._task = self._rich.add_task(self._what, total=self._total)
            self._rich.start()
        self._rich.update(self._task, completed=self._done)

    def close(self) -> None:
        if self._rich is not None:
            self._rich.stop()
