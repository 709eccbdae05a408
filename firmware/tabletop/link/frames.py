"""Frames on a byte stream: COBS( type u8, session u32, sequence u32, payload, CRC-32 u32 ) 00, numbers big-endian.

Both directions work in one fixed buffer each. COBS replaces each zero by the distance to the next one, so a body is
turned into its coded form, and back, where it stands; only a run of 254 bytes without a zero moves what follows it.
"""

import binascii
import struct

_ZEROS = bytes(64)
HEADER = 9  # type, session, sequence
SHORTEST = HEADER + 1 + 4  # with an empty payload map and the CRC


def coded(body: int) -> int:
    """Bytes that a body of that many bytes takes on the wire at most, delimiter included."""
    return body + body // 254 + 2


class Encoder:
    """Makes one frame at a time; the view it returns is good until the next one is made."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._buffer = bytearray(coded(limit))
        self._view = memoryview(self._buffer)

    def frame(self, kind: int, session: int, sequence: int, payload: bytes) -> memoryview:
        """The coded frame with its closing 00; ValueError when the body is above the limit."""
        buffer, view = self._buffer, self._view
        end = HEADER + len(payload) + 1
        if end + 3 > self.limit:
            raise ValueError("frame too large")
        struct.pack_into(">BII", buffer, 1, kind, session, sequence)
        view[HEADER + 1:end] = payload
        struct.pack_into(">I", buffer, end, binascii.crc32(view[1:end]))
        return view[:_stuff(buffer, view, end + 4)]


def _stuff(buffer: bytearray, view: memoryview, end: int) -> int:
    """Codes the body that stands at 1 .. end - 1; returns the length with the delimiter."""
    code = 0
    while True:
        zero = buffer.find(b"\x00", code + 1, end)
        if zero < 0:
            zero = end
        while zero - code > 254 and not (zero == end and zero - code == 255):
            buffer[code] = 255
            code += 255
            view[code + 1:end + 1] = view[code:end]
            zero += 1
            end += 1
        buffer[code] = zero - code
        if zero == end:
            buffer[end] = 0
            return end + 1
        code = zero


class Decoder:
    """Finds whole, checked frames in any byte stream, and counts what it drops by the reason.

    `feed` takes a chunk and calls `on_frame(kind, session, sequence, payload)` for each good frame in it; the payload
    is a view that is good only during the call. A delimiter always starts afresh, so damage costs the frame it is in
    and no other.
    """

    def __init__(self, limit: int, on_frame) -> None:
        self._on_frame = on_frame
        self._buffer = bytearray(coded(limit) - 1)
        self._view = memoryview(self._buffer)
        self._held = 0  # bytes since the last delimiter; more than the buffer has: the frame is too long already
        self.bytes = 0
        self.frames = 0
        self.empty = 0  # delimiters with nothing before them: an idle line held low, or a sender that resynchronises
        self.too_short = 0
        self.too_long = 0
        self.bad_cobs = 0
        self.bad_crc = 0
        self.bad_type = 0

    def feed(self, data: bytearray, n: int) -> None:
        """Takes the first `n` bytes of `data`."""
        self.bytes += n
        view = None
        at = 0
        while at < n:
            stop = data.find(b"\x00", at, n)
            size = (n if stop < 0 else stop) - at
            if size:
                held = self._held
                if held + size <= len(self._buffer):
                    if view is None:
                        view = memoryview(data)
                    self._view[held:held + size] = view[at:at + size]
                    self._held = held + size
                else:
                    self._held = len(self._buffer) + 1
            if stop < 0:
                return
            self._end_of_frame()
            at = stop + 1
            if not size:  # a line held low: in strides, or a minute of it keeps the next frame waiting
                if view is None:
                    view = memoryview(data)
                while at + len(_ZEROS) <= n and view[at:at + len(_ZEROS)] == _ZEROS:
                    self.empty += len(_ZEROS)
                    at += len(_ZEROS)

    def _end_of_frame(self) -> None:
        held = self._held
        self._held = 0
        if not held:
            self.empty += 1
        elif held <= SHORTEST:
            self.too_short += 1
        elif held > len(self._buffer):
            self.too_long += 1
        else:
            end = _unstuff(self._buffer, self._view, held)
            if not end:
                self.bad_cobs += 1
            elif end <= SHORTEST:
                self.too_short += 1
            else:
                self._check(end)

    def _check(self, end: int) -> None:
        view = self._view
        kind, session, sequence = struct.unpack_from(">BII", self._buffer, 1)
        if struct.unpack_from(">I", self._buffer, end - 4)[0] != binascii.crc32(view[1:end - 4]):
            self.bad_crc += 1
        elif not kind:
            self.bad_type += 1
        else:
            self.frames += 1
            self._on_frame(kind, session, sequence, view[HEADER + 1:end - 4])


def _unstuff(buffer: bytearray, view: memoryview, end: int) -> int:
    """Decodes the frame at 0 .. end - 1 into 1 .. result - 1; 0 when a code points past the end.

    A run of 254 that ends the frame may be followed by one more code 01 or not: both are legal, and both are read.
    """
    code = 0
    step = buffer[0]
    while True:
        code += step
        if code == end:
            return end
        if code > end:
            return 0
        full = step == 255
        step = buffer[code]
        if full:  # no zero stood here: close the gap that the code leaves
            end -= 1
            view[code:end] = view[code + 1:end + 1]
            code -= 1
        else:
            buffer[code] = 0
