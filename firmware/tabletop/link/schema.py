"""Every message of the link, declared once: number, name, fields of the message and fields of its reply.

Numbers below 0x80 go to the table; the reply to command `n` is `n | 0x80`; from 0xC0 on the table speaks unasked.
A field is `name:kind`, or `name?:kind` when it may be left out. Kinds: int, bool, str, bytes, map (text keys, any
values), ints, strs (lists), rows (list of lists of int), counts (map to int), texts (map to str).
`core` messages keep their meaning in every protocol version and only ever gain fields that may be left out: they
are all that a host of another version may use.
"""

import hashlib

PROTOCOL = 1
WINDOW = 8  # commands that may be under way at once; the table keeps as many replies
FRAME = 1100  # largest body, type to CRC: a journal record of 1024 bytes fits

HELLO = 0x01
ACK = 0x02
STATISTICS = 0x13
SUBSCRIBE = 0x20
TELEMETRY = 0x22
REPLY = 0x80
REFUSED = 0xC0
NAK = 0xC1
EVENT = 0xC2
EVENT_GAP = 0xC3
LIVE = 0xC4

# number, name, fields, fields of the reply (None: there is no reply), protocol version it came with, core
MESSAGES: "tuple" = (
    (HELLO, "HELLO", "protocol:int schema:bytes version:str",
     "protocol:int schema:bytes version:str serial:str program:bytes boot:int reset:str test:bool capabilities:strs"
     " limits:counts", 1, True),
    (ACK, "ACK", "number:int again?:bool", None, 1, True),
    (0x10, "PING", "echo?:bytes", "uptime_ms:int echo?:bytes", 1, True),
    (0x11, "STATUS", "", "phase:str test:bool tilts:ints round:int first:int last:int anchored:int free:int"
     " uptime_ms:int moving:bool homed:bool section:int unix_ms?:int", 1, True),
    (0x12, "SELF_TEST", "", "passed:bool results:texts", 1, False),
    (STATISTICS, "STATISTICS", "", "link:counts sensing?:counts journal?:counts table?:counts", 1, True),
    (0x14, "VERIFY", "algorithm:str seed?:bytes", "digest:bytes size:int files:int", 1, True),
    (0x15, "CHALLENGE", "", "nonce:bytes", 1, False),
    (0x16, "DISPLAY", "", "rim:bytes inner:bytes digits:strs tower:str lamps:int", 1, False),
    (0x18, "OPEN_BETS", "", "round:int", 1, False),
    (0x19, "WAGER", "bets:rows", "round:int count:int mills:int", 1, False),
    (0x1A, "NO_MORE_BETS", "", "round:int count:int mills:int", 1, False),
    (0x1B, "VOID", "reason:str operator?:str", "round:int returned:int", 1, False),
    (0x1C, "SETTLE", "", "round:int", 1, False),
    (0x1D, "TEST_MODE", "on:bool mac?:bytes", "test:bool", 1, False),
    (0x1E, "CLEAR_TILT", "tilt:int operator:str mac?:bytes", "tilts:ints", 1, False),
    (0x1F, "SET_TIME", "unix_ms:int", "was_ms?:int", 1, False),
    (SUBSCRIBE, "SUBSCRIBE", "cursor:int", "first:int last:int", 1, True),
    (0x21, "ANCHOR", "number:int hash:bytes", "anchored:int", 1, True),
    (TELEMETRY, "TELEMETRY", "hz:int", "hz:int", 1, False),
    (REFUSED, "REFUSED", "code:int detail:map", None, 1, True),
    (NAK, "NAK", "want:int", None, 1, True),
    (EVENT, "EVENT", "record:bytes", None, 1, True),
    (EVENT_GAP, "EVENT_GAP", "first:int last:int", None, 1, True),
    (LIVE, "LIVE", "t_ms:int dropped:int phase?:str round?:int moving?:bool homed?:bool on_peg?:bool section?:int"
     " count?:int turns_milli?:int speed_mturns_s?:int direction?:int digits?:strs rim?:bytes inner?:bytes", None, 1, False),
)

_rows = {row[0]: row for row in MESSAGES}
_parsed: "dict" = {}  # number on the wire -> [(field, kind, may be left out)], made at first use


def schema_hash() -> bytes:
    """First 8 bytes of SHA-256 over all rows as text, one a line: equal hashes mean the same messages."""
    sha = hashlib.sha256()
    for number, name, fields, reply, since, core in MESSAGES:
        sha.update(("%d %s(%s)->%s since %d core %d\n" % (number, name, fields, reply, since, core)).encode())
    return sha.digest()[:8]


def number_of(name: str) -> int:
    """The number of a message; KeyError when there is none of that name."""
    for row in MESSAGES:
        if row[1] == name:
            return row[0]
    raise KeyError(name)


def _row(number: int) -> "tuple | None":
    """The row that declares what stands on the wire as `number`; a reply is declared by its command."""
    row = _rows.get(number & 0x7F if REPLY <= number < REFUSED else number)
    return None if row is None or (REPLY <= number < REFUSED and row[3] is None) else row


def name_of(number: int) -> str:
    """The name of a message or of the command a reply belongs to; "" when the number is not known."""
    row = _row(number)
    return row[1] if row else ""


def is_core(number: int) -> bool:
    """Whether a host of another protocol version may use the message."""
    row = _row(number)
    return bool(row and row[5])


def fields_of(number: int) -> "list[tuple]":
    """[(field, kind, may be left out)] of a message or reply, in the order declared."""
    fields = _parsed.get(number)
    if fields is None:
        row = _row(number)
        if row is None:
            raise KeyError(number)
        fields = []
        for word in row[3 if REPLY <= number < REFUSED else 2].split():
            name, kind = word.split(":")
            fields.append((name.rstrip("?"), kind, name.endswith("?")))
        _parsed[number] = fields
    return fields


def _all(values: "list", kind: "type") -> bool:
    for value in values:
        if type(value) is not kind:
            return False
    return True


def _is(value, kind: str) -> bool:
    of = type(value)  # `type() is`: True is no int here
    if kind == "int":
        return of is int
    if kind == "bool":
        return of is bool
    if kind == "str":
        return of is str
    if kind == "bytes":
        return of is bytes
    if kind == "ints":
        return of is list and _all(value, int)
    if kind == "strs":
        return of is list and _all(value, str)
    if kind == "rows":
        return of is list and _all(value, list) and all(_all(row, int) for row in value)
    if of is not dict or not _all(value, str):
        return False
    return kind == "map" or _all(value.values(), int if kind == "counts" else str)


def check(number: int, payload: object, strict: bool = False) -> str:
    """"" when the payload is as declared, else the name of the first wrong, missing or unknown field.

    Unknown fields are let through in core messages unless `strict` (what one sends oneself): a later version may
    have added them.
    """
    if type(payload) is not dict:
        return "(payload)"
    fields = fields_of(number)
    known = 0
    for name, kind, optional in fields:
        if name in payload:
            known += 1
            if not _is(payload[name], kind):
                return name
        elif not optional:
            return name
    if known < len(payload) and (strict or not is_core(number)):
        names = [field[0] for field in fields]
        for name in payload:
            if name not in names:
                return str(name)
    return ""
