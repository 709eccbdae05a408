"""HMAC_DRBG: NIST's known answer, the standard's limits, and what each input does to the output."""

import json
from binascii import unhexlify

from tabletop.chance.drbg import HmacDrbg, ReseedNeeded, known_answer

with open(__file__.rsplit("/", 1)[0] + "/../data/vectors/hmac_drbg_sha256.json") as text:
    VECTOR = json.load(text)
ENTROPY = unhexlify(VECTOR["entropy_input"])
NONCE = unhexlify(VECTOR["nonce"])


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return str(raised)
    raise AssertionError("no %s" % error.__name__)


def test_the_known_answer_of_nist_holds():
    drbg = HmacDrbg(ENTROPY, NONCE)
    drbg.generate(128)
    assert drbg.generate(128) == unhexlify(VECTOR["returned_bits"])
    assert known_answer()


def test_the_self_test_sees_a_generator_that_differs_anywhere():
    class Stuck(HmacDrbg):
        def generate(self, n, additional=b""):
            return bytes(n)

    class LastBit(HmacDrbg):
        def generate(self, n, additional=b""):
            out = bytearray(HmacDrbg.generate(self, n, additional))
            out[-1] ^= 1
            return bytes(out)

    class NoUpdate(HmacDrbg):
        def generate(self, n, additional=b""):
            key = self._key
            out = HmacDrbg.generate(self, n, additional)
            self._key = key
            return out

    for broken in (Stuck, LastBit, NoUpdate):
        assert not known_answer(broken)
    assert known_answer(HmacDrbg)


def test_each_input_changes_the_output():
    outputs = {HmacDrbg(ENTROPY, NONCE).generate(32)}
    outputs.add(HmacDrbg(bytes(32), NONCE).generate(32))
    outputs.add(HmacDrbg(ENTROPY, bytes(16)).generate(32))
    outputs.add(HmacDrbg(ENTROPY, NONCE, b"table 1").generate(32))
    outputs.add(HmacDrbg(ENTROPY, NONCE, b"table 2").generate(32))
    outputs.add(HmacDrbg(ENTROPY, NONCE).generate(32, b"more"))
    reseeded = HmacDrbg(ENTROPY, NONCE)
    reseeded.reseed(bytes(32))
    outputs.add(reseeded.generate(32))
    reseeded = HmacDrbg(ENTROPY, NONCE)
    reseeded.reseed(bytes(32), b"more")
    outputs.add(reseeded.generate(32))
    assert len(outputs) == 8


def test_one_request_is_not_two_and_a_short_one_is_the_start_of_a_long_one():
    one, two = HmacDrbg(ENTROPY, NONCE), HmacDrbg(ENTROPY, NONCE)
    whole = one.generate(64)
    assert two.generate(32) == whole[:32]
    assert two.generate(32) != whole[32:]
    for n in (0, 1, 31, 33):
        assert HmacDrbg(ENTROPY, NONCE).generate(n) == whole[:n]


def test_the_reseed_counter_stops_the_generator_at_its_limit_and_a_reseed_starts_it_again():
    drbg = HmacDrbg(ENTROPY, NONCE, b"", 3)
    for expected in (1, 2, 3):
        assert drbg.requests == expected
        drbg.generate(8)
    for _ in range(2):
        fails(ReseedNeeded, drbg.generate, 8)
    drbg.reseed(ENTROPY)
    assert drbg.requests == 1
    drbg.generate(8)


def test_requests_and_inputs_outside_the_standard_are_refused():
    assert "entropy" in fails(ValueError, HmacDrbg, bytes(31), NONCE)
    assert "nonce" in fails(ValueError, HmacDrbg, ENTROPY, bytes(15))
    assert "interval" in fails(ValueError, HmacDrbg, ENTROPY, NONCE, b"", 0)
    assert "interval" in fails(ValueError, HmacDrbg, ENTROPY, NONCE, b"", 2**48 + 1)
    drbg = HmacDrbg(ENTROPY, NONCE)
    assert "entropy" in fails(ValueError, drbg.reseed, bytes(31))
    assert "request" in fails(ValueError, drbg.generate, 65537)
    assert "request" in fails(ValueError, drbg.generate, -1)
    assert drbg.generate(32) == HmacDrbg(ENTROPY, NONCE).generate(32), "a refused request changes nothing"
    assert drbg.requests == 2
