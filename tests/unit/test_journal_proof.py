"""The full sets of power cuts, on CPython; `tests/vm/test_journal_cuts.py` has a reduced one for both interpreters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.journal import kinds, record

from tests.conftest import ROOT, examples
from tests.vm import cuts
from tests.vm.flash import Flash


def prove(sectors: int, play: Callable[[cuts.Life], None], **how: int) -> tuple[cuts.Life, cuts.Cutter]:
    life = cuts.Life(Flash(sectors))
    cutter = cuts.Cutter(life, **how)
    play(life)
    life.check()
    print(f"{sectors} sectors: {cutter.points} cut points, {cutter.operations} operations, {life.flash.erases} erases")
    assert f"| {cutter.operations} | {cutter.points} |" in (ROOT / "docs" / "journal-format.md").read_text()
    return life, cutter


@pytest.mark.slow
def test_every_kind_of_cut_at_every_operation_of_a_ring_that_wraps() -> None:
    life, cutter = prove(4, lambda life: cuts.play_round_the_ring(life, 120))
    assert cutter.points == 8 * cutter.operations > 1500
    assert life.flash.erases > 8


@pytest.mark.slow
def test_every_kind_of_cut_at_every_operation_of_a_ring_of_eight() -> None:
    life, cutter = prove(8, lambda life: cuts.play_round_the_ring(life, 160, anchor_every=11, seed=8))
    assert cutter.points == 8 * cutter.operations > 2000
    assert life.flash.erases > 10


@pytest.mark.slow
def test_every_kind_of_cut_of_a_game_and_then_of_the_recovery() -> None:
    _, cutter = prove(6, cuts.play_game, deeper=1)
    assert cutter.points > 5000


@pytest.mark.slow
def test_three_cuts_one_after_another_at_every_operation() -> None:
    _, cutter = prove(4, lambda life: cuts.play_round_the_ring(life, 45), hows=1, deeper=2)
    assert cutter.points > 4000


@given(
    st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 255), st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1), st.binary(min_size=32, max_size=32), st.binary(max_size=record.MAX_PAYLOAD),
)  # fmt: skip
@settings(max_examples=examples(50))
def test_any_record_reads_back(
    number: int, boot: int, kind: int, t_ms: int, anchored: int, prev: bytes, payload: bytes
) -> None:
    buf = bytearray(record.MAX)
    size = record.encode_into(buf, number, boot, kind, t_ms, anchored, prev, payload)
    found = record.decode(buf[:size])
    assert (found.number, found.boot, found.kind, found.t_ms) == (number, boot, kind, t_ms)
    assert (found.anchored, found.prev, found.payload) == (anchored, prev, payload)
    assert record.size(buf) == size


@given(st.binary(max_size=1100))
@settings(max_examples=examples(100))
def test_no_bytes_make_the_reader_fail_otherwise_than_with_a_reason(data: bytes) -> None:
    for raw in (data, b"WJ\x01" + data):
        with pytest.raises(ValueError, match=r"record"):
            record.decode(raw)


LIVES = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(0, record.MAX_PAYLOAD)),
        st.tuples(st.just("anchor"), st.integers(0, 5)),
        st.tuples(st.just("idle"), st.just(0)),
        st.tuples(st.just("restart"), st.just(0)),
    ),
    max_size=120,
)


@given(LIVES)
@settings(max_examples=examples(40), deadline=None)
def test_any_life_of_appends_anchors_rests_and_restarts_loses_nothing(steps: list[tuple[str, int]]) -> None:
    life = cuts.Life(Flash(4))
    life.open()
    for what, n in steps:
        if what == "append":
            life.append(kinds.SPIN, cuts.payload(n, life.last))
        elif what == "anchor" and life.last:
            life.anchor(max(life.anchored, life.last - n, 1))
        elif what == "idle":
            life.journal.idle()
        elif what == "restart":
            life.open()
    life.check()
