"""The bytes of one record, and the table of kinds."""

from binascii import crc32, unhexlify

from tabletop import cbor
from tabletop.digest import sha256
from tabletop.journal import fields, kinds, record

GOLDEN = (
    "574a01080000002a0000000300000028000000000001e240000a"
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    "a165726f756e64190190"
)
PAYLOAD = unhexlify("a165726f756e64190190")  # {"round": 400}


def golden():
    buf = bytearray(b"\xee" * record.MAX)
    size = record.encode_into(buf, 42, 3, kinds.ROUND_CLOSED, 123456, 40, bytes(range(32)), PAYLOAD)
    return buf, size


def error_of(call, *arguments):
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


def test_a_record_has_the_bytes_of_the_format_page():
    buf, size = golden()
    body = unhexlify(GOLDEN)
    assert bytes(buf[: size - 4]) == body
    assert bytes(buf[size - 4 : size]) == crc32(body).to_bytes(4, "big")
    assert size == record.HEADER + len(PAYLOAD) + record.TRAILER == 72
    assert buf[size:] == b"\xee" * (record.MAX - size)


def test_a_record_reads_back_and_its_hash_leaves_out_the_check_sum():
    buf, size = golden()
    found = record.decode(buf[:size])
    assert (found.number, found.boot, found.kind, found.t_ms) == (42, 3, kinds.ROUND_CLOSED, 123456)
    assert (found.anchored, found.prev, found.payload) == (40, bytes(range(32)), PAYLOAD)
    assert found.hash == record.digest(buf[:size]) == sha256(unhexlify(GOLDEN))
    assert cbor.loads(found.payload) == {"round": 400}
    assert record.decode(memoryview(buf)[:size]).hash == found.hash


def test_the_longest_uptime_and_the_longest_payload_fit_and_one_byte_more_does_not():
    buf = bytearray(record.MAX)
    payload = b"p" * record.MAX_PAYLOAD
    size = record.encode_into(buf, 0xFFFFFFFF, 0xFFFFFFFF, 255, 2**64 - 1, 0xFFFFFFFE, record.GENESIS, payload)
    assert size == record.MAX
    found = record.decode(buf)
    assert (found.number, found.boot, found.t_ms, found.anchored) == (2**32 - 1, 2**32 - 1, 2**64 - 1, 2**32 - 2)
    assert found.payload == payload
    text = error_of(record.encode_into, buf, 1, 1, 1, 1, 0, record.GENESIS, payload + b"p")
    assert text == "payload of 963 bytes, but a record holds 962"


def test_every_flipped_bit_of_a_record_is_noticed():
    buf, size = golden()
    for bit in range(size * 8):
        raw = bytearray(buf[:size])
        raw[bit // 8] ^= 1 << bit % 8
        error_of(record.decode, raw)


def test_every_shortened_or_lengthened_record_is_noticed():
    buf, size = golden()
    for length in range(size):
        error_of(record.decode, buf[:length])
    assert error_of(record.decode, buf[: size + 1]) == "record of 73 bytes, but its header says 72"
    broken = bytearray(buf[:size])
    broken[60] ^= 1
    assert error_of(record.decode, broken) == "record 42 fails its check sum"


def test_no_record_is_seen_in_blank_or_zeroed_flash_or_in_a_later_format():
    assert record.size(b"\xff" * 256) == record.size(bytes(256)) == 0
    buf, _ = golden()
    buf[2] = 2
    assert record.size(buf) == 0
    buf[2] = 1
    buf[24:26] = (record.MAX_PAYLOAD + 1).to_bytes(2, "big")
    assert record.size(buf) == 0


EXAMPLES = {
    kinds.WAGERS: {"round": 1, "bets": [[1, "10", 5000], [2, "40", 1000]], "cmd": [77, 3]},
    kinds.SPIN: {
        "round": 1, "spin": 1, "counted": True, "outcome": "SECTION", "section": 0, "turns_milli": 4200,
        "direction": -1, "faults": [], "notes": ["ROLLED_BACK"], "top_mturns_s": 900, "source": "PHYSICAL",
        "layout": b"12345678", "test": False,
    },
    kinds.SETTLED: {
        "round": 1, "section": 9, "symbol": "10", "multiplier": 1, "collected": 1000,
        "pays": [[1, "10", 5000, 10, 50000, False]], "meters": {"wagered": 6000}, "test": True,
    },
    kinds.TORN: {"after": 40, "pages": 2},
}  # fmt: skip


def test_right_payloads_pass_the_table_of_kinds():
    for kind in EXAMPLES:
        fields.check(kind, EXAMPLES[kind])


def test_a_missing_unknown_or_mistyped_field_is_named():
    def changed(kind, **changes):
        payload = dict(EXAMPLES[kind])
        payload.update(changes)
        return error_of(fields.check, kind, payload)

    without = dict(EXAMPLES[kinds.SPIN])
    del without["outcome"]
    assert error_of(fields.check, kinds.SPIN, without) == "SPIN.outcome is missing"
    assert changed(kinds.TORN, extra=1) == "TORN has 1 unknown fields"
    assert changed(kinds.TORN, after=-1) == "TORN.after must be uint"
    assert changed(kinds.TORN, after=True) == "TORN.after must be uint"
    assert changed(kinds.SPIN, counted=1) == "SPIN.counted must be bool"
    assert changed(kinds.SPIN, notes=[1]) == "SPIN.notes must be texts"
    assert changed(kinds.SPIN, layout="x") == "SPIN.layout must be bytes"
    assert changed(kinds.SETTLED, meters={1: 2}) == "SETTLED.meters must be map"
    assert changed(kinds.SETTLED, pays=[[1, "10", 5000, 10, 50000]]).startswith("SETTLED.pays must be [uint,text,")
    assert changed(kinds.WAGERS, bets={}) == "WAGERS.bets must be [uint,text,uint]"
    assert error_of(fields.check, 99, {}) == "no record kind 99"


def test_every_kind_has_one_number_and_a_name():
    numbers = [getattr(kinds, name) for name in dir(kinds) if name[0] != "_" and name == name.upper()]
    assert sorted(numbers) == sorted(fields.KINDS) == list(range(1, len(numbers) + 1))
    for number in numbers:
        assert getattr(kinds, fields.name(number)) == number
    assert fields.name(200) == "KIND_200"
