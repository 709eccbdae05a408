"""The ledger of one linked meter, as a pure state machine: an account for each table, and what its records do.

Wins are fixed in the order in which the ledger takes them; a contribution that comes after a win, because its table
had dropped out, goes to the meter that has started anew. So nothing waits for a table that is away. What a table has
recorded against the ledger is a line too: it stops that table until two people have said what the meter must show.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import cbor2
from tabletop.journal import record as record_format
from tabletop.rules.progressive import meter as meters

from wheelwright.errors import WheelwrightError

CONTRIBUTION, WIN, AWARD, CORRECTION = "CONTRIBUTION", "WIN", "AWARD", "CORRECTION"
JOINED, LEFT, REJOINED, DISPUTE = "JOINED", "LEFT", "REJOINED", "DISPUTE"


@dataclass(frozen=True, slots=True)
class Contributed:
    """The wagers of a round that were counted: how many, and their sum in mills."""

    wagers: int
    mills: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A win of a share of the meter that a person has validated; its amount is for the ledger to say."""

    round: int
    seat: int
    percent: int


@dataclass(frozen=True, slots=True)
class Awarded:
    """The table has recorded the amount for the claim in record `claim`."""

    claim: int
    mills: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The table was configured to add to this meter from now on, or no more."""

    joined: bool


@dataclass(frozen=True, slots=True)
class Disputed:
    """A record that cannot be of this meter, and says that it is."""

    reason: str


Event = Contributed | Claimed | Awarded | Moved | Disputed


class Owed(NamedTuple):
    """The amount of a win, whose it is, and what the meter showed before it."""

    mills: int
    round: int
    seat: int
    shown: int

    def identity(self) -> str:
        """By which the table knows the win that an award is for."""
        return f"{self.round}/{self.seat}"


@dataclass(frozen=True, slots=True)
class Account:
    """How far a table's journal is taken: its last record (0: none yet) with its hash, and the claims not yet awarded.

    `claims` is {record of the claim: what is owed}; `known` is what `reading` has to remember of an open round.
    `stopped` says why the table is not served until the meter is corrected; "" when it is.
    """

    serial: str
    number: int = 0
    head: bytes = b""
    claims: dict[int, Owed] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger. `mills`: wagered by `wagers` wagers, or won; `current`: the meter after it.

    A correction is of no table: it has an empty serial number, and `note` says who and why. `taken_ms`: time of day.
    """

    serial: str
    record: int
    what: str
    mills: int
    wagers: int
    percent: int
    current: int
    note: str = ""
    taken_ms: int = 0

    def hash(self, before: bytes) -> bytes:
        """Names this line and all before it: SHA-256 over the hash of the line before and all fields in CBOR."""
        fields = [getattr(self, name) for name in self.__dataclass_fields__]
        return hashlib.sha256(before + cbor2.dumps(fields)).digest()


def origin(identity: str, game: str, test: bool, parameters: dict[str, Any]) -> bytes:
    """The hash before the first line: names the meter and all with which it was made."""
    return hashlib.sha256(cbor2.dumps([identity, game, test, parameters], canonical=True)).digest()


def follows(account: Account, raw: bytes) -> record_format.Record | None:
    """The record, when it is the next one of this table's journal; None when it has been taken before.

    E-8201 when records between are missing, E-8202 when it does not follow from the last one taken.
    """
    try:
        found = record_format.decode(raw)
    except ValueError as error:
        raise WheelwrightError(
            8202, serial=account.serial, number=account.number + 1, last=account.number, reason=error
        ) from None
    if found.number < account.number or (found.number == account.number and found.hash == account.head):
        return None
    if account.number and found.number > account.number + 1:
        raise WheelwrightError(8201, serial=account.serial, first=account.number + 1, last=found.number - 1)
    if account.number and (found.number == account.number or found.prev != account.head):
        reason = "its journal is another one" if found.number == account.number else "the chain is broken"
        raise WheelwrightError(8202, serial=account.serial, number=found.number, last=account.number, reason=reason)
    return found


def moved(account: Account, found: record_format.Record, known: dict[str, Any]) -> Account:
    """The account with this record taken."""
    return replace(account, number=found.number, head=found.hash, known=known)


def take(
    meter: dict[str, Any], account: Account, record: int, events: Iterable[Event]
) -> tuple[dict[str, Any], Account, list[Entry]]:
    """The meter and the account after what one record says, and the lines that this makes.

    An award of another amount than the ledger fixed, or for no claim, is entered as it was paid, and stops the table.
    """
    entries: list[Entry] = []

    def enter(what: str, mills: int, wagers: int = 0, percent: int = 0, note: str = "") -> None:
        entries.append(Entry(account.serial, record, what, mills, wagers, percent, meter["current"], note))

    for event in events:
        if isinstance(event, Contributed):
            meter = _contributed(meter, event.mills, event.wagers)
            enter(CONTRIBUTION, event.mills, wagers=event.wagers)
        elif isinstance(event, Claimed):
            shown = meter["current"]
            meter, won = meters.win(meter, event.percent, [account.serial, record])
            account = replace(account, claims={**account.claims, record: Owed(won, event.round, event.seat, shown)})
            enter(WIN, won, percent=event.percent)
        elif isinstance(event, Moved):
            enter(JOINED if event.joined else LEFT, 0)
        elif isinstance(event, Disputed):
            account = replace(account, stopped=f"record {record}: {event.reason}")
            enter(DISPUTE, 0, note=event.reason)
        else:
            fixed = account.claims[event.claim].mills if event.claim in account.claims else 0
            left = {number: owed for number, owed in account.claims.items() if number != event.claim}
            note = "" if fixed == event.mills else f"{event.mills} mills are paid, the ledger fixed {fixed}"
            stopped = f"record {record}: {note}" if note else account.stopped
            account = replace(account, claims=left, stopped=stopped)
            enter(AWARD, event.mills, note=note)
    return meter, account, entries


def heads(first: bytes, lines: Iterable[tuple[Entry, bytes]]) -> list[bytes]:
    """The hash before the first line, and after each one. E-8213 names the first line whose hash is not its own."""
    found = [first]
    for line, (entry, hashed) in enumerate(lines, 1):
        found.append(entry.hash(found[-1]))
        if found[-1] != hashed:
            raise WheelwrightError(
                8213, line=line, reason="its hash is not that of it and the lines before"
            )
    return found


def replayed(parameters: dict[str, Any], entries: Iterable[Entry]) -> dict[str, Any]:
    """The meter that these lines make of a new one, from the first on. E-8206 when a line is not what they give."""
    meter = meters.opened(parameters)
    for line, entry in enumerate(entries, 1):
        if entry.what == CONTRIBUTION:
            meter, mills = _contributed(meter, entry.mills, entry.wagers), entry.mills
        elif entry.what == WIN:
            meter, mills = meters.win(meter, entry.percent, [entry.serial, entry.record])
        elif entry.what == CORRECTION:
            meter, mills = meters.correct(meter, entry.mills), entry.mills
        else:
            mills = entry.mills
        if (mills, meter["current"]) != (entry.mills, entry.current):
            raise WheelwrightError(
                8206, line=line, serial=entry.serial, record=entry.record, found=entry.current, want=meter["current"]
            )
    return meter


def _contributed(meter: dict[str, Any], mills: int, wagers: int) -> dict[str, Any]:
    """As so many contributions one by one: nothing is rounded away between them."""
    after = meters.contribute(meter, mills)
    after["wagers"] += wagers - 1
    return after
