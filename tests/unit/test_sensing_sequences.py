"""What hands do to wheels, one thing after another: pushes, nudges, rocking, and the spin after a fault."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.conftest import some
from tests.unit.wheel_traces import Faults, Hand, Run, Wheel, record, run, sense, told, truth

SEEDS = some(range(8))
BEGIN = 0.4


class Case:
    """A wheel with two spins in mind: `first` and `second` are speeds, `rest` is when the first spin is over."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        rng = random.Random(seed)
        self.wheel = Wheel.ordinary(rng, rng.choice((600, 2160, 2400, 4096)))
        self.start = rng.uniform(0, 54)
        self.way = rng.choice((1, -1))
        self.first = self.way * self.wheel.speed_for(rng.uniform(3.6, 5))
        self.second = rng.choice((1, -1)) * self.wheel.speed_for(rng.uniform(3.6, 5))
        self.rest = self.run((BEGIN, self.first, 0.3)).rests[0][0]

    def run(self, *hands: Hand) -> Run:
        return run(self.wheel, random.Random(self.seed), self.start, list(hands))

    def two_spins(self, apart: float = 2.2) -> Run:
        return self.run((BEGIN, self.first, 0.3), (self.rest + apart, self.second, 0.3))

    def told(self, ran: Run, faults: Faults | None = None, begin_us: int = 0) -> list[tuple[str, int | None]]:
        rows = record(self.wheel, ran, faults or Faults(), random.Random(self.seed))
        return told(sense(self.wheel, rows, ran.ends, self.start, begin_us))


@pytest.fixture(params=SEEDS)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def test_two_spins_give_two_results(case: Case) -> None:
    ran = case.two_spins()
    assert case.told(ran) == [truth(ran, 0), truth(ran, 1)]


def test_a_spin_half_a_second_after_another_is_the_same_spin_pushed_again(case: Case) -> None:
    ran = case.two_spins(0.5)
    (_, section), = case.told(ran)
    assert section in (None, int(ran.rests[-1][1] // 1) % 54)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_push_in_mid_spin_makes_it_no_other_spin(case: Case, share: float) -> None:
    ran = case.run((BEGIN, case.first, 0.3), (case.rest * share, case.first * 0.9, 0.4))
    assert case.told(ran) == [truth(ran)]


def test_a_nudge_and_then_a_spin_give_one_section(case: Case) -> None:
    ran = case.run((BEGIN, case.way * 8, 0.2), (5.5, case.first, 0.3))
    assert case.told(ran) in ([("SHORT_SPIN", None), truth(ran)], [truth(ran)])


def test_a_swing_back_before_the_spin_belongs_to_it(case: Case) -> None:
    ran = case.run((BEGIN, -case.way * 12, 0.3), (BEGIN + 0.35, case.first, 0.4))
    assert case.told(ran) == [truth(ran)]


@pytest.mark.parametrize("at_last", [(5.4, -10.0, 0.2), (5.4, 0.0, 0.1)])
def test_case_60_a_wheel_that_is_rocked_never_makes_three_turns(case: Case, at_last: Hand) -> None:
    pace = case.way * 54.0
    ran = case.run((BEGIN, pace, 0.2), (2.4, -pace, 0.2), (3.4, pace, 0.2), at_last)
    got = case.told(ran)
    assert got
    assert {outcome for outcome, _ in got} == {"SHORT_SPIN"}


def test_case_51_the_wrap_of_the_clock_may_come_at_any_moment_of_a_spin(case: Case) -> None:
    ran = case.run((BEGIN, case.first, 0.3))
    for share in (0.02, 0.5, 0.95, 1.0, 1.1):
        assert case.told(ran, begin_us=(1 << 30) - int(case.rest * share * 1e6)) == [truth(ran)]


BROKEN: dict[str, Callable[[Case], Faults]] = {
    "frozen for a while": lambda case: Faults(frozen=[(case.rest * 0.6, case.rest * 0.6 + 0.3)]),
    "frozen at the end": lambda case: Faults(frozen=[(case.rest - 2, case.rest + 0.5)]),
    "clapper missed pegs": lambda case: Faults(clapper_low=[(case.rest * 0.6, case.rest * 0.6 + 0.5)]),
    "clapper stuck for a while": lambda case: Faults(clapper_high=[(case.rest * 0.6, case.rest * 0.6 + 0.5)]),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_after_a_fault_that_is_over_the_next_spin_counts(case: Case, kind: str) -> None:
    ran = case.two_spins()
    assert case.told(ran, BROKEN[kind](case)) == [("FAULT", None), truth(ran)]


@pytest.mark.parametrize("sections", [-2, -1, 1, 2])
@pytest.mark.parametrize("when", ["early", "midway", "late", "at rest"])
def test_after_a_slip_by_whole_sections_no_spin_counts(case: Case, sections: int, when: str) -> None:
    at = {"early": BEGIN + 1, "midway": case.rest * 0.6, "late": case.rest - 1, "at rest": case.rest + 2}[when]
    ran = case.two_spins(4.5)
    got = case.told(ran, Faults(slips=[(at, sections, 0.05)]))
    assert got[-1] == ("FAULT", None)
    assert got[0] == (truth(ran, 0) if when == "at rest" else ("FAULT", None))
