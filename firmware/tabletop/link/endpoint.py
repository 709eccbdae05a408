"""The table's side of one port: sessions, commands done exactly once and in order, journal events, live values.

    endpoint.receive(buf, n, now_ms)       bytes that came
    view = endpoint.transmit(now_ms)       bytes to send, or None; `endpoint.sent(n)` says how many the port took
    if endpoint.telemetry_due(now_ms): endpoint.telemetry({...})

State is bounded whatever comes in and however little goes out: one frame each way, the replies of the last `WINDOW`
commands, a cursor into the journal and one set of live values.
"""

from tabletop import cbor, ticks
from tabletop.const import const
from tabletop.link import frames, schema
from tabletop.link.events import Events

_HOST_SILENT_MS = const(10000)  # a host that has said nothing for so long gets no events or live values until it speaks
_LIVE_MOST_HZ = const(50)
_MOST_VALUES = const(160)  # texts, lists and maps of one command: sixty wagers take 123
_ROOM = schema.FRAME - frames.HEADER - 4

# numbers of tabletop.codes.ERRORS
_UNKNOWN_TYPE = const(1003)
_BAD_PAYLOAD = const(1004)
_NO_SESSION = const(1005)
_TOO_LARGE = const(1007)
_INCOMPATIBLE = const(1010)
_COMMAND_FAILED = const(1011)
_NO_SUCH_RECORD = const(1012)


class Refused(Exception):
    """A command is not done: a number of `tabletop.codes.ERRORS`, and the fields of its text."""

    def __init__(self, code: int, **detail) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


def _read(kind: int, payload: memoryview) -> dict:
    try:
        args = cbor.loads(payload, _MOST_VALUES)
        field = schema.check(kind, args)
    except (ValueError, MemoryError):
        field = "(payload)"
    if field:
        raise Refused(_BAD_PAYLOAD, field=field, message=schema.name_of(kind))
    return args


def _refusal(refused: Refused) -> bytes:
    return cbor.dumps({"code": refused.code, "detail": refused.detail})


class Endpoint:
    """handler(name, args, [session, sequence]) -> reply dict, or raises Refused. journal: `.first`, `.last`,
    `.read(number)` -> bytes or KeyError. identity() -> serial, version, program, boot, reset, test, capabilities.

    An exception of the handler other than Refused is answered with _COMMAND_FAILED and passed on: the command counts
    as done and is not tried again.
    """

    def __init__(self, handler, journal, identity) -> None:
        self._handler = handler
        self._events = Events(journal)
        self._identity = identity
        self._decoder = frames.Decoder(schema.FRAME, self._frame)
        self._encoder = frames.Encoder(schema.FRAME)
        self._left: "memoryview | None" = None  # of the frame being sent
        self._stray: "tuple | None" = None  # (session, sequence, payload) of one refusal outside any session
        self._now = 0
        self._heard_ms = self._live_ms = -1  # never
        self._silent = False
        self._replies: "list" = [None] * schema.WINDOW  # (sequence, type, payload), at sequence % WINDOW
        self.stale = self.duplicates = self.naks = self.resends = self.refusals = 0
        self.tx_frames = self.tx_bytes = self.live_dropped = 0
        self._dropped = 0  # live values since the last that was sent
        self._open(0, "", True)

    def _open(self, session: int, host: str, compatible: bool) -> None:
        self.session = session  # 0: none
        self.host = host
        self._compatible = compatible
        self._hello_due = False
        self._want = 1  # the next command
        self._due = 0  # bit per slot of `_replies` that is to be sent
        self._behind = 0  # the last command that came behind a gap, since the gap was named
        self._nak_due = False
        self._events.stop()
        self._live_every_ms = 0
        self._live: "dict | None" = None
        for slot in range(schema.WINDOW):
            self._replies[slot] = None

    # what comes in

    def receive(self, data: bytearray, n: int, now_ms: int) -> None:
        """Takes the first `n` bytes of `data`; commands in them are done before it returns."""
        self._now = now_ms
        self._decoder.feed(data, n)

    def _frame(self, kind: int, session: int, sequence: int, payload: memoryview) -> None:
        if kind & schema.REPLY:  # our own echo, or another table's words
            self._decoder.bad_type += 1
            return
        try:
            if kind == schema.HELLO:
                self._hello(session, payload)
            elif not session or session != self.session:
                self.stale += 1
                raise Refused(_NO_SESSION)
            elif kind == schema.ACK:
                args = _read(kind, payload)
                self._events.acknowledge(args["number"], args.get("again", False), self._now)
            else:
                self._command(kind, sequence, payload)
        except Refused as refused:
            self._stray = (session, sequence, _refusal(refused))
        else:
            self._heard_ms = self._now
            self._silent = False

    def _hello(self, session: int, payload: memoryview) -> None:
        args = _read(schema.HELLO, payload)
        if not session:
            raise Refused(_NO_SESSION)
        if session != self.session:
            same = args["protocol"] == schema.PROTOCOL and args["schema"] == schema.schema_hash()
            self._open(session, "%s (protocol %d)" % (args["version"], args["protocol"]), same)
        self._hello_due = True

    def _command(self, kind: int, sequence: int, payload: memoryview) -> None:
        slot = sequence % schema.WINDOW
        if sequence == self._want:
            self._want += 1
            self._behind = 0
            self._due |= 1 << slot
            self._replies[slot] = (sequence, schema.REFUSED, b"")
            try:
                answer, reply = kind | schema.REPLY, self._do(kind, sequence, payload)
            except Refused as refused:
                self.refusals += 1
                answer, reply = schema.REFUSED, _refusal(refused)
            except Exception as error:
                self._replies[slot] = (sequence, schema.REFUSED, _refusal(Refused(
                    _COMMAND_FAILED, command=schema.name_of(kind), reason=type(error).__name__)))
                raise
            self._replies[slot] = (sequence, answer, reply)
        elif sequence < self._want:
            self.duplicates += 1
            kept = self._replies[slot]
            if kept and kept[0] == sequence:
                self.resends += 1
                self._due |= 1 << slot
        else:
            # One NAK a gap. Numbers that rise are frames that were under way; one that does not rise shows that the
            # host went back and the wanted command was lost again.
            if sequence <= self._behind or not self._behind:
                self.naks += 1
                self._nak_due = True
            self._behind = sequence

    def _do(self, kind: int, sequence: int, payload: memoryview) -> bytes:
        name = schema.name_of(kind)
        if not name:
            raise Refused(_UNKNOWN_TYPE, type=kind)
        if not self._compatible and not schema.is_core(kind):
            version = self._identity()["version"]
            raise Refused(_INCOMPATIBLE, host=self.host, table="%s (protocol %d)" % (version, schema.PROTOCOL))
        args = _read(kind, payload)
        if kind == schema.SUBSCRIBE:
            cursor, last = args["cursor"], self._events.journal.last
            if not self._events.start(cursor):
                raise Refused(_NO_SUCH_RECORD, cursor=cursor, last=last)
            reply = {"first": self._events.journal.first, "last": last}
        elif kind == schema.TELEMETRY:
            reply = self._set_live(args["hz"])
        else:
            reply = self._handler(name, args, [self.session, sequence])
            if kind == schema.STATISTICS:
                reply["link"] = self.statistics()
        data = cbor.dumps(reply)
        if len(data) > _ROOM:
            raise Refused(_TOO_LARGE, limit=schema.FRAME)
        return data

    # what goes out

    def transmit(self, now_ms: int) -> "memoryview | None":
        """What is to be sent now, or None; the same view again until `sent` is told that some was taken."""
        self._now = now_ms
        if self._left is None:
            self._left = self._next()
            if self._left is not None:
                self.tx_frames += 1
        return self._left

    def sent(self, n: int) -> None:
        """The port took `n` bytes of the view."""
        self.tx_bytes += n
        left = self._left
        if left is not None and n:
            self._left = left[n:] if n < len(left) else None

    def _next(self) -> "memoryview | None":
        if self._hello_due:
            self._hello_due = False
            reply = dict(self._identity())
            reply["protocol"] = schema.PROTOCOL
            reply["schema"] = schema.schema_hash()
            reply["limits"] = {"window": schema.WINDOW, "frame": schema.FRAME}
            return self._frame_of(schema.HELLO | schema.REPLY, 0, reply)
        if self._stray:
            session, sequence, payload = self._stray
            self._stray = None
            return self._encoder.frame(schema.REFUSED, session, sequence, payload)
        if self._due:
            for sequence in range(max(1, self._want - schema.WINDOW), self._want):
                bit = 1 << sequence % schema.WINDOW
                if self._due & bit:
                    self._due &= ~bit
                    _, kind, payload = self._replies[sequence % schema.WINDOW]
                    return self._encoder.frame(kind, self.session, sequence, payload)
        if self._nak_due:
            self._nak_due = False
            if self._behind:
                return self._frame_of(schema.NAK, 0, {"want": self._want})
        if not self._events.cursor and not self._live or self.host_is_silent():
            return None
        last = self._events.next(self._now)
        if last:
            number, record = self._events.number, self._events.record
            if record is None:
                return self._frame_of(schema.EVENT_GAP, 0, {"first": number, "last": last})
            return self._frame_of(schema.EVENT, number, {"record": record})
        live = self._live
        if live is None:
            return None
        self._live = None
        live["dropped"] = self._dropped
        self._dropped = 0
        return self._frame_of(schema.LIVE, 0, live)

    def _frame_of(self, kind: int, sequence: int, payload: dict) -> memoryview:
        return self._encoder.frame(kind, self.session, sequence, cbor.dumps(payload))

    def host_is_silent(self) -> bool:
        """Whether the host has said nothing for so long that it is taken to be gone."""
        if not self._silent and ticks.since(self._now, self._heard_ms) > _HOST_SILENT_MS:
            self._silent = True  # kept until it speaks: the clock wraps
        return self._silent

    # live values

    def _set_live(self, hz: int) -> dict:
        if hz < 0:
            raise Refused(_BAD_PAYLOAD, field="hz", message="TELEMETRY")
        hz = min(hz, _LIVE_MOST_HZ)
        self._live_every_ms = 1000 // hz if hz else 0
        self._live_ms = -1  # the first ones at once
        self._live = None
        self._dropped = 0
        return {"hz": hz}

    def telemetry_due(self, now_ms: int) -> bool:
        """Whether the host's rate asks for live values now."""
        if not self._live_every_ms or ticks.since(now_ms, self._live_ms) < self._live_every_ms:
            return False
        self._live_ms = now_ms
        return True

    def telemetry(self, values: dict) -> None:
        """Offers live values (fields of LIVE without `dropped`); any still unsent give way, and are counted."""
        if self._live is not None:
            self._dropped += 1
            self.live_dropped += 1
        self._live = values

    def statistics(self) -> dict:
        """Counts since start, as in STATISTICS."""
        decoder = self._decoder
        return {
            "rx_bytes": decoder.bytes, "rx_frames": decoder.frames, "empty": decoder.empty,
            "too_short": decoder.too_short, "too_long": decoder.too_long, "bad_cobs": decoder.bad_cobs,
            "bad_crc": decoder.bad_crc, "bad_type": decoder.bad_type, "stale": self.stale,
            "duplicates": self.duplicates, "naks": self.naks, "resends": self.resends, "refused": self.refusals,
            "tx_bytes": self.tx_bytes, "tx_frames": self.tx_frames, "event_resends": self._events.resends,
            "telemetry_dropped": self.live_dropped,
        }
