"""The rig: a second board that moves the table's pins and cuts its power, and that first of all doubts itself.

A rig that does nothing makes every test of a power cut pass. So its wires are tried before they are used, and a cut
counts only when the table itself says that it had one; all else is `Invalid`: the test has neither passed nor failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.hardware.bench import Wire


class Invalid(Exception):
    """Nothing can be said of the table: the bench did not do what it was told."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"INVALID: {reason}")


class Pins(Protocol):
    """Pins of one board."""

    def drive(self, pin: int, level: int) -> None: ...
    def release(self, pin: int) -> None: ...  # an input without pull
    def level(self, pin: int) -> int: ...  # as an input with pull-up


@dataclass(frozen=True)
class Life:
    """What the table says of its start; None instead of a Life: it does not answer."""

    boot: int
    reset: str


class Rig:
    """`life` asks the table; `wait(until, seconds)` waits for a condition and says whether it came."""

    def __init__(self, bench: Mapping[str, Any], pins: Pins, life: Callable[[], Life | None],
                 wait: Callable[[Callable[[], bool], float], bool]) -> None:  # fmt: skip
        self.bench = bench
        self.pins = pins
        self.life = life
        self.wait = wait

    def cut_power(self) -> None:
        """Power goes and comes. Invalid unless the table was gone, and says that it started from power-on once more."""
        pin, on = self.bench["power"]["rig"], self.bench["power"]["on"]
        before = self.life()
        if before is None:
            raise Invalid("the table did not answer before the power cut")
        self.pins.drive(pin, 1 - on)
        gone = self.wait(lambda: self.life() is None, self.bench["off_ms"] / 1000)
        self.pins.drive(pin, on)
        if not gone:
            raise Invalid("the power cut did not cut power: the table went on answering; see the relay, and the 5 V "
                          "wire of its USB cable")  # fmt: skip
        after: list[Life] = []

        def back() -> bool:
            found = self.life()
            after.extend([found] if found else [])
            return bool(after)

        if not self.wait(back, self.bench["back_s"]):
            raise Invalid(f"the table did not come back within {self.bench['back_s']} s of power")
        if after[0].reset != "POWER_ON" or after[0].boot != before.boot + 1:
            raise Invalid(f"the power cut did not cut power: the table says {after[0].reset}, boot {after[0].boot} "
                          f"after {before.boot}")  # fmt: skip


def check_wires(wires: Sequence[Wire], rig: Pins, table: Pins) -> None:
    """Each wire carries both levels to its own pin and to no other. Invalid names every wire that does not.

    The table is at its prompt, so that nothing of it plays with what is seen here.
    """
    wrong = []
    for wire in wires:
        rig.drive(wire.rig, 1)
    for wire in wires:
        rig.drive(wire.rig, 0)
        low = {other.signal for other in wires if table.level(other.table) == 0}
        rig.drive(wire.rig, 1)
        if wire.signal not in low:
            wrong.append(f"{wire.signal} (rig GP{wire.rig} to table GP{wire.table}) is open")
        for other in sorted(low - {wire.signal}):
            wrong.append(f"{wire.signal} (rig GP{wire.rig}) also moves {other}")
        if table.level(wire.table) != 1:
            wrong.append(f"{wire.signal} (rig GP{wire.rig} to table GP{wire.table}) stays low")
    for wire in wires:
        rig.release(wire.rig)
    if wrong:
        raise Invalid("; ".join(wrong))
