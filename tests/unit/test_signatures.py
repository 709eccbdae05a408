"""Signed exports: the key is this host's alone, and whatever is changed afterwards is found and named."""

import json
import stat
from pathlib import Path

import pytest
from wheelwright import signatures
from wheelwright.errors import WheelwrightError
from wheelwright.logbook import entries, exports
from wheelwright.logbook.store import Anchor, Store

from tests.unit.logs import SERIAL, Journal


def exported(folder: Path, form: str = "csv", kinds: tuple[int, ...] = ()) -> Path:
    journal = Journal()
    journal.start()
    for _ in range(3):
        journal.play()
    path = folder / f"log.{form}"
    with Store.open(str(folder / "log.db"), create=True) as store:
        store.add(SERIAL, journal.raws)
        rows = list(store.records(SERIAL, kinds=kinds))
        entries.write((entries.entry(SERIAL, row) for row in rows), form, path)
    about = {"serial": SERIAL, "format": form, "records": len(rows), "all_kinds": not kinds}
    signatures.sign(path, about, signatures.key(folder / "keys" / "key.pem"))
    return path


def test_the_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key.pem"
    first = signatures.key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert signatures.key(path).private_bytes_raw() == first.private_bytes_raw()
    path.write_text("nothing")
    with pytest.raises(WheelwrightError, match="E-8013"):
        signatures.key(path)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_signed_export_is_proved_from_the_file_alone(tmp_path: Path, form: str) -> None:
    statement, verdict = exports.verify_export(exported(tmp_path, form))
    assert verdict.whole
    assert (verdict.serial, verdict.first, verdict.last) == (SERIAL, 1, statement["records"])
    assert len(bytes.fromhex(statement["public_key"])) == 32


def test_an_export_of_some_kinds_is_proved_record_by_record(tmp_path: Path) -> None:
    statement, verdict = exports.verify_export(exported(tmp_path, kinds=(7,)))
    assert (statement["all_kinds"], verdict.whole, verdict.records) == (False, True, 3)


def test_an_export_whose_content_signature_name_or_key_is_wrong_is_refused(tmp_path: Path) -> None:
    path = exported(tmp_path)
    good, signature = path.read_bytes(), signatures.signature_of(path).read_text()

    def refused(public_key: str | None = None) -> str:
        with pytest.raises(WheelwrightError) as failure:
            exports.verify_export(path, public_key)
        assert failure.value.code == 8106
        return str(failure.value)

    for at in range(0, len(good), len(good) // 20):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
        assert "changed after it was signed" in refused()
    path.write_bytes(good[:-1])
    assert "changed after it was signed" in refused()
    path.write_bytes(good)
    for field in ("records", "serial", "public_key", "signature", "sha256"):
        whole = json.loads(signature)
        was = whole[field]
        whole[field] = was + 1 if field == "records" else ("11" if was[:2] == "00" else "00") + was[2:]
        signatures.signature_of(path).write_text(json.dumps(whole))
        refused()
    signatures.signature_of(path).write_text("{}")
    assert "cannot be read" in refused()
    signatures.signature_of(path).write_text(signature)
    assert "key" in refused("00" * 32)
    signatures.signature_of(path).unlink()
    assert "there is no signature" in refused()


def test_an_export_signed_by_a_forger_who_changed_a_record_fails_by_its_chain(tmp_path: Path) -> None:
    path = exported(tmp_path, "jsonl")
    lines = path.read_text().splitlines()
    missing, swapped = lines[:4] + lines[5:], lines[:4] + lines[5:6] + lines[4:5] + lines[6:]
    for forged in (missing, swapped):
        path.write_text("\n".join(forged) + "\n")
        about = {"serial": SERIAL, "format": "jsonl", "records": len(forged), "all_kinds": True}
        signatures.sign(path, about, signatures.key(tmp_path / "other.pem"))
        _, verdict = exports.verify_export(path)
        failure = verdict.failure()
        assert failure is not None
        assert failure.fields["number"] in (5, 6)


def test_a_shortened_export_is_found_by_the_anchor_that_the_host_keeps(tmp_path: Path) -> None:
    path = exported(tmp_path, "jsonl")
    lines = path.read_text().splitlines()
    last = json.loads(lines[-1])
    anchor = Anchor(last["number"], bytes.fromhex(last["hash"]))
    assert exports.verify_export(path, anchor_of=lambda _serial: anchor)[1].whole
    path.write_text("\n".join(lines[:-2]) + "\n")
    about = {"serial": SERIAL, "format": "jsonl", "records": len(lines) - 2, "all_kinds": True}
    signatures.sign(path, about, signatures.key(tmp_path / "keys" / "key.pem"))
    failure = exports.verify_export(path, anchor_of=lambda _serial: anchor)[1].failure()
    assert failure is not None
    assert failure.code == 8103
