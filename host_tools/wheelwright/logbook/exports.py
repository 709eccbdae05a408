"""Reads an export back and proves it: its signature, every record's own bytes, and the chain from record to record."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from wheelwright import json_text, signatures, wording
from wheelwright.errors import WheelwrightError
from wheelwright.logbook.chain import Verdict, verify
from wheelwright.logbook.store import Anchor, Row, as_row

FORMS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
STATED = {"serial": str, "format": str, "records": int, "all_kinds": bool}  # of an export, by its signer
FIELD_MOST = 1 << 20  # characters of a field of a CSV file


def is_export(path: Path) -> bool:
    """Whether the file's name says that it is an export and no flash image."""
    return path.suffix in FORMS


def rows(path: Path, form: str) -> Iterator[Row]:
    """The records of an export, from their raw bytes; what else the export says of them must agree. E-9012."""
    for line, item in enumerate(_items(path, form), 1):
        try:
            raw = bytes.fromhex(item["raw"])
            received_ms = int(item["received_ms"])
            row = as_row(raw)._replace(received_ms=received_ms, at_ms=received_ms)
            agrees = [int(item[name]) for name in ("number", "boot", "t_ms")] == [row.number, row.boot, row.t_ms]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise WheelwrightError(9012, path=path, reason=f"entry {line} is no record: {error}") from None
        if not agrees or item["hash"] != row.hash.hex():
            raise WheelwrightError(9012, path=path, reason=f"entry {line} says other things than its record's bytes")
        yield row


def _items(path: Path, form: str) -> Iterator[dict[str, Any]]:
    try:
        if form == "parquet":
            import pyarrow.parquet

            for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
                yield from batch.to_pylist()
            return
        with path.open(encoding="utf-8", newline="") as file:
            if form == "csv":
                csv.field_size_limit(FIELD_MOST)
                yield from csv.DictReader(file)
            else:
                for line in file:
                    yield json_text.parse(line)
    except (OSError, ValueError, csv.Error) as error:
        raise WheelwrightError(9012, path=path, reason=str(error)) from error


def verify_export(
    path: Path,
    public_key: str | None = None,
    serial: str | None = None,
    anchor_of: Callable[[str], Anchor | None] = lambda _serial: None,
) -> tuple[dict[str, Any], Verdict]:
    """(signed statement, verdict over the records). E-8106: the signature is wrong; E-9012: the file cannot be read.

    An export of some kinds only has no chain: then each record's own bytes are checked.
    """
    statement = signatures.check(path, public_key)
    if any(type(statement.get(name)) is not kind for name, kind in STATED.items()):
        raise WheelwrightError(8106, path=path, reason="what was signed is no export of a log")
    table = statement["serial"]
    if serial is not None and serial != table:
        raise WheelwrightError(8106, path=path, reason=f"it is of table {table}, not of {serial}")
    found = list(rows(path, statement["format"]))
    if len(found) != statement["records"]:
        reason = f"it holds {wording.count(len(found), 'record')}, not {statement['records']}"
        raise WheelwrightError(8106, path=path, reason=reason)
    hashes = {row.number: row.hash for row in found}
    anchor = anchor_of(table) if statement["all_kinds"] else None
    verdict = verify(table, found, anchor, hashes.get, part=True)
    if not statement["all_kinds"]:
        verdict.gaps.clear()
    return statement, verdict
