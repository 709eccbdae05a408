"""Signs exports and configurations with an Ed25519 key, and checks signatures; each is a file beside what it signs."""

import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from wheelwright import json_text, whole
from wheelwright.errors import WheelwrightError

Statement = dict[str, Any]
CHUNK = 1 << 20


class Wrong(Exception):
    """A signature that does not fit, with the reason."""


def signature_of(path: Path) -> Path:
    """The file that holds the signature of an export."""
    return path.parent / (path.name + ".sig")


def key(path: Path) -> Ed25519PrivateKey:
    """The host's key, made on first use and readable by its owner alone. E-8013."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            made = Ed25519PrivateKey.generate()
            pem = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            whole.write(path, pem, secret=True, new=True)
            return made
        found = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise WheelwrightError(8013, path=path, reason=error.strerror or str(error)) from error
    except (ValueError, TypeError) as error:
        raise WheelwrightError(8013, path=path, reason="it is no private key in PEM") from error
    if not isinstance(found, Ed25519PrivateKey):
        raise WheelwrightError(8013, path=path, reason="it is no Ed25519 key")
    return found


def sign(path: Path, statement: Statement, private: Ed25519PrivateKey) -> Path:
    """Sign the file at `path` together with what `statement` says of it; returns the signature's path. E-8010."""
    statement = signed({**statement, "file": path.name, "sha256": _digest(path)}, private)
    target = signature_of(path)
    whole.write(target, json.dumps(statement, indent=1) + "\n")
    return target


def check(path: Path, public_key: str | None = None) -> Statement:
    """The signed statement about the file at `path`. E-8106: file, statement or signature were changed, or another
    key than `public_key` (hex, when given) signed it."""

    def wrong(reason: str) -> WheelwrightError:
        return WheelwrightError(8106, path=path, reason=reason)

    try:
        statement = proven(json_text.parse(signature_of(path).read_text(encoding="utf-8")), public_key)
        digest, name = statement["sha256"], statement["file"]
    except Wrong as reason:
        raise wrong(str(reason)) from None
    except FileNotFoundError:
        raise wrong(f"there is no signature {signature_of(path).name}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise wrong("its signature file cannot be read") from None
    if digest != _digest(path):
        raise wrong("its content was changed after it was signed")
    if name != path.name:
        raise wrong(f"it was signed as {name}")
    return statement


def signed(statement: Statement, private: Ed25519PrivateKey) -> Statement:
    """The statement with the public key and the signature over both."""
    public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    said = {**statement, "public_key": public.hex()}
    return {**said, "signature": private.sign(_canonical(said)).hex()}


def proven(whole: Statement, public_key: str | None = None) -> Statement:
    """What `signed` was given, and the public key. Wrong: it was changed, or another key than `public_key` signed it.

    KeyError, ValueError, TypeError, AttributeError: it is no such statement.
    """
    statement = dict(whole)
    signature = bytes.fromhex(statement.pop("signature"))
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(statement["public_key"]))
    try:
        public.verify(signature, _canonical(statement))
    except InvalidSignature:
        raise Wrong("the signature does not fit what it signs") from None
    if public_key is not None and statement["public_key"] != public_key.lower():
        raise Wrong(f"key {statement['public_key'][:16]} signed it, not {public_key[:16]}")
    return statement


def _canonical(statement: Statement) -> bytes:
    return json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()


def _digest(path: Path) -> str:
    sha = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                sha.update(chunk)
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or str(error)) from error
    return sha.hexdigest()
