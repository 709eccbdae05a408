"""Hidden values: chosen now, published as a hash, used later, and never to be read outside of this table before.

A value lies nowhere. It is worked out anew whenever it is needed, by an HMAC_DRBG (SP 800-90A) whose entropy is a
secret that only this table has, and whose nonce is the fresh salt of the COMMITTED record. So it outlives a power cut,
and neither the journal nor the device key tells it. The secret lies in the vault, a sector that no command reads; it is
overwritten before anybody gets the prompt, who could, and then everything that is hidden is chosen anew.
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
    payload = _chosen(table, _secret(table), name, n, 0)
    return table.records.write(kinds.COMMITTED, _in_round(table, payload))


def start(table) -> None:
    """Chooses anew what is hidden, when the secret was overwritten: each value of those that its meter has not passed.

    The secret comes last: cut off before, this begins again. Where it is gone or torn otherwise nothing is done.
    """
    vault = table.hal.vault
    page = bytearray(vault.page)
    vault.read(0, page)
    held = [record for record in table.records.kept_records() if record[1] == kinds.COMMITTED]
    if _whole(page) or any(page) and [record for record in held if "void" not in record[2]]:
        return
    secret = table.rng.draws().bytes(_STRENGTH)
    for number, kind, before in held:
        n = before["range"]
        payload = _chosen(table, secret, before["name"], n, min(_passed(table, before["name"]), n - 1))
        payload["void"] = True
        payload["of"] = number
        table.records.write(kind, payload)
    vault.erase(0)
    _keep(vault, secret)


def _passed(table, name: str) -> int:
    """How many of the values of `name`, from 0 on, its meter has passed already."""
    standing = [payload for _number, kind, payload in table.records.kept_records() if kind == kinds.METER]
    round_ = table.play.round
    if round_ is not None and "meter" in round_.state:
        standing.append({"test": round_.test, "meter": round_.state["meter"]})
    passed = 0
    for payload in standing:
        on = payload["meter"]
        if ("test " if payload["test"] else "") + on.get("hidden", "") == name:
            passed = on["current"] - on["parameters"]["reseed"] + (1 if on["rest"] else 0)
    return passed


def _chosen(table, secret: bytes, name: str, n: int, least: int) -> dict:
    salt = table.rng.draws().bytes(_STRENGTH)
    value, nonce = _work_out(secret, salt, name, n, least)
    from tabletop.chance.commitment import seal

    payload = {"name": name, "hash": seal(value, nonce), "range": n, "salt": salt}
    if least:
        payload["least"] = least
    return payload


def look(table, name: str) -> int:
    """The value, for the table's own use. Stop when nothing is hidden under that name."""
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
        raise Stop(CONTRADICTS, reason="no value is hidden under the name %s" % name)
    number, payload = found
    table.rng.draws()  # from now on the table holds the code of its generator, which works values out
    from tabletop.chance.commitment import opens

    value, nonce = _work_out(_secret(table), payload["salt"], name, payload["range"], payload.get("least", 0))
    if not opens(payload["hash"], value, nonce):
        raise Stop(CONTRADICTS, reason="%s was hidden with another secret than this table has" % name)
    return number, value, nonce


def _work_out(secret: bytes, salt: bytes, name: str, n: int, least: int) -> "tuple[int, bytes]":
    from tabletop.chance.drbg import HmacDrbg
    from tabletop.chance.uniform import uniform

    drbg = HmacDrbg(secret, salt, cbor.dumps([name, n]))
    return least + uniform(drbg.generate, n - least), drbg.generate(32)


def _secret(table) -> bytes:
    """The secret of this table, made when there is none: 32 bytes of the generator and their CRC-32."""
    vault = table.hal.vault
    page = bytearray(vault.page)
    vault.read(0, page)
    if _whole(page):
        return bytes(page[:_STRENGTH])
    for _number, kind, _payload in table.records.kept_records():
        if kind == kinds.COMMITTED:
            raise Stop(CONTRADICTS, reason="the secret of the hidden values is gone")
    if page != b"\xff" * vault.page:  # a power cut tore it before anything was hidden with it
        vault.erase(0)
    secret = table.rng.draws().bytes(_STRENGTH)
    _keep(vault, secret)
    return secret


def _whole(page: bytearray) -> bool:
    return crc32(page[:_STRENGTH]) == int.from_bytes(page[_STRENGTH : _STRENGTH + 4], "big")


def _keep(vault, secret: bytes) -> None:
    page = bytearray(b"\xff" * vault.page)
    page[:_STRENGTH] = secret
    page[_STRENGTH : _STRENGTH + 4] = crc32(secret).to_bytes(4, "big")
    vault.program(0, page)
