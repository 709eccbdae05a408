"""The whole table on the emulated chip, over its emulated USB link, with its wheel turned and its power cut.

It is a device under test of pytest-embedded: the harness opens the port and owns it, and the client is on that port.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cbor2
import pytest
from tabletop.digest import hmac_sha256
from tabletop.journal import kinds, record
from tabletop.link import schema
from wheelwright import aim
from wheelwright.hand import Hand
from wheelwright.link import Client

from tests.emulated.console import ChipConsole
from tests.emulated.process import START_S, Process
from tests.emulated.table import KEY
from tests.virtual.embedded.conftest import LentPort

pytestmark = [pytest.mark.emulated, pytest.mark.slow]
READY, BETS = "TE5T", "BET5"  # seven segments
ASK_S = 3.0  # a question takes the chip 15 ms, and emulated time is slow: asking more often would slow the wheel
WAGERS = [[1, "10", 5000], [2, "1", 1000]]


@pytest.fixture(scope="module")
def table(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("table")
    with Process(folder / "emulator.log", flash=str(folder / "flash.bin")) as process:
        process.until(READY)
        process.run_for(1100)  # a wheel that turns sooner was turning before the start
        yield process


@pytest.fixture
def embedded_services() -> str:
    return "serial"


@pytest.fixture
def port(table: Process) -> str:
    """The port of the device under test."""
    return table.address


@pytest.fixture
def client(dut: Any) -> Iterator[Client]:
    with dut.serial.disable_redirect_thread():  # it is for text
        device = dut.serial.proc

        def lent(address: str, _baud: int) -> LentPort:
            return LentPort(device, address)

        with Client.open(device.port, START_S, keepalive_s=None, opener=lent) as client:
            yield client


def wait_for(client: Client, phase: str) -> dict[str, object]:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        status = client.call("STATUS")
        if status["phase"] == phase:
            return status
        time.sleep(ASK_S)
    raise TimeoutError(f"the phase is {status['phase']}, not {phase}")


def test_the_table_tells_the_program_of_the_image_and_that_it_is_emulated(client: Client, image: Path) -> None:
    facts = json.loads(image.with_suffix(".json").read_text())
    assert client.hello.program.hex() == facts["program"]
    assert client.hello.version == facts["version"]
    assert client.hello.serial == "EMULATED-1"
    assert client.hello.reset == "POWER_ON"
    assert client.hello.test, "an emulated board stays in test mode"


def test_the_self_test_passes(client: Client) -> None:
    reply = client.call("SELF_TEST")
    assert reply["passed"], reply


def test_all_byte_values_in_frames_of_many_sizes_come_back_whole(client: Client) -> None:
    for size in (1, 2, 3, 46, 47, 48, 62, 63, 64, 65, 127, 128, 129, 253, 254, 255, 256, 511, 512, 513, 520):
        echo = bytes((index * 37 + size) & 255 for index in range(size))
        assert client.call("PING", echo=echo)["echo"] == echo, size
    everything = bytes(range(256)) * 2
    assert client.call("PING", echo=everything)["echo"] == everything


def test_the_lamps_on_the_pins_are_those_that_the_table_reports(table: Process, client: Client) -> None:
    deadline = time.monotonic() + START_S
    while True:  # twice a second the marks of test mode blink, and asking takes its time
        reply = client.call("DISPLAY")
        lights = table.hand("lights", timeout=60)
        if bytes.fromhex(lights["rim"]) == reply["rim"] or time.monotonic() > deadline:
            break
    assert len(reply["rim"]) == 486
    assert bytes.fromhex(lights["rim"]) == reply["rim"]
    assert lights["gap_us"]["RIM"] >= 280


def test_case_46_leds_that_had_to_be_dimmed_are_told(client: Client) -> None:
    before = client.call("STATISTICS")["table"]["limited"]
    client.call("LAMPS", strip="rim", first=0, count=162, grb=b"\xff\xff\xff", digits=[], tower="", lamps=0)
    assert client.call("STATISTICS")["table"] == {"limited": before + 1, "dark": 0}
    client.call("LAMPS", strip="rim", first=0, count=0, grb=bytes(3), digits=[], tower="", lamps=0)


def test_a_press_on_the_start_buttons_pin_opens_bets_and_void_returns_them(table: Process, client: Client) -> None:
    table.hand("press", button="START", ms=120)
    wait_for(client, "BETS_OPEN")
    table.hand("press", button="VOID", ms=120)
    wait_for(client, "TEST")


def spin_soon_over(hand: Hand, words: str, direction: int) -> aim.Forecast:
    """Of a few launches that end as `words` say, the one that rests first: emulated time is dear."""
    state = hand.rest()
    plans = [aim.plan(state["at"], state["side"], words, seed) for seed in range(12)]
    launch, end = min((plan for plan in plans if plan[0].direction == direction), key=lambda plan: plan[1].seconds)
    hand("spin", **launch.order())
    return end


@pytest.mark.parametrize(("words", "direction"), [("section 9", 1), ("between", -1), ("short", 1)])
def test_a_spin_on_the_pins_gives_what_the_wheel_did(
    table: Process, client: Client, words: str, direction: int
) -> None:
    spins: list[dict[str, object]] = []

    def take(_number: int, data: bytes) -> None:
        entry = record.decode(data)
        if entry.kind == kinds.SPIN:
            spins.append(cbor2.loads(entry.payload))

    client.subscribe(client.call("STATUS")["last"] + 1, take)
    client.call("OPEN_BETS")
    client.call("WAGER", bets=WAGERS)
    client.call("NO_MORE_BETS")
    end = spin_soon_over(table.hand, words, direction)
    resets = table.hand("state")["resets"]
    if words == "short":  # field case 21: some firmware goes to its boot loader
        table.run_for(300)
        assert table.hand("state")["moving"]
        table.hand("touch")
    deadline = time.monotonic() + 2 * START_S
    while not spins and time.monotonic() < deadline:
        for _ in range(3):
            client.check()
            time.sleep(ASK_S)
        client.call("PING")  # a table tells nothing to a host that says nothing for ten seconds
    (spin,) = spins
    assert abs(abs(int(str(spin["turns_milli"]))) - end.turns * 1000) < 20
    assert spin["direction"] == direction
    if words == "section 9":
        assert (spin["outcome"], spin.get("section")) == ("SECTION", 9), spin
    else:
        assert spin["outcome"] == ("BETWEEN_SECTIONS" if words == "between" else "SHORT_SPIN"), spin
        assert "section" not in spin
    assert (table.hand("state")["resets"], client.call("STATUS")["phase"] != "BOOT") == (resets, True)
    client.call("VOID" if words != "section 9" else "SETTLE", **({"reason": "TEST"} if words != "section 9" else {}))


def test_nothing_until_now_has_come_near_the_end_of_the_stack(table: Process) -> None:
    """The self-test goes deepest: from a frame of the link into the generator. It ended in the stack of 8 KB."""
    assert 4096 < table.hand("stack")["unused"] < 12_000


def test_a_round_is_taken_up_again_after_a_power_cut_in_the_flash(table: Process) -> None:
    with Client.open(table.address, START_S) as client:
        boot = client.hello.boot
        wait_for(client, "TEST")
        number = client.call("OPEN_BETS")["round"]
        client.call("WAGER", bets=WAGERS)
        last = client.call("STATUS")["last"]
    table.hand("cut_at", n=1, keeps=20)  # the record that closes the bets is written in part
    table.hand("press", button="NO_MORE_BETS", ms=120)
    table.blank()
    table.until(BETS)
    with Client.open(table.address, START_S) as client:
        assert client.hello.boot == boot + 1
        assert client.hello.reset == "POWER_ON"
        status = client.call("STATUS")
        assert (status["phase"], status["round"], status["tilts"]) == ("BETS_OPEN", number, [])
        assert status["wagered_mills"] == 6000
        assert status["last"] > last
        client.call("VOID", reason="TEST")


def test_a_signed_command_gives_the_console_and_no_watchdog_bites_there(table: Process) -> None:
    """Field case 26: an upload may take as long as it takes."""
    table.hand("key", key="SERVICE", on=True)
    with Client.open(table.address, START_S) as client:
        wait_for(client, "SERVICE")
        args = {"reason": "CONSOLE"}
        data = schema.to_sign(client.call("CHALLENGE")["nonce"], schema.number_of("RESTART"), args)
        resets = table.hand("state")["resets"]
        client.call("RESTART", mac=hmac_sha256(KEY, data), **args)
    table.hand("key", key="SERVICE", on=False)
    deadline = time.monotonic() + START_S
    while table.hand("state")["resets"] == resets and time.monotonic() < deadline:
        time.sleep(0.2)
    assert mpremote(table.address, "exec", "kept = 6 * 7; print(kept)").strip() == "42"
    table.run_for(9000)
    assert mpremote(table.address, "exec", "print(kept)").strip() == "42"
    assert table.hand("state")["resets"] == resets + 1


def test_the_harness_reads_and_writes_the_console_as_text(table: Process, dut: Any) -> None:
    for signal in ("KEY_SERVICE", "VOID", "NO_MORE_BETS"):
        table.hand("wires", signal=signal, on=True)
    table.hand("reset")
    table.run_for(300)
    dut.write("\r\n")
    dut.expect_exact(">>> ", timeout=START_S)
    dut.write("print(6 * 7, 'is the answer')\r\n")
    dut.expect_exact("42 is the answer", timeout=START_S)


def test_service_key_and_two_buttons_give_the_console_and_a_reset_gives_the_table(table: Process) -> None:
    for signal in ("KEY_SERVICE", "VOID", "NO_MORE_BETS"):
        table.hand("wires", signal=signal, on=True)
    table.hand("reset")
    assert mpremote(table.address, "exec", "print(6 * 7)").strip() == "42"
    for signal in ("KEY_SERVICE", "VOID", "NO_MORE_BETS"):
        table.hand("wires", signal=signal, on=False)
    table.blank()
    table.hand("reset")
    table.until(READY)
    with Client.open(table.address, START_S) as client:
        assert client.hello.reset == "RUN_PIN"


def mpremote(address: str, *words: str) -> str:
    run = subprocess.run([sys.executable, "-m", "mpremote", "connect", address, "resume", *words],
                         capture_output=True, text=True, check=True, timeout=START_S)
    return run.stdout


def test_case_21_a_port_opened_at_1200_baud_and_closed_restarts_nothing_at_the_prompt(chip: ChipConsole) -> None:
    chip.run("alive = 1")
    for late in range(20):  # where in a frame of USB it falls is chance
        chip.table.touch()
        chip.pass_ms(120 + late / 4)
    assert chip.table.resets == 0
    assert chip.run("print(alive)").strip() == "1"
