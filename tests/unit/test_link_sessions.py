"""Session and endpoint over a simulated line: everything once and in order, whatever the line does to it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop import cbor, ticks
from tabletop.link import schema
from tabletop.link.endpoint import _HOST_SILENT_MS
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.framing import Frame, Framer, encode
from wheelwright.messages import Command, Gap
from wheelwright.session import Session

from tests.conftest import examples
from tests.unit.link_line import Bench, Damage, Journal, lossy


def kind_of(data: bytes) -> tuple[int, int]:
    """Type and sequence of the frame in `data`; (0, 0) for anything else."""
    frames = Framer().feed(data)
    return (frames[0].kind, frames[0].sequence) if frames else (0, 0)


def flip(data: bytes) -> bytes:
    return data[:3] + bytes([data[3] ^ 0x10 or 1]) + data[4:]


def damages(number: int, times: int = 1) -> Damage:
    """Flips a bit in command `number`, the first `times` times it goes over the line."""
    left = [times]

    def damage(rng: random.Random, data: bytes) -> bytes:
        kind, sequence = kind_of(data)
        if kind not in (0, schema.HELLO, schema.ACK) and sequence == number and left[0]:
            left[0] -= 1
            return flip(data)
        return data

    return damage


def pings(bench: Bench, count: int) -> list[Command]:
    return [bench.session.submit("PING", {"echo": bytes([n])}) for n in range(count)]


def all_done(commands: list[Command]) -> Callable[[], bool]:
    return lambda: all(command.done for command in commands)


def echoes(bench: Bench) -> list[int]:
    return [args["echo"][0] for name, args in bench.table.done if name == "PING" and "echo" in args]


def test_hello_tells_who_the_table_is() -> None:
    bench = Bench()
    bench.open()
    hello = bench.session.hello
    assert hello is not None
    assert (hello.serial, hello.boot, hello.test, hello.capabilities) == ("T-0001", 3, True, ("EMULATED",))
    assert (hello.window, hello.frame, hello.compatible) == (8, 1100, True)


def test_commands_are_answered_in_order_with_the_window_full() -> None:
    bench = Bench(delay_s=0.01)
    bench.open()
    commands = pings(bench, 40)
    start = bench.now
    bench.run(all_done(commands))
    assert [command.reply["echo"] for command in commands] == [bytes([n]) for n in range(40)]
    assert echoes(bench) == list(range(40))
    assert bench.now - start < 40 / 8 * 0.025, "8 commands share a round trip"


def test_a_refusal_carries_code_and_detail_and_uses_up_its_number() -> None:
    bench = Bench()
    bench.open()
    commands = [bench.session.submit("WAGER", {"bets": [[1, spot, 5000]]}) for spot in ("3", "10")]
    bench.run(all_done(commands))
    assert isinstance(commands[0].error, Refused)
    assert (commands[0].error.code, commands[0].error.fields) == (3001, {"spot": "3"})
    assert "there is no wager on 3" in str(commands[0].error)
    assert commands[1].reply["mills"] == 5000


@pytest.mark.parametrize(("name", "args", "field"), [
    ("PING", {"echo": "text"}, "echo"), ("PING", {"other": 1}, "other"), ("WAGER", {}, "bets"),
    ("WAGER", {"bets": [[1, 10, 500]]}, "bets"), ("TEST_MODE", {"on": 1}, "on"),
    ("SUBSCRIBE", {"cursor": True}, "cursor"),
])  # fmt: skip
def test_the_host_sends_nothing_that_is_not_in_the_schema(name: str, args: dict[str, object], field: str) -> None:
    with pytest.raises(ValueError, match=field):
        Session(1).submit(name, args)


@pytest.mark.parametrize("name", ["SELF_TEST", "GAMES", "CORRECT", "CLEAR_TILT", "VERIFY"])
def test_a_command_that_keeps_the_table_busy_for_seconds_is_sent_once(name: str) -> None:
    args = {
        "CORRECT": {"record": 1, "text": "x", "reason": "y", "operator": "ann"},
        "CLEAR_TILT": {"tilt": 51, "operator": "ann"}, "VERIFY": {"algorithm": "sha256"},
    }.get(name, {})  # fmt: skip
    bench = Bench()
    bench.open()
    bench.session.submit(name, args)
    assert bench.session.transmit(bench.now)
    for tenth in range(1, 100):
        assert bench.session.transmit(bench.now + tenth / 10) == b"", f"sent again after {tenth / 10} s"


def test_an_unknown_command_is_no_command() -> None:
    with pytest.raises(ValueError, match="no command DANCE"):
        Session(1).submit("DANCE", {})


# field case 13

def test_case_13_one_nak_names_the_damaged_frame_and_at_most_three_are_resent() -> None:
    bench = Bench(damage=damages(2), back=lossy(0), delay_s=0.2)
    bench.open()
    commands = pings(bench, 4)
    bench.run(all_done(commands))
    statistics = bench.endpoint.statistics()
    assert statistics["naks"] == 1
    assert statistics["bad_crc"] + statistics["bad_cobs"] == 1
    assert bench.session.statistics()["resends"] == 3
    assert statistics["duplicates"] == 0
    assert echoes(bench) == [0, 1, 2, 3]


def test_case_13_a_nak_that_comes_twice_is_obeyed_once() -> None:
    bench = Bench(damage=damages(3), back=lossy(0), delay_s=0.05)
    bench.open()
    bench.run(all_done(pings(bench, 1)))
    commands = pings(bench, 4)
    bench.run(lambda: bench.session.statistics()["resends"] == 3)
    bench.wait_s(0.01)
    again = encode(Frame(schema.NAK, bench.session.token, 0, cbor.dumps({"want": 3})))
    bench.session.receive(again, bench.now)
    bench.run(all_done(commands))
    assert bench.session.statistics()["naks"] == 2
    assert bench.session.statistics()["resends"] == 3


def test_case_13_a_frame_that_never_gets_through_ends_the_link_and_is_named() -> None:
    sent: list[int] = []
    ninth = damages(9, 1000)

    def damage(rng: random.Random, data: bytes) -> bytes:
        sent.append(kind_of(data)[1])
        return ninth(rng, data)

    bench = Bench(damage=damage, back=lossy(0), delay_s=0.05)
    bench.open()
    commands = pings(bench, 12)
    bench.run(all_done(commands))
    assert [command.error is None for command in commands] == [True] * 8 + [False] * 4
    assert "frame 9" in str(commands[8].error)
    assert "tries: 5" in str(commands[8].error)
    assert sent.count(9) == 5
    assert echoes(bench) == list(range(8))
    late = bench.session.submit("PING", {})
    assert late.done
    assert late.error is commands[8].error


def test_case_13_an_error_and_an_ok_never_answer_the_same_frame() -> None:
    bench = Bench(damage=damages(1, 3), back=lossy(0))
    bench.open()
    (command,) = pings(bench, 1)
    bench.run(all_done([command]))
    assert command.error is None
    assert echoes(bench) == [0]
    assert bench.endpoint.statistics()["tx_frames"] == 2, "HELLO and one reply; damage is never answered"


def test_a_lost_reply_is_sent_again_and_the_command_not_done_again() -> None:
    bench = Bench(back=damages(2))
    bench.open()
    commands = pings(bench, 3)
    bench.run(all_done(commands))
    assert echoes(bench) == [0, 1, 2]
    assert bench.endpoint.statistics()["duplicates"] == 1
    assert bench.session.statistics()["resends"] == 1
    assert bench.now < 0.4, "the reply after it shows the loss at once"


def test_a_lost_last_reply_is_asked_for_by_time_out() -> None:
    bench = Bench(back=damages(3))
    bench.open()
    commands = pings(bench, 3)
    bench.run(all_done(commands))
    assert echoes(bench) == [0, 1, 2]
    assert bench.endpoint.statistics()["resends"] == 1


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.05, 0.2, 0.5, 0.8]), count=st.integers(1, 30),
       delay_ms=st.sampled_from([0, 5, 200]), records=st.integers(0, 40))
def test_all_commands_happen_once_and_all_events_arrive_in_order_on_any_line(
    seed: int, share: float, count: int, delay_ms: int, records: int
) -> None:
    bench = Bench(seed=seed, damage=lossy(share), delay_s=delay_ms / 1000, tries=10**9, keepalive_s=2.0,
                  journal=Journal(records))
    bench.run(lambda: bench.session.hello is not None, 10_000)
    commands = [bench.session.subscribe(1), *pings(bench, count)]
    bench.run(lambda: all_done(commands)() and len(bench.records) >= records, 10_000)
    assert echoes(bench) == list(range(count))
    assert [command.reply.get("echo", b"") for command in commands[1:]] == [bytes([n]) for n in range(count)]
    assert [item.data for item in bench.records if not isinstance(item, Gap)] == [
        bench.journal.read(number) for number in range(1, records + 1)]
    bench.wait_s(0.1)
    assert len(bench.records) == records


@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.3, 0.6, 0.9]), count=st.integers(1, 20))
def test_giving_up_never_leaves_a_command_done_twice_or_out_of_order(seed: int, share: float, count: int) -> None:
    bench = Bench(seed=seed, damage=lossy(share))
    bench.run(lambda: bench.session.hello is not None, 10_000)
    commands = pings(bench, count)
    bench.run(all_done(commands))
    done = echoes(bench)
    assert done == list(range(len(done)))
    answered = [n for n, command in enumerate(commands) if command.error is None]
    assert set(answered) <= set(done)


# events

def test_events_come_from_any_number_and_go_on_as_they_are_written() -> None:
    bench = Bench(journal=Journal(30))
    bench.open()
    subscribed = bench.session.subscribe(11)
    bench.run(lambda: len(bench.records) == 20)
    assert subscribed.reply == {"first": 1, "last": 30}
    assert bench.numbers() == list(range(11, 31))
    bench.journal.append()
    bench.run(lambda: len(bench.records) == 21, 0.03)
    assert bench.records[-1] == (31, bench.journal.read(31))
    bench.wait_s(10)
    assert bench.endpoint.statistics()["event_resends"] == 0


def test_no_more_than_the_window_is_sent_ahead_and_it_is_not_repeated_in_a_storm() -> None:
    bench = Bench(journal=Journal(100))
    bench.open()
    bench.session.subscribe(1)
    bench.run(lambda: bool(bench.session.records.inbox) or len(bench.records) > 0)
    bench.host_reads = False
    bench.wait_s(6.2)
    waiting = Framer().feed(b"".join(data for _, data in bench.up.under_way))
    events = [frame.sequence for frame in waiting if frame.kind == schema.EVENT]
    first = events[0]
    assert events[:16] == list(range(first, first + 16))
    assert events[16:] == [first] * 3, "then that one alone, after 0.8, 1.6 and 3.2 s"
    bench.host_reads = True
    bench.run(lambda: len(bench.records) == 100)
    assert bench.numbers() == list(range(1, 101))


def test_a_lost_event_is_asked_for_at_once_and_only_once() -> None:
    def seventh(rng: random.Random, data: bytes) -> bytes:
        lost = kind_of(data) == (schema.EVENT, 7) and not bench.session.statistics()["early_events"]
        return flip(data) if lost else data

    bench = Bench(back=seventh, journal=Journal(30), delay_s=0.02)
    bench.open()
    bench.session.subscribe(1)
    start = bench.now
    bench.run(lambda: len(bench.records) == 30)
    assert bench.now - start < 0.3, "not by time-out"
    assert bench.numbers() == list(range(1, 31))
    asked = [line for line in bench.session.transcript().splitlines() if "'again': True" in line]
    assert len(asked) == 1


def test_records_that_are_gone_are_named_as_a_gap() -> None:
    journal = Journal(40)
    for number in range(1, 25):
        del journal.records[number]
    journal.first = 25
    bench = Bench(journal=journal)
    bench.open()
    bench.session.subscribe(5)
    bench.run(lambda: len(bench.records) == 17)
    assert bench.records[0] == Gap(5, 24)
    assert bench.numbers()[2:] == list(range(25, 41))
    assert bench.session.statistics()["gaps"] == 1


def test_a_record_that_cannot_be_read_back_is_named_and_does_not_stop_the_rest() -> None:
    journal = Journal(6)
    del journal.records[4]
    bench = Bench(journal=journal, damage=lossy(0.3), tries=10**9, keepalive_s=2.0)
    bench.open()
    bench.session.subscribe(1)
    bench.run(lambda: len(bench.records) == 6)
    assert bench.numbers() == [1, 2, 3, -4, -4, 5, 6]


def test_a_cursor_beyond_the_journal_is_refused_as_another_table() -> None:
    bench = Bench(journal=Journal(10))
    bench.open()
    commands = [bench.session.subscribe(cursor) for cursor in (12, -1)]
    bench.run(all_done(commands))
    assert [command.error.code for command in commands if command.error] == [1012, 1012]
    assert bench.session.records.next_unhandled() == 0
    commands = [bench.session.subscribe(11)]
    bench.run(all_done(commands))
    assert commands[0].error is None, "the next record to be written may be waited for"
    assert bench.session.records.next_unhandled() == 11


def test_log_pull_keeps_a_line_of_115200_baud_nine_tenths_full_of_records() -> None:
    journal = Journal()
    journal.records = {number: bytes([number % 256]) * 300 for number in range(1, 301)}
    bench = Bench(journal=journal, delay_s=0.005)
    bench.open()
    bench.session.subscribe(1)
    bytes_a_tick, credit, start = 11.52, 0.0, bench.now
    while len(bench.records) < 300:
        # the port takes what the line carries in a millisecond, and no more
        credit = min(credit + bytes_a_tick, 64.0)
        while credit >= 1 and (view := bench.endpoint.transmit(bench.now_ms)) is not None:
            taken = min(int(credit), len(view))
            bench.up.put(bytes(view[:taken]), bench.now)
            bench.endpoint.sent(taken)
            credit -= taken
        bench.step(table_sends=False)
        assert bench.now - start < 60
    assert 300 * 300 / ((bench.now - start) * 11520) > 0.9
    assert bench.endpoint.statistics()["event_resends"] == 0


def test_a_command_that_fits_no_frame_is_not_sent() -> None:
    bench = Bench()
    bench.open()
    with pytest.raises(WheelwrightError, match="E-7016 WAGER does not fit a frame of 1100 bytes"):
        bench.session.submit("WAGER", {"bets": [[1, "10", 5000]] * 200})


def test_how_much_a_command_may_hold_does_not_depend_on_the_memory_that_is_left() -> None:
    bench = Bench()
    bench.open()
    commands = [bench.session.submit("WAGER", {"bets": [[1, "10", 5000]] * count}) for count in (61, 78, 79)]
    bench.run(all_done(commands))
    assert [getattr(command.error, "code", 0) for command in commands] == [0, 0, 1004]


@settings(max_examples=examples(30), deadline=None)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.0, 0.3]))
def test_no_event_is_lost_over_resets_of_the_table(seed: int, share: float) -> None:
    bench = Bench(seed=seed, damage=lossy(share), journal=Journal(5), tries=10**9, keepalive_s=2.0)
    written, resets, cursor = 5, 0, 1
    while len(bench.records) < 60:
        if bench.session.failure is not None or (bench.session.hello is None and not bench.session.records.cursor):
            if bench.session.failure is not None:
                assert bench.session.failure.code == 7015
                cursor = bench.session.records.cursor
                bench.new_session()
            bench.run(lambda: bench.session.hello is not None, 1000)
            bench.session.subscribe(cursor)
        if written < 60 and bench.rng.random() < 0.05:
            written = bench.journal.append()
        if resets < 3 and bench.rng.random() < 0.003:
            bench.reset_table()
            resets += 1
        bench.step()
        assert bench.now < 1000
    assert bench.numbers() == list(range(1, 61))


# case 20: versions differ

@pytest.mark.parametrize("newer", [{"PROTOCOL": 2}, {"TABLE": schema.TABLE + "30 NEW 2 | | \n"}])
def test_case_20_identity_and_journal_can_be_read_but_no_round_opened(
    newer: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(journal=Journal(3))
    for name, value in newer.items():
        monkeypatch.setattr(schema, name, value)
    hello = bench.session.transmit(0.0)
    monkeypatch.undo()
    bench.endpoint.receive(bytearray(hello), len(hello), 0)
    bench.open()
    opening = bench.session.submit("OPEN_BETS", {})
    reading = [bench.session.subscribe(1), *pings(bench, 1), bench.session.submit("STATISTICS", {})]
    bench.run(lambda: all_done([opening, *reading])() and len(bench.records) == 3)
    assert opening.error is not None
    assert opening.error.code == 1010
    assert "0.1.0 (protocol 1)" in str(opening.error)
    if "PROTOCOL" in newer:
        assert "(protocol 2)" in str(opening.error)
    assert all(command.error is None for command in reading)
    assert ("OPEN_BETS", {}) not in bench.table.done


def test_case_20_the_host_knows_that_it_may_not_use_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.run(lambda: len(bench.up.under_way) > 0)
    monkeypatch.setattr(schema, "PROTOCOL", 2)
    bench.open()
    assert bench.session.hello is not None
    assert not bench.session.hello.compatible


# case 16: nobody reads

def test_case_16_a_host_that_does_not_read_costs_only_live_values_and_is_told_how_many() -> None:
    bench = Bench(keepalive_s=2.0, journal=Journal(1))
    bench.open()
    commands = [bench.session.submit("TELEMETRY", {"hz": 50}), bench.session.subscribe(1)]
    bench.run(all_done(commands))
    endpoint, offered, accepted, journal = bench.endpoint, 0, bytearray(), bench.journal
    view = None
    for _ in range(60_000):  # 60 s: the port takes 100 bytes, then nothing
        if endpoint.telemetry_due(bench.now_ms):
            endpoint.telemetry({"t_ms": bench.now_ms, "section": 7})
            offered += 1
        if bench.rng.random() < 0.001:
            journal.append()
        view = endpoint.transmit(bench.now_ms)
        if view is not None and len(accepted) < 100:
            accepted += view[:1]
            endpoint.sent(1)
        bench.now += 0.001
    assert offered == 3000
    assert view is not None
    rest: list[Frame] = Framer().feed(bytes(accepted))
    bench.session.receive(bytes(accepted), bench.now)
    bench.run(lambda: len(bench.live) > 1 and len(bench.records) == journal.last)
    sent = bench.session.statistics()["live"] - 1
    assert rest
    assert bench.session.statistics()["live_dropped"] + sent + 1 in (offered, offered + 1)
    assert bench.numbers() == list(range(1, journal.last + 1)), "no record was lost"


def test_a_host_that_went_away_is_not_talked_to_until_it_speaks_again() -> None:
    bench = Bench(journal=Journal(3), start_ms=ticks.PERIOD - 5000)
    bench.open()
    commands = [bench.session.subscribe(1), bench.session.submit("TELEMETRY", {"hz": 10})]
    bench.run(lambda: all_done(commands)() and len(bench.records) == 3)
    bench.wait_s(_HOST_SILENT_MS / 1000 + 0.1)
    bench.journal.append()
    sent = bench.endpoint.statistics()["tx_frames"]
    for _ in range(3):
        bench.endpoint.telemetry({"t_ms": 0})
    bench.wait_s(5)
    assert bench.endpoint.statistics()["tx_frames"] == sent
    pings(bench, 1)
    bench.run(lambda: len(bench.records) == 4 and len(bench.live) == 1)
    assert bench.live[0].dropped == 2


def test_case_51_waiting_spans_the_wrap_of_the_millisecond_counter() -> None:
    bench = Bench(journal=Journal(40), start_ms=ticks.PERIOD - 300, damage=lossy(0.4), tries=10**9,
                  keepalive_s=2.0)
    bench.run(lambda: bench.session.hello is not None)
    bench.session.subscribe(1)
    bench.run(lambda: len(bench.records) == 40)
    assert bench.now_ms < ticks.HALF, "the counter has wrapped"
    assert bench.numbers() == list(range(1, 41))


# case 56: nothing old passes for new

def test_case_56_what_an_earlier_session_left_on_the_line_satisfies_nothing() -> None:
    bench = Bench(delay_s=0.2, journal=Journal(4))
    bench.open()
    pings(bench, 1)
    bench.session.subscribe(1)
    bench.wait_s(0.25)  # asked and answered, and the answers are still under way
    old = bench.session.token
    session = bench.new_session()
    (command,) = pings(bench, 1)
    assert not command.done
    bench.run(lambda: command.done)
    assert session.token != old
    assert session.statistics()["foreign"] >= 5, "old reply and events came, and were not taken"
    assert not bench.records


def test_case_56_frames_of_another_session_are_not_taken_however_late_they_come() -> None:
    bench = Bench(journal=Journal(1))
    bench.open()
    bench.session.subscribe(1)
    (command,) = pings(bench, 1)
    bench.session.transmit(bench.now)
    for kind, sequence, payload in (
        (0x90, 2, {"uptime_ms": 1, "echo": b"old"}), (schema.EVENT, 1, {"record": b"old"}),
        (schema.NAK, 0, {"want": 1}), (schema.REFUSED, 2, {"code": 1005, "detail": {}}),
    ):  # fmt: skip
        data = encode(Frame(kind, bench.session.token ^ 1, sequence, cbor.dumps(payload)))
        bench.session.receive(data, bench.now)
    assert not command.done
    assert not bench.session.records.inbox
    assert bench.session.failure is None
    assert bench.session.statistics()["foreign"] == 4


def test_case_56_an_answer_that_comes_at_once_is_not_drained() -> None:
    bench = Bench()
    bench.open()
    assert bench.now < 0.05
    assert bench.session.statistics()["tx_frames"] == 1, "the answer to the first HELLO is the one taken"


def test_a_second_host_takes_the_table_over_and_the_first_one_is_told() -> None:
    bench = Bench()
    bench.open()
    first = bench.session
    bench.new_session()
    bench.open()
    command = first.submit("PING", {})
    data = first.transmit(bench.now)
    bench.endpoint.receive(bytearray(data), len(data), bench.now_ms)
    view = bench.endpoint.transmit(bench.now_ms)
    assert view is not None
    first.receive(bytes(view), bench.now)
    assert command.done
    assert command.error is not None
    assert command.error.code == 7015


def test_a_hello_that_comes_late_does_not_start_the_session_again() -> None:
    bench = Bench()
    hello = bench.session.transmit(0.0)
    bench.endpoint.receive(bytearray(hello), len(hello), 0)
    bench.open()
    bench.run(all_done(pings(bench, 3)))
    bench.endpoint.receive(bytearray(hello), len(hello), bench.now_ms)
    commands = pings(bench, 1)
    bench.run(all_done(commands))
    assert commands[0].error is None
    assert echoes(bench) == [0, 1, 2, 0]


def test_the_last_hundred_frames_can_be_shown() -> None:
    bench = Bench(journal=Journal(1))
    bench.open()
    bench.session.subscribe(1)
    bench.run(all_done(pings(bench, 60)))
    lines = bench.session.transcript().splitlines()
    assert len(lines) == 100
    assert any("> PING" in line for line in lines)
    assert any("< PING reply" in line and "'echo'" in line for line in lines)


def test_a_silent_link_is_kept_alive() -> None:
    bench = Bench(keepalive_s=2.0)
    bench.open()
    bench.wait_s(9)
    assert len(bench.table.done) == 4
