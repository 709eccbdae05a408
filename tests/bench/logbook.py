"""The logbook: records a second into SQLite and PostgreSQL, how long a search takes, pull of a journal at line rate.

`LONG=1` searches among 10 million records instead of one (some ten minutes, 12 GB of disk).
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from wheelwright.link import Client
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store
from wheelwright.virtual import VirtualTable

from tests.bench.figures import Figure, timed
from tests.bench.slow_line import SlowLine
from tests.unit.logs import journal
from tests.unit.servers import postgresql

TABLES, ROUNDS = 47, 3000  # a house; 21,275 records of each table are a million
TIMES = 10 if os.environ.get("LONG") else 1
BATCH = 500  # records of one transaction, as a pull stores them
LINE_BYTES_S = 11_520  # 115200 baud, ten bits a byte
GROW = """
INSERT INTO records (table_id, number, boot, kind, t_ms, hash, received_ms, raw, at_ms, round, tilt)
SELECT table_id, number + :records, boot, kind, t_ms, hash, received_ms + :ms, raw, at_ms + :ms, round + :rounds, tilt
FROM records WHERE number <= :upto
"""


def figures() -> Iterator[Figure]:
    """SQLite, then PostgreSQL, then the lines."""
    raws = _journal()
    with tempfile.TemporaryDirectory() as folder:
        yield from _database("SQLite", str(Path(folder) / "house.db"), raws)
    try:
        with postgresql(fsync="on", shared_buffers="128MB", max_wal_size="2GB", autovacuum="on") as server:
            yield from _database("PostgreSQL", server.new(), raws)
    except pytest.skip.Exception as missing:
        print(f"  {missing}")
    yield from _lines()


def _journal() -> list[bytes]:
    """A journal with a tilt in every hundredth round."""
    made = journal(0)
    for number in range(ROUNDS):
        made.play()
        if number % 100 == 50:
            made.put("TILT", tilt=21 + number % 3, detail={"sections": 3})
    return made.raws


def _database(name: str, place: str, raws: list[bytes]) -> Iterator[Figure]:
    serials = [f"WW-{number:04d}" for number in range(TABLES)]
    with Store.open(place, create=True) as store:

        def fill() -> None:
            for serial in serials:
                for at in range(0, len(raws), BATCH):
                    store.add(serial, raws[at : at + BATCH])

        seconds, _ = timed(fill)
        yield Figure(f"{TABLES * len(raws):,} records into {name}", TABLES * len(raws) / seconds, "records/s")
        with store.transaction(write=True) as connection:
            for time_more in range(1, TIMES):
                more = {"records": time_more * len(raws), "ms": time_more * 600_000, "rounds": time_more * ROUNDS,
                        "upto": len(raws)}
                connection.execute(sql.text(GROW), more)
        if name == "PostgreSQL":
            with store._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM ANALYZE")  # as its autovacuum does by and by
        count = TABLES * len(raws) * TIMES
        middle = store.record(serials[TABLES // 2], len(raws) * TIMES // 2)
        assert middle is not None
        for words, wanted, tables in (
            ("a round of a table", {"round_": ROUNDS * TIMES // 2}, [serials[TABLES // 2]]),
            ("a round number at every table", {"round_": ROUNDS * TIMES // 3}, serials),
            ("a tilt at every table", {"tilt": 21}, serials),
            ("a tilt of a table in a minute", {"tilt": 22, "since_ms": middle.at_ms - 30_000,
                                               "until_ms": middle.at_ms + 30_000}, [serials[TABLES // 2]]),
            ("a second of a table", {"since_ms": middle.at_ms - 500, "until_ms": middle.at_ms + 500},
             [serials[TABLES // 2]]),
            ("starts of a table", {"kinds": [1]}, [serials[TABLES // 2]]),
        ):
            yield Figure(f"{name}: {words}, of {count:,}", _search(store, tables, wanted), "ms", "limit set", 100.0,
                         less_is_better=True)


def _search(store: Store, tables: list[str], wanted: dict[str, Any]) -> float:
    """Milliseconds until the first page of every table is there, median of five."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        found = [next(iter(store.records(serial, **wanted)), None) for serial in tables]
        times.append((time.perf_counter() - start) * 1000)
    assert any(found)
    return statistics.median(times)


def _lines() -> Iterator[Figure]:
    with VirtualTable(pace=0) as table:
        with Client.open(table.address) as client:
            for _ in range(150):
                client.call("OPEN_BETS")
                client.call("WAGER", bets=[[seat, "10", 5000] for seat in range(1, 8)])
                client.call("VOID", reason="bench")
        with SlowLine(table.address, 115_200) as line, Client.open(line.address) as client:
            size, seconds = _pull(client)
            came = client.statistics()["rx_bytes"]
        yield Figure("journal pull at 115200 baud, bytes of the line", came / seconds, "bytes/s", "goal, 90 % of them",
                     0.9 * LINE_BYTES_S)
        yield Figure("journal pull at 115200 baud, bytes of records", size / seconds, "bytes/s", "all of the line",
                     LINE_BYTES_S)
    with VirtualTable(pty=True, pace=0) as table, Client.open(table.address) as client:
        for _ in range(150):
            client.call("OPEN_BETS")
            client.call("VOID", reason="bench")
        size, seconds = _pull(client)
        yield Figure("journal pull over a pty", size / seconds, "bytes/s", "a line of 921600 baud",
                     8 * LINE_BYTES_S)


def _pull(client: Client) -> tuple[int, float]:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "log.db", create=True) as store:
        seconds, _ = timed(lambda: pull(client, store))
        return sum(len(row.raw) for row in store.records(client.hello.serial)), seconds
