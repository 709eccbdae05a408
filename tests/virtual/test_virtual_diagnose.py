"""The diagnosis at virtual tables: what `tests/diagnosis.py` measures in full, for some faults of each kind."""

import json
import os
from pathlib import Path

import pytest
from wheelwright.cli import ending
from wheelwright.link import Client
from wheelwright.store import Store
from wheelwright.virtual import BENCH_HEAP, VirtualTable

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
    from wheelwright.pulling import pull

    with VirtualTable(pace=0, heap=BENCH_HEAP) as table:
        table.hand("fault", fault="index_dead")
        for direction in (1, -1, 1):
            table.hand("spin", speed_mturns_s=950, direction=direction)
            table.hand.rest()
            table.hand("pass", ms=2500)
        with Client.open(table.address) as client, Store.open(str(tmp_path / "log.db"), create=True) as store:
            pull(client, store)
    monkeypatch.setattr("sys.argv", ["wheelwright", "diagnose", "--db", str(tmp_path / "log.db"), "--json"])
    assert ending.outcome() == 0
    shown = json.loads(capsys.readouterr().out)
    fits("diagnose", shown)
    assert shown["serial"] == "VT-000001"
    assert shown["suspects"][0]["cause"] == "index_dead"
