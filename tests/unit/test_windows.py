"""What would go wrong on a technician's Windows laptop only: texts in its code page, and narrow or plain terminals."""

import ast
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import pytest
from wheelwright import terminal

from tests.conftest import ROOT
from tests.unit.test_cli_output import Stream

TOOL = ROOT / "host_tools" / "wheelwright"


def without_encoding(path: Path) -> list[int]:
    """Lines that read or write a text file in whatever code page the computer has."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        known = {keyword.arg for keyword in node.keywords}
        words = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        words += [one.value.value for one in node.keywords if one.arg == "mode" and isinstance(one.value, ast.Constant)]
        binary = any(re.fullmatch(r"[rwxa+]*b[rwxa+]*", word) for word in words)
        of = getattr(getattr(node.func, "value", None), "id", "")
        texts = isinstance(node.func, ast.Attribute) and name in ("read_text", "write_text") and of != "entries"
        if (texts or (name in ("open", "fdopen") and _a_file(node))) and not binary and "encoding" not in known:
            found.append(node.lineno)
    return found


def _a_file(node: ast.Call) -> bool:
    """Whether `open` is of a file: no class's own `open`, no descriptor, no address."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return owner is None or (isinstance(owner, ast.Name) and owner.id in ("path", "file", "io", "gzip", "where"))


def test_no_text_file_is_read_or_written_in_the_code_page_of_the_computer():
    wrong = {str(path.relative_to(ROOT)): lines for path in sorted(TOOL.rglob("*.py"))
             if (lines := without_encoding(path))}  # fmt: skip
    assert wrong == {}


def test_the_test_above_finds_what_it_is_for(tmp_path):
    (tmp_path / "x.py").write_text("open('a')\npath.open('r')\npath.read_text()\npath.open('rb')\nopen('a', 'wb')\n"
                                   "path.write_text('a', encoding='utf-8')\nos.open('a', 1)\n")  # fmt: skip
    assert without_encoding(tmp_path / "x.py") == [1, 2, 3]


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "cp850", "cp932", "ascii"])
def test_case_55_no_sign_ends_the_tool_on_a_terminal_of_any_code_page(monkeypatch, encoding):
    stream = Stream(encoding, True)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", Stream(encoding, True))
    terminal.prepare_streams()
    print("№ ✓ µs \U0001f3a1 日本 ─│ ©")
    stream.flush()
    assert stream.buffer.getvalue() == b"? ok us ? ?? -| ?\n"


def on_a_terminal(columns: int, *words: str, **environment: str) -> str:
    """What the tool prints on a terminal that is so wide."""
    far, near = pty.openpty()
    ioctl(near, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    command = [sys.executable, "-m", "wheelwright", *words]
    shown = b""
    env = {**known, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment}
    with subprocess.Popen(command, stdin=near, stdout=near, stderr=near, env=env) as process:
        os.close(near)
        while True:
            try:
                piece = os.read(far, 65536)
            except OSError:  # the far end is closed
                break
            if not piece:
                break
            shown += piece
        assert process.wait(timeout=60) == 0
    os.close(far)
    return shown.decode("utf-8")


@pytest.mark.parametrize("words", [("--help",), ("log", "show", "--help"), ("errors", "E-7002")], ids=" ".join)
def test_a_narrow_terminal_gets_all_of_it(words):
    text = on_a_terminal(24, *words)
    assert "Traceback" not in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    bare = re.sub(r"[\s│─╭╮╰╯]", "", plain)
    wanted = {"--help": "balance", "log": "--kind", "errors": "closethatprogramandtryagain"}[words[0]]
    assert wanted in bare


def test_no_color_takes_the_colour_away_and_nothing_else():
    coloured, bare = (on_a_terminal(100, "--help", **more) for more in ({}, {"NO_COLOR": "1"}))
    assert re.search(r"\x1b\[[0-9;]*3[0-7]m", coloured)
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|38;[0-9;]*)m", bare)
    strip = [re.sub(r"\x1b\[[0-9;]*m", "", text) for text in (coloured, bare)]
    assert strip[0] == strip[1]
