"""Every message of the link, declared once: number, name, fields of the message and fields of its reply.

Numbers below 0x80 go to the table; the reply to command `n` is `n | 0x80`; from 0xC0 on the table speaks unasked.
A field is `name:kind`, or `name?:kind` when it may be left out. Kinds: int, bool, str, bytes, map (text keys, any
values), ints, strs (lists), bets (list of [seat int, spot str, mills int]), given (list of int and str), counts (map to
int), texts (map to str).
`core` messages keep their meaning in every protocol version and only ever gain fields that may be left out: they
are all that a host of another version may use.
"""

import hashlib

from tabletop import cbor

PROTOCOL = 1
WINDOW = 8  # commands that may be under way at once; the table keeps as many replies
FRAME = 1100  # largest body, type to CRC: a journal record of 1024 bytes fits

# number, name, protocol version it came with, core | fields | fields of the reply (no third part: there is no reply)
# One text, because as objects it would take three times the memory.
TABLE = """
01 HELLO 1 core | protocol:int schema:bytes version:str | protocol:int schema:bytes version:str serial:str \
program:bytes boot:int reset:str test:bool capabilities:strs limits:counts emulated?:bool
02 ACK 1 core | number:int again?:bool
10 PING 1 core | echo?:bytes | uptime_ms:int echo?:bytes
11 STATUS 1 core | | phase:str test:bool tilts:ints round:int first:int last:int anchored:int free:int \
uptime_ms:int moving:bool homed:bool section:int unix_ms?:int emulated?:bool spin?:int multiplier?:int \
turns_milli?:int speed_mturns_s?:int direction?:int bets?:int wagered_mills?:int result?:map meters?:map \
rng?:str draws?:int alert?:str detail?:map step?:str timer_ms?:int meter_mills?:int
12 SELF_TEST 1 | | passed:bool results:texts
13 STATISTICS 1 core | | link:counts sensing?:counts journal?:counts table?:counts
14 VERIFY 1 core | algorithm:str seed?:bytes | digest:bytes size:int files:int
15 CHALLENGE 1 | | nonce:bytes
16 DISPLAY 1 | | rim:bytes inner:bytes digits:strs tower:str lamps:int
17 RESTART 1 | reason:str mac?:bytes |
18 OPEN_BETS 1 | | round:int
19 WAGER 1 | bets:bets | round:int count:int mills:int
1a NO_MORE_BETS 1 | | round:int count:int mills:int
1b VOID 1 | reason:str operator?:str | round:int returned:int what?:str
1c SETTLE 1 | | round:int
1d TEST_MODE 1 | on:bool lease?:bool mac?:bytes | test:bool
1e CLEAR_TILT 1 | tilt:int operator:str mac?:bytes | tilts:ints
1f SET_TIME 1 | unix_ms:int | was_ms?:int
20 SUBSCRIBE 1 core | cursor:int | first:int last:int
21 ANCHOR 1 core | number:int hash:bytes | anchored:int
22 TELEMETRY 1 | hz:int | hz:int
23 CONFIGURE 1 | settings:map sum:int operator:str signer?:bytes hash?:bytes mac?:bytes | record:int
24 CORRECT 1 | record:int text:str reason:str operator:str second?:str mac?:bytes | record:int
25 RNG_RAW 1 | bits:int | data:bytes bits:int emulated:bool test:bool
26 RNG_OUTCOMES 1 | n:int range:int | values:ints emulated:bool test:bool
27 DUMP 1 core | at:int | data:bytes size:int
28 GAMES 1 | | games:map
29 BEGIN 1 | spot:str | round:int
2a CHOOSE 1 | seat:int choice:int | round:int
2b PRESS 1 | seat:int | round:int
2c PROBE 1 | on:bool hold:bool | data:bytes more:int lost:int levels:int count:int inputs:int moving:bool at?:int
2d LAMPS 1 | strip:str first:int count:int grb:bytes digits:strs tower:str lamps:int | leds:int
2e GIVE 1 | given:given mac?:bytes | round:int step:str
2f RESET_METER 1 | reason:str operator:str mills?:int mac?:bytes | record:int
30 LINKED 1 | meter:str mills:int test:bool parameters:map mac?:bytes | nonce:bytes
31 CALIBRATE 1 | calibration?:map sum?:int operator?:str mac?:bytes | calibration:map before:map record:int
c0 REFUSED 1 core | code:int detail:map
c1 NAK 1 core | want:int
c2 EVENT 1 core | record:bytes
c3 EVENT_GAP 1 core | first:int last:int
c4 LIVE 1 | t_ms:int dropped:int test?:bool phase?:str round?:int moving?:bool homed?:bool on_peg?:bool section?:int \
count?:int turns_milli?:int speed_mturns_s?:int direction?:int digits?:strs rim?:bytes inner?:bytes step?:str \
timer_ms?:int meter_mills?:int
"""

# those that the link itself answers or sends
HELLO, ACK, STATISTICS, SUBSCRIBE, TELEMETRY = 0x01, 0x02, 0x13, 0x20, 0x22
REPLY = 0x80
REFUSED, NAK, EVENT, EVENT_GAP, LIVE = 0xC0, 0xC1, 0xC2, 0xC3, 0xC4


def schema_hash() -> bytes:
    """First 8 bytes of SHA-256 over TABLE: equal hashes mean the same messages."""
    return hashlib.sha256(TABLE.encode()).digest()[:8]


def is_reply(number: int) -> bool:
    """Whether the number is a command's with the top bit set."""
    return REPLY <= number < REFUSED


def _row(number: int) -> "list[str]":
    """The row that declares `number`, cut at its bars; [] when none does. A reply is declared by its command."""
    at = TABLE.find("\n%02x " % (number & 0x7F if is_reply(number) else number))
    row = TABLE[at + 4:TABLE.find("\n", at + 1)].split("|") if at >= 0 else []
    return [] if is_reply(number) and len(row) < 3 else row


def numbers() -> "list[int]":
    """The number of every message, replies included."""
    return [number for number in range(1, 256) if _row(number)]


def number_of(name: str) -> int:
    """The number of a message; KeyError when there is none of that name."""
    at = TABLE.find(" " + name + " ")
    if at < 0 or TABLE[at - 3] != "\n":
        raise KeyError(name)
    return int(TABLE[at - 2:at], 16)


def name_of(number: int) -> str:
    """The name of a message or of the command a reply belongs to; "" when the number is not known."""
    row = _row(number)
    return row[0].split()[0] if row else ""


def since(number: int) -> int:
    """The protocol version that a message came with."""
    return int(_row(number)[0].split()[1])


def is_core(number: int) -> bool:
    """Whether a host of another protocol version may use the message."""
    row = _row(number)
    return bool(row) and row[0].endswith("core ")


def fields_of(number: int) -> "list[tuple]":
    """[(field, kind, may be left out)] of a message or reply, in the order declared; KeyError when it is not known."""
    row = _row(number)
    if not row:
        raise KeyError(number)
    fields = []
    for word in row[2 if is_reply(number) else 1].split():
        name, kind = word.split(":")
        fields.append((name.rstrip("?"), kind, name.endswith("?")))
    return fields


def _all(values: "list", kind: "type") -> bool:
    for value in values:
        if type(value) is not kind:
            return False
    return True


def _is_bet(bet: "list") -> bool:
    return len(bet) == 3 and type(bet[0]) is int and type(bet[1]) is str and type(bet[2]) is int


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
    if kind == "bets":
        return of is list and _all(value, list) and all(_is_bet(bet) for bet in value)
    if kind == "given":
        return of is list and all(type(one) is int or type(one) is str for one in value)
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


def to_sign(nonce: bytes, number: int, args: dict) -> bytes:
    """What `mac` of a privileged command signs (HMAC-SHA-256, device key): nonce, type, CBOR of the other arguments."""
    bare = {}
    for name in args:
        if name != "mac":
            bare[name] = args[name]
    return nonce + bytes([number]) + cbor.dumps(bare)
