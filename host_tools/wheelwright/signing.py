"""Commands that only the holder of a table's device key may give (docs/protocol.md, "Privileged commands")."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tabletop.digest import hmac_sha256
from tabletop.link import schema

from wheelwright.errors import WheelwrightError
from wheelwright.link import Client

KEY_BYTES = 32


def read_key(path: Path) -> bytes:
    """The device key that a file holds as 64 hexadecimal digits. E-9012."""
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it holds no hexadecimal digits"
        raise WheelwrightError(9012, path=path, reason=reason) from None
    if len(key) != KEY_BYTES:
        raise WheelwrightError(9012, path=path, reason=f"a device key has {2 * KEY_BYTES} digits, not {2 * len(key)}")
    return key


def call_signed(table: Client, key: bytes, name: str, **args: Any) -> dict[str, Any]:
    """Has a privileged command done; Refused with 1008 (another key) or 1009 (the service key is not turned)."""
    nonce = table.call("CHALLENGE")["nonce"]
    mac = hmac_sha256(key, schema.to_sign(nonce, schema.number_of(name), args))
    return table.call(name, **args, mac=mac)
