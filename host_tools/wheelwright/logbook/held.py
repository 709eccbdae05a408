"""Rounds that a table held: its ROUND_HELD records and the BOOT behind them, followed as a table that starts does.

A log whose front was erased may begin within a round; then it follows from here. In a log that has all of it what the
table held must be the round that its records give.
"""

import copy
from collections.abc import Mapping
from typing import Any

from tabletop.drawn import Missing
from tabletop.rules.held import Unpacked
from tabletop.rules.rounds import Round, follow

Payload = Mapping[str, Any]
_TOLD = (
    "number", "test", "layout", "state", "spin", "short_spins", "running", "last", "given", "owed", "settled", "sensed",
)  # fmt: skip


class Holding:
    """Takes ROUND_HELD records: `first` is the first of those that follow one another, `records` what is in them."""

    def __init__(self) -> None:
        self.first = self._last = 0
        self.records: list[tuple[str, Any]] = []
        self._unpacked = Unpacked()

    def take(self, number: int, payload: Payload) -> None:
        """One more ROUND_HELD record; ValueError when it holds no records."""
        if number != self._last + 1:
            self.first, self.records, self._unpacked = number, [], Unpacked()
        self._last = number
        self.records += self._unpacked.take(payload["data"])

    def at(self, number: int, boot: Payload) -> Round | None:
        """The round that follows from what was taken, when this BOOT record says so; ValueError as `Round`."""
        if not self.first or number != self._last + 1 or boot.get("opened") != self.first:
            return None
        round_: Round | None = None
        for kind, payload in self.records:
            round_ = follow(round_, kind, payload)
        if round_ is None or self._unpacked.left:
            raise ValueError(f"the records that hold a round from {self.first} on are not whole")
        return round_


def same(one: Round, other: Round) -> bool:
    """Whether nothing that can come tells two rounds apart."""
    one, other = _stepped(one), _stepped(other)
    return all(
        getattr(one, name, 0) == getattr(other, name, 0) for name in _TOLD if not (name == "last" and one.running)
    )


def _stepped(round_: Round) -> Round:
    """The round with the step of its last input done, when all draws of that are there."""
    if round_.given is None:
        return round_
    done = copy.copy(round_)
    try:
        done.go_on()
    except Missing:
        return round_
    return done
