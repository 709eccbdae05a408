"""A house of two whole virtual tables in one logbook, over a restart of one and a pulled plug of the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from wheelwright.link import Client
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.house import House
from wheelwright.logbook.store import Store
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython
from tests.unit.house import Told

pytestmark = pytest.mark.virtual


def test_two_tables_are_followed_over_a_restart_and_nothing_is_missing(tmp_path: Path) -> None:
    need_micropython()
    told = Told()
    with (
        VirtualTable(tmp_path / "one", pace=0, serial="WW-0001") as one,
        VirtualTable(tmp_path / "two", pace=0, serial="WW-0002", pty=True) as two,
        Store.open(tmp_path / "house.db", create=True) as store,
    ):
        with House([one.address, two.address], store, 5, told):
            told.until(lambda: sum("followed at" in text for _, text in told.said) == 2)
            one.restart()
            told.until(lambda: sum("followed at" in text for who, text in told.said if who == "WW-0001") == 2)
            for table in (one, two):
                table.hand("key", key="SERVICE", on=True)
            told.until(lambda: len(told.numbers) == 2)
        for table in (one, two):
            with Client.open(table.address) as client:
                status = client.call("STATUS")
                assert store.bounds(table.serial) == (1, status["last"])
                anchor = store.anchor(table.serial)
                assert anchor is not None
                assert anchor.number == status["last"]
            verdict = verify_table(store, table.serial)
            assert verdict.whole
            assert verdict.boots == (2 if table is one else 1)
