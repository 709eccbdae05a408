"""A table of a house at the far end of a pty or socket: its journal is real, and it answers what a follower asks."""

from __future__ import annotations

import threading
from typing import Any

import tabletop.journal.record as record_format
from tabletop.link.endpoint import Refused

from tests.unit import link_line
from tests.unit.link_table import Served, ServedOnPty
from tests.unit.logs import Journal as Made


class Records:
    """`logs.Journal` as the endpoint sees a journal; `first` is the oldest that was not erased."""

    def __init__(self, made: Made, first: int = 1) -> None:
        self.made, self.first = made, first

    @property
    def last(self) -> int:
        return len(self.made.raws)

    def read(self, number: int) -> bytes:
        if number < self.first:
            raise KeyError(number)
        return self.made.raws[number - 1]


class Answers(link_line.Table):
    """What the table answers, from its journal."""

    def __init__(self, records: Records) -> None:
        super().__init__()
        self.records = records
        self.anchored = 0

    def __call__(self, name: str, args: dict[str, Any], origin: list[int]) -> dict[str, Any]:
        if name == "STATUS":
            return {"phase": "READY", "test": True, "tilts": [], "round": self.records.made.round,
                    "first": self.records.first, "last": self.records.last, "anchored": self.anchored, "free": 99,
                    "uptime_ms": 1, "moving": False, "homed": True, "section": 0}  # fmt: skip
        if name == "ANCHOR":
            if args["hash"] != record_format.digest(self.records.read(args["number"])):
                raise Refused(4010, number=args["number"])
            self.anchored = args["number"]
            return {"anchored": self.anchored}
        return super().__call__(name, args, origin)


def table(serial: str, made: Made | None = None, first: int = 1, kind: type[Served] = ServedOnPty) -> Served:
    """A table with this serial number and this journal (three rounds)."""
    records = Records(made or rounds(serial), first)
    served = kind(records, serial=serial)  # type: ignore[arg-type]
    served.table = Answers(records)
    served.restart()
    return served


def rounds(serial: str, count: int = 3, seed: int = 1) -> Made:
    """A journal of a table of this serial number."""
    made = Made(seed)
    made.start(serial=serial)
    for _ in range(count):
        made.play()
    return made


class Told:
    """A `Reporting` that keeps what it is told; `until` waits for a sentence or a record."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []
        self.numbers: dict[str, list[int]] = {}
        self.links: dict[str, str] = {}
        self.changed = threading.Condition()

    def say(self, serial: str, text: str) -> None:
        with self.changed:
            self.said.append((serial, text))
            self.changed.notify_all()

    def stored(self, serial: str, raws: list[bytes]) -> None:
        with self.changed:
            self.numbers.setdefault(serial, []).extend(map(record_format.number, raws))
            self.changed.notify_all()

    def status(self, serial: str, link: str, status: Any) -> None:
        with self.changed:
            self.links[serial] = link
            self.changed.notify_all()

    def until(self, condition: Any, seconds: float = 30) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, seconds), (self.said, self.numbers, self.links)

    def until_said(self, words: str) -> None:
        self.until(lambda: any(words in text for _, text in self.said))


