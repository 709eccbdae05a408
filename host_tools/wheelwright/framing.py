"""Frames of the link on the host, on the packages `cobs` and `zlib`: an independent check of the firmware's codec."""

import struct
import zlib
from typing import NamedTuple

from cobs import cobs
from tabletop.link import schema

HEADER = struct.Struct(">BII")
SHORTEST = HEADER.size + 1 + 4
LONGEST = schema.FRAME + schema.FRAME // 254 + 1  # as coded, without the delimiter


class Frame(NamedTuple):
    """One whole frame; the payload is still CBOR."""

    kind: int
    session: int
    sequence: int
    payload: bytes


def encode(frame: Frame) -> bytes:
    """The frame on the wire, with its closing 00."""
    body = HEADER.pack(frame.kind, frame.session, frame.sequence) + frame.payload
    return bytes(cobs.encode(body + struct.pack(">I", zlib.crc32(body)))) + b"\x00"


class Framer:
    """Cuts a byte stream at each 00 and keeps what is a whole frame; everything else is counted and dropped."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._overrun = False
        self.bytes = self.frames = self.bad_frame = self.bad_crc = 0

    def feed(self, data: bytes) -> list[Frame]:
        """The good frames that end in `data`."""
        self.bytes += len(data)
        frames = []
        *ended, rest = data.split(b"\x00")
        for piece in ended:
            frame = self._end(bytes(self._held) + piece)
            if frame is not None:
                frames.append(frame)
            self._held.clear()
            self._overrun = False
        self._overrun = self._overrun or len(self._held) + len(rest) > LONGEST
        if self._overrun:
            self._held.clear()
        else:
            self._held += rest
        return frames

    def _end(self, coded: bytes) -> Frame | None:
        if not coded and not self._overrun:
            return None
        try:
            body = b"" if self._overrun or len(coded) > LONGEST else cobs.decode(coded)
        except cobs.DecodeError:
            body = b""
        if len(body) < SHORTEST or not body[0]:
            self.bad_frame += 1
            return None
        if zlib.crc32(body[:-4]) != int.from_bytes(body[-4:], "big"):
            self.bad_crc += 1
            return None
        self.frames += 1
        kind, session, sequence = HEADER.unpack_from(body)
        return Frame(kind, session, sequence, body[HEADER.size:-4])
