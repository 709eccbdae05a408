"""The host's work on a long log: replay of rounds, verification of the chain, on one core."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from wheelwright.logbook import chain, entries
from wheelwright.logbook.store import Store
from wheelwright.replay import Summary, replay

from tests.bench.figures import Figure, computed, timed
from tests.unit.logs import SERIAL, Journal

ROUNDS = 20_000
STARTS = 5


def figures() -> Iterator[Figure]:
    """How long the tool takes to start; a log of ROUNDS honest rounds, in memory and in SQLite."""
    for option in ("--help", "--version"):
        command = [sys.executable, "-m", "wheelwright", option]
        start = partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)
        seconds = min(timed(start)[0] for _ in range(STARTS))
        yield Figure(f"wheelwright {option}, best of {STARTS}", seconds, "s", "goal", 0.3, less_is_better=True)
    made = Journal()
    made.start()
    for _ in range(ROUNDS):
        made.play()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.db"
        with Store.open(path, create=True) as store:
            seconds, _ = computed(lambda: store.add(SERIAL, made.raws))
            yield Figure("records stored in SQLite", len(made.raws) / seconds, "records/s")
        with Store.open(path) as store:
            decoded = list(entries.payloads(SERIAL, store.records(SERIAL)))
            seconds, _ = computed(lambda: _replay(iter(decoded)))
            yield Figure("replay by the rules", ROUNDS / seconds, "rounds/s", "design budget", 100_000)
            seconds, _ = computed(lambda: _replay(entries.payloads(SERIAL, store.records(SERIAL))))
            yield Figure("replay, reading and decoding included", ROUNDS / seconds, "rounds/s")
            seconds, verdict = computed(lambda: chain.verify_table(store, SERIAL))
            assert verdict.whole and verdict.records == len(made.raws)
            yield Figure("log verify, reading included", len(made.raws) / seconds, "records/s", "goal", 100_000)


def _replay(records: Iterator[tuple[int, str, dict]]) -> None:  # type: ignore[type-arg]
    summary = Summary()
    for _ in replay(records, summary):
        pass
    assert summary.settled == ROUNDS, summary
