"""The shaker: five measured seconds or no roll, every fault of its parts named, whoever presses what and when."""

from tabletop import ticks
from tabletop.hal.virtual.shaker import Shaker as Model
from tabletop.rules.progressive import roll
from tabletop.sensing.hand_shaker import HandShaker
from tabletop.sensing.shaker import ARMED, NO_ROLL, ROLLED, SHAKEN, Shaker

SEAT = 3
SETTLED_MS = 2000  # sensors are watched before anybody presses


class Cup:
    """A shaker and its core; `run` lets time pass and keeps what ended in `shakes` as (outcome, reason)."""

    def __init__(self, seed=1, start_ms=0):
        self.model = Model(seed)
        self.core = Shaker()
        self.start_ms = start_ms
        self.now_ms = 0
        self.shakes = []
        self.last = None
        self.run(SETTLED_MS)

    def ticks(self):
        return ticks.add(self.start_ms, self.now_ms)

    def run(self, ms):
        for _ in range(ms // 10):
            self.now_ms += 10
            self.model.motor(self.core.motor)
            self.model.poll(self.core, self.ticks())
            shake = self.core.tick(self.ticks())
            if shake is not None:
                self.last = shake
                self.shakes.append((shake.outcome, shake.reason))
                if shake.outcome == NO_ROLL:
                    assert not self.core.motor and self.core.phase == ARMED

    def press(self, seat=SEAT):
        return self.core.press(self.ticks(), seat)

    def start(self):
        assert self.core.arm(self.ticks(), SEAT, 2) == ""
        assert self.press() == ""
        assert self.core.motor

    def break_(self, fault, after_ms):
        self.model.fault = fault
        self.model.fault_ms = self.model.now_ms + after_ms


def shaken(fault="", after_ms=0, seed=1, start_ms=0, run_ms=9000):
    cup = Cup(seed, start_ms)
    cup.start()
    cup.break_(fault, after_ms)
    cup.run(run_ms)
    return cup


def test_a_sound_shaker_shakes_for_five_measured_seconds_and_rests():
    for seed in range(1, 6):
        cup = shaken(seed=seed)
        assert cup.shakes == [(SHAKEN, "")], seed
        assert cup.last.shaken_ms >= 5000 and cup.last.knocks > 100
        assert cup.core.phase == ROLLED and not cup.core.motor and cup.model.calm()


def test_the_dice_fall_every_way():
    seen = [0] * 7
    for seed in range(1, 13):
        for die in shaken(seed=seed * 977, run_ms=8000).model.dice:
            seen[die] += 1
    assert seen[0] == 0 and min(seen[1:]) > 0


def test_time_that_wraps_changes_nothing():
    assert shaken(start_ms=ticks.PERIOD - 4000).shakes == [(SHAKEN, "")]
    assert shaken("motor stands", 3000, start_ms=ticks.PERIOD - 4000).shakes == [(NO_ROLL, "TOO_SHORT")]


def test_every_fault_of_every_part_at_every_moment_is_no_roll():
    # issue 6: a motor that does not move, a lid that opens, a shake too weak or too short is no roll
    wanted = {
        "motor stands": ("NO_MOTION", "TOO_SHORT"),
        "weak": ("NO_MOTION", "TOO_SHORT", "TOO_WEAK"),
        "sensor dead": ("NO_MOTION", "TOO_SHORT"),
        "sensor stuck": ("SENSOR_STUCK",),
        "sensor hums": ("SENSOR_NOISE",),
        "lid opens": ("LID_OPENED",),
        "lock opens": ("UNLOCKED",),
        "never calm": ("NO_REST",),
    }
    assert set(wanted) | {"lid bounces"} == set(Model.FAULTS)
    for fault in wanted:
        for after_ms in (0, 10, 1500, 4500):
            cup = shaken(fault, after_ms, seed=after_ms + 1, run_ms=0)
            for _ in range(110):
                if not cup.shakes:
                    cup.run(100)
            assert cup.shakes[0] in [(NO_ROLL, reason) for reason in wanted[fault]], (fault, after_ms, cup.shakes)


def test_a_shake_is_as_strong_as_its_weakest_moment():
    # the decisive value and the one just short of it: knocks 150 ms apart are shaking, 151 are not
    for apart_ms, outcome in ((150, SHAKEN), (151, NO_ROLL)):
        cup = driven(apart_ms, 6000)
        assert [shake[0] for shake in cup] == [outcome], apart_ms
    assert driven(151, 6000) == [(NO_ROLL, "TOO_SHORT")]
    assert driven(400, 20000) == [(NO_ROLL, "TOO_WEAK")]


def driven(apart_ms, ms, at_least=5000):
    """What comes of knocks so far apart, for so long, from the start of the motor on."""
    core = Shaker(at_least)
    for told in (core.lid, core.lock):
        told(0, True)
    core.tick(1000)
    core.arm(1000, 1, 1)
    assert core.press(1000, 1) == ""
    ended = []
    for now_ms in range(1001, 22000):
        if (now_ms - 1001) % apart_ms == 0 and now_ms <= 1001 + ms:
            core.motion(now_ms, 1)
            core.motion(now_ms, 0)
        shake = core.tick(now_ms) if now_ms % 10 == 0 else None
        if shake is not None:
            ended.append((shake.outcome, shake.reason))
    return ended


def test_five_seconds_are_five_seconds():
    assert driven(100, 4900) == [(NO_ROLL, "TOO_SHORT")]
    assert driven(100, 5000) == [(SHAKEN, "")]
    said = ""
    try:
        Shaker(4999)
    except ValueError as error:
        said = str(error)
    assert "5000" in said


def test_a_lid_that_only_bounces_stops_nothing_until_it_is_loose():
    cup = shaken("lid bounces", 0)
    assert cup.shakes[0] == (SHAKEN, "")
    cup = Cup()
    cup.start()
    for _ in range(25):
        cup.core.lid(cup.ticks(), False)
        cup.core.lid(ticks.add(cup.ticks(), 5), True)
        cup.run(50)
    assert cup.shakes == [(NO_ROLL, "LID_LOOSE")]


def test_a_lid_open_for_39_ms_has_bounced_and_for_40_was_open():
    for open_ms, ended in ((30, []), (39, []), (41, [(NO_ROLL, "LID_OPENED")])):
        cup = Cup()
        cup.start()
        cup.run(1000)
        at = cup.ticks()
        cup.core.lid(at, False)
        shake = cup.core.tick(at + open_ms)
        cup.core.lid(at + open_ms, True)
        assert ([(shake.outcome, shake.reason)] if shake else []) == ended, open_ms


def test_what_happens_to_dice_that_lie_and_are_not_read_yet():
    for fault, reason in (("lid opens", "LID_OPENED"), ("lock opens", "UNLOCKED"), ("never calm", "MOVED")):
        cup = shaken(fault, 7500, run_ms=11000)
        assert cup.shakes == [(SHAKEN, ""), (NO_ROLL, reason)]
    cup = shaken()
    cup.core.motion(cup.ticks(), 1)  # a glass put down beside it
    cup.core.motion(cup.ticks(), 0)
    cup.run(3000)
    assert cup.shakes == [(SHAKEN, "")]


def test_who_may_press_and_when():
    cup = Cup()
    assert cup.press() == "BETS_OPEN"
    assert cup.core.arm(cup.ticks(), SEAT, 0) == "NO_WAGERS"
    assert cup.press() == "BETS_OPEN"
    assert cup.core.arm(cup.ticks(), SEAT, 1) == ""
    assert [cup.press(seat) for seat in (0, 1, 2, 4, 5, 6, 7)] == ["NOT_SELECTED"] * 7
    assert not cup.core.motor
    assert cup.press() == ""
    for _ in range(600):  # pressed again and again, by everybody: the shake goes on
        assert cup.press() in ("SHAKES_ALREADY", "SHAKEN_ALREADY")
        assert cup.press(5) in ("SHAKES_ALREADY", "SHAKEN_ALREADY")
        assert cup.core.arm(cup.ticks(), 5, 1) == "SHAKES_ALREADY" or cup.core.phase == ROLLED
        cup.run(10)
    assert cup.core.seat == SEAT
    cup.run(4000)
    assert cup.shakes == [(SHAKEN, "")]
    assert cup.press() == "SHAKEN_ALREADY"
    cup.core.disarm(cup.ticks())
    assert cup.press() == "BETS_OPEN"


def test_what_must_be_in_order_before_the_motor_starts():
    for fault, why in (
        ("lid opens", "LID_OPEN"), ("lock opens", "NOT_LOCKED"), ("sensor stuck", "SENSOR_STUCK"),
        ("never calm", "NOT_AT_REST"),
    ):  # fmt: skip
        cup = Cup()
        cup.break_(fault, 0)
        cup.run(2000)
        cup.core.arm(cup.ticks(), SEAT, 1)
        assert cup.press() == why
        assert not cup.core.motor
        cup.model.fault = ""
        cup.run(3000)
        assert cup.press() == "", fault


def test_after_no_roll_the_same_button_starts_the_next_shake():
    cup = shaken("motor stands", 0, run_ms=3000)
    cup.model.fault = ""
    cup.run(2000)
    assert cup.press() == ""
    cup.run(12000)
    assert cup.shakes == [(NO_ROLL, "NO_MOTION"), (SHAKEN, "")]


def by_hand(shakes, rest_ms=1500, lid_at=None, wagers=1):
    """What comes of so many shakes of 300 ms by hand; `lid_at` opens it before the n-th."""
    core = HandShaker()
    core.lid(0, True)
    if core.arm(100, 0, wagers):
        return core.arm(100, 0, wagers)
    now_ms = 1000
    for n in range(shakes):
        if n == lid_at:
            break
        for _ in range(6):
            core.motion(now_ms, 1)
            core.motion(now_ms + 4, 0)
            now_ms += 50
        now_ms += 300
        assert core.tick(now_ms) is None
    now_ms += rest_ms - 300
    core.lid(now_ms - 45, False)
    shake = core.tick(now_ms)
    return (shake.outcome, shake.reason) if shake else None


def test_a_manual_shaker_takes_three_shakes_then_rest_then_the_lid():
    assert by_hand(3) == by_hand(5) == (SHAKEN, "")
    assert by_hand(2) == (NO_ROLL, "TOO_SHORT")
    assert by_hand(0) == (NO_ROLL, "NO_MOTION")
    assert by_hand(4, lid_at=2) == (NO_ROLL, "TOO_SHORT")
    assert by_hand(3, rest_ms=900) == (NO_ROLL, "NO_REST")
    assert by_hand(3, wagers=0) == "NO_WAGERS"
    core = HandShaker()
    assert core.arm(100, 0, 1) == "LID_OPEN"


def test_dice_of_a_manual_shaker_that_were_covered_or_knocked_before_they_are_read_are_none():
    def shaken():
        core = HandShaker()
        core.lid(0, True)
        core.arm(100, 0, 1)
        for n in range(18):
            core.motion(1000 + 50 * n + n // 6 * 300, 1)
            core.motion(1004 + 50 * n + n // 6 * 300, 0)
        core.lid(5000, False)
        assert core.tick(5050).outcome == SHAKEN
        return core

    core = shaken()
    core.lid(6000, True)
    core.lid(6030, False)
    assert core.tick(6100) is None, "that bounced"
    core.lid(7000, True)
    shake = core.tick(7050)
    assert (shake.outcome, shake.reason) == (NO_ROLL, "LID_CLOSED")
    core.lid(8000, False)
    assert core.tick(8050) is None, "it is over"

    core = shaken()
    for n in range(4):
        assert core.tick(6000 + 1100 * n) is None
        core.motion(6000 + 1100 * n, 1)
        core.motion(6004 + 1100 * n, 0)
    for n in range(2):
        core.motion(9400 + 100 * n, 1)
        core.motion(9404 + 100 * n, 0)
    shake = core.tick(9510)
    assert (shake.outcome, shake.reason) == (NO_ROLL, "MOVED")

    core = shaken()
    core.disarm(6000)
    core.lid(7000, True)
    assert core.tick(7050) is None, "the dice were read before"


def test_touches_are_no_shakes():
    core = HandShaker()
    core.lid(0, True)
    core.arm(100, 0, 1)
    for n in range(9):
        core.motion(1000 + 400 * n, 1)
        core.motion(1004 + 400 * n, 0)
    assert core.count == 0


def test_a_roll_counts_when_it_was_read_twice_alike():
    assert roll.refusal([6, 2, 1], None) is None
    assert roll.refusal([6, 1, 2], [6, 2, 1]) is None
    refused = roll.refusal([2, 6, 1], [6, 2, 1])
    assert refused == ("refuse", 3040, {"first": "red 6, blue 2 and 1", "second": "red 2, blue 6 and 1"})
    for wrong in ([0, 1, 1], [7, 1, 1], [True, 1, 1], ["1", 1, 1], [1, 1], [1, 1, 1, 1]):
        assert roll.refusal(wrong, None) is not None


def test_the_start_seat_follows_from_the_total_counted_from_the_dealer():
    assert roll.start_seat([1, 1, 1], 6) == 2
    assert roll.start_seat([6, 1, 1], 6) == 0  # eight: the dealer again
    assert roll.start_seat([6, 6, 6], 6) == 3
    assert sorted({roll.start_seat([a, 1, 1], 6) for a in range(1, 7)} | {roll.start_seat([1, 1, 6], 6)}) == [
        0, 2, 3, 4, 5, 6,
    ]  # fmt: skip


def test_edges_and_ticks_allocate_nothing():
    import gc

    if not hasattr(gc, "mem_alloc"):
        return
    cup = Cup()
    cup.start()
    core = cup.core
    now_ms = cup.ticks() + 10
    for part in range(2):  # the first time round, what is kept for ever is made
        gc.collect()
        before = gc.mem_alloc()
        for _ in range(30):
            core.motion(now_ms, 1)
            core.motion(now_ms, 0)
            core.lid(now_ms, False)
            core.lid(now_ms, True)
            core.lid_closed.bounces = 0
            core.tick(now_ms)
            now_ms += 100
        assert part == 0 or gc.mem_alloc() - before < 64, gc.mem_alloc() - before
