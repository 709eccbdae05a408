"""The clock of the virtual table, on the VM where it runs: pace, settling, early waking, watchdog, ticks that wrap."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.conftest import ROOT, need_micropython

pytestmark = pytest.mark.virtual

PRELUDE = """
from tabletop.hal.virtual.clock import Clock, Reset
import time

SETTLE_US = 3_000_000

class Wheel:
    moving = False

class Doors:
    def __init__(self):
        self.waits = []
        self.hand_speaks = False
    def serve(self, ms):
        self.waits.append(ms)
        time.sleep_ms(min(ms, 5))  # woken by bytes after 5 ms at the latest
        return self.hand_speaks

class Hand:
    served = looked = 0
    def serve(self):
        self.served += 1
    def look(self):
        self.looked += 1

wheel, doors, hand = Wheel(), Doors(), Hand()

def clock(pace, start_ms=0, settled=True):
    c = Clock(wheel, doors, hand, pace, start_ms)
    if settled:
        c.hurry_until_us = 0
    return c
"""


def on_vm(source: str) -> None:
    run = subprocess.run(
        [need_micropython(), "-X", "heapsize=200k", "-c", PRELUDE + source],
        env=dict(os.environ, MICROPYPATH=f"{ROOT / 'firmware'}:.frozen"),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_at_rest_the_clock_is_real_time_and_bytes_wake_it_at_any_pace() -> None:
    on_vm("""
for pace in (0, 1, 50):
    c = clock(pace)
    real = time.ticks_us()
    before = c.now_us()
    c.wait(1000)
    passed = c.now_us() - before
    real = time.ticks_diff(time.ticks_us(), real)
    assert doors.waits[-1] == 1000
    assert 1000 < passed <= real, (pace, passed, real)
""")


def test_while_the_wheel_turns_each_wait_passes_in_full_without_sleeping() -> None:
    on_vm("""
c = clock(0)
wheel.moving = True
before = c.now_us()
for _ in range(1000):
    c.wait(10)
assert c.now_us() - before == 10_000_000
assert max(doors.waits) == 0
""")


def test_the_hurry_lasts_until_the_wheel_has_settled_and_no_longer() -> None:
    on_vm("""
c = clock(0)
wheel.moving = True
c.wait(10)
wheel.moving = False
waits = 0
while c.hurrying():
    c.wait(10)
    waits += 1
assert abs(waits * 10_000 - SETTLE_US) <= 20_000, waits
assert max(doors.waits) == 0
c.wait(10)
assert doors.waits[-1] == 10
""")


def test_a_pace_of_ten_waits_a_tenth() -> None:
    on_vm("""
c = clock(10)
wheel.moving = True
c.now_us()
real = time.ticks_us()
before = c.now_us()
for _ in range(10):
    c.wait(50)
passed = c.now_us() - before
real = time.ticks_diff(time.ticks_us(), real)
assert 1 <= max(doors.waits) <= 5
assert 5 * real < passed <= 10 * real, (passed, real)
""")


def test_a_computer_that_stalls_makes_the_table_slow_and_not_blind() -> None:
    on_vm("""
c = clock(10)
wheel.moving = True
before = c.now_us()
time.sleep_ms(100)
assert c.now_us() == before
c.wait(10)
assert c.now_us() - before == 10_000
""")


def test_the_line_lives_in_real_time_while_the_wheel_hurries() -> None:
    on_vm("""
c = clock(0)
wheel.moving = True
for _ in range(1000):
    c.wait(10)
assert c.ms() >= 10_000
assert c.line_ms() < c.ms() // 2
""")


def test_case_51_ticks_begin_where_they_are_told_and_wrap_while_the_uptime_goes_on() -> None:
    on_vm("""
c = clock(0, 2**30 - 1500)
wheel.moving = True
assert 2**30 - 1500 <= c.ms() < 2**30
for _ in range(200):
    c.wait(10)
assert 500 <= c.ms() < 700, c.ms()
assert 2000 <= c.uptime_ms() < 2200
assert 0 <= c.us() < 2**30
""")


def test_the_hand_is_served_when_it_speaks_and_looks_after_every_wait() -> None:
    on_vm("""
c = clock(1)
c.wait(1)
assert (hand.served, hand.looked) == (0, 1)
doors.hand_speaks = True
c.wait(1)
assert (hand.served, hand.looked) == (1, 2)
""")


def test_the_watchdog_bites_a_table_that_ticks_on_unfed_and_only_after_its_first_meal() -> None:
    on_vm("""
c = clock(0)
wheel.moving = True
for _ in range(2000):
    c.wait(10)
c.unfed_ms = 0  # hal.feed()
for _ in range(8000 // 10):
    c.wait(10)
try:
    c.wait(10)
except Reset as reset:
    assert reset.reason == "WATCHDOG"
else:
    raise AssertionError("no reset")
c.unfed_ms = 0
for _ in range(8000):
    c.work()  # a page of flash was read
try:
    c.work()
except Reset as reset:
    assert reset.reason == "WATCHDOG"
else:
    raise AssertionError("no reset")
try:
    raise Reset("HOST")
except Exception:
    raise AssertionError("a part of the table could swallow a reset")
except BaseException:
    pass
""")
