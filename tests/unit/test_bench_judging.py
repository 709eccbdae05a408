"""What the bench makes of its figures: each limit, the decisive value and the one just short of it, and each cause."""

from array import array
from collections.abc import Callable

import pytest
from wheelwright import calibration
from wheelwright.bench import coast, encoder, parts, pegs
from wheelwright.bench.capture import INDEX, PEG, C, Capture, Z, events_of
from wheelwright.bench.encoder import Wheel
from wheelwright.bench.finding import CAUSES, Found
from wheelwright.bench.technician import Person, Rig
from wheelwright.errors import WheelwrightError

from tests.unit.bench_captures import LEVELS, both, motion

WHEEL = Wheel()


def told(found: Found) -> tuple[str, str]:
    """Verdict and fault; a figure that is shown with a failure lies outside its limits."""
    if found.verdict == "FAIL" and isinstance(found.measured, (int, float)):
        low, high = found.low, found.high
        assert (low is not None and found.measured < low) or (high is not None and found.measured > high) or (
            low is high is None
        ), found
    return found.verdict, found.fault


@pytest.mark.parametrize("wheel", [Wheel(), Wheel(2160), Wheel(4096), Wheel(1000)], ids=lambda one: one.counts_per_turn)
def test_a_healthy_wheel_passes_whatever_its_encoder(wheel: Wheel) -> None:
    seen = both(wheel=wheel)
    for judge in (encoder.lines, encoder.counts_a_turn, encoder.index, pegs.clapper):
        assert told(judge(*seen, wheel)) == ("PASS", ""), judge.__name__
    assert told(pegs.sections(*seen, wheel, True)) == ("PASS", "")
    assert told(coast.coast_down(seen[0], wheel, ())) == ("PASS", "")


def test_events_go_on_over_the_wrap_of_ticks_and_of_the_low_bits_of_the_count() -> None:
    words = array("I", [(1 << 30) - 5, 0xFFFFFF << 6 | 1, 5, 0 << 6 | 3])
    one, other = events_of(words.tobytes(), 3 << 24)
    assert (one.t_us, one.counts, other.t_us, other.counts) == (0, (3 << 24) - 1, 10, 3 << 24)
    words = array("I", [0, 0xFFFFFE << 6])
    assert events_of(words.tobytes(), 1)[0].counts == -2


@pytest.mark.parametrize(("line", "levels"), [
    ("a_dead", [0, 0, 2, 2]), ("b_dead", [0, 1, 1, 0]), ("encoder_dead", [0, 0, 0, 0]),
])  # fmt: skip
def test_a_dead_line_is_named_by_the_one_that_still_toggles(line: str, levels: list[int]) -> None:
    here = (0, 1) if line != "encoder_dead" else (0, 0)

    def still(place: float) -> float:
        return here[int(place) // 2 % 2]

    seen = both(count_of=still)
    seen = tuple(
        Capture(one.asked, [e._replace(levels=levels[i % 4]) if e.kind == 0 else e for i, e in enumerate(one.events)])
        for one in seen
    )  # type: ignore[assignment]
    assert told(encoder.lines(*seen, WHEEL)) == ("FAIL", line)
    assert told(pegs.clapper(*seen, WHEEL)) == ("INVALID", "")


def test_lines_that_are_swapped_count_against_the_way_of_the_wheel_both_times() -> None:
    forward, backward = both(count_of=lambda place: -place, levels_of=lambda count: LEVELS[-count % 4])
    assert told(encoder.lines(forward, backward, WHEEL)) == ("FAIL", "swapped")
    assert encoder.lines(motion(1), forward, WHEEL).verdict == "INVALID"  # turned the same way twice, or misheard


def test_levels_that_do_not_fit_the_count_fail_below_eighty_percent() -> None:
    def wrong(one: Capture, percent: int) -> Capture:
        return Capture(one.asked, [
            e._replace(levels=e.levels ^ 3) if e.kind == 0 and i * 37 % 100 < percent else e
            for i, e in enumerate(one.events)
        ])  # fmt: skip

    seen = both()
    assert told(encoder.lines(wrong(seen[0], 12), wrong(seen[1], 12), WHEEL)) == ("PASS", "")
    assert told(encoder.lines(wrong(seen[0], 45), seen[1], WHEEL)) == ("FAIL", "counts_lost")


@pytest.mark.parametrize(("late", "verdict"), [(4, "PASS"), (5, "FAIL")])
def test_an_index_may_wander_by_a_600th_of_a_turn(late: int, verdict: str) -> None:
    forward = motion(1, index_at=lambda turn: late if turn == 3 else 0)
    assert encoder.index(forward, motion(-1), WHEEL).verdict == verdict
    if verdict == "FAIL":
        assert encoder.index(forward, motion(-1), WHEEL).fault == "index_wanders"


def with_index(capture: Capture, width_of: Callable[[int], int]) -> Capture:
    """The same motion with the index of turn n, from 0 on, so many counts wide."""
    turn, events = -1, []
    for event in capture.events:
        if event.kind == INDEX:
            turn += bool(event.levels & Z)
            if (event.levels & Z == 0) == (capture.asked > 0):  # the upper end
                event = event._replace(counts=event.counts + width_of(turn) - WHEEL.index_width)
        events.append(event)
    return Capture(capture.asked, events)


@pytest.mark.parametrize("width", [1, 2, 4, 12])
def test_an_index_of_another_width_is_named_with_both_numbers_and_calibrated(width: int) -> None:
    forward, backward = (with_index(one, lambda _turn: width) for one in both())
    found = encoder.index(forward, backward, WHEEL)
    assert told(found) == ("FAIL", "index_width")
    assert found.detail == f"the index is {width} counts wide, the table expects 3"
    assert "calibrate" in found.advice
    measured = calibration.measure(forward, backward, WHEEL)
    assert (measured.index_width, measured.counts_per_turn) == (width, 2400)
    assert told(encoder.index(forward, backward, WHEEL._replace(index_width=width))) == ("PASS", "")


@pytest.mark.parametrize(("forward", "backward"), [
    (lambda _turn: 3, lambda _turn: 4), (lambda _turn: 5, lambda _turn: 4),
    (lambda turn: 3 + turn % 2, lambda _turn: 3), (lambda turn: 3 + (turn == 2), lambda _turn: 3),
], ids=["by direction", "by direction, none right", "from turn to turn", "once"])  # fmt: skip
def test_an_index_that_is_not_gated_is_named_as_that_and_never_calibrated(
    forward: Callable[[int], int], backward: Callable[[int], int]
) -> None:
    seen = with_index(motion(1), forward), with_index(motion(-1), backward)
    found = encoder.index(*seen, WHEEL)
    assert told(found) == ("FAIL", "index_ungated")
    assert "not gated" in found.cause
    with pytest.raises(WheelwrightError, match=r"E-7410 .*not gated"):
        calibration.measure(*seen, WHEEL)


def test_a_rare_pulse_between_two_indices_makes_no_ungated_one() -> None:
    forward = motion(1)
    at = next(i for i, event in enumerate(forward.events) if event.counts > 3000)
    event = forward.events[at]
    noise = [event._replace(kind=INDEX, levels=Z), event._replace(kind=INDEX, levels=0, counts=event.counts + 2)]
    seen = Capture(1, [*forward.events[:at], *noise, *forward.events[at:]]), motion(-1)
    assert told(encoder.index(*seen, WHEEL)) == ("PASS", "")
    assert calibration.measure(*seen, WHEEL).index_width == 3


def inverted(capture: Capture, line: int) -> Capture:
    """The same motion with a line the other way round."""
    kind = INDEX if line == Z else PEG
    flipped = [event._replace(levels=event.levels ^ line) if event.kind == kind else event for event in capture.events]
    return Capture(capture.asked, flipped)


def test_an_index_the_wrong_way_round_is_named_as_that_and_never_calibrated() -> None:
    seen = inverted(motion(1), Z), inverted(motion(-1), Z)
    found = encoder.index(*seen, WHEEL)
    assert told(found) == ("FAIL", "index_inverted")
    assert found.detail == "the index is active over 2397 counts of a turn"
    with pytest.raises(WheelwrightError, match=r"E-7410 .*wrong way round"):
        calibration.measure(*seen, WHEEL)


def test_a_clapper_that_is_active_between_pegs_is_the_wrong_way_round() -> None:
    """Its pegs are all there, half a section out of place."""
    seen = inverted(motion(1), C), inverted(motion(-1), C)
    assert told(pegs.clapper(*seen, WHEEL)) == ("FAIL", "clapper_inverted")
    with pytest.raises(WheelwrightError, match=r"E-7410 .*wrong way round"):
        calibration.measure(*seen, WHEEL)


@pytest.mark.parametrize(("counts", "verdict"), [(2404, "PASS"), (2405, "FAIL"), (2395, "FAIL"), (2396, "PASS")])
def test_a_turn_has_the_counts_it_was_told_within_a_600th(counts: int, verdict: str) -> None:
    seen = both(wheel=Wheel(counts))
    assert encoder.counts_a_turn(*seen, WHEEL).verdict == verdict
    if verdict == "FAIL":
        assert encoder.counts_a_turn(*seen, WHEEL).fault == "wrong_encoder"


@pytest.mark.parametrize(("drift", "told_"), [(0.02, ("PASS", "")), (0.06, ("FAIL", "slips"))])
def test_pegs_that_move_against_index_and_count_are_a_slipping_coupling(drift: float, told_: tuple[str, str]) -> None:
    """Of a section in each turn: 0.12 over the spin is the limit."""
    forward, backward = both(peg_of=lambda n: n * (1 + drift / 54))
    assert told(pegs.clapper(forward, backward, WHEEL)) == told_


def test_pegs_that_are_missed_are_a_worn_clapper_and_always_the_same_one_a_bent_peg() -> None:
    worn = both(peg_of=lambda n: None if n * 7 % 31 == 0 else float(n))
    assert told(pegs.clapper(*worn, WHEEL)) == ("FAIL", "clapper_worn")
    bent = both(peg_of=lambda n: None if n % 54 == 17 else float(n))
    found = pegs.clapper(*bent, WHEEL)
    assert told(found) == ("FAIL", "peg_missing")
    assert "line 17" in found.detail


@pytest.mark.parametrize(("error", "verdict"), [(1.66, "PASS"), (1.68, "FAIL")])
def test_a_peg_may_stand_a_quarter_of_a_section_out_of_place(error: float, verdict: str) -> None:
    where = error / (360 / 54)
    seen = both(wheel=Wheel(36000), peg_of=lambda n: n + where if n % 54 == 20 else float(n))
    found = pegs.sections(*seen, Wheel(36000), True)
    assert found.verdict == verdict
    assert found.measured == pytest.approx(error, abs=0.01)


def test_a_pointer_in_another_section_fails_the_walk_whatever_the_angles_say() -> None:
    assert told(pegs.sections(*both(), WHEEL, False)) == ("FAIL", "peg_off")
    assert "nobody was asked" in pegs.sections(*both(), WHEEL, None).detail


@pytest.mark.parametrize(("loss", "earlier", "told_"), [
    (0.12, (), ("PASS", "")), (0.168, (), ("PASS", "")), (0.174, (), ("FAIL", "bearing")),
    (0.045, (), ("FAIL", "bearing_free")), (0.148, (0.12, 0.12), ("PASS", "")), (0.152, (0.12,), ("FAIL", "bearing")),
    (0.2, (0.19, 0.2, 0.3), ("PASS", "")),
])  # fmt: skip
def test_what_a_wheel_loses_is_held_against_its_own_earlier_runs(
    loss: float, earlier: tuple[float, ...], told_: tuple[str, str]
) -> None:
    found = coast.coast_down(motion(1, turns=0.68 / loss, loss=loss), WHEEL, earlier)
    assert told(found) == told_
    assert found.measured == pytest.approx(loss, rel=0.03)


def test_a_wheel_that_is_held_is_a_hand_and_no_bearing() -> None:
    free = motion(1, turns=2.5)
    shift = free.events[-1].t_us
    ahead = free.events[-1].counts
    braked = motion(1, turns=1.0, speed=0.9, loss=1.5)
    joined = list(free.events)
    joined += [e._replace(t_us=e.t_us + shift, counts=e.counts + ahead // 44 * 44) for e in braked.events]
    found = coast.coast_down(Capture(1, joined), WHEEL, ())
    assert told(found) == ("INVALID", "hand")


def test_one_damaged_frame_is_a_failed_link_and_earlier_ones_are_only_told() -> None:
    assert told(parts.link({"bad_crc": 3}, {"bad_crc": 3}, {}, 16, 0)) == ("PASS", "")
    assert "3 damaged frames since" in parts.link({"bad_crc": 3}, {"bad_crc": 3}, {}, 16, 0).detail
    assert told(parts.link({"bad_crc": 3}, {"bad_crc": 4}, {}, 16, 0)) == ("FAIL", "link_noise")
    assert told(parts.link({}, {}, {"bad_frame": 1}, 16, 0)) == ("FAIL", "link_noise")


def test_a_program_is_held_against_image_start_and_approval() -> None:
    proof = parts.Proof(b"seed", b"mac", b"one", b"one", 10)
    assert told(parts.program(proof, b"mac", b"one")) == ("PASS", "")
    assert told(parts.program(proof, b"other", b"one")) == ("FAIL", "program")
    assert told(parts.program(proof, None, b"two")) == ("FAIL", "program")
    assert told(parts.program(proof._replace(started=b"two"), b"mac", None)) == ("FAIL", "program")
    assert parts.program(proof, None, None).verdict == "INVALID"


def test_a_clock_is_judged_by_what_the_link_lets_be_known() -> None:
    assert told(parts.clock(2.019, 2.0, 0.0, 0.0)) == ("PASS", "")
    assert told(parts.clock(2.021, 2.0, 0.0, 0.0)) == ("FAIL", "clock")
    assert told(parts.clock(2.021, 2.0, 0.01, 0.0)) == ("PASS", "")


def test_the_journal_fails_for_the_table_or_for_the_chain() -> None:
    counts = {"first": 1, "last": 5, "free": 200, "torn": 1}
    assert told(parts.journal("ok", counts, 5, "")) == ("PASS", "")
    assert "torn by a power cut" in parts.journal("ok", counts, 5, "").detail
    for found in (
        parts.journal("record 3 cannot be read back", counts, 5, ""),
        parts.journal("ok", {**counts, "damaged": 3}, 5, ""),
        parts.journal("ok", counts, 5, "record 4 does not follow"),
    ):  # fmt: skip
        assert told(found) == ("FAIL", "journal")


def test_random_numbers_fail_by_known_answer_stuck_noise_or_a_lean() -> None:
    even = list(range(54)) * 40
    noise = [(i * i * 2654435761 >> 7) & 1 for i in range(8192)]
    limits = (601, 1014, 1024)
    assert told(parts.rng("ok", noise, limits, even, False)) == ("PASS", "")
    assert told(parts.rng("HMAC_DRBG is wrong", noise, limits, even, False)) == ("FAIL", "rng")
    assert told(parts.rng("ok", noise[:4000] + [1] * 601 + noise[:4000], limits, even, False)) == ("FAIL", "rng")
    assert told(parts.rng("ok", noise[:4000] + [1] * 598 + [0] + noise[:4000], limits, even, False)) == ("PASS", "")
    assert told(parts.rng("ok", noise, limits, even + [7] * 65, False)) == ("FAIL", "rng")
    assert parts.rng("ok", noise, limits, even[:200], False).verdict == "INVALID"


def test_contacts_are_stuck_or_dead_by_what_they_do() -> None:
    whole = parts.Contact("START", False, True, False)
    assert told(parts.contacts([whole])) == ("PASS", "")
    assert told(parts.contacts([whole, parts.Contact("VOID", True, None, True)])) == ("FAIL", "button_stuck")
    assert told(parts.contacts([whole, parts.Contact("VOID", False, False, False)])) == ("FAIL", "button_dead")
    assert parts.contacts([parts.Contact("LID", False, None, False)]).verdict == "SKIPPED"


def test_contacts_that_nobody_touched_are_not_called_dead() -> None:
    still = [parts.Contact(name, False, False, False) for name in ("START", "VOID", "LID")]
    assert told(parts.contacts(still)) == ("INVALID", "")
    assert told(parts.contacts([*still, parts.Contact("DOOR", False, True, False)])) == ("FAIL", "button_dead")


def test_a_lid_is_opened_and_closed_and_a_button_pressed() -> None:
    said: list[str] = []
    person = Person(said.append, lambda _question: "")
    for name in ("LID", "DOOR", "NO_MORE_BETS"):
        person.touch(name, True)
        person.touch(name, False)
    assert said == ["Open the lid.", "Close the lid.", "Open the door.", "Close the door.",
                    "Press or turn no more bets.", "Let go of no more bets."]  # fmt: skip


def test_what_nobody_looked_at_never_passes() -> None:
    assert parts.shown({"all red": None}, "led_dead").verdict == "SKIPPED"
    assert told(parts.shown({"all red": "", "all blue": None}, "led_dead")) == ("PASS", "")
    assert told(parts.shown({"all red": "LED 3 of rim"}, "led_dead")) == ("FAIL", "led_dead")
    names = [f"picture number {n} of all that there are" for n in range(54)]
    assert parts.shown(dict.fromkeys(names, ""), "led_dead").detail == ", ".join(names), "no word is cut"
    assert parts.shown(dict.fromkeys(names, "dark"), "led_dead").detail.endswith(f"{names[-1]}: dark")


def test_a_spin_that_may_not_count_must_give_no_section() -> None:
    short = {"outcome": "SHORT_SPIN", "turns_milli": 2999, "faults": []}
    rest = {"outcome": "BETWEEN_SECTIONS", "turns_milli": 4000, "faults": []}
    assert parts.refused(short, rest).verdict == "PASS"
    assert parts.refused({**short, "outcome": "SECTION", "section": 3}, None).verdict == "FAIL"
    long = {"outcome": "SECTION", "section": 3, "turns_milli": 3000, "faults": []}
    assert parts.refused(long, None).verdict == "INVALID"
    assert parts.refused({**short, "outcome": "FAULT", "faults": ["INDEX_MISMATCH"]}, None).verdict == "INVALID"
    assert parts.refused(None, None).verdict == "INVALID"
    assert parts.refused(short, {**rest, "outcome": "SECTION", "section": 9}).verdict == "INVALID"


def test_a_power_cut_that_was_none_is_no_result() -> None:
    before = parts.Start(7, "POWER_ON", 3, 15000, True)
    assert parts.power_cut(before, before._replace(boot=8)).verdict == "PASS"
    assert parts.power_cut(before, before).verdict == "INVALID"  # the cable was pulled
    assert parts.power_cut(before, before._replace(boot=8, reason="RUN_PIN")).verdict == "INVALID"
    assert parts.power_cut(before, before._replace(boot=9)).verdict == "INVALID"
    assert parts.power_cut(before, before._replace(boot=8, wagered_mills=10000)).verdict == "FAIL"
    assert parts.power_cut(before, before._replace(boot=8, open=False, returned_mills=15000)).verdict == "PASS"
    assert parts.power_cut(before, before._replace(boot=8, open=False, returned_mills=0)).verdict == "FAIL"


def test_every_cause_is_a_phrase_and_says_what_to_look_at_next() -> None:
    for cause in CAUSES.values():
        assert cause.what and cause.next_step
        assert not cause.what.endswith(".") and not cause.next_step.endswith(".")


def test_a_person_is_asked_again_until_the_answer_names_an_led() -> None:
    answers = iter(["what", "0", "163", "9", "s"])
    person = Person(lambda _words: None, lambda _question: next(answers))
    assert person.lit("rim", 162) == 8
    assert person.lit("rim", 162) is None
    assert Rig(lambda _words: None).lit("rim", 162) is None
