"""One session with an MQTT broker (version 5, quality of service 1): what it has acknowledged, in which order.

A session ends with an error and is never mended: its successor begins with the first message that was not
acknowledged. All is done on the thread that calls; nothing is hidden in a queue.
"""

import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from wheelwright.errors import WheelwrightError

ANSWER_S = 10.0  # how long a broker may take to let us in, or to acknowledge
KEEPALIVE_S = 30  # a broker that hears nothing for one and a half times that long tells the last will
WINDOW = 20  # messages on their way at once
_PORTS = {"mqtt": 1883, "mqtts": 8883}
_NOT_LET_IN = (0x85, 0x86, 0x87, 0x8A, 0x8C)  # client id, user or password, not authorised, banned, method


class Broker(NamedTuple):
    """Where a broker is, and how it is to know us."""

    url: str  # mqtt://HOST or mqtts://HOST:PORT
    authority: Path | None = None  # certificates that may have signed the broker's own; else those of this system
    certificate: Path | None = None  # ours, and its key
    key: Path | None = None
    user: str | None = None
    password: str | None = None

    def address(self) -> tuple[str, int]:
        """Host and port; E-8301 when it has none."""
        try:
            parts = urlsplit(self.url)
            port = parts.port
        except ValueError as error:
            raise WheelwrightError(8301, broker=self.url, reason=error) from None
        if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.username is not None:
            raise WheelwrightError(8301, broker=self.url.rpartition("@")[2], reason="it is not of that form")
        return parts.hostname, port or _PORTS[parts.scheme]

    def context(self) -> ssl.SSLContext | None:
        """TLS as it is asked for; E-9012 for a file of it that cannot be used, E-9001 for one without TLS."""
        if not self.url.startswith("mqtts:"):
            for option, file in (("--ca", self.authority), ("--cert", self.certificate), ("--key", self.key)):
                if file is not None:
                    raise WheelwrightError(9001, option=option, value=file, advice="name the broker as mqtts://...")
            return None
        path: Path | None = self.authority
        try:
            context = ssl.create_default_context(cafile=str(path) if path else None)
            if self.certificate is not None:
                path = self.certificate
                context.load_cert_chain(path, self.key)
        except OSError as error:  # an SSLError is one
            raise WheelwrightError(9012, path=path, reason=error.strerror or error) from None
        return context


class Session:
    """An open session; a context manager. `acknowledged(what)` is called for each message that the broker has taken."""

    def __init__(
        self, broker: Broker, name: str, will: tuple[str, bytes], acknowledged: Callable[[Any], None]
    ) -> None:
        self._broker, self._acknowledged = broker, acknowledged
        self._sent: dict[int, tuple[Any, str]] = {}  # message id: what it is to the caller, topic
        self._oldest_s = 0.0
        self._failure: WheelwrightError | None = None
        self._open = False
        self._window = WINDOW
        host, port = broker.address()
        self._client = client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5, reconnect_on_failure=False
        )
        client.max_inflight_messages_set(WINDOW)
        client.on_connect, client.on_disconnect, client.on_publish = self._let_in, self._ended, self._taken
        client.will_set(will[0], will[1], qos=1, retain=True)
        client.connect_timeout = ANSWER_S
        if broker.user is not None:
            client.username_pw_set(broker.user, broker.password)
        context = broker.context()
        if context is not None:
            client.tls_set_context(context)
        try:
            client.connect(host, port, KEEPALIVE_S, clean_start=True)
        except ssl.SSLCertVerificationError as error:
            raise WheelwrightError(8304, broker=broker.url, reason=error.verify_message) from None
        except (OSError, ValueError) as error:
            raise WheelwrightError(8302, broker=broker.url, reason=getattr(error, "strerror", None) or error) from None
        end = time.monotonic() + ANSWER_S
        while not self._open:
            self.work(0.1)
            if time.monotonic() > end:
                raise WheelwrightError(8302, broker=broker.url, reason=f"no answer within {ANSWER_S:g} s")

    def publish(self, topic: str, payload: bytes, what: Any, *, retain: bool = False) -> None:
        """Send a message, once there is room for it on the way; it has arrived when `acknowledged(what)` is called."""
        while len(self._sent) >= self._window:
            self.work(1.0)
        if not self._sent:
            self._oldest_s = time.monotonic()
        sent = self._client.publish(topic, payload, qos=1, retain=retain)
        self._sent[sent.mid] = (what, topic)

    def listen(self, topic: str, heard: Callable[[bytes, bool], None]) -> None:
        """`heard(payload, retained)` what others publish on a topic, if the broker lets us."""
        self._client.on_message = lambda _client, _data, message: heard(bytes(message.payload), message.retain)
        self._client.subscribe(topic, options=SubscribeOptions(qos=1, noLocal=True))

    def work(self, seconds: float) -> None:
        """Read and write for at most that long, or until something came. Raises what ended the session."""
        result = self._client.loop(seconds)
        if self._failure is not None:
            raise self._failure
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise self._lost(paho.error_string(result).rstrip("."))
        if self._sent and time.monotonic() - self._oldest_s > ANSWER_S:
            raise self._lost(f"it acknowledges nothing for {ANSWER_S:g} s")

    def settle(self, seconds: float) -> None:
        """Wait until everything is acknowledged, or the time is over."""
        end = time.monotonic() + seconds
        while self._sent and time.monotonic() < end:
            self.work(0.1)

    def close(self) -> None:
        """End it; no last will is told then."""
        self._client.disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # what paho calls, from `loop` on this thread

    def _let_in(
        self, _client: object, _data: object, _flags: object, reason: ReasonCode, said: Properties | None
    ) -> None:
        if reason.is_failure:
            code = 8303 if reason.value in _NOT_LET_IN else 8302
            self._failure = WheelwrightError(code, broker=self._broker.url, reason=str(reason).lower())
        self._open = True
        self._window = min(WINDOW, getattr(said, "ReceiveMaximum", WINDOW))

    def _taken(
        self, _client: object, _data: object, number: int, reason: ReasonCode, _said: Properties | None
    ) -> None:
        what, topic = self._sent.pop(number, (None, ""))
        self._oldest_s = time.monotonic()
        if self._failure is not None:
            return
        if reason.is_failure:
            self._failure = WheelwrightError(8305, broker=self._broker.url, topic=topic, reason=str(reason).lower())
        else:
            self._acknowledged(what)

    def _ended(
        self, _client: object, _data: object, _flags: object, reason: ReasonCode, _said: Properties | None
    ) -> None:
        if self._failure is None:
            self._failure = self._lost(str(reason).lower())

    def _lost(self, reason: str) -> WheelwrightError:
        if not self._open and self._broker.url.startswith("mqtts:"):
            another = "a" if self._broker.certificate is None else "another"
            reason += f"; perhaps it asks for {another} client certificate"
        return WheelwrightError(8302, broker=self._broker.url, reason=reason)
