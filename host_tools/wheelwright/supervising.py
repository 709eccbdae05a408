"""Privileged commands: signed with the key of the table, and taken only while its service key switch is turned."""

import hmac
import unicodedata
from binascii import crc32
from pathlib import Path
from typing import Any

from tabletop import cbor
from tabletop.link import schema
from tabletop.person import person

from wheelwright import json_text
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client

KEY_BYTES = 32
CODE_BYTES = 4
NO_TILT = 0
NOT_AUTHORISED = 1008


def read_key(path: Path) -> bytes:
    """The device key of a table: 64 hex digits in a file, or `device_key` of a virtual board's file. E-9012."""
    try:
        text = path.read_text(encoding="utf-8").strip()
        key = bytes.fromhex(json_text.parse(text)["device_key"] if text.startswith("{") else text)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WheelwrightError(9012, path=path, reason=f"no key: {error}") from None
    if len(key) != KEY_BYTES:
        raise WheelwrightError(9012, path=path, reason=f"a key has {KEY_BYTES} bytes, this one has {len(key)}")
    return key


def command(client: Client, key: bytes, name: str, **args: Any) -> dict[str, Any]:
    """Take a challenge, sign the command with the device key, and give it."""
    nonce = client.call("CHALLENGE")["nonce"]
    return client.call(name, **signed(key, nonce, name, **args))


def prove(client: Client, key: bytes, path: Path) -> None:
    """See whether a key is that of this table, with a command that changes nothing: to clear a tilt that there is not.
    The table looks at the key first of all. E-7405: it is another table's."""
    try:
        command(client, key, "CLEAR_TILT", tilt=NO_TILT, operator="-")
    except Refused as error:
        if error.code == NOT_AUTHORISED:
            raise WheelwrightError(7405, path=path, serial=client.hello.serial) from None


def signed(key: bytes, nonce: bytes, name: str, **args: Any) -> dict[str, Any]:
    """The arguments of a command with the `mac` of the device key over them and a nonce."""
    return {**args, "mac": hmac.digest(key, schema.to_sign(nonce, schema.number_of(name), args), "sha256")}


def floor_code(key: bytes, operator: str) -> str:
    """The code by which a table with this key knows a person who validates in live play; it needs no list of people."""
    return str(signed(key, b"", "GIVE", operator=person(operator))["mac"][:CODE_BYTES].hex())


def configure(
    client: Client, key: bytes, settings: dict[str, Any], operator: str, approval: dict[str, bytes] | None = None
) -> int:
    """Give the table other settings, all of them at once; returns the number of the record.

    `approval` is `signer` (the public key) and `hash` (SHA-256 of the file) of a signed configuration.
    """
    reply = command(
        client, key, "CONFIGURE", settings=settings, sum=crc32(cbor.dumps(settings)), operator=operator,
        **(approval or {}),
    )  # fmt: skip
    return int(reply["record"])


def correct(client: Client, key: bytes, record: int, text: str, reason: str, operator: str, second: str = "") -> int:
    """Write a correction of a record, which stays as it is; returns the number of the new record."""
    if _person(operator) == _person(second):
        advice = "a further correction needs a second person, not the operator"
        raise WheelwrightError(9001, option="--second", value=repr(second), advice=advice)
    args: dict[str, Any] = {"record": record, "text": text, "reason": reason, "operator": operator}
    if second:
        args["second"] = second
    return int(command(client, key, "CORRECT", **args)["record"])


def check_two(operator: str, second: str) -> None:
    """E-9001 unless these are two persons."""
    for option, name in (("--operator", operator), ("--second", second)):
        if not _person(name):
            raise WheelwrightError(9001, option=option, value=repr(name), advice="name a person")
    if _person(operator) == _person(second):
        raise WheelwrightError(9001, option="--second", value=repr(second), advice="name somebody else")


def _person(name: str) -> str:
    """Who a name means, however it is typed and whatever signs in it nobody sees; "" for nobody."""
    signs = unicodedata.normalize("NFKC", name)
    return "".join(sign for sign in signs if sign.isprintable() and not sign.isspace()).casefold()
