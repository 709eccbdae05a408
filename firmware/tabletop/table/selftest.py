"""The table's self-test: each part answers a question whose answer is known. Changes nothing."""

from tabletop import cbor
from tabletop.digest import hmac_sha256

TESTS = ("codec", "digest", "rules", "rng", "journal", "sensors", "settings")


def run(table) -> dict:
    """Name of each test -> `ok`, or what is wrong. A test that breaks down has failed, with the reason."""
    results = {}
    for name in TESTS:
        try:
            results[name] = _test(name, table) or "ok"
        except Exception as error:
            results[name] = ("%s %s" % (type(error).__name__, error))[:100]
    return results


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
    table.hal.wheel.poll(table.sensor)
    return ""
