"""pytest-embedded at a table: a virtual one behind a pseudo terminal, or the one at `--port`.

The harness opens the port and owns it. Its reading thread is for text, so it is put to rest and our own client
drives the port (`pytest_embedded_serial` 2.9: `disable_redirect_thread`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright.link import Client
from wheelwright.ports import Port
from wheelwright.virtual import VirtualTable

from tests.conftest import need_micropython

PATIENCE_S = 30.0


class LentPort(Port):
    """The harness's port: it is the harness that closes it."""

    def close(self) -> None:
        """Leaves it open."""


@pytest.fixture
def virtual_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VirtualTable | None]:
    """The virtual table under test; None when a real one is named by `--port`."""
    if request.config.getoption("port"):
        yield None
        return
    need_micropython()
    with VirtualTable(tmp_path, pty=True, pace=0) as table:
        yield table


@pytest.fixture
def embedded_services() -> str:
    """What the harness brings up for the device under test."""
    return "serial"


@pytest.fixture
def port(request: pytest.FixtureRequest, virtual_table: VirtualTable | None) -> str:
    """The port of the device under test."""
    return virtual_table.address if virtual_table else str(request.config.getoption("port"))


@pytest.fixture
def client(dut: Any) -> Iterator[Client]:
    """Our client on the harness's port."""
    with dut.serial.disable_redirect_thread():
        device = dut.serial.proc
        with Client.open(device.port, opener=lambda address, _baud: LentPort(device, address)) as client:
            yield client


@pytest.fixture
def until(client: Client) -> Callable[[str], dict[str, Any]]:
    """Waits until the table is in a phase; its status then."""

    def wait(phase: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_S
        while (status := client.call("STATUS"))["phase"] != phase:
            assert time.monotonic() < end, status
        return status

    return wait
