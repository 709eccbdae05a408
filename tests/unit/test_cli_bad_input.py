"""What people get wrong in arguments and files reaches no table and no log: one sentence with a code, never a fault."""

from __future__ import annotations

import json
import sqlite3
from types import SimpleNamespace

import pytest
from wheelwright import json_text
from wheelwright.errors import WheelwrightError
from wheelwright.playing import choices_of
from wheelwright.session import Session

from tests.unit.logs import journal, stored
from tests.unit.test_cli import tool

assert tool  # a fixture

KEY = "00" * 32
CORRECT = {"record": "1", "text": "seat 2", "reason": "count", "operator": "ann", "second": "bob"}


class Line:
    """A link that says yes to whatever fits its messages, and keeps it."""

    def __init__(self):
        self.hello = SimpleNamespace(serial="WW-1", capabilities=("dreamcatcher",), compatible=True)
        self.calls = []

    def call(self, name, **args):
        Session(1).submit(name, args)
        self.calls.append((name, args))
        return {"nonce": bytes(16), "record": 7, "tilts": []}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


@pytest.fixture
def line(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.hex").write_text(KEY)
    made = Line()
    monkeypatch.setattr("wheelwright.link.Client.open", lambda *_: made)
    return made


def correct(tool, **changes):
    said = CORRECT | changes
    return tool("correct", said["record"], said["text"], "--reason", said["reason"], "--operator", said["operator"],
                "--second", said["second"], "--device-key", "key.hex", "--port", "x")  # fmt: skip


@pytest.mark.parametrize("field", CORRECT)
@pytest.mark.parametrize("value", ["\udcff", "a\nb", "a\x1b[2Jb", "99999999999999999999", "-1", "0"])
def test_no_argument_of_a_signed_command_is_more_than_its_message_can_hold(tool, line, field, value):
    ended = correct(tool, **{field: value})
    if ended.status == 0:
        assert field != "record"
        assert value.isascii()
        assert value.isprintable()
    else:
        assert (ended.status, ended.err[:6]) == (2, "E-9000")
        assert not line.calls


@pytest.mark.parametrize("second", ["ann", "Ann ", " ANN", "aNN", "ann\u200b", "a\u00adnn", "\uff41nn", "a nn"])
def test_nobody_is_his_own_second_person_however_the_name_is_typed(tool, line, second):
    ended = correct(tool, second=second)
    assert (ended.status, ended.err[:6]) == (2, "E-9001")
    assert not line.calls
    assert correct(tool, second="anna").status == 0


@pytest.mark.parametrize("tilt", ["99999999999999999999", "-1", "0", "1000"])
def test_a_tilt_that_cannot_be_is_asked_of_no_table(tool, line, tilt):
    ended = tool("clear", "--operator", "ann", "--device-key", "key.hex", "--port", "x", "--", tilt)
    assert ended.err.startswith("E-9000 ")
    assert not line.calls


@pytest.mark.parametrize("text", ["1:", ":1", "1", "-1:2", "1:-2", "1:" + "9" * 30, "\udcff:1", "²:1", "1:2:3", "x:1"])
def test_a_choice_that_is_none_is_named(text):
    with pytest.raises(WheelwrightError, match="E-9005"):
        choices_of([text])


def test_a_choice_of_a_seat_without_a_bet_is_refused_before_anything_is_played() -> None:
    assert choices_of(["2:3"], [[2, "Luxor", 5000]]) == {2: 3}
    with pytest.raises(WheelwrightError, match=r"E-9000 .*--choose 1:3 is of a seat that no --bet names"):
        choices_of(["2:3", "1:3"], [[2, "Luxor", 5000]])


LONG = [  # the command, and an option that gets words which no record and no report can hold
    ("bench --virtual", "--technician"), ("bench --virtual", "--licence"), ("bench --virtual", "--asset"),
    ("bench --virtual", "--table"), ("bench --virtual", "--reason"),
    ("calibrate --virtual --device-key k", "--operator"),
    ("clear 21 --port x --device-key k", "--operator"),
    ("correct 5 text --port x --device-key k --operator a --reason b", "--second"),
    ("reset-meter --port x --device-key k --operator a", "--reason"),
    ("link correct house 5 --second a --reason b", "--operator"),
    ("link rejoin house --port x --operator a --reason b", "--second"),
    ("link rejoin house --port x --operator a --second b", "--reason"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "option"), LONG)
def test_words_that_no_record_or_report_can_hold_are_refused_before_anything_is_done(command, option, tool):
    ended = tool(*command.split(), option, "ä" * 101)
    assert (ended.status, ended.err[:7]) == (2, "E-9000 "), ended.err
    assert option in ended.err
    assert "has 202 bytes, more than" in ended.err


@pytest.mark.parametrize("text", [
    "[" * 3000 + "]" * 3000, '{"a":' * 60 + "1" + "}" * 60, "NaN", '{"a": Infinity}', "9" * 5000, "", "{",
], ids=["3000 deep", "60 deep", "NaN", "Infinity", "5000 digits", "empty", "torn"])  # fmt: skip
def test_a_file_of_json_that_no_reader_should_get_is_named_by_every_command_that_reads_one(tool, line, tmp_path, text):
    with pytest.raises(ValueError, match=r"."):
        json_text.parse(text)
    bad = tmp_path / "bad.json"
    bad.write_text(text)
    (tmp_path / "bad.json.sig").write_text(text)
    (tmp_path / "table.jsonl").write_text(text)
    (tmp_path / "board.json").write_text("{" + text)
    words = ("--operator", "ann", "--port", "x")
    for command in (
        ("configure", bad, "--device-key", "key.hex", *words), ("clear", "61", "--device-key", "board.json", *words),
        ("odds", "luxor", "--config", bad), ("adjudicate", bad), ("log", "verify", bad),
        ("sim", "--board", bad), ("rng", "test", "table.jsonl"),
    ):  # fmt: skip
        ended = tool(*command)
        assert ended.status not in (0, 70), (command, ended.err)
        assert ended.err.startswith("E-")
        assert ended.err.count("\n") == 1
    assert not line.calls


def test_json_as_files_of_the_tool_hold_it_is_read():
    assert json_text.parse('{"a": [1, {"b": null}]}') == {"a": [1, {"b": None}]}


def test_a_signed_file_that_is_no_export_is_named(tool, tmp_path):
    from wheelwright import signatures

    path = tmp_path / "limits.json"
    path.write_text("{}")
    signatures.sign(path, {"price": 1}, signatures.key(tmp_path / "key.pem"))
    ended = tool("log", "verify", path)
    assert (ended.status, ended.err[:6]) == (1, "E-8106")


@pytest.mark.parametrize("key", ["zz", "", "00" * 31, "00" * 33, "\udcff"])
def test_a_public_key_that_is_none_is_wrong_use_and_no_verdict_on_the_export(tool, line, tmp_path, key):
    (tmp_path / "table.csv").write_text("")
    configure = ("configure", "table.csv", "--operator", "a", "--device-key", "key.hex", "--port", "x")
    for command in (("log", "verify", "table.csv"), configure):
        ended = tool(*command, "--public-key", key)
        assert (ended.status, ended.err[:6]) == (2, "E-9000"), ended.err


def test_a_file_that_is_there_is_no_place_for_a_script(tool, tmp_path):
    db = stored(tmp_path / "table.db", journal(2))
    out = tmp_path / "round.json"
    script = ("log", "script", "--db", db, "--round", "1", "--out", out)
    assert tool(*script).status == 0
    out.write_text("mine")
    ended = tool(*script)
    assert (ended.status, ended.err[:6]) == (2, "E-9001"), ended.err
    assert out.read_text() == "mine"


COMMANDS = (("log", "show"), ("log", "export"), ("log", "verify"), ("replay",), ("log", "script", "--round", "1"),
            ("log", "search", "--since", "1970-01-02"))
EDITS = [
    *(f"UPDATE records SET {column} = {value} WHERE number = 5"
      for column in ("raw", "hash", "kind", "t_ms", "boot", "received_ms")
      for value in ("x''", "'abc'", "7.5", "x'a0'", "9999", "-1", "9223372036854775807")),
    *(f"UPDATE records SET number = {value} WHERE number = 5" for value in ("'abc'", "x'00'", "7.5", "-3")),
    *(f"UPDATE tables SET {column} = {value}"
      for column in ("anchor_number", "anchor_hash") for value in ("'abc'", "x''", "7.5", "NULL")),
    *(f"UPDATE wheelwright_log SET version_num = {value}" for value in ("'x'", "x'00'", "0", "-1", "1.5")),
    "DELETE FROM wheelwright_log",
    *(f"ALTER TABLE {table} RENAME COLUMN {column} TO was"
      for table, column in (("records", "t_ms"), ("tables", "anchor_hash"), ("wheelwright_log", "version_num"))),
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_a_log_that_was_edited_with_any_type_of_value_is_damaged_and_no_fault_of_the_tool(tool, tmp_path, edit):
    path = stored(tmp_path / "table.db", journal(2))
    from wheelwright.logbook.store import Store

    with Store.open(path) as store:
        store.set_anchor("WW-0007", 4)
    with sqlite3.connect(path) as connection:
        connection.execute(edit)
    connection.close()
    for command in COMMANDS:
        ended = tool(*command, "--db", path)
        assert ended.status in (0, 1, 6), (command, ended.err)
        assert ended.status == 0 or ended.err[:6] in ("E-8101", "E-8102", "E-8103", "E-8004"), ended.err
    if "received_ms" not in edit and "NULL" not in edit:
        assert tool("log", "verify", "--db", path).status != 0
    assert json.loads(tool("log", "verify", "--db", path, "--json").out.splitlines()[-1])


def test_a_serial_number_or_a_text_of_a_record_never_drives_the_terminal(tool, tmp_path):
    made = journal(1)
    made.put("CORRECTION", of=1, hash=made.hash(1), text="\x1b[2J", reason="\x9b2J", operator="a\rb")
    path = stored(tmp_path / "table.db", made)
    for command in (("show",), ("verify",), ("export",)):
        ended = tool("log", *command, "--db", path)
        assert all(sign.isprintable() or sign == "\n" for sign in ended.out + ended.err), command
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE tables SET serial = 'x' || char(27) || '[2J'")
    connection.close()
    for command in COMMANDS:
        ended = tool(*command, "--db", path)
        assert (ended.status, ended.err[:6]) == (6, "E-8004")
        assert "\x1b" not in ended.out + ended.err


@pytest.mark.parametrize("words", [("run", "--out", ""), ("run", "--out="), ("sim", "--folder", "")])
def test_an_empty_name_of_a_place_is_not_this_folder(tool, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    ended = tool(*words)
    assert (ended.status, ended.err[:6]) == (2, "E-9000"), ended.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [("show",), ("export",)])
def test_records_from_a_number_to_a_lower_one_are_wrong_use_and_no_empty_file(tool, tmp_path, words):
    path = stored(tmp_path / "table.db", journal(1))
    assert tool("log", *words, "--db", path, "--from", 5, "--to", 5).status == 0
    ended = tool("log", *words, "--db", path, "--from", 50, "--to", 5)
    assert (ended.status, ended.err[:6], ended.out) == (2, "E-9001", "")


def test_bits_that_fill_no_byte_are_refused_instead_of_rounded(tool, line, tmp_path):
    ended = tool("rng", "raw", "-n", "9", "--out", tmp_path / "noise.bin", "--port", "x")
    assert (ended.status, ended.err[:6]) == (2, "E-9001")
    assert not line.calls


def test_a_configuration_without_a_setting_makes_no_record(tool, line, tmp_path):
    (tmp_path / "empty.json").write_text("{}")
    ended = tool("configure", "empty.json", "--operator", "ann", "--device-key", "key.hex", "--port", "x")
    assert (ended.status, ended.err[:6]) == (2, "E-9011")
    assert not line.calls
