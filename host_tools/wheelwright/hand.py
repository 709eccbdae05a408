"""The hand at a virtual or emulated table: turns its wheel, presses its buttons, turns its keys."""

from __future__ import annotations

import json
import socket
from typing import Any

from wheelwright import aim
from wheelwright.errors import WheelwrightError

REST_S = 120.0  # a spin in real time takes up to half a minute
REPLY_S = 20.0

Order = dict[str, Any]


class Hand:
    """The hand of a virtual table at `HOST:PORT`. One order, one reply; E-7204, E-7205 and E-7211 when it fails."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        try:
            self._socket = socket.create_connection((host, int(port)), REPLY_S)
        except (OSError, ValueError, OverflowError) as error:
            raise WheelwrightError(7211, address=address, reason=str(error)) from None
        self._lines = self._socket.makefile("rb")

    def __call__(self, do: str, timeout: float = REPLY_S, **arguments: object) -> Order:
        """Sends an order (see `tabletop/hal/virtual/hand.py`) and returns the reply."""
        try:
            self._socket.settimeout(timeout)
            self._socket.sendall(json.dumps({"do": do, **arguments}).encode() + b"\n")
            line = self._lines.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise WheelwrightError(7204, order=do)
        reply: Order = json.loads(line)
        if not reply.pop("ok"):
            raise WheelwrightError(7205, order=do, reason=reply["error"])
        return reply

    def rest(self, timeout: float = REST_S) -> Order:
        """Waits until the wheel rests; the state then."""
        return self("rest", timeout)

    def spin(self, words: str, seed: int) -> aim.Forecast:
        """Launches the resting wheel so that it ends as `words` say (see `aim`), and returns how it will end."""
        state = self.rest()
        launch, end = aim.plan(state["at"], state["side"], words, seed)
        self("spin", **launch.order())
        return end

    def close(self) -> None:
        self._lines.close()
        self._socket.close()
