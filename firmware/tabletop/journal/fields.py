"""What each kind of record carries: name and fields, once for tests, host tool and documents.

A field is `name:type`; a `?` after the name marks one that may be missing. Types: `uint`, `int`, `bool`,
`text`, `bytes`, `map` (text keys), `any`, `texts` and `uints` (lists) and `[a,b,...]` (list of rows of those types).
The table itself runs without this module, to save its memory.
"""

from tabletop.journal import kinds

KINDS = {
    kinds.BOOT: (
        "BOOT",
        "serial:text version:text program:bytes reason:text emulated:bool test:bool round?:uint resumes?:bool "
        "tilts?:uints detail?:map meters?:map draws?:uint kept?:uints lease?:bool again?:bool opened?:uint",
    ),
    kinds.ROUND_OPENED: (
        "ROUND_OPENED",
        "round:uint game:text test:bool layout:bytes paytable:bytes settings:map min_turns:uint meter?:map",
    ),
    kinds.WAGERS: ("WAGERS", "round:uint bets:[uint,text,uint] cmd?:uints"),
    kinds.BETS_CLOSED: ("BETS_CLOSED", "round:uint count:uint mills:uint"),
    kinds.SPIN_STARTED: ("SPIN_STARTED", "round:uint spin:uint section?:uint"),
    kinds.SPIN: (
        "SPIN",
        "round:uint spin:uint counted:bool outcome:text section?:uint turns_milli:uint direction:int faults:texts "
        "notes:texts start?:uint top_mturns_s:uint source:text layout:bytes why?:text alert?:text test:bool",
    ),
    kinds.SETTLED: (
        "SETTLED",
        "round:uint section?:uint symbol?:text multiplier?:uint collected:uint "
        "pays:[uint,text,uint,uint,uint,bool] meters:map test:bool draws?:uint kept?:uints lease?:bool source?:text "
        "layout?:bytes paytable?:bytes odds?:[uint,uint,uint,text] detail?:map "
        "returned?:uint doubled?:uint",
    ),
    kinds.ROUND_CLOSED: ("ROUND_CLOSED", "round:uint"),
    kinds.ROUND_VOIDED: ("ROUND_VOIDED", "round:uint reason:text returned:uint"),
    kinds.DISPUTE: ("DISPUTE", "round:uint reason:text operator?:text"),
    kinds.TILT: ("TILT", "tilt:uint detail:map"),
    kinds.TILT_CLEARED: ("TILT_CLEARED", "tilt:uint operator:text"),
    kinds.TIME_SET: ("TIME_SET", "unix_ms:uint was_ms:uint"),
    kinds.ANCHOR: ("ANCHOR", "number:uint hash:bytes"),
    kinds.MODE: ("MODE", "test:bool lease?:bool"),
    kinds.SERVICE: ("SERVICE", "on:bool"),
    kinds.SELF_TEST: ("SELF_TEST", "passed:bool results:map"),
    kinds.TORN: ("TORN", "after:uint pages:uint"),
    kinds.DRAW: ("DRAW", "number:uint name:text ranges:uints values:uints weights?:uints round?:uint"),
    kinds.COMMITTED: (
        "COMMITTED",
        "name:text hash:bytes range:uint salt:bytes round?:uint again?:bool of?:uint least?:uint void?:bool",
    ),
    kinds.OPENED: ("OPENED", "name:text value:uint nonce:bytes of:uint round?:uint"),
    kinds.ALERT: ("ALERT", "draw:text alert:text number:uint"),
    kinds.CONFIGURED: ("CONFIGURED", "settings:map operator:text signer?:bytes hash?:bytes again?:bool of?:uint"),
    kinds.CORRECTION: ("CORRECTION", "of:uint hash:bytes text:text reason:text operator:text second?:text"),
    kinds.APPROVED: ("APPROVED", "program:bytes operator:text again?:bool of?:uint"),
    kinds.CALIBRATED: ("CALIBRATED", "calibration:map before:map operator:text again?:bool of?:uint"),
    kinds.GIVEN: ("GIVEN", "round:uint given:any mills?:uint share?:uint nonce?:bytes"),
    kinds.METER: (
        "METER",
        "game:text test:bool meter:map round?:uint reason?:text operator?:text second?:text again?:bool of?:uint",
    ),
    kinds.REFUSED: ("REFUSED", "given:any code:uint detail:map round?:uint"),
    kinds.ROUND_HELD: ("ROUND_HELD", "round:uint data:bytes"),
}


def name(kind: int) -> str:
    """The kind's name; `KIND_n` for one that this version does not know."""
    return KINDS[kind][0] if kind in KINDS else "KIND_%d" % kind


def _is(value, wanted: str) -> bool:
    if wanted == "any":
        return True
    if wanted == "bool":
        return value is True or value is False
    if wanted == "uint" or wanted == "int":
        return isinstance(value, int) and not isinstance(value, bool) and (wanted == "int" or value >= 0)
    if wanted == "text":
        return isinstance(value, str)
    if wanted == "bytes":
        return isinstance(value, (bytes, bytearray))
    if wanted == "map":
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    if not isinstance(value, list):
        return False
    if wanted == "texts" or wanted == "uints":
        return all(_is(item, wanted[:-1]) for item in value)
    columns = wanted[1:-1].split(",")
    for row in value:
        if not isinstance(row, (list, tuple)) or len(row) != len(columns):
            return False
        for i in range(len(columns)):
            if not _is(row[i], columns[i]):
                return False
    return True


def check(kind: int, payload: dict) -> None:
    """ValueError naming kind and field when `payload` is not what the table above says."""
    if kind not in KINDS:
        raise ValueError("no record kind %d" % kind)
    title, fields = KINDS[kind]
    left = len(payload)
    for field in fields.split(" "):
        key, wanted = field.split(":")
        optional = key.endswith("?")
        if optional:
            key = key[:-1]
        if key in payload:
            left -= 1
            if not _is(payload[key], wanted):
                raise ValueError("%s.%s must be %s" % (title, key, wanted))
        elif not optional:
            raise ValueError("%s.%s is missing" % (title, key))
    if left:
        raise ValueError("%s has %d unknown fields" % (title, left))
