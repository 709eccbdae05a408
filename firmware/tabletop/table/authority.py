"""Who may give a privileged command: whoever signs a fresh challenge with the device key, at a table in service."""

from tabletop.digest import equal, hmac_sha256
from tabletop.link import schema
from tabletop.link.endpoint import Refused

NONCE = 16


class Authority:
    """Gives out one challenge at a time and takes it back with the next signed command, right or wrong."""

    def __init__(self, hal) -> None:
        self._hal = hal
        self._nonce = b""

    def challenge(self) -> bytes:
        """A fresh nonce; the one before is void."""
        self._nonce = bytes(self._hal.entropy(NONCE))
        return self._nonce

    def demand(self, command: str, args: dict, service_key: bool) -> None:
        """Refused unless `args["mac"]` signs the command (see `schema.to_sign`) and the service key is turned."""
        nonce, self._nonce = self._nonce, b""
        signed = schema.to_sign(nonce, schema.number_of(command), args)
        if not nonce or not equal(hmac_sha256(self._hal.key, signed), args.get("mac", b"")):
            raise Refused(1008)
        if not service_key:
            raise Refused(1009)
