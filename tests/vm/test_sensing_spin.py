"""Spins, rests and turns: what counts, from where, and when it is over."""

from tabletop.sensing.config import WheelConfig
from tabletop.ticks import PERIOD

try:
    from tests.vm.pegged_wheel import PeggedWheel
except ImportError:
    from pegged_wheel import PeggedWheel

TURN = 2160


def outcomes(wheel):
    return [spin.outcome for spin in wheel.spins]


def only(wheel):
    assert len(wheel.spins) == 1, outcomes(wheel)
    return wheel.spins[0]


def test_a_forward_spin_gives_the_section_where_the_wheel_rests():
    spin = only(PeggedWheel(at=20).coast(4 * TURN + 45).rest())
    assert (spin.outcome, spin.section, spin.direction) == ("SECTION", 1, 1)
    assert (spin.faults, spin.notes) == ([], [])
    assert spin.turns_milli == 4020
    assert spin.start_section == 0


def test_a_backward_spin_gives_the_section_where_the_wheel_rests():
    spin = only(PeggedWheel(at=20).coast(-(4 * TURN + 45)).rest())
    assert (spin.outcome, spin.section, spin.direction, spin.faults) == ("SECTION", 53, -1, [])


def test_no_result_before_the_wheel_has_settled():
    wheel = PeggedWheel().coast(4 * TURN).rest(900)
    assert not wheel.spins
    assert wheel.sensor.moving
    wheel.rest(200)
    assert outcomes(wheel) == ["SECTION"]
    assert not wheel.sensor.moving
    wheel.rest(5000)
    assert outcomes(wheel) == ["SECTION"]


def test_counts_read_once_a_tick_give_the_same_result():
    wheel = PeggedWheel(at=20)
    wheel.every_count = False
    spin = only(wheel.coast(4 * TURN + 45).rest())
    assert (spin.outcome, spin.section, spin.faults) == ("SECTION", 1, [])


def test_every_number_of_counts_a_turn_gives_the_section():
    for counts_per_turn in (216, 217, 250, 541, 1000, 4096):
        section = counts_per_turn // 54
        for way in (1, -1):
            wheel = PeggedWheel(at=section // 2, counts_per_turn=counts_per_turn)
            wheel.coast(way * (3 * counts_per_turn + 29 * counts_per_turn // 216)).rest()
            spin = only(wheel)
            assert spin.outcome == "SECTION", (counts_per_turn, way, spin.faults)
            assert spin.section == wheel.at * 54 // counts_per_turn % 54


def test_case_1_a_torn_reading_is_dropped_and_counted():
    wheel = PeggedWheel()
    sensor = wheel.sensor
    for n, count in enumerate((4, 8, 4294780737, 15)):
        sensor.encoder(1000 * n, count)
        sensor.tick(1000 * n)
    assert sensor.bad_samples == 1
    assert sensor.count == 15
    assert sensor.section == 0


def test_a_counter_that_was_reset_is_taken_as_it_is_but_gives_no_section():
    wheel = PeggedWheel().turn(2 * TURN)
    for _ in range(4):
        wheel.sensor.encoder(wheel.tick_us(), -100_000)
    assert not wheel.sensor.homed
    wheel.lost = 100_000 + wheel.at - wheel.start
    wheel.coast(4 * TURN).rest()
    assert "ENCODER_ILLEGAL" in only(wheel).faults


def test_case_4_vibration_on_an_edge_at_rest_is_no_spin():
    wheel = PeggedWheel(at=799).rest(2000)
    for _ in range(1500):
        wheel.step(1, 20_000)
        assert wheel.sensor.section == 19
        wheel.step(-1, 20_000)
        assert not wheel.sensor.moving
    assert not wheel.spins
    assert wheel.sensor.count == 0


def test_case_4_small_movements_to_and_fro_are_no_spin():
    wheel = PeggedWheel(at=780).rest(2000)
    for _ in range(50):
        wheel.turn(40).turn(1).turn(-1).turn(-40).rest(1200)
    assert not wheel.spins
    assert wheel.sensor.section == 19


def test_case_5_many_edges_while_nobody_looked_are_one_reading():
    wheel = PeggedWheel(at=20).rest(100)
    sensor = wheel.sensor
    wheel.now_us += 50_000
    for edge, count, level in ((16, 16, 1), (24, 24, 0), (56, 56, 1), (64, 64, 0), (96, 96, 1), (104, 104, 0),
                               (136, 136, 1), (144, 144, 0), (176, 176, 1), (184, 184, 0)):
        sensor.peg(wheel.now_us - 2000 + edge * 10, count, level)
    sensor.encoder(wheel.now_us, 200)
    sensor.tick(wheel.now_us)
    assert sensor.count == 200
    assert sensor.bad_samples == 0
    assert sensor.section == 220 // 40


def test_case_8_no_time_between_edges_is_no_infinite_speed():
    wheel = PeggedWheel(now_us=PERIOD - 3)
    sensor = wheel.sensor
    for t_us, count in ((PERIOD - 2, 1), (PERIOD - 2, 2), (PERIOD - 2, 3), (4, 4)):
        sensor.encoder(t_us, count)
        assert sensor.tick(t_us) is None
        assert 0 <= sensor.speed_mturns_s < 20_000
    assert not wheel.spins


def test_case_48_a_pause_of_the_program_changes_nothing():
    wheel = PeggedWheel()
    wheel.every_count = False
    wheel.turn(2 * TURN, 200)
    wheel.next_tick += 40_000  # no tick while memory is collected
    wheel.coast(6250, slowing=2000).rest()
    spin = only(wheel)
    assert (spin.outcome, spin.faults) == ("SECTION", [])
    assert spin.top_speed_mturns_s in range(2290, 2340)


def test_case_48_a_collection_each_tenth_of_a_second_at_five_turns_a_second_loses_no_count():
    wheel = PeggedWheel()
    wheel.every_count = False
    for _ in range(20):
        wheel.turn(1080, 92)  # 5.03 turns a second for a tenth of one
        wheel.next_tick += 4200  # no tick while memory is collected
    wheel.coast(16 * TURN, slowing=1708).rest(3000)
    spin = only(wheel)
    assert (spin.outcome, spin.faults) == ("SECTION", [])
    assert spin.turns_milli == 26_000
    assert 4982 <= spin.top_speed_mturns_s <= 5083, "one hundredth off"


def test_case_51_a_spin_over_the_wrap_of_the_clock_is_like_any_other():
    whole = PeggedWheel().coast(3 * TURN + 40)
    length = whole.now_us
    for before in (length // 2, length + 300_000, length - 5000):
        wheel = PeggedWheel(now_us=PERIOD - before).coast(3 * TURN + 40).rest(900)
        assert not wheel.spins
        wheel.rest(200)
        spin = only(wheel)
        assert (spin.outcome, spin.faults) == ("SECTION", [])
        assert spin.t_us < PERIOD


def test_case_51_a_rest_of_hours_does_not_wrap_into_a_spin():
    wheel = PeggedWheel()
    wheel.next_tick += 700_000_000
    wheel.now_us += 700_000_000
    for _ in range(3):
        wheel.rest(300_000)
        wheel.now_us += 200_000_000
        wheel.next_tick += 200_000_000
    assert not wheel.spins
    assert only(wheel.coast(4 * TURN).rest()).outcome == "SECTION"


def test_case_60_three_turns_less_one_count_are_no_spin():
    assert only(PeggedWheel().coast(6479).rest()).outcome == "SHORT_SPIN"
    assert only(PeggedWheel().coast(6480).rest()).outcome == "SECTION"
    assert only(PeggedWheel().coast(-6479).rest()).outcome == "SHORT_SPIN"
    assert only(PeggedWheel().coast(-6480).rest()).outcome == "SECTION"


def test_case_60_two_forward_one_back_two_forward_are_not_three():
    wheel = PeggedWheel().turn(2 * TURN).turn(-TURN).coast(2 * TURN).rest()
    spin = only(wheel)
    assert spin.outcome == "SHORT_SPIN"
    assert 1990 <= spin.turns_milli <= 2000  # the point of return is seen to a tick


def test_case_60_the_minimum_is_a_setting():
    wheel = PeggedWheel()
    wheel.config.min_turns = 1
    assert only(wheel.coast(TURN + 40).rest()).outcome == "SECTION"


def test_turned_back_by_hand_the_count_starts_where_it_turned():
    spin = only(PeggedWheel().turn(TURN).coast(-(3 * TURN + 400)).rest())
    assert (spin.outcome, spin.direction) == ("SECTION", -1)
    assert 3175 <= spin.turns_milli <= 3185


def test_a_swing_back_before_the_spin_is_no_spin_of_its_own():
    wheel = PeggedWheel(at=30).turn(-65, 2000).coast(4 * TURN).rest()
    assert only(wheel).outcome == "SECTION"


def test_rolled_back_from_the_peg_the_wheel_is_in_the_section_before():
    wheel = PeggedWheel(at=20).coast(3 * TURN + 18, leave=6)  # 38 counts into section 0: peg 1 is touched
    wheel.back(12, -1).rest()
    spin = only(wheel)
    assert (spin.outcome, spin.section, spin.notes, spin.faults) == ("SECTION", 0, ["ROLLED_BACK"], [])


def test_rolled_back_over_the_line_the_wheel_is_in_the_section_before():
    for way in (1, -1):
        wheel = PeggedWheel(at=20).coast(way * (3 * TURN + 23), leave=6)  # three counts over the line
        wheel.back(20, -way).rest()
        spin = only(wheel)
        assert (spin.outcome, spin.section, spin.faults) == ("SECTION", 0, []), way


def test_rolled_back_past_a_whole_peg_is_still_the_same_spin():
    wheel = PeggedWheel(at=20).coast(3 * TURN + 58, leave=6)
    wheel.back(55, -1).rest()
    spin = only(wheel)
    assert (spin.outcome, spin.section, spin.direction) == ("SECTION", 0, 1)
    assert spin.turns_milli == 3001


def test_case_61_at_rest_on_a_peg_is_between_sections():
    wheel = PeggedWheel(at=20).coast(3 * TURN + 780)  # on peg 20
    wheel.rest(1700)
    assert not wheel.spins
    wheel.rest(300)
    spin = only(wheel)
    assert (spin.outcome, spin.section, spin.faults) == ("BETWEEN_SECTIONS", -1, [])
    assert wheel.sensor.on_peg


def test_case_61_thrown_off_the_peg_after_a_while_is_one_result():
    wheel = PeggedWheel(at=20).coast(3 * TURN + 779, leave=3).rest(1500)
    wheel.back(20, -1).rest()
    spin = only(wheel)
    assert (spin.outcome, spin.section, spin.faults) == ("SECTION", 19, [])


def test_case_62_short_spins_tell_start_turns_and_top_speed():
    wheel = PeggedWheel(at=20)
    for turns_milli in (670, 800, 900, 1050):
        wheel.coast(turns_milli * TURN // 1000).rest()
    assert outcomes(wheel) == ["SHORT_SPIN"] * 4
    starts = [spin.start_section for spin in wheel.spins]
    assert starts[0] == 0
    at = 20
    for spin, turns_milli in zip(wheel.spins, (670, 800, 900, 1050)):
        assert spin.start_section == at // 40 % 54
        assert abs(spin.turns_milli - turns_milli) <= 1
        assert 200 < spin.top_speed_mturns_s < 600
        at += turns_milli * TURN // 1000


def test_two_spins_are_two_results():
    wheel = PeggedWheel().coast(4 * TURN).rest(2200).coast(-5 * TURN - 40).rest()
    assert outcomes(wheel) == ["SECTION", "SECTION"]
    assert [spin.direction for spin in wheel.spins] == [1, -1]


def test_pushed_while_turning_is_one_spin():
    spin = only(PeggedWheel().coast(2 * TURN, leave=600).coast(5 * TURN).rest())
    assert (spin.outcome, spin.faults) == ("SECTION", [])


def test_a_nudge_of_a_section_is_nothing():
    assert not PeggedWheel().turn(30, 3000).rest().spins
    assert outcomes(PeggedWheel().coast(90).rest()) == ["SHORT_SPIN"]


def test_the_live_view_follows_the_wheel():
    wheel = PeggedWheel(at=20).rest(100)
    sensor = wheel.sensor
    assert (sensor.moving, sensor.homed, sensor.section, sensor.direction) == (False, True, 0, 0)
    wheel.turn(TURN + 120, 463)  # one turn a second
    assert (sensor.moving, sensor.section, sensor.direction) == (True, 3, 1)
    assert sensor.turns_milli == (TURN + 120) * 1000 // TURN
    assert abs(sensor.speed_mturns_s - 1000) < 20


def test_a_config_that_makes_no_sense_is_refused():
    for arguments in ((215,), (40001,), (216, 55), (2400, 1)):
        try:
            WheelConfig(*arguments)
        except ValueError:
            continue
        raise AssertionError(arguments)


def test_nothing_is_allocated_per_edge_or_tick():
    import gc

    if not hasattr(gc, "mem_alloc"):
        return
    wheel = PeggedWheel().turn(400)
    sensor = wheel.sensor
    t_us = wheel.now_us
    count = sensor.count
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    i = 0
    while i < 200:
        sensor.encoder(t_us, count)
        sensor.tick(t_us)
        if i % 40 == 10:
            sensor.peg(t_us, count, 1)
        if i % 40 == 20:
            sensor.peg(t_us, count, 0)
        t_us += 5000
        count += 1
        i += 1
    after = gc.mem_alloc()
    gc.enable()
    assert after == before
