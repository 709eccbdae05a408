"""Plays a table through rounds: opens bets, wagers, waits for the wheel, settles; everything else the table decides.

Waiting is always for a record, with a deadline.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from wheelwright.errors import WheelwrightError, tilt_text
from wheelwright.logbook.arrivals import Arrivals

Payload = Mapping[str, Any]
Bet = Sequence[Any]  # seat, spot, mills
PATIENCE_S = 600.0  # how long a dealer may take to spin the wheel

IN_A_ROUND = ("BETS_OPEN", "NO_MORE_BETS", "SPINNING", "BONUS", "RESULT")
AWAITS_SPIN = ("NO_MORE_BETS", "BONUS")
NONE_OPEN = "no round was open"
DECIDED = ("SETTLED", "ROUND_VOIDED", "ROUND_CLOSED")  # after these a round asks for nothing but its end


class Table(Protocol):
    """What the dealer needs of the link to a table."""

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        """Give a command and return the reply; Refused when the table refuses."""
        ...


class Dealer:
    """One table being played.

    `arrivals` brings its records; `spin(nth)` makes the wheel turn for the nth time in a round, or asks somebody to.
    """

    def __init__(
        self, table: Table, arrivals: Arrivals, spin: Callable[[int], object], patience_s: float = PATIENCE_S
    ) -> None:
        self._table = table
        self._arrivals = arrivals
        self._spin = spin
        self._patience_s = patience_s
        self._own = 0  # the round that this dealer opened
        self._spun = False  # the round that is open has had a spin
        self.settled: Payload = {}  # the last SETTLED record: of an open round it may be older than what arrives

    def play(self, bets: Sequence[Bet]) -> Payload | None:
        """One round with these wagers; the SETTLED record, or None when the dealer at the table voided it."""
        number = self.open(bets)
        self._call("NO_MORE_BETS")
        return self.finish(number)

    def open(self, bets: Sequence[Bet]) -> int:
        """Open the next round and place the wagers; its number."""
        self._spun = False
        number = self._own = int(self._call("OPEN_BETS")["round"])
        bets = self._wagers(number, bets)
        if bets:
            self._call("WAGER", bets=[list(bet) for bet in bets])
        return number

    def _wagers(self, _number: int, bets: Sequence[Bet]) -> Sequence[Bet]:
        """The wagers of a round that was just opened."""
        return bets

    def resume(self) -> Payload | None:
        """Play a round that is open already to its end; None when there is none."""
        status = self._call("STATUS")
        phase = status["phase"]
        if phase not in IN_A_ROUND:
            return None
        if phase == "BETS_OPEN":
            self._call("NO_MORE_BETS")
        return self.finish(status["round"])

    def finish(self, number: int) -> Payload | None:
        """From "no more bets" to the end of the round: as many spins as it takes, then the settlement."""
        nth = 1
        while True:
            status = self._call("STATUS")
            phase = status["phase"]
            if phase not in (*AWAITS_SPIN, "SPINNING"):
                return self._end(number, status)
            if phase in AWAITS_SPIN and not status["moving"]:
                self._arrivals.hear_wish()
                self._spin(nth)
            kind, payload = self._next(("SPIN", *DECIDED), number)
            if kind == "SPIN" and payload["spin"]:  # 0 is a turn of the wheel that was never a spin of the round
                self._spun = True
                nth += 1

    def _end(self, number: int, status: Mapping[str, Any]) -> Payload | None:
        """Close a round whose result is shown; its SETTLED record, or None when it was voided or is stopped by a tilt.

        E-7013: it was settled in a record that the table no longer has.
        """
        last, shown = status["last"], status["phase"] == "RESULT"
        if shown:
            self._call("SETTLE")
            last = self._table.call("STATUS")["last"]
        deadline = time.monotonic() + self._patience_s
        while self._arrivals.waiting or self._arrivals.last < last:
            self._take(deadline)
        if self.settled.get("round") == number:
            return self.settled
        if shown:
            raise WheelwrightError(7013, first=status.get("first", 1), last=last)
        return None

    def catch_up(self) -> None:
        """Keep and show everything that the table has journalled so far."""
        self._arrivals.catch_up(self._table.call("STATUS")["last"])

    def stop(self) -> str:
        """Leave the table in a defined phase, with every record kept; returns what became of the round.

        Wagers that no spin has touched are returned, if this dealer opened the round; a wheel in motion is left to
        the table.
        """
        status = self._table.call("STATUS")
        number, phase = status["round"], status["phase"]
        untouched = phase == "BETS_OPEN" or (phase == "NO_MORE_BETS" and not self._spun)
        voided = ""
        if untouched and number == self._own:
            voided = self._table.call("VOID", reason="HOST_STOPPED").get("what", "ROUND")
            phase = self._table.call("STATUS")["phase"]  # a wheel that began to turn meanwhile: only its spin is void
        if voided == "ROUND":
            words = f"round {number} was voided and all wagers returned"
        elif phase in IN_A_ROUND:
            words = f"round {number} stays open in phase {phase}"
        else:
            words = NONE_OPEN
        self.catch_up()
        return words

    def _next(self, kinds: Sequence[str], number: int) -> tuple[str, Payload]:
        """The next record of one of these kinds in a round, none of which may have come before the STATUS last seen.

        E-7020 when it does not come, E-7021 at a tilt.
        """
        deadline = time.monotonic() + self._patience_s
        while True:
            kind, payload = self._take(deadline)
            if kind in kinds and payload["round"] == number:
                return kind, payload

    def _take(self, deadline: float) -> tuple[str, Payload]:
        """The next record of any kind."""
        arrivals = self._arrivals
        while not arrivals.waiting:
            if not arrivals.receive(deadline):
                raise self._impatient()
        kind, payload = arrivals.waiting.popleft()
        if kind == "SETTLED":
            self.settled = payload
        if kind == "TILT" and payload["tilt"] in self._table.call("STATUS")["tilts"]:  # else an old one
            text = tilt_text(payload["tilt"], payload["detail"])
            raise WheelwrightError(7021, tilt=payload["tilt"], what=text.what, advice=text.advice)
        return kind, payload

    def _impatient(self) -> WheelwrightError:
        phase = self._table.call("STATUS")["phase"]
        advice = "spin the wheel, or void the round" if phase in AWAITS_SPIN else "look at the table"
        return WheelwrightError(7020, phase=phase, seconds=round(self._patience_s), advice=advice)

    def _call(self, name: str, **args: Any) -> dict[str, Any]:
        self._arrivals.hear_wish()
        return self._table.call(name, **args)
