"""Takes what a laboratory asks for from a table, raw noise bits and final outcomes, in a file with a note beside it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wheelwright import json_text, whole
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client

RAW_AT_ONCE, OUTCOMES_AT_ONCE = 1024, 32  # bits and outcomes of one answer of the table


def note_of(path: Path) -> Path:
    """The file beside a capture that says where it came from."""
    return path.parent / (path.name + ".json")


def raw(client: Client, bits: int, path: Path, advance: Callable[[int], None]) -> dict[str, Any]:
    """Write `bits` raw noise bits, a multiple of 8, packed, first bit high; returns the note.

    What was taken before Ctrl-C or a lost link is kept.
    """
    _check_place(path)
    taken = bytearray()
    note: dict[str, Any] = {}
    try:
        while 8 * len(taken) < bits:
            reply = client.call("RNG_RAW", bits=min(RAW_AT_ONCE, bits - 8 * len(taken)))
            data = reply.pop("data")
            taken += data
            note = {"what": "raw", "bits": 8 * len(taken), "sample_bits": reply.pop("bits"), **_origin(client), **reply}
            advance(8 * len(data))
    finally:
        if taken:
            _write(path, bytes(taken), note)
    return note


def outcomes(client: Client, count: int, n: int, path: Path, advance: Callable[[int], None]) -> dict[str, Any]:
    """Write `count` final outcomes 0 .. n - 1, one a line; returns the note. What was taken is kept, as by `raw`."""
    _check_place(path)
    taken: list[int] = []
    note: dict[str, Any] = {}
    try:
        while len(taken) < count:
            reply = client.call("RNG_OUTCOMES", n=min(OUTCOMES_AT_ONCE, count - len(taken)), range=n)
            values = reply.pop("values")
            taken += values
            note = {"what": "outcomes", "count": len(taken), "range": n, **_origin(client), **reply}
            advance(len(values))
    finally:
        if taken:
            _write(path, "".join(f"{value}\n" for value in taken).encode(), note)
    return note


def _origin(client: Client) -> dict[str, Any]:
    hello = client.hello
    return {"serial": hello.serial, "boot": hello.boot, "version": hello.version, "program": hello.program.hex()}


def _check_place(path: Path) -> None:
    """E-8010 before the first bit is taken, and not an hour later."""
    if path.is_file():
        return
    if path.exists():
        raise WheelwrightError(8010, path=path, reason="it is no ordinary file")
    try:
        path.open("wb").close()
        path.unlink()
    except OSError as error:
        raise WheelwrightError(8010, path=path, reason=error.strerror or str(error)) from error


def _write(path: Path, data: bytes, note: dict[str, Any]) -> None:
    whole.write_all({note_of(path): json.dumps(note, indent=1) + "\n", path: data})


def read_note(path: Path) -> dict[str, Any]:
    """What is known of a capture's origin; empty when there is no note."""
    try:
        found = json_text.parse(note_of(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise WheelwrightError(9012, path=note_of(path), reason=str(error)) from error
    if not isinstance(found, dict):
        return {}
    n = found.get("range", 1)
    if type(n) is not int or n < 1:
        raise WheelwrightError(9012, path=note_of(path), reason=f"range is {n!r}, but must be a whole number from 1")
    return found
