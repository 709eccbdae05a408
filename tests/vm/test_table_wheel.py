"""A table with real sensing of the modelled wheel: pauses and collections change no result and cost no memory."""

import gc

from tabletop.hal.virtual import wheel as model
from tabletop.hal.virtual.sensors import Sensors
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.spin import SpinSensor

try:
    from tests.vm.dealer import Dealer, Flash
except ImportError:
    from dealer import Dealer, Flash


PAGE_COST = 288  # bytes of memory that a page of the test's flash takes once it is programmed


class Wheel:
    def __init__(self, clock):
        self.clock = clock
        self.on_ms = clock.now_ms
        self.mechanics = model.Wheel()
        self.sensors = Sensors(self.mechanics, 2400, 3, clock.us())

    def now_us(self):
        return (self.clock.now_ms - self.on_ms) * 1000

    def poll(self, sensor):
        self.sensors.poll(sensor, self.now_us())


def turning(dealer):
    wheel = dealer.hal.wheel = Wheel(dealer.hal.clock)
    dealer.sensor = dealer.table.sensor = SpinSensor(WheelConfig(2400))
    return wheel


def spin(dealer, mturns_s, ms=10, each=lambda: None):
    """Spins until the table has taken the result; the sections of wheel and table."""
    wheel = dealer.hal.wheel
    wheel.mechanics.noise = mturns_s
    wheel.mechanics.push(wheel.now_us(), model.speed(mturns_s), 300000)
    dealer.tick(3, ms)
    while wheel.mechanics.moving or dealer.sensor.moving:
        dealer.tick(1, ms)
        each()
    return wheel.mechanics.at % model.TURN // model.SECTION


def test_case_48_pauses_and_collections_in_a_spin_change_nothing():
    sections = []
    collect = gc.collect if hasattr(gc, "mem_alloc") else lambda: None  # CPython's takes long, and stops nothing
    for ms, each in ((10, lambda: None), (10, collect), (50, lambda: None)):
        dealer = None
        dealer = Dealer()
        turning(dealer)
        spin(dealer, 900)
        dealer.open_round([1, "10", 1000])
        at = spin(dealer, 1100, ms, each)
        assert dealer.phase in ("RESULT", "BONUS")
        assert dealer.last("SPIN")["section"] == at
        sections.append(at)
    assert sections == [sections[0]] * 3


def test_case_48_memory_is_flat_while_spins_go_on():
    if not hasattr(gc, "mem_alloc"):
        return
    dealer = Dealer(Flash(7))
    turning(dealer)
    spin(dealer, 900)
    used = []
    for _ in range(4):
        dealer.open_round()
        while dealer.phase in ("NO_MORE_BETS", "BONUS"):
            spin(dealer, 1100)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
        gc.collect()
        used.append(gc.mem_alloc() - PAGE_COST * dealer.flash.changes)
    assert max(used[1:]) - min(used[1:]) < 600, used
