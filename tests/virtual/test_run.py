"""`wheelwright run` as a newcomer types it: all is checked, the same seed repeats it, Ctrl-C leaves no mess."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright.cli.run import PACE
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.entries import payloads
from wheelwright.logbook.store import Store
from wheelwright.replay import Summary, replay

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.unit.logs import journal, stored

pytestmark = pytest.mark.virtual
LONG_S = 120


def command(*words: object) -> list[str]:
    need_micropython()
    return [sys.executable, "-m", "wheelwright", "run", "--pace", "0", *map(str, words)]


def run(*words: object) -> tuple[int, str, str]:
    ended = subprocess.run(command(*words), capture_output=True, text=True, timeout=LONG_S, check=False)
    assert "Traceback" not in ended.stdout + ended.stderr
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """One whole run: its folder and what it printed as JSON."""
    folder = tmp_path_factory.mktemp("run")
    status, out, err = run("--seed", 7, "--out", folder, "--json")
    assert (status, err) == (0, "")
    return folder, json.loads(out)


def test_twelve_rounds_hold_every_check(whole: tuple[Path, dict[str, Any]]) -> None:
    _, told = whole
    assert told["passed"] is True
    assert told["rounds"] == len(told["results"]) == 12
    assert [check["name"] for check in told["checks"] if not check["passed"]] == []
    assert {check["name"] for check in told["checks"]} == {
        "self-test", "random numbers", "rounds", "programme", "sensors", "refusals", "chain", "anchor", "replay",
        "meters", "link",
    }  # fmt: skip
    fits("run", told)


@pytest.mark.slow
def test_a_run_at_the_pace_that_people_see_holds_every_check_too(tmp_path: Path) -> None:
    status, out, err = run("--pace", PACE, "--rounds", 5, "--out", tmp_path, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert [check["name"] for check in told["checks"] if not check["passed"]] == []
    assert told["rounds"] == 5


def test_the_run_shows_a_bonus_a_short_spin_a_rest_between_sections_and_a_roll_back(
    whole: tuple[Path, dict[str, Any]],
) -> None:
    _, told = whole
    programme = next(check["detail"] for check in told["checks"] if check["name"] == "programme")
    assert re.findall(r"(\d+) ([a-z -]+)", programme)
    assert not re.search(r"\b0 ", programme)


def test_the_log_of_a_run_is_whole_anchored_and_replays_to_the_same_results(whole: tuple[Path, dict[str, Any]]) -> None:
    folder, told = whole
    with Store.open(folder / "log.db") as store:
        serial = store.serial(None)
        verdict = verify_table(store, serial)
        assert verdict.whole
        assert verdict.first == 1
        anchor = store.anchor(serial)
        assert anchor is not None
        assert anchor.number >= verdict.last - 2  # the table's own ANCHOR records come after it
        summary = Summary()
        played = list(replay(payloads(serial, store.records(serial)), summary))
    assert (summary.rounds, summary.settled, summary.different) == (12, 12, 0)
    results = [(one.number, one.settled["symbol"], one.settled["multiplier"], one.paid_mills)
               for one in played if one.settled]  # fmt: skip
    assert results == [(one["round"], one["symbol"], one["multiplier"], one["paid"]) for one in told["results"]]


def test_the_report_marks_the_table_as_emulated_and_in_test(whole: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = whole
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert '<span class="mark">EMULATED</span>' in page
    assert '<span class="mark">TEST</span>' in page
    assert "Every check held." in page
    assert page.count("<svg") == 2


def test_the_same_seed_repeats_a_run_and_another_one_does_not(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    _, told = whole
    status, out, _ = run("--seed", 7, "--rounds", 6, "--out", tmp_path, "--json")
    assert status == 0
    assert json.loads(out)["results"] == told["results"][:6]
    status, out, _ = run("--seed", 8, "--rounds", 6, "--out", tmp_path, "--json")
    assert status == 0
    assert json.loads(out)["results"] != told["results"][:6]


def test_a_run_never_touches_the_log_of_a_real_table(tmp_path: Path) -> None:
    real = journal(0)
    real.raws.clear()
    real._prev = bytes(32)
    real.start(emulated=False, test=False)
    path = stored(tmp_path / "log.db", real)
    before = path.read_bytes()
    status, _, err = run("--rounds", 5, "--out", tmp_path)
    assert status == 6
    assert "E-8012" in err
    assert path.read_bytes() == before
    assert not (tmp_path / "report.html").exists()


def test_a_run_without_micropython_says_what_to_install(tmp_path: Path) -> None:
    ended = subprocess.run(command("--out", tmp_path), capture_output=True, text=True, timeout=LONG_S, check=False,
                           env={**os.environ, "MICROPYTHON": "no-such-program"})  # fmt: skip
    assert ended.returncode == 5
    assert ended.stderr.startswith("E-7201 ")


# Ctrl-C at any moment: told by the last line that the run had printed when it came


def lines_of(running: subprocess.Popen[str]) -> Iterator[str]:
    assert running.stdout is not None
    return iter(running.stdout.readline, "")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("moment", [
    "started", "bets are open", "seat ", "no more bets", "began", "spin 1: ", "collect", "closed",
    "round 2: spin 1 began",
])  # fmt: skip
def test_ctrl_c_at_any_moment_leaves_no_traceback_no_table_and_a_whole_log(tmp_path: Path, moment: str) -> None:
    with subprocess.Popen(
        command("--seed", 7, "--rounds", 5, "--out", tmp_path, "--no-live"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert any(moment in line for line in lines_of(running))
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=LONG_S)
    assert "Traceback" not in out + err
    assert running.returncode == 130
    assert re.fullmatch(r"E-9902 stopped by Ctrl-C: .*; the log is in .*log\.db\n", err)
    with Store.open(tmp_path / "log.db") as store:
        serial = store.serial(None)
        assert verify_table(store, serial).whole
        summary = Summary()
        played = list(replay(payloads(serial, store.records(serial)), summary))
    assert summary.different == 0
    assert ("stays open" in err) == (summary.open == 1)
    assert ("voided" in err) == bool(played and played[-1].voided == "HOST_STOPPED")
    assert not processes_with(tmp_path)


def processes_with(folder: Path) -> list[str]:
    """Command lines that name the folder: a table that was left behind."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line and "micropython" in line:
            found.append(line)
    return found


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo terminal")
def test_on_a_terminal_the_wheel_is_drawn_as_a_ring(tmp_path: Path) -> None:
    import fcntl
    import struct
    import termios

    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    words = command("--seed", 7, "--rounds", 5, "--out", tmp_path)
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(words, stdout=slave, stderr=slave, stdin=slave, env=environment) as running:
        os.close(slave)
        shown = b""
        try:
            while data := os.read(master, 65536):
                shown += data
        except OSError:
            pass  # the terminal ends with its last program
        assert running.wait(LONG_S) == 0, shown[-2000:]
    os.close(master)
    assert b"turns/s" in shown
    assert b"7x" in shown
    assert b"\x1b[" in shown
    assert b"held" in shown
    assert b"Traceback" not in shown
