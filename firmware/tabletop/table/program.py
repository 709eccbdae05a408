"""Hashes over every program byte, for whoever wants to know which program runs."""

import hashlib

from tabletop.digest import Hmac

ALGORITHMS = ("sha256", "sha1", "hmac-sha256")


def digest_of(hal, algorithm: str, seed: bytes) -> "tuple[bytes, int, int]":
    """(digest, bytes, files) of all program bytes in the HAL's order; `seed` is the key of hmac-sha256."""
    sha = Hmac(seed) if algorithm == "hmac-sha256" else getattr(hashlib, algorithm)()
    size = files = 0
    last = ""
    for name, chunk in hal.program():
        if name != last:
            files += 1
            last = name
            hal.feed()
        size += len(chunk)
        sha.update(chunk)
    return sha.digest(), size, files
