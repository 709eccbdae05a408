"""CBOR: vectors of RFC 8949 that this profile has, and refusal of every other spelling. Runs on both interpreters."""

from tabletop import cbor

VECTORS = (
    (0, "00"), (10, "0a"), (23, "17"), (24, "1818"), (100, "1864"), (255, "18ff"), (256, "190100"), (1000, "1903e8"),
    (65536, "1a00010000"), (1000000, "1a000f4240"), (1000000000000, "1b000000e8d4a51000"),
    (18446744073709551615, "1bffffffffffffffff"), (-18446744073709551616, "3bffffffffffffffff"), (-1, "20"),
    (-10, "29"), (-24, "37"), (-25, "3818"), (-100, "3863"), (-1000, "3903e7"), (False, "f4"), (True, "f5"),
    (b"", "40"), (b"\x01\x02\x03\x04", "4401020304"), ("", "60"), ("a", "6161"), ("IETF", "6449455446"),
    ("\"\\", "62225c"), ("\u00fc", "62c3bc"), ("\u6c34", "63e6b0b4"), ("\U00010151", "64f0908591"),
    ([], "80"), ([1, 2, 3], "83010203"), ([1, [2, 3], [4, 5]], "8301820203820405"), ({}, "a0"),
    ({1: 2, 3: 4}, "a201020304"), ({"a": 1, "b": [2, 3]}, "a26161016162820203"),
    # 4.2.1 sorts by the encoding: 10, 100, -1, "z", "aa"
    ({"aa": 4, -1: 2, 100: 1, "z": 3, 10: 0}, "a50a0018640120026" "17a0362616104"),
)


def refuses(data, reason):
    said = ""
    try:
        cbor.loads(data)
    except ValueError as error:
        said = str(error)
    assert reason in said, "%s: %s" % (data, said or "was read")


def refused_value(value):
    try:
        cbor.dumps(value)
    except ValueError:
        return True
    return False


def test_values_have_the_encoding_of_the_standard():
    for value, text in VECTORS:
        assert cbor.dumps(value) == bytes.fromhex(text), text
        back = cbor.loads(bytes.fromhex(text))
        assert back == value, text
        assert type(back) is type(value), text


def test_reads_from_a_view_of_a_larger_buffer():
    buffer = bytearray(b"\xff\xff") + cbor.dumps({"record": b"\x00" * 300, "t": "x"}) + b"\xff"
    assert cbor.loads(memoryview(buffer)[2:-1]) == {"record": b"\x00" * 300, "t": "x"}


def test_lengths_at_each_limit_come_back():
    for n in (23, 24, 255, 256, 1024):
        for value in (bytes(n), "x" * n, [0] * n):
            assert cbor.loads(cbor.dumps(value)) == value


def test_every_truncation_is_refused():
    whole = cbor.dumps({"bets": [[1, 40, 70000], [2, -5, 1 << 40]], "id": b"\x01\x02", "name": "Zo\u00eb", "on": True})
    for n in range(len(whole)):
        refuses(whole[:n], "cut short")
    refuses(whole + b"\x00", "after the end")


def test_other_spellings_of_the_same_value_are_refused():
    for text in (
        "1800", "1817", "190017", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3800", "5800", "7801", "9801",
    ):
        refuses(bytes.fromhex(text), "longer than")
    for text in ("9f01ff", "bf616101ff", "5f4101ff", "7f6161ff", "1c", "1e", "df"):
        refuses(bytes.fromhex(text), "indefinite")


def test_floats_null_and_tags_are_refused():
    for text in ("f93c00", "fa47c35000", "fb3ff199999999999a", "f6", "f7", "f0", "f8ff", "ff"):
        refuses(bytes.fromhex(text), "simple")
    refuses(bytes.fromhex("c074323031332d30332d32315432303a30343a30305a"), "tag")


def test_keys_must_be_sorted_single_and_plain():
    refuses(bytes.fromhex("a2616201616102"), "out of order")
    refuses(bytes.fromhex("a2616101616102"), "out of order")
    refuses(bytes.fromhex("a1f501"), "bool")
    refuses(bytes.fromhex("a18001"), "too deep")
    assert refused_value({True: 1})
    assert refused_value({(1,): 1})


def test_nesting_stops_at_eight():
    value = 7
    for _ in range(8):
        value = [value]
    assert cbor.loads(cbor.dumps(value)) == value
    assert refused_value([value])
    refuses(b"\x81" * 9 + b"\x07", "too deep")
    refuses(b"\xa1\x00" * 9 + b"\x07", "too deep")
    refuses(b"\x81" * 10000, "too deep")


def test_a_huge_length_asks_for_no_memory():
    for text in ("9bffffffffffffffff", "bbffffffffffffffff", "5bffffffffffffffff", "7bffffffffffffffff", "9a7fffffff"):
        refuses(bytes.fromhex(text), "cut short")


def test_text_that_is_not_utf8_is_refused_on_both_interpreters():
    for text in ("61ff", "62c328", "6180", "63e28228", "63eda080", "62c0af", "63e080af", "64f8808080", "64f4908080"):
        try:
            cbor.loads(bytes.fromhex(text))
        except ValueError:
            continue
        raise AssertionError(text)


def test_values_without_an_encoding_are_refused():
    for value in (None, 1.5, 1 << 64, -(1 << 64) - 1, {1.5: 2}, {None: 1}, [None], object()):
        assert refused_value(value), value
