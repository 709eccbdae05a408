"""The link of a whole virtual table under hosts that shout, that do not listen, or that lose half of what is said."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import cbor2
import pytest
from tabletop.journal import kinds, record
from tabletop.link import schema
from wheelwright.framing import Frame, Framer, encode
from wheelwright.link import Client
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython

pytestmark = pytest.mark.virtual
TOKEN = 77
DEADLINE_S = 20


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    need_micropython()
    with VirtualTable(tmp_path, pace=0) as table:
        yield table


class Line:
    """A bare host on a socket."""

    def __init__(self, table: VirtualTable) -> None:
        host, _, port = table.address.removeprefix("socket://").partition(":")
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE_S)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # like a serial port, not like TCP
        self.socket.connect((host, int(port)))
        self.framer = Framer()
        self.frames: list[Frame] = []

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, name: str, sequence: int, **payload: object) -> None:
        data = cbor2.dumps(payload, canonical=True)
        self.socket.sendall(b"\x00" + encode(Frame(schema.number_of(name), TOKEN, sequence, data)))

    def hello(self) -> None:
        self.send("HELLO", 0, protocol=schema.PROTOCOL, schema=schema.schema_hash(), version="0")

    def wait(self, kind: int, sequence: int = 0) -> Frame:
        """The next such frame that has not been waited for."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            for at, frame in enumerate(self.frames):
                if (frame.kind, frame.sequence) == (kind, sequence):
                    del self.frames[:at + 1]
                    return frame
            self.frames += self.framer.feed(self.socket.recv(65536))
        raise AssertionError(f"no {schema.name_of(kind)}")


NOISE = {
    "random": random.Random(5).randbytes(65536), "held low": bytes(65536), "modem text": b"AT+GCAP\r" * 8192,
    "tiny pieces": b"\x01\x00" * 32768, "small pieces": b"\x02\x55\x00" * 21846,
    "wrong check sums": (b"\x05\x11\x22\x33\x44" + b"\x0b" + b"\x55" * 10 + b"\x00") * 3856,
}  # fmt: skip


@pytest.mark.parametrize("kind", NOISE)
def test_case_11_after_ten_megabytes_of_noise_the_next_frame_is_answered(table: VirtualTable, kind: str) -> None:
    with Line(table) as line:
        for _ in range(160):
            line.socket.sendall(NOISE[kind])
        line.hello()
        line.wait(schema.HELLO | schema.REPLY)
        line.send("STATISTICS", 1)
        link = cbor2.loads(line.wait(schema.STATISTICS | schema.REPLY, 1).payload)["link"]
    assert link["rx_frames"] == 2, "nothing in the noise was taken for a frame"
    assert link["rx_bytes"] > 10 << 20


def test_case_16_a_host_that_does_not_read_for_a_minute_loses_live_values_only(table: VirtualTable) -> None:
    with Line(table) as line:
        line.hello()
        line.wait(schema.HELLO | schema.REPLY)
        line.send("TELEMETRY", 1, hz=50)
        line.send("SUBSCRIBE", 2, cursor=1)
        line.send("OPEN_BETS", 3)
        line.send("WAGER", 4, bets=[[1, "10", 5000]])
        line.send("NO_MORE_BETS", 5)
        line.wait(schema.number_of("NO_MORE_BETS") | schema.REPLY, 5)
        end = table.hand.spin("section 9", 3)
        for _ in range(20):
            table.hand("pass", ms=3000)
        line.send("PING", 6)  # the host comes back to life
        line.wait(schema.number_of("PING") | schema.REPLY, 6)
        dropped = cbor2.loads(line.wait(schema.LIVE).payload)["dropped"]
    assert dropped > 500
    spins: list[dict[str, object]] = []
    with Client.open(table.address) as client:
        status = client.call("STATUS")
        assert client.hello.boot == 1, "no watchdog reset"
        numbers: list[int] = []

        def take(number: int, data: bytes) -> None:
            numbers.append(number)
            entry = record.decode(data)
            if entry.kind == kinds.SPIN:
                spins.append(cbor2.loads(entry.payload))

        client.subscribe(1, take)
        deadline = time.monotonic() + DEADLINE_S
        while client.cursor <= status["last"] and time.monotonic() < deadline:
            client.call("PING")
    assert numbers == list(range(1, status["last"] + 1))
    assert [spin["section"] for spin in spins] == [end.section]


def test_a_command_too_large_for_the_memory_is_refused_and_sixty_wagers_fit(table: VirtualTable) -> None:
    sixty = [[1 + at % 7, ("1", "2", "5", "10", "20", "40")[at % 6], 1000] for at in range(60)]
    wager, status = schema.number_of("WAGER"), schema.number_of("STATUS")
    with Line(table) as line:
        line.hello()
        line.wait(schema.HELLO | schema.REPLY)
        line.send("OPEN_BETS", 1)
        for sequence, bets in enumerate(([[]] * 980, sixty, sixty, sixty), 2):
            line.send("WAGER", sequence, bets=bets)
        assert cbor2.loads(line.wait(schema.REFUSED, 2).payload)["code"] == 1004
        assert cbor2.loads(line.wait(wager | schema.REPLY, 5).payload)["count"] == 42
        line.send("STATUS", 6)
        assert cbor2.loads(line.wait(status | schema.REPLY, 6).payload)["tilts"] == []
