"""Trust on a whole table: noise that fails, tasks that hang, laboratory exports, raw dumps, privileged commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner
from wheelwright import signatures, supervising
from wheelwright.cli.app import app
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client
from wheelwright.logbook import flash_dump
from wheelwright.virtual import Hand, VirtualTable, board_file

from tests.conftest import need_micropython
from tests.json_shapes import fits

pytestmark = pytest.mark.virtual
BETS = [[1, "10", 5000]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        yield table


def last_of(table: VirtualTable, kind: str) -> dict[str, object]:
    """The payload of the newest record of a kind in the table's flash."""
    from tabletop.journal import fields
    from wheelwright.logbook.entries import payload_of

    number = next(n for n, entry in fields.KINDS.items() if entry[0] == kind)
    found = flash_dump.rows(table.flash, table.flash.read_bytes(), {})
    return payload_of([row for row in found if row.kind == number][-1].raw)


def test_a_table_whose_noise_fails_stops_with_tilt_61_and_service_mends_it(table: VirtualTable) -> None:
    key = supervising.read_key(board_file("VIRTUAL"))
    with Client.open(table.address) as client:
        table.hand("noise", stuck=True)
        with pytest.raises(Refused, match="T-61"):
            client.call("RNG_RAW", bits=8)
        status = client.call("STATUS")
        assert (status["phase"], status["tilts"], status["rng"]) == ("TILT", [61], "repetition count")
        table.hand("key", key="SERVICE", on=True)
        table.hand("pass", ms=200)
        with pytest.raises(Refused, match="E-4004"):
            supervising.command(client, key, "CLEAR_TILT", tilt=61, operator="ann")
        table.hand("noise", stuck=False)
        assert supervising.command(client, key, "CLEAR_TILT", tilt=61, operator="ann")["tilts"] == []
        table.hand("key", key="SERVICE", on=False)
        table.hand("pass", ms=200)
        assert client.call("OPEN_BETS")["round"] == 1


def open_a_round(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        client.call("OPEN_BETS")
        client.call("WAGER", bets=BETS)
        client.call("NO_MORE_BETS")


@pytest.mark.parametrize(("task", "name"), [(1, "wheel"), (5, "link"), (6, "lights"), (7, "journal")])
def test_case_50_a_task_that_hangs_is_bitten_by_the_watchdog_and_named_after_it(
    table: VirtualTable, task: int, name: str
) -> None:
    open_a_round(table)
    table.hand("hang", task=task)
    table.wait_ready()
    with Client.open(table.address) as client:
        assert client.hello.reset == "WATCHDOG"
        status = client.call("STATUS")
        assert (status["phase"], status["tilts"]) == ("TILT", [41])
    assert last_of(table, "TILT")["detail"] == {"task": name, "reason": "WATCHDOG"}
    assert last_of(table, "BOOT")["reason"] == "WATCHDOG"


@pytest.mark.parametrize(("task", "name"), [(2, "sensing"), (4, "round"), (6, "lights")])
def test_a_task_that_dies_is_followed_by_a_restart_and_info_names_task_and_reason(
    table: VirtualTable, task: int, name: str
) -> None:
    open_a_round(table)
    table.hand("die", task=task)
    table.hand("pass", ms=100)
    table.hand("hurry", ms=3000)
    table.wait_ready()
    for start in ("(FAULT: a task failed, and the table started itself anew)", "(POWER_ON: power came on)"):
        done = CliRunner().invoke(app, ["info", "--port", table.address])
        assert done.exception is None, (done.exception, table.log.read_text())
        shown = done.stdout
        assert f"start {2 if 'FAULT' in start else 3} {start}" in shown
        assert "phase TILT, round 1" in shown
        assert f"T-41 task {name} stopped: RuntimeError made to fail" in shown
        hand = Hand(table.hand_address)
        hand("reset", reason="POWER_ON")
        hand.close()
        table.wait_ready()
    assert last_of(table, "BOOT")["detail"] == {"41": {"task": name, "reason": "RuntimeError made to fail"}}


def test_a_tilt_is_cleared_from_the_tool_with_key_and_switch_and_every_refusal_says_what_to_do(
    table: VirtualTable, tmp_path: Path
) -> None:
    run = CliRunner().invoke
    key = tmp_path / "key.hex"
    key.write_text(supervising.read_key(board_file("VIRTUAL")).hex() + "\n")

    def clear(tilt: int, device_key: Path = key, *words: str) -> tuple[int, str]:
        done = run(app, ["clear", str(tilt), "--operator", "ann", "--device-key", str(device_key),
                         "--port", table.address, *words])  # fmt: skip
        return done.exit_code, done.stdout + (str(done.exception) if done.exception else "")

    assert "E-4001" in clear(41)[1]
    table.hand("die", task=6)
    table.hand("pass", ms=100)
    table.hand("hurry", ms=3000)
    table.wait_ready()
    assert "E-1009 the command needs the service key switch: turn the service key and try again" in clear(41)[1]
    hand = Hand(table.hand_address)
    hand("key", key="SERVICE", on=True)
    hand("pass", ms=200)
    wrong = tmp_path / "wrong.hex"
    wrong.write_text("00" * 32)
    assert "E-7405 the device key in" in clear(41, wrong)[1]
    wrong.write_text("00" * 31)
    assert "a key has 32 bytes, this one has 31" in clear(41, wrong)[1]
    assert "E-4005 tilt T-42 is not open: clear one of the open tilts: T-41" in clear(42)[1]
    status, printed = clear(41, key, "--json")
    fits("clear", json.loads(printed))
    assert (status, json.loads(printed)["tilts"]) == (0, [])
    hand("key", key="SERVICE", on=False)
    hand("pass", ms=200)
    hand.close()
    with Client.open(table.address) as client:
        assert client.call("STATUS")["tilts"] == []
        assert client.call("OPEN_BETS")["round"] == 1
    help_text = run(app, ["clear", "--help"]).stdout
    for words in ("TILT", "--device-key", "--operator", "Clear a tilt whose cause is mended"):
        assert words in help_text


def test_an_update_that_nobody_approved_is_tilt_42_and_clear_approves_it(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        dump = table.flash.read_bytes()
    assert dump
    # the approval of another program in the place of the first one, as an update leaves it
    from tabletop import cbor
    from tabletop.journal import kinds, record
    from wheelwright.logbook.store import as_row

    rows = flash_dump.rows(table.flash, dump, {})
    last = rows[-1]
    approved = next(row for row in rows if row.kind == kinds.APPROVED)
    payload = cbor.dumps({"program": bytes(32), "operator": "", "of": approved.number})
    buffer = bytearray(record.MAX)
    size = record.encode_into(buffer, last.number + 1, last.boot, kinds.APPROVED, last.t_ms, 0, last.hash, payload)
    assert as_row(bytes(buffer[:size])).number == last.number + 1
    end = max(dump.index(row.raw) + -(-len(row.raw) // 256) * 256 for row in rows)
    image = bytearray(dump)
    image[end : end + size] = buffer[:size]
    table.flash.write_bytes(image)
    with VirtualTable(tmp_path, pace=0) as table:
        shown = CliRunner().invoke(app, ["info", "--port", table.address]).stdout
        assert "T-42 the program is" in shown
        assert "but 00000000 was approved on this table" in shown
        table.hand("key", key="SERVICE", on=True)
        table.hand("pass", ms=200)
        done = CliRunner().invoke(app, ["clear", "42", "--operator", "ann", "--device-key",
                                        str(board_file("VIRTUAL")), "--port", table.address])  # fmt: skip
        assert done.stdout == "cleared\n"
    with VirtualTable(tmp_path, pace=0) as table, Client.open(table.address) as client:
        assert client.call("STATUS")["tilts"] == []
    assert last_of(table, "APPROVED")["operator"] == "ann"


def test_case_50_power_order_and_watchdog_are_three_reasons_in_the_journal(tmp_path: Path) -> None:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        assert last_of(table, "BOOT")["reason"] == "POWER_ON"
        table.hand("reset", reason="HOST")
        table.wait_ready()
        assert last_of(table, "BOOT")["reason"] == "HOST"
        hand = Hand(table.hand_address)  # the one before went with the reset
        hand("hang", task=2)
        hand.close()
        table.wait_ready()
        assert last_of(table, "BOOT")["reason"] == "WATCHDOG"
    with VirtualTable(tmp_path, pace=0) as table:
        assert last_of(table, "BOOT")["reason"] == "POWER_ON"


def test_case_50_a_watchdog_time_that_the_chip_cannot_count_is_refused_at_load_with_the_limit(tmp_path: Path) -> None:
    need_micropython()
    board = json.loads(board_file("VIRTUAL").read_text())
    for watchdog_ms, refused in ((600000, True), (8389, True), (999, True), (8388, False)):
        board["watchdog_ms"] = watchdog_ms
        path = tmp_path / "board.json"
        path.write_text(json.dumps(board))
        if refused:
            words = f"watchdog_ms is {watchdog_ms}, but must be a whole number from 1000 to 8388"
            with pytest.raises(WheelwrightError) as failure:
                VirtualTable(tmp_path / str(watchdog_ms), board=str(path))
            assert words in str(failure.value) + (tmp_path / str(watchdog_ms) / "table.log").read_text()
        else:
            VirtualTable(tmp_path / str(watchdog_ms), board=str(path)).close()


def test_a_laboratory_gets_raw_noise_and_outcomes_marked_as_emulated(table: VirtualTable, tmp_path: Path) -> None:
    raw, outcomes = tmp_path / "noise.bin", tmp_path / "outcomes.txt"
    run = CliRunner().invoke
    done = run(app, ["rng", "raw", "-n", "20000", "--out", str(raw), "--port", table.address, "--json"])
    note = json.loads(done.stdout)
    fits("rng raw", note)
    assert (raw.stat().st_size, note["bits"], note["sample_bits"], note["emulated"]) == (2500, 20000, 1, True)
    ones = sum(byte.bit_count() for byte in raw.read_bytes())
    assert 9500 < ones < 10500  # seven standard deviations
    done = run(app, ["rng", "outcomes", "-n", "3000", "--range", "54", "--out", str(outcomes), "--port", table.address])
    assert "EMULATED TEST" in done.stdout
    lines = outcomes.read_text().splitlines()
    assert len(lines) == 3000
    assert {int(line) for line in lines} == set(range(54))
    again = ["-n", "10", "--out", str(tmp_path / "ten.txt"), "--port", table.address, "--json"]
    fits("rng outcomes", json.loads(run(app, ["rng", "outcomes", *again]).stdout))
    done = run(app, ["rng", "test", str(outcomes), "--json"])
    verdict = json.loads(done.stdout)
    assert (verdict["samples"], verdict["range"]) == (3000, 54)
    assert "EMULATED" in Path(verdict["report"]).read_text()
    with Client.open(table.address) as client:
        assert client.call("STATUS")["draws"] == 0


def test_a_raw_dump_over_the_link_is_the_flash_and_proves_whole(table: VirtualTable, tmp_path: Path) -> None:
    path = tmp_path / "dump.bin"
    done = CliRunner().invoke(app, ["log", "dump", "--port", table.address, "--out", str(path)])
    assert "524288 bytes of table VT-000001" in done.stdout
    assert path.read_bytes() == table.flash.read_bytes()
    again = ["log", "dump", "--port", table.address, "--out", str(tmp_path / "again.bin"), "--json"]
    fits("log dump", json.loads(CliRunner().invoke(app, again).stdout))
    verdict = flash_dump.verify_image(path, "VT-000001")
    assert verdict.whole
    assert verdict.records >= 2


def test_configuration_and_correction_from_the_tool(table: VirtualTable, tmp_path: Path) -> None:
    settings, key = tmp_path / "settings.json", str(board_file("VIRTUAL"))
    common = ["--device-key", key, "--operator", "ann", "--port", table.address]
    unsigned = [*common, "--unsigned"]
    run = CliRunner().invoke
    settings.write_text('{"max_mills": 20000, "min_turns": 2}')
    table.hand("key", key="SERVICE", on=True)
    table.hand("pass", ms=200)
    refused = run(app, ["configure", str(settings), *unsigned])
    assert "min_turns is 2, but must be a whole number from 3 to 20" in str(refused.exception)
    settings.write_text('{"max_mills": 20000}')
    assert "E-8106" in str(run(app, ["configure", str(settings), *common]).exception), "nobody signed it"
    fits("configure", json.loads(run(app, ["configure", str(settings), *unsigned, "--json"]).stdout))
    assert "signer" not in last_of(table, "CONFIGURED")
    settings.write_text('{"game": "dreamcatcher", "settings": {"max_mills": 20000}}')
    run(app, ["odds", "dreamcatcher", "--config", str(settings), "--key", str(tmp_path / "key.pem")])
    assert "configured" in run(app, ["configure", str(settings), *common]).stdout
    statement = signatures.check(settings)
    record = last_of(table, "CONFIGURED")
    assert record["signer"] == bytes.fromhex(statement["public_key"])
    assert record["hash"] == bytes.fromhex(statement["sha256"])
    assert "corrected" in run(app, ["correct", "1", "other chip", "--reason", "typo", *common]).stdout
    again = run(app, ["correct", "1", "other chip", "--reason", "typo", *common])
    assert "E-4012" in str(again.exception)
    second = run(app, ["correct", "1", "x", "--reason", "y", "--second", "bob", *common, "--json"])
    fits("correct", json.loads(second.stdout))
    table.hand("key", key="SERVICE", on=False)
    table.hand("reset", reason="HOST")
    table.wait_ready()
    with Client.open(table.address) as client:
        client.call("OPEN_BETS")
        with pytest.raises(Refused, match="maximum of 20000"):
            client.call("WAGER", bets=[[1, "10", 20001]])
    log = str(tmp_path / "log.db")
    assert run(app, ["log", "pull", "--port", table.address, "--db", log]).exit_code == 0
    shown = run(app, ["log", "show", "--db", log]).stdout
    assert "CORRECTION of record 1 by ann, authorised by bob: x (y)" in shown
    assert "configuration by ann, NOT SIGNED: max_mills 20000" in shown
    assert f"configuration by ann, signed by key {statement['public_key'][:16]} as " in shown


def test_a_laboratory_fits_into_the_memory_of_a_table_that_never_draws_and_leaves_none_of_it_behind(
    table: VirtualTable,
) -> None:
    with Client.open(table.address) as client:
        client.call("STATUS")
        before = table.hand("state")["mem_free"]
        for _ in range(3):
            for _ in range(5):
                client.call("RNG_OUTCOMES", n=32, range=1 << 32)
                client.call("RNG_RAW", bits=1024)
            assert table.hand("state")["mem_free"] > 2048
            table.hand("pass", ms=7000)
            assert table.hand("state")["mem_free"] > before - 2048
        assert client.call("SELF_TEST")["passed"]
        assert table.hand("state")["mem_free"] > before - 3072
        assert client.call("OPEN_BETS")["round"] == 1


def test_a_round_of_every_wager_of_seven_seats_is_held_within_the_memory_of_a_table(tmp_path: Path) -> None:
    need_micropython()
    bets = [[seat, spot, 5000] for seat in range(1, 8) for spot in ("1", "2", "5", "10", "20", "40")]
    with VirtualTable(tmp_path, pace=0) as table, Client.open(table.address) as client:
        client.call("OPEN_BETS")
        client.call("WAGER", bets=bets)
        client.call("NO_MORE_BETS")
    held = False
    for _ in range(36):
        with VirtualTable(tmp_path, pace=0) as table, Client.open(table.address) as client:
            status = client.call("STATUS")
            assert (status["phase"], status["tilts"], status["bets"]) == ("NO_MORE_BETS", [], 42)
            held = held or status["last"] > 2 * client.hello.boot + 5
    assert held, "a start wrote more than its BOOT and its self-test"
