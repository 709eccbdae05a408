"""The diagnosis at virtual tables: what `tests/diagnosis.py` measures in full, for some faults of each kind."""

import json
import os
from pathlib import Path

import pytest
from wheelwright.cli import ending
from wheelwright.link import Client
from wheelwright.logbook.store import Store
from wheelwright.virtual import BENCH_HEAP, VirtualTable, board_file

from tests import diagnosis as measured
from tests.json_shapes import fits
from tests.virtual.test_virtual_bench import FAULTS

pytestmark = pytest.mark.virtual

SOME = ("none", "b_loose", "swapped", "hand", "brown_out", "modem_manager")
LONG = bool(os.environ.get("LONG"))


@pytest.mark.parametrize("cause", measured.CASES if LONG else SOME)
def test_a_fault_is_named_first_with_a_live_look(cause: str) -> None:
    alone, looked = measured.diagnosed(cause, 1)
    assert measured.first(looked) == cause
    assert cause in ("swapped", "b_loose") or measured.first(alone) == cause


def test_every_fault_of_the_virtual_table_is_in_the_matrix_or_seen_by_the_bench_alone() -> None:
    known = {fault[0] for fault in measured.CASES.values() if fault}
    assert {fault for fault, *_ in FAULTS} - known == {"button_dead", "led_dead", "digits_dead"}


def test_a_log_is_diagnosed_without_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from wheelwright.logbook.pulling import pull

    with VirtualTable(pace=0, heap=BENCH_HEAP) as table:
        table.hand("fault", fault="index_dead")
        for direction in (1, -1, 1):
            table.hand("spin", speed_mturns_s=950, direction=direction)
            table.hand.rest()
            table.hand("pass", ms=2500)
        with Client.open(table.address) as client, Store.open(str(tmp_path / "log.db"), create=True) as store:
            pull(client, store)
    monkeypatch.setattr("sys.argv", ["wheelwright", "diagnose", "--db", str(tmp_path / "log.db"), "--json"])
    assert ending.outcome() == 1, "a tilt is open"
    shown = json.loads(capsys.readouterr().out)
    fits("diagnose", shown)
    assert shown["serial"] == "VT-000001"
    assert shown["suspects"][0]["cause"] == "index_dead"
    assert [one["tilt"] for one in shown["tilts"]] == ["T-21"], "three spins in a row with a fault"
    assert shown["gaps"] == []


def test_a_table_that_has_stopped_is_not_called_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its noise has failed: T-61. Diagnosis and bench name it; a key of another table is seen before a wheel moves."""
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["wheelwright", *map(str, words)])
        return (ending.outcome(), *capsys.readouterr())

    with VirtualTable(pace=0, heap=BENCH_HEAP) as table:
        table.hand("noise", stuck=True)
        run("bench", "rng", "--port", table.address)  # it draws, and the table sees that its noise is stuck
        status, out, _ = run("diagnose", "--port", table.address, "--no-spin", "--json")
        shown = json.loads(out)
        fits("diagnose", shown)
        assert (status, [one["tilt"] for one in shown["tilts"]]) == (1, ["T-61"])
        _, out, _ = run("diagnose", "--port", table.address, "--no-spin")
        assert "tilt T-61 is open" in out and "nothing speaks" not in out
        status, out, _ = run("bench", "rng", "--port", table.address)
        assert status == 1
        assert "FAIL     Random numbers" in out and "likely cause: the random number generator" in out

        wrong = tmp_path / "wrong.hex"
        wrong.write_text("00" * 32)
        at = ("--operator", "ann", "--port", table.address)
        for words in (("calibrate", "--device-key", wrong, *at), ("clear", 61, "--device-key", wrong, *at)):
            status, _, err = run(*words)
            assert status == 11 and f"E-7405 the device key in {wrong} is not that of table VT-000001" in err
        right = ("--device-key", board_file("VIRTUAL"), *at)
        assert "VT-000001 was never calibrated" in run("calibrate", "--undo", *right)[2]
        status, _, err = run("calibrate", "--lamps", "--yes", *right)
        assert status == 11 and "E-7416" in err
