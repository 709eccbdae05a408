"""Frames on a byte stream: COBS( type u8, session u32, sequence u32, payload, CRC-32 u32 ) 00, numbers big-endian.

Both directions work in one fixed buffer each. COBS replaces each zero by the distance to the next one, so a body is
turned into its coded form, and back, where it stands; only a run of 254 bytes without a zero moves what follows it.
"""

import binascii
import struct

from tabletop.const import const

_END = b"\x00"
HEADER = const(9)  # type, session, sequence
_SHORTEST = const(HEADER + 1 + 4)  # with an empty payload map and the CRC


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
    and no other. Frames are decoded where they stand, so the chunk is changed; noise costs no memory.
    """

    def __init__(self, limit: int, on_frame) -> None:
        self._on_frame = on_frame
        self._longest = coded(limit) - 1
        self._begun = bytearray(self._longest)  # a frame whose end is in a later chunk
        self._held = 0  # bytes of it; more than fit: it is too long already
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
        at = 0
        while at < n:
            stop = data.find(_END, at, n)
            if stop < 0:
                self._keep(data, at, n)
                return
            if self._held:
                self._keep(data, at, stop)
                held = self._held
                self._held = 0
                self._judge(self._begun, 0, held)
            elif stop - at > _SHORTEST:
                self._judge(data, at, stop)
            else:
                stop = self._pass_over(data, at, stop, n)
            at = stop + 1

    def _pass_over(self, data: bytearray, at: int, stop: int, n: int) -> int:
        """Counts what is too short for a frame from `at` on, and returns its last delimiter; `stop` is the first.

        In strides that no frame fits into: noise of tiny pieces, piece by piece, would keep the next frame waiting.
        """
        last = stop
        while 0 <= stop < n:
            last = stop
            stop = data.rfind(_END, last + 1, last + 2 + _SHORTEST)
        end = last + 1
        count = data.count(_END, at, end)
        empty = count
        if count < end - at:
            empty = 0 if data[at] else 1
            stop = data.find(b"\x00\x00", at, end)
            while stop >= 0:
                empty += 1
                stop = data.find(b"\x00\x00", stop + 1, end)
        self.empty += empty
        self.too_short += count - empty
        return last

    def _keep(self, data: bytearray, start: int, end: int) -> None:
        held = self._held
        self._held = min(held + end - start, self._longest + 1)
        if self._held <= self._longest:
            memoryview(self._begun)[held:self._held] = memoryview(data)[start:end]

    def _judge(self, buffer: bytearray, start: int, end: int) -> None:
        """The coded frame at start .. end - 1 of the buffer."""
        if end - start <= _SHORTEST:
            self.too_short += 1
            return
        if end - start > self._longest:
            self.too_long += 1
            return
        if buffer[start] == 1:  # a type of 0: told before the rest is decoded, for that takes longest with zeros
            self.bad_type += 1
            return
        end = _unstuff(buffer, start, end)
        if not end:
            self.bad_cobs += 1
            return
        start += 1
        if end - start < _SHORTEST:
            self.too_short += 1
            return
        view = memoryview(buffer)
        if struct.unpack_from(">I", buffer, end - 4)[0] != binascii.crc32(view[start:end - 4]):
            self.bad_crc += 1
            return
        self.frames += 1
        kind, session, sequence = struct.unpack_from(">BII", buffer, start)
        self._on_frame(kind, session, sequence, view[start + HEADER:end - 4])


def _unstuff(buffer: bytearray, code: int, end: int) -> int:
    """Decodes the frame at code .. end - 1 into code + 1 .. result - 1; 0 when a code points past the end.

    A run of 254 that ends the frame may be followed by one more code 01 or not: both are legal, and both are read.
    """
    step = buffer[code]
    while True:
        code += step
        if code >= end:
            return end if code == end else 0
        if step < 255:
            step = buffer[code]
            buffer[code] = 0
        else:  # no zero stood here: close the gap that the code leaves
            step = buffer[code]
            view = memoryview(buffer)
            view[code:end - 1] = view[code + 1:end]
            end -= 1
            code -= 1
