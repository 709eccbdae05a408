"""The emulated chip itself: flash, resets and their reasons, noise, identity, and the image's word for itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from rp2040py.device.base_device import ResetCause

from tests.conftest import Failed
from tests.emulated.console import ChipConsole
from tests.emulated.table import CRUMB, identity_sector

pytestmark = pytest.mark.emulated

ROUNDS = max(200 if os.environ.get("REQUIRE_ALL") else 40, int(os.environ.get("LONG", 0)))

STORE = """
from tabletop.hal.rp2.store import Store
from wheel_build import REGIONS
base = REGIONS["files"][0]
store = Store(REGIONS["journal"][0] - base, 8 * 4096)
"""


def test_the_image_tells_its_version_and_the_commit_that_it_was_built_from(chip: ChipConsole, image: Path) -> None:
    facts = json.loads(image.with_suffix(".json").read_text())
    out = chip.run("import wheel_build; print(wheel_build.VERSION, wheel_build.COMMIT)")
    assert out.split() == [facts["version"], facts["commit"]]


def test_flash_programs_clear_bits_and_an_erase_sets_one_sector(chip: ChipConsole) -> None:
    out = chip.run(STORE + """
page = bytearray(range(256))
for sector in (0, 1): store.erase(sector)
store.program(256, page)
store.program(4096 + 5, b"\\x0f\\xf0")
store.program(4096 + 6, b"\\x3c")
got = bytearray(256)
store.read(256, got); print(got == page)
got = bytearray(4)
store.read(4096 + 4, got); print(got.hex())
store.erase(1)
store.read(4096 + 4, got); print(got.hex())
got = bytearray(256)
store.read(256, got); print(got == page)
""")
    assert out.split() == ["True", "ff0f30ff", "ffffffff", "True"]
    written = chip.table.read_region("journal")
    assert written[256:512] == bytes(range(256))


@pytest.mark.parametrize("code", [
    "store.program(250, bytes(10))", "store.program(8 * 4096, bytes(1))", "store.erase(8)", "store.erase(-1)",
    "store.read(8 * 4096 - 1, bytearray(2))",
])  # fmt: skip
def test_flash_outside_the_journal_cannot_be_reached(chip: ChipConsole, code: str) -> None:
    before = bytes(chip.table.mcu.flash[:4 << 20])
    with pytest.raises(Failed, match="ValueError"):
        chip.run(STORE + code)
    assert bytes(chip.table.mcu.flash[:4 << 20]) == before


def test_a_power_cut_in_a_program_leaves_a_torn_page_and_the_chip_starts_again(chip: ChipConsole) -> None:
    chip.run(STORE + "store.erase(0)")
    table = chip.table
    table.cut_at = table.flash_operations + 2
    chip.start("store.program(0, bytes(256)); store.program(256, bytes(256)); print('never')")
    chip.until(lambda: table.cut_at == 0)
    journal = table.read_region("journal")
    assert journal[:256] == bytes(256)
    assert journal[256:384] == bytes(128)
    assert journal[384:512] == b"\xff" * 128
    chip.pass_ms(20)
    assert table.mcu.watchdog.scratch_data[0] in (0, CRUMB | 1), "it starts as after a power cut"


@pytest.mark.parametrize("content", [b"", b"\x00" * 4096, b"\xa5" * 4096], ids=["blank", "zeros", "rubbish"])
def test_the_start_never_formats_the_file_system_whatever_it_finds(image: Path, content: bytes) -> None:
    chip = ChipConsole(image)
    start, size = chip.table.regions["files"]
    try:
        if content:
            chip.table.mcu.flash[start:start + len(content)] = content
        before = bytes(chip.table.mcu.flash[start:start + size])
        chip.start("from tabletop.hal.rp2 import reset; reset.restart('CONSOLE')")
        chip.enter()
        assert bytes(chip.table.mcu.flash[start:start + size]) == before
    finally:
        chip.close()


def test_case_50_reset_watchdog_power_and_button_are_four_reasons(chip: ChipConsole) -> None:
    table = chip.table
    ask = "from tabletop.hal.rp2 import reset; print(reset.reason())"

    def found(crumb: int) -> str:
        """What a start finds with this crumb; the console's own crumb was in the way of it."""
        table.mcu.watchdog.scratch_data[0] = crumb
        return chip.run(ask).strip()

    assert found(CRUMB | 2) == "HOST"
    assert chip.run(ask).strip() == "WATCHDOG", "the crumb now says that the table ran"

    chip.start("import machine, time\nmachine.WDT(timeout=1000)\nfrom tabletop.hal.rp2 import reset\nreset.reason()\n"
               "time.sleep_ms(5000)")
    resets = table.resets
    chip.until(lambda: table.resets > resets)
    crumb = table.mcu.watchdog.scratch_data[0]
    table.ask_for_console()
    chip.enter()
    assert found(crumb) == "WATCHDOG"

    for cause, reason in ((ResetCause.POWER_ON, "POWER_ON"), (ResetCause.RUN_PIN, "RUN_PIN")):
        table.cut_cause, table.cut_at, table.then_console = cause, table.flash_operations + 1, True
        chip.start(STORE + "store.program(0, bytes(256))")
        chip.until(lambda: table.cut_at == 0)
        chip.pass_ms(20)  # a chip without power lets emulated time fly until the emulator has started it anew
        chip.enter()
        assert found(0) == reason


@pytest.mark.parametrize(("ms", "taken"), [(8388, True), (8389, False), (600_000, False), (999, False)])
def test_case_50_a_watchdog_that_the_chip_cannot_keep_is_refused_with_the_limit(
    chip: ChipConsole, ms: int, taken: bool
) -> None:
    code = f"from tabletop.hal.rp2.reset import Watchdog\nWatchdog({ms})"
    if taken:
        chip.run(code)
    else:
        with pytest.raises(Failed, match=f"watchdog_ms is {ms}, but must be a whole number from 1000 to 8388"):
            chip.run(code)


def test_the_ring_oscillator_of_the_emulator_is_constant_and_read_raw(chip: ChipConsole) -> None:
    out = chip.run("""
from tabletop.hal.rp2 import noise
buf = bytearray(b"\\x07" * 1024)
noise.raw(buf)
print(len(set(buf)), max(buf) <= 1)
""")
    assert out.split() == ["1", "True"], "1024 equal samples: the health tests must refuse this source"


def test_identity_is_read_and_a_damaged_one_is_not_guessed_at(chip: ChipConsole) -> None:
    read = """
from tabletop.hal.rp2 import identity
from tabletop.hal.rp2.store import Store
from wheel_build import REGIONS
start, size = REGIONS["identity"]
found = identity.read(Store(start - REGIONS["files"][0], size))
print(identity.serial(found), identity.key(found)[:2].hex(), sorted(found))
"""
    assert chip.run(read).split() == ["EMULATED-1", "0001", "['board',", "'emulated',", "'key',", "'serial']"]
    sector = bytearray(identity_sector({"serial": "X"}))
    sector[-1] ^= 1
    chip.table.write_region("identity", bytes(sector))
    with pytest.raises(Failed, match="Damaged: check sum"):
        chip.run(read)
    chip.table.write_region("identity", b"")
    serial, _, fields = chip.run(read).split()
    assert serial.startswith("W-")
    assert fields == "[]"


def test_a_constant_noise_source_trips_the_health_tests_and_never_gives_entropy(chip: ChipConsole) -> None:
    out = chip.run("""
from tabletop.hal.rp2 import noise
from tabletop.chance.noise import NoiseSource, RngFailed
from wheel_build import BOARD
source = NoiseSource(noise.raw, BOARD["noise"]["bits"], BOARD["noise"]["h_milli"])
for _ in range(2):
    try:
        source.entropy()
        print("entropy")
    except RngFailed as failed:
        print("RNG_FAILED", failed.args[0])
""")
    first, second = out.splitlines()
    assert first.startswith("RNG_FAILED"), out
    assert second == first, "it stays failed"


def test_the_heap_stays_flat_over_rounds(chip: ChipConsole) -> None:
    """The table on its chip, ticking, without a host; the hash of the program, which takes long, is left out.

    A round costs 0.4 s of processor here: 40, and 200 in CI. The virtual table plays 200 (`test_virtual_heap`).

    The emulator's oscillator is constant, with which a table starts in tilt 61: here a chain of hashes is its noise.
    """
    tilts = chip.run("""
import gc, hashlib
from tabletop.table import controller, service
from tabletop.hal.rp2 import board
service.digest_of = lambda hal, algorithm, seed: (bytes(32), 0, 0)
hal = board.Board("POWER_ON")
hal.feed = lambda: None  # once fed, a watchdog would bite at the prompt
last = [b"a chain of hashes for noise"]
def noise(buf):
    for at in range(0, len(buf), 32):
        last[0] = hashlib.sha256(last[0]).digest()
        buf[at:at + 32] = last[0][:len(buf) - at]
hal.noise = noise
hal.board["noise"] = {"bits": 8, "h_milli": 8000}
table = controller.Table(hal, {})
table.boot()
print(table.tilts.open)
def play(rounds):
    handle = table.commands.handle
    for _ in range(rounds):
        handle("OPEN_BETS", {}, None)
        handle("WAGER", {"bets": [[1, "10", 5000], [2, "1", 1000]]}, None)
        handle("NO_MORE_BETS", {}, None)
        handle("VOID", {"reason": "TEST"}, None)
        table.tick()
        hal.clock.wait(1)
    table.records.anchor(table.journal.last)
    table.journal.idle()
    gc.collect()
    return gc.mem_free()
play(4)
""")
    assert tilts.strip() == "{}"
    first = int(chip.run("print(play(4))"))
    assert first > 80_000
    free = []
    for left in range(ROUNDS, 0, -20):  # the ring of a host that is not there holds some more
        free.append(int(chip.run(f"print(play({min(20, left)}))")))
    assert abs(max(free[-3:]) - first) <= 64, "352 bytes come and go with the ring, every 60 rounds"
    assert chip.run("print(table.play.number, sorted(table.tilts.open))").split() == [str(ROUNDS + 8), "[]"]


def test_the_shakers_wires_hear_knocks_lid_and_lock_and_drive_the_motor(chip: ChipConsole) -> None:
    chip.run("""
import time
from tabletop.hal.rp2.panel import Panel
from tabletop.hal.rp2.shaker import Wires
from tabletop.sensing.shaker import Shaker
wires, core = Wires(Panel(3)), Shaker()
def look():
    wires.poll(core, time.ticks_ms())
    core.tick(time.ticks_ms())
look()
""")
    for level in (True, False) * 3:  # the console is slow: each level stays for many ms
        chip.table.wires.set("SHAKER_MOTION", level)
        chip.run("time.sleep_ms(1)")
    look = "look(); time.sleep_ms(50); look(); print(core.knocks, core.lid_closed.on, core.locked.on)"
    assert chip.run(look).split() == ["3", "True", "True"]
    chip.table.wires.set("LID", True)  # open
    chip.table.wires.set("SHAKER_LOCK", True)
    assert chip.run(look).split() == ["3", "False", "False"]
    chip.run("wires.motor(True)")
    assert chip.table.displays.lamps == 1 << 11
    chip.run("wires.motor(False)")
    assert chip.table.displays.lamps == 0


def test_who_waits_for_a_chip_that_stands_still_after_a_panic_is_told_at_once(chip: ChipConsole) -> None:
    chip.run("@micropython.asm_thumb\ndef panic():\n    data(2, 0xBE00)")
    chip.start("panic()")
    with pytest.raises(RuntimeError, match="stands still") as told:
        chip.finish()
    assert "breakpoint" in str(told.value.__cause__)
