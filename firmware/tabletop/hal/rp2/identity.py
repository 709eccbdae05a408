"""The identity sector: serial number, device key, and what this one table sets differently from its board.

One CBOR map behind a length and a CRC-32, written by the host tool at the console and by nothing else. A blank
sector is a board fresh from the shelf; a damaged one is not guessed at.
"""

import binascii
import os
import struct

import machine

from tabletop import cbor

HEAD = ">4sII"  # "WHID", bytes of CBOR, their CRC-32
LONGEST = 2048


class Damaged(Exception):
    """The identity sector holds something, but nothing that checks."""


def read(store) -> dict:
    """The map; empty when the sector is blank."""
    head = bytearray(12)
    store.read(0, head)
    magic, size, crc = struct.unpack(HEAD, head)
    if head == b"\xff" * 12:
        return {}
    if magic != b"WHID" or size > LONGEST:
        raise Damaged("no identity")
    body = bytearray(size)
    store.read(12, body)
    if binascii.crc32(body) & 0xFFFFFFFF != crc:
        raise Damaged("check sum")
    return cbor.loads(bytes(body))


def pack(values: dict) -> bytes:
    body = cbor.dumps(values)
    return struct.pack(HEAD, b"WHID", len(body), binascii.crc32(body) & 0xFFFFFFFF) + body


def serial(values: dict) -> str:
    """Its own, else the flash chip's."""
    return values.get("serial") or "W-" + binascii.hexlify(machine.unique_id()).decode().upper()


def key(values: dict) -> bytes:
    """The device key. Without one, a key that nobody knows: privileged commands fail until one is given."""
    found = values.get("key")
    return bytes(found) if found and len(found) == 32 else os.urandom(32)
