"""The client on real ptys and sockets: calls, events, and one sentence for everything that can go wrong."""

from __future__ import annotations

import os
import pty
import queue
import re
import socket
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tabletop.link import schema
from wheelwright import link, ports
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.framing import Framer
from wheelwright.link import Client

from tests.unit.link_line import Journal
from tests.unit.link_table import Served, ServedOnPty, ServedOnSocket

DEADLINE_S = 20


class Log:
    """Collects records and lets a test wait for them."""

    def __init__(self, stop_at: int = 0) -> None:
        self.came: queue.Queue[tuple[int, bytes]] = queue.Queue()
        self.gaps: list[tuple[int, int]] = []
        self.numbers: list[int] = []
        self.threads: set[str] = set()

    def record(self, number: int, data: bytes) -> None:
        self.threads.add(threading.current_thread().name)
        self.came.put((number, data))

    def gap(self, first: int, last: int) -> None:
        self.gaps.append((first, last))

    def wait(self, count: int) -> list[int]:
        while len(self.numbers) < count:
            number, data = self.came.get(timeout=DEADLINE_S)
            assert data == Journal.make(number)
            self.numbers.append(number)
        return self.numbers


def until(condition: Callable[[], bool]) -> None:
    """Waits for something that another thread brings about."""
    done = threading.Event()
    for _ in range(DEADLINE_S * 100):
        if condition():
            return
        done.wait(0.01)
    raise AssertionError("did not happen in time")


def code_of(raised: pytest.ExceptionInfo[WheelwrightError]) -> int:
    text = str(raised.value)
    assert re.fullmatch(r"E-\d{4} [^\n]+: [^\n]+", text), text
    return raised.value.code


@pytest.fixture(params=[ServedOnPty, ServedOnSocket], ids=["pty", "socket"])
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    with request.param(Journal(50)) as table:
        yield table


def test_a_table_is_opened_asked_and_followed(served: Served) -> None:
    log, live = Log(), queue.Queue[tuple[dict[str, object], int]]()
    with Client.open(served.address) as client:
        assert client.hello.serial == "T-0001"
        assert client.call("PING", echo=b"fresh")["echo"] == b"fresh"
        assert client.call("WAGER", bets=[[1, "10", 5000], [2, "40", 500]])["mills"] == 5500
        with pytest.raises(Refused, match="there is no wager on 3"):
            client.call("WAGER", bets=[[1, "3", 5000]])
        assert client.subscribe(3, log.record, log.gap) == {"first": 1, "last": 50}
        assert log.wait(48) == list(range(3, 51))
        served.journal.append()
        assert log.wait(49)[-1] == 51
        until(lambda: client.cursor == 52)
        assert client.telemetry(50, lambda values, dropped: live.put((values, dropped))) == 50
        served.endpoint.telemetry({"t_ms": 5, "section": 17})
        assert live.get(timeout=DEADLINE_S) == ({"t_ms": 5, "section": 17}, 0)
        link = client.call("STATISTICS")["link"]
        assert link["bad_crc"] == link["resends"] == 0
        assert client.statistics()["events"] == 49
        assert client.statistics()["resends"] == 0
    assert client.failure is not None
    assert client.failure.code == 7006


def test_many_calls_share_the_window_and_keep_their_order(served: Served) -> None:
    with Client.open(served.address) as client:
        commands = [client.submit("PING", echo=bytes([n])) for n in range(100)]
        replies = [client.result(command) for command in commands]
    assert [reply["echo"][0] for reply in replies] == list(range(100))
    assert [reply["uptime_ms"] for reply in replies] == list(range(1, 101)), "done in that order"


def test_calls_from_several_threads_do_not_mix() -> None:
    with ServedOnPty() as table, Client.open(table.address) as client:
        wrong: list[object] = []

        def work(name: int) -> None:
            for n in range(25):
                echo = bytes([name, n])
                if client.call("PING", echo=echo)["echo"] != echo:
                    wrong.append(echo)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE_S)
        assert not wrong
        assert len(table.table.done) == 100


# four ways in which a port cannot be had

def test_a_port_that_is_absent() -> None:
    with pytest.raises(WheelwrightError) as raised:
        Client.open("/dev/ttyNOSUCH9")
    assert code_of(raised) == 7001


def test_case_53_a_port_that_is_busy_names_who_holds_it_and_the_first_user_goes_on() -> None:
    log = Log()
    with ServedOnPty(Journal(5)) as table, Client.open(table.address) as first:
        first.subscribe(1, log.record)
        log.wait(5)
        with pytest.raises(WheelwrightError) as raised:
            Client.open(table.address)
        assert code_of(raised) == 7002
        table.journal.append()
        assert log.wait(6) == [1, 2, 3, 4, 5, 6]
        assert first.statistics()["bad_crc"] == first.statistics()["bad_frame"] == 0


def test_case_53_the_holder_is_named_with_its_process() -> None:
    far, near = pty.openpty()
    hold = "import fcntl, sys; port = open(sys.argv[1], 'rb'); fcntl.flock(port, fcntl.LOCK_EX);"
    wait = "print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold + wait, os.ttyname(near)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(WheelwrightError) as raised:
            ports.open_port(os.ttyname(near))
        other.communicate()
    assert code_of(raised) == 7002
    assert f"(process {other.pid})" in str(raised.value)
    os.close(far)
    os.close(near)


def test_case_53_a_table_on_a_socket_that_turns_a_second_host_away_is_busy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        turn_away = threading.Thread(target=lambda: [listener.accept()[0].close() for _ in range(2)])
        turn_away.start()
        with pytest.raises(WheelwrightError) as raised:
            Client.open(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        turn_away.join()
    assert code_of(raised) == 7002


def test_another_service_that_hangs_up_on_what_it_hears_is_no_table_and_no_busy_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An MQTT broker waits for its own greeting; what a table is asked ends the connection."""
    monkeypatch.setattr(link, "ENGAGED_S", 0.1)

    def serve() -> None:
        for _ in range(2):
            caller, _ = listener.accept()
            caller.recv(1)  # b"" from the one who says nothing and leaves
            caller.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        service = threading.Thread(target=serve)
        service.start()
        with pytest.raises(WheelwrightError, match="hangs up on what is said to it") as raised:
            Client.open(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        service.join()
    assert code_of(raised) == 7004


def test_case_53_of_two_programs_with_a_port_the_one_that_locked_it_is_named() -> None:
    """A virtual table behind a pseudo terminal has its own end open, and holds nobody up."""
    far, near = pty.openpty()
    programs = []
    for lock in ("", "fcntl.flock(port, fcntl.LOCK_EX);"):
        hold = f"import fcntl, sys; port = open(sys.argv[1], 'rb'); {lock} print('held', flush=True); sys.stdin.read()"
        command = [sys.executable, "-c", hold, os.ttyname(near)]
        programs.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        assert programs[-1].stdout is not None
        assert programs[-1].stdout.readline() == b"held\n"
    with pytest.raises(WheelwrightError, match=rf"E-7002 .*\(process {programs[1].pid}\)"):
        ports.open_port(os.ttyname(near))
    for program in programs:
        program.communicate()
    os.close(far)
    os.close(near)


def test_a_port_that_is_not_permitted_names_the_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "port").touch()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    for group, advice in (("dialout", "usermod -aG dialout"), ("root", "doctor")):
        monkeypatch.setattr("wheelwright.ports._group", lambda _address, group=group: group)
        with pytest.raises(WheelwrightError) as raised:
            Client.open(str(tmp_path / "port"))
        assert code_of(raised) == 7003
        assert advice in raised.value.advice


def test_a_port_that_is_silent() -> None:
    far, near = pty.openpty()
    tty.setraw(near)
    try:
        with pytest.raises(WheelwrightError) as raised:
            Client.open(os.ttyname(near), timeout=0.2)
        assert code_of(raised) == 7004
        assert "it sends nothing" in str(raised.value)
    finally:
        os.close(far)
        os.close(near)


def test_a_port_with_something_else_on_it_says_so() -> None:
    far, near = pty.openpty()
    tty.setraw(near)
    prompt = threading.Thread(target=lambda: os.read(far, 99) and os.write(far, b"MicroPython v1.25.0\r\n>>> "))
    prompt.start()
    try:
        with pytest.raises(WheelwrightError) as raised:
            Client.open(os.ttyname(near), timeout=0.3)
        assert code_of(raised) == 7004
        assert "not in this protocol" in str(raised.value)
    finally:
        prompt.join()
        os.close(far)
        os.close(near)


def test_a_line_that_only_echoes_is_no_table() -> None:
    with pytest.raises(WheelwrightError) as raised:
        Client.open("loop://", timeout=0.3)
    assert code_of(raised) == 7004
    assert "not in this protocol" in str(raised.value)


def test_an_address_where_nothing_listens_or_that_is_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (tmp_path / "file").write_text("no port")
    for address, code in (
        (f"socket://127.0.0.1:{port}", 7007), ("socket://no.such.host.invalid:1", 7005), ("socket://nonsense", 7005),
        ("socket://nonsense:99999", 7005), (f"rfc2217://127.0.0.1:{port}", 7007), ("hwgrep://no such port", 7001),
        ("carrier://pigeon", 7005), (str(tmp_path / "file"), 7005),
    ):  # fmt: skip
        with pytest.raises(WheelwrightError) as raised:
            Client.open(address, timeout=0.2)
        assert code_of(raised) == code, address


def test_another_table_than_the_one_asked_for_is_refused(served: Served) -> None:
    with pytest.raises(WheelwrightError) as raised:
        Client.open(served.address, serial="T-0002")
    assert code_of(raised) == 7008
    assert "T-0001" in str(raised.value)
    with Client.open(served.address, serial="T-0001") as client:
        client.call("PING")


# field cases of ports and sessions

def test_case_57_the_state_is_learnt_by_asking_not_from_a_boot_message() -> None:
    with ServedOnPty() as table:
        os.write(table.far, b"BOOT 3 POWER\r\n")  # said before anybody listened
        for _ in range(2):
            with Client.open(table.address) as client:
                assert (client.hello.boot, client.hello.reset) == (3, "POWER")


def test_case_56_leftover_output_satisfies_no_new_session() -> None:
    with ServedOnPty(Journal(3)) as table:
        with Client.open(table.address) as client:
            client.subscribe(1, lambda number, data: None)
            for n in range(20):
                client.submit("PING", echo=bytes([n]))
        with Client.open(table.address) as client:
            assert client.call("PING", echo=b"new")["echo"] == b"new"
            assert client.statistics()["events"] == 0


def test_case_16_a_port_is_opened_with_dtr_high(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("serial.serialposix.Serial._update_dtr_state", lambda self: asked.append(self._dtr_state))
    with ServedOnPty() as table, Client.open(table.address):
        assert asked == [True]


@pytest.mark.parametrize("make", [ServedOnPty, ServedOnSocket], ids=["pty", "socket"])
def test_case_54_a_pulled_plug_is_one_sentence(make: type[Served]) -> None:
    log = Log()
    table = make(Journal(20))
    with table:
        client = Client.open(table.address)
        client.subscribe(1, log.record)
        log.wait(20)
    until(lambda: client.failure is not None)
    with pytest.raises(WheelwrightError) as raised:
        client.call("PING")
    assert code_of(raised) == 7006
    (frames,) = raised.value.__notes__
    assert "> HELLO" in frames
    assert "< EVENT 20" in frames
    client.close()
    client.close()


def test_case_54_after_a_pull_in_record_512_the_table_is_found_by_number_and_no_record_is_missing() -> None:
    log = Log()
    journal = Journal(600)
    far_end = ServedOnPty(journal)

    def cut(data: bytes) -> bytes:
        """The plug goes in the middle of record 512."""
        if not any(frame.sequence == 512 for frame in Framer().feed(data)):
            return data
        far_end.stopping = True
        return data[:30]

    far_end.damage = cut
    with far_end:
        client = Client.open(far_end.address)
        client.subscribe(1, log.record, log.gap)
        log.wait(511)
    until(lambda: client.failure is not None)
    assert client.cursor == 512
    with ServedOnPty(Journal(900), serial="T-0666") as other, ServedOnPty(journal) as same:
        client.address = other.address  # another table has taken the old name
        again = client.reattach(candidates=lambda: ["/dev/ttyGONE", same.address])
        assert again.address == same.address
        assert log.wait(600) == list(range(1, 601))
        assert not log.gaps
        again.close()


def test_case_54_a_different_table_on_the_old_name_is_refused() -> None:
    with ServedOnPty() as table:
        client = Client.open(table.address)
    with ServedOnPty(serial="T-0666") as other:
        client.address = other.address
        with pytest.raises(WheelwrightError) as raised:
            client.reattach(0.3, candidates=list)
        assert code_of(raised) == 7008


def test_records_lost_while_unplugged_are_named() -> None:
    log = Log()
    journal = Journal(10)
    with ServedOnPty(journal) as table:
        client = Client.open(table.address)
        client.subscribe(1, log.record, log.gap)
        log.wait(10)
        until(lambda: client.cursor == 11)
    for _ in range(20):
        journal.append()
    for number in range(1, 16):
        del journal.records[number]
    journal.first = 16
    with ServedOnPty(journal) as table, client.reattach(candidates=lambda: [table.address]) as again:
        log.wait(25)
        assert log.gaps == [(11, 15)]
        assert again.failure is None


def test_a_table_that_comes_back_with_an_empty_journal_is_named_and_its_port_given_back() -> None:
    log = Log()
    with ServedOnPty(Journal(10)) as table:
        client = Client.open(table.address)
        client.subscribe(1, log.record)
        log.wait(10)
        until(lambda: client.cursor == 11)
    with ServedOnPty(Journal(3)) as table:
        with pytest.raises(Refused) as raised:
            client.reattach(candidates=lambda: [table.address])
        assert raised.value.code == 1012
        with Client.open(table.address) as another:
            assert another.call("PING")


def test_a_restart_of_the_table_ends_the_session_and_events_go_on_after_reattaching() -> None:
    log = Log()
    with ServedOnPty(Journal(4)) as table:
        client = Client.open(table.address)
        client.subscribe(1, log.record)
        log.wait(4)
        table.restart()
        table.journal.append()
        with pytest.raises(WheelwrightError) as raised:
            client.call("PING")
        assert code_of(raised) == 7015
        with client.reattach() as again:
            assert log.wait(5) == [1, 2, 3, 4, 5]
            assert again.call("PING")


def test_a_record_whose_callback_failed_is_not_acknowledged_and_the_reason_is_told() -> None:
    with ServedOnPty(Journal(9)) as table:
        client = Client.open(table.address)

        def full(number: int, data: bytes) -> None:
            if number == 6:
                raise WheelwrightError(8001, url="log.db")

        client.subscribe(1, full)
        until(lambda: client.failure is not None)
        with pytest.raises(WheelwrightError) as raised:
            client.check()
        assert code_of(raised) == 8001
        assert client.cursor == 6
        client.close()


def test_what_a_callback_met_stands_behind_the_error_that_ended_the_link() -> None:
    with ServedOnPty(Journal(9)) as table:
        client = Client.open(table.address)

        def gone(number: int, data: bytes) -> None:
            raise BrokenPipeError

        client.subscribe(1, gone)
        until(lambda: client.failure is not None)
        assert isinstance(client.failure.__cause__, BrokenPipeError)
        client.close()


def test_a_callback_may_not_call_the_table() -> None:
    with ServedOnPty(Journal(1)) as table:
        client = Client.open(table.address)
        client.subscribe(1, lambda number, data: client.call("PING") and None)
        until(lambda: client.failure is not None)
        assert client.failure is not None
        assert client.failure.code == 9901
        assert "callback" in str(client.failure)
        client.close()


def test_events_and_calls_survive_a_line_that_damages_every_ninth_frame() -> None:
    log = Log()
    seen: set[bytes] = set()

    def damage(data: bytes) -> bytes:
        """The first time it is sent; what is repeated gets through."""
        if data in seen:
            return data
        seen.add(data)
        return data if len(seen) % 9 else data[:5] + bytes([data[5] ^ 0x11 or 1]) + data[6:]

    table = ServedOnPty(Journal(120))
    table.damage = damage
    with table, Client.open(table.address) as client:
        client.subscribe(1, log.record, log.gap)
        commands = [client.submit("PING", echo=bytes([n])) for n in range(60)]
        replies = [client.result(command) for command in commands]
        assert [reply["uptime_ms"] for reply in replies] == list(range(1, 61))
        assert log.wait(120) == list(range(1, 121))
        assert not log.gaps
        assert client.statistics()["bad_crc"] + client.statistics()["bad_frame"] > 0
    assert log.threads == {f"link {table.address}"}


def test_ports_are_listed() -> None:
    assert all(port.address for port in ports.candidates())
    assert ports.candidate_at("socket://localhost:1") is None


def test_a_usb_device_is_known_again_under_another_name() -> None:
    one = ports.Candidate("/dev/ttyACM0", "E660", "Pico", 0x2E8A, 5)
    assert ports.Candidate("/dev/ttyACM1", "E660", "Pico", 0x2E8A, 5).is_same_device(one)
    assert not ports.Candidate("/dev/ttyACM1", "E661", "Pico", 0x2E8A, 5).is_same_device(one)
    assert not ports.Candidate("/dev/ttyS1", "", "", 0, 0).is_same_device(ports.Candidate("/dev/ttyS0", "", "", 0, 0))


def test_a_frame_limit_above_ours_does_not_matter() -> None:
    assert schema.FRAME >= 1024 + 9 + 4 + 11, "a whole record fits an EVENT"
