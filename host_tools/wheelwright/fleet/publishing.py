"""Publishes a logbook to an MQTT broker: every record of every table in its order, and how tables and bridge are.

The logbook remembers up to which record the broker has acknowledged; only an acknowledgement moves that. Whatever
ends a session, the next one begins there, so nothing is left out; what was on its way may come twice, with the same
serial number and record number.
"""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.journal import fields

from wheelwright import json_text
from wheelwright.errors import WheelwrightError
from wheelwright.fleet import messages as fleet_messages
from wheelwright.fleet.broker import Broker, Session
from wheelwright.fleet.feed import Feed
from wheelwright.fleet.messages import Topics, encoded
from wheelwright.fleet.published import Published
from wheelwright.logbook.house import Reporting
from wheelwright.logbook.store import Store

POLL_S = 0.3  # how soon a new record is seen
AGAIN_S = (1.0, 30.0)  # between two tries to reach the broker: at first, at most
KEEP_S = 1.0  # how often it is written down what the broker has taken
STATE_S = 60.0  # a table's state is published when it changes, and that often
END_S = 5.0  # for the last acknowledgements
PASSING = (8302,)
REFUSED = (8305, 8306)  # of a session that is open: it will happen again, and is not said again


class States:
    """A `Reporting` that knows how each table is; what else it is told it passes on. For any thread."""

    def __init__(self, beside: Reporting) -> None:
        self._beside = beside
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, int, Mapping[str, Any]]] = {}

    def say(self, serial: str, text: str) -> None:
        """A sentence."""
        self._beside.say(serial, text)

    def stored(self, serial: str, raws: Sequence[bytes]) -> None:
        """Records that came."""
        self._beside.stored(serial, raws)

    def status(self, serial: str, link: str, status: Mapping[str, Any]) -> None:
        """How a table is now."""
        with self._lock:
            before = self._known.get(serial)
            seen = before[1] if before and link == "down" else int(time.time() * 1000)
            self._known[serial] = (link, seen, dict(status))

    def of(self, serial: str) -> tuple[str, int | None, Mapping[str, Any]]:
        """link, when the table last answered (ms since 1970), its last answer."""
        with self._lock:
            return self._known.get(serial, ("unknown", None, {}))


class Bridge:
    """Publishes until it is told to stop; see the module."""

    def __init__(self, store: Store, broker: Broker, prefix: str, house: str, states: States) -> None:
        self._store, self._broker, self._house, self._states = store, broker, house, states
        self._topics = Topics(prefix, house)
        host, port = broker.address()
        self._published = Published(store, f"{host}:{port}/{self._topics.bridge}")  # another broker has had nothing yet
        self._instance, self._since_ms = secrets.token_hex(8), int(time.time() * 1000)
        self._another = self._overwritten = False

    def run(self, stopping: Callable[[], bool], wait: Callable[[float], object]) -> None:
        """Publish; `wait(seconds)` may raise what ends it.

        E-8301..8306 of the first session end it; afterwards every one is said once and tried again.
        """
        pause, said, first = AGAIN_S[0], "", True
        while not stopping():
            try:
                with self._session() as session:
                    pause, first = AGAIN_S[0], False
                    if said[2:6] not in map(str, REFUSED):
                        said = ""
                        self._states.say("", f"published to {self._broker.url}")
                    self._publish(session, stopping, wait)
            except WheelwrightError as error:
                if not 8300 <= error.code < 8400 and error.code not in (8001, 8021, 8023):
                    raise
                if first and error.code not in PASSING:
                    raise
                if str(error) != said:
                    said = str(error)
                    self._states.say("", said)
                end = time.monotonic() + (AGAIN_S[1] if error.code in REFUSED else pause)
                while not stopping() and time.monotonic() < end:
                    wait(min(POLL_S, pause))
                pause = min(2 * pause, AGAIN_S[1])

    def _message(self, state: str) -> bytes:
        return encoded(fleet_messages.bridge(self._house, state, self._instance, self._since_ms))

    def _session(self) -> Session:
        self._feeds: dict[str, Feed] = {}
        self._states_told: dict[str, tuple[bytes, float]] = {}
        name = f"wheelwright-{self._house}-{self._instance}"
        return Session(self._broker, name, (self._topics.bridge, self._message("lost")), self._taken)

    def _heard(self, payload: bytes, retained: bool) -> None:
        """What another bridge says in our place. A retained word is old; a will may come late."""
        try:
            state = json_text.parse(payload.decode())["state"]
        except (ValueError, TypeError, KeyError):
            state = "lost"
        self._another = state == "online" and not retained
        self._overwritten = state != "online" and not retained

    def _taken(self, what: tuple[Feed, int] | None) -> None:
        if what is not None:
            what[0].taken(what[1])

    def _publish(self, session: Session, stopping: Callable[[], bool], wait: Callable[[float], object]) -> None:
        self._another, self._overwritten = False, True
        session.listen(self._topics.bridge, self._heard)
        kept = time.monotonic()
        try:
            while not stopping():
                if self._another:
                    raise WheelwrightError(8306, broker=self._broker.url)
                if self._overwritten:
                    session.publish(self._topics.bridge, self._message("online"), None, retain=True)
                    self._overwritten = False
                for serial in self._store.serials():
                    if serial not in self._feeds:
                        self._feeds[serial] = Feed(self._store, self._published, serial)
                for feed in self._feeds.values():
                    feed.poll()
                sent = self._send(session)
                if time.monotonic() - kept >= KEEP_S:
                    self._keep()
                    kept = time.monotonic()
                for feed in self._feeds.values():
                    self._tell_state(session, feed)
                session.work(0 if sent else POLL_S)
                wait(0)
            session.settle(END_S)
            session.publish(self._topics.bridge, self._message("offline"), None, retain=True)
            session.settle(END_S)
        finally:
            self._keep()

    def _send(self, session: Session) -> int:
        """What is there now, a record of each table in turn, as fast as the broker acknowledges; at most for KEEP_S."""
        sent, end = 0, time.monotonic() + KEEP_S
        feeds = deque(self._feeds.values())
        while feeds and time.monotonic() < end:
            row = feeds[0].next()
            if row is None:
                feeds.popleft()
                continue
            topic = self._topics.event(feeds[0].serial, fields.name(row.kind))
            message = encoded(fleet_messages.event(feeds[0].serial, row))
            session.publish(topic, message, (feeds[0], row.number))
            sent += 1
            feeds.rotate(-1)
        return sent

    def _keep(self) -> None:
        for feed in self._feeds.values():
            feed.keep()

    def _tell_state(self, session: Session, feed: Feed) -> None:
        link, seen, status = self._states.of(feed.serial)
        message = fleet_messages.table(feed.serial, link, seen, feed.last or feed.cursor, status)
        compared = encoded({**message, "seen_ms": None})
        told, at = self._states_told.get(feed.serial, (b"", 0.0))
        if compared != told or time.monotonic() - at >= STATE_S:
            self._states_told[feed.serial] = (compared, time.monotonic())
            session.publish(self._topics.state(feed.serial), encoded(message), None, retain=True)
