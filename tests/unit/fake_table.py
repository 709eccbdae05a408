"""A table in a few lines: takes the link's commands, follows the rules, and sends its records at once."""

from typing import Any

import tabletop.journal.record as record_format
from tabletop.rules import dreamcatcher as game
from tabletop.rules.rounds import follow, metered
from wheelwright.errors import Refused
from wheelwright.messages import Record

from tests.unit.logs import Journal


class FakeTable:
    """`send(record)` gets every record; `turn(section or outcome)` is what the wheel does."""

    def __init__(self) -> None:
        self.journal = Journal()
        self.round: Any = None
        self.number = 0
        self.tilts: list[int] = []
        self.calls: list[str] = []
        self.sent = 0
        self.send: Any = lambda record: None
        self.journal.start()

    def flush(self) -> None:
        """Send what was written since."""
        while self.sent < len(self.journal.raws):
            self.sent += 1
            self.send(Record(self.sent, self.journal.raws[self.sent - 1]))

    def subscribe(self, cursor: int, take: Any, _take_gap: Any = None) -> None:
        """Send the records from `cursor` on and all that come; 0: no more."""
        self.send = (lambda record: take(*record)) if cursor else lambda record: None
        self.sent = cursor - 1 if cursor else len(self.journal.raws)
        self.flush()

    def check(self) -> None:
        """The link holds."""

    def write(self, kind: str, **payload: Any) -> None:
        """Append a record, apply it, send it."""
        self.journal.put(kind, **payload)
        self.round = follow(self.round, kind, payload)
        self.flush()

    @property
    def phase(self) -> str:
        return "TEST" if self.round is None else str(self.round.phase())

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        """What the table answers."""
        self.calls.append(name)
        reply = getattr(self, "do_" + name.lower())(**args)
        return reply or {}

    def need(self, command: str, *phases: str) -> None:
        if self.phase not in phases:
            raise Refused(4001, command=command, phase=self.phase, advice="wait")

    def do_status(self) -> dict[str, Any]:
        return {"phase": self.phase, "round": self.number, "tilts": self.tilts, "first": 1,
                "last": len(self.journal.raws), "moving": self.phase == "SPINNING"}  # fmt: skip

    def do_open_bets(self) -> dict[str, Any]:
        self.need("OPEN_BETS", "TEST")
        self.number += 1
        self.write("ROUND_OPENED", round=self.number, game=game.NAME, test=True, layout=game.layout_hash(),
                   paytable=game.paytable_hash(), settings=dict(game.DEFAULTS), min_turns=3)  # fmt: skip
        return {"round": self.number}

    def do_wager(self, bets: list[list[Any]]) -> None:
        self.need("WAGER", "BETS_OPEN")
        _, effects = game.step(self.round.state, ("wagers", bets))
        if effects[0][0] == "refuse":
            raise Refused(effects[0][1], **effects[0][2])
        self.write("WAGERS", round=self.number, bets=bets)

    def do_no_more_bets(self) -> None:
        self.need("NO_MORE_BETS", "BETS_OPEN")
        bets = self.round.state["bets"]
        self.write("BETS_CLOSED", round=self.number, count=len(bets), mills=self.round.wagered_mills())

    def do_void(self, reason: str) -> None:
        self.need("VOID", "BETS_OPEN", "NO_MORE_BETS")
        self.write("ROUND_VOIDED", round=self.number, reason=reason, returned=self.round.wagered_mills())

    def do_settle(self) -> None:
        self.need("SETTLE", "RESULT")
        self.write("ROUND_CLOSED", round=self.number)

    def start_spin(self) -> None:
        self.write("SPIN_STARTED", round=self.number, spin=self.round.spin + 1)

    def end_spin(self, given: "int | str") -> None:
        payload = {
            "round": self.number, "spin": self.round.spin, "counted": True, "turns_milli": 4000, "direction": 1,
            "outcome": "SECTION" if isinstance(given, int) else given, "faults": [], "notes": [],
            "top_mturns_s": 900, "source": "PHYSICAL", "layout": game.layout_hash(), "test": True,
        }  # fmt: skip
        if isinstance(given, int):
            payload["section"] = given
        self.write("SPIN", **payload)
        if self.round.owed is not None:
            self.journal.meters = metered(self.journal.meters, self.round.owed, self.round.wagered_mills())
            self.write("SETTLED", **self.round.owed, meters=self.journal.meters)

    def turn(self, given: "int | str") -> None:
        """One whole spin."""
        self.start_spin()
        self.end_spin(given)

    def last_number(self) -> int:
        return record_format.number(self.journal.raws[-1])
