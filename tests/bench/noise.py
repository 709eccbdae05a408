"""10 MB of noise on the link of a virtual table, then one good frame: how long until its answer is there."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator

import cbor2
from tabletop.link import schema
from wheelwright.framing import Frame, Framer, encode
from wheelwright.ports import Port, open_port
from wheelwright.virtual import VirtualTable

from tests.bench.figures import Figure, timed

BYTES = 10 << 20
LIMIT_MS = 100.0  # issue of the link: the next good frame is answered within
_HELLO = {"protocol": schema.PROTOCOL, "schema": schema.schema_hash(), "version": "bench"}
_GOOD = b"\0" + encode(Frame(schema.HELLO, 77, 0, cbor2.dumps(_HELLO, canonical=True)))


def _noise() -> dict[str, bytes]:
    dice = random.Random(5)
    wrong = b"".join(encode(Frame(dice.randrange(128), 77, 1, b"\xa0" + dice.randbytes(4)))[:-3] + b"\x11\x11\0"
                     for _ in range(3000))  # fmt: skip
    return {
        "random": dice.randbytes(65536), "AT commands": b"AT+GCAP\r" * 8192, "zeros": bytes(65536),
        "small frames with a wrong CRC": wrong, "the same, all zeros": (b"\x02\x10" + b"\x01" * 16 + b"\0") * 3400,
    }  # fmt: skip


def _answered(port: Port) -> None:
    """Sends a HELLO and waits for what answers it."""
    port.write(_GOOD)
    framer = Framer()
    while not framer.feed(port.read(10.0)):
        pass


def figures() -> Iterator[Figure]:
    """Of a pty and a socket, each opened as the tool opens it."""
    for place in ("pty", "socket"):
        for kind, block in _noise().items():
            with (
                VirtualTable(pty=place == "pty", pace=0) as table,
                contextlib.closing(open_port(table.address)) as port,
            ):
                _answered(port)
                start = time.perf_counter()
                for _ in range(BYTES // len(block)):
                    port.write(block)
                sent = time.perf_counter()
                seconds, _ = timed(lambda: _answered(port))
                taken = BYTES / (sent + seconds - start) / 1e6
                yield Figure(f"{place}: {kind}, the next frame", seconds * 1000, "ms", "limit", LIMIT_MS, True)
                yield Figure(f"{place}: {kind}, taken in", taken, "MB/s", "a line of 115200 baud", 0.01152)
