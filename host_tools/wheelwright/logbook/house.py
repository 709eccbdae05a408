"""Follows many tables at once into one logbook, each on a thread of its own: over pulled plugs, restarts, full disks.

Nothing is lost by any of them: a table erases only what it was told to be held, and whatever is not in the logbook is
asked for again. A table is known by its serial number, whatever port it comes back on.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tabletop.journal import kinds

from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook.arrivals import KIND, Arrivals
from wheelwright.logbook.pulling import anchor, next_wanted, pull
from wheelwright.logbook.store import Store

# What passes by itself, or by somebody's hand: ports, links, locks, servers and disks. The rest ends a follower.
PASSING = (7001, 7002, 7004, 7006, 7007, 7008, 7010, 7015, 8001, 8021, 8023)
LOOK_S = 0.25  # how soon a wish to stop is heard
AGAIN_S = 0.5  # until the next try
AGAIN = "it is tried again by itself, and nothing is lost"
STATUS_S = 5.0  # between two questions how the table is
ANCHOR_AFTER, ANCHOR_S = 100, 30.0  # records, or seconds, until the table is told again that what it sent is held


class Reporting(Protocol):
    """Whoever wants to know. Called on the threads of the followers."""

    def say(self, serial: str, text: str) -> None:
        """Something happened that a person should read; `serial` is empty before a table has answered."""

    def stored(self, serial: str, raws: Sequence[bytes]) -> None:
        """Records came, and are in the logbook."""

    def status(self, serial: str, link: str, status: Mapping[str, Any]) -> None:
        """The table's answer to STATUS; `link` is "up", or "down" with its last answer."""


class Follower(threading.Thread):
    """One table. `failure` is what ended it, None while it lives or when it was asked to end.

    `absent` is why its first try failed, None before that and as soon as it is followed.
    """

    def __init__(
        self, address: str, store: Store, timeout: float, report: Reporting, addresses: Sequence[str]
    ) -> None:
        super().__init__(name=f"table at {address}", daemon=True)
        self.failure: WheelwrightError | None = None
        self.absent: WheelwrightError | None = None
        self._found = False
        self._address, self._store, self._timeout, self._report = address, store, timeout, report
        self._addresses = addresses  # of all tables that are followed: two may have changed places
        self._client: Client | None = None
        self._serial = ""
        self._status: Mapping[str, Any] = {}
        self._said = ""
        self._ending = threading.Event()

    def stop(self) -> None:
        """Ask it to end once the logbook has everything that the table has by now."""
        self._ending.set()

    def run(self) -> None:
        """Follow until told to stop, or until something is wrong that waiting does not mend."""
        try:
            while not self._ending.is_set():
                try:
                    self._follow(self._open())
                except WheelwrightError as error:
                    if self._serial:
                        self._report.status(self._serial, "down", self._status)
                    if error.code not in PASSING:
                        raise
                    self.absent = None if self._found else error
                    if str(error) != self._said:  # once, not at every try
                        self._said = str(error)
                        self._report.say(self._serial, f"{error} ({AGAIN})")
                    self._ending.wait(AGAIN_S)
        except Exception as error:
            if not isinstance(error, WheelwrightError):
                reason = f"{type(error).__name__}: {error}"
                unexpected = WheelwrightError(9901, reason=reason, details="what WHEELWRIGHT_DEBUG=1 shows")
                unexpected.__cause__, error = error, unexpected
            self.failure = error
            self._report.say(self._serial, f"{error}; this table is followed no longer")
        finally:
            if self._client is not None:
                self._client.close()

    def _open(self) -> Client:
        before = self._client
        if before is None:
            self._client = Client.open(self._address, self._timeout)
        else:
            self._client = before.reattach(0.0, candidates=lambda: [*before.same_device(), *self._addresses])
        self._serial = self._client.hello.serial
        return self._client

    def _follow(self, client: Client) -> None:
        serial, store = self._serial, self._store
        pulled = pull(client, store)
        self._said, self._found, self.absent = "", True, None
        news = "; ".join(pulled.lines()).removeprefix(f"table {serial}: ")
        self._report.say(serial, f"followed at {client.address}; {news}")
        anchored = pulled.last
        unanchored: list[int] = []

        def keep(raws: list[bytes]) -> None:
            store.add(serial, raws)
            unanchored.extend(raw[KIND] for raw in raws)
            self._report.stored(serial, raws)

        arrivals = Arrivals(keep, lambda _kind, _payload: None, client.check)
        arrivals.last = next_wanted(store, serial) - 1
        client.subscribe(arrivals.last + 1, arrivals.take_record, arrivals.take_gap)
        asked = held = time.monotonic()
        self._ask(client)
        while not self._ending.is_set():
            arrivals.receive(time.monotonic() + LOOK_S)
            arrivals.waiting.clear()
            for first, last in arrivals.gaps:
                self._report.say(serial, str(WheelwrightError(7013, first=first, last=last)))
            arrivals.gaps.clear()
            now = time.monotonic()
            if now - asked >= STATUS_S:
                self._ask(client)
                asked = now
            late = now - held >= ANCHOR_S and any(kind != kinds.ANCHOR for kind in unanchored)
            if late or len(unanchored) >= ANCHOR_AFTER:  # an ANCHOR is a record too, and must not call for another
                anchor(client, store, anchored + 1)
                anchored, held = arrivals.last, now
                unanchored.clear()
        arrivals.catch_up(client.call("STATUS")["last"])
        if any(kind != kinds.ANCHOR for kind in unanchored):
            anchor(client, store, anchored + 1)


    def _ask(self, client: Client) -> None:
        self._status = client.call("STATUS")
        self._report.status(self._serial, "up", self._status)


class House:
    """All tables that are followed; a context manager. Leaving it stops them all, each with a whole log."""

    def __init__(self, addresses: Sequence[str], store: Store, timeout: float, report: Reporting) -> None:
        addresses = list(dict.fromkeys(addresses))
        self._followers = [Follower(address, store, timeout, report, addresses) for address in addresses]

    def __enter__(self) -> "House":
        for follower in self._followers:
            follower.start()
        return self

    def __exit__(self, *_: object) -> None:
        for follower in self._followers:
            follower.stop()
        for follower in self._followers:
            follower.join()

    def wait(self, seconds: float = LOOK_S) -> None:
        """A moment; raises why there is none to follow: none was reached at the start, or the last one has ended."""
        living = [follower for follower in self._followers if follower.is_alive()]
        if living and not all(follower.absent for follower in living):
            living[0].join(seconds)
            return
        ended = [one.absent or one.failure for one in (*living, *self._followers)]
        failure = next((error for error in ended if error is not None), None)
        if failure is not None:
            raise failure
