"""Encoder, index and clapper of the virtual wheel: the same edges however they are polled, and each fault."""

from tabletop.hal.virtual.sensors import Sensors
from tabletop.hal.virtual.wheel import SECTION, TURN, Wheel, speed
from tabletop.ticks import PERIOD

START = 20 * SECTION + SECTION // 3
CPT = 2400


class Recorder:
    """Stands where the SpinSensor does."""

    def __init__(self, keep_counts=True):
        self.edges = []
        self.counts = []
        self.keep_counts = keep_counts
        self.illegals = 0

    def peg(self, t_us, count, level):
        self.edges.append((t_us, count, level, "peg"))

    def index(self, t_us, count, level):
        self.edges.append((t_us, count, level, "index"))

    def encoder(self, t_us, count):
        if self.keep_counts:
            self.counts.append((t_us, count))

    def illegal(self, t_us, n):
        self.illegals += n


def spin(
    mturns=900, direction=1, poll_us=10_000, cpt=CPT, faults=(), offset_us=0, at=START, tail_us=0, keep_counts=True
):
    wheel = Wheel(at, 5)
    sensors = Sensors(wheel, cpt, 3, offset_us)
    recorder = Recorder(keep_counts)
    wheel.push(0, direction * speed(mturns), 300_000)
    for fault in faults:
        sensors.fault_at(*fault)
    now_us = 0
    while wheel.moving or now_us < wheel.t_us + tail_us:
        now_us += poll_us
        sensors.poll(recorder, now_us)
    return recorder, sensors


def test_edges_do_not_depend_on_how_often_they_are_polled():
    for mturns, direction in ((600, 1), (1500, -1)):
        wanted = spin(mturns, direction)[0].edges
        assert len(wanted) > 100
        for poll_us in (3_000, 77_773, 3_000_000):
            assert spin(mturns, direction, poll_us, keep_counts=False)[0].edges == wanted


def test_nothing_is_reported_before_its_time_and_all_in_order():
    wheel = Wheel(START, 5)
    sensors = Sensors(wheel, CPT)
    wheel.push(0, speed(900), 300_000)
    now_us = 0
    last = 0
    while wheel.moving:
        now_us += 1_700
        recorder = Recorder()
        sensors.poll(recorder, now_us)
        for edge in recorder.edges:
            assert last <= edge[0] <= now_us
            last = edge[0]
        assert len(recorder.counts) == 1


def test_every_peg_is_met_and_left_a_tenth_of_a_section_from_its_line():
    for cpt in (2160, 2400, 4096, 216):
        recorder, sensors = spin(cpt=cpt)
        pegs = [edge for edge in recorder.edges if edge[3] == "peg"]
        zero = sensors.zero
        level = 1
        line = 21
        for _, count, got, _ in pegs[:-2]:  # before a roll-back
            assert got == level
            boundary = (line * 10 + (-1 if level else 1)) * cpt
            assert abs((count + zero) * 540 - boundary) <= 540 + cpt // 100
            level = 1 - level
            line += level


def test_the_index_is_high_for_its_counts_in_both_directions():
    for direction in (1, -1):
        recorder, sensors = spin(direction=direction)
        marks = [((edge[1] + sensors.zero) % CPT, edge[2]) for edge in recorder.edges if edge[3] == "index"]
        assert marks == ([(0, 1), (3, 0)] if direction > 0 else [(2, 1), (CPT - 1, 0)]) * (len(marks) // 2)
        assert len(marks) >= 6


def test_an_index_that_begins_under_the_wheel_at_power_on_ends_once():
    recorder, _ = spin(at=SECTION // 100)
    marks = [edge[2] for edge in recorder.edges if edge[3] == "index"]
    assert marks[0] == 0
    assert marks == [0, 1] * (len(marks) // 2) + [0]


def test_counts_begin_at_zero_where_the_wheel_stood_and_end_where_it_rests():
    recorder, sensors = spin(500)
    assert recorder.counts[0][1] in (0, 1)
    assert recorder.counts[-1][1] == sensors.count(sensors.wheel.at)
    assert recorder.counts[-1][1] == sensors.wheel.at * CPT // TURN - START * CPT // TURN
    counts = [count for _, count in recorder.counts]
    assert max([abs(counts[i + 1] - counts[i]) for i in range(len(counts) - 1)]) < 14


def test_a_clapper_bent_at_power_on_is_told_once():
    wheel = Wheel(5 * SECTION, 1)
    sensors = Sensors(wheel, CPT)
    recorder = Recorder()
    sensors.poll(recorder, 10_000)
    sensors.poll(recorder, 20_000)
    assert recorder.edges == [(0, 0, 1, "peg")]


def test_case_51_ticks_wrap_in_mid_spin():
    plain, _ = spin()
    wrapped, _ = spin(offset_us=PERIOD - 1_500_000)
    assert [(edge[0] + PERIOD - 1_500_000) % PERIOD for edge in plain.edges] == [edge[0] for edge in wrapped.edges]
    assert min(edge[0] for edge in wrapped.edges) < 1_000_000 < max(edge[0] for edge in wrapped.edges)


def test_a_frozen_encoder_stops_while_pegs_pass():
    plain, _ = spin()
    frozen, _ = spin(faults=[(2_000_000, "freeze", 1)])
    late = {count for t, count in frozen.counts if t > 2_010_000}
    assert len(late) == 1
    pegs = [edge[0] for edge in plain.edges if edge[3] == "peg"]
    assert [edge[0] for edge in frozen.edges if edge[3] == "peg"] == pegs


def test_a_mended_encoder_goes_on_from_where_it_stood_still():
    for name in ("freeze", "a_dead", "b_dead"):
        recorder, _ = spin(faults=[(2_000_000, name, 1), (3_000_000, name, 0)])
        counts = [count for _, count in recorder.counts]
        assert max([abs(counts[i + 1] - counts[i]) for i in range(len(counts) - 1)]) < 30


def test_a_dead_line_lets_the_count_go_to_and_fro_by_one():
    for name in ("a_dead", "b_dead"):
        recorder, _ = spin(faults=[(2_000_000, name, 1)])
        late = {count for t, count in recorder.counts if t > 2_010_000}
        assert len(late) == 2
        assert max(late) - min(late) == 1


def test_dead_and_stuck_clapper_report_no_more():
    dead, _ = spin(faults=[(2_000_000, "clapper_dead", 1)])
    assert not [e for e in dead.edges if e[3] == "peg" and e[0] > 2_010_000 and e[2]]
    stuck, _ = spin(faults=[(2_000_000, "clapper_stuck", 1)])
    late = [e for e in stuck.edges if e[3] == "peg" and e[0] > 2_010_000]
    assert late == []
    assert [e for e in stuck.edges if e[3] == "peg"][-1][2] == 1
    mended, _ = spin(faults=[(2_000_000, "clapper_stuck", 1), (4_000_000, "clapper_stuck", 0)])
    levels = [e[2] for e in mended.edges if e[3] == "peg"]
    assert levels == [1, 0] * (len(levels) // 2)


def test_a_dead_index_says_nothing():
    recorder, _ = spin(faults=[(0, "index_dead", 1)])
    assert not [e for e in recorder.edges if e[3] == "index"]


def test_a_slipping_coupling_moves_count_and_index_against_the_pegs():
    plain, sensors = spin()
    slipped, slipped_sensors = spin(faults=[(3_000_000, "slip", 1400)])
    assert slipped_sensors.wheel.at == sensors.wheel.at
    assert slipped.counts[-1][1] - plain.counts[-1][1] in (62, 63)
    counts = [count for _, count in slipped.counts]
    leap = max([counts[i + 1] - counts[i] for i in range(len(counts) - 1)])
    assert leap < 50, "a coupling gives way in some time, not at once"
    zero = slipped_sensors.zero
    assert {(e[1] + zero) % CPT for e in slipped.edges if e[3] == "index"} == {0, 3}


def test_lost_counts_move_the_count_against_index_and_pegs():
    lost, sensors = spin(faults=[(3_000_000, "lost", 7)])
    rises = [(e[1] + sensors.zero) % CPT for e in lost.edges if e[3] == "index" and e[2]]
    assert rises[0] == 7
    assert rises[-1] == 0
    assert (rises[0] - rises[-1]) == 7


def test_glitches_come_at_rest_only_and_leave_the_count_where_it_was():
    plain, _ = spin(tail_us=2_000_000)
    noisy, _ = spin(faults=[(1_000_000, "glitches", 40)], tail_us=2_000_000)
    changed = [i for i in range(len(plain.counts)) if plain.counts[i] != noisy.counts[i]]
    assert len(changed) == 20
    rest = plain.counts[-1][1]
    assert all(plain.counts[i][1] == rest and noisy.counts[i][1] == rest + 1 for i in changed)
    assert noisy.counts[-1] == plain.counts[-1]


def test_impossible_transitions_are_told_once():
    recorder, _ = spin(faults=[(2_000_000, "illegal", 3)])
    assert recorder.illegals == 3


def test_an_unknown_fault_is_refused():
    sensors = Sensors(Wheel(), CPT)
    refused = ""
    try:
        sensors.fault_at(0, "gremlin", 1)
    except ValueError as error:
        refused = str(error)
    assert "gremlin" in refused
