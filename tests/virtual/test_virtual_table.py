"""The whole firmware in its own process: boots, obeys hand and host, and takes noise, cuts and rude clients."""

from __future__ import annotations

import hashlib
import json
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tabletop.digest import hmac_sha256
from tabletop.hal.virtual.wheel import SECTION
from tabletop.link import schema
from wheelwright.aim import Launch, forecast
from wheelwright.compiling.compiled import program
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client
from wheelwright.virtual import Hand, VirtualTable, board_file

from tests.conftest import need_micropython

pytestmark = pytest.mark.virtual
BETS = [[1, "10", 5000], [2, "1", 1000]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        yield table


def endpoint(table: VirtualTable) -> tuple[str, int]:
    host, _, port = table.address.removeprefix("socket://").partition(":")
    return host, int(port)


def status(table: VirtualTable) -> dict[str, object]:
    with Client.open(table.address) as client:
        return client.call("STATUS")


def play(table: VirtualTable, client: Client, words: str, seed: int = 1) -> dict[str, object]:
    """Spins the wheel in a round that waits for it, and lets it settle; STATUS then."""
    table.hand.spin(words, seed)
    table.hand.rest()
    table.hand("pass", ms=2500)
    return client.call("STATUS")


def rounds(client: Client, n: int) -> None:
    for _ in range(n):
        client.call("OPEN_BETS")
        client.call("VOID", reason="TEST")


def awaits_spin(client: Client) -> None:
    client.call("OPEN_BETS")
    client.call("WAGER", bets=BETS)
    client.call("NO_MORE_BETS")


def test_it_boots_and_says_who_it_is(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        assert client.hello.serial == table.serial == "VT-000001"
        assert client.hello.reset == "POWER_ON"
        assert client.hello.boot == 1
        assert client.hello.test
        assert client.call("STATUS")["phase"] == "TEST"
    assert table.log.read_text() == ""


def test_memory_is_left_when_it_is_ready(table: VirtualTable) -> None:
    assert table.ready["mem_free"] > 26_000  # of 200 KB


def test_the_program_that_a_table_proves_is_the_program_that_it_runs(table: VirtualTable) -> None:
    folder = program()
    files = [folder / "boot.mpy", folder / "main.mpy", *in_order(folder / "tabletop")]
    data = b"".join(path.read_bytes() for path in files)
    with Client.open(table.address) as client:
        reply = client.call("VERIFY", algorithm="sha256")
        assert reply["digest"] == client.hello.program == hashlib.sha256(data).digest()
        assert (reply["files"], reply["size"]) == (len(files), len(data))


def in_order(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.is_dir():
            yield from in_order(path)
        else:
            yield path


def test_a_micropython_that_does_not_know_the_compiled_format_is_named(tmp_path: Path, monkeypatch) -> None:
    need_micropython()
    main = bytearray((program() / "main.mpy").read_bytes())
    main[1] -= 1  # the version of the format
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "main.mpy").write_bytes(main)
    monkeypatch.setattr("wheelwright.virtual.program", lambda: tmp_path / "program")
    with pytest.raises(WheelwrightError, match="E-7209"):
        VirtualTable(tmp_path)


def test_a_round_is_decided_by_where_the_wheel_rests(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        end = table.hand.spin("section 9", 4)
        assert table.hand.rest()["at"] == end.at
        table.hand("pass", ms=2500)
        reply = client.call("STATUS")
        assert reply["phase"] == "RESULT"
        assert reply["result"]["section"] == 9
        assert reply["result"]["symbol"] == "10"


def test_respins_and_bonus_spins_follow_the_wheel(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        assert play(table, client, "short")["phase"] == "NO_MORE_BETS"
        assert play(table, client, "between")["phase"] == "NO_MORE_BETS"
        assert play(table, client, "symbol 2x")["phase"] == "BONUS"
        assert play(table, client, "symbol 7x")["phase"] == "BONUS"
        reply = play(table, client, "symbol 10")
        assert reply["phase"] == "RESULT"
        assert reply["result"]["multiplier"] == 14


@pytest.mark.parametrize("pace", [0, 10, 40])
def test_the_pace_changes_nothing_but_the_waiting(tmp_path: Path, pace: int) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=pace, at_milli=7_300) as table:
        table.hand("spin", speed_mturns_s=700, direction=-1, noise=11)
        end = forecast(7_300 * SECTION // 1000, 0, Launch(700, -1, 11))
        state = table.hand.rest()
        assert (state["at"], state["side"]) == (end.at, end.side)
        assert state["section_milli"] // 1000 == end.section


def test_case_51_a_spin_over_the_wrap_of_the_clock_is_one_right_result(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0, clock_ms=2**30 - 5_000) as table, Client.open(table.address) as client:
        awaits_spin(client)
        end = table.hand.spin("number", 1)
        assert end.seconds > 5
        table.hand.rest()
        table.hand("pass", ms=2500)
        reply = client.call("STATUS")
        assert (reply["phase"], reply["result"]["section"]) == ("RESULT", end.section)
        assert table.hand("state")["ms"] < 60_000


def test_case_51_the_lamps_follow_the_table_just_before_the_clock_wraps(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0, clock_ms=2**30 - 60_000) as table, Client.open(table.address) as client:
        client.call("OPEN_BETS")
        table.hand("pass", ms=200)
        assert client.call("DISPLAY")["tower"] == "bets"
        client.call("NO_MORE_BETS")
        table.hand("pass", ms=200)
        display = client.call("DISPLAY")
        assert display["tower"] != "bets"
        assert any(display["rim"])
        assert table.hand("state")["ms"] < 60_000, "since power-on: the clock has not wrapped yet"


def test_a_power_cut_at_rest_loses_no_round(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        client.call("OPEN_BETS")
        client.call("WAGER", bets=BETS)
        before = client.call("STATUS")
    table.kill()
    table.restart()
    with Client.open(table.address) as client:
        after = client.call("STATUS")
        assert client.hello.boot == 2
        for key in ("phase", "round", "wagered_mills", "bets"):
            assert after[key] == before[key], key
        client.call("NO_MORE_BETS")
        assert play(table, client, "section 9")["result"]["section"] == 9


def test_a_power_cut_in_mid_spin_voids_that_spin_and_keeps_the_round(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        table.hand("pace", pace=1)
        table.hand("spin", speed_mturns_s=1200)
        while client.call("STATUS")["phase"] != "SPINNING":
            pass
    table.kill()
    table.restart(pace=0)
    with Client.open(table.address) as client:
        reply = client.call("STATUS")
        assert (reply["phase"], reply["wagered_mills"]) == ("NO_MORE_BETS", 6000)
        assert play(table, client, "section 9")["phase"] == "RESULT"


@pytest.mark.parametrize("percent", [0, 50, 100])
def test_power_that_fails_within_a_flash_operation_is_survived(table: VirtualTable, percent: int) -> None:
    for operation in (1, 4):
        table.restart(cut_after=0)
        used = table.hand("state")["store_operations"]
        table.restart(cut_after=used + operation, cut_percent=percent)
        with Client.open(table.address) as client, pytest.raises(WheelwrightError):
            rounds(client, operation + 1)
        assert table.wait_end() == 75
        table.restart(cut_after=0)
        reply = status(table)
        assert reply["phase"] in ("TEST", "BETS_OPEN")
        assert reply["tilts"] == []
        if reply["phase"] == "BETS_OPEN":
            with Client.open(table.address) as client:
                client.call("VOID", reason="TEST")


def test_killed_while_commands_are_under_way_it_comes_back_without_a_tilt_and_counts_its_starts(
    table: VirtualTable,
) -> None:
    draws = random.Random(8)
    rounds_begun = 0
    for boot in range(1, 9):
        with Client.open(table.address) as client:
            reply = client.call("STATUS")
            assert client.hello.boot == boot
            assert reply["tilts"] == []
            assert reply["round"] >= rounds_begun
            if reply["phase"] != "TEST":
                client.call("VOID", reason="TEST")
            commands = [client.submit("OPEN_BETS")]
            commands += [client.submit("WAGER", bets=BETS) for _ in range(draws.randrange(4))]
            client.result(commands[draws.randrange(len(commands))])
            rounds_begun = reply["round"] + 1
            table.kill()
        table.restart()


def test_a_reset_is_not_a_power_cut_and_the_wheel_stays(table: VirtualTable) -> None:
    table.hand("spin", speed_mturns_s=300)
    at = table.hand.rest()["at"]
    table.reset("HOST")
    with Client.open(table.address) as client:
        assert (client.hello.boot, client.hello.reset) == (2, "HOST")
    assert table.hand("state")["at"] == at


def test_case_17_noise_on_the_port_moves_nothing_and_the_next_client_is_served(table: VirtualTable) -> None:
    before = status(table)
    with socket.create_connection(endpoint(table)) as line:
        line.sendall(random.Random(5).randbytes(1000) + b"AT\rAT+GCAP\r" + bytes(200) + b"\x03\x04")
    after = status(table)
    for key in ("phase", "round", "last", "tilts"):
        assert after[key] == before[key]


def test_a_client_that_goes_in_mid_frame_leaves_the_line_clean(table: VirtualTable) -> None:
    for _ in range(3):
        with socket.create_connection(endpoint(table)) as line:
            line.sendall(b"\x12\x34\x56\x78")
        assert status(table)["phase"] == "TEST"


def test_case_53_a_second_client_is_turned_away_and_the_first_not_disturbed(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        client.call("PING")
        with socket.create_connection(endpoint(table)) as second:
            second.settimeout(10)
            assert second.recv(1) == b""
        assert client.call("PING", echo=b"still here")["echo"] == b"still here"


def test_case_16_a_host_that_does_not_read_changes_no_result(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        client.telemetry(50)
    with socket.create_connection(endpoint(table)) as deaf:  # takes the line and reads nothing
        deaf.sendall(b"\x00")
        end = table.hand.spin("number", 3)
        table.hand.rest()
        table.hand("pass", ms=2500)
    reply = status(table)
    assert (reply["phase"], reply["result"]["section"]) == ("RESULT", end.section)


def test_buttons_and_keys_act_as_the_dealer_s(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        table.hand("press", button="START")
        table.hand("pass", ms=200)
        assert client.call("STATUS")["phase"] == "BETS_OPEN"
        table.hand("press", button="VOID")
        table.hand("pass", ms=200)
        assert client.call("STATUS")["phase"] == "TEST"
        table.hand("key", key="SERVICE", on=True)
        table.hand("pass", ms=100)
        assert client.call("STATUS")["phase"] == "SERVICE"
        table.hand("key", key="SERVICE", on=False)
        table.hand("pass", ms=100)
        assert client.call("STATUS")["phase"] == "TEST"


def test_a_fault_in_mid_spin_gives_no_result_at_any_pace(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        play(table, client, "short")
        table.hand("fault", fault="freeze", after_ms=2500)
        reply = play(table, client, "number")
        assert reply["phase"] == "NO_MORE_BETS"
        assert "result" not in reply
        table.hand("fault", fault="freeze", value=0)
        table.hand("pass", ms=100)
        play(table, client, "short")  # the index is seen again
        assert play(table, client, "number")["phase"] == "RESULT"


def test_lamps_and_digits_are_kept_for_the_hand(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        awaits_spin(client)
        play(table, client, "symbol 40")
        lights = table.hand("lights")
        shown = client.call("DISPLAY")
    assert len(lights["rim"]) == 162 * 6
    assert int(lights["rim"], 16)
    assert lights["frames"] > 100
    assert (lights["tower"], lights["lamps"]) == (shown["tower"], shown["lamps"])
    texts = set(lights["digits"].values())
    for _ in range(4):  # in test mode the result gives way to the mark every other second
        table.hand("pass", ms=512)
        texts |= set(table.hand("lights")["digits"].values())
    assert {"40", "tESt"} <= texts


def test_orders_that_make_no_sense_are_refused_and_change_nothing(table: VirtualTable) -> None:
    before = table.hand("state")["at"]
    for do, arguments in [
        ("dance", {}),
        ("spin", {}),
        ("spin", {"speed_mturns_s": 0}),
        ("spin", {"speed_mturns_s": "fast"}),
        ("press", {"button": "SERVICE"}),
        ("key", {"key": "START", "on": True}),
        ("press", {"button": "NONE"}),
        ("place", {}),
        ("stop", {"ms": 0}),
    ]:
        with pytest.raises(WheelwrightError) as failure:
            table.hand(do, **arguments)
        assert failure.value.code == 7205, do
    assert table.hand("state")["at"] == before
    assert not table.hand("state")["moving"]
    with socket.create_connection(("127.0.0.1", int(table.hand_address.rpartition(":")[2]))):
        pass  # a second hand is turned away; the first goes on
    assert table.hand("state")["at"] == before


def test_garbage_at_the_hand_gets_an_error_each_line(table: VirtualTable) -> None:
    host, _, port = table.hand_address.partition(":")
    with socket.create_connection((host, int(port))) as line:
        line.settimeout(10)
        replies = line.makefile("r")
        line.sendall(b"not json\n[1, 2]\n{}\n\n" + b"x" * 600 + b"\n" + b'{"do": "state"}\n')
        lines = [replies.readline() for _ in range(6)]
    assert all('"ok": false' in text for text in lines[:5])
    assert '"ok": true' in lines[-1] or '"ok": true' in replies.readline()


def test_the_wheel_is_placed_by_hand(table: VirtualTable) -> None:
    for section in (17, 53, 0, 30):
        table.hand("place", section_milli=section * 1000 + 500)
        assert abs(table.hand.rest()["section_milli"] - section * 1000 - 500) < 60


def test_it_ends_when_its_launcher_does(table: VirtualTable) -> None:
    assert table._process is not None
    assert table._process.stdin is not None
    table._process.stdin.close()
    assert table.wait_end() == 0


def test_ctrl_c_ends_it_without_a_traceback(table: VirtualTable) -> None:
    import signal

    assert table._process is not None
    table._process.send_signal(signal.SIGINT)
    assert table.wait_end() == 0
    assert table.log.read_text() == ""


def test_on_a_pty_it_is_a_table_as_on_a_socket(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0, pty=True) as table:
        assert not table.address.startswith("socket:")
        with Client.open(table.address) as client:
            assert client.call("PING", echo=b"pty")["echo"] == b"pty"
        table.reset()
        with Client.open(table.address) as client:
            assert client.hello.boot == 2


def test_two_tables_never_write_to_one_flash(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        before = table.flash.read_bytes()
        with pytest.raises(WheelwrightError, match="E-7210"):
            VirtualTable(tmp_path, pace=0)
        assert table.flash.read_bytes() == before
        table.restart()
        with Client.open(table.address) as client:
            assert client.hello.boot == 2
    with VirtualTable(tmp_path, pace=0) as table, Client.open(table.address) as client:
        assert client.hello.boot == 3


def test_what_stops_a_start_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_micropython()
    with pytest.raises(WheelwrightError, match=r"E-7207.*NO_SUCH_BOARD"):
        VirtualTable(tmp_path, board="NO_SUCH_BOARD")
    with pytest.raises(WheelwrightError, match=r"E-7203.*no option jump=1"):
        VirtualTable(tmp_path, jump=1)
    (tmp_path / "flash.bin").write_bytes(b"short")
    with pytest.raises(WheelwrightError, match=r"E-7203.*has 5 bytes"):
        VirtualTable(tmp_path)
    assert (tmp_path / "flash.bin").read_bytes() == b"short"
    monkeypatch.setenv("MICROPYTHON", "no-such-micropython")
    with pytest.raises(WheelwrightError, match=r"E-7201.*no-such-micropython"):
        VirtualTable(tmp_path)
    for address in ("127.0.0.1:1", "nonsense"):
        with pytest.raises(WheelwrightError, match="E-7211"):
            Hand(address)


def test_an_emulated_table_stays_in_test_mode_unless_its_board_says_live(tmp_path: Path) -> None:
    need_micropython()
    with (
        VirtualTable(tmp_path / "test", pace=0) as table,
        Client.open(table.address) as client,
        pytest.raises(Refused),
    ):
        client.call("TEST_MODE", on=False)
    with (
        VirtualTable(tmp_path / "live", pace=0, live=1, serial="VT-000777") as table,
        Client.open(table.address) as client,
    ):
        assert client.hello.serial == "VT-000777"
        with pytest.raises(Refused, match="E-1008"):
            client.call("TEST_MODE", on=False)
        table.hand("key", key="SERVICE", on=True)
        nonce = client.call("CHALLENGE")["nonce"]
        key = bytes.fromhex(json.loads(board_file("VIRTUAL").read_text())["device_key"])
        mac = hmac_sha256(key, schema.to_sign(nonce, schema.number_of("TEST_MODE"), {"on": False}))
        client.call("TEST_MODE", on=False, mac=mac)
        table.hand("key", key="SERVICE", on=False)
        table.hand("pass", ms=50)
        assert client.call("STATUS")["phase"] == "READY"
