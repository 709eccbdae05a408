"""Counting edges: noise leaves nothing behind."""

from tabletop.sensing.quadrature import Quadrature

FORWARD = ((0, 0), (1, 0), (1, 1), (0, 1))


def test_forward_is_a_before_b():
    quadrature = Quadrature()
    for n in range(1, 9):
        assert quadrature.step(*FORWARD[n % 4]) == n
    for n in range(7, -4, -1):
        assert quadrature.step(*FORWARD[n % 4]) == n
    assert quadrature.illegal == quadrature.null == 0


def test_case_1_one_count_back_from_zero_is_minus_one():
    quadrature = Quadrature(1, 0, count=1)
    assert quadrature.step(0, 0) == 0
    assert quadrature.step(0, 1) == -1


def test_case_3_a_pulse_that_is_over_before_anybody_looks_is_no_step():
    quadrature = Quadrature()
    for _ in range(1000):
        quadrature.step(0, 0)
    assert (quadrature.count, quadrature.null, quadrature.illegal) == (0, 1000, 0)


def test_case_3_a_jump_of_both_channels_is_flagged_and_never_guessed():
    quadrature = Quadrature()
    assert quadrature.step(1, 1) == 0
    assert quadrature.illegal == 1
    assert quadrature.step(0, 1) == 1, "counting goes on from the levels as they are"


def test_case_4_vibration_on_an_edge_does_not_creep():
    quadrature = Quadrature(1, 1, count=799)
    for n in range(3000):
        quadrature.step(n % 2, 1)
        assert quadrature.count in (799, 800)
    assert quadrature.count == 799


def test_case_4_part_turns_to_and_fro_leave_no_residue():
    quadrature = Quadrature()
    count = 0
    for _ in range(1000):
        for way in (40, 1, -1, -40):
            for _ in range(abs(way)):
                count += 1 if way > 0 else -1
                quadrature.step(*FORWARD[count % 4])
    assert quadrature.count == 0


def test_case_6_fast_edges_all_count_and_spikes_do_not():
    quadrature = Quadrature()
    for n in range(1, 21601):
        quadrature.step(*FORWARD[n % 4])
    assert quadrature.count == 21600
    for _ in range(100):
        quadrature.step(1, 0)
        quadrature.step(0, 0)
    assert quadrature.count == 21600
