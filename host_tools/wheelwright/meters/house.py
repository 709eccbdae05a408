"""The tables of a house on their links: their records go into the ledger, awards and the meter's value come back.

A desk is one table. It asks for the records behind its cursor, so it does not matter who dropped out, or how often.
An award is sent until the table's own journal says that it holds it. What a desk tells its table is signed with the
device key of the table: of those that the host was given, the one that the table takes.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol

from tabletop.journal import record as record_format

from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client, OnGap, OnRecord
from wheelwright.messages import Hello
from wheelwright.meters.books import Books, Reading
from wheelwright.meters.ledger import Account
from wheelwright.meters.reading import joins
from wheelwright.supervising import signed

BATCH = 200  # records taken in one transaction
VALUE_EVERY_S = 2.0  # a table that hears no value for 10 s opens no round
AGAIN_S = 1.0  # between two attempts to reach a table
_WAIT_S = 0.2
RECORD_S = 5.0  # until a table sends a record that it was asked for
NOT_PROVEN = 1008
NOT_JOINED = (4009, 4013)  # another meter, or none

# the records `first` to `last` of a table that it has no longer, from a log; E-8201 when that has not all of them
Filled = Callable[[str, int, int], Sequence[bytes]]


class Link(Protocol):
    """What a desk needs of a table's client."""

    @property
    def hello(self) -> Hello: ...
    def call(self, name: str, **args: Any) -> dict[str, Any]: ...
    def check(self) -> None: ...
    def subscribe(self, cursor: int, on_record: OnRecord, on_gap: OnGap | None = None) -> dict[str, Any]: ...


def no_log(serial: str, first: int, last: int) -> Sequence[bytes]:
    """There is no log to fill a gap from."""
    raise WheelwrightError(8201, serial=serial, first=first, last=last)


class Desk:
    """One table, from its greeting until its link ends."""

    def __init__(
        self, client: Link, books: Books, name: str, reading: Reading, keys: Sequence[bytes], filled: Filled = no_log
    ) -> None:
        """E-8202 when the table has fewer records than were taken from it."""
        self.serial = client.hello.serial
        self.account: Account = books.account(name, self.serial)
        self.shown = -1  # the meter's value that the table was told last
        self.taken = 0  # records
        self._client, self._books, self._name, self._reading, self._filled = client, books, name, reading, filled
        self._keys, self._nonce = list(keys), b""
        linked = books.linked(name)
        self._meter: dict[str, Any] = {"meter": linked.identity, "test": linked.test, "parameters": linked.parameters}
        self._came: deque[bytes | tuple[int, int]] = deque()
        self._open: list[bytes] = []  # records behind the last line of this table: the ledger takes them with the next
        self._something = threading.Event()
        reply = client.subscribe(max(1, self.account.number), self._record, self._gap)
        if reply["last"] < self.account.number:
            reason = f"its journal ends at {reply['last']}"
            raise WheelwrightError(
                8202, serial=self.serial, number=reply["last"], last=self.account.number, reason=reason
            )

    def wait(self, seconds: float) -> bool:
        """Until a record has come, or so long."""
        return self._something.wait(seconds)

    def take(self) -> None:
        """What has come goes into the ledger, in one transaction. E-8203 for a table that is stopped, all the same."""
        self._client.check()
        self._something.clear()
        raws: list[bytes] = []
        while self._came and len(raws) < BATCH:
            came = self._came.popleft()
            if isinstance(came, bytes):
                raws.append(came)
            elif self.account.number or raws:
                raws += self._filled(self.serial, *came)
        if raws:
            self._open += raws
            self.account = self._books.take(self._name, self.serial, self._open, self._reading)
            behind = self.account.number - self.account.kept
            self._open = self._open[-behind:] if behind else []
            self.taken += len(raws)
        if self._came:
            self._something.set()
        if self.account.stopped:
            raise WheelwrightError(8203, serial=self.serial, reason=self.account.stopped, name=self._name)

    def award(self) -> None:
        """Send the amounts that this table waits for, when all that it has recorded is taken.

        So no award is sent that the table holds already. Refused when it cannot take one now. The table takes none
        above the meter that it was told last: that is told first.
        """
        if self.account.claims and self._client.call("STATUS")["last"] == self.account.number:
            for owed in self.account.claims.values():
                self.show(owed.shown)
                given = ["award", owed.seat, owed.mills, owed.identity()]
                nonce = self.account.known.get("nonces", {}).get(owed.seat, b"") + self._meter["meter"].encode()
                self._client.call("GIVE", **signed(self._keys[0], nonce, "GIVE", given=given))

    def show(self, mills: int) -> None:
        """Tell the table the meter's value. E-8212 when it has not joined this meter, E-8204 when no key is its own."""
        args = {**self._meter, "mills": mills}
        for key in 2 * self._keys:  # anybody's unsigned LINKED makes the nonce void: once more, with a new one
            try:
                if not self._nonce:
                    self._nonce = self._client.call("LINKED", **args)["nonce"]
                nonce, self._nonce = self._nonce, b""
                self._nonce = self._client.call("LINKED", **signed(key, nonce, "LINKED", **args))["nonce"]
            except Refused as refused:
                if refused.code != NOT_PROVEN:
                    self._refused(refused)
                continue
            self.shown, self._keys = mills, [key]
            return
        raise WheelwrightError(8204, serial=self.serial)

    def _refused(self, refused: Refused) -> NoReturn:
        if refused.code not in NOT_JOINED:
            raise refused
        raise WheelwrightError(8212, serial=self.serial, name=self._name, reason=refused) from None

    def _record(self, _number: int, raw: bytes) -> None:
        self._came.append(raw)
        self._something.set()

    def _gap(self, first: int, last: int) -> None:
        self._came.append((first, last))
        self._something.set()


def rejoin(client: Client, books: Books, name: str, note: str) -> int:
    """Begin anew with a table where its journal ends: the number of its last record. E-8209 while a round is open.

    What it played and was not taken is on no meter; `note` says who begins anew, and why.
    """
    status = client.call("STATUS")
    if status["phase"] not in ("READY", "TEST"):
        raise WheelwrightError(8209, serial=client.hello.serial, phase=status["phase"])
    came: queue.Queue[bytes] = queue.Queue()
    client.subscribe(max(1, status["first"]), lambda _number, raw: came.put(raw))
    identity, joined = books.linked(name).identity, False
    while True:
        try:
            last = record_format.decode(came.get(timeout=RECORD_S))
        except queue.Empty:
            raise WheelwrightError(7010, command="SUBSCRIBE", tries=1) from None
        joined = joins(last, identity, joined)
        if last.number >= status["last"]:
            break
    books.rejoin(name, client.hello.serial, last.number, last.hash, note, joined=joined)
    return last.number


def _unforeseen(address: str, found: Exception) -> WheelwrightError:
    reason = " ".join(f"{type(found).__name__}: {found}".split())[:200]
    return WheelwrightError(8216, address=address, reason=reason)


class House:
    """All tables of one linked meter, a thread each; `tell(address, text)` gets what people should know.

    `faults` are why tables are not linked now: address -> error.
    """

    def __init__(
        self, books: Books, name: str, reading: Reading, keys: Sequence[bytes], tell: Callable[[str, str], None],
        filled: Filled = no_log,
    ) -> None:  # fmt: skip
        self.value: int = books.linked(name).meter["current"]
        self.faults: dict[str, WheelwrightError] = {}
        self._books, self._name, self._reading, self._keys = books, name, reading, keys
        self._filled, self._tell = filled, tell
        self._one = threading.Lock()  # on the ledger: threads wait here and not for the database
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def follow(self, address: str, connect: Callable[[], Client]) -> None:
        """Keep the table at this address linked from now on, through every drop-out. No desk ends unsaid (E-8216)."""
        thread = threading.Thread(target=self._keep, args=(address, connect), name=f"desk {address}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """End all links; what is taken is in the ledger."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _keep(self, address: str, connect: Callable[[], Client]) -> None:
        said = ""
        while not self._stop.is_set():
            try:
                with connect() as client:
                    self._serve(address, client)
                    said = ""
            except Exception as found:
                error = found if isinstance(found, WheelwrightError) else _unforeseen(address, found)
                self.faults[address] = error
                if str(error) != said:
                    said = str(error)
                    self._tell(address, said)
            self._stop.wait(AGAIN_S)

    def _serve(self, address: str, client: Client) -> None:
        with self._one:
            desk = Desk(client, self._books, self._name, self._reading, self._keys, self._filled)
        first, silent_s = desk.account.number + 1, VALUE_EVERY_S
        while not self._stop.is_set():
            silent_s = 0.0 if desk.wait(_WAIT_S) else silent_s + _WAIT_S
            with self._one:
                before = desk.taken
                desk.take()
                if desk.taken != before or silent_s >= VALUE_EVERY_S:  # another host or two people move it as well
                    self.value = self._books.linked(self._name).meter["current"]
            desk.award()
            if desk.shown != self.value or silent_s >= VALUE_EVERY_S:
                silent_s = 0.0
                desk.show(self.value)
                if first:
                    self._tell(address, f"table {desk.serial} is linked; its journal was taken from record {first} on")
                    self.faults.pop(address, None)
                    first = 0
