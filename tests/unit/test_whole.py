"""Files are written whole or not at all, whatever the disk does: one way for all, tried on a disk that fills."""

from __future__ import annotations

import ast
import contextlib
import os
import resource
import shutil
import stat
from pathlib import Path
from typing import Any, cast

import pytest
from wheelwright import calibration, report, whole
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import identity
from wheelwright.link import Client
from wheelwright.logbook import flash_dump
from wheelwright.reports.run import to_json
from wheelwright.rng import capture as rng_capture
from wheelwright.traces import capturing
from wheelwright.traces.capturing import Recording

from tests.conftest import ROOT
from tests.unit.logs import journal, stored
from tests.unit.report_runs import run
from tests.unit.test_cli import tool

assert tool  # a fixture
TRACE = sorted((ROOT / "tests" / "data" / "traces").glob("*.csv*"))[0]
BEFORE = b"what was there before"


@contextlib.contextmanager
def full_after(size: int):
    """No file can grow beyond so many bytes: the write that reaches them is cut off in its middle."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    """With a log, a report and a file of outcomes in it."""
    stored(tmp_path / "table.db", journal(40))
    (tmp_path / "run.json").write_bytes(to_json(run()))
    (tmp_path / "outcomes.txt").write_text("".join(f"{n * 7 % 54}\n" for n in range(2000)))
    shutil.copy(TRACE, tmp_path / TRACE.name)
    return tmp_path


COMMANDS = (
    ("log", "export", "--db", "table.db", "--out", "made.csv"),
    ("log", "export", "--db", "table.db", "--format", "jsonl", "--out", "made.jsonl"),
    ("log", "export", "--db", "table.db", "--format", "parquet", "--out", "made.parquet"),
    ("log", "script", "--db", "table.db", "--round", "3", "--out", "made.json"),
    ("trace", "plot", TRACE.name, "--out", "made.svg"),
    ("trace", "plot", TRACE.name, "--out", "made.png"),
    ("balance", "--db", "table.db", "--plot", "made.svg"),
    ("balance", "--db", "table.db", "--plot", "made.png"),
    ("odds", "dreamcatcher", "--plot", "made.svg"),
    ("preview", "luxor", "--out", "made.png"),
    ("rng", "test", "outcomes.txt", "--range", "54", "--out", "made.html"),
    ("report", "make", "run.json", "--out", "made", "--key", "key.pem"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("size", [0, 300])
def test_a_disk_that_fills_is_one_sentence_and_leaves_everything_as_it_was(tool, folder, monkeypatch, words, size):
    monkeypatch.chdir(folder)
    old = words[words.index("--out" if "--out" in words else "--plot") + 1]
    if words[1] not in ("script", "make"):
        (folder / old).write_bytes(BEFORE)
    before = files(folder)
    with full_after(size):
        ended = tool(*words)
    assert (ended.status, ended.err[:7]) == (6, "E-8010 "), ended.err
    assert "File too large" in ended.err and ended.err.count("\n") == 1
    after = files(folder)
    after.pop("key.pem", None)  # of another command, and whole
    assert after == before
    ended = tool(*words)
    assert not ended.err.startswith("E-8010") and files(folder) != before


def of_the_tool(place: Path):
    """What writes a file after a talk with a table."""
    wheel = {"counts_per_turn": 2400, "sections": 54, "min_turns": 3, "index_width_counts": 4}
    recording = Recording("VT-1", {"count": 0, "levels": 0}, wheel)
    return {
        "capture": lambda: capturing.write(recording, place / "made.csv"),
        "calibration": lambda: calibration.save(place / "made.json", {"version": 1, "serial": "VT-1"}),
        "noise": lambda: rng_capture._write(place / "made.bin", bytes(500), {"what": "raw"}),
        "device key": lambda: identity.new_key(place / "made.key"),
        "run": lambda: report.write(cast(Any, None), place / "made.html"),
        "dump": lambda: flash_dump.dump(cast(Client, Flash()), place / "made.bin"),
    }


class Flash:
    """A table with a flash of 512 bytes."""

    hello = type("Hello", (), {"serial": "VT-1", "boot": 1})

    def call(self, _name: str, at: int) -> dict[str, object]:
        return {"data": bytes(256), "size": 512}


@pytest.mark.parametrize("what", of_the_tool(Path()))
def test_what_comes_from_a_table_is_whole_or_not_there(tmp_path, monkeypatch, what):
    monkeypatch.setattr(report, "html", lambda _run: "page" * 100)
    write = of_the_tool(tmp_path)[what]
    with full_after(20), pytest.raises(WheelwrightError, match="E-8010"):
        write()
    assert files(tmp_path) == {}
    write()
    assert all(files(tmp_path).values())


@pytest.mark.parametrize("size", [0, 5000, 20_000])
def test_a_log_that_never_came_to_be_is_not_there(tool, tmp_path, size):
    with full_after(size), pytest.raises(WheelwrightError, match="E-8023"):
        stored(tmp_path / "table.db", journal(40))
    assert [path.name for path in tmp_path.iterdir() if not path.stat().st_size] == []
    stored(tmp_path / "table.db", journal(40))
    assert tool("log", "verify", "--db", tmp_path / "table.db").status == 0


def test_an_empty_file_that_somebody_made_before_stays(tmp_path):
    (tmp_path / "table.db").touch()
    with full_after(0), pytest.raises(WheelwrightError, match="E-8023"):
        stored(tmp_path / "table.db", journal(1))
    assert files(tmp_path) == {"table.db": b""}


# the one way


@pytest.mark.parametrize("fault", ["fsync", "replace"])
def test_whatever_the_system_refuses_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, fault):
    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    path = tmp_path / "report.html"
    path.write_bytes(BEFORE)
    monkeypatch.setattr(os, fault, refuse)
    for write in (lambda: whole.write(path, "new"), lambda: whole.write_all({path: "new", tmp_path / "b": b"new"})):
        with pytest.raises(WheelwrightError, match=r"E-8010 .*Input/output error"):
            write()
        assert files(tmp_path) == {"report.html": BEFORE}


@pytest.mark.parametrize("end", [KeyboardInterrupt, ValueError])
def test_whatever_ends_the_writing_leaves_the_old_file_and_no_other(tmp_path, end):
    path = tmp_path / "table.csv"
    path.write_bytes(BEFORE)

    def write() -> None:
        with whole.placed(path) as part:
            part.write_text("half")
            raise end

    with pytest.raises(end):
        write()
    assert files(tmp_path) == {"table.csv": BEFORE}


def test_several_files_come_together_or_not_at_all(tmp_path):
    one, two = tmp_path / "a" / "one", tmp_path / "b" / "two"
    with full_after(100), pytest.raises(WheelwrightError, match="E-8010"):
        whole.write_all({one: "short", two: "long" * 100})
    assert files(tmp_path) == {}
    whole.write_all({one: "short", two: "long"})
    assert files(tmp_path) == {"a/one": b"short", "b/two": b"long"}


def test_modes_links_and_devices_stay_what_they_are(tmp_path):
    path, link = tmp_path / "real", tmp_path / "link"
    path.write_bytes(BEFORE)
    path.chmod(0o640)
    link.symlink_to(path)
    whole.write(link, "new")
    assert link.is_symlink() and path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == 0o640
    whole.write(tmp_path / "key", "secret", secret=True)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    whole.write(Path(os.devnull), "nothing")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(WheelwrightError, match="it is no ordinary file"):
        whole.write_all({Path(os.devnull): "nothing"})
    with pytest.raises(WheelwrightError, match=r"E-8010 .*File exists"):
        whole.write(path, "other", new=True)
    assert path.read_text() == "new"
    with pytest.raises(WheelwrightError, match="E-8010"):
        whole.write(tmp_path, "a folder")


# nothing else writes a file

OTHERWISE = {  # and why
    "whole.py": "it is the way",
    "flashing/usb.py": "the drive of a boot loader takes an image block by block",
    "terminal.py": "the null device",
    "cli/ending.py": "the details of a fault of the tool, in the folder for temporary files",
    "rng/capture.py": "only tries whether it may write there",
    "virtual.py": "a log that grows, and a lock",
    "traces/trace.py": "the input of a process, in the folder for temporary files",
}


def writes(path: Path) -> list[int]:
    """Lines that write a file themselves; what `whole.placed` gives is called `part`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(getattr(node.func, "value", None), "id", "")
        modes = [one.value for one in [*node.args, *(one.value for one in node.keywords)]
                 if isinstance(one, ast.Constant) and isinstance(one.value, str)]  # fmt: skip
        opened = name in ("open", "fdopen") and any(mode.strip("rbt+") in ("w", "x", "a") for mode in modes)
        flags = any(isinstance(one, ast.Attribute) and one.attr == "O_CREAT" for one in ast.walk(node))
        written = name in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute)
        if owner not in ("part", "entries") and (written or opened or flags):
            found.append(node.lineno)
    return found


def test_every_file_is_written_that_way():
    package = ROOT / "host_tools" / "wheelwright"
    found = {str(path.relative_to(package)) for path in package.rglob("*.py") if writes(path)}
    assert found == set(OTHERWISE)


def test_the_test_above_finds_what_it_is_for(tmp_path):
    (tmp_path / "x.py").write_text("open('b')\npath.open('w')\npath.write_text('')\npart.open('w')\nopen('b', 'rb')\n"
                                   "os.open('b', os.O_CREAT | os.O_WRONLY)\nopen('b', mode='ab')\n")  # fmt: skip
    assert writes(tmp_path / "x.py") == [2, 3, 6, 7]
