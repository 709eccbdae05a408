"""SHA-256, HMAC-SHA-256 (RFC 2104, FIPS 198-1) and a comparison that takes the same time whatever differs."""

import hashlib

from tabletop.const import const

_BLOCK = const(64)  # bytes that SHA-256 takes in at a time
_inner = b"\x36" * _BLOCK  # names that are there anyway: each new one would cost memory
_outer = b"\x5c" * _BLOCK
spare = bytearray(_BLOCK)  # one block for all, as a draw makes several HMACs; so not for two threads at a time


def sha256(data: bytes | bytearray | memoryview) -> bytes:
    """The 32 bytes of SHA-256 over `data` (any buffer)."""
    return hashlib.sha256(data).digest()


def _take(key: bytes | bytearray, fill: bytes):
    """SHA-256 that has taken in the key's block: `fill`, with the key XORed into its start."""
    spare[:] = fill
    for i in range(len(key)):
        spare[i] ^= key[i]
    sha = hashlib.sha256(spare)
    spare[:] = _inner  # nothing of the key stays here
    return sha


class Hmac:
    """HMAC-SHA-256 of data that comes in parts; `digest` ends it (MicroPython's hash cannot be read twice)."""

    def __init__(self, key: bytes | bytearray):
        if len(key) > _BLOCK:
            key = sha256(key)
        self._inner = _take(key, _inner)
        self._outer = _take(key, _outer)

    def update(self, data: bytes | bytearray | memoryview) -> None:
        self._inner.update(data)

    def digest(self) -> bytes:
        self._outer.update(self._inner.digest())
        return self._outer.digest()


def hmac_sha256(key: bytes | bytearray, *parts: bytes | bytearray | memoryview) -> bytes:
    """HMAC-SHA-256 under `key` of all `parts`, one after the other: 32 bytes."""
    mac = Hmac(key)
    for part in parts:
        mac.update(part)
    return mac.digest()


def equal(a: bytes | bytearray | memoryview, b: bytes | bytearray | memoryview) -> bool:
    """True when `a` and `b` hold the same bytes; the time taken tells nothing but their lengths."""
    if len(a) != len(b):
        return False
    difference = 0
    for i in range(len(a)):
        difference |= a[i] ^ b[i]
    return difference == 0
