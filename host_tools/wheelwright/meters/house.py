"""The tables of a house on their links: their records go into the ledger, awards and the meter's value come back.

A desk is one table. It asks for the records behind its cursor, so it does not matter who dropped out, or how often.
An award is sent until the table's own journal says that it holds it.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client, OnGap, OnRecord
from wheelwright.messages import Hello
from wheelwright.meters.books import Books, Reading
from wheelwright.meters.ledger import Account

BATCH = 200  # records taken in one transaction
VALUE_EVERY_S = 2.0  # a table that hears no value for 10 s opens no round
AGAIN_S = 1.0  # between two attempts to reach a table
_WAIT_S = 0.2
NOT_LINKED = 4013

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

    def __init__(self, client: Link, books: Books, name: str, reading: Reading, filled: Filled = no_log) -> None:
        """E-8202 when the table has fewer records than were taken from it."""
        self.serial = client.hello.serial
        self.account: Account = books.account(name, self.serial)
        self.shown = -1  # the meter's value that the table was told last
        self.taken = 0  # records
        self._client, self._books, self._name, self._reading, self._filled = client, books, name, reading, filled
        self._came: deque[bytes | tuple[int, int]] = deque()
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
        """What has come goes into the ledger, in one transaction."""
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
            self.account = self._books.take(self._name, self.serial, raws, self._reading)
            self.taken += len(raws)
        if self._came:
            self._something.set()

    def award(self) -> None:
        """Send the amounts that this table waits for, when all that it has recorded is taken.

        So no award is sent that the table holds already. Refused when it cannot take one now.
        """
        if self.account.claims and self._client.call("STATUS")["last"] == self.account.number:
            for owed in self.account.claims.values():
                self._client.call("GIVE", given=["award", owed.seat, owed.mills, owed.identity()])

    def show(self, mills: int) -> None:
        """Tell the table the meter's value. E-8212 when it is not set to be linked."""
        try:
            self._client.call("LINKED", meter=self._name, mills=mills)
        except Refused as refused:
            if refused.code != NOT_LINKED:
                raise
            raise WheelwrightError(8212, serial=self.serial) from None
        self.shown = mills

    def _record(self, _number: int, raw: bytes) -> None:
        self._came.append(raw)
        self._something.set()

    def _gap(self, first: int, last: int) -> None:
        self._came.append((first, last))
        self._something.set()


class House:
    """All tables of one linked meter, a thread each; `tell(address, text)` gets what people should know."""

    def __init__(
        self, books: Books, name: str, reading: Reading, tell: Callable[[str, str], None], filled: Filled = no_log
    ) -> None:
        self.value: int = books.linked(name).meter["current"]
        self._books, self._name, self._reading, self._filled, self._tell = books, name, reading, filled, tell
        self._one = threading.Lock()  # on the ledger: threads wait here and not for the database
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def follow(self, address: str, connect: Callable[[], Client]) -> None:
        """Keep the table at this address linked from now on, through every drop-out."""
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
            except WheelwrightError as error:
                if str(error) != said:
                    said = str(error)
                    self._tell(address, said)
            self._stop.wait(AGAIN_S)

    def _serve(self, address: str, client: Client) -> None:
        with self._one:
            desk = Desk(client, self._books, self._name, self._reading, self._filled)
        self._tell(address, f"table {desk.serial} is linked from record {desk.account.number + 1} on")
        silent_s = VALUE_EVERY_S
        while not self._stop.is_set():
            silent_s = 0.0 if desk.wait(_WAIT_S) else silent_s + _WAIT_S
            with self._one:
                before = desk.taken
                desk.take()
                if desk.taken != before:
                    self.value = self._books.linked(self._name).meter["current"]
            desk.award()
            if desk.shown != self.value or silent_s >= VALUE_EVERY_S:
                silent_s = 0.0
                desk.show(self.value)
