"""SHA-256, HMAC-SHA-256 (RFC 2104, FIPS 198-1) and a comparison that takes the same time whatever differs."""

import hashlib

from tabletop.const import const

_BLOCK = const(64)  # bytes that SHA-256 takes in at a time


def sha256(data: bytes | bytearray | memoryview) -> bytes:
    """The 32 bytes of SHA-256 over `data` (any buffer)."""
    return hashlib.sha256(data).digest()


class Key:
    """An HMAC key as the two blocks that SHA-256 takes in: made once for all the HMACs under it, and as secret."""

    def __init__(self, key: bytes | bytearray):
        if len(key) > _BLOCK:
            key = sha256(key)
        self.inner = inner = bytearray(b"\x36" * _BLOCK)
        self.outer = outer = bytearray(b"\x5c" * _BLOCK)
        for i in range(len(key)):
            byte = key[i]
            inner[i] ^= byte
            outer[i] ^= byte


class Hmac:
    """HMAC-SHA-256 of data that comes in parts; `digest` ends it (MicroPython's hash cannot be read twice)."""

    def __init__(self, key: Key | bytes | bytearray):
        if not isinstance(key, Key):
            key = Key(key)
        self._inner = hashlib.sha256(key.inner)
        self._outer = hashlib.sha256(key.outer)

    def update(self, data: bytes | bytearray | memoryview) -> None:
        self._inner.update(data)

    def digest(self) -> bytes:
        self._outer.update(self._inner.digest())
        return self._outer.digest()


def hmac_sha256(key: Key | bytes | bytearray, *parts: bytes | bytearray | memoryview) -> bytes:
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
