"""A table at the end of a port: open it, call its commands, follow its journal.

    with Client.open("socket://127.0.0.1:7700") as table:
        table.call("WAGER", bets=[[1, "10", 5000]])
        table.subscribe(1, on_record)

One thread reads the port and drives the timers of the session; calls may come from any other thread. Callbacks run on
the reading thread, one after another, and must not call the table themselves.
"""

import secrets
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Protocol, Self

from wheelwright import ports
from wheelwright.errors import WheelwrightError
from wheelwright.messages import Command, Hello, Live, Record
from wheelwright.session import KEEPALIVE_S, Session

TIMEOUT_S = 3.0
ENGAGED_S = KEEPALIVE_S + 0.5  # within that a table hears from its own host, and hangs up on another
READ_S = 0.02
REATTACH_S = 10.0
REATTACH_EVERY_S = 0.2

OnRecord = Callable[[int, bytes], None]
OnGap = Callable[[int, int], None]
OnLive = Callable[[dict[str, Any], int], None]


class Line(Protocol):
    """What a client needs of a port; `wheelwright.ports.Port` is one."""

    address: str

    def read(self, timeout_s: float) -> bytes: ...
    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


class Client:
    """An open session with one table. Every failure is a WheelwrightError of one sentence; no other error comes out."""

    def __init__(self, port: Line, *, keepalive_s: float | None = KEEPALIVE_S) -> None:
        self.address = port.address
        self._port = port
        self._session = Session(secrets.randbelow(2**32 - 1) + 1, keepalive_s=keepalive_s)
        self._changed = threading.Condition()
        self._closing = False
        self._device: ports.Candidate | None = None  # what is plugged in there, to find it again
        self._noted: WheelwrightError | None = None
        self._on_record: OnRecord | None = None
        self._on_gap: OnGap | None = None
        self._on_live: OnLive | None = None
        self._reader = threading.Thread(target=self._read, name=f"link {port.address}", daemon=True)

    @classmethod
    def open(
        cls, address: str, timeout: float = TIMEOUT_S, *, serial: str = "", baud_rate: int = ports.BAUD_RATE,
        opener: Callable[[str, int], Line] = ports.open_port, keepalive_s: float | None = KEEPALIVE_S,
    ) -> Self:  # fmt: skip
        """Opens the port and greets the table; with `serial`, only the table of that serial number will do.

        Raises E-7001 .. E-7005, E-7007 for the port, E-7004 when no table answers in `timeout` seconds, E-7008 for
        another table.
        """
        client = cls(opener(address, baud_rate), keepalive_s=keepalive_s)
        try:
            client._reader.start()
            with client._changed:
                client._await(lambda: client._session.hello is not None, timeout)
                if client._session.hello is None:
                    raise client._with_frames(client._not_greeted(timeout, lambda: opener(address, baud_rate)))
            if serial and client.hello.serial != serial:
                raise WheelwrightError(7008, port=address, found=client.hello.serial, serial=serial)
            client._device = ports.candidate_at(address)
        except BaseException:
            client.close()
            raise
        return client

    # commands

    @property
    def hello(self) -> Hello:
        """Who the table is: serial number, versions, boot number, limits."""
        hello = self._session.hello
        if hello is None:
            raise RuntimeError("open() gives a client that has been greeted")
        return hello

    def submit(self, name: str, **args: Any) -> Command:
        """Sends a command without waiting for its reply; give it to `result`. ValueError: it is not in the schema."""
        self._not_in_a_callback()
        with self._changed:
            command = self._session.submit(name, args)
            self._flush()
        return command

    def result(self, command: Command) -> dict[str, Any]:
        """The reply; raises Refused when the table refused, or the error that ended the link."""
        with self._changed:
            self._await(lambda: command.done)
        if command.error is not None:
            if command.error is self.failure:
                raise self._with_frames(command.error)
            raise command.error
        return command.reply

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        """Has one command done, and returns its reply."""
        return self.result(self.submit(name, **args))

    # what the table sends by itself

    def subscribe(self, cursor: int, on_record: OnRecord, on_gap: OnGap | None = None) -> dict[str, Any]:
        """Journal records from number `cursor` on, each once and in order: on_record(number, bytes).

        A record counts as received when the callback returns. on_gap(first, last) names records that the table no
        longer has. Cursor 0 ends the subscription. Returns the table's first and last record number.
        """
        self._not_in_a_callback()
        with self._changed:
            self._on_record, self._on_gap = on_record, on_gap
            command = self._session.subscribe(cursor)
            self._flush()
        return self.result(command)

    @property
    def cursor(self) -> int:
        """The next record that is not yet handled; 0 without a subscription."""
        with self._changed:
            return self._session.records.next_unhandled()

    def telemetry(self, hz: int, on_live: OnLive | None = None) -> int:
        """Live values `hz` times a second: on_live(values, dropped before these); 0 ends them. Returns the rate."""
        with self._changed:
            self._on_live = on_live
        return int(self.call("TELEMETRY", hz=hz)["hz"])

    # what happened

    @property
    def failure(self) -> WheelwrightError | None:
        """Why the link ended, or None while it lives."""
        return self._session.failure

    def check(self) -> None:
        """Raises the error that ended the link, if one did."""
        if self._session.failure is not None:
            raise self._with_frames(self._session.failure)

    def statistics(self) -> dict[str, int]:
        """This side's counts; the table's are in its STATISTICS reply."""
        with self._changed:
            return self._session.statistics()

    def transcript(self) -> str:
        """The last 100 frames both ways, for whoever has to find out what went wrong."""
        with self._changed:
            return self._session.transcript()

    def _with_frames(self, failure: WheelwrightError) -> WheelwrightError:
        """The error that ended the link with the frames before it as a note, once."""
        if self._noted is not failure:
            self._noted = failure
            failure.add_note(self.transcript())
        return failure

    # the end

    def close(self) -> None:
        """Ends the session and gives the port back; may be called twice."""
        with self._changed:
            self._closing = True
            self._session.fail(WheelwrightError(7006, port=self.address, reason="closed here"))
            self._changed.notify_all()
        if self._reader.is_alive() and threading.current_thread() is not self._reader:
            self._reader.join()
        self._port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def reattach(
        self, timeout: float = REATTACH_S, *, candidates: Callable[[], Iterable[str]] | None = None,
        opener: Callable[[str, int], Line] = ports.open_port,
    ) -> "Client":  # fmt: skip
        """A new client for the same table after the plug was pulled, or the table restarted.

        Looks for its serial number on the old address and on `candidates()` (by default, the ports of the same USB
        device) until `timeout`; another table is never taken. A subscription goes on with the next record.
        """
        self.close()
        failure: WheelwrightError = WheelwrightError(7006, port=self.address, reason="it did not come back")
        end = time.monotonic() + timeout
        while True:
            for address in dict.fromkeys([self.address, *(candidates or self.same_device)()]):
                try:
                    client = Client.open(address, 1.0, serial=self.hello.serial, opener=opener)
                except WheelwrightError as error:
                    failure = error if error.code == 7008 else failure
                    continue
                try:
                    if self.cursor and self._on_record:
                        client.subscribe(self.cursor, self._on_record, self._on_gap)
                except BaseException:
                    client.close()
                    raise
                return client
            if time.monotonic() >= end:
                raise failure
            threading.Event().wait(REATTACH_EVERY_S)

    def same_device(self) -> list[str]:
        """The ports at which the USB device of this table is now, whatever they are called."""
        before = self._device
        return [] if before is None else [port.address for port in ports.candidates() if port.is_same_device(before)]

    # inside; `_changed` is held wherever the session is touched

    def _not_in_a_callback(self) -> None:
        if threading.current_thread() is self._reader:
            raise RuntimeError("a callback of the link cannot call the table: its answer is read by this very thread")

    def _await(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        end = None if timeout is None else time.monotonic() + timeout
        while not condition() and self._session.failure is None:
            left = 1.0 if end is None else end - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(min(left, 1.0))  # never without end: Ctrl-C has to come through everywhere

    def _flush(self) -> None:
        data = self._session.transmit(time.monotonic())
        if data:
            try:
                self._port.write(data)
            except WheelwrightError as error:
                self._session.fail(error)

    def _not_greeted(self, timeout: float, call_again: Callable[[], Line]) -> WheelwrightError:
        failure, came = self._session.failure, self._session.statistics()["rx_bytes"]
        if failure is None:
            heard = f"it sends {came} bytes, but not in this protocol" if came else "it sends nothing"
            return WheelwrightError(7004, port=self.address, timeout_s=f"{timeout:g}", heard=heard)
        if failure.code == 7006 and "://" in self.address and not came:
            if _hangs_up(call_again):
                return WheelwrightError(7002, port=self.address, holder="another program")
            heard = "it hangs up on what is said to it, as another service does"
            return WheelwrightError(7004, port=self.address, timeout_s=f"{timeout:g}", heard=heard)
        return failure

    def _read(self) -> None:
        try:
            while self._session.failure is None and not self._closing:
                with self._changed:
                    self._flush()
                data = self._port.read(READ_S)
                with self._changed:
                    self._session.receive(data, time.monotonic())
                    self._flush()
                    self._changed.notify_all()
                self._deliver()
        except WheelwrightError as error:
            failure = error
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            failure = WheelwrightError(9901, reason=reason, details="what WHEELWRIGHT_DEBUG=1 shows")
            failure.__cause__ = error  # of a callback: a reader that has gone (`| head`) is no fault of the tool
            failure.add_note("".join(traceback.format_exception(error)))
        else:
            return
        self._fail(failure)

    def _fail(self, failure: WheelwrightError) -> None:
        with self._changed:
            self._session.fail(failure)
            self._changed.notify_all()

    def _deliver(self) -> None:
        """Hands over what came, without the lock, and lets it be acknowledged."""
        while True:
            with self._changed:
                if not self._session.records.inbox or self._closing:
                    return
                item = self._session.records.inbox.popleft()
                on_record, on_gap, on_live = self._on_record, self._on_gap, self._on_live
            if isinstance(item, Live):
                if on_live is not None:
                    on_live(item.values, item.dropped)
                continue
            if isinstance(item, Record):
                if on_record is not None:
                    on_record(item.number, item.data)
            elif on_gap is not None:
                on_gap(item.first, item.last)
            with self._changed:
                self._session.records.handled(item, time.monotonic())
                self._flush()
                self._changed.notify_all()


def _hangs_up(call: Callable[[], Line]) -> bool:
    """Whether it hangs up on a caller who says nothing: an engaged table does, another service waits to hear more."""
    try:
        port = call()
    except WheelwrightError:
        return True
    end = time.monotonic() + ENGAGED_S
    try:
        while time.monotonic() < end:
            port.read(READ_S)
    except WheelwrightError:
        return True
    finally:
        port.close()
    return False
