"""The host's side of a session, without port, clock or thread: bytes and the time go in, bytes to send come out.

Commands are numbered and sent up to the table's window ahead; what is lost is sent again until it is answered, which
is safe because the table does each number once. Journal events are taken in order only; a missing one is asked for.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any

import cbor2
from tabletop import VERSION
from tabletop.link import schema

from wheelwright.errors import Refused, WheelwrightError
from wheelwright.following import Following
from wheelwright.framing import SHORTEST, Frame, Framer, encode
from wheelwright.messages import Command, Gap, Hello, Live, Record
from wheelwright.round_trip import RoundTrip

TRIES = 5
# How long the table may be busy with a command: one that hashes the program, or goes through a full journal. Others:
TAKES_S = {"VERIFY": 30.0, "SELF_TEST": 15.0, "CORRECT": 15.0, "GAMES": 15.0, "CLEAR_TILT": 15.0}
TAKES_OTHERWISE_S = 0.3  # a sector erase takes up to 0.4 s, and the first repetition comes after this and a time-out
HELLO_EVERY_S = 0.25
KEEPALIVE_S = 2.0  # the table stops sending to a host that is silent for 10 s
KEPT_FRAMES = 100
NO_SESSION = 1005


class Session:
    """token: 1 .. 2**32 - 1, new for each session: the table puts it in every frame, so nothing old passes for new."""

    def __init__(self, token: int, *, tries: int = TRIES, keepalive_s: float | None = KEEPALIVE_S) -> None:
        self.token = token
        self.hello: Hello | None = None
        self.failure: WheelwrightError | None = None
        self.records = Following()
        self._tries = tries
        self._keepalive_s = keepalive_s
        self._framer = Framer()
        self._kept: deque[tuple[float, str, Frame]] = deque(maxlen=KEPT_FRAMES)
        self._queue: deque[Command] = deque()
        self._under_way: dict[int, Command] = {}  # by sequence, oldest first
        self._again: list[Command] = []  # of these, what is to be sent once more
        self._next_sequence = 1
        self._oldest_since = 0.0  # when the oldest command under way became the oldest
        self._hello_at: float | None = None
        self._sent_at = 0.0
        self._round_trip = RoundTrip()
        self._counts = dict.fromkeys(("tx_frames", "tx_bytes", "resends", "naks", "foreign"), 0)

    # what the caller wants

    def submit(self, name: str, args: Mapping[str, Any]) -> Command:
        """Queues a command; ValueError when name or arguments are not in the schema, E-7016 when it fits no frame."""
        try:
            number = schema.number_of(name)
        except KeyError:
            raise ValueError(f"there is no command {name}") from None
        wrong = schema.check(number, dict(args), True)
        if wrong:
            raise ValueError(f"{name}: field {wrong} is missing, unknown or of a wrong type")
        command = Command(name, number, cbor2.dumps(dict(args), canonical=True))
        limit = schema.FRAME if self.hello is None else self.hello.frame
        if len(command.payload) + SHORTEST - 1 > limit:
            raise WheelwrightError(7016, command=name, limit=limit)
        if self.failure is not None:
            command.done, command.error = True, self.failure
        else:
            self._queue.append(command)
        return command

    def subscribe(self, cursor: int) -> Command:
        """Asks for all records from `cursor` on (0: for no more); they come in `records.inbox`."""
        command = self.submit("SUBSCRIBE", {"cursor": cursor})
        self.records.start(cursor)
        return command

    def fail(self, failure: WheelwrightError) -> None:
        """Ends the session: every command not answered yet ends with this error."""
        if self.failure is None:
            self.failure = failure
        for command in (*self._under_way.values(), *self._queue):
            command.done, command.error = True, self.failure
        self._under_way.clear()
        self._queue.clear()
        self._again.clear()

    # what comes in

    def receive(self, data: bytes, now: float) -> None:
        """Takes bytes from the port."""
        for frame in self._framer.feed(data):
            self._kept.append((now, "<", frame))
            if frame.session != self.token or self.failure is not None:
                self._counts["foreign"] += 1
                continue
            try:
                payload = cbor2.loads(frame.payload)
            except (cbor2.CBORDecodeError, ValueError):
                payload = None
            if not isinstance(payload, dict):
                self._counts["foreign"] += 1
                continue
            self._take(frame, payload, now)

    def _take(self, frame: Frame, payload: dict[str, Any], now: float) -> None:
        wrong = self._wrong(frame.kind, payload)
        if frame.kind == schema.HELLO | schema.REPLY:
            self._greeted(payload, wrong)
        elif self.hello is None:
            self._counts["foreign"] += 1
        elif frame.kind == schema.REFUSED and payload.get("code") == NO_SESSION:
            self.fail(WheelwrightError(7015, serial=self.hello.serial))
        elif frame.sequence in self._under_way and (frame.kind == schema.REFUSED or schema.is_reply(frame.kind)):
            self._answered(frame, payload, wrong, now)
        elif wrong:
            self._counts["foreign"] += 1
        elif frame.kind == schema.NAK:
            self._named(payload["want"], now)
        elif frame.kind == schema.EVENT:
            number = frame.sequence
            self.records.take(number, Record(number, payload["record"]), number, now)
        elif frame.kind == schema.EVENT_GAP:
            first, last = payload["first"], payload["last"]
            self.records.take(first, Gap(first, last), last, now)
        elif frame.kind == schema.LIVE:
            dropped = payload.pop("dropped")
            self.records.live(Live(payload, dropped))

    def _wrong(self, kind: int, payload: dict[str, Any]) -> str:
        if self.hello is not None and not self.hello.compatible and not schema.is_core(kind):
            return ""  # nothing is known of what another version says
        try:
            return schema.check(kind, payload)
        except KeyError:
            return "(type)"

    def _greeted(self, payload: dict[str, Any], wrong: str) -> None:
        if self.hello is not None:
            return
        if wrong:
            self.fail(WheelwrightError(7014, command="HELLO", reason=f"field {wrong}"))
            return
        limits = payload["limits"]
        words = {name: payload[name] for name in Hello.__dataclass_fields__ if name in payload}
        words["capabilities"] = tuple(payload["capabilities"])
        self.hello = Hello(window=max(1, limits.get("window", 1)), frame=limits.get("frame", schema.FRAME), **words)

    def _answered(self, frame: Frame, payload: dict[str, Any], wrong: str, now: float) -> None:
        command = self._under_way[frame.sequence]
        if frame.kind != schema.REFUSED and frame.kind != command.number | schema.REPLY:
            wrong = "(type)"
        if wrong:
            command.error = WheelwrightError(7014, command=command.name, reason=f"field {wrong}")
        elif frame.kind == schema.REFUSED:
            detail = {str(key): value for key, value in payload["detail"].items() if key != "code"}
            command.error = Refused(payload["code"], **detail)
            if command.number == schema.SUBSCRIBE:
                self.records.cursor = 0
        else:
            command.reply = payload
        command.done = True
        if command.tries == 1:
            self._round_trip.measure(now - command.sent_at)
        oldest = next(iter(self._under_way))
        del self._under_way[frame.sequence]
        if frame.sequence == oldest:
            self._oldest_since = now
        # the table answers in order: commands before this one were done, and their replies lost
        self._send_again([c for c in self._under_way.values() if c.sequence < frame.sequence], now)

    def _named(self, want: int, now: float) -> None:
        """The table misses `want` and has dropped what came after it."""
        self._counts["naks"] += 1
        self._send_again([c for c in self._under_way.values() if c.sequence >= want], now)

    def _send_again(self, commands: list[Command], now: float) -> None:
        """Sends these once more, unless the first of them was sent so lately that the table cannot have meant it."""
        if not commands or self._again or now - commands[0].sent_at < self._round_trip.least_s / 2:
            return
        first = commands[0]
        if first.tries >= self._tries:
            self.fail(WheelwrightError(7010, command=f"{first.name} (frame {first.sequence})", tries=first.tries))
            return
        self._again = commands

    # what goes out

    def _deadline(self) -> float:
        oldest = next(iter(self._under_way.values()))
        line_s = self._round_trip.time_out_s(oldest.tries)
        return max(oldest.sent_at, self._oldest_since) + line_s + TAKES_S.get(oldest.name, TAKES_OTHERWISE_S)

    def transmit(self, now: float) -> bytes:
        """All that is to be sent now."""
        if self.failure is not None:
            return b""
        out = bytearray()
        if self.hello is None:
            if self._hello_at is None or now >= self._hello_at:
                self._hello_at = now + HELLO_EVERY_S
                words = {"protocol": schema.PROTOCOL, "schema": schema.schema_hash(), "version": VERSION}
                out += b"\x00"  # ends whatever stands half said on the line
                self._put(out, Frame(schema.HELLO, self.token, 0, cbor2.dumps(words, canonical=True)), now)
            return bytes(out)
        if self._under_way and now >= self._deadline():
            self._send_again(list(self._under_way.values()), now)
        if self._again:
            out += b"\x00"
            self._counts["resends"] += len(self._again)
            self._again[0].tries += 1
            for command in self._again:
                self._send(out, command, now)
            self._again = []
        if self._keepalive_s is not None and not self._under_way and now - self._sent_at >= self._keepalive_s:
            self.submit("PING", {})
        oldest = next(iter(self._under_way), self._next_sequence)
        while self._queue and self._next_sequence < oldest + self.hello.window:
            command = self._queue.popleft()
            command.sequence, command.tries = self._next_sequence, 1
            self._next_sequence += 1
            if not self._under_way:
                self._oldest_since = now
            self._under_way[command.sequence] = command
            self._send(out, command, now)
        handled = self.records.acknowledgement(now)
        if handled is not None:
            self._put(out, Frame(schema.ACK, self.token, 0, cbor2.dumps(handled, canonical=True)), now)
        return bytes(out)

    def _send(self, out: bytearray, command: Command, now: float) -> None:
        command.sent_at = now
        self._put(out, Frame(command.number, self.token, command.sequence, command.payload), now)

    def _put(self, out: bytearray, frame: Frame, now: float) -> None:
        coded = encode(frame)
        out += coded
        self._sent_at = now
        self._counts["tx_frames"] += 1
        self._counts["tx_bytes"] += len(coded)
        self._kept.append((now, ">", frame))

    # what happened

    def statistics(self) -> dict[str, int]:
        """Counts of this side since the session began, and the round trip in microseconds."""
        framer = self._framer
        return {
            "rx_bytes": framer.bytes, "rx_frames": framer.frames, "bad_frame": framer.bad_frame,
            "bad_crc": framer.bad_crc, **self._counts, **self.records.counts,
            "rtt_us": round(self._round_trip.smoothed_s * 1e6),
        }  # fmt: skip

    def transcript(self) -> str:
        """The last frames both ways, one a line, oldest first: seconds, direction, name, sequence, payload."""
        lines = []
        for when, way, (kind, session, sequence, payload) in self._kept:
            try:
                words = repr(cbor2.loads(payload))
            except (cbor2.CBORDecodeError, ValueError):
                words = payload.hex()
            name = (schema.name_of(kind) or f"type {kind:#04x}") + (" reply" if schema.is_reply(kind) else "")
            foreign = "" if session == self.token else f" (session {session:08x})"
            lines.append(f"{when:12.4f} {way} {name} {sequence}{foreign} {words}")
        return "\n".join(lines)
