"""Encoder, index and clapper on the pins of the emulated chip: exact, whole, in order, whatever else goes on."""

from __future__ import annotations

import os

import cbor2
import pytest
from tabletop.link import schema
from wheelwright.framing import Frame, encode

from tests.conftest import Failed
from tests.emulated.console import ChipConsole
from tests.emulated.steps import WHEEL, Steps

pytestmark = pytest.mark.emulated

BUSY = """
import micropython
from tabletop.hal.rp2.ports import UsbPort
from tabletop.hal.rp2.store import Store
from tabletop.hal.rp2.strips import Strips
from wheel_build import REGIONS
lamps = Strips(((3, 162),), {"full": 60, "idle": 1, "budget": 8000})
frame = bytearray(bytes(range(162)) * 3)
store = Store(REGIONS["journal"][0] - REGIONS["files"][0], 16 * 4096)
page = bytearray(256)
store.erase(0)
buf = bytearray(64)
def busy(most_ms, sleep_ms, asked, count):
    port = UsbPort()
    n = got = 0
    begin = time.ticks_ms()
    seen.count = 0
    while (seen.count < count or got < asked) and time.ticks_diff(time.ticks_ms(), begin) < most_ms:
        if n & 3 == 0:
            lamps.ask(0, frame)
        lamps.serve(time.ticks_us())
        if n < 16:
            store.program(256 * n, page)
        got += port.readinto(buf)
        wheel.poll(seen)
        n += 1
        time.sleep_ms(sleep_ms)
    micropython.kbd_intr(3)
    print(seen.count, lamps.strips[0].frames, n)
"""


def test_a_million_counts_a_second_are_exact_while_leds_link_and_flash_are_busy(chip: ChipConsole) -> None:
    chip.run(WHEEL % 25_000_000 + BUSY)  # five times as slow as a board's, and as dear
    steps = Steps(chip)
    chip.start("busy(150, 0, 300, 50_000)")
    chip.pass_ms(3)  # 0x03 is a byte like any other from then on
    chip.table.send(bytes(range(256)) + bytes(44))
    steps.start(50_000, 1e6)
    count, frames, looks = map(int, chip.finish().split())
    assert count == 50_000
    assert frames >= 5
    assert looks > 16
    steps.start(50_000, 1e6, way=-1)
    chip.pass_ms(51)
    assert chip.run("wheel.poll(seen); print(seen.count)").strip() == "0"


def test_a_hundred_thousand_counts_a_second_are_exact_for_a_second_of_play(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000 + BUSY)
    steps = Steps(chip)
    chip.start("busy(1500, 10, 3000, 100_000)")
    chip.pass_ms(3)
    chip.table.send(bytes(range(256)) * 11 + bytes(184))
    steps.start(100_000, 1e5)
    count, frames, looks = map(int, chip.finish().split())
    assert count == 100_000
    assert frames >= 20
    assert looks > 60


LINKED = """
from tabletop.link.endpoint import Endpoint
class Empty: first, last = 1, 0
endpoint = Endpoint(lambda name, args, origin: {}, Empty(), lambda: {})
class Pegs:
    n = late = off = 0
    def index(self, t, c, l): pass
    def illegal(self, t, n): pass
    def encoder(self, t, c): self.count = c
    def peg(self, t, c, l):
        if l:
            if not self.n: self.t0 = t
            self.late = max(self.late, abs(time.ticks_diff(t, self.t0) - self.n * 11000 // 3))
            self.n += 1
            self.off = max(self.off, abs(c - 44 * self.n))
pegs = Pegs()
def play(most_ms, count, asked):
    port = UsbPort()
    pegs.count = 0
    n = frames = 0
    begin = time.ticks_ms()
    while (pegs.count < count or endpoint.statistics()["rx_frames"] < asked) and \\
            time.ticks_diff(time.ticks_ms(), begin) < most_ms:
        now = time.ticks_ms()
        if time.ticks_diff(now, begin) * 30 >= 1000 * frames:
            lamps.ask(0, frame)
            frames += 1
        lamps.serve(time.ticks_us())
        wheel.poll(pegs)
        got = port.readinto(buf)
        if got:
            endpoint.receive(buf, got, now)
    micropython.kbd_intr(3)
    found = endpoint.statistics()
    wrong = sum([found[name] for name in ("bad_crc", "bad_cobs", "too_short", "too_long", "bad_type")])
    print(pegs.count, pegs.n, pegs.off, pegs.late, found["rx_frames"], wrong, frames, lamps.strips[0].frames)
"""
SECONDS = int(os.environ.get("LONG", 1))  # field case 44 asks for 60


def test_case_44_counts_peg_times_and_frames_of_the_link_are_whole_while_162_leds_run_at_30_frames_a_second(
    chip: ChipConsole,
) -> None:
    """Five turns a second, a peg each 44 counts, and the link full, on USB: the emulator's UART cannot receive."""
    chip.run(WHEEL % 1_000_000 + BUSY + LINKED)
    steps = Steps(chip, lambda count: chip.table.wires.set("CLAPPER", count >= 44 and count % 44 < 4))
    sent = 200 * SECONDS
    chip.start(f"play({1500 * SECONDS + 500}, {12_000 * SECONDS}, {sent})")
    chip.pass_ms(3)
    ping = encode(Frame(schema.number_of("PING"), 1, 1, cbor2.dumps({"echo": bytes(range(30))})))
    chip.table.send(ping * sent)
    steps.start(12_000 * SECONDS, 12_000)
    count, pegs, off, late, frames, wrong, asked, shown = map(int, chip.finish().split())
    assert (count, pegs) == (12_000 * SECONDS, 12_000 * SECONDS // 44)
    assert off == 0
    assert late <= 100, "microseconds"
    assert (frames, wrong) == (sent, 0)
    assert 30 * SECONDS <= asked <= shown + 2


@pytest.mark.parametrize(("cycles", "exact"), [(10, True), (8, False)])
def test_ten_pio_cycles_a_count_are_enough_and_eight_are_not(chip: ChipConsole, cycles: int, exact: bool) -> None:
    chip.run(WHEEL % 1_000_000)
    steps = Steps(chip)
    # a busy CPU, as only then the emulator's PIO keeps time to the cycle; backwards is the program's longer way
    chip.start("""
begin = time.ticks_us()
while time.ticks_diff(time.ticks_us(), begin) < 30000:
    pass
print(wheel.read())
""")
    steps.start(2000, 1e6 / cycles, way=-1)
    assert (int(chip.finish()) == -2000) is exact


def test_case_1_a_reading_is_whole_and_new_at_any_moment_forward_and_back(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000)
    steps = Steps(chip)
    chip.start("""
wrong = 0
last = wheel.read()
begin = before_last = time.ticks_us()
while time.ticks_diff(before_last, begin) < 100000:
    before = time.ticks_us()
    count = wheel.read()
    if abs(count - last) > time.ticks_diff(time.ticks_us(), before_last) // 20 + 2:
        wrong += 1
    last = count
    before_last = before
print(last, wrong)
""")
    steps.start(2000, 50_000)
    chip.pass_ms(45)
    steps.start(2001, 50_000, way=-1)
    last, wrong = map(int, chip.finish().split())
    assert last == -1, "one below zero is -1, not 2**32 - 1"
    assert wrong == 0, "no reading was further away than the wheel could have gone"


def test_index_and_clapper_come_with_the_count_and_time_of_their_moment(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000)
    begin: list[float] = []

    def each(count: int) -> None:
        if not begin:
            begin.append(chip.table.ms)
        if count % 500 in (0, 40):
            chip.table.wires.set("CLAPPER", count % 500 == 0)
        if count in (1200, 1203):
            chip.table.wires.set("INDEX", count == 1200)

    steps = Steps(chip, each)
    steps.start(2000, 20_000)
    chip.pass_ms(102)  # nobody polled meanwhile
    out = chip.run("wheel.poll(seen)\nfor row in seen.seen: print(*row)\nprint('=', seen.count)")
    rows = [line.split() for line in out.splitlines()]
    assert rows[-1] == ["=", "2000"]
    found = [(kind, int(count), int(level)) for kind, _, count, level in rows[:-1]]
    want = [("P", 500, 1), ("P", 540, 0), ("P", 1000, 1), ("P", 1040, 0), ("Z", 1200, 1), ("Z", 1203, 0),
            ("P", 1500, 1), ("P", 1540, 0), ("P", 2000, 1)]  # fmt: skip
    assert found == want
    times = [int(time_us) for _, time_us, _, _ in rows[:-1]]
    for (_, wanted, _), time_us in zip(want, times, strict=True):
        assert abs((time_us - times[0]) - (wanted - 500) * 50) <= 100, "case 44: peg times within 100 us"


def test_a_ring_of_edges_is_whole_and_a_multiple_of_it_is_a_fault_and_not_nothing(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000)
    steps = Steps(chip, lambda count: chip.table.wires.set("CLAPPER", bool(count & 1)))
    for edges, told in ((64, ["P"] * 64), (128, ["X"]), (2, ["P"] * 2)):
        steps.start(edges, 10_000)
        chip.pass_ms(edges / 10 + 1)  # nobody polled meanwhile
        out = chip.run("seen.seen.clear()\nwheel.poll(seen)\nfor row in seen.seen: print(*row)")
        assert [line.split()[0] for line in out.splitlines()] == told
    assert [int(line.split()[3]) for line in out.splitlines()] == [1, 0]


def test_edges_of_index_and_clapper_have_the_count_that_begins_with_them_also_when_they_come_together(
    chip: ChipConsole,
) -> None:
    """One too few at random made an index of three counts two or four wide, which is none; two at once gave count 0."""
    chip.run(WHEEL % 1_000_000)

    def each(count: int) -> None:
        for signal in ("INDEX", "CLAPPER"):
            chip.table.wires.set(signal, count % 50 in (25, 26, 27))

    steps = Steps(chip, each)
    for way in (1, -1):
        chip.start("""
begin = time.ticks_ms()
while time.ticks_diff(time.ticks_ms(), begin) < 530:
    wheel.poll(seen)
    time.sleep_ms(10)
""")
        steps.start(1500, 3017, way)  # 331 us a count, the counter's round of ten falls anywhere
        chip.finish()
    out = chip.run("for row in seen.seen: print(*row)")
    rows = [line.split() for line in out.splitlines()]
    forward = [(count, int(count % 50 == 25)) for count in range(1501) if count % 50 in (25, 28)]
    backward = [(count, int(count % 50 == 27)) for count in range(1500, -1, -1) if count % 50 in (27, 24)]
    for line in "ZP":
        assert [(int(count), int(level)) for kind, _, count, level in rows if kind == line] == forward + backward, line


def test_counts_are_whole_when_one_channel_hands_over_to_the_other(chip: ChipConsole) -> None:
    """On a board each 15 s; here each five words."""
    chip.run(WHEEL % 1_000_000 + """
for dma in wheel.channels:
    dma.count = 5
wheel.channels[0].active(0)
wheel.channels[0].active(1)
""")
    Steps(chip).start(500, 20_000)
    chip.pass_ms(30)
    assert chip.run("print(wheel.read(), dma.count <= 5)").split() == ["500", "True"]


def test_a_counter_that_does_not_run_is_told_and_its_last_count_is_not(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000 + "wheel.sm.active(0)\n")
    with pytest.raises(Failed, match="does not run"):
        chip.run("wheel.read()")


def test_case_3_both_lines_at_once_are_no_count_but_are_told(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000)
    wires, keeper = chip.table.wires, chip.table.keeper
    for signal in ("ENCODER_A", "ENCODER_B"):
        wires.set(signal, True)
    keeper.edge()
    chip.pass_ms(1)
    assert chip.run("wheel.poll(seen); print(seen.count, seen.seen[0][0], len(seen.seen))").split() == ["0", "X", "1"]
    assert chip.run("wheel.poll(seen); print(len(seen.seen))").strip() == "1", "told once"


def test_case_4_a_line_that_chatters_at_rest_moves_nothing(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000)
    steps = Steps(chip)
    for number in range(300):
        steps.start(1, 50_000, way=-1 if number & 1 else 1)
        chip.pass_ms(0.1)
    assert chip.run("print(wheel.read())").strip() == "0"


def test_polling_allocates_nothing(chip: ChipConsole) -> None:
    chip.run(WHEEL % 1_000_000 + """
class Deaf:
    def index(self, t, c, l): pass
    def peg(self, t, c, l): pass
    def illegal(self, t, n): pass
    def encoder(self, t, c): pass
deaf = Deaf()
def measure():
    wheel.poll(deaf)
    before = gc.mem_alloc()
    for _ in range(20):
        wheel.poll(deaf)
    return gc.mem_alloc() - before
gc.collect()
""")
    steps = Steps(chip, lambda count: chip.table.wires.set("CLAPPER", bool(count & 64)))
    chip.start("print(measure())")
    steps.start(2000, 50_000)
    assert chip.finish().strip() == "0"
