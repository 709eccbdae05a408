"""The image on the emulated RP2040, in emulated time: repeatable to the cycle, whatever this machine is doing.

The emulator runs 4 M instructions a second and rounds its idle time, so these figures are a ruler for regressions; only
hardware says the last word.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tests.bench import chip_heap, chip_table
from tests.bench.figures import Figure
from tests.conftest import ROOT
from tests.emulated.console import ChipConsole
from tests.emulated.steps import WHEEL, Steps
from tests.emulated.table import IMAGE

PEER = """
import machine, time
class Usual:  # two pin interrupts and a table, as it is usually written
    TABLE = (0, 1, -1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 0, -1, 1, 0)
    def __init__(self):
        self.a, self.b = machine.Pin(6, machine.Pin.IN), machine.Pin(7, machine.Pin.IN)
        self.count, self.state = 0, self.b.value() << 1 | self.a.value()
        for pin in (self.a, self.b):
            pin.irq(self.edge, machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING, hard=True)
    def edge(self, _):
        new = self.b.value() << 1 | self.a.value()
        self.count += self.TABLE[self.state << 2 | new]
        self.state = new
usual = Usual()
"""
SPIN = """
begin = time.ticks_us()
while time.ticks_diff(time.ticks_us(), begin) < %d:
    pass
print(%s)
"""
LAMPS = """
import time, machine
from tabletop.hal.rp2.strips import Strips
lamps = Strips(((3, 162), (4, 12), (5, 512)), {"full": 60, "idle": 1, "budget": 8000})
frame = bytearray(486)
def ours():
    begin = time.ticks_us(); lamps.ask(0, frame); lamps.serve(time.ticks_us())
    return time.ticks_diff(time.ticks_us(), begin)
strip = machine.Pin(27, machine.Pin.OUT)
def peer():
    begin = time.ticks_us(); machine.bitstream(strip, 0, (400, 850, 800, 450), frame)
    return time.ticks_diff(time.ticks_us(), begin)
ours(); time.sleep_ms(8)
print(ours(), peer())
"""
JOURNAL = """
import time
from tabletop.hal.rp2.store import Store
from tabletop.journal.journal import Journal
from wheel_build import REGIONS
journal = Journal(Store(REGIONS["journal"][0] - REGIONS["files"][0], 32 * 4096))
journal.open(0)
worst = total = 0
for n in range(40):
    begin = time.ticks_us(); journal.append(6, bytes(120), 0)
    spent = time.ticks_diff(time.ticks_us(), begin)
    worst = max(worst, spent); total += spent
print(total // 40, worst)
"""
DRAWS = """
import time
from tabletop.chance.drbg import HmacDrbg
drbg = HmacDrbg(bytes(48), bytes(16))
begin = time.ticks_us()
for n in range(20): drbg.generate(8)
print(time.ticks_diff(time.ticks_us(), begin) // 20)
"""
SETTLED = """
import time
from tabletop.rules.progressive import match_the_dealer as game
state = game.new(1, dict(game.DEFAULTS))
given = [("wager", seat, game.SPOTS[0], 1000) for seat in range(1, 8)] + [("no_more_bets",), ("chips", 7, "D1")]
cards = ("KD KS", "3S 4S", "KD KD", "KC KH", "2S 2H", "KH 9D", "KD QD")
given += [("hand", seat, cards[seat - 1]) for seat in range(1, 8)]
for one in given: state, effects = game.step(state, one)
begin = time.ticks_us()
state, effects = game.step(state, ("dealt", "KD"))
for win in state["wins"]: state, effects = game.step(state, ("validate", win[0], "F1"))
print(time.ticks_diff(time.ticks_us(), begin), len(state["wins"]))
"""


def exact(chip: ChipConsole, value: str, per_second: float) -> bool:
    """Whether 400 counts at this rate are all there."""
    before = int(chip.run(f"print({value})"))
    chip.start(SPIN % (int(400 * 1e6 / per_second) + 3000, value))
    steps = Steps(chip)
    steps.start(400, per_second)  # 400 is a multiple of 4: the lines end as they began
    return int(chip.finish()) - before == 400


def highest(chip: ChipConsole, value: str, low: float, high: float) -> float:
    """The highest rate, to 10 %, at which no count is lost; `high` when none is lost there."""
    if exact(chip, value, high):
        return high
    while high / low > 1.1:
        middle = (low * high) ** 0.5
        if exact(chip, value, middle):
            low = middle
        else:
            high = middle
    return low


def console_figures() -> Iterator[Figure]:
    """Parts of the HAL and the firmware, one at a time."""
    chip = ChipConsole(IMAGE)
    try:
        chip.run(PEER)
        usual = highest(chip, "usual.count", 1000, 100_000)
        chip.run("usual.a.irq(None); usual.b.irq(None)" + WHEEL % 125_000_000)
        ours = highest(chip, "wheel.read()", 100_000, 2_000_000)
        yield Figure("highest exact count rate (tried up to 2 M)", ours, "counts/s", "pin interrupts in Python", usual)
        yield Figure("highest exact count rate (tried up to 2 M)", ours, "counts/s", "design budget", 1_000_000)
        frame, bitstream = map(float, chip.run(LAMPS).split())
        yield Figure("CPU time of a 162-LED frame", frame, "us", "machine.bitstream", bitstream, less_is_better=True)
        yield Figure("CPU time of a 162-LED frame", frame, "us", "design budget", 1000.0, less_is_better=True)
        mean, worst = (float(word) / 1000 for word in chip.run(JOURNAL).split())
        yield Figure("journal append", mean, "ms", "design budget", 15.0, less_is_better=True)
        yield Figure("journal append, worst of 40", worst, "ms", "design budget", 60.0, less_is_better=True)
        draw = float(chip.run(DRAWS))
        yield Figure("draws of 8 bytes", 1e6 / draw, "draws/s", "design budget", 200.0)
        settled = float(chip.run(SETTLED).split()[0]) / 1000
        yield Figure("seven seats of Match the Dealer settled", settled, "ms", "goal", 50.0, less_is_better=True)
    finally:
        chip.close()


def figures() -> Iterator[Figure]:
    """Everything at the console of a fresh chip, then the start of the whole table."""
    subprocess.run([sys.executable, str(ROOT / "boards" / "build_image.py")], check=True, stdout=subprocess.DEVNULL)
    yield from console_figures()
    yield from chip_heap.figures()
    yield from chip_table.figures()
