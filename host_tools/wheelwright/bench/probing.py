"""Watches the sensors of a table through PROBE: one motion of the wheel from rest to rest, or only how all is now."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from wheelwright.bench.capture import Capture, events_of
from wheelwright.errors import WheelwrightError

EVENT_BYTES = 8
LONG_S = 1.0  # without any event, and a person is about to turn the wheel: there is no hurry
EVERY_S = 0.05
STILL_S = 0.3  # of no event: the wheel rests, whatever a dead encoder says


class Table(Protocol):
    """What the bench needs of the link to a table."""

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        """Give a command and return the reply; Refused when the table refuses."""
        ...


class Lost(Exception):
    """Events were lost: the motion must be seen again."""


class Prober:
    """The probe of one table. `tell(words)` is given live values as a line of text."""

    def __init__(self, table: Table, tell: Callable[[str], object] = lambda _line: None) -> None:
        self._table = table
        self._tell = tell

    def look(self) -> dict[str, Any]:
        """How everything is now; the probe begins with it, and buttons are held."""
        return self._table.call("PROBE", on=True, hold=True)

    def end(self) -> None:
        """The table has its sensors, buttons and lamps to itself again."""
        self._table.call("PROBE", on=False, hold=False)

    def motion(
        self, asked: int, move: Callable[[], object], patience_s: float, rested: Callable[[], bool] | None = None
    ) -> Capture:
        """`move()` has the wheel turned in direction `asked`; what was seen until it rests.

        `rested` tells better than the sensors whether it does. E-7401: nothing moved. Lost: see there.
        """
        began = self.look()
        while began["more"]:
            began = self.look()
        lost = began["lost"]
        move()
        data = bytearray()
        began_s = time.monotonic()
        end = quiet = began_s + patience_s
        while True:
            reply = self.look()
            now = time.monotonic()
            data += reply["data"]
            if reply["data"]:
                quiet = now + STILL_S
            if reply["lost"] > lost:
                raise Lost
            seen = len(data) // EVENT_BYTES
            self._tell(_live(reply, seen))
            if not reply["more"] and not reply["data"]:
                over = rested() if rested is not None else not reply["moving"] and now > quiet
                if over and (seen or rested is not None):
                    return Capture(
                        asked, events_of(bytes(data), reply["count"]), lost, reply["levels"], began["levels"]
                    )
                if now > end and not seen:
                    raise WheelwrightError(7401, seconds=round(patience_s))
                if not seen and now > began_s + LONG_S:
                    time.sleep(EVERY_S)


def _live(reply: dict[str, Any], seen: int) -> str:
    """The live values in one line."""
    levels = reply["levels"]
    words = "  ".join(f"{name} {levels >> bit & 1}" for bit, name in enumerate(("A", "B", "index", "clapper")))
    return f"{words}  count {reply['count']:+d}  events {seen}"
