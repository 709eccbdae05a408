"""CBOR in deterministic encoding (RFC 8949, 4.2.1): one value has one spelling, and no other is read.

Values are int (-2**64 .. 2**64 - 1), bool, bytes, str, list and dict with int, str or bytes keys, nested up to
`_DEPTH` deep. There is no float, null or tag: journal and link need none.

Major types are written as the numbers that they are: 0 integer, 1 negative integer, 2 bytes, 3 text, 4 list, 5 map,
7 simple. (Each name costs memory on the chip.)
"""

from tabletop.const import const

_DEPTH = const(8)
_ANY = const(0xFFFF)


def dumps(value: object) -> bytes:
    """The encoding of `value`; ValueError for a value that has none here."""
    out = bytearray()
    _put(out, value, 0)
    return bytes(out)


def loads(data: "bytes | bytearray | memoryview", most: int = _ANY):
    """The value that all of `data` (bytes, bytearray or memoryview) spells; ValueError with the reason otherwise.

    More than `most` texts, byte strings, lists and maps, keys too, are refused: each takes a hundred bytes of memory,
    and of the data one.
    """
    reader = _Reader(data, most)
    value = reader.value(0)
    if reader.at != reader.end:
        raise ValueError("bytes after the end")
    return value


def _head(out: bytearray, major: int, n: int) -> None:
    major <<= 5
    if n < 24:
        out.append(major | n)
        return
    size = 0 if n < 0x100 else 1 if n < 0x10000 else 2 if n < 0x100000000 else 3
    if n >> 64:
        raise ValueError("integer of more than 64 bits")
    out.append(major | 24 + size)
    out.extend(n.to_bytes(1 << size, "big"))


def _put(out: bytearray, value, depth: int) -> None:
    kind = type(value)
    if kind is bool:
        out.append(0xF5 if value else 0xF4)
    elif kind is int:
        if value >= 0:
            _head(out, 0, value)
        else:
            _head(out, 1, -1 - value)
    elif kind is str:
        data = value.encode()
        _head(out, 3, len(data))
        out.extend(data)
    elif kind is bytes or kind is bytearray or kind is memoryview:
        _head(out, 2, len(value))
        out.extend(value)
    elif depth == _DEPTH:
        raise ValueError("nested too deep")
    elif kind is list or kind is tuple:
        _head(out, 4, len(value))
        for item in value:
            _put(out, item, depth + 1)
    elif kind is dict:
        _head(out, 5, len(value))
        pairs = []
        for key in value:
            if type(key) not in (int, str, bytes):
                raise ValueError("key of type " + type(key).__name__)
            pairs.append((dumps(key), key))
        pairs.sort()
        for data, key in pairs:
            out.extend(data)
            _put(out, value[key], depth + 1)
    else:
        raise ValueError("no encoding for " + kind.__name__)


def _is_utf8(text: str, size: int) -> bool:
    """Whether `text`, decoded from `size` bytes, is one that CPython reads too: MicroPython's decoder is laxer."""
    for char in text:
        code = ord(char)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            return False
        size -= 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    return size == 0  # else a code point was spelled with more bytes than it needs


class _Reader:
    def __init__(self, data, most: int) -> None:
        self.data = data
        self.left = most
        self.at = 0
        self.end = len(data)

    def _take(self, n: int) -> bytes:
        start = self.at
        if n > self.end - start:
            raise ValueError("cut short")
        self.at = start + n
        return self.data[start:self.at]

    def _argument(self, info: int) -> int:
        if info < 24:
            return info
        if info > 27:
            raise ValueError("indefinite length")
        size = info - 24
        n = int.from_bytes(self._take(1 << size), "big")
        if n < 24 or (size and not n >> (4 << size)):
            raise ValueError("longer than it need be")
        return n

    def value(self, depth: int):
        """The next value, at `self.at`."""
        if self.at == self.end:
            raise ValueError("cut short")
        first = self.data[self.at]
        self.at += 1
        major = first >> 5
        if major == 7:
            if first == 0xF4 or first == 0xF5:
                return first == 0xF5
            raise ValueError("float, null or other simple value")
        n = self._argument(first & 31)
        if major == 0:
            return n
        if major == 1:
            return -1 - n
        self.left -= 1
        if self.left < 0:
            raise ValueError("too many values")
        if major == 2:
            return bytes(self._take(n))
        if major == 3:
            text = str(self._take(n), "utf-8")
            if len(text) != n and not _is_utf8(text, n):
                raise ValueError("text is not UTF-8")
            return text
        if depth == _DEPTH:
            raise ValueError("nested too deep")
        if major == 4:
            if n > self.end - self.at:
                raise ValueError("cut short")
            items: list = []  # a comprehension would strew its cells between the items, and no large list fit later
            for _ in range(n):
                items.append(self.value(depth + 1))
            return items
        if major == 5:
            return self._map(n, depth)
        raise ValueError("tag")

    def _map(self, n: int, depth: int) -> dict:
        result: dict = {}
        last = b""
        for _ in range(n):
            start = self.at
            key = self.value(_DEPTH)
            if type(key) is bool:
                raise ValueError("key of type bool")
            data = bytes(self.data[start:self.at])
            if data <= last:
                raise ValueError("keys out of order")
            last = data
            result[key] = self.value(depth + 1)
        return result
