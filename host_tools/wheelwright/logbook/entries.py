"""Stored records as entries for people and programs: decoded, and written as CSV, JSON lines or Parquet."""

import csv
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypedDict

import cbor2
import tabletop.journal.record as record_format
from tabletop.journal import fields

from wheelwright import whole, wording
from wheelwright.errors import WheelwrightError
from wheelwright.interrupt import put_off
from wheelwright.logbook.store import Row

FORMATS = ("csv", "jsonl", "parquet")
BATCH = 10_000  # entries of one Parquet row group: a few MB


class Entry(TypedDict):
    """One record: times in milliseconds, `t_ms` since the table's start, `received_ms` since 1970; bytes as hex.

    `payload` is None when the record's bytes are damaged; `raw` are the bytes as the table sent them.
    """

    serial: str
    number: int
    boot: int
    kind: str
    t_ms: int
    received_ms: int
    hash: str
    payload: dict[str, Any] | None
    raw: str


def payload_of(raw: bytes) -> dict[str, Any]:
    """The payload of a record; ValueError when its bytes are damaged."""
    if len(raw) < record_format.HEADER + record_format.TRAILER or not record_format.intact(raw):
        raise ValueError("the record fails its check sum")
    return _map(raw[record_format.HEADER : -record_format.TRAILER])


def _map(data: bytes) -> dict[str, Any]:
    try:
        payload = cbor2.loads(data)
    except (cbor2.CBORDecodeError, RecursionError, OverflowError, TypeError) as error:
        raise ValueError("the payload is no CBOR") from error
    if not isinstance(payload, dict):
        raise ValueError("the payload is no map")
    return payload


def payloads(serial: str, rows: Iterable[Row]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """(number, kind name, payload) of each row, as `replay` takes them; E-8101 names one that is damaged.

    Check sums are not looked at here, for speed: `chain` proves the bytes, replay what they say.
    """
    names = {kind: fields.name(kind) for kind in range(256)}
    start, end = record_format.HEADER, -record_format.TRAILER
    for row in rows:
        try:
            yield row.number, names[row.kind], _map(row.raw[start:end])
        except (KeyError, ValueError):
            raise WheelwrightError(8101, serial=serial, number=row.number, reason="it cannot be read") from None


def entry(serial: str, row: Row) -> Entry:
    """One row decoded."""
    try:
        payload: dict[str, Any] | None = _plain(payload_of(row.raw))
    except ValueError:
        payload = None
    return {
        "serial": serial, "number": row.number, "boot": row.boot, "kind": fields.name(row.kind), "t_ms": row.t_ms,
        "received_ms": row.received_ms, "hash": row.hash.hex(), "payload": payload, "raw": row.raw.hex(),
    }  # fmt: skip


def line(item: Entry, at_ms: int) -> str:
    """One entry in words, with its table and when it happened."""
    try:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_ms // 1000))
    except (OverflowError, ValueError, OSError):  # no time that a calendar has
        at = f"{at_ms} ms"
    words = "DAMAGED" if item["payload"] is None else wording.record(item["kind"], item["payload"])
    return f"{item['serial']:10} {item['number']:7}  {at}  {item['kind']:13} {words}"


def as_json(value: Mapping[str, Any]) -> str:
    """An entry or payload as one line of JSON."""
    return json.dumps(value, separators=(",", ":"))


def write(entries: Iterable[Entry], form: str, path: Path) -> int:
    """Write all entries to `path`, whole or not at all; returns how many. E-8010 when it cannot be written."""
    with whole.placed(path) as part:
        if form == "parquet":
            return _write_parquet(entries, part)
        with part.open("w", encoding="utf-8", newline="") as file:
            return write_text(entries, form, file)


def write_text(entries: Iterable[Entry], form: str, file: IO[str]) -> int:
    """Write entries as "csv" (with a head line; payload as JSON) or "jsonl"; returns how many."""
    count = 0
    table = csv.writer(file, lineterminator="\n")
    if form == "csv":
        table.writerow(Entry.__annotations__)
    for item in entries:
        if form == "csv":
            table.writerow([as_json(value) if isinstance(value, dict) else value for value in item.values()])
        else:
            file.write(as_json(item) + "\n")
        count += 1
    return count


def _write_parquet(entries: Iterable[Entry], path: Path) -> int:
    with put_off():
        import pyarrow
        import pyarrow.parquet

    whole, text = pyarrow.int64(), pyarrow.string()
    types = {"number": whole, "boot": whole, "t_ms": whole, "received_ms": whole}
    schema = pyarrow.schema([(name, types.get(name, text)) for name in Entry.__annotations__])
    count = 0
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for item in entries:
            batch.append({**item, "payload": as_json(item["payload"]) if item["payload"] is not None else None})
            if len(batch) == BATCH:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema))
                count += len(batch)
                batch.clear()
        writer.write_table(pyarrow.Table.from_pylist(batch, schema))
    return count + len(batch)


def _plain(value: Any) -> Any:
    """The value with bytes as hex and keys as text, so that JSON can hold it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, bool)) else str(value)
