"""A raw image of a journal's flash: taken over the link, and read and verified without the table.

Every page must be blank, part of a record, or torn and named by the TORN record behind it (docs/journal-format.md).
"""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import tabletop.journal.record as record_format
from tabletop.journal import kinds

from wheelwright import json_text, whole
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook.chain import Verdict, verify
from wheelwright.logbook.store import Anchor, Row, as_row

PAGE, SECTOR = 256, 4096
MAGIC = b"WJ"  # of a record
NUMBER_AT, LENGTH_AT = 4, 24  # in its header
_LENGTH = struct.Struct(">H")
_BLANK = b"\xff" * PAGE


def note_of(path: Path) -> Path:
    """The file beside a dump that says which table it is of."""
    return path.parent / (path.name + ".json")


def dump(client: Client, path: Path, advance: Callable[[int], None] = lambda _n: None) -> dict[str, Any]:
    """Write the whole flash of the journal to `path` as it is, with a note beside it. E-8010."""
    data, size = bytearray(), 1
    while len(data) < size:
        reply = client.call("DUMP", at=len(data))
        data += reply["data"]
        size = reply["size"]
        advance(len(reply["data"]))
    note = {"serial": client.hello.serial, "boot": client.hello.boot, "size": size}
    whole.write_all({note_of(path): json.dumps(note, indent=1) + "\n", path: bytes(data)})
    return note


def read_note(path: Path) -> dict[str, Any]:
    """The note beside a dump; empty when there is none."""
    try:
        note = json_text.parse(note_of(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def rows(path: Path, data: bytes, note: dict[str, Any]) -> list[Row]:
    """All records of an image, in order of number. E-8107 names the first page or record that cannot be."""

    def wrong(reason: str) -> WheelwrightError:
        return WheelwrightError(8107, path=path, reason=reason)

    if not data or len(data) % SECTOR:
        raise wrong(f"it has {len(data)} bytes, which are no whole sectors of {SECTOR}: it was truncated")
    if note.get("size", len(data)) != len(data):
        raise wrong(f"it has {len(data)} bytes, the table's flash has {note['size']}: it was truncated")
    found: dict[int, Row] = {}
    placed: list[tuple[int, int]] = []  # (address, number) of every record
    odd: list[int] = []  # pages that are neither blank nor in a record
    named: set[int] = set()  # pages that a TORN record accounts for
    at = 0
    while at < len(data):
        raw = _record(data, at)
        if raw is None:
            if data[at:at + PAGE] != _BLANK:
                odd.append(at)
            at += PAGE
            continue
        row = as_row(raw)
        end = at + -(-len(raw) // PAGE) * PAGE
        if data[at + len(raw):end].strip(b"\xff"):
            raise wrong(f"record {row.number} at {at:#x} is followed by bytes that nobody wrote")
        if row.number in found:
            raise wrong(f"record {row.number} is there twice")
        found[row.number] = row
        placed.append((at, row.number))
        if row.kind == kinds.TORN:
            torn = cbor2.loads(raw[record_format.HEADER:-record_format.TRAILER]).get("pages", 0)
            named.update((at - PAGE * back) % len(data) for back in range(1, torn + 1))
        at = end
    for page in odd:
        if page not in named:
            raise wrong(_oddness(data, page, placed))
    return [found[number] for number in sorted(found)]


def _oddness(data: bytes, page: int, placed: list[tuple[int, int]]) -> str:
    """What a page is that is neither blank nor in a record: one bit of it may be wrong, or all of it."""
    numbers = {number for _, number in placed}
    last = max(numbers, default=0)
    before = next((number for at, number in reversed(placed) if at < page), last)  # the ring goes on from its end
    after = next((number for at, number in placed if at > page), min(numbers, default=1))
    could = [number for number in (before + 1, after - 1) if number > 0 and number not in numbers]
    claimed = int.from_bytes(data[page + NUMBER_AT:page + NUMBER_AT + 4], "big")
    if claimed in could:
        number = claimed
    elif could and data[page:page + 2] == MAGIC:  # then the number itself is wrong
        number = min(could)
    else:
        return f"the erased page at {page:#x} holds bits that nobody wrote"
    torn = ", or was torn by a power cut that no TORN record names" if number > last else ""
    return f"record {number} at {page:#x} is damaged{torn}"


def _record(data: bytes, at: int) -> bytes | None:
    """The record at `at`, when a sound one begins there."""
    length = _LENGTH.unpack_from(data, at + LENGTH_AT)[0]
    raw = data[at:at + record_format.HEADER + length + record_format.TRAILER]
    sound = data[at:at + 2] == MAGIC and length <= record_format.MAX_PAYLOAD and record_format.intact(raw)
    return raw if sound else None


def serial_of(found: list[Row]) -> str | None:
    """The table that wrote these records, as its newest BOOT says."""
    for row in reversed(found):
        if row.kind == kinds.BOOT:
            return str(cbor2.loads(row.raw[record_format.HEADER:-record_format.TRAILER]).get("serial"))
    return None


def verify_image(
    path: Path,
    serial: str | None = None,
    anchor_of: Callable[[str], Anchor | None] = lambda _serial: None,
) -> Verdict:
    """Check the image at `path`: pages, chain, table and, when the host has one, its anchor. E-8107, E-9012."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or str(error)) from error
    if data.startswith(b"SQLite format 3\0"):
        raise WheelwrightError(8107, path=path, reason="it is a log, which --db takes, and no image")
    note = read_note(path)
    found = rows(path, data, note)
    by = serial_of(found)
    for wanted in (serial, note.get("serial")):
        if wanted is not None and by is not None and by != wanted:
            raise WheelwrightError(8107, path=path, reason=f"it is of table {by}, not of {wanted}")
    name = by or serial or note.get("serial") or "?"
    hashes = {row.number: row.hash for row in found}
    verdict = verify(name, found, anchor_of(name), hashes.get)
    if verdict.problem is None and not found:
        if name == "?":
            reason = "it is empty, and nothing says of which table it is: name the table with --serial"
            raise WheelwrightError(8107, path=path, reason=reason)
        if note.get("boot", 0) or anchor_of(name) is not None:
            verdict.problem = WheelwrightError(8107, path=path, reason="it is empty, but its table has run")
    return verdict
