"""What a bridge tells a broker: topics and JSON, as docs/fleet.md and docs/fleet.schema.json say them. Pure."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from wheelwright import __version__
from wheelwright.logbook import entries
from wheelwright.logbook.store import Row

FORMAT = 1  # of every message; a field may be added, none changes its meaning
_STATUS = ("phase", "test", "emulated", "tilts", "round", "first", "anchored", "free", "moving", "alert", "rng")


class Topics:
    """The topics of a house: PREFIX/HOUSE/bridge and PREFIX/HOUSE/table/SERIAL/(state|event/KIND)."""

    def __init__(self, prefix: str, house: str) -> None:
        self._root = f"{prefix}/{_level(house)}"
        self.bridge = f"{self._root}/bridge"

    def state(self, serial: str) -> str:
        """How a table is; retained."""
        return f"{self._root}/table/{_level(serial)}/state"

    def event(self, serial: str, kind: str) -> str:
        """A record of a table; not retained."""
        return f"{self._root}/table/{_level(serial)}/event/{kind}"


def _level(name: str) -> str:
    """A name as one level of a topic: what MQTT gives a meaning (/ + # $) is percent-encoded."""
    return quote(name, safe=" ")


def event(serial: str, row: Row) -> dict[str, Any]:
    """A record. Serial and number together are its identity: a message that comes again has the same."""
    return {"format": FORMAT, **entries.entry(serial, row)}


def table(serial: str, link: str, seen_ms: int | None, last: int, status: Mapping[str, Any]) -> dict[str, Any]:
    """How a table is: `link` up, down or unknown (not followed by this program), and its last answer to STATUS."""
    shown = {key: status[key] for key in _STATUS if key in status}
    return {"format": FORMAT, "serial": serial, "link": link, "seen_ms": seen_ms, "last": last, "status": shown or None}


def bridge(house: str, state: str, instance: str, since_ms: int) -> dict[str, Any]:
    """How the bridge is: online, offline (it was ended) or lost (the broker says so in its place: the last will)."""
    return {
        "format": FORMAT, "house": house, "state": state, "instance": instance, "version": __version__,
        "since_ms": since_ms,
    }  # fmt: skip


def encoded(message: Mapping[str, Any]) -> bytes:
    """A message as it is published."""
    return json.dumps(message, separators=(",", ":")).encode()
