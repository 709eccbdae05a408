"""HMAC-SHA-256 against RFC 4231, SHA-256 against FIPS 180-4, and the comparison that leaks no place."""

from binascii import unhexlify

from tabletop import digest

# RFC 4231, 4.2 to 4.8: key, data, HMAC-SHA-256 (4.6 is compared over its first 128 bits only)
VECTORS = (
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (
        bytes(range(1, 26)), b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
)  # fmt: skip


def test_hmac_gives_the_values_of_rfc_4231():
    for key, data, expected in VECTORS:
        wanted = unhexlify(expected)
        assert digest.hmac_sha256(key, data)[: len(wanted)] == wanted, data


def test_hmac_of_parts_is_the_hmac_of_the_whole():
    for key, data, _expected in VECTORS:
        for cut in (0, 1, len(data) // 2, len(data)):
            whole = digest.hmac_sha256(key, data)
            assert digest.hmac_sha256(key, data[:cut], data[cut:]) == whole
            mac = digest.Hmac(key)
            mac.update(memoryview(data)[:cut])
            mac.update(data[cut:])
            assert mac.digest() == whole


def test_a_key_of_one_block_is_used_as_it_is_and_a_longer_one_is_hashed():
    assert digest.hmac_sha256(b"k" * 64, b"x") != digest.hmac_sha256(digest.sha256(b"k" * 64), b"x")
    assert digest.hmac_sha256(b"k" * 65, b"x") == digest.hmac_sha256(digest.sha256(b"k" * 65), b"x")


def test_sha256_gives_the_value_of_fips_180():
    expected = unhexlify("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    assert digest.sha256(b"abc") == digest.sha256(memoryview(b"xabc")[1:]) == expected


def test_equal_sees_every_single_bit_and_every_length():
    a = bytes(range(32))
    assert digest.equal(a, bytearray(a))
    assert digest.equal(b"", b"")
    assert not digest.equal(a, a[:-1])
    assert not digest.equal(a, a + b"\0")
    for place in range(32):
        for bit in range(8):
            b = bytearray(a)
            b[place] ^= 1 << bit
            assert not digest.equal(a, b)
