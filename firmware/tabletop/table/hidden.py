"""Hidden values: chosen now, published as a hash, used later, and never to be read outside of this table before.

A value lies nowhere. It is worked out anew whenever it is needed, by an HMAC_DRBG (SP 800-90A) whose entropy is a
secret that only this table has, and whose nonce is the fresh salt of the COMMITTED record. So it outlives a power cut,
and neither the journal nor the device key tells it. The secret lies in the vault, a sector that no command reads.
"""

from binascii import crc32

from tabletop import cbor
from tabletop.const import const
from tabletop.journal import kinds
from tabletop.table.records import CONTRADICTS, Stop

_STRENGTH = const(32)  # bytes of the secret, and of a salt


def commit(table, name: str, n: int) -> int:
    """Chooses a hidden value 0 .. n - 1 and publishes its hash: the number of the record. ValueError when `name` is
    hidden already.
    """
    if _find(table, name):
        raise ValueError("%s is hidden already" % name)
    salt = table.rng.draws().bytes(_STRENGTH)
    value, nonce = _work_out(_secret(table), salt, name, n)
    from tabletop.chance.commitment import seal

    payload = {"name": name, "hash": seal(value, nonce), "range": n, "salt": salt}
    return table.records.write(kinds.COMMITTED, _in_round(table, payload))


def look(table, name: str) -> int:
    """The value, for the table's own use. KeyError when nothing is hidden under that name."""
    return _read(table, name)[1]


def disclose(table, name: str) -> int:
    """The value, when it is used: the journal shows value and nonce, and anybody can check the hash."""
    number, value, nonce = _read(table, name)
    table.records.write(
        kinds.OPENED, _in_round(table, {"name": name, "value": value, "nonce": nonce, "of": number})
    )
    return value


def _in_round(table, payload: dict) -> dict:
    """A value that is hidden or opened in a round belongs to the step that does it."""
    if table.play.round is not None:
        payload["round"] = table.play.number
    return payload


def _find(table, name: str) -> "tuple | None":
    for number, kind, payload in table.records.kept_records():
        if kind == kinds.COMMITTED and payload["name"] == name:
            return number, payload
    return None


def _read(table, name: str) -> "tuple[int, int, bytes]":
    found = _find(table, name)
    if found is None:
        raise KeyError(name)
    number, payload = found
    table.rng.draws()  # from now on the table holds the code of its generator, which works values out
    from tabletop.chance.commitment import opens

    value, nonce = _work_out(_secret(table), payload["salt"], name, payload["range"])
    if not opens(payload["hash"], value, nonce):
        raise Stop(CONTRADICTS, reason="%s was hidden with another secret than this table has" % name)
    return number, value, nonce


def _work_out(secret: bytes, salt: bytes, name: str, n: int) -> "tuple[int, bytes]":
    from tabletop.chance.drbg import HmacDrbg
    from tabletop.chance.uniform import uniform

    drbg = HmacDrbg(secret, salt, cbor.dumps([name, n]))
    return uniform(drbg.generate, n), drbg.generate(32)


def _secret(table) -> bytes:
    """The secret of this table, made when there is none: 32 bytes of the generator and their CRC-32."""
    vault = table.hal.vault
    page = bytearray(vault.page)
    vault.read(0, page)
    secret = bytes(page[:_STRENGTH])
    if crc32(secret) == int.from_bytes(page[_STRENGTH : _STRENGTH + 4], "big"):
        return secret
    for _number, kind, _payload in table.records.kept_records():
        if kind == kinds.COMMITTED:
            raise Stop(CONTRADICTS, reason="the secret of the hidden values is gone")
    if page != b"\xff" * vault.page:  # a power cut tore it before anything was hidden with it
        vault.erase(0)
    secret = table.rng.draws().bytes(_STRENGTH)
    page[:] = b"\xff" * vault.page
    page[:_STRENGTH] = secret
    page[_STRENGTH : _STRENGTH + 4] = crc32(secret).to_bytes(4, "big")
    vault.program(0, page)
    return secret
