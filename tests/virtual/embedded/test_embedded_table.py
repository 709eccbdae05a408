"""A table as the hardware-in-the-loop harness sees it: asked for its state, never waited for by a boot banner."""

from __future__ import annotations

import queue
import secrets
from collections.abc import Callable
from typing import Any

import cbor2
import pytest
from tabletop.journal import kinds, record
from tabletop.link import schema
from wheelwright.errors import Refused
from wheelwright.link import Client
from wheelwright.virtual import VirtualTable

pytestmark = pytest.mark.virtual


def test_case_57_state_is_learned_by_asking(client: Client) -> None:
    assert client.hello.schema == schema.schema_hash()
    assert client.hello.boot >= 1
    assert client.hello.reset
    assert client.call("STATUS")["phase"] in ("TEST", "READY", "SETTLED", "TILT", "SERVICE")


def test_case_56_an_answer_carries_the_token_of_this_run(client: Client) -> None:
    token = secrets.token_bytes(8)
    assert client.call("PING", echo=token)["echo"] == token


def test_the_self_test_passes_and_names_its_parts(client: Client) -> None:
    found = client.call("SELF_TEST")
    assert found["passed"], found["results"]
    assert {"journal", "rules", "codec"} <= set(found["results"])


def test_the_program_on_the_table_is_the_one_that_HELLO_names(client: Client) -> None:
    assert client.call("VERIFY", algorithm="sha256")["digest"] == client.hello.program


def test_a_round_is_played_to_the_section_where_the_wheel_rests(
    client: Client, virtual_table: VirtualTable | None, until: Callable[[str], dict[str, Any]]
) -> None:
    if virtual_table is None:
        pytest.skip("only a virtual wheel can be spun by a program")
    settlements: queue.Queue[bytes] = queue.Queue()

    def on_record(_number: int, raw: bytes) -> None:
        if record.decode(raw).kind == kinds.SETTLED:
            settlements.put(raw)

    client.subscribe(client.call("STATUS")["last"] + 1, on_record)
    client.call("OPEN_BETS")
    client.call("WAGER", bets=[[2, "10", 5000]])
    with pytest.raises(Refused, match="E-3001"):
        client.call("WAGER", bets=[[2, "3", 5000]])
    client.call("NO_MORE_BETS")
    end = virtual_table.hand.spin("symbol 10", 5)
    status = until("RESULT")
    assert status["result"]["section"] == end.section
    client.call("SETTLE")
    settled = cbor2.loads(bytes(record.decode(settlements.get(timeout=30)).payload))
    assert settled["pays"] == [[2, "10", 5000, 10, 50000, False]]
