"""HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, section 10.1.2), and its known-answer test."""

from binascii import unhexlify

from tabletop.const import const
from tabletop.digest import Key, hmac_sha256

_BLOCK = const(32)
STRENGTH = const(32)  # bytes of entropy that instantiate and reseed need for a security strength of 256 bits
MAX_REQUEST = const(1 << 16)  # bytes a request: 2^19 bits (table 2)
_MAX_INPUT = const(1 << 16)  # bytes of any input here; the standard allows 2^35 bits
_MAX_INTERVAL = const(1 << 48)  # requests between reseeds (table 2)

_ZERO = b"\x00"
_ONE = b"\x01"


class ReseedNeeded(Exception):
    """The reseed counter has reached its limit; nothing was generated."""


class HmacDrbg:
    """One instance. ValueError for an input that the standard does not allow; the state is then unchanged."""

    def __init__(self, entropy: bytes, nonce: bytes, personalization: bytes = b"", interval: int = _MAX_INTERVAL):
        if len(nonce) < STRENGTH // 2:
            raise ValueError("a nonce of at least %d bytes is needed" % (STRENGTH // 2))
        if not 0 < interval <= _MAX_INTERVAL:
            raise ValueError("the reseed interval must be 1 to 2^48 requests")
        self._check(entropy, nonce + personalization)
        self.interval = interval
        self._key = Key(bytes(_BLOCK))
        self._v = _ONE * _BLOCK
        self._update(entropy, nonce, personalization)
        self.requests = 1  # the standard's reseed_counter

    def _check(self, entropy: bytes, other: bytes) -> None:
        if len(entropy) < STRENGTH:
            raise ValueError("at least %d bytes of entropy are needed" % STRENGTH)
        if len(entropy) > _MAX_INPUT or len(other) > _MAX_INPUT:
            raise ValueError("an input of more than %d bytes" % _MAX_INPUT)

    def _update(self, *data: bytes) -> None:
        """10.1.2.2"""
        self._key = Key(hmac_sha256(self._key, self._v, _ZERO, *data))
        self._v = hmac_sha256(self._key, self._v)
        if any(data):
            self._key = Key(hmac_sha256(self._key, self._v, _ONE, *data))
            self._v = hmac_sha256(self._key, self._v)

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """10.1.2.4: fresh entropy of at least 32 bytes goes into the state."""
        self._check(entropy, additional)
        self._update(entropy, additional)
        self.requests = 1

    def generate(self, n: int, additional: bytes = b"") -> bytes:
        """10.1.2.5: `n` bytes, 0 to 65536. ReseedNeeded when the interval is over."""
        if not 0 <= n <= MAX_REQUEST or len(additional) > _MAX_INPUT:
            raise ValueError("a request of more than %d bytes" % MAX_REQUEST)
        if self.requests > self.interval:
            raise ReseedNeeded()
        if additional:
            self._update(additional)
        out = bytearray(n)
        for at in range(0, n, _BLOCK):
            self._v = hmac_sha256(self._key, self._v)
            end = min(at + _BLOCK, n)
            out[at:end] = self._v[: end - at]
        self._update(additional)
        self.requests += 1
        return bytes(out)


def known_answer(drbg=HmacDrbg) -> bool:
    """True when the generator gives NIST's answer: two requests of 1024 bits, the second one compared.

    CAVP, CAVS 14.3, HMAC_DRBG.rsp [SHA-256], no reseed, no personalization, no additional input, COUNT 0.
    """
    entropy = unhexlify("ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488")
    under_test = drbg(entropy, unhexlify("659ba96c601dc69fc902940805ec0ca8"))
    under_test.generate(128)
    return under_test.generate(128) == unhexlify(
        "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"
        "d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba6e624abf07745bc1"
        "07694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668"
        "961df86803482cb37ed6d5c0bb8d50cf1f50d476aa0458bdaba806f48be9dcb8"
    )
