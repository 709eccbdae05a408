"""`--json` of every command prints what the manual says: here each command that needs no table, with all it can print.

What needs a table is held to its shape (`fits`) where there is one.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright.reports.run import to_json

from tests.conftest import ROOT
from tests.json_shapes import fits, shapes
from tests.unit.logs import journal, stored
from tests.unit.report_runs import run
from tests.unit.test_cli import COMMANDS, tool  # noqa: F401

TRACE = ROOT / "tests" / "data" / "traces" / "clean_forward_2400.csv.gz"
OFFLINE = (
    ("replay", "--db", "table.db"), ("balance", "--db", "table.db", "--plot", "wheel.svg"), ("odds", "dreamcatcher"),
    ("odds", "new_york", "--simulate", "50", "--levers"), ("odds", "match_the_dealer"),
    ("adjudicate", "--explain", "luxor"), ("preview", "new_york", "--out", "game.png"), ("doctor",), ("errors",),
    ("errors", "E-7002"), ("schema",), ("ports",), ("log", "show", "--db", "table.db"),
    ("log", "verify", "--db", "table.db"), ("log", "script", "--db", "table.db", "--round", "1"),
    ("log", "export", "--db", "table.db", "--out", "table.csv", "--key", "key.pem"), ("log", "verify", "table.csv"),
    ("log", "search", "--db", "table.db"), ("report", "make", "run.json", "--out", "reports", "--key", "key.pem"),
    ("report", "verify", "reports/VT-000001-20250615-150640.xml"), ("rng", "test", "outcomes.txt", "--range", "6"),
    ("link", "new", "house-2", "match.json", "--ledger", "linked.db"), ("link", "show", "--ledger", "linked.db"),
    ("link", "correct", "house-2", "1000450", "--operator", "ann", "--second", "bob", "--reason", "x", "--ledger",
     "linked.db"), ("link", "check", "house-2", "--ledger", "linked.db"), ("trace", "run", str(TRACE)),
    ("trace", "plot", str(TRACE), "--out", "spin.png"), ("floor-code", "F1", "--device-key", "key.hex"),
)  # fmt: skip

@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("json")
    stored(folder / "table.db", journal(5))
    (folder / "match.json").write_text('{"game": "match_the_dealer", "settings": {}}')
    (folder / "key.hex").write_text("00" * 32)
    (folder / "run.json").write_bytes(to_json(run()))
    (folder / "outcomes.txt").write_text("".join(f"{n * 7 % 6}\n" for n in range(600)))
    return folder


def lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("words", OFFLINE, ids=" ".join)
def test_what_a_command_prints_for_programs_is_what_the_manual_shows(tool, place, monkeypatch, words):  # noqa: F811
    monkeypatch.chdir(place)
    ended = tool(*words, *(() if words == ("schema",) else ("--json",)))
    command = next(name for name in map(" ".join, COMMANDS) if " ".join(words).startswith(name))
    printed = lines(ended.out)
    assert printed and "error" not in printed[0], ended.err
    for value in printed:
        fits(command, value)


def test_what_link_run_prints_for_programs_is_what_the_manual_shows(tool, place, monkeypatch):  # noqa: F811
    monkeypatch.chdir(place)
    assert tool("link", "new", "house-3", "match.json", "--ledger", "run.db").status == 0
    words = ("link", "run", "house-3", "--ledger", "run.db", "-p", "/nowhere/port", "--device-key", "key.hex", "--json")
    command = [sys.executable, "-m", "wheelwright", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        printed = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    for value in printed:
        fits("link run", value)
    assert {tuple(value) for value in printed} == {("port", "text"), ("meter", "mills")}


@pytest.mark.parametrize("command", [" ".join(words) for words in COMMANDS])
def test_every_command_has_a_shape_and_a_test_of_it(command):
    assert shapes(command), "docs/operations.md has no row of it, What `--json` prints"
    here = any(" ".join(words).startswith(command) for words in OFFLINE)
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert here or any(f'fits("{command}"' in text for text in texts), "hold its JSON to its shape where it is run"


def test_a_field_that_the_manual_does_not_show_or_that_is_missing_is_found():
    fits("log dump", {"file": "x", "serial": "y", "boot": 1, "size": 2})
    fits("log dump", {"error": {"code": "E-1", "name": "X", "what": "x", "advice": "y"}})
    for wrong in ({"file": "x"}, {"file": "x", "serial": "y", "boot": 1, "size": 2, "more": 3}, [], {"error": {}}):
        with pytest.raises(AssertionError):
            fits("log dump", wrong)
    tree = {"whole": True, "tables": [{"serial": "x"}]}
    with pytest.raises(AssertionError, match="tables"):
        fits("log verify", {**tree, "tables": {}})
    assert shapes("rng test")[0]["properties"]["p"]["additionalProperties"] == {}
