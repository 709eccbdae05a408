"""The command: help with an example everywhere, one sentence for every error, exit codes, plain text in pipes."""

import contextlib
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright import __version__
from wheelwright.cli import ending
from wheelwright.cli.app import app
from wheelwright.errors import WheelwrightError
from wheelwright.interrupt import wish

from tests.unit.logs import journal, stored

ROOT = Path(__file__).resolve().parents[2]
MANUAL = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


class Ended:
    """What a command printed and how it ended."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def tool(monkeypatch, capsys):
    """Runs the tool in this process."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["wheelwright", *map(str, words)])
        status = ending.outcome()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Ended(status, captured.out, captured.err)

    return run


def process(*words, env=None, **options):
    """Runs the tool as a process of its own, without a terminal."""
    environment = {**os.environ, **(env or {})}
    command = [sys.executable, "-m", "wheelwright", *map(str, words)]
    return subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False, **options)


def commands(group=None, path=()):
    """Every command of the tool as its words."""
    import typer

    root = group or typer.main.get_command(app)
    for name, command in getattr(root, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands())


@pytest.fixture
def db(tmp_path):
    return stored(tmp_path / "table.db", journal(3))


def change(db, statement):
    """Tamper with a log behind the tool's back."""
    with contextlib.closing(sqlite3.connect(db)) as connection, connection:
        connection.execute(statement)


def json_fields(command):
    """The names that the manual gives for the JSON of a command."""
    row = re.search(rf"^\| `{command}` \| (.*) \|$", MANUAL, re.MULTILINE)
    assert row, f"the manual does not say what {command} --json prints"
    return set(re.findall(r'"(\w+)"', row[1]))


def names_in(value):
    """All keys in a JSON value, but not those inside a record's payload."""
    if isinstance(value, list):
        return set().union(*(names_in(item) for item in value), set())
    if not isinstance(value, dict):
        return set()
    return set(value) | set().union(*(names_in(item) for key, item in value.items() if key != "payload"), set())


# help


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_an_example_that_could_be_typed(tool, words):
    ended = tool(*words, "--help")
    assert ended.status == 0
    assert f"Usage: wheelwright {' '.join(words)}" in ended.out
    example = re.search(r"Example:\n\s+wheelwright (.*)", ended.out)
    assert example, "no example"
    typed = shlex.split(example[1].split(" > ")[0])
    assert tuple(typed[: len(words)]) == words
    known = {name for parameter in COMMANDS[words].params for name in parameter.opts}
    assert {word for word in typed if word.startswith("-")} <= known
    ended.out.encode("ascii")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_but_schema_takes_json_and_the_manual_shows_its_shape(words):
    options = {name for parameter in COMMANDS[words].params for name in parameter.opts}
    assert "--json" in options or words == ("schema",)
    assert json_fields(" ".join(words))


def test_the_manual_names_every_command():
    for words in COMMANDS:
        assert f"**`{' '.join(words)}`**" in MANUAL


GROUPS = [(), *((name,) for name in ("identity", "link", "log", "report", "rng", "trace"))]


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_every_group_shows_an_example_of_one_of_its_commands(tool, words):
    ended = tool(*words, "--help")
    example = re.search(r"Example:\n\s+wheelwright (.*)", ended.out)
    assert example, "no example"
    assert any(tuple(shlex.split(example[1])[: len(command)]) == command for command in COMMANDS
               if command[: len(words)] == words)  # fmt: skip


def test_no_group_is_left_out_of_the_test_above():
    assert {words[:-1] for words in COMMANDS} == set(GROUPS)


def test_no_command_at_all_shows_the_help_and_fails(tool):
    ended = tool()
    assert ended.status == 2
    assert "Usage: wheelwright" in ended.err


def test_the_version_is_that_of_the_firmware_it_was_made_with(tool):
    assert tool("--version").out == f"wheelwright {__version__}\n"


def test_help_and_version_load_none_of_the_heavy_parts():
    code = "import sys, wheelwright.cli.app; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sqlalchemy", "matplotlib", "pyarrow", "jinja2", "serial", "cbor2", "numpy", "rich", "fpdf",
                "msgspec", "scipy", "cryptography"} & set(loaded)


def test_a_shell_can_ask_for_completion():
    # The tool looks which shell it was started from: here one that is named, whatever started the tests.
    script = f"'{sys.executable}' -m wheelwright --show-completion; exit $?"
    ended = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60, check=False)
    assert ended.returncode == 0, ended
    assert b"_COMPLETE=complete_bash" in ended.stdout, ended
    asked = process(env={"_WHEELWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": "wheelwright lo", "COMP_CWORD": "1",
                         "_TYPER_COMPLETE_ARGS": "wheelwright lo"})  # fmt: skip
    assert asked.stdout.split() == [b"log"]


# wrong use and other errors


@pytest.mark.parametrize("words", [
    ("lgo",), ("log", "shwo"), ("log", "show", "--from", "x"), ("log", "show", "--nosuch"), ("errors", "a", "b"),
])  # fmt: skip
def test_wrong_use_is_one_sentence_with_the_way_to_the_help(tool, words):
    ended = tool(*words)
    assert ended.status == 2
    assert re.fullmatch(r"E-9000 .*: see: wheelwright.* --help\n", ended.err)
    assert ended.out == ""


def test_an_error_is_a_sentence_on_standard_error_and_an_object_for_programs(tool, tmp_path):
    ended = tool("log", "verify", "--db", tmp_path / "none.db", "--json")
    assert ended.status == 6
    assert ended.err.startswith("E-8005 there is no log")
    assert set(ended.json["error"]) == {"code", "name", "what", "advice"}
    assert ended.json["error"]["code"] == "E-8005"
    assert set(json.loads(ended.out)) == {"error"}


def test_a_fault_of_the_tool_is_one_line_and_a_file_with_the_details(tool, monkeypatch, tmp_path):
    monkeypatch.setattr("wheelwright.errors.every_text", lambda code: 1 / 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = tool("errors")
    assert ended.status == 70
    assert len(ended.err.splitlines()) == 1
    assert ended.err.startswith("E-9901 ")
    (details,) = tmp_path.iterdir()
    assert str(details) in ended.err
    text = details.read_text()
    assert "ZeroDivisionError" in text
    assert __version__ in text


def test_no_password_of_an_address_is_written_to_the_file_with_the_details(tool, monkeypatch, tmp_path):
    monkeypatch.setattr("wheelwright.logbook.store.Store.open", lambda *_, **__: 1 / 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for address in ("postgresql://ann:secret@h/d", "postgresql://h/d?password=secret&user=ann"):
        assert tool("log", "show", "--db", address).err.startswith("E-9901 ")
    for details in tmp_path.iterdir():
        assert "ann" in details.read_text()
        assert "secret" not in details.read_text()


def test_the_traceback_of_a_fault_is_shown_to_whoever_asks_for_it(monkeypatch, capsys):
    monkeypatch.setattr("wheelwright.errors.every_text", lambda code: 1 / 0)
    monkeypatch.setenv("WHEELWRIGHT_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["wheelwright", "errors"])
    assert ending.outcome() == 70
    assert "Traceback" in capsys.readouterr().err


CALLBACK_FAILED = WheelwrightError(9901, reason="BrokenPipeError", details="x")  # as a link says it: `watch | head`
CALLBACK_FAILED.__cause__ = BrokenPipeError()


@pytest.mark.parametrize(("raised", "status", "words"), [
    (KeyboardInterrupt, 130, "E-9902"), (signal.SIGTERM, 143, "E-9903"), (BrokenPipeError, 141, ""),
    (CALLBACK_FAILED, 141, ""),
    (WheelwrightError(7002, port="COM5", holder="another program"), 3, "E-7002"),
])  # fmt: skip
def test_each_way_to_end_has_its_exit_code(monkeypatch, capsys, raised, status, words):
    def end(code):
        raise wish(raised) if raised == signal.SIGTERM else raised

    monkeypatch.setattr("wheelwright.errors.every_text", end)
    monkeypatch.setattr(sys, "argv", ["wheelwright", "errors"])
    assert ending.outcome() == status
    assert capsys.readouterr().err.startswith(words)


def test_a_reader_that_goes_away_ends_the_tool_without_a_word(db):
    command = f"{shlex.quote(sys.executable)} -m wheelwright schema | head -c 1 >/dev/null"
    ended = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, check=False, timeout=60)
    assert ended.stderr == b""
    assert ended.returncode in (0, 141)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_while_the_tool_is_at_work_ends_it_without_a_traceback(tmp_path, number):
    pipe = tmp_path / "pipe.db"
    os.mkfifo(pipe)  # a log that never says what it is: the tool stays there until it is stopped
    command = [sys.executable, "-m", "wheelwright", "log", "verify", "--db", str(pipe)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running,
        pipe.open("wb"),  # goes on when the tool has opened it
    ):
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert "Traceback" not in out + err
    assert running.returncode == 128 + number
    assert err.startswith("E-9902 " if number == signal.SIGINT else "E-9903 ")
    assert err.count("\n") == 1


# Ctrl-C at the very moment in which a module is about to be loaded, for one module after another.
PRESSED = """
import os, signal, sys
asked = getattr(signal, sys.argv.pop(1))
def press(event, words):
    if event == "import" and words[0] == module and not pressed:
        pressed.append(True)
        os.kill(os.getpid(), asked)
pressed, module = [], sys.argv.pop(1)
from wheelwright.cli import main
sys.addaudithook(press)
status = main()
sys.exit(status if pressed else "not loaded: " + module)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("module", [
    "wheelwright.cli.ending", "traceback", "wheelwright.terminal", "wheelwright.errors", "tabletop.codes",
    "wheelwright.cli.app", "typer", "inspect", "wheelwright.cli.odds", "wheelwright.cli.options",
    "tabletop.link", "tabletop.cbor",   # loaded by the command itself
])  # fmt: skip
@pytest.mark.parametrize(("asked", "status", "words"), [
    ("SIGINT", 130, "E-9902 stopped by Ctrl-C: "), ("SIGTERM", 143, "E-9903 stopped by another program (SIGTERM): "),
])  # fmt: skip
def test_ctrl_c_while_the_tool_is_still_being_loaded_is_answered_in_words(module, asked, status, words):
    command = [sys.executable, "-c", PRESSED, asked, module, "schema"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == status, ended.stderr
    assert ended.stderr.startswith(words)
    assert ended.stderr.count("\n") == 1
    assert ended.stdout == ""


def test_errors_explains_one_code_or_all(tool):
    assert tool("errors", "E-7001").out == (
        "E-7001 there is no port {port}: check the cable, then see: wheelwright ports\n"
    )
    assert "T-21" in tool("errors").out
    ended = tool("errors", "t-21", "--json")
    assert set(ended.json[0]) == json_fields("errors")
    assert tool("errors", "E-1").status == 2


def test_schema_prints_every_message_and_every_kind_of_record(tool):
    from tabletop.journal import fields
    from tabletop.link import schema

    ended = tool("schema")
    assert set(ended.json) >= json_fields("schema")
    assert [record["name"] for record in ended.json["records"]] == [entry[0] for entry in fields.KINDS.values()]
    names = {message["name"] for message in ended.json["messages"]}
    assert names == {schema.name_of(number) for number in schema.numbers()}
    ping = next(message for message in ended.json["messages"] if message["name"] == "PING")
    assert ping["reply"][0] == {"name": "uptime_ms", "kind": "int", "optional": False}


# trace run


TRACES = ROOT / "tests" / "data" / "traces"
GOOD = "# wheel-trace 1\n# counts_per_turn: 2400\n# sections: 54\n# ends_us: 900\nt_us,A,B,Z,C\n"


def test_trace_run_takes_files_and_folders_and_prints_one_list(tool):
    names = sorted(path.name.removesuffix(".csv.gz") for path in TRACES.glob("*.csv.gz"))
    ended = tool("trace", "run", TRACES / "two_spins.csv.gz", TRACES, "--json")
    assert ended.status == 0
    assert [one["file"] for one in ended.json] == ["two_spins", *names]
    assert names_in(ended.json) == json_fields("trace run")
    words = tool("trace", "run", TRACES / "two_spins.csv.gz")
    assert re.fullmatch(r"two_spins:\n  SECTION 29, .* forward.*\n  SECTION 6, .* backward.*\n", words.out)


@pytest.mark.parametrize(("text", "code"), [
    (None, "E-7101"), ("", "E-7102"), ("t_us,A,B,Z,C\n", "E-7102"), (GOOD.replace("# sections: 54\n", ""), "E-7103"),
    (GOOD.replace("t_us,A,B,Z,C\n", ""), "E-7104"), (GOOD + "9,0,0,0,0\n8,1,0,0,0\n", "E-7105"),
    (GOOD + "9,2,0,0,0\n", "E-7106"), (GOOD + "9,0,0,0\n", "E-7107"), (GOOD.replace("2400", "x"), "E-7109"),
])  # fmt: skip
def test_a_trace_that_is_none_is_named_with_what_is_wrong_in_it(tool, tmp_path, text, code):
    path = tmp_path / "trace.csv"
    if text is not None:
        path.write_text(text)
    ended = tool("trace", "run", path)
    assert ended.status == 4
    assert ended.err.startswith(f"{code} ")
    assert str(path) in ended.err
    assert ended.out == ""


@pytest.mark.parametrize("words", ["sim --folder {}", "run --out {}", "log export --db {} --from 99999999999999999999"])
def test_a_name_or_number_that_cannot_be_is_no_fault_of_the_tool(tool, tmp_path, words):
    (tmp_path / "file").write_text("")
    ended = tool(*words.format(tmp_path / "file").split())
    assert ended.status == 2
    assert ended.err.startswith(("E-9004", "E-9000"))
