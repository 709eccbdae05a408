"""The table's end of a port, driven byte by byte: sessions, commands, events, live values, and any garbage."""

from tabletop import cbor, ticks
from tabletop.link import schema
from tabletop.link.endpoint import Endpoint, Refused
from tabletop.link.events import WINDOW
from tabletop.link.frames import Decoder, Encoder

PING, VOID, WAGER, STATISTICS = 0x10, 0x1B, 0x19, 0x13
WAIT_MS, HOST_SILENT_MS = 800, 10_000  # docs/protocol.md


class Journal:
    def __init__(self, first, last):
        self.first, self.last = first, last
        self.bad = 0

    def read(self, number):
        if not self.first <= number <= self.last or number == self.bad:
            raise KeyError(number)
        return b"record %d" % number


class Host:
    """A bare host: sends what it is told, and notes what comes."""

    def __init__(self, journal=None, start_ms=0):
        self.done = []
        self.now_ms = start_ms
        self.journal = journal or Journal(1, 0)
        self.endpoint = Endpoint(self.handle, self.journal, self.identity)
        self.session = 0x0A0B0C0D
        self.encoder = Encoder(schema.FRAME)
        self.decoder = Decoder(schema.FRAME, self.take)
        self.came = []

    def identity(self):
        return {"serial": "T-0001", "version": "0.1.0", "program": b"\x01\x02", "boot": 3, "reset": "POWER_ON",
                "test": True, "capabilities": ["EMULATED"]}

    def handle(self, name, args, origin):
        self.done.append((name, args, origin))
        if name == "VOID":
            raise Refused(4001, command="VOID", phase="READY", advice="nothing to void")
        if name == "WAGER":
            raise OSError("flash")
        if name == "DISPLAY":
            return {"rim": bytes(1100), "inner": b"", "digits": [], "tower": "", "lamps": 0}
        if name == "STATISTICS":
            return {}
        reply = {"uptime_ms": len(self.done)}
        reply.update(args)
        return reply

    def take(self, kind, session, sequence, payload):
        assert session == self.session
        self.came.append((kind, sequence, cbor.loads(payload)))

    def frame(self, kind, sequence, payload, session=None):
        return bytes(self.encoder.frame(kind, session or self.session, sequence, cbor.dumps(payload)))

    def raw(self, data):
        self.endpoint.receive(bytearray(data), len(data), self.now_ms)

    def send(self, kind, sequence, payload):
        self.raw(self.frame(kind, sequence, payload))

    def answers(self, pass_ms=0):
        """What the endpoint has to say, after so much time."""
        self.now_ms = ticks.add(self.now_ms, pass_ms)
        self.came = []
        while True:
            view = self.endpoint.transmit(self.now_ms)
            if view is None:
                return self.came
            data = bytearray(view)
            self.decoder.feed(data, len(data))
            self.endpoint.sent(len(data))

    def hello(self, protocol=schema.PROTOCOL, hash_=None):
        self.send(schema.HELLO, 0, {
            "protocol": protocol, "schema": hash_ or schema.schema_hash(), "version": "0.9.9"})
        return self.answers()


def test_hello_is_answered_with_all_the_schema_asks_for():
    ((kind, sequence, payload),) = Host().hello()
    assert (kind, sequence) == (0x81, 0)
    assert schema.check(kind, payload, True) == ""
    assert payload["limits"] == {"window": schema.WINDOW, "frame": schema.FRAME}


def test_nothing_is_done_or_said_before_hello_but_that_there_is_no_session():
    host = Host()
    host.send(PING, 1, {})
    assert host.answers() == [(schema.REFUSED, 1, {"code": 1005, "detail": {}})]
    assert host.done == []
    assert host.endpoint.statistics()["stale"] == 1


def test_a_command_is_done_once_and_its_reply_kept():
    host = Host()
    host.hello()
    for _ in range(3):
        host.send(PING, 1, {"echo": b"a"})
        assert host.answers() == [(0x90, 1, {"uptime_ms": 1, "echo": b"a"})]
    assert len(host.done) == 1
    assert host.done[0][2] == [host.session, 1]


def test_the_replies_of_a_whole_window_are_kept_and_older_ones_not():
    host = Host()
    host.hello()
    for sequence in range(1, 13):
        host.send(PING, sequence, {})
    host.answers()
    for sequence in range(1, 13):
        host.send(PING, sequence, {})
    assert [came[1] for came in host.answers()] == list(range(13 - schema.WINDOW, 13))
    assert len(host.done) == 12


def test_case_13_a_gap_is_named_once_and_again_only_when_the_host_went_back():
    host = Host()
    host.hello()
    host.send(PING, 1, {})
    for sequence in (3, 4, 5):
        host.send(PING, sequence, {})
    assert host.answers() == [(0x90, 1, {"uptime_ms": 1}), (schema.NAK, 0, {"want": 2})]
    host.send(PING, 6, {})
    assert host.answers() == [], "it was under way"
    for sequence in (3, 4, 5, 6):  # 2 was sent again, and lost again
        host.send(PING, sequence, {})
    assert host.answers() == [(schema.NAK, 0, {"want": 2})]
    for sequence in (2, 3, 4, 5, 6):
        host.send(PING, sequence, {})
    assert [came[1] for came in host.answers()] == [2, 3, 4, 5, 6]
    assert [done[2][1] for done in host.done] == [1, 2, 3, 4, 5, 6]


def test_a_refusal_is_an_answer_and_uses_up_the_number():
    host = Host()
    host.hello()
    host.send(VOID, 1, {"reason": "x"})
    detail = {"command": "VOID", "phase": "READY", "advice": "nothing to void"}
    assert host.answers() == [(schema.REFUSED, 1, {"code": 4001, "detail": detail})]
    host.send(PING, 2, {})
    assert host.answers()[0][:2] == (0x90, 2)


def test_what_is_not_in_the_schema_is_refused_by_field_and_not_done():
    host = Host()
    host.hello()
    host.send(PING, 1, {"echo": "text"})
    host.send(VOID, 2, {})
    host.send(PING, 3, [1])
    host.send(0x7E, 4, {})
    host.send(0x1D, 5, {"on": True, "off": False})
    host.raw(bytes(host.encoder.frame(PING, host.session, 6, b"\xbf\xff")))
    codes = [(came[2]["code"], came[2]["detail"]) for came in host.answers()]
    assert codes == [
        (1004, {"field": "echo", "message": "PING"}), (1004, {"field": "reason", "message": "VOID"}),
        (1004, {"field": "(payload)", "message": "PING"}), (1003, {"type": 0x7E}),
        (1004, {"field": "off", "message": "TEST_MODE"}), (1004, {"field": "(payload)", "message": "PING"})]
    assert host.done == []


def test_an_answer_too_large_for_a_frame_is_refused():
    host = Host()
    host.hello()
    host.send(0x16, 1, {})
    assert host.answers() == [(schema.REFUSED, 1, {"code": 1007, "detail": {"limit": schema.FRAME}})]


def test_a_command_that_fails_inside_is_answered_passed_on_and_not_tried_again():
    host = Host()
    host.hello()
    raised = ""
    try:
        host.send(WAGER, 1, {"bets": [[1, "10", 5000]]})
    except OSError as error:
        raised = str(error)
    assert raised == "flash"
    host.send(WAGER, 1, {"bets": [[1, "10", 5000]]})
    answer = (schema.REFUSED, 1, {"code": 1011, "detail": {"command": "WAGER", "reason": "OSError"}})
    assert host.answers() == [answer]
    assert len(host.done) == 1


def test_a_new_session_starts_afresh_and_the_same_hello_does_not():
    host = Host(Journal(1, 3))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    assert len(host.answers()) == 4
    host.hello()
    host.send(PING, 2, {})
    assert host.answers()[-1][:2] == (0x90, 2), "a HELLO that comes twice changes nothing"
    old, host.session = host.session, 0x01010101
    host.hello()
    host.journal.last = 4
    assert host.answers(5000) == [], "no event of the old subscription"
    host.send(PING, 1, {})
    assert host.answers()[0][:2] == (0x90, 1)
    host.raw(host.frame(PING, 3, {}, session=old))
    host.session = old
    assert host.answers() == [(schema.REFUSED, 3, {"code": 1005, "detail": {}})]


def test_case_17_modem_probes_and_noise_get_no_answer_and_change_nothing():
    host = Host()
    host.hello()
    host.raw(b"\x41\x54\x0d" + b"AT+GCAP\r" + bytes([7, 200, 13, 0, 65, 84, 250, 3, 3, 3] * 3))
    host.raw(b"\x03\x03\x04\x01\r\nimport os\r\n")
    assert host.answers() == []
    host.raw(b"\x00" + host.frame(PING, 1, {}))
    assert host.answers() == [(0x90, 1, {"uptime_ms": 1})]


def test_case_18_a_minute_of_break_runs_no_command():
    host = Host()
    for _ in range(1350):  # 60 s at 115200 baud
        host.raw(bytes(512))
    assert host.answers() == []
    assert host.endpoint.statistics()["empty"] == 1350 * 512
    assert host.hello()[0][0] == 0x81
    assert host.done == []


def test_case_11_after_a_damaged_frame_the_second_good_one_is_answered_without_more_traffic():
    host = Host()
    host.hello()
    damaged = bytearray(host.frame(PING, 1, {}))
    damaged[0] = 0xFF
    host.raw(damaged + host.frame(PING, 1, {}) + host.frame(PING, 2, {}))
    assert [came[1] for came in host.answers()] == [1, 2]


def test_any_garbage_is_survived_in_any_state():
    host = Host(Journal(1, 40))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.send(schema.TELEMETRY, 2, {"hz": 50})
    seed = 1
    for turn in range(300):
        block = bytearray(turn)
        for at in range(turn):
            seed = (seed * 75 + 74) % 65537
            block[at] = seed >> 2 & 0xFF
        host.raw(block)
        host.answers(7)
    host.raw(b"\x00" + host.frame(PING, 3, {}))
    assert (0x90, 3, {"uptime_ms": 1}) in host.answers()


def test_whole_frames_with_random_payloads_never_break_it():
    host = Host()
    host.hello()
    seed, sequence = 9, 0
    for turn in range(400):
        payload = bytearray(1 + turn % 40)
        for at in range(len(payload)):
            seed = (seed * 75 + 74) % 65537
            payload[at] = seed >> 1 & 0xFF
        kind = 1 + turn % 127
        if kind > 2:
            sequence += 1
        host.raw(bytes(host.encoder.frame(kind, host.session, sequence if kind > 2 else 0, payload)))
        for came in host.answers():
            assert came[0] == schema.REFUSED, came
    assert host.done == []


def test_its_own_echo_is_not_answered():
    host = Host()
    host.hello()
    host.send(0x90, 1, {"uptime_ms": 1})
    host.send(schema.EVENT, 1, {"record": b""})
    assert host.answers() == []
    assert host.endpoint.statistics()["bad_type"] == 2


def test_events_follow_the_journal_a_window_ahead_of_their_acknowledgement():
    host = Host(Journal(1, 100))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 11})
    came = host.answers()
    assert came[0] == (0xA0, 1, {"first": 1, "last": 100})
    assert came[1] == (schema.EVENT, 11, {"record": b"record 11"})
    assert len(came) == 1 + WINDOW
    host.send(schema.ACK, 0, {"number": 14})
    assert [event[1] for event in host.answers()] == [11 + WINDOW + n for n in range(4)]


def test_events_that_are_not_acknowledged_come_again_one_at_a_time_and_ever_later():
    host = Host(Journal(1, 100))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    assert host.answers(799) == []
    assert [event[1] for event in host.answers(1)] == [1]
    assert host.answers(1599) == []
    assert [event[1] for event in host.answers(1)] == [1]
    host.send(schema.ACK, 0, {"number": WINDOW})
    assert [event[1] for event in host.answers()] == list(range(WINDOW + 1, 2 * WINDOW + 1))
    assert host.endpoint.statistics()["event_resends"] == 2


def test_a_host_that_saw_a_gap_is_served_again_from_there():
    host = Host(Journal(1, 100))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    host.send(schema.ACK, 0, {"number": 5, "again": True})
    assert [event[1] for event in host.answers()] == list(range(6, 6 + WINDOW))
    host.send(schema.ACK, 0, {"number": 90, "again": True})
    host.send(schema.ACK, 0, {"number": 2, "again": True})
    host.send(schema.ACK, 0, {"number": -1})
    assert host.answers() == [], "numbers that were never sent, or are old, mean nothing"
    host.send(schema.ACK, 0, {"number": 6})
    assert [event[1] for event in host.answers()] == [6 + WINDOW]


def test_missing_records_are_named_in_place():
    host = Host(Journal(20, 24))
    host.journal.bad = 22
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 3})
    came = host.answers()[1:]
    host.send(schema.ACK, 0, {"number": 19})
    came += host.answers()
    gap = (schema.EVENT_GAP, 0, {"first": 22, "last": 22})
    assert came[0] == (schema.EVENT_GAP, 0, {"first": 3, "last": 19})
    assert came[1:] == [(schema.EVENT, n, {"record": b"record %d" % n}) if n != 22 else gap for n in range(20, 25)]


def test_a_journal_that_was_erased_under_the_cursor_gives_a_gap():
    host = Host(Journal(1, 4))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 5})
    host.answers()
    host.journal.first, host.journal.last = 9, 9
    gap, event = host.answers()
    assert gap == (schema.EVENT_GAP, 0, {"first": 5, "last": 8})
    assert event == (schema.EVENT, 9, {"record": b"record 9"})


def test_case_51_the_wait_for_an_acknowledgement_spans_the_wrap_of_the_clock():
    host = Host(Journal(1, 2), start_ms=ticks.PERIOD - 300)
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    assert host.answers(799) == []
    assert host.now_ms < 1000
    assert [event[1] for event in host.answers(1)] == [1]


def test_case_51_a_host_that_comes_back_after_half_a_period_of_the_clock_is_served():
    host = Host(Journal(1, 2))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    host.answers(20000)
    host.now_ms = ticks.add(host.now_ms, ticks.HALF)
    host.send(PING, 2, {})
    assert 1 in [event[1] for event in host.answers(1) if event[0] == schema.EVENT]


def test_case_16_values_that_cannot_be_sent_are_dropped_counted_and_told():
    host = Host()
    host.hello()
    host.send(schema.TELEMETRY, 1, {"hz": 1000})
    assert host.answers() == [(0xA2, 1, {"hz": 50})]
    offered = 0
    for _ in range(3000):
        host.now_ms += 1
        if host.endpoint.telemetry_due(host.now_ms):
            host.endpoint.telemetry({"t_ms": host.now_ms})
            offered += 1
            last = host.now_ms
    assert offered == 150
    host.send(PING, 2, {})
    came = host.answers()
    assert came[0][:2] == (0x90, 2), "replies go first"
    assert came[1] == (schema.LIVE, 0, {"t_ms": last, "dropped": 149})
    host.endpoint.telemetry({"t_ms": 1})
    assert host.answers() == [(schema.LIVE, 0, {"t_ms": 1, "dropped": 0})]
    host.send(schema.TELEMETRY, 3, {"hz": 0})
    host.answers()
    assert not host.endpoint.telemetry_due(host.now_ms + 5000)


def test_case_16_a_port_that_takes_nothing_blocks_nothing_and_no_reply_is_lost():
    host = Host(Journal(1, 5))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.send(schema.TELEMETRY, 2, {"hz": 50})
    stuck = host.endpoint.transmit(host.now_ms)
    for n in range(60):
        host.now_ms += 1000
        host.endpoint.telemetry({"t_ms": n})
        assert host.endpoint.transmit(host.now_ms) is stuck
    for sequence in (3, 4, 5):
        host.send(PING, sequence, {})
    assert len(host.done) == 3
    came = host.answers()
    assert [answer[1] for answer in came[:5]] == [1, 2, 3, 4, 5]
    assert [answer[1] for answer in came if answer[0] == schema.EVENT] == [1, 2, 3, 4, 5]
    assert came[-1] == (schema.LIVE, 0, {"t_ms": 59, "dropped": 59})


def test_a_frame_goes_out_in_the_pieces_the_port_takes():
    host = Host()
    host.hello()
    host.send(PING, 1, {"echo": bytes(100)})
    while True:
        view = host.endpoint.transmit(0)
        if view is None:
            break
        piece = bytearray(view)[:7]
        host.endpoint.sent(0)
        host.decoder.feed(piece, len(piece))
        host.endpoint.sent(len(piece))
    assert host.came[-1][:2] == (0x90, 1)


def test_a_silent_host_gets_no_events_until_it_speaks():
    host = Host(Journal(1, 1))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    host.send(schema.ACK, 0, {"number": 1})
    host.answers(10001)
    host.journal.last = 2
    assert host.answers(ticks.HALF) == []
    assert host.answers(ticks.HALF) == [], "however often the clock wraps"
    host.send(PING, 2, {})
    assert [came[0] for came in host.answers()] == [0x90, schema.EVENT]


def test_case_20_a_host_of_another_version_may_read_but_not_play():
    for words in ((2, None), (1, b"12345678")):
        host = Host(Journal(1, 1))
        assert host.hello(*words)[0][2]["protocol"] == schema.PROTOCOL
        host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
        host.send(0x18, 2, {})
        host.send(STATISTICS, 3, {})
        came = host.answers()
        assert [answer[0] for answer in came] == [0xA0, schema.REFUSED, 0x93, schema.EVENT]
        assert came[1][2] == {"code": 1010, "detail": {
            "host": "0.9.9 (protocol %d)" % words[0], "table": "0.1.0 (protocol 1)"}}
        assert [done[0] for done in host.done] == ["STATISTICS"]


def test_case_20_fields_that_a_later_version_added_to_core_messages_are_let_through():
    host = Host()
    host.send(schema.HELLO, 0, {
        "protocol": 9, "schema": b"12345678", "version": "9.0", "language": "en"})
    assert host.answers()[0][0] == 0x81


def test_a_malformed_hello_opens_nothing():
    host = Host()
    host.send(schema.HELLO, 0, {"protocol": "one"})
    assert host.answers() == [(schema.REFUSED, 0, {"code": 1004, "detail": {"field": "protocol", "message": "HELLO"}})]
    host.send(PING, 1, {})
    assert host.answers()[0][2]["code"] == 1005


def test_nothing_is_allocated_in_idle_ticks():
    import gc

    host = Host(Journal(1, 3))
    host.hello()
    host.send(schema.SUBSCRIBE, 1, {"cursor": 1})
    host.answers()
    host.send(schema.ACK, 0, {"number": 3})
    host.answers()
    if not hasattr(gc, "mem_alloc"):
        return
    endpoint = host.endpoint
    endpoint.transmit(5)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for now_ms in range(1000):
        endpoint.transmit(now_ms)
        endpoint.telemetry_due(now_ms)
    after = gc.mem_alloc()
    gc.enable()
    assert after == before
