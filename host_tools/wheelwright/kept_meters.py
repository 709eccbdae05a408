"""The meters of wagers from round to round: none is lost, doubled or moved but by a round or a correction with a name.

Each game has one for live play and one for tests. What a log does not hold from the beginning is believed once.
"""

from collections.abc import Mapping
from typing import Any

from tabletop.rules.progressive import meter as meters

Payload = Mapping[str, Any]


class KeptMeters:
    """Takes ROUND_OPENED and METER records in order. `adrift` after a gap: what stands now is not known."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, bool], dict[str, Any]] = {}

    def adrift(self) -> None:
        """Records are missing, or wrong: the next METER of each game is believed."""
        self._kept.clear()

    def opened(self, payload: Payload) -> None:
        """ValueError unless a round begins on the meter that was kept."""
        kept = self._kept.get((payload["game"], payload["test"]))
        if kept is not None and payload.get("meter") != _bare(kept):
            raise ValueError(f"round {payload['round']} began on another meter than was kept")

    def kept(self, payload: Payload) -> None:
        """ValueError unless a METER follows from the one before: by its round, as moved up, or as corrected."""
        key, found = (payload["game"], payload["test"]), payload["meter"]
        before = self._kept.get(key)
        if before is not None:
            if payload.get("again") and found != before:
                raise ValueError(f"the meter of {key[0]} was moved up with another content")
            if "round" in payload and not _follows(before["recent"], found["recent"], payload["round"]):
                raise ValueError(f"round {payload['round']} kept other hits than those of before and its own")
        if "round" not in payload and not payload.get("again"):
            self._corrected(payload, before)
        self._kept[key] = found

    def _corrected(self, payload: Payload, before: dict[str, Any] | None) -> None:
        if not payload.get("operator") or not payload.get("reason"):
            raise ValueError(f"the meter of {payload['game']} was set by nobody, for no reason")
        found = payload["meter"]
        if before is not None and _bare(found) != _bare(meters.correct(before, found["current"])):
            raise ValueError(f"the correction of the meter of {payload['game']} changed more than what it shows")


def _bare(on: Mapping[str, Any]) -> dict[str, Any]:
    """A meter without its hits, as a round is opened on it."""
    return {key: value for key, value in on.items() if key != "recent"}


def _follows(before: list[Any], after: list[Any], number: int) -> bool:
    """Whether `after` are the hits of before and then some of round `number`, the oldest dropped."""
    own = [hit for hit in after if hit[0][0] == number and hit not in before]
    return after == meters.latest([*before, *own])
