"""LEDs and displays of the emulated chip, decoded from the pins."""

from __future__ import annotations

import pytest

from tests.emulated.console import ChipConsole
from tests.emulated.table import STACK_END

pytestmark = pytest.mark.emulated
KEPT = STACK_END - 16

STRIPS = """
from tabletop.hal.rp2.strips import Strips
import time
lamps = Strips(((3, 162), (4, 12), (5, 512)), {"full": 60, "idle": 1, "budget": %d})
rim, inner, tiles = bytearray(486), bytearray(36), bytearray(1536)
def show():
    lamps.serve(time.ticks_us())
def wait(ms):
    begin = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begin) < ms:
        show()
        time.sleep_us(200)
"""
PANEL = """
from tabletop.hal.rp2.panel import Panel
panel = Panel(3)
"""


def test_every_strip_shows_the_frame_that_was_asked_for(chip: ChipConsole) -> None:
    chip.run(STRIPS % 60_000 + """
for i in range(486): rim[i] = (i * 7 + 1) & 255
for i in range(36): inner[i] = 255 - i
for i in range(1536): tiles[i] = i & 15
lamps.ask(0, rim); lamps.ask(1, inner); lamps.ask(2, tiles)
wait(25)
""")
    strips = chip.table.strips
    assert strips["RIM"].last == bytes((i * 7 + 1) & 255 for i in range(486))
    assert strips["INNER"].last == bytes(255 - i for i in range(36))
    assert strips["TILES"].last == bytes(i & 15 for i in range(1536))


def test_frames_asked_for_too_fast_keep_the_latch_gap_and_the_last_one_wins(chip: ChipConsole) -> None:
    chip.run(STRIPS % 60_000 + """
for n in range(20):
    for i in range(486): rim[i] = n
    lamps.ask(0, rim)
    show()
    time.sleep_ms(1)
wait(12)
""")
    strip = chip.table.strips["RIM"]
    assert strip.last == bytes([19] * 486)
    assert len(strip.frames) >= 4
    assert all(len(data) == 486 and len(set(data)) == 1 for data, _ in strip.frames), "no frame is mixed from two"
    assert all(gap >= 280_000 for _, gap in strip.frames)


def test_case_44_a_frame_of_162_leds_holds_the_cpu_under_a_millisecond_and_masks_nothing(chip: ChipConsole) -> None:
    out = chip.run(STRIPS % 60_000 + """
import machine
worst = late = 0
last = time.ticks_us()
def tick(_):
    global last, late
    now = time.ticks_us()
    late = max(late, time.ticks_diff(now, last))
    last = now
timer = machine.Timer(period=1, mode=machine.Timer.PERIODIC, callback=tick)
for n in range(20):
    begin = time.ticks_us()
    lamps.ask(0, rim)
    show()
    worst = max(worst, time.ticks_diff(time.ticks_us(), begin))
    time.sleep_ms(7)
timer.deinit()
print(worst, late, lamps.strips[0].frames)
""")
    worst, late, frames = map(int, out.split())
    assert worst < 1000
    assert late < 1400, "a timer of 1 ms was never held up for long"
    assert frames == 20


def test_a_strip_that_is_wired_otherwise_costs_no_millisecond_and_gets_the_same_bytes_as_on_any_board(
    chip: ChipConsole,
) -> None:
    out = chip.run("""
import gc, time
from tabletop.hal.rp2 import strips
from tabletop.table import fitted
class Lights:
    sort = staticmethod(strips.sort)
frame = bytearray(i * 7 & 255 for i in range(486))
wires = []
for lights in (Lights, object()):
    one = fitted.Fitted(lights, lambda wire: wires.append(bytes(wire)), (1, 0, 2), 7, -1, 200)
    one(frame)
quick = fitted.Fitted(Lights, lambda wire: None, (1, 0, 2), 7, -1, 256)
quick(frame)
def cost():
    free = gc.mem_free()
    begin = time.ticks_us()
    quick(frame)
    took = time.ticks_diff(time.ticks_us(), begin)
    return took, free - gc.mem_free()
gc.collect()
print(*cost(), wires[0] == wires[1], len(set(wires[0])) > 50)
""")
    took_us, taken, same, differ = out.split()
    assert int(took_us) < 1000
    assert (taken, same, differ) == ("0", "True", "True")


def test_case_46_full_white_is_dimmed_to_the_budget_and_says_so(chip: ChipConsole) -> None:
    out = chip.run(STRIPS % 2_700 + """
for i in range(486): rim[i] = 255
lamps.ask(0, rim)
wait(8)
lamps.ask(0, rim)
wait(8)
print(lamps.limited, lamps.dimmed)
""")
    assert out.split() == ["True", "1"]
    shown = chip.table.strips["RIM"].last
    idle_ma = 686 * 1
    assert len(set(shown)) == 1, "all LEDs are dimmed alike"
    drawn = idle_ma + sum(shown) * 59 / 765
    assert 0.95 * 2700 < drawn <= 2700
    out = chip.run("rim[:] = bytes(486); rim[0] = 255; lamps.ask(0, rim); wait(8); print(lamps.limited, lamps.dimmed)")
    assert out.split() == ["False", "1"]
    assert chip.table.strips["RIM"].last[:3] == b"\xff\0\0"


def test_case_46_a_strip_that_is_lit_already_is_dimmed_when_another_lights_up(chip: ChipConsole) -> None:
    chip.run(STRIPS % 3_000 + """
for i in range(486): rim[i] = 60
lamps.ask(0, rim)
wait(8)
for i in range(1536): tiles[i] = 60
lamps.ask(2, tiles)
wait(40)
""")
    rim, tiles = chip.table.strips["RIM"].last, chip.table.strips["TILES"].last
    assert rim[0] == tiles[0] < 60
    assert 686 + (sum(rim) + sum(tiles)) * 59 / 765 <= 3000


DIPS = """
import machine
from tabletop.hal.rp2 import registers, reset
"""


def test_case_46_starts_after_dips_of_the_supply_are_counted_and_others_begin_anew(chip: ChipConsole) -> None:
    """A dip leaves the memory of the chip as it was; a longer cut, or a restart of another reason, does not count."""
    chip.table.mcu.sram[KEPT:KEPT + 8] = bytes(8)
    assert chip.run(DIPS + 'print([reset.dips("POWER_ON") for _ in range(4)])') == "[0, 1, 2, 3]\n"
    assert chip.run('print(reset.dips("HOST"), reset.dips("POWER_ON"))') == "0 1\n"
    assert chip.run('reset.steady(); print(reset.dips("POWER_ON"))') == "1\n"
    assert bytes(chip.table.mcu.sram[KEPT:KEPT + 8]) != bytes(8), "they are where the board's C header left room"
    chip.table.mcu.sram[KEPT + 3] ^= 0x40
    assert chip.run('print(reset.dips("POWER_ON"))') == "0\n"


@pytest.mark.parametrize(("before", "dark"), [(2, True), (1, False)])
def test_case_46_after_three_dips_in_a_row_the_leds_stay_off_and_digits_do_not(
    chip: ChipConsole, before: int, dark: bool
) -> None:
    chip.run(DIPS + f"reset._keep_dips({before})\n" + """
from tabletop.hal.rp2.board import Board
board = Board("POWER_ON")
board.lights.rim(bytes([9]) * 486)
board.lights.digits(0, "47")
import time
for _ in range(10): board.serve(); time.sleep_ms(1)
""")
    assert chip.table.displays.texts[0] == "47"
    assert chip.run("print(board.lights.dark)").strip() == str(int(dark))
    assert bool(chip.table.strips["RIM"].last) is not dark


def test_digits_show_their_text(chip: ChipConsole) -> None:
    chip.run(PANEL + """
panel.digits(0, "tESt"); panel.digits(1, "12.5"); panel.digits(2, "-40")
""")
    assert chip.table.displays.texts == ["TE5T", "12.5", "-40"]


def test_a_new_text_shows_no_digit_of_the_old_one(chip: ChipConsole) -> None:
    chip.run(PANEL + 'panel.digits(0, "88888888"); panel.digits(0, "1")')
    assert chip.table.displays.texts[0] == "1"
    chip.run('panel.digits(0, "")')
    assert chip.table.displays.texts[0] == ""


def test_case_47_an_upset_display_is_right_again_after_one_round_of_refreshing(chip: ChipConsole) -> None:
    chip.run(PANEL + 'panel.digits(0, "4711"); panel.digits(2, "20")')
    for display in chip.table.displays.chips:
        display.upset()
    assert chip.table.displays.texts == ["", "", ""]
    chip.run("for _ in range(12): panel.refresh()")
    assert chip.table.displays.texts != ["4711", "", "20"], "a round has 13 steps: 12 are not enough"
    chip.run("panel.refresh()")
    assert chip.table.displays.texts == ["4711", "", "20"]


def test_lamps_tower_and_wager_sensors_share_the_bus_without_disturbing_digits(chip: ChipConsole) -> None:
    chip.table.displays.sensors = 0b1000001
    out = chip.run(PANEL + """
panel.digits(1, "40")
panel.lamps(5 | 1 << 8 | 1 << 14)
panel.tower("tilt")
print(panel.seats())
panel.refresh()
""")
    assert out.strip() == "65"
    assert chip.table.displays.lamps == 5 << 12 | 1 << 8 | 0b1000001, "two buttons, the red light, seats 1 and 7"
    assert chip.table.displays.texts == ["", "40", ""]
