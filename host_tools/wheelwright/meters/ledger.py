"""The ledger of one linked meter, as a pure state machine: an account for each table, and what its records do.

Wins are fixed in the order in which the ledger takes them; a contribution that comes after a win, because its table
had dropped out, goes to the meter that has started anew. So nothing waits for a table that is away. What a table has
recorded against the ledger is a line too: it stops that table until two people have said what the meter must show.

The lines are all there is: meter, cursors, claims and stopped tables follow from them (`Standing`), and from nothing
else that somebody could change.
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
TAKEN = "TAKEN"  # how far a journal is taken, where many records say nothing to the meter
TAKEN_EVERY = 100  # records


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
    `stopped` says why the table is not served until the meter is corrected; "" when it is. `kept` is the record of its
    last line: a host that begins anew reads the journal from there.
    """

    serial: str
    number: int = 0
    head: bytes = b""
    claims: dict[int, Owed] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger. `mills`: wagered by `wagers` wagers, or won; `current`: the meter after it.

    A correction is of no table: it has an empty serial number, and `note` says who and why. `taken_ms`: time of day.
    `round` and `seat` name a win and its award; `head` is the hash of the record, `known` what `reading` has to
    remember behind it, as CBOR.
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
    round: int = 0
    seat: int = 0
    head: bytes = b""
    known: bytes = b""

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


def step(meter: dict[str, Any], account: Account, entry: Entry) -> tuple[dict[str, Any], Account, Entry]:
    """The meter and the account behind a line, and the line as those before it give it: mills, current and note."""
    mills, note = entry.mills, entry.note
    if entry.what == CONTRIBUTION:
        meter = _contributed(meter, mills, entry.wagers)
    elif entry.what == WIN:
        shown = meter["current"]
        meter, mills = meters.win(meter, entry.percent, [entry.serial, entry.record])
        owed = Owed(mills, entry.round, entry.seat, shown)
        account = replace(account, claims={**account.claims, entry.record: owed})
    elif entry.what == CORRECTION:
        meter = meters.correct(meter, mills)
    elif entry.what == AWARD:
        owed = _owed(account, entry)
        account = replace(account, claims={record: one for record, one in account.claims.items() if one != owed})
        fixed = owed.mills
        note = "" if fixed == mills else f"{mills} mills are paid, the ledger fixed {fixed}"
    elif entry.what == REJOINED:
        account = Account(entry.serial)
    if entry.what in (DISPUTE, AWARD) and note:
        account = replace(account, stopped=f"record {entry.record}: {note}")
    return meter, account, replace(entry, mills=mills, current=meter["current"], note=note)


def take(
    meter: dict[str, Any], account: Account, record: int, events: Iterable[Event]
) -> tuple[dict[str, Any], Account, list[Entry]]:
    """The meter and the account after what one record says, and the lines that this makes.

    An award of another amount than the ledger fixed, or for no claim, is entered as it was paid, and stops the table.
    """
    entries: list[Entry] = []
    for event in events:
        draft = replace(line_of(account, TAKEN), record=record)
        if isinstance(event, Contributed):
            draft = replace(draft, what=CONTRIBUTION, mills=event.mills, wagers=event.wagers)
        elif isinstance(event, Claimed):
            draft = replace(draft, what=WIN, percent=event.percent, round=event.round, seat=event.seat)
        elif isinstance(event, Moved):
            draft = replace(draft, what=JOINED if event.joined else LEFT)
        elif isinstance(event, Disputed):
            draft = replace(draft, what=DISPUTE, note=event.reason)
        else:
            owed = account.claims.get(event.claim, Owed(0, 0, 0, 0))
            draft = replace(draft, what=AWARD, mills=event.mills, round=owed.round, seat=owed.seat)
        meter, account, entry = step(meter, account, draft)
        entries.append(entry)
    return meter, account, entries


def line_of(account: Account, what: str, note: str = "") -> Entry:
    """A line that says how far this table is taken; `step` completes it."""
    return Entry(
        account.serial, account.number, what, 0, 0, 0, 0, note, head=account.head, known=cbor2.dumps(account.known)
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """What the lines of a ledger give, from the first on: their number, the hash of the last, meter and accounts."""

    head: bytes
    meter: dict[str, Any]
    lines: int = 0
    accounts: dict[str, Account] = field(default_factory=dict)

    def account(self, serial: str) -> Account:
        """How far a table is taken; a new account when it never was."""
        return self.accounts.get(serial, Account(serial))

    def behind(self, entry: Entry, hashed: bytes) -> "Standing":
        """With one line more. E-8213 when its hash is not its own, E-8206 when it is not what its lines before give."""
        head, line = entry.hash(self.head), self.lines + 1
        if head != hashed:
            raise WheelwrightError(8213, line=line, reason="its hash is not that of it and the lines before")
        before = self.account(entry.serial)
        if before.number >= entry.record and entry.what != REJOINED:
            reason = f"record {entry.record} of table {entry.serial} was taken before"
            raise WheelwrightError(8213, line=line, reason=reason)
        try:
            meter, account, want = step(self.meter, before, entry)
        except ValueError:  # a correction to what the meter cannot show
            want, meter, account = replace(entry, current=self.meter["current"]), self.meter, before
        if want != entry:
            given = _owed(before, entry).mills if entry.what == AWARD else want.mills
            found, given = (entry.current, want.current) if given == entry.mills else (entry.mills, given)
            raise WheelwrightError(
                8206, line=line, serial=entry.serial, record=entry.record, found=found, want=given
            )
        accounts = dict(self.accounts)
        if not entry.serial:
            accounts = {serial: replace(one, stopped="") for serial, one in accounts.items()}
        else:
            accounts[entry.serial] = replace(
                account, number=entry.record, kept=entry.record, head=entry.head, known=cbor2.loads(entry.known)
            )
        return Standing(head, meter, line, accounts)


def opened(identity: str, game: str, test: bool, parameters: dict[str, Any]) -> Standing:
    """A ledger without a line: its hash names the meter and all with which it was made."""
    return Standing(origin(identity, game, test, parameters), meters.opened(parameters))


def _owed(account: Account, entry: Entry) -> Owed:
    """What the win was worth that a line names; nothing when none waits."""
    name = entry.round, entry.seat
    return next((owed for owed in account.claims.values() if (owed.round, owed.seat) == name), Owed(0, 0, 0, 0))


def _contributed(meter: dict[str, Any], mills: int, wagers: int) -> dict[str, Any]:
    """As so many contributions one by one: nothing is rounded away between them."""
    after = meters.contribute(meter, mills)
    after["wagers"] += wagers - 1
    return after
