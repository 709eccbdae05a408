"""The table's self-test: each part answers a question whose answer is known. In memory only while it runs."""

from tabletop import cbor
from tabletop.digest import hmac_sha256
from tabletop.journal import kinds
from tabletop.table.records import SELF_TEST_FAILED
from tabletop.table.rng import RNG_FAILED

TESTS = ("codec", "digest", "rules", "rng", "journal", "sensors", "settings")


def run(table) -> "tuple[bool, dict]":
    """Records the results: whether all passed, and the results. What fails is a tilt."""
    found = results(table)
    wrong = [name for name in TESTS if found[name] != "ok"]
    try:
        table.records.write(kinds.SELF_TEST, {"passed": not wrong, "results": found})
    finally:  # a journal that is full takes no result, but a tilt
        if table.rng.failed:
            table.tilts.raise_(RNG_FAILED, {"test": table.rng.failed})
        for name in wrong:
            if name != "rng":
                table.tilts.raise_(SELF_TEST_FAILED, {"test": name, "reason": found[name]})
    return not wrong, found


def results(table) -> dict:
    """Name of each test -> `ok`, or what is wrong; one that breaks down has failed. Changes nothing."""
    found = {}
    for name in TESTS:
        try:
            found[name] = _test(name, table) or "ok"
        except Exception as error:
            found[name] = ("%s %s" % (type(error).__name__, error))[:100]
    return found


def _test(name: str, table) -> str:
    if name == "codec":
        data = bytes.fromhex("a2616101626162820cf5")
        value = {"a": 1, "ab": [12, True]}
        return "" if cbor.dumps(value) == data and cbor.loads(data) == value else "CBOR is spelled wrong"
    if name == "digest":  # RFC 4231, test case 2
        mac = hmac_sha256(b"Jefe", b"what do ya want for nothing?")
        return "" if mac[:8].hex() == "5bdcc146bf60754e" else "HMAC-SHA-256 is wrong"
    if name == "rules":
        game = table.settings.game
        if hasattr(game, "SOURCE"):
            from tabletop.rules import bonus_rounds

            return bonus_rounds.self_check(game)
        return game.self_check()
    if name == "rng":
        return table.rng.start()
    if name == "settings":
        return table.settings_fault
    if name == "journal":
        journal = table.journal
        if journal.damaged:
            return "record %d cannot be read back" % journal.damaged
        if journal.last >= journal.first and journal.hash_of(journal.last) != journal.head:
            return "the newest record is not what was written"
        return ""
    for part in ("wheel", "sensing"):
        if part in table.dead:
            return "%s has stopped" % part
    table.hal.wheel.poll(table.eye())
    return ""
