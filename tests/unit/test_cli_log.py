"""The commands `log` and `replay`: what they show, verify, write and refuse."""

import csv
import json

import pyarrow.parquet

from tests.unit.logs import SERIAL, journal, stored
from tests.unit.test_cli import change, db, json_fields, names_in, tool

assert tool  # fixtures
assert db


def test_log_show_tells_records_in_words(tool, db):
    ended = tool("log", "show", "--db", db)
    assert ended.status == 0
    assert len(ended.out.splitlines()) == len(journal(3).raws)
    assert f"table {SERIAL} started (POWER_ON), firmware 0.1.0 EMULATED TEST" in ended.out
    assert "round 2: closed" in ended.out


def test_log_show_can_be_narrowed_to_rounds_kinds_and_numbers(tool, db):
    assert {line["payload"]["round"] for line in tool("log", "show", "--db", db, "--round", 2, "--json").lines} == {2}
    kinds = tool("log", "show", "--db", db, "--kind", "settled", "--kind", "BOOT", "--json").lines
    assert {line["kind"] for line in kinds} == {"SETTLED", "BOOT"}
    third_and_fourth = tool("log", "show", "--db", db, "--from", 3, "--to", 4, "--json").lines
    assert [line["number"] for line in third_and_fourth] == [3, 4]
    ended = tool("log", "show", "--db", db, "--kind", "LUNCH")
    assert ended.status == 2
    assert "SETTLED" in ended.err


def test_log_show_prints_a_damaged_record_as_damaged_and_goes_on(tool, db):
    change(db, "UPDATE records SET raw = CAST(substr(raw, 1, 70) || x'00' || substr(raw, 72) AS BLOB) WHERE number = 4")
    ended = tool("log", "show", "--db", db)
    assert ended.status == 0
    assert "DAMAGED" in ended.out.splitlines()[3]
    assert len(ended.out.splitlines()) == len(journal(3).raws)
    assert tool("log", "show", "--db", db, "--json").lines[3]["payload"] is None
    verified = tool("log", "verify", "--db", db, "--json")
    assert verified.status == 1
    assert json.loads(verified.out.splitlines()[0])["tables"][0]["wrong"] == 4


def test_log_show_json_has_the_shape_of_the_manual(tool, db):
    lines = tool("log", "show", "--db", db, "--json").lines
    assert names_in(lines) == json_fields("log show")
    assert bytes.fromhex(lines[0]["raw"]) == journal(3).raws[0]


def test_log_verify_says_that_a_whole_log_is_whole(tool, db):
    ended = tool("log", "verify", "--db", db)
    assert ended.status == 0
    assert "1 start," in ended.out
    assert ended.out.endswith(": whole\n")
    shape = tool("log", "verify", "--db", db, "--json").json
    assert names_in(shape) | {"hash", "number"} == json_fields("log verify")
    assert shape["whole"] is True


def test_log_verify_of_a_log_without_records_counts_none(tool, tmp_path):
    from wheelwright.logbook.store import Store

    with Store.open(tmp_path / "none.db", create=True) as store, store.transaction(write=True) as connection:
        store.table_id(connection, SERIAL)
    assert tool("log", "verify", "--db", tmp_path / "none.db").out.startswith(f"table {SERIAL}: no record, 0 starts")


def test_log_verify_names_the_first_wrong_record_and_fails(tool, tmp_path):
    path = stored(tmp_path / "gap.db", journal(2))
    change(path, "DELETE FROM records WHERE number IN (5, 6)")
    ended = tool("log", "verify", "--db", path)
    assert ended.status == 1
    assert "missing: 5 to 6" in ended.out
    assert "E-8101 record 5" in ended.err


def test_log_export_writes_every_record_in_each_format(tool, db, tmp_path):
    made = journal(3)
    for form in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"table.{form}"
        ended = tool("log", "export", "--db", db, "--format", form, "--out", out, "--json")
        assert ended.json == {
            "file": str(out), "format": form, "serial": SERIAL, "records": len(made.raws), "signature": None,
        }  # fmt: skip
        assert set(ended.json) == json_fields("log export")
        if form == "csv":
            rows = list(csv.DictReader(out.open(encoding="utf-8", newline="")))
        elif form == "jsonl":
            rows = [json.loads(line) for line in out.read_text().splitlines()]
        else:
            rows = pyarrow.parquet.read_table(out).to_pylist()
        assert [bytes.fromhex(row["raw"]) for row in rows] == made.raws
        assert [int(row["number"]) for row in rows] == list(range(1, len(made.raws) + 1))
        payload = rows[0]["payload"]
        assert (payload if isinstance(payload, dict) else json.loads(payload))["serial"] == SERIAL
        assert set(rows[0]) == {"serial", "number", "boot", "kind", "t_ms", "received_ms", "hash", "payload", "raw"}
    assert not list(tmp_path.glob("*.part"))


def test_an_export_goes_by_the_name_of_its_file(tool, db, tmp_path):
    for form in ("csv", "jsonl", "parquet"):
        assert tool("log", "export", "--db", db, "--out", tmp_path / f"x.{form}", "--json").json["format"] == form
    refused = tool("log", "export", "--db", db, "--out", tmp_path / "x.weird")
    assert (refused.status, (tmp_path / "x.weird").exists()) == (2, False)


def test_log_export_without_a_file_writes_to_standard_output(tool, db):
    exported = tool("log", "export", "--db", db, "--format", "jsonl").lines
    shown = tool("log", "show", "--db", db, "--json").lines
    assert [{name: line[name] for name in line if name != "corrected"} for line in shown] == exported


def test_an_export_that_cannot_be_written_leaves_nothing(tool, db, tmp_path):
    ended = tool("log", "export", "--db", db, "--out", tmp_path / "nowhere" / "x.csv")
    assert ended.status == 6
    assert "E-8010" in ended.err
    assert tool("log", "export", "--db", db, "--format", "xml").status == 2
    assert tool("log", "export", "--db", db, "--format", "parquet").status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.db"]


# replay, errors, schema


def test_replay_names_what_is_missing_in_the_middle_and_fails(tool, tmp_path):
    made = journal(6)
    at = [number for number, kind in enumerate(made.kinds) if kind == "ROUND_OPENED"]
    made.raws = made.raws[: at[2]] + made.raws[at[3] + 1 :]
    ended = tool("replay", "--db", stored(tmp_path / "gap.db", made))
    assert ended.status == 1 and ended.err.startswith(f"E-8101 record {at[2] + 1} ")
    assert f"missing: {at[2] + 1} to {at[3] + 1}" in ended.out
    assert "of rounds whose start is not in the log" in ended.out


def test_replay_of_an_honest_log_is_the_same_and_of_a_wrong_one_is_not(tool, db, tmp_path):
    ended = tool("replay", "--db", db, "--json")
    assert ended.status == 0
    assert ended.json["same"] is True
    assert set(ended.json) == json_fields("replay") - {"round", "first", "last", "problem", "record", "of", "words"}
    made = journal(1)
    made.play([[1, "10", 2000]], [9], settled={"collected": 1})
    path = stored(tmp_path / "wrong.db", made)
    ended = tool("replay", "--db", path, "--json")
    assert ended.status == 1
    first = json.loads(ended.out.splitlines()[0])
    assert names_in(first) == json_fields("replay") - {"record", "of", "words"}
    assert first["different"][0]["round"] == 2
    assert "E-8102" in ended.err
    assert "collected" in tool("replay", "--db", path).out
