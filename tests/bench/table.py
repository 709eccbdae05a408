"""A whole virtual table: speed against real time, round trip and pull over a pty, free memory, the bench at it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import serial
from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.journal import Journal
from tabletop.table.records import ROUND_ROOM
from wheelwright.link import Client
from wheelwright.logbook.pulling import pull
from wheelwright.logbook.store import Store
from wheelwright.virtual import VirtualTable

from tests.bench.figures import Figure, timed
from tests.vm.flash import SECTOR, Flash

CALLS = 300
SPINS = 4
LINE_BYTES_S = 11_520  # 115200 baud, ten bits a byte


def _echo_round_trip_ms() -> float:
    """The peer: the same number of bytes echoed by a bare thread through a pty and pyserial."""
    ours, theirs = os.openpty()
    tty.setraw(ours)
    tty.setraw(theirs)
    stop = threading.Event()

    def echo() -> None:
        while not stop.is_set():
            os.write(ours, os.read(ours, 64))

    threading.Thread(target=echo, daemon=True).start()
    times = []
    with serial.Serial(os.ttyname(theirs), timeout=1) as port:
        for _ in range(CALLS):
            start = time.perf_counter()
            port.write(b"x" * 24)
            port.read(24)
            times.append(time.perf_counter() - start)
        stop.set()
        port.write(b"end")
    return statistics.median(times) * 1000


def figures() -> Iterator[Figure]:
    """One table behind a pty, then without."""
    with VirtualTable(pty=True, pace=0) as table:
        yield Figure("free memory at READY, of 200 KB", table.ready["mem_free"], "bytes")
        with Client.open(table.address) as client:
            times = []
            for _ in range(CALLS):
                seconds, _ = timed(lambda: client.call("PING", echo=b"bench123"))
                times.append(seconds * 1000)
            echo_ms = _echo_round_trip_ms()
            yield Figure("command round trip over a pty, median", statistics.median(times), "ms",
                         "bare echo over a pty", echo_ms, less_is_better=True)
            yield Figure("command round trip, 99 of 100", sorted(times)[CALLS * 99 // 100], "ms", "design budget", 10.0,
                         less_is_better=True)
            seconds, virtual = timed(lambda: _spin(table))
            yield Figure("virtual time while the wheel turns", virtual / seconds, "x real", "design budget", 50.0)
            yield from _pull(client)
    yield _start_with_a_full_ring()
    yield _technicians_bench()


def _technicians_bench() -> Figure:
    """All tests of `wheelwright bench` at a healthy table, reports included, as the command says itself."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "wheelwright", "bench", "--virtual", "--json", "--report", folder,
                   "--key", str(Path(folder) / "key.pem")]  # fmt: skip
        seconds, ended = timed(lambda: subprocess.run(command, capture_output=True, check=True))
    assert json.loads(ended.stdout)["verdict"] == "PASS"
    return Figure("bench of a healthy table, with its reports", seconds, "s", "limit", 180.0, less_is_better=True)


def _start_with_a_full_ring() -> Figure:
    """From the start of the process to READY; no round has ended in all of the ring, so that all of it is read back."""

    def start(records: int) -> None:
        with VirtualTable(Path(folder), pace=0) as table, Client.open(table.address) as client:
            status = client.call("STATUS")
            assert (status["phase"], status["tilts"]) == ("TEST", [])
            assert status["last"] - status["first"] >= records

    with tempfile.TemporaryDirectory() as folder:
        start(1)
        empty_s, _ = timed(lambda: start(1))
        image = Path(folder) / "flash.bin"
        flash = Flash(image.stat().st_size // SECTOR)
        flash.data[:] = image.read_bytes()
        journal = Journal(flash)
        journal.open()
        while journal.free() > ROUND_ROOM:
            journal.append(kinds.TIME_SET, cbor.dumps({"unix_ms": 1_767_225_600_000, "was_ms": 0}), 10_000)
        image.write_bytes(flash.data)
        full_s, _ = timed(lambda: start(1900))
    return Figure("start with a full ring, 512 KB, to its first reply", full_s * 1000, "ms", "one that is nearly empty",
                  empty_s * 1000, less_is_better=True)


def _spin(table: VirtualTable) -> float:
    """Virtual seconds that SPINS spins took."""
    total = 0.0
    for n in range(SPINS):
        start = table.hand("state")["ms"]
        table.hand("spin", speed_mturns_s=1100 + 40 * n, direction=1, noise=n + 1)
        total += (table.hand.rest()["ms"] - start) / 1e3
    return total


def _pull(client: Client) -> Iterator[Figure]:
    for _ in range(150):  # a journal of some length: rounds opened and called off
        client.call("OPEN_BETS")
        client.call("WAGER", bets=[[seat, "10", 5000] for seat in range(1, 8)])
        client.call("VOID", reason="bench")
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "log.db", create=True) as store:
        seconds, pulled = timed(lambda: pull(client, store))
        size = sum(len(row.raw) for row in store.records(client.hello.serial))
    yield Figure("journal pull over a pty", pulled.new / seconds, "records/s")
    yield Figure("journal pull over a pty", size / seconds, "bytes/s", "a line of 115200 baud", LINE_BYTES_S)
