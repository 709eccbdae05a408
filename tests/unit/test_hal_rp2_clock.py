"""Modules of the chip's HAL that keep ticks, on made-up hardware: what was long ago is over (field case 51)."""

from __future__ import annotations

import time
from typing import Any
from unittest.mock import MagicMock

import pytest
from tabletop import ticks
from tabletop.chance.noise import NoiseSource, RngFailed

DAY_MS = 86_400_000


@pytest.mark.parametrize("still_us", [10_000, ticks.HALF - 1, ticks.HALF, ticks.HALF * 3 // 2, ticks.PERIOD - 100_000])
def test_case_51_a_frame_goes_out_however_long_the_strip_was_still(load: Any, still_us: int) -> None:
    strip = load("strips").Strip(0, 1, 54)
    strip.dma.active.return_value = False
    frame = bytes(strip.n)
    now = 1000
    for sent in (1, 2, 3):
        strip.ask(frame)
        strip.send(256, now)
        assert strip.frames == sent
        strip.ask(frame)
        strip.send(256, ticks.add(now, 1000))
        assert strip.frames == sent, "its bytes are still on their way"
        strip.waits = False
        now = ticks.add(now, still_us)


@pytest.mark.parametrize("days", [0, 7, 12])
def test_case_51_a_port_whose_host_was_deaf_days_ago_is_written_to(
    load: Any, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    now = [ticks.PERIOD - 5000]
    monkeypatch.setattr(time, "ticks_ms", lambda: now[0], raising=False)
    ports = load("ports")
    monkeypatch.setattr(ports, "sys", MagicMock())
    monkeypatch.setattr(ports, "select", MagicMock())
    port = ports.UsbPort()
    port._room.ipoll.return_value = [1]
    taken = []

    def slow(data: bytes) -> int:
        taken.append(data)
        if len(taken) == 1:
            now[0] = ticks.add(now[0], 500)
        return len(data)

    port._out.write = slow
    assert port.write(b"abc") == 3
    assert port.stalls == 1
    now[0] = ticks.add(now[0], 1999)
    assert port.write(b"abc") == 0, "left alone for a while"
    now[0] = ticks.add(now[0], 1 + days * DAY_MS)
    assert port.write(b"abc") == 3


def test_case_51_a_chip_that_nobody_asks_for_weeks_tells_its_uptime(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000]
    for name in ("ticks_ms", "ticks_us"):
        monkeypatch.setattr(time, name, lambda: now[0] & ticks.MASK, raising=False)
    board = MagicMock()
    board.bytes_come.ipoll.return_value = []
    chip = load("clock").Clock(board)
    now[0] += 60_000
    assert chip.uptime_ms() == 60_000
    for days in (7, 7, 12, 6, 40):
        before = chip.uptime_ms()
        for _ in range(days * 4):  # the idle table ticks on
            now[0] += DAY_MS // 4
            chip.wait(10)
        assert chip.uptime_ms() - before == days * DAY_MS


def test_case_47_an_upset_display_is_right_again_within_a_second_of_rest(load: Any) -> None:
    board, panel = load("board"), load("panel")
    lights = board.Lights.__new__(board.Lights)
    lights.strips, lights.panel, lights._clock, lights._turn = MagicMock(), MagicMock(), MagicMock(), 0
    registers, ticks_taken = len(panel.SETUP) + panel.ROWS, 0
    while lights.panel.refresh.call_count < registers:
        lights.serve()
        ticks_taken += 1
    assert ticks_taken * board.Board.rest_tick_ms <= 1000


class Trng(list):  # type: ignore[type-arg]
    """The registers of the RP2350's TRNG: `rounds` times 192 samples of 1, then it stands still."""

    def __init__(self, rounds: int) -> None:
        super().__init__([0] * 128)
        self.rounds = rounds
        self.reads = 0

    def __getitem__(self, at: Any) -> Any:
        self.reads += 1
        if at == 0x110 >> 2:
            self.rounds -= 1
            return int(self.rounds >= 0)
        return 0xFFFFFFFF if 0x114 >> 2 <= at < 0x12C >> 2 else super().__getitem__(at)


def test_a_trng_that_stops_ends_in_samples_of_0_on_which_the_health_tests_trip_and_never_in_a_wait(load: Any) -> None:
    noise = load("noise")
    buf = bytearray(b"\x02" * 1000)
    noise._trng(buf, 1000, Trng(100))
    assert set(buf) == {1}
    trng = Trng(2)
    noise._trng(buf, 1000, trng)
    assert buf == bytes([1]) * 384 + bytes(616)
    assert trng.reads < 200_000, "one wait, however much is asked for"
    stopped = Trng(0)
    source = NoiseSource(lambda block: noise._trng(block, len(block), stopped), 1, 500)
    with pytest.raises(RngFailed):
        source.entropy()
