"""Journals made on the host for tests: honest rounds by the rules, each record chained to the one before."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cbor2
import tabletop.journal.record as record_format
from tabletop.journal import fields
from tabletop.rules import dreamcatcher as game
from tabletop.rules.rounds import follow, metered, no_meters
from wheelwright.logbook.store import Store

KIND = {entry[0]: number for number, entry in fields.KINDS.items()}
SERIAL = "WW-0007"


class Journal:
    """`raws` is what a table would send. `put` appends any record; `play` a whole round."""

    def __init__(self, seed: int = 1) -> None:
        self.raws: list[bytes] = []
        self.kinds: list[str] = []
        self.boot, self.anchored = 1, 0
        self.t_ms = 1000
        self.round = 0
        self.meters: dict[str, Any] = no_meters()
        self._random = random.Random(seed)
        self._prev = record_format.GENESIS
        self._buffer = bytearray(record_format.MAX)

    def put(self, kind: str, **payload: Any) -> int:
        """Append one record; returns its number."""
        number = len(self.raws) + 1
        body = cbor2.dumps(payload, canonical=True)
        if kind == "ANCHOR":
            self.anchored = payload.get("number", 0)
        size = record_format.encode_into(
            self._buffer, number, self.boot, KIND[kind], self.t_ms, self.anchored, self._prev, body)
        raw = bytes(self._buffer[:size])
        self._prev = record_format.digest(raw)
        self.raws.append(raw)
        self.kinds.append(kind)
        self.t_ms += 10
        return number

    def hash(self, number: int) -> bytes:
        """The hash of a record."""
        return record_format.digest(self.raws[number - 1])

    def payload(self, number: int) -> dict[str, Any]:
        """The payload of a record."""
        found: dict[str, Any] = cbor2.loads(record_format.decode(self.raws[number - 1]).payload)
        return found

    def start(self, **changes: Any) -> None:
        """A start of the table: BOOT."""
        fields = {"serial": SERIAL, "version": "0.1.0", "program": bytes(8), "reason": "POWER_ON",
                  "emulated": True, "test": True}  # fmt: skip
        self.put("BOOT", **{**fields, **changes})

    def play(
        self,
        bets: list[list[Any]] | None = None,
        spins: list[int | str] | None = None,
        settled: Mapping[str, Any] | None = None,
        test: bool = True,
    ) -> None:
        """A round: `spins` are sections or outcomes that give none; `settled` changes fields of SETTLED."""
        draw = self._random
        self.round += 1
        number = self.round
        opened = {
            "round": number, "game": game.NAME, "test": test, "layout": game.layout_hash(),
            "paytable": game.paytable_hash(), "settings": dict(game.DEFAULTS), "min_turns": 3,
        }  # fmt: skip
        self.put("ROUND_OPENED", **opened)
        current = follow(None, "ROUND_OPENED", opened)
        assert current is not None
        if bets is None:
            bets = [[seat, draw.choice(list(game.ODDS)), draw.randint(1, 99) * 1000] for seat in (1, 4, 7)]
        if bets:
            self.put("WAGERS", round=number, bets=bets)
            follow(current, "WAGERS", {"round": number, "bets": bets})
        closed = {"round": number, "count": len(current.state["bets"]), "mills": current.wagered_mills()}
        self.put("BETS_CLOSED", **closed)
        follow(current, "BETS_CLOSED", closed)
        for nth in range(1, 100):
            if current.owed is not None:
                break
            given = spins[nth - 1] if spins else draw.randrange(54)
            spin: dict[str, Any] = {
                "round": number, "spin": nth, "counted": True, "test": test, "layout": game.layout_hash(),
                "outcome": "SECTION" if isinstance(given, int) else given,
                "turns_milli": 2500 if given == "SHORT_SPIN" else draw.randint(3000, 9000),
                "direction": 1, "faults": [], "notes": [], "top_mturns_s": 1500, "source": "PHYSICAL",
            }  # fmt: skip
            if isinstance(given, int):
                spin["section"] = given
            for kind, payload in (("SPIN_STARTED", {"round": number, "spin": nth}), ("SPIN", spin)):
                self.put(kind, **payload)
                follow(current, kind, payload)
        assert current.owed is not None
        self.meters = metered(self.meters, current.owed, current.wagered_mills())
        self.put("SETTLED", **{**current.owed, "meters": self.meters, **(settled or {})})
        self.put("ROUND_CLOSED", round=number)


def journal(rounds: int = 3, seed: int = 1) -> Journal:
    """A table that started and played some rounds."""
    made = Journal(seed)
    made.start()
    for _ in range(rounds):
        made.play()
    return made


def stored(path: Path, made: Journal, serial: str = SERIAL) -> Path:
    """A log database that holds the journal."""
    with Store.open(path, create=True) as store:
        store.add(serial, made.raws)
    return path
