"""A virtual table that plays one game for the tool, and the proof of what it played: chain, replay, meters."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from wheelwright.errors import WheelwrightError
from wheelwright.games import game_named
from wheelwright.hand import Hand
from wheelwright.logbook import entries
from wheelwright.logbook.chain import verify_table
from wheelwright.logbook.store import Store
from wheelwright.replay import Summary, replay
from wheelwright.virtual import VirtualTable
from wheelwright.wording import count, records

HURRY_MS = 24 * 3600 * 1000  # nobody waits for the shows of a table that plays for the tool


class ProvingGround:
    """`port` and `hand` of a virtual table that plays `game`; `db` is its log, a temporary one if none is named."""

    def __init__(self, game: str, db: str | None) -> None:
        with ExitStack() as opened:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="wheelwright-")))
            table = opened.enter_context(VirtualTable(folder / "table", pace=0, game=game_named(game).name))
            hand = Hand(table.hand_address)
            hand("hurry", ms=HURRY_MS)
            hand.close()  # one at a time
            self.port, self.hand = table.address, table.hand_address
            self.db = db or str(folder / "log.db")
            self._serial = table.serial
            self._stack = opened.pop_all()

    def prove(self) -> dict[str, Any]:
        """What the log says: every record follows from the one before, and every round from its records. E-81xx."""
        summary = Summary()
        with Store.open(self.db) as store:
            verdict = verify_table(store, self._serial)
            for _ in replay(entries.payloads(self._serial, store.records(self._serial)), summary):
                pass
        for failure in (verdict.failure(), summary.failure(self._serial)):
            if failure is not None:
                raise failure
        if not summary.settled:
            raise WheelwrightError(8102, serial=self._serial, round=0, reason="no round was settled")
        return {
            "records": verdict.records, "head": verdict.head.hex(), "rounds": summary.rounds,
            "text": f"{records(verdict.first, verdict.last)} follow one another, " + count(
                summary.rounds, "round gives the same result on the host", "rounds give the same results on the host"
            ),
        }  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
