"""What `wheelwright run` plays and checks: a programme of rounds on a virtual wheel, with wrong commands on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tabletop.rules import dreamcatcher as game

from wheelwright import wording
from wheelwright.aim import Forecast
from wheelwright.dealer import Dealer, Payload, Table
from wheelwright.errors import Refused
from wheelwright.programme import PlannedRound
from wheelwright.replay import Played
from wheelwright.report import Check

Wrong = tuple[str, str, dict[str, Any], int]  # what it is, command, arguments, the code it must be refused with


WHEN_CLOSED: tuple[Wrong, ...] = (
    ("a wager after no more bets", "WAGER", {"bets": [[1, "1", 5000]]}, 3006),
    ("opening bets in an open round", "OPEN_BETS", {}, 4001),
)


def while_open(bets: list[list[Any]]) -> tuple[Wrong, ...]:
    """What must be refused while bets are open; on a spot that has no wager yet, as wagers on one spot add up."""
    taken = {(seat, spot) for seat, spot, _ in bets}
    free = ((seat, spot) for seat in range(1, game.DEFAULTS["seats"] + 1) for spot in game.ODDS)
    seat, spot = next(place for place in free if place not in taken)
    return (
        ("a wager on 3", "WAGER", {"bets": [[seat, "3", 5000]]}, 3001),
        ("a wager below the minimum", "WAGER", {"bets": [[seat, spot, 1]]}, 3002),
        ("a wager above the maximum", "WAGER", {"bets": [[seat, spot, 10**9]]}, 3003),
        ("a negative wager", "WAGER", {"bets": [[seat, spot, -5000]]}, 3004),
        ("settling while bets are open", "SETTLE", {}, 4001),
    )


@dataclass
class Flight:
    """One launch of the wheel: how it was aimed, how the wheel model says it must end, and what the table said."""

    round: int
    nth: int
    aim: str
    forecast: Forecast
    spin: Payload | None = None
    speed: list[tuple[float, float]] = field(default_factory=list)  # (seconds of the table, turns/s)

    @property
    def agrees(self) -> bool:
        """True when the table's sensors saw what the wheel did."""
        end = self.forecast
        outcome = "SHORT_SPIN" if end.turns < 3 else "BETWEEN_SECTIONS" if end.between else "SECTION"
        if self.spin is None or self.spin["outcome"] != outcome:
            return False
        return bool(outcome != "SECTION" or self.spin["section"] == end.section)


class Run:
    """The rounds of a run and what they showed. `launch(aim, seed)` spins the wheel and says how it will end."""

    def __init__(
        self, seed: int, launch: Callable[[str, int], Forecast], say: Callable[[str], object] = lambda _line: None
    ) -> None:
        self.flights: list[Flight] = []
        self.refusals: list[tuple[str, int, str]] = []  # what was tried, the code wanted, the answer
        self._seed = seed
        self._launch = launch
        self._say = say
        self._planned = PlannedRound([], ())
        self._round = 0

    def spin(self, nth: int) -> None:
        """Launch the nth spin of the round that is being played."""
        aim = self._planned.aim(nth)
        forecast = self._launch(aim, self._seed * 10_000 + len(self.flights))
        self.flights.append(Flight(self._round, nth, aim, forecast))

    def record(self, kind: str, payload: Payload) -> None:
        """Note what the table journals about a spin."""
        if kind == "SPIN" and payload["counted"] and self.flights:
            self.flights[-1].spin = payload

    def live(self, values: dict[str, Any]) -> None:
        """Note how fast the wheel turns."""
        if self.flights and self.flights[-1].spin is None and "speed_mturns_s" in values:
            self.flights[-1].speed.append((values["t_ms"] / 1000, values["speed_mturns_s"] / 1000))

    def play(self, dealer: Dealer, table: Table, planned: PlannedRound) -> Payload | None:
        """One round; in the first one, wrong commands are given on the way."""
        self._planned = planned
        self._round = dealer.open(planned.bets)
        wrong = not self.refusals
        if wrong:
            dealer.catch_up()
            self._try(table, while_open(planned.bets))
        table.call("NO_MORE_BETS")
        if wrong:
            dealer.catch_up()
            self._try(table, WHEN_CLOSED)
        return dealer.finish(self._round)

    def _try(self, table: Table, commands: tuple[Wrong, ...]) -> None:
        for what, command, args, code in commands:
            try:
                table.call(command, **args)
                answer = "it was taken"
            except Refused as refused:
                answer = str(refused)
            self.refusals.append((what, code, answer))
            self._say(f"tried {what}: {answer}")

    def fullest_flight(self) -> Flight | None:
        """The counted spin with the most telemetry, for its picture."""
        return max((one for one in self.flights if one.spin), key=lambda one: len(one.speed), default=None)

    def checks(self, rounds: int, played: list[Played]) -> list[Check]:
        """What the programme promised, held against the rounds of the log."""
        spins = [spin for one in played for spin in one.spins]
        settled = [one.settled for one in played if one.settled is not None]
        shown = {
            ("bonus spin",): sum(one["multiplier"] > 1 for one in settled),
            ("short spin",): sum(spin["outcome"] == "SHORT_SPIN" for spin in spins),
            ("rest between sections", "rests between sections"): sum(
                spin["outcome"] == "BETWEEN_SECTIONS" for spin in spins
            ),
            ("roll-back",): sum("ROLLED_BACK" in spin["notes"] for spin in spins),
        }
        off = [f"round {one.round} spin {one.nth} ({one.aim})" for one in self.flights if not one.agrees]
        taken = [what for what, code, answer in self.refusals if not answer.startswith(f"E-{code} ")]
        return [
            Check("rounds", len(settled) == rounds,
                  f"{len(settled)} of {rounds} settled, {wording.count(len(spins), 'spin')}"),
            Check("programme", all(shown.values()), ", ".join(wording.count(n, *name) for name, n in shown.items())),
            Check("sensors", not off, f"{len(self.flights) - len(off)} of {len(self.flights)} spins seen as the wheel "
                  f"moved{': not ' + ', '.join(off) if off else ''}"),
            Check("refusals", bool(self.refusals) and not taken,
                  f"{len(self.refusals) - len(taken)} of {len(self.refusals)} wrong commands refused with the right "
                  f"code{': not ' + ', '.join(taken) if taken else ''}"),
        ]  # fmt: skip
