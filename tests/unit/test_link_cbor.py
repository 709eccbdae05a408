"""The firmware's CBOR against the independent `cbor2`: same bytes out, and no surprise in."""

from __future__ import annotations

from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop import cbor

from tests.conftest import examples

INTS = st.integers(-(2**64), 2**64 - 1) | st.integers(-300, 300)
LEAVES = INTS | st.booleans() | st.binary(max_size=40) | st.text(max_size=40)


def nested(keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        LEAVES, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(keys, inner, max_size=6), max_leaves=20
    )


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@settings(max_examples=examples(300))
@given(nested(st.text(max_size=30)).filter(lambda v: depth(v) <= cbor._DEPTH))
def test_the_bytes_are_those_of_an_independent_encoder(value: Any) -> None:
    data = cbor.dumps(value)
    assert data == cbor2.dumps(value, canonical=True)
    assert cbor.loads(data) == value == cbor2.loads(data)


@settings(max_examples=examples(200))
@given(nested(st.text(max_size=6) | INTS | st.binary(max_size=6)).filter(lambda v: depth(v) <= cbor._DEPTH))
def test_what_is_written_is_read_back_with_its_types(value: Any) -> None:
    back = cbor.loads(cbor.dumps(value))
    assert back == value
    assert repr(back) == repr(cbor.loads(cbor.dumps(back)))


@settings(max_examples=examples(500))
@given(st.binary(max_size=60))
def test_any_bytes_give_a_value_or_a_value_error(data: bytes) -> None:
    try:
        value = cbor.loads(data)
    except ValueError:
        return
    assert cbor.dumps(value) == data, "a value has one spelling only"


@settings(max_examples=examples(300))
@given(nested(st.text(max_size=6)).filter(lambda v: depth(v) <= cbor._DEPTH), st.data())
def test_a_flipped_bit_never_reads_as_a_second_spelling(value: Any, data: st.DataObject) -> None:
    whole = bytearray(cbor.dumps(value))
    bit = data.draw(st.integers(0, len(whole) * 8 - 1))
    whole[bit // 8] ^= 1 << bit % 8
    try:
        other = cbor.loads(whole)
    except ValueError:
        return
    assert cbor.dumps(other) == whole


def test_nesting_beyond_the_limit_is_refused_both_ways() -> None:
    value: Any = 0
    for _ in range(cbor._DEPTH + 1):
        value = [value]
    with pytest.raises(ValueError, match="deep"):
        cbor.dumps(value)
    with pytest.raises(ValueError, match="deep"):
        cbor.loads(cbor2.dumps(value))


@settings(max_examples=examples(100))
@given(nested(st.text(max_size=6)).filter(lambda v: depth(v) <= cbor._DEPTH))
def test_what_takes_a_piece_of_memory_of_its_own_is_counted(value: Any) -> None:
    def pieces(value: Any) -> int:
        if isinstance(value, dict):
            return 1 + sum(pieces(key) + pieces(inner) for key, inner in value.items())
        return 1 + sum(map(pieces, value)) if isinstance(value, list) else int(isinstance(value, str | bytes))

    data = cbor.dumps(value)
    assert cbor.loads(data, pieces(value)) == value
    if pieces(value):
        with pytest.raises(ValueError, match="many"):
            cbor.loads(data, pieces(value) - 1)
