"""Commitments: a hidden value is published as a hash when it is chosen and opened when it is used.

The hash is SHA-256 over the CBOR list [value, nonce], so that value and nonce cannot be shifted into each other.
"""

from tabletop import cbor
from tabletop.const import const
from tabletop.digest import equal, sha256

_NONCE = const(32)  # bytes, fresh from the generator for each commitment: nobody can try out all values


def seal(value, nonce: bytes) -> bytes:
    """The commitment to `value` (anything CBOR holds) under a nonce of 32 secret bytes."""
    if len(nonce) != _NONCE:
        raise ValueError("a nonce of %d bytes is needed" % _NONCE)
    return sha256(cbor.dumps([value, bytes(nonce)]))


def opens(commitment: bytes, value, nonce: bytes) -> bool:
    """True when `value` and `nonce` are what `commitment` was made from."""
    return len(nonce) == _NONCE and equal(commitment, seal(value, nonce))
