"""What the tests on a real board share. Without `--port` they are skipped with one sentence, in CI too.

`--port` is pytest-embedded's own option; the others are ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.supervising import command, read_key

from tests.hardware import bench as bench_data
from tests.hardware.boards import Chip, ChipPins
from tests.hardware.rig import Invalid, Life, Rig, check_wires

NO_BOARD = "There is no board: name its port, for example: make hardware ARGS='--port /dev/ttyACM0'"
NO_RIG = "There is no rig: name its port with --rig (tests/hardware/bench.json says how it is wired)"
NO_KEY = "The board's key is not known: name its file with --device-key, and turn the service key"
ANSWER_S = 30.0
LOOK_S = 0.2


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardware", "a real board")
    group.addoption("--rig", default="", help="port of the rig, a Pico with plain MicroPython")
    group.addoption("--bench", default=str(bench_data.FILE), help="wiring of the bench")
    group.addoption("--device-key", default="", help="file with the table's device key: tests at its prompt need it")


def wait(until: Callable[[], bool], seconds: float) -> bool:
    """Looks every LOOK_S s, until the condition holds or the time is over; whether it held."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() >= end:
            return False
        time.sleep(LOOK_S)
    return True


def _given(request: pytest.FixtureRequest, option: str, sentence: str) -> str:
    value = request.config.getoption(option)
    if not value:
        pytest.skip(sentence)
    return str(value)


@pytest.fixture(scope="session")
def bench(request: pytest.FixtureRequest) -> dict[str, Any]:
    return bench_data.load(Path(request.config.getoption("--bench")))


@pytest.fixture(scope="session")
def address(request: pytest.FixtureRequest, bench: dict[str, Any]) -> str:
    """Of the bench's own table: these tests write to its journal, so no other one is touched."""
    place = _given(request, "--port", NO_BOARD)
    with Client.open(place, ANSWER_S) as table:
        if table.hello.serial != bench["table_serial"]:
            raise Invalid(f"{place} leads to table {table.hello.serial}, the bench's is {bench['table_serial']}")
    return place


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with Client.open(address, ANSWER_S) as table:
        yield table


@pytest.fixture
def chip(request: pytest.FixtureRequest, address: str) -> Iterator[Chip]:
    """The table at its prompt; afterwards it plays again."""
    key = read_key(Path(_given(request, "--device-key", NO_KEY)))
    with Client.open(address, ANSWER_S) as table:
        command(table, key, "RESTART", reason="CONSOLE")
    found: list[Chip] = []

    def at_prompt() -> bool:
        try:
            found.append(Chip(address))
        except WheelwrightError:
            return False
        return True

    if not wait(at_prompt, ANSWER_S):
        raise Invalid("the table did not give its prompt")
    yield found[0]
    found[0].reset()
    found[0].close()


@pytest.fixture
def rig(request: pytest.FixtureRequest, address: str, bench: dict[str, Any]) -> Iterator[Rig]:
    """The rig with its wires tried; the table plays."""
    other = Chip(_given(request, "--rig", NO_RIG))
    pins = ChipPins(other)
    pins.drive(bench["power"]["rig"], bench["power"]["on"])
    table: Chip = request.getfixturevalue("chip")
    check_wires(bench_data.wires(bench), pins, ChipPins(table))
    table.reset()

    def life() -> Life | None:
        try:
            with Client.open(address, 1.0) as found:
                return Life(found.hello.boot, found.hello.reset)
        except WheelwrightError:
            return None

    if not wait(lambda: life() is not None, ANSWER_S):
        raise Invalid("the table did not start after its wires were tried")
    yield Rig(bench, pins, life, wait)
    other.close()
