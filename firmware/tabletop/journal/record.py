"""One journal record: its bytes, its check sum and its link to the record before.

    0 magic "WJ" | 2 version u8 | 3 kind u8 | 4 number u32 | 8 boot u32 | 12 anchored u32 |
    16 t_ms u64 | 24 payload length u16 | 26 hash of the record before, 32 | 58 payload | CRC-32 u32

All big-endian. The hash of a record is SHA-256 over everything but its CRC, so a chain can be checked
with any SHA-256 tool. The journal does not look into payloads.
"""

import struct
from binascii import crc32

from tabletop.const import const
from tabletop.digest import sha256

_MAGIC = const(0x574A)
_VERSION = const(1)
LAYOUT = ">HBBIIIQH"
HEADER = const(58)
PREV = const(26)  # where the 32 bytes of the previous hash start
TRAILER = const(4)
MAX = const(1024)  # four pages: one record fits the buffer, and a sector holds four of them
MAX_PAYLOAD = const(MAX - HEADER - TRAILER)
GENESIS = bytes(32)  # "hash" before record 1


class Record:
    """A decoded record; `hash` is what the next one must carry as `prev`."""

    def __init__(
        self, number: int, boot: int, kind: int, t_ms: int, anchored: int, prev: bytes, payload: bytes, hash: bytes
    ):
        self.number = number
        self.boot = boot
        self.kind = kind
        self.t_ms = t_ms  # uptime when it was appended, milliseconds
        self.anchored = anchored  # a host held everything up to this number when it was appended
        self.prev = prev
        self.payload = payload
        self.hash = hash


def size(buf: bytes | bytearray | memoryview) -> int:
    """Bytes of the record that `buf` starts with, by its header alone; 0 when it starts with none."""
    if buf[0] != _MAGIC >> 8 or buf[1] != _MAGIC & 0xFF or buf[2] != _VERSION:
        return 0
    total = HEADER + TRAILER + (buf[24] << 8 | buf[25])
    return total if total <= MAX else 0


def number(buf: bytes | bytearray | memoryview) -> int:
    """The number in a record's header."""
    return struct.unpack_from(">I", buf, 4)[0]


def intact(raw: bytes | bytearray | memoryview) -> bool:
    """True when the CRC of a whole record (any buffer of exactly its size) is right."""
    end = len(raw) - TRAILER
    return crc32(raw[:end]) == struct.unpack_from(">I", raw, end)[0]


def digest(raw: bytes | bytearray | memoryview) -> bytes:
    """The hash of a whole record (any buffer of exactly its size)."""
    return sha256(raw[: len(raw) - TRAILER])


def encode_into(
    buf: bytearray, number: int, boot: int, kind: int, t_ms: int, anchored: int, prev: bytes, payload: bytes
) -> int:
    """Writes a record to the start of `buf` and returns its size in bytes; `buf` holds at least MAX bytes."""
    length = len(payload)
    if length > MAX_PAYLOAD:
        raise ValueError("payload of %d bytes, but a record holds %d" % (length, MAX_PAYLOAD))
    end = HEADER + length
    struct.pack_into(LAYOUT, buf, 0, _MAGIC, _VERSION, kind, number, boot, anchored, t_ms, length)
    buf[PREV:HEADER] = prev
    buf[HEADER:end] = payload
    struct.pack_into(">I", buf, end, crc32(memoryview(buf)[:end]))
    return end + TRAILER


def decode(raw: bytes | bytearray | memoryview) -> Record:
    """The record in `raw` (exactly its bytes). ValueError says what is wrong."""
    total = size(raw) if len(raw) >= HEADER + TRAILER else 0
    if total == 0:
        raise ValueError("no journal record")
    if total != len(raw):
        raise ValueError("record of %d bytes, but its header says %d" % (len(raw), total))
    if not intact(raw):
        raise ValueError("record %d fails its check sum" % number(raw))
    _, _, kind, n, boot, anchored, t_ms, _ = struct.unpack_from(LAYOUT, raw, 0)
    return Record(
        n, boot, kind, t_ms, anchored, bytes(raw[PREV:HEADER]), bytes(raw[HEADER : len(raw) - TRAILER]), digest(raw)
    )
