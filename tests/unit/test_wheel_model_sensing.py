"""The virtual wheel in front of the real SpinSensor: what the wheel did is what is declared, or nothing is."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from tabletop.hal.virtual.faults import A_LEVEL, B_LEVEL
from tabletop.hal.virtual.sensors import Sensors
from tabletop.hal.virtual.wheel import SECTION, SECTIONS, TURN, Wheel, speed
from tabletop.sensing.config import WheelConfig
from tabletop.sensing.replay import Replay
from tabletop.sensing.spin import Spin, SpinSensor
from tabletop.ticks import MASK

from tests.conftest import some

POLL_US = 10_000
COUNTS_PER_TURN = (216, 400, 2160, 2400, 4096, 10_000)


@dataclass
class Truth:
    """What the wheel did between two rests."""

    start: int
    at: int
    bent: bool

    @property
    def turns(self) -> float:
        return abs(self.at - self.start) / TURN

    @property
    def section(self) -> int:
        return self.at % TURN // SECTION

    def outcomes(self, counts_per_turn: int) -> set[tuple[str, int]]:
        """Right answers: two where the three turns are closer than a count can tell."""
        full = ("BETWEEN_SECTIONS", -1) if self.bent else ("SECTION", self.section)
        short = ("SHORT_SPIN", -1)
        if abs(self.turns - 3) < 2 / counts_per_turn:
            return {full, short}
        return {full if self.turns > 3 else short}


class Table:
    """Wheel, sensors and sensing of one table, ticked as the controller does; not homed at the start."""

    def __init__(self, seed: int, counts_per_turn: int) -> None:
        self.draws = random.Random(seed)
        self.wheel = Wheel(self.draws.randrange(TURN))
        self.sensors = Sensors(self.wheel, counts_per_turn)
        self.sensor = SpinSensor(WheelConfig(counts_per_turn))
        self.now_us = 0
        self.spins: list[Spin] = []

    def run(self, us: int = 0) -> None:
        """Lets `us` pass, and then until the wheel rests."""
        end = self.now_us + us
        while self.now_us < end or self.wheel.moving:
            self.now_us += POLL_US
            self.sensors.poll(self.sensor, self.now_us)
            spin = self.sensor.tick(self.now_us & MASK)
            if spin is not None:
                self.spins.append(spin)

    def spin(self) -> Truth:
        start = self.wheel.at
        self.wheel.noise = self.draws.randrange(1, 2**31)
        launch = self.draws.choice((1, -1)) * speed(self.draws.randint(500, 1700))
        self.spins.clear()
        self.wheel.push(self.now_us, launch, 300_000)
        self.run()
        self.run(2_500_000 + self.draws.randrange(3000) * 1000)
        return Truth(start, self.wheel.at, self.wheel.bent())


@pytest.mark.parametrize("seed", some(range(12)))
def test_spin_after_spin_the_wheel_s_own_section_is_declared(seed: int) -> None:
    counts_per_turn = COUNTS_PER_TURN[seed % len(COUNTS_PER_TURN)]
    table = Table(seed, counts_per_turn)
    doubts = 1 if counts_per_turn < 24 * SECTIONS else 0  # a wheel may turn about and rest within so wide a count
    for _ in range(18):
        truth = table.spin()
        assert len(table.spins) == 1, truth
        spin = table.spins[0]
        if doubts and spin.outcome == "FAULT":
            doubts -= 1
            continue
        assert (spin.outcome, spin.section) in truth.outcomes(counts_per_turn), (truth, spin.faults)
        assert abs(spin.turns_milli / 1000 - truth.turns) < 0.01
        assert spin.direction == (1 if truth.at > truth.start else -1)
        assert spin.faults == []


@pytest.mark.parametrize(
    "fault", ["freeze", "a_dead", "b_dead", "clapper_dead", "clapper_stuck", "index_dead", "slip", "lost", "illegal"]
)
def test_with_a_fault_at_any_moment_no_wrong_section_is_declared(fault: str) -> None:
    found = 0
    for seed in range(16):
        table = Table(seed, 2400)
        table.spin()  # the index has been seen
        value = 1
        if fault in ("slip", "lost"):  # thousandths of a section, or counts; whole sections are a case of their own
            value = table.draws.choice((-1, 1)) * table.draws.choice((15, 30, 65, 140))
            value *= 10 if fault == "slip" else 1
        table.sensors.fault_at(table.now_us + table.draws.randrange(8_000_000), fault, value)
        truth = table.spin()
        for spin in table.spins:
            found += spin.outcome == "FAULT"
            safe = {("FAULT", -1), ("SHORT_SPIN", -1)}
            assert (spin.outcome, spin.section) in truth.outcomes(2400) | safe, (seed, truth)
    assert found >= (0 if fault in ("index_dead", "illegal") else 8)


def test_a_hand_on_the_wheel_is_no_result() -> None:
    for seed in some(range(6)):
        table = Table(seed, 2400)
        table.wheel.push(0, speed(1300), 300_000)
        table.wheel.push(0, 0, 40_000, 3_500_000)
        table.wheel.push(0, 0, 300_000, 3_540_000)
        table.run()
        table.run(3_000_000)
        assert [(spin.outcome, spin.faults) for spin in table.spins] == [("FAULT", ["OBSTRUCTED"])]


def test_case_60_rocking_and_nudges_are_never_three_turns() -> None:
    table = Table(3, 2400)
    swing = speed(700)
    for i in range(5):
        table.wheel.push(0, swing, 600_000, i * 1_200_000)
        table.wheel.push(0, swing, 600_000, i * 1_200_000 + 600_000)
        swing = -swing
    table.run()
    table.run(3_000_000)
    assert {spin.outcome for spin in table.spins} == {"SHORT_SPIN"}


def test_case_62_pushed_again_is_still_one_spin() -> None:
    table = Table(4, 2400)
    table.wheel.push(0, speed(700), 300_000)
    table.wheel.push(0, speed(1300), 300_000, 2_500_000)
    table.run()
    table.run(3_000_000)
    assert [(spin.outcome, spin.section) for spin in table.spins] == [("SECTION", table.wheel.at % TURN // SECTION)]


@pytest.mark.parametrize("counts_per_turn", [216, 2160, 2400, 4096])
def test_recorded_in_the_trace_format_the_same_section_is_replayed(counts_per_turn: int) -> None:
    for seed in some(range(6)):
        draws = random.Random(seed)
        wheel = Wheel(draws.randrange(TURN), draws.randrange(1, 2**31))
        truth_start = wheel.at
        wheel.push(400_000, draws.choice((1, -1)) * speed(draws.randint(600, 1500)), 300_000)
        recorder = Recorder(wheel, counts_per_turn)
        spins: list[Spin] = []
        replay = Replay(
            WheelConfig(counts_per_turn), recorder.first, recorder.count % counts_per_turn,
            lambda spin, _t_us, spins=spins: spins.append(spin),
        )  # fmt: skip
        words = recorder.words()
        replay.feed(words, len(words))
        replay.end(wheel.t_us + 2_500_000)
        truth = Truth(truth_start, wheel.at, wheel.bent())
        assert len(spins) == 1
        assert (spins[0].outcome, spins[0].section) in truth.outcomes(counts_per_turn), (truth, spins[0].faults)


class Recorder:
    """The edges of A, B, Z and C of one run of a wheel, as words of `Replay`; the encoder's count 0 is peg 0."""

    def __init__(self, wheel: Wheel, counts_per_turn: int) -> None:
        self.wheel = wheel
        self.counts_per_turn = counts_per_turn
        self.count = self._count_at(wheel.at)
        self.first = self._levels(wheel.bent())

    def words(self) -> list[int]:
        wheel = self.wheel
        last_us = 0
        found = []
        levels = self.first
        while wheel.moving:
            wheel.step()
            way = wheel.at - wheel.was_at
            ends = self._count_at(wheel.at)
            step = 1 if ends > self.count else -1
            clapper = levels & 1
            while self.count != ends:
                edge = (self.count + (step > 0)) * TURN // self.counts_per_turn
                edge_us = wheel.was_us + (edge - wheel.was_at) * (wheel.t_us - wheel.was_us) // way
                self.count += step
                levels = self._levels(clapper)
                found.append((edge_us - last_us) << 4 | levels)
                last_us = edge_us
            if wheel.bent() != clapper:
                levels = self._levels(wheel.bent())
                found.append((wheel.t_us - last_us) << 4 | levels)
                last_us = wheel.t_us
        return found

    def _count_at(self, at: int) -> int:
        return at * self.counts_per_turn // TURN

    def _levels(self, clapper: int) -> int:
        phase = self.count & 3
        index = self.count % self.counts_per_turn < 3
        return A_LEVEL[phase] << 3 | B_LEVEL[phase] << 2 | index << 1 | clapper


def test_sections_and_turns_of_model_and_sensing_are_the_same() -> None:
    assert WheelConfig(2400).sections == SECTIONS
