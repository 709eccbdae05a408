"""Wheel traces: reads recordings strictly, and runs the sensing core of the firmware over them.

A trace is `NAME.csv.gz` or `NAME.csv`: header lines `# key: value`, the column line, then a row for each change with
the levels after it (tests/data/traces/README.md). What the reader does not understand ends with E-71xx and the
line; nothing is guessed. The core is the same code on both interpreters (`tabletop.sensing.replay`): in this process,
or on the MicroPython VM with the memory of a chip.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import subprocess
import tempfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tabletop
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay
from tabletop.sensing.spin import Spin

from wheelwright.errors import WheelwrightError
from wheelwright.virtual import micropython as micropython_program

MAGIC = "# wheel-trace 1"
COLUMNS = "t_us,A,B,Z,C"
HEAP = "200k"
UNKNOWN_START = -1
MOST_DIGITS = 11  # of a number: a time is a little more than a day, which is replayed in a minute
WORD_US = 1 << 28  # what the time of one word holds (tabletop.sensing.replay)
LEVELS = {
    b"%d,%d,%d,%d%s" % (n >> 3, n >> 2 & 1, n >> 1 & 1, n & 1, end): n
    for n in range(16) for end in (b"\n", b"\r\n", b"")
}  # fmt: skip
MOST_BYTES = 256 << 20  # of a recording: ten million rows and more
VM_SCRIPT = Path(__file__).with_name("vm.py")

Event = dict[str, object]
Lines = Iterator[tuple[int, bytes]]  # with their numbers


class Trace(NamedTuple):
    """One recording: `words` as `tabletop.sensing.replay` takes them, `levels` at time 0, `start_count` may be -1."""

    name: str
    counts_per_turn: int
    sections: int
    min_turns: int
    index_width_counts: int
    start_count: int
    levels: int
    words: array[int]
    ends_us: int
    origin: tuple[str, ...] = ()  # table, records and time, where a capture says so

    def config(self) -> WheelConfig:
        return WheelConfig(
            self.counts_per_turn, self.sections, self.min_turns, index_width_counts=self.index_width_counts
        )


def read_trace(path: Path) -> Trace:
    """The recording at `path`; E-7101 absent, E-7102 unreadable or no trace, E-7103 to E-7109 what is wrong in it."""
    data = _content(path)
    if not data:
        raise WheelwrightError(7102, path=path, reason="it is empty")
    lines = enumerate(io.BytesIO(data), 1)  # one at a time: what is wrong is found where it stands
    if next(lines)[1].strip() != MAGIC.encode():
        raise WheelwrightError(7102, path=path, reason=f"it does not begin with '{MAGIC}'")
    header = _header(path, lines)
    counts_per_turn, sections, ends_us = (
        _value(path, header, key) for key in ("counts_per_turn", "sections", "ends_us")
    )
    start = _value(path, header, "start_position_counts") if "start_position_counts" in header else UNKNOWN_START
    usual = WheelConfig()
    min_turns, index_width = (
        _value(path, header, key) if key in header else getattr(usual, key)
        for key in ("min_turns", "index_width_counts")
    )
    try:
        WheelConfig(counts_per_turn, sections)
    except ValueError as error:
        line = header["sections" if "sections" in str(error).split()[0] else "counts_per_turn"][0]
        raise WheelwrightError(7109, path=path, line=line, reason=str(error)) from None
    levels, words, last_us = _rows(path, lines)
    if ends_us < last_us:
        reason = f"ends_us {ends_us} is before the last row, {last_us}"
        raise WheelwrightError(7109, path=path, line=header["ends_us"][0], reason=reason)
    name = path.name.removesuffix(".gz").removesuffix(".csv")
    return Trace(
        name, counts_per_turn, sections, min_turns, index_width, start, levels, words, ends_us, _origin(header)
    )


def _origin(header: dict[str, tuple[int, str]]) -> tuple[str, ...]:
    told = [f"table {header['table'][1]}"] if "table" in header else []
    told += [key for key in header if key.startswith("record ")]
    return (*told, *(header["captured"][1].split()[:1] if "captured" in header else ()))


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a device or a pipe may have no end
            raise WheelwrightError(7102, path=path, reason="it is no ordinary file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise WheelwrightError(7101, path=path) from None
    except OSError as error:
        raise WheelwrightError(7102, path=path, reason=error.strerror or str(error)) from None
    if not path.name.endswith(".gz"):
        return _bounded(path, data)
    if not data.startswith(b"\x1f\x8b"):
        raise WheelwrightError(7102, path=path, reason="it is not compressed, though its name ends in .gz")
    try:
        return _bounded(path, gzip.GzipFile(fileobj=io.BytesIO(data)).read(MOST_BYTES + 1))
    except EOFError:
        raise WheelwrightError(7102, path=path, reason="the compressed data end too early") from None
    except (OSError, zlib.error):
        raise WheelwrightError(7102, path=path, reason="the compressed data are damaged") from None


def _bounded(path: Path, data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise WheelwrightError(7102, path=path, reason=f"it has more than {MOST_BYTES >> 20} MB")
    return data


def _header(path: Path, lines: Lines) -> dict[str, tuple[int, str]]:
    """The header as key -> (line number, text); the next line is the first row."""
    header: dict[str, tuple[int, str]] = {}
    for number, raw in lines:
        line = raw.decode("ascii", "replace").strip()
        if line == COLUMNS:
            return header
        key, colon, text = (part.strip() for part in line.removeprefix("#").partition(":"))
        if not line.startswith("#") or not colon:
            break
        if key in header:
            raise WheelwrightError(7109, path=path, line=number, reason=f"{key} stands there twice")
        header[key] = (number, text)
    raise WheelwrightError(7104, path=path, columns=COLUMNS)


def _value(path: Path, header: dict[str, tuple[int, str]], key: str) -> int:
    if key not in header:
        raise WheelwrightError(7103, path=path, key=key)
    line, text = header[key]
    if not (text.isascii() and text.isdigit()):
        raise WheelwrightError(7109, path=path, line=line, reason=f"{key} is '{text}', not a whole number")
    if len(text) > MOST_DIGITS:
        raise WheelwrightError(7109, path=path, line=line, reason=f"{key} has more than {MOST_DIGITS} digits")
    return int(text)


def _rows(path: Path, lines: Lines) -> tuple[int, array[int], int]:
    """The levels of the first row, the words of all rows, and the time of the last."""
    words = array("I")
    add = words.append
    find = LEVELS.get
    now_us = 0
    for number, row in lines:
        time, _, text = row.partition(b",")
        levels = find(text)
        if levels is None or not time.isdigit() or len(time) > MOST_DIGITS:
            raise _bad_row(path, number, row)
        t_us = int(time)
        if t_us < now_us:
            raise WheelwrightError(7105, path=path, line=number, before=now_us, after=t_us)
        gap_us = t_us - now_us
        while gap_us >= WORD_US:
            add((WORD_US - 1) << 4 | (words[-1] & 15 if words else levels))
            gap_us -= WORD_US - 1
        add(gap_us << 4 | levels)
        now_us = t_us
    if not words:
        raise WheelwrightError(7102, path=path, reason="it has no row")
    return words[0] & 15, words, now_us


def _bad_row(path: Path, line: int, row: bytes) -> WheelwrightError:
    cells = row.decode("ascii", "replace").strip().split(",")
    if len(cells) == 5 and cells[0].isdigit():
        if len(cells[0]) > MOST_DIGITS:
            return WheelwrightError(7109, path=path, line=line, reason=f"t_us has more than {MOST_DIGITS} digits")
        for cell in cells[1:]:
            if cell not in ("0", "1"):
                return WheelwrightError(7106, path=path, line=line, value=f"'{cell}'")
    return WheelwrightError(7107, path=path, line=line, columns=COLUMNS)


def event(spin: Spin, t_us: int) -> Event:
    """A spin as `wheelwright trace run` shows it; `t_us` is the time of the recording at which it was decided."""
    return {
        "outcome": spin.outcome,
        "section": spin.section if spin.section >= 0 else None,
        "turns": spin.turns_milli / 1000,
        "direction": "forward" if spin.direction > 0 else "backward",
        "faults": spin.faults,
        "notes": spin.notes,
        "t_us": t_us,
    }


def play(trace: Trace) -> list[Event]:
    """The spins of a recording, in this process. A spin that is still under way when it ends is no event."""
    events: list[Event] = []

    def on_spin(spin: Spin, t_us: int) -> None:
        events.append(event(spin, t_us))

    replay = Replay(trace.config(), trace.levels, trace.start_count, on_spin)
    replay.feed(trace.words, len(trace.words))
    replay.end(trace.ends_us)
    return events


def play_on_vm(traces: Sequence[Trace], micropython: str | None = None) -> list[list[Event]]:
    """The same on the MicroPython VM, held to the heap of a chip; E-7201 without one, E-7108 when it fails."""
    program = micropython or micropython_program()
    modules = Path(tabletop.__file__).resolve().parent.parent
    environment = {**os.environ, "MICROPYPATH": os.pathsep.join((str(modules), ".frozen"))}
    with tempfile.TemporaryDirectory(prefix="wheelwright-") as folder:
        arguments: list[str] = []
        for number, trace in enumerate(traces):
            words = Path(folder, f"{number}.words")
            words.write_bytes(trace.words.tobytes())
            numbers = (trace.counts_per_turn, trace.sections, trace.min_turns, trace.index_width_counts,
                       trace.levels, trace.start_count, trace.ends_us)  # fmt: skip
            arguments += [str(words), *map(str, numbers)]
        command = [program, "-X", f"heapsize={HEAP}", str(VM_SCRIPT), *arguments]
        try:
            run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        except OSError as error:
            raise WheelwrightError(7108, program=program, reason=error.strerror or str(error)) from None
    lines = run.stdout.splitlines()
    if run.returncode or len(lines) != len(traces):
        reason = (run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}").splitlines()[-1]
        raise WheelwrightError(7108, program=program, reason=reason)
    return [json.loads(line, object_hook=_from_vm) for line in lines]


def _from_vm(fields: dict[str, Any]) -> Event:
    t_us = fields.pop("t_us")
    return event(Spin(t_us=t_us, **fields), t_us)


def find_traces(paths: Iterable[Path]) -> list[Path]:
    """Files as given, folders as the traces in them by name; E-7101 when a folder has none."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(file for file in path.iterdir() if file.name.endswith((".csv", ".csv.gz")))
        if not inside:
            raise WheelwrightError(7101, path=path)
        found += inside
    return found


def run_traces(paths: Iterable[Path], vm: bool = False, micropython: str | None = None) -> list[dict[str, object]]:
    """`[{"file": NAME, "events": [...]}]` for files and folders; with `vm` on the MicroPython VM. Errors E-71xx."""
    traces = [read_trace(path) for path in find_traces(paths)]
    results = play_on_vm(traces, micropython) if vm else [play(trace) for trace in traces]
    return [{"file": trace.name, "events": events} for trace, events in zip(traces, results, strict=True)]


def run_trace(path: Path) -> list[Event]:
    """The events of one recording."""
    return play(read_trace(path))
