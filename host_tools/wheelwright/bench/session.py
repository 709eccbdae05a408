"""A session of the bench at one table: link, records, motions of the wheel, and test mode for as long as it lasts."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabletop import cbor
from tabletop.journal import kinds
from tabletop.journal.record import decode

from wheelwright import supervising
from wheelwright.bench.capture import Capture, mirrored
from wheelwright.bench.encoder import Wheel
from wheelwright.bench.probing import Lost, Prober
from wheelwright.bench.technician import Technician
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook.store import Row, as_row
from wheelwright.reports.run import Adjustment

LOOK_BACK = 200  # records before the run that are taken too, to hold the newest of the journal against each other
RECORDS_S = 20.0
TRIES = 3
REATTACH_S = 300.0  # a person has to walk to the plug
POLL_S = 0.02

Say = Callable[[str], object]


def wheel_of(sensing: dict[str, int]) -> Wheel:
    """What a table was told of its wheel, from its STATISTICS."""
    return Wheel(
        sensing["counts_per_turn"], sensing["sections"], sensing["index_width_counts"], sensing.get("index_at", 0),
        sensing.get("direction", 1),
    )  # fmt: skip


class Bench:
    """`rows` are the records that came, by number; `adjustments` what was set; `earlier` coast-downs of before."""

    def __init__(
        self, client: Client, technician: Technician, *, device_key: bytes | None = None, image: Path | None = None,
        earlier: tuple[float, ...] = (), say: Say = lambda _line: None, tell: Say = lambda _line: None,
    ) -> None:  # fmt: skip
        self.client = client
        self.technician = technician
        self.image = image
        self.earlier = earlier
        self.say = say
        self.rows: dict[int, Row] = {}
        self.gaps: list[tuple[int, int]] = []
        self.adjustments: list[Adjustment] = []
        self._key = device_key
        self._tell = tell
        self._motions: dict[int, Capture] = {}
        self._leased = self._probing = False
        status = client.call("STATUS")
        self.began = status
        self.was_test = bool(status["test"])
        sensing = client.call("STATISTICS")["sensing"]
        self.wheel = wheel_of(sensing)
        client.subscribe(max(status["first"], status["last"] - LOOK_BACK, 1), self._record, self._gap)
        self.catch_up()

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        """Give a command to the table."""
        if name in ("PROBE", "LAMPS"):
            self._probing = args.get("on", True)
        return self.client.call(name, **args)

    def release(self) -> None:
        """The table has its sensors, buttons and lamps to itself; nothing is loaded only to be let go of."""
        if self._probing:
            self.call("PROBE", on=False, hold=False)

    # records

    def _record(self, number: int, data: bytes) -> None:
        self.rows[number] = as_row(bytes(data))

    def _gap(self, first: int, last: int) -> None:
        self.gaps.append((first, last))

    def catch_up(self) -> int:
        """Wait for every record that the table has by now; the number of the last one."""
        last = int(self.call("STATUS")["last"])
        end = time.monotonic() + RECORDS_S
        while self.client.cursor <= last:
            self.client.check()
            if time.monotonic() > end:
                raise WheelwrightError(7013, first=self.client.cursor, last=last)
            time.sleep(0.002)
        return last

    def payloads(self, kind: int, since: int = 0) -> list[dict[str, Any]]:
        """The payloads of one kind of record, oldest first, after record `since`."""
        found = [self.rows[number] for number in sorted(self.rows) if number > since]
        return [cbor.loads(decode(row.raw).payload) for row in found if row.kind == kind]

    def await_record(self, kind: int, since: int, seconds: float) -> dict[str, Any] | None:
        """The first record of a kind after `since`, or None when none comes in time."""
        end = time.monotonic() + seconds
        while True:
            self.catch_up()
            found = self.payloads(kind, since)
            if found:
                return found[0]
            if time.monotonic() > end:
                return None
            time.sleep(POLL_S)

    # test mode

    def enter_test(self) -> None:
        """Test mode for as long as this session lasts. E-7402: the table is live, and there is no key."""
        if self.call("STATUS")["test"]:
            return
        if self._key is None:
            raise WheelwrightError(7402, serial=self.client.hello.serial)
        self.say("Turn the service key.")
        self.technician.touch("SERVICE", True)
        self.await_phase("SERVICE")
        supervising.command(self.client, self._key, "TEST_MODE", on=True, lease=True)
        self._leased = True
        self.say("Turn the service key back.")
        self.technician.touch("SERVICE", False)
        self.await_phase("TEST")

    def await_phase(self, phase: str) -> None:
        """Wait until the table is in a phase that a key brings about. E-7020."""
        end = time.monotonic() + self.technician.patience_s
        while True:
            found = self.call("STATUS")["phase"]
            if found == phase:
                return
            if time.monotonic() > end:
                advice = "turn the service key as asked, between rounds"
                seconds = round(self.technician.patience_s)
                raise WheelwrightError(7020, phase=found, seconds=seconds, advice=advice)
            time.sleep(POLL_S)

    @property
    def leased(self) -> bool:
        """Whether the table is live again as soon as this session is over."""
        return self._leased

    def end(self) -> None:
        """The table is as it was before: lamps, buttons, open test rounds, and its mode."""
        self.release()
        self.end_round()
        if self._leased:
            self.call("TEST_MODE", on=False)
            self._leased = False
        self.catch_up()

    def end_round(self) -> None:
        """Call off a test round that is open, or close it."""
        status = self.call("STATUS")
        if not status["test"]:
            return
        if status["phase"] in ("BETS_OPEN", "NO_MORE_BETS"):
            self.call("VOID", reason="BENCH")
        elif status["phase"] == "RESULT":
            self.call("SETTLE")

    # the wheel

    def motion(self, direction: int) -> Capture:
        """A spin in one direction; the same again for the next test that wants one. E-7401."""
        if direction not in self._motions:
            self._motions[direction] = self.watch(direction, lambda: self.technician.spin(direction))
        return self._motions[direction]

    def forget_motions(self) -> None:
        """The next test wants other spins: something was mended."""
        self._motions.clear()

    def watch(self, direction: int, move: Callable[[], object]) -> Capture:
        """Have the wheel moved, and see it through the probe until it rests."""
        prober = Prober(self, self._tell)
        known = self.technician.rested() is not None
        for _ in range(TRIES):
            try:
                seen = prober.motion(
                    direction, move, self.technician.patience_s,
                    (lambda: bool(self.technician.rested())) if known else None,
                )  # fmt: skip
            except Lost:
                self.technician.slower()
                self.technician.settle()
                continue
            self.technician.settle()
            return mirrored(seen) if self.wheel.direction < 0 else seen
        raise WheelwrightError(7403)

    def count(self) -> int:
        """The count now, as the table takes it."""
        count = int(self.call("PROBE", on=True, hold=True)["count"])
        return ~count if self.wheel.direction < 0 else count

    def recalibrated(self) -> None:
        """The table takes its wheel for another than before."""
        self.wheel = wheel_of(self.call("STATISTICS")["sensing"])
        self.forget_motions()

    def reattach(self) -> None:
        """The table again after its power was cut."""
        self.client = self.client.reattach(REATTACH_S)
        self._leased = self._probing = False
        self.forget_motions()

    def approved(self) -> bytes | None:
        """The program that the table approved, when the record of it came."""
        found = self.payloads(kinds.APPROVED)
        return found[-1]["program"] if found else None
