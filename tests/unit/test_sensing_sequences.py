"""What hands do to wheels, one thing after another: pushes, nudges, rocking, and the spin after a fault."""

from __future__ import annotations

import itertools
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


@pytest.mark.parametrize("sections", [0.95, 1, 2])
@pytest.mark.parametrize("after", [0.0, 0.06, 0.12])
def test_a_coupling_with_play_that_lets_the_wheel_begin_alone_gives_no_section(
    case: Case, sections: float, after: float
) -> None:
    # The count stands still and never goes back: the peg that comes again is no hand's work.
    if case.wheel.counts_per_turn > 12 * 54:
        got = case.told(case.two_spins(4.5), Faults(play=(BEGIN + after, sections)))
        assert got == [("FAULT", None)] * 2


@pytest.mark.parametrize("seconds", [0.12, 0.25, 0.4, 0.6])
@pytest.mark.parametrize("share", [0.4, 0.6, 0.7])
@pytest.mark.parametrize("sections", [-1, 1])
def test_a_slip_by_a_section_by_and_by_is_not_forgotten(
    case: Case, sections: int, share: float, seconds: float
) -> None:
    # Each step alone is in time: their sum is not.
    got = case.told(case.two_spins(4.5), Faults(slips=[(case.rest * share, sections, seconds)]))
    assert got == [("FAULT", None)] * 2


@pytest.mark.parametrize("sections", [-1, 1])
def test_a_slip_while_a_peg_is_bent_is_called_one(case: Case, sections: int) -> None:
    # A clapper that is let go at another line has hung, or the shaft has slipped: nobody can tell which.
    ran = case.run((BEGIN, case.first, 0.3))
    pegs = [(t, u) for (t, bent), (u, _) in itertools.pairwise(ran.bent) if bent and t > 1]
    for t, u in pegs[-4:]:
        slip = Faults(slips=[(t + 0.3 * (u - t), sections, 0.01)])
        rows = record(case.wheel, ran, slip, random.Random(case.seed))
        assert "ENCODER_CLAPPER_MISMATCH" in sense(case.wheel, rows, ran.ends, case.start)[0].faults


@pytest.mark.parametrize("seed", [16, 46, 57, 99])
def test_a_slip_back_by_a_section_is_seen_with_few_counts_a_turn(seed: int) -> None:
    # Two counts beside the edge of so coarse an encoder, the peg is the same one all the same.
    rng = random.Random(seed)
    wheel = Wheel.ordinary(rng, rng.choice((216, 240, 244, 250, 284, 300, 312, 360)))
    way = rng.choice((1, -1))
    wheel.window = rng.uniform(0.07, 0.15)
    ran = run(wheel, rng, rng.uniform(0, 54), [(0.4, way * wheel.speed_for(5), 0.3)])
    at = rng.uniform(0.12, 0.8) * ran.rests[-1][0]
    slip = Faults(slips=[(at, -way * rng.uniform(0.97, 1.03), rng.uniform(0.005, 0.05))])
    assert told(sense(wheel, record(wheel, ran, slip, rng), ran.ends, ran.start)) == [("FAULT", None)]


def test_a_slip_that_time_alone_shows_is_remembered_though_pegs_stand_out_of_place() -> None:
    # The pace of two sections, reckoned on over the fault, put four sections where the count had three.
    seed = 90
    rng = random.Random(f"then {seed}")
    wheel = Wheel.ordinary(rng, 1452)
    wheel.window = 0.07
    wheel.pegs = [rng.uniform(-0.03, 0.03) for _ in range(54)]
    start = rng.uniform(0, 54)
    push = rng.choice((1, -1)) * wheel.speed_for(5)
    rest = run(wheel, random.Random(seed), start, [(BEGIN, push, 0.3)]).rests[0][0]
    ran = run(wheel, random.Random(seed), start, [(BEGIN, push, 0.3), (rest + 2.4, push, 0.3)])
    slip = Faults(slips=[(rest * rng.uniform(0.5, 0.95), rng.choice((-1, 1)), rng.uniform(0.05, 0.2))])
    assert told(sense(wheel, record(wheel, ran, slip, rng), ran.ends, start)) == [("FAULT", None)] * 2


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_a_wheel_that_is_grabbed_on_a_peg_and_then_spun_has_its_section(seed: int) -> None:
    # The same peg comes twice with the count standing still: the hand moved the wheel by less than two counts.
    rng = random.Random(seed)
    wheel = Wheel.ordinary(rng, 2400)
    start = 10 - wheel.window + 0.01  # bent by so little that friction holds it
    ran = run(wheel, rng, start, [(0.4, -0.4, 0.05), (0.45, 0.0, 0.05), (0.8, wheel.speed_for(4), 0.3)])
    assert [bent for _, bent in ran.bent[:3]] == [True, False, True]
    assert told(sense(wheel, record(wheel, ran, Faults(), rng), ran.ends, start)) == [truth(ran)]
