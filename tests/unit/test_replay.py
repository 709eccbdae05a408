"""Replay: what the rules give from wagers and spins is what the journal must say, field by field."""

import cbor2
import pytest
import tabletop.journal.record as record_format
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.journal import fields
from tabletop.rules import dreamcatcher as game
from tabletop.rules.rounds import no_meters
from wheelwright.replay import Summary, replay

from tests.conftest import examples
from tests.unit.logs import Journal, journal

TEN, FORTY, TWO_TIMES, SEVEN_TIMES = 9, 31, 27, 0


def records(made):
    return [
        (number, fields.name(raw[3]), cbor2.loads(raw[record_format.HEADER : -record_format.TRAILER]))
        for number, raw in enumerate(made.raws, 1)
    ]


def replayed(given_records):
    summary = Summary()
    return list(replay(given_records, summary)), summary


def test_an_honest_log_replays_to_the_same_results():
    played, summary = replayed(records(journal(40)))
    assert (summary.rounds, summary.settled, summary.different) == (40, 40, 0)
    assert summary.failure("WW-0007") is None
    assert [one.number for one in played] == list(range(1, 41))
    assert all(one.over and one.problem is None for one in played)


@pytest.mark.parametrize("cut", [(9, 12), (9, 10), (0, 5)])
def test_records_that_are_missing_are_named_whether_a_round_was_open_or_not(cut):
    made = journal(12)
    played, summary = replayed([one for one in records(made) if not cut[0] < one[0] <= cut[1]])
    if cut[0] == 0:  # what a table may have erased: `log verify` says whether it might
        assert summary.gaps == [] and summary.failure("WW-0007") is None
        return
    assert summary.gaps == [(cut[0] + 1, cut[1])]
    assert summary.failure("WW-0007") is not None
    assert all("gap after record 9" in one.problem for one in played if one.problem)


def test_whole_rounds_that_are_missing_fail_a_replay_and_are_named():
    made = journal(12)
    third, sixth = (at for number, at in enumerate(
        [at for at, kind in enumerate(made.kinds, 1) if kind == "ROUND_OPENED"], 1) if number in (3, 6))  # fmt: skip
    played, summary = replayed([one for one in records(made) if not third <= one[0] < sixth])
    assert (len(played), summary.different, summary.gaps) == (9, 0, [(third, sixth - 1)])
    failure = summary.failure("WW-0007")
    assert failure.exit_code == 1
    assert str(failure).startswith(f"E-8101 record {third} of table WW-0007 is wrong: records {third} to {sixth - 1} ")


def test_a_round_tells_its_wagers_spins_and_pays():
    made = Journal()
    made.start()
    made.play([[1, "10", 2000], [2, "1", 5000]], ["SHORT_SPIN", SEVEN_TIMES, "BETWEEN_SECTIONS", TEN])
    (played,), _ = replayed(records(made))
    assert played.bets == [[1, "10", 2000], [2, "1", 5000]]
    assert [spin["outcome"] for spin in played.spins] == ["SHORT_SPIN", "SECTION", "BETWEEN_SECTIONS", "SECTION"]
    assert played.settled["pays"] == [[1, "10", 2000, 70, 140000, False]]
    assert (played.wagered_mills, played.paid_mills) == (7000, 140000)
    assert (played.first, played.last) == (2, len(made.raws))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("section", FORTY),
        ("symbol", "40"),
        ("multiplier", 2),
        ("collected", 4999),
        ("pays", [[1, "10", 2000, 10, 20001, False]]),
        ("pays", []),
        ("test", False),
    ],
)
def test_a_wrong_field_of_a_settlement_is_named(field, wrong):
    made = Journal()
    made.start()
    made.play([[1, "10", 2000], [2, "1", 5000]], [TEN])
    made.play([[1, "10", 2000], [2, "1", 5000]], [TEN], settled={field: wrong})
    made.play()
    played, summary = replayed(records(made))
    assert [one.problem is None for one in played] == [True, False, True]
    assert field in played[1].problem
    assert (summary.rounds, summary.settled, summary.different, summary.first_round) == (3, 2, 1, 2)
    failure = summary.failure("WW-0007")
    assert failure.code == 8102
    assert "round 2 of table WW-0007" in str(failure)
    assert failure.exit_code == 1


def test_a_meter_that_does_not_follow_from_the_rounds_before_is_named():
    made = journal(2)
    before = made.meters["test"]
    after = {"rounds": 3, "wagered_mills": before["wagered_mills"] + 2000, "paid_mills": before["paid_mills"] + 1}
    meters = {**made.meters, "test": after}
    made.play([[1, "10", 2000]], [1], settled={"meters": meters})
    played, _ = replayed(records(made))
    assert "test meter paid_mills of round 3" in played[-1].problem


def test_a_test_round_that_moved_a_live_meter_is_named():
    made = Journal()
    made.start()
    moved = {mode: {"rounds": 1, "wagered_mills": 2000, "paid_mills": 0} for mode in ("live", "test")}
    made.play([[1, "10", 2000]], [1], settled={"meters": moved})
    played, _ = replayed(records(made))
    assert "live meter rounds" in played[0].problem


def test_meters_that_changed_while_the_table_was_off_are_named():
    made = journal(2)
    made.start(meters=no_meters())
    played, summary = replayed(records(made))
    assert summary.different == 1
    assert "other meters" in played[-1].problem


def test_meters_taken_over_at_a_start_are_those_that_the_next_round_counts_from():
    made = journal(2)
    made.start(meters=made.meters)
    made.play()
    assert replayed(records(made)[17:])[1].different == 0


def test_a_round_still_open_at_the_end_of_the_log_is_no_fault():
    played, summary = replayed(records(journal(2))[:-1])
    assert (summary.settled, summary.open, summary.different) == (1, 1, 0)
    assert not played[-1].over
    assert played[-1].problem is None


def test_a_voided_round_says_why_and_returns_all_wagers():
    made = Journal()
    made.start()
    opened = records(journal(1))[1][2]
    made.put("ROUND_OPENED", **opened)
    made.put("WAGERS", round=1, bets=[[1, "5", 3000]])
    made.put("ROUND_VOIDED", round=1, reason="DEALER", returned=3000)
    (played,), summary = replayed(records(made))
    assert (played.voided, played.over, summary.voided) == ("DEALER", True, 1)


def test_a_log_that_begins_inside_a_round_is_replayed_from_the_next_one_on():
    played, summary = replayed(records(journal(3))[4:])
    assert [one.number for one in played] == [2, 3]
    assert (summary.different, summary.skipped > 0) == (0, True)


def test_a_gap_ends_the_round_in_it_and_the_next_whole_round_is_judged_again():
    log = records(journal(4))
    second = next(i for i, (_, kind, payload) in enumerate(log) if kind == "ROUND_OPENED" and payload["round"] == 2)
    played, summary = replayed(log[: second + 2] + log[second + 4 :])
    assert [one.number for one in played] == [1, 2, 3, 4]
    assert [one.problem is None for one in played] == [True, False, True, True]
    assert "gap after record" in played[1].problem
    assert summary.different == 1


def test_a_turn_of_the_wheel_outside_a_round_is_no_round():
    made = journal(1)
    made.put("SPIN", round=0, spin=0, counted=False, outcome="SECTION", section=3, turns_milli=4000, direction=1,
             faults=[], notes=[], top_mturns_s=1, source="PHYSICAL", layout=game.layout_hash(), why="NO_ROUND",
             test=True)  # fmt: skip
    made.play()
    assert [one.problem for one in replayed(records(made))[0]] == [None, None]


def test_a_spin_that_counted_without_a_round_is_a_problem():
    made = journal(1)
    spin = dict(next(payload for _, kind, payload in records(made) if kind == "SPIN"))
    made.put("SPIN", **spin)
    played, _ = replayed(records(made))
    assert "without an open round" in played[-1].problem


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 5), st.data())
def test_no_record_with_a_changed_field_replays_as_the_same_unless_the_rules_ignore_it(seed, data):
    log = records(journal(2, seed=seed))
    index = data.draw(st.sampled_from([i for i, (_, kind, _) in enumerate(log) if kind in ("SETTLED", "WAGERS")]))
    number, kind, payload = log[index]
    if kind == "WAGERS":
        bets = [list(bet) for bet in payload["bets"]]
        bets[data.draw(st.integers(0, len(bets) - 1))][2] += data.draw(st.sampled_from([-1, 1, 1000]))
        changed = {**payload, "bets": bets}
    else:
        field = data.draw(st.sampled_from(["section", "multiplier", "collected"]))
        changed = {**payload, field: payload[field] + data.draw(st.sampled_from([1, 54]))}
    log[index] = (number, kind, changed)
    assert replayed(log)[1].different >= 1


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_no_payload_makes_replay_fail(data):
    log = records(journal(2))
    index = data.draw(st.integers(0, len(log) - 1))
    number, kind, payload = log[index]
    field = data.draw(st.sampled_from(sorted(payload)))
    junk = st.one_of(st.integers(), st.text(max_size=3), st.booleans(), st.lists(st.integers(), max_size=2),
                     st.dictionaries(st.text(max_size=2), st.integers(), max_size=2))  # fmt: skip
    changed = {**payload, field: data.draw(junk)}
    if data.draw(st.booleans()):
        del changed[field]
    log[index] = (number, kind, changed)
    replayed(log)
