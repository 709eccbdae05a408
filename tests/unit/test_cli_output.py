"""What the tool prints where: plain text in pipes, full disks, closed outputs, colours and bars on terminals only."""

import io
import os
import shlex
import subprocess
import sys

import pytest
from wheelwright import terminal

from tests.unit.logs import Journal, stored
from tests.unit.test_cli import db, tool

assert tool  # fixtures
assert db


AWKWARD = {"serial": "Tisch № 7 – „Glück“", "version": "0.1.0 ✓"}


@pytest.fixture
def awkward(tmp_path):
    made = Journal()
    made.start(**AWKWARD)
    made.play()
    return stored(tmp_path / "awkward.db", made, AWKWARD["serial"])


FOUR_COMMANDS = """
import sys
from wheelwright import terminal
from wheelwright.cli.ending import outcome
terminal.prepare_streams()
db = sys.argv[1]
for words in ("log show", "log verify", "replay", "log export"):
    sys.argv = ["wheelwright", *words.split(), "--db", db]
    assert outcome() == 0, words
"""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "latin-1"])
def test_case_55_output_to_a_pipe_is_plain_ascii_whatever_the_encoding(awkward, encoding):
    command = [sys.executable, "-c", FOUR_COMMANDS, str(awkward)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    ended = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    text = ended.stdout.decode("ascii")
    assert all(word in text for word in ("BOOT", "whole", "settled", "serial,"))
    assert "\r" not in text
    assert "\x1b" not in text
    assert ended.stderr == b""


def test_case_55_output_to_a_file_has_no_bars_and_no_carriage_returns(awkward, tmp_path):
    out = tmp_path / "out.txt"
    with out.open("wb") as file:
        command = [sys.executable, "-m", "wheelwright", "log", "show", "--db", str(awkward)]
        environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
        subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=True, env=environment)
    text = out.read_bytes()
    assert b"BOOT" in text
    text.decode("ascii")
    assert b"\r" not in text
    assert b"\x1b" not in text


class Stream(io.TextIOWrapper):
    def __init__(self, encoding, terminal):
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self):
        return self._terminal


@pytest.mark.parametrize(("encoding", "is_terminal", "term", "plain"), [
    ("utf-8", True, "xterm", False), ("utf-8", False, "xterm", True), ("cp1252", True, "xterm", True),
    ("utf-8", True, "dumb", True),
])  # fmt: skip
def test_case_55_only_a_unicode_terminal_gets_more_than_ascii(monkeypatch, encoding, is_terminal, term, plain):
    monkeypatch.setenv("TERM", term)
    stream = Stream(encoding, is_terminal)
    assert terminal.is_plain(stream) == plain
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", Stream(encoding, is_terminal))
    terminal.prepare_streams()
    print("7×, ✓ …№")
    stream.flush()
    shown = stream.buffer.getvalue().decode()
    assert shown == ("7x, ok ...?\n" if plain else "7×, ✓ …№\n")
    terminal.console().print("[red]red[/red] ✓")
    stream.flush()
    assert ("\x1b" in stream.buffer.getvalue().decode()) == (not plain)


def test_no_color_takes_the_colour_away(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Stream("utf-8", True)
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.console().print("[red]red[/red]")
    stream.flush()
    assert "\x1b[31m" not in stream.buffer.getvalue().decode()


def test_a_bar_shows_on_a_terminal_only_and_only_for_slow_work(monkeypatch):
    for is_terminal, slow, expected in ((True, 0.0, True), (True, 60.0, False), (False, 0.0, False)):
        stream = Stream("utf-8", is_terminal)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(terminal, "SLOW_S", slow)
        with terminal.progress("verify", 3) as advance:
            assert list(terminal.counted("abc", advance)) == ["a", "b", "c"]
        stream.flush()
        assert (b"verify" in stream.buffer.getvalue()) == expected


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", ["log show", "log show --json", "log export"])
def test_a_full_disk_under_the_output_is_one_sentence(db, words):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "wheelwright", *words.split(), "--db", str(db)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("E-9004 the output cannot be used (No space left on device)")
    assert done.stderr.count("\n") == 1


def test_a_device_is_written_to_and_never_replaced(tool, db, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert tool("log", "export", "--db", str(db), "--out", str(pipe)).status == 0
    assert os.read(reader, 100).startswith(b"serial,number")
    os.close(reader)
    assert pipe.is_fifo()


def test_a_closed_output_does_not_stop_the_work(db):
    command = f"{shlex.quote(sys.executable)} -m wheelwright log verify --db {shlex.quote(str(db))} >&- 2>&-"
    assert subprocess.run(command, shell=True, check=False).returncode == 0
