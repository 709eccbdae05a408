"""The virtual wheel: energy only falls, and a spin is the same on both interpreters to the last bit."""

from tabletop.hal.virtual.wheel import PEG_HALF, SECTION, SECTIONS, TURN, Wheel, mturns_s, speed

LAUNCH_US = 300_000
START = 20 * SECTION + SECTION // 3

# (speed_mturns_s, direction, noise): where the wheel comes to rest, when, and how the clapper is bent. Made once by
# this model; both interpreters must give exactly this.
SPINS = {
    (900, 1, 7): (864952520560, 8915950, 0),
    (900, -1, 7): (-693590002165, 8473705, 0),
    (900, 1, 8): (868947343404, 8396551, 0),
    (1450, 1, 123456789): (1747134240048, 11748968, 0),
    (420, -1, 99): (-127663777250, 5175630, 0),
    (3000, 1, 1): (4874424216520, 18160631, 1),
}


def launched(mturns, direction=1, noise=1, at=START):
    wheel = Wheel(at, noise)
    wheel.push(0, direction * speed(mturns), LAUNCH_US)
    return wheel


def run(wheel):
    steps = 0
    while wheel.moving:
        wheel.step()
        steps += 1
        assert steps < 100_000
    return wheel


def energy(wheel):
    """In section2/s2 a unit of inertia: of motion and of the bent clapper."""
    pace = wheel.pace / (1 << 52) * 1e6
    bend = 0.0
    if wheel.side:
        past = (wheel.at + SECTION // 2) % SECTION - SECTION // 2
        bend = (PEG_HALF + wheel.side * past) / SECTION
    return pace * pace / 2 + wheel.stiffness * (1 << 32) / (1 << 26) / (1 << 52) * 1e12 * bend * bend / 2


def test_a_spin_is_the_same_on_both_interpreters():
    for (mturns, direction, noise), end in SPINS.items():
        wheel = run(launched(mturns, direction, noise))
        assert (wheel.at, wheel.t_us, wheel.side) == end, (mturns, direction, noise, wheel.at, wheel.t_us, wheel.side)


def test_without_a_hand_energy_only_falls():
    for mturns, direction, noise in SPINS:
        wheel = launched(mturns, direction, noise)
        while wheel.hand:
            wheel.step()
        before = energy(wheel)
        while wheel.moving:
            wheel.step()
            now = energy(wheel)
            assert now < before or wheel.pace == 0, (mturns, noise, wheel.t_us, before, now)
            assert now <= before
            before = now


def test_a_peg_costs_the_energy_of_the_clapper_it_lets_spring():
    wheel = launched(400)
    while wheel.hand or wheel.side:
        wheel.step()
    while not wheel.side:
        wheel.step()
    pace, stiffness = wheel.pace, wheel.stiffness / (1 << 46) * 1e12
    while wheel.side:
        wheel.step()
    lost = ((pace / (1 << 52)) ** 2 - (wheel.pace / (1 << 52)) ** 2) * 1e12 / 2
    clapper = stiffness * 0.2 * 0.2 / 2
    assert clapper < lost < clapper + 0.2 * (2.4 + 0.08 * 25)


def test_the_hand_sets_the_speed_and_the_wheel_never_exceeds_it():
    wheel = launched(900)
    fastest = 0
    while wheel.moving:
        wheel.step()
        fastest = max(fastest, wheel.pace)
    assert mturns_s(fastest) in (899, 900)


def test_a_section_always_ends_a_spin_somewhere_at_rest():
    for noise in range(1, 40):
        wheel = run(launched(600 + 20 * noise, 1 if noise & 1 else -1, noise))
        before = wheel.at, wheel.pace, wheel.moving
        assert before[1:] == (0, False)
        assert not wheel.bent() or wheel.side


def test_the_wheel_rests_on_a_peg_only_where_friction_can_hold_the_clapper():
    entry = 5 * SECTION - PEG_HALF  # a peg met going forward
    for hundredths in range(1, 20):
        wheel = Wheel()
        wheel.place(entry + hundredths * SECTION // 100, 1)
        wheel.push(0, 0, 1000)  # a hand holds the wheel there, and lets go
        run(wheel)
        if hundredths < 4:
            assert wheel.at == entry + hundredths * SECTION // 100
        elif hundredths < 6:
            assert entry < wheel.at < entry + hundredths * SECTION // 100, "some way back, not enough to get off"
        else:
            assert wheel.at < entry, "the clapper pushes back the way the peg came"


def test_roll_back_and_rest_on_a_peg_occur_in_ordinary_spins():
    rolled_back = on_peg = 0
    for noise in range(1, 120):
        wheel = launched(700 + 7 * noise, noise=noise)
        furthest = wheel.at
        while wheel.moving:
            wheel.step()
            furthest = max(furthest, wheel.at)
        rolled_back += furthest // SECTION > wheel.at // SECTION
        on_peg += wheel.bent()
    assert 10 < rolled_back < 80
    assert 1 < on_peg < 20


def test_a_spin_does_not_depend_on_when_it_began():
    early = run(launched(900))
    late = Wheel(START, 1)
    late.push(123_456_789_012, speed(900), LAUNCH_US)
    run(late)
    assert late.at == early.at
    assert late.t_us - 123_456_789_012 == early.t_us


def test_a_turn_more_at_the_start_is_a_turn_more_at_the_end():
    assert run(launched(900, at=START + 1000 * TURN)).at == run(launched(900)).at + 1000 * TURN


def test_forward_and_backward_are_mirror_images():
    forward = run(launched(900, 1, 5, 20 * SECTION + SECTION // 2))
    backward = run(launched(900, -1, 5, 20 * SECTION + SECTION // 2))
    there, back = forward.at - 20 * SECTION - SECTION // 2, 20 * SECTION + SECTION // 2 - backward.at
    assert abs(there - back) < SECTION // 100
    assert SECTIONS * SECTION == TURN


def test_a_second_push_in_mid_spin_carries_further_and_a_stop_ends_it():
    plain = run(launched(800))
    pushed = launched(800)
    pushed.push(0, speed(1500), LAUNCH_US, 2_000_000)
    run(pushed)
    assert pushed.at > plain.at + 3 * TURN
    stopped = launched(1200)
    stopped.push(0, 0, 40_000, 1_500_000)
    stopped.push(0, 0, 300_000, 1_540_000)
    run(stopped)
    assert stopped.at < plain.at
    assert stopped.t_us >= 1_840_000


def test_orders_of_the_hand_are_obeyed_in_time_even_when_the_wheel_stands_between_them():
    wheel = Wheel(START, 1)
    wheel.push(0, speed(100), 200_000)
    wheel.push(0, speed(900), LAUNCH_US, 6_000_000)
    while wheel.t_us < 5_900_000:
        wheel.step()
    assert wheel.pace == 0
    assert wheel.moving
    assert wheel.at < START + TURN
    run(wheel)
    assert wheel.at > START + 3 * TURN
