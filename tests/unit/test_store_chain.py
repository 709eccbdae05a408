"""The chain check: an untouched log is whole, and any change is found at the very record that was changed."""

import random

import pytest
import tabletop.journal.record as record_format
from hypothesis import given, settings
from hypothesis import strategies as st
from wheelwright.logbook.chain import verify, verify_table
from wheelwright.logbook.store import Anchor, Store, as_row

from tests.conftest import examples
from tests.unit.logs import SERIAL, Journal, journal, stored


def rows(raws):
    return [as_row(raw) for raw in raws]


def verdict_of(given_rows, anchor=None):
    known = {row.number: row.hash for row in given_rows}
    return verify(SERIAL, given_rows, anchor, known.get)


def again(raw, **changes):
    """The record with some fields changed and its check sum right again, as a forger would leave it."""
    found = record_format.decode(raw)
    values = {name: getattr(found, name) for name in ("number", "boot", "kind", "t_ms", "anchored", "prev", "payload")}
    values.update(changes)
    buffer = bytearray(record_format.MAX)
    return bytes(buffer[: record_format.encode_into(buffer, **values)])


def wrong_at(verdict):
    return verdict.problem.fields["number"]


def test_an_untouched_log_is_whole_and_says_where_it_ends():
    made = journal(5)
    verdict = verdict_of(rows(made.raws))
    assert verdict.whole
    assert verdict.failure() is None
    assert (verdict.records, verdict.first, verdict.last, verdict.boots) == (len(made.raws), 1, len(made.raws), 1)
    assert verdict.head == made.hash(len(made.raws))


def test_an_empty_log_is_whole():
    verdict = verdict_of([])
    assert verdict.whole
    assert verdict.records == 0


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_any_flipped_bit_is_found_at_its_record(data):
    made = journal(3)
    log = rows(made.raws)
    index = data.draw(st.integers(0, len(log) - 1))
    raw = bytearray(log[index].raw)
    place = data.draw(st.integers(0, len(raw) * 8 - 1))
    raw[place // 8] ^= 1 << place % 8
    log[index] = log[index]._replace(raw=bytes(raw))
    assert wrong_at(verdict_of(log)) == index + 1


@pytest.mark.parametrize("changes", [{"payload": b"\xa0"}, {"kind": 8}, {"t_ms": 1}, {"anchored": 1}])
def test_a_forged_record_with_a_right_check_sum_breaks_the_chain_at_the_next_one(changes):
    made = journal(3)
    raws = list(made.raws)
    raws[9] = again(raws[9], **changes)
    verdict = verdict_of(rows(raws))
    assert wrong_at(verdict) in (10, 11)
    assert not verdict.whole


def test_a_log_forged_to_the_end_is_found_by_the_anchor():
    made = journal(3)
    anchor = Anchor(15, made.hash(15))
    raws, prev = list(made.raws[:9]), made.hash(9)
    for raw in made.raws[9:]:
        raws.append(again(raw, prev=prev, **({"payload": b"\xa0"} if len(raws) == 9 else {})))
        prev = record_format.digest(raws[-1])
    assert verdict_of(rows(raws)).whole
    verdict = verdict_of(rows(raws), anchor)
    assert wrong_at(verdict) == 15
    assert "anchored" in str(verdict.failure())


def test_a_log_cut_off_before_its_anchor_is_found_and_one_cut_off_behind_it_is_whole():
    made = journal(3)
    anchor = Anchor(12, made.hash(12))
    assert verdict_of(rows(made.raws[:12]), anchor).whole
    failure = verdict_of(rows(made.raws[:11]), anchor).failure()
    assert failure.code == 8103
    assert "ends at 11" in str(failure)
    assert verdict_of([], anchor).failure().code == 8103


def test_missing_records_are_named_and_everything_behind_them_is_still_checked():
    made = journal(5)
    raws = made.raws[:3] + made.raws[4:9] + made.raws[12:]
    verdict = verdict_of(rows(raws))
    assert verdict.gaps == [(4, 4), (10, 12)]
    assert not verdict.whole
    assert "record 4 is missing" in str(verdict.failure())
    log = rows(raws)
    log[-1] = log[-1]._replace(raw=log[-1].raw[:-1] + bytes([log[-1].raw[-1] ^ 1]))
    assert wrong_at(verdict_of(log)) == len(made.raws)


def anchored_journal():
    """A journal with 7 records anchored by a record of its own, and a round behind it."""
    made = journal(3)
    made.put("ANCHOR", number=7, hash=made.hash(7), t_ms=0)
    made.play()
    return made


def test_a_log_that_begins_behind_what_the_table_may_erase_is_whole_and_says_so():
    made = anchored_journal()
    for first in range(2, 9):
        verdict = verdict_of(rows(made.raws[first - 1:]))
        assert verdict.whole
        assert (verdict.first, verdict.records) == (first, len(made.raws) - first + 1)
        assert "not in this log" in verdict.notes[0]


def test_records_deleted_from_the_front_that_no_table_erases_are_missing():
    made = anchored_journal()
    for first in range(9, len(made.raws) + 1):
        verdict = verdict_of(rows(made.raws[first - 1:]))
        assert verdict.gaps[0] == (8, first - 1)
        assert not verdict.whole
        assert verdict.failure().fields["number"] == 8
    assert verdict_of(rows(journal(3).raws[1:])).gaps == [(1, 1)], "nobody has anchored anything"


def test_records_of_another_table_are_found_at_its_first_start():
    log = rows(journal(2).raws)
    verdict = verify("T-OTHER", log, None, {row.number: row.hash for row in log}.get)
    assert wrong_at(verdict) == 1
    assert f"it is of table {SERIAL}" in str(verdict.failure())


def test_a_part_of_a_log_may_begin_anywhere():
    made = journal(3)
    known = {row.number: row.hash for row in rows(made.raws)}
    assert verify(SERIAL, rows(made.raws[7:]), None, known.get, part=True).whole


def test_record_one_must_follow_nothing():
    made = journal(1)
    raws = [again(made.raws[0], prev=b"\x01" * 32)]
    assert wrong_at(verdict_of(rows(raws))) == 1


def test_two_records_that_changed_places_are_found():
    log = rows(journal(3).raws)
    log[4], log[5] = log[4]._replace(number=6), log[5]._replace(number=5)
    assert wrong_at(verdict_of([*log[:4], log[5], log[4], *log[6:]])) == 5


def test_a_boot_number_or_an_anchor_that_goes_back_is_found():
    made = Journal()
    made.boot = 5
    made.start()
    made.play()
    for changes in ({"boot": 4}, {"anchored": 99}):
        raws = [*made.raws, again(made.raws[-1], number=len(made.raws) + 1, prev=made.hash(len(made.raws)), **changes)]
        assert wrong_at(verdict_of(rows(raws))) == len(raws)


def test_time_may_start_again_with_a_boot_but_not_within_one():
    made = journal(1)
    made.t_ms = 5
    made.boot += 1
    made.start()
    assert verdict_of(rows(made.raws)).whole
    assert verdict_of(rows(made.raws)).boots == 2
    made.t_ms = 1
    made.put("SERVICE", on=True)
    assert wrong_at(verdict_of(rows(made.raws))) == len(made.raws)


def test_an_anchor_of_the_table_must_name_the_record_that_is_there():
    made = journal(1)
    made.put("ANCHOR", number=3, hash=made.hash(3))
    assert verdict_of(rows(made.raws)).whole
    number = made.put("ANCHOR", number=4, hash=made.hash(3))
    assert wrong_at(verdict_of(rows(made.raws))) == number
    other = journal(1)
    number = other.put("ANCHOR", number=99, hash=bytes(32))
    other.raws[-1] = again(other.raws[-1], anchored=0)  # its head does not say so, its words do
    assert "comes later" in str(verdict_of(rows(other.raws)).failure())
    junk = journal(1)
    number = junk.put("ANCHOR", other=1)
    assert wrong_at(verdict_of(rows(junk.raws))) == number


def test_a_column_of_the_database_that_does_not_match_the_bytes_is_found():
    for field, value in (("boot", 7), ("kind", 3), ("t_ms", 1), ("hash", bytes(32))):
        log = rows(journal(2).raws)
        log[6] = log[6]._replace(**{field: value})
        assert wrong_at(verdict_of(log)) == 7


def test_a_stored_table_is_checked_with_its_anchor(tmp_path):
    made = journal(4)
    with Store.open(stored(tmp_path / "log.db", made)) as store:
        store.set_anchor(SERIAL, 20)
        told = []
        verdict = verify_table(store, SERIAL, told.append)
        assert verdict.whole
        shape = verdict.as_json(store.anchor(SERIAL))
        assert shape["anchor"] == {"number": 20, "hash": made.hash(20).hex()}
        assert shape["problem"] is None


def test_every_thousand_records_the_progress_is_told():
    made = Journal()
    draw = random.Random(3)
    for _ in range(2500):
        made.put("SERVICE", on=bool(draw.getrandbits(1)))
    told = []
    log = rows(made.raws)
    assert verify(SERIAL, log, None, lambda _n: None, told.append).records == 2500
    assert told == [1000, 1000]
