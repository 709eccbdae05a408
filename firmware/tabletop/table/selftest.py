"""The table's self-test: each part answers a question whose answer is known. Changes nothing."""

from tabletop import cbor
from tabletop.digest import hmac_sha256

OK = "ok"


def run(table) -> dict:
    """Name of each test -> `ok`, or what is wrong. A test that breaks down has failed, with the reason."""
    results = {}
    for name, test in (("codec", _codec), ("digest", _digest), ("rules", _rules), ("journal", _journal),
                       ("sensors", _sensors), ("settings", _settings)):  # fmt: skip
        try:
            results[name] = test(table) or OK
        except Exception as error:
            results[name] = "%s %s" % (type(error).__name__, error)
    return results


def _codec(_table) -> str:
    spelled = bytes.fromhex("a2616101626162820cf5")
    value = {"a": 1, "ab": [12, True]}
    return "" if cbor.dumps(value) == spelled and cbor.loads(spelled) == value else "CBOR is spelled wrong"


def _digest(_table) -> str:
    # RFC 4231, test case 2
    mac = hmac_sha256(b"Jefe", b"what do ya want for nothing?")
    return "" if mac[:8].hex() == "5bdcc146bf60754e" else "HMAC-SHA-256 is wrong"


def _rules(table) -> str:
    return table.settings.game.self_check()


def _journal(table) -> str:
    journal = table.journal
    if journal.damaged:
        return "record %d cannot be read back" % journal.damaged
    if journal.last >= journal.first and journal.hash_of(journal.last) != journal.head:
        return "the newest record is not what was written"
    return ""


def _sensors(table) -> str:
    for part in ("wheel", "sensing"):
        if part in table.dead:
            return "%s has stopped" % part
    table.hal.wheel.poll(table.sensor)
    return ""


def _settings(table) -> str:
    return table.settings_fault
