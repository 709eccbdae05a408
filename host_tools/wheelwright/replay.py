"""Every round of a log rebuilt by the rules, from wagers, spins, inputs and draws alone, and compared with its records.

In: records in order as (number, kind name, payload). Out: one `Played` a round; its `problem` is None when the
journal says what the rules give, else the sentence that names what differs. The rules are the table's own
(`tabletop.rules.rounds`). Meters are carried from settlement to settlement and compared too.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.drawn import Missing
from tabletop.rules import rounds as rules

from wheelwright.errors import WheelwrightError
from wheelwright.kept_meters import KeptMeters
from wheelwright.logbook.corrections import Correction
from wheelwright.logbook.held import Holding, same
from wheelwright.wording import span

Payload = Mapping[str, Any]
OF_A_ROUND = frozenset(
    (
        "ROUND_OPENED", "WAGERS", "BETS_CLOSED", "SPIN_STARTED", "SPIN", "SETTLED", "ROUND_CLOSED", "ROUND_VOIDED",
        "GIVEN", "DRAW", "COMMITTED", "OPENED", "METER",
    )
)  # fmt: skip


@dataclass(slots=True)
class Played:
    """One round as the log tells it. `first` and `last` are record numbers; money is in mills."""

    number: int
    first: int
    game: str = "?"
    test: bool = True
    last: int = 0
    bets: list[list[Any]] = field(default_factory=list)  # [seat, spot, mills]
    spins: list[Payload] = field(default_factory=list)  # SPIN records, those that were void too
    settled: Payload | None = None
    voided: str | None = None  # the reason, when the round was voided
    over: bool = False
    problem: str | None = None
    corrections: list[Correction] = field(default_factory=list)  # of any of its records

    @property
    def wagered_mills(self) -> int:
        """All stakes of the round."""
        return sum(bet[2] for bet in self.bets)

    @property
    def paid_mills(self) -> int:
        """All that the round paid: winnings without stakes, or what seats at cards and dice were handed."""
        return sum(pay[4] for pay in self.settled["pays"]) if self.settled else 0


@dataclass(slots=True)
class Summary:
    """What a replay found, added up."""

    rounds: int = 0
    settled: int = 0
    voided: int = 0
    open: int = 0  # at the end of the log: no fault
    different: int = 0
    skipped: int = 0  # records of a round whose beginning is not in the log
    gaps: list[tuple[int, int]] = field(default_factory=list)  # numbers missing in its middle, both ends included
    first_problem: str | None = None
    first_round: int | None = None

    def failure(self, serial: str) -> WheelwrightError | None:
        """The error that says which round differs first, or which records are missing; None when all are the same."""
        if self.first_problem is not None:
            return WheelwrightError(8102, serial=serial, round=self.first_round, reason=self.first_problem)
        if self.gaps:
            first, last = self.gaps[0]
            return WheelwrightError(8101, serial=serial, number=first, reason=f"{span(first, last)} missing")
        return None

    def add(self, played: Played) -> None:
        """Count one round."""
        self.rounds += 1
        if played.problem is not None:
            self.different += 1
            if self.first_problem is None:
                self.first_problem, self.first_round = played.problem, played.number
        elif played.voided is not None:
            self.voided += 1
        elif played.over:
            self.settled += 1
        else:
            self.open += 1


def replay(
    records: Iterable[tuple[int, str, Payload]],
    summary: Summary,
    corrected: Mapping[int, list[Correction]] | None = None,
) -> Iterator[Played]:
    """Rebuild the rounds of `records`, counting them in `summary`; a wrong round is reported, never raised.

    A round ends at its last record, at its first wrong one, or at a gap in the numbers. `corrected` are the log's
    corrections by record (`corrections.by_record`): each round shows its own, and is replayed as it was journalled.
    """
    for played in _rounds(records, summary):
        if corrected:
            found = [one for number in range(played.first, played.last + 1) for one in corrected.get(number, ())]
            played.corrections = sorted(found)
        yield played


def _rounds(records: Iterable[tuple[int, str, Payload]], summary: Summary) -> Iterator[Played]:
    current: rules.Round | None = None
    played = Played(0, 0)
    meters: dict[str, Any] | None = rules.no_meters()
    kept_meters = KeptMeters()
    wagered = 0  # mills, of the round that is open
    before = 0  # number of the record before
    adrift = False  # between rounds of which a part is missing or wrong: their other records say nothing
    follow, of_a_round = rules.follow, OF_A_ROUND  # looked up once: they are asked for every record
    holding = Holding()
    for number, kind, payload in records:
        if number != before + 1:
            if current is not None:
                yield _ended(played, before, summary, f"the log has a gap after record {before}")
            if before:
                summary.gaps.append((before + 1, number - 1))
            current, meters, adrift = None, None, True
            kept_meters.adrift()
        before = number
        if kind not in of_a_round:
            if kind == "BOOT" and "meters" in payload:  # what the table took over from before its start
                if meters is not None and meters != payload["meters"]:
                    carried = Played(payload.get("round", 0), number)
                    yield _ended(carried, number, summary, "the table started with other meters than it had")
                meters = payload["meters"]
            if kind in ("ROUND_HELD", "BOOT"):
                try:
                    held = _held(holding, number, kind, payload, current, adrift)
                except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
                    yield _ended(played if current else Played(0, number), number, summary, _sentence(kind, error))
                    current, meters, adrift = None, None, True
                    continue
                if held is not None and current is None:
                    current, adrift = held, False
                    played, wagered = _taken_up(holding, held), held.wagered_mills()
            continue
        try:
            if kind == "METER":
                kept_meters.kept(payload)
            if kind in rules.OUTSIDE and ("round" not in payload or "again" in payload):
                continue
            if kind == "ROUND_OPENED":
                kept_meters.opened(payload)
            if kind == "ROUND_OPENED" and current is not None:
                unfinished, current = played, None
                yield _ended(unfinished, number, summary, f"round {payload['round']} was opened in it")
            if current is None:
                if adrift and kind != "ROUND_OPENED":
                    summary.skipped += 1
                    continue
                played = Played(payload.get("round", 0), number)
            following = follow(current, kind, payload)  # type: ignore[arg-type]
            if kind == "SPIN":
                played.spins.append(payload)
            elif kind == "SETTLED":
                played.settled = payload
                meters = _metered(meters, payload, wagered)
            elif kind == "BETS_CLOSED":
                wagered = payload["mills"]
            elif kind == "WAGERS" and following is not None:
                played.bets = following.state["bets"]
            elif kind == "ROUND_OPENED":
                played.game, played.test, adrift = payload["game"], payload["test"], False
            elif kind == "ROUND_VOIDED":
                played.voided = payload["reason"]
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            current, meters, adrift = None, None, True
            kept_meters.adrift()
            yield _ended(played, number, summary, _sentence(kind, error))
            continue
        if following is None and current is not None:
            played.over = True
            yield _ended(played, number, summary, None)
        current = following
    if current is not None:
        yield _ended(played, before, summary, _unfinished(current))


def _held(
    holding: Holding, number: int, kind: str, payload: Payload, current: rules.Round | None, adrift: bool
) -> rules.Round | None:
    """The round that the table held, once its BOOT is there; ValueError when it is not the round that is open."""
    if kind == "ROUND_HELD":
        holding.take(number, payload)
        return None
    held = holding.at(number, payload)
    if held is not None and not (adrift if current is None else same(current, held)):
        raise ValueError(f"the table held round {held.number} otherwise than its records give it")
    return held


def _taken_up(holding: Holding, held: rules.Round) -> Played:
    """What a log whose front is gone tells of the round that it begins in."""
    played = Played(held.number, holding.first, held.game.NAME, held.test, bets=held.state["bets"])
    played.spins = [payload for kind, payload in holding.records if kind == "SPIN"]
    played.settled = held.settled
    return played


def _unfinished(current: rules.Round) -> str | None:
    """Whether the last step of an open round, if it has all its draws, is one that the rules know."""
    if current.given is not None:
        try:
            current.go_on()
        except Missing:
            return None
        except ValueError as error:
            return str(error)
    return None


def _ended(played: Played, last: int, summary: Summary, problem: str | None) -> Played:
    played.last, played.problem = last, problem
    summary.add(played)
    return played


def _metered(meters: dict[str, Any] | None, settled: Payload, wagered_mills: int) -> dict[str, Any]:
    """The meters after a settlement; ValueError when the journalled ones are not what the ones before give."""
    found: dict[str, Any] = settled["meters"]
    if meters is None:
        return found
    expected = rules.metered(meters, settled, wagered_mills)  # type: ignore[arg-type]
    if found == expected:
        return found
    for mode, values in expected.items():
        for name, value in values.items():
            if found[mode][name] != value:
                text = "the %s meter %s of round %d is %s; the rounds before give %s"
                raise ValueError(text % (mode, name, settled["round"], found[mode][name], value))
    raise ValueError("the meters of round %d are not those of the table's program" % settled["round"])


def _sentence(kind: str, error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else f"{kind} has no usable field {error}"
