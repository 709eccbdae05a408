"""`wheelwright log ...`: pull records from a table, show them, verify them, hand them on."""

from pathlib import Path
from typing import Annotated

import typer

from wheelwright import terminal
from wheelwright.cli.options import MOST_NUMBER, Db, Json, Port, PublicKey, Serial, Timeout, example

app = typer.Typer(
    no_args_is_help=True, help="The log: pull it from a table, show, verify and export it.",
    epilog=example("wheelwright log pull --port /dev/ttyACM0 --db table.db", "wheelwright log verify --db table.db"),
)  # fmt: skip

First = Annotated[int, typer.Option("--from", min=0, max=MOST_NUMBER, metavar="NUMBER", help="The first record.")]
Last = Annotated[int | None, typer.Option("--to", min=0, max=MOST_NUMBER, metavar="NUMBER", help="The last record.")]
Kinds = Annotated[list[str], typer.Option("--kind", metavar="KIND", help="Only this kind (SETTLED); may be repeated.")]
Round = Annotated[
    int | None, typer.Option("--round", min=0, max=MOST_NUMBER, metavar="NUMBER", help="Only this round.")
]
DEFAULT_DB = "wheelwright.db"


@app.command(epilog=example("wheelwright log pull --port /dev/ttyACM0 --db table.db"))
def pull(port: Port, db: Db = DEFAULT_DB, timeout: Timeout = 5.0, json: Json = False) -> None:
    """Store every record that the log does not have yet, then tell the table that it is held (anchor)."""
    from wheelwright.link import Client
    from wheelwright.logbook.pulling import pull as pull_log
    from wheelwright.logbook.store import Store

    with (
        Client.open(port, timeout) as client,
        Store.open(db, create=True) as store,
        terminal.progress("pull", None) as advance,
    ):
        pulled = pull_log(client, store, advance)
    if json:
        terminal.print_json(pulled.as_json())
    else:
        for line in pulled.lines():
            print(line)


@app.command(epilog=example("wheelwright log show --db table.db --kind SETTLED --round 7"))
def show(
    db: Db = DEFAULT_DB,
    serial: Serial = None,
    first: First = 0,
    last: Last = None,
    kind: Kinds = [],  # noqa: B006  (Typer wants a list, and nothing changes it)
    round_: Round = None,
    json: Json = False,
) -> None:
    """Show records, one a line, in words (or as JSON, one object a line)."""
    from wheelwright import wording
    from wheelwright.cli.options import check_span, kind_numbers
    from wheelwright.logbook import entries
    from wheelwright.logbook.corrections import by_record
    from wheelwright.logbook.store import Store

    check_span(first, last)
    with Store.open(db) as store:
        serial = store.serial(serial)
        corrected = by_record(store.records(serial, kinds=kind_numbers(["CORRECTION"])))
        for row in store.records(serial, first=first, last=last, kinds=kind_numbers(kind), round_=round_):
            item = entries.entry(serial, row)
            payload = item["payload"]
            if json:
                terminal.print_json({**item, "corrected": [one.number for one in corrected.get(row.number, ())]})
            else:
                words = "DAMAGED" if payload is None else wording.record(item["kind"], payload)
                words += "".join(f" [CORRECTED in record {one.number}]" for one in corrected.get(row.number, ()))
                print(f"{row.number:7} {row.boot:4} {row.t_ms / 1000:11.3f}  {item['kind']:13} {words}")


@app.command(epilog=example("wheelwright log script --db table.db --round 7 --out round.json"))
def script(
    round_: Annotated[int, typer.Option("--round", min=0, max=MOST_NUMBER, metavar="NUMBER", help="The round.")],
    db: Db = DEFAULT_DB,
    serial: Serial = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write; else standard output.")
    ] = None,
    json: Json = False,
) -> None:
    """Turn a journalled round into a script for `wheelwright adjudicate`."""
    import json as json_format

    from wheelwright import whole
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook import entries
    from wheelwright.logbook.store import Store
    from wheelwright.scripts import script_of_records

    with Store.open(db) as store:
        serial = store.serial(serial)
        rows = store.records(serial, round_=round_)
        played = (one[1:] for one in entries.payloads(serial, rows) if one[2].get("round") == round_)
        found = script_of_records(one for one in played if one[0] != "BOOT")
    if not found:
        raise WheelwrightError(9001, option="--round", value=round_, advice=f"table {serial} has no such round in {db}")
    if out is None:
        print(json_format.dumps(found, indent=None if json else 1))
        return
    if out.exists():
        raise WheelwrightError(9001, option="--out", value=out, advice="it is there: name another file")
    whole.write(out, json_format.dumps(found, indent=1) + "\n", new=True)
    if json:
        terminal.print_json({"file": str(out), **found})
        return
    print(f"round {round_} of table {serial} in {out}; try: wheelwright adjudicate {out}")


@app.command(epilog=example("wheelwright log dump --port /dev/ttyACM0 --out flash.bin"))
def dump(
    port: Port,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")],
    timeout: Timeout = 5.0,
    json: Json = False,
) -> None:
    """Copy the raw flash of the journal, as it is, also when the table says that it is damaged."""
    from wheelwright.link import Client
    from wheelwright.logbook import flash_dump

    with Client.open(port, timeout) as client, terminal.progress("dump", None) as advance:
        note = flash_dump.dump(client, out, advance)
    if json:
        terminal.print_json({"file": str(out), **note})
    else:
        print(f"{note['size']} bytes of table {note['serial']} in {out}; check with: wheelwright log verify {out}")


@app.command(epilog=example("wheelwright log verify --db table.db", "wheelwright log verify table.csv"))
def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="An export with its signature, or a raw flash image.")
    ] = None,
    db: Db = DEFAULT_DB,
    serial: Serial = None,
    public_key: PublicKey = None,
    json: Json = False,
) -> None:
    """Check numbers, hashes and anchor of every record; the first wrong one is named. Exit code 1 when one is."""
    from wheelwright import wording
    from wheelwright.logbook.chain import verify_table
    from wheelwright.logbook.store import Store

    if file is not None:
        _verify_file(file, db, serial, public_key, json)
        return
    reports, failures = [], []
    with Store.open(db) as store:
        store.check_owners()
        for table in [store.serial(serial)] if serial else store.serials():
            with terminal.progress(f"verify {table}", store.count(table)) as advance:
                verdict = verify_table(store, table, advance)
            reports.append(verdict.as_json(store.anchor(table)))
            failures += [verdict.failure()] if not verdict.whole else []
    if json:
        terminal.print_json({"whole": not failures, "tables": reports})
    for report in [] if json else reports:
        print(f"table {report['serial']}: {wording.records(report['first'], report['last'])}, "
              f"{wording.count(report['boots'], 'start')}, "
              f"head {report['head']}: {'whole' if report['whole'] else 'NOT whole'}")  # fmt: skip
        for first, last in report["gaps"]:
            print(f"  missing: {first} to {last}")
        for note in report["notes"]:
            print(f"  note: {note}")
    for failure in failures[:1]:
        if failure is not None:
            raise failure


def _verify_file(file: Path, db: str, serial: str | None, public_key: str | None, json: bool) -> None:
    from wheelwright import signatures, wording
    from wheelwright.logbook import exports, flash_dump
    from wheelwright.logbook.store import Anchor, Store

    def anchor_of(table: str) -> Anchor | None:
        if not Path(db).exists():
            return None
        with Store.open(db) as store:
            return store.anchor(table)

    signer = None
    if exports.is_export(file) or signatures.signature_of(file).exists():
        statement, verdict = exports.verify_export(file, public_key, serial, anchor_of)
        signer = statement["public_key"]
    else:
        verdict = flash_dump.verify_image(file, serial, anchor_of)
    failure = verdict.failure()
    if json:
        terminal.print_json({"file": str(file), "signed_by": signer, **verdict.as_json(anchor_of(verdict.serial))})
    elif failure is None:
        by = f", signed by {signer}" if signer else ""
        print(f"{file}: table {verdict.serial}, {wording.records(verdict.first, verdict.last)}, whole{by}")
        for note in verdict.notes:
            print(f"  note: {note}")
    if failure is not None:
        raise failure


@app.command(epilog=example("wheelwright log export --db table.db --format csv --out table.csv"))
def export(
    db: Db = DEFAULT_DB,
    form: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="FORMAT", help="csv, jsonl or parquet; else by the name of the file."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write; else standard output.")
    ] = None,
    serial: Serial = None,
    first: First = 0,
    last: Last = None,
    kind: Kinds = [],  # noqa: B006
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", envvar="WHEELWRIGHT_KEY", metavar="FILE", help="Sign with this Ed25519 key, made on first use."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write records as a table for other programs: CSV, JSON lines or Parquet; with a key, signed in FILE.sig."""
    import sys

    from wheelwright import wording
    from wheelwright.cli.options import check_span, kind_numbers
    from wheelwright.errors import WheelwrightError
    from wheelwright.logbook import entries
    from wheelwright.logbook.store import Store

    check_span(first, last)
    if form is None:
        form = (out.suffix[1:].lower() if out is not None else "") or "csv"
        if form not in entries.FORMATS:
            raise WheelwrightError(9001, option="--out", value=str(out), advice="end it in csv, jsonl or parquet")
    if form not in entries.FORMATS:
        raise WheelwrightError(9001, option="--format", value=form, advice="use csv, jsonl or parquet")
    if out is None and (form == "parquet" or json):
        raise WheelwrightError(9001, option="--out", value="left out", advice="name the file to write")
    with Store.open(db) as store:
        serial = store.serial(serial)
        numbers = kind_numbers(kind)
        with terminal.progress("export", store.count(serial)) as advance:
            rows = store.records(serial, first=first, last=last, kinds=numbers)
            items = (entries.entry(serial, row) for row in terminal.counted(rows, advance))
            if out is None:
                entries.write_text(items, form, sys.stdout)
                return
            count = entries.write(items, form, out)
        signature = None
        if key is not None:
            from wheelwright import signatures

            about = {"serial": serial, "format": form, "records": count, "all_kinds": not kind}
            signature = signatures.sign(out, about, signatures.key(key))
    if json:
        terminal.print_json({
            "file": str(out), "format": form, "serial": serial, "records": count,
            "signature": str(signature) if signature else None,
        })  # fmt: skip
    else:
        signed = f", signed in {signature}" if signature else ""
        print(f"{wording.count(count, 'record')} of table {serial} in {out}{signed}")
