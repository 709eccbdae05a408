"""Commands for whoever looks after the table: mode, self-test, tilts, time, anchors, and proof of the program."""

import hashlib

from tabletop.const import const
from tabletop.digest import Hmac, equal, hmac_sha256
from tabletop.link import schema
from tabletop.link.endpoint import Refused
from tabletop.table.loaned import give_back

_MOST_TEXT = const(64)  # bytes of a reason or an operator's name
SERVICE_KEY = const(8)


def text_of(args: dict, field: str) -> str:
    """A text that people typed, short enough for a record; "" when it is left out."""
    text = args.get(field, "")
    if len(text.encode()) > _MOST_TEXT:
        raise Refused(4009, field=field, value=text[:16] + "...", choice="at most %d bytes" % _MOST_TEXT)
    return text


def digest_of(hal, algorithm: str, seed: bytes) -> "tuple[bytes, int, int]":
    """(digest, bytes, files) of all program bytes in the HAL's order; `seed` is the key of hmac-sha256."""
    sha = Hmac(seed) if algorithm == "hmac-sha256" else getattr(hashlib, algorithm)()
    size = files = 0
    last = ""
    for name, data in hal.program():
        if name != last:
            files += 1
            last = name
        hal.feed()
        size += len(data)
        sha.update(data)
    return sha.digest(), size, files


class Service:
    """Methods `on_x`, as in `commands`."""

    def __init__(self, table) -> None:
        self.table = table
        self._nonce = b""  # of the challenge that may be answered now
        self.unix_ms = 0  # time of day at unix_at_ms of uptime; 0: not set
        self.unix_at_ms = 0

    def on_self_test(self, _args: dict, _origin) -> dict:
        """The self-test of a start, after a look at every record of the journal (some seconds when it is full)."""
        table = self.table
        before = table.phase
        table.enter("SELF_TEST")
        self.read_all()
        passed, results = table.self_test()
        table.enter("SERVICE" if before == "SERVICE" else table.place())
        return {"passed": passed, "results": results}

    def read_all(self) -> None:
        """Every record, so that the journal names one that cannot be read."""
        for _ in self.table.journal.verify():
            pass

    def on_challenge(self, _args: dict, _origin) -> dict:
        """A fresh nonce; the one before is void."""
        self._nonce = bytes(self.table.hal.entropy(16))
        return {"nonce": self._nonce}

    def demand(self, command: str, args: dict) -> None:
        """Refused unless `args["mac"]` signs command and challenge (`schema.to_sign`) and the service key is turned.

        Any try uses the challenge up.
        """
        table = self.table
        nonce, self._nonce = self._nonce, b""
        data = schema.to_sign(nonce, schema.number_of(command), args)
        if not nonce or not equal(hmac_sha256(table.hal.key, data), args.get("mac", b"")):
            raise Refused(1008)
        bits = table.hal.inputs.read() if "inputs" in table.dead else table.bits  # a key that was turned back is no key
        if not bits & SERVICE_KEY:
            raise Refused(1009)

    def on_clear_tilt(self, args: dict, _origin) -> dict:
        from tabletop.table import clearing

        try:
            return clearing.clear(self.table, self, args)
        finally:
            give_back("clearing")

    def time_ms(self) -> int:
        """Time of day, milliseconds since 1970; 0 when nobody has set it."""
        if not self.unix_ms:
            return 0
        return self.unix_ms + self.table.hal.clock.uptime_ms() - self.unix_at_ms
