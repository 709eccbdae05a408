"""What the tests on a real board share. Without `--port` they are skipped with one sentence, in CI too.

`--port` is pytest-embedded's own option; the others are ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.supervising import command, read_key

from tests.conftest import ROOT
from tests.hardware import bench as bench_data
from tests.hardware.boards import Chip, ChipPins
from tests.hardware.rig import Invalid, Life, Rig, check_wires

NO_BOARD = "There is no board: name its port, for example: make hardware ARGS='--port /dev/ttyACM0'"
NO_RIG = "There is no rig: name its port with --rig (tests/hardware/bench.json says how it is wired)"
NO_KEY = "The board's key is not known: name its file with --device-key, and turn the service key"
NO_IMAGE = "There is no image of this checkout to compare the table with: make image"
ANSWER_S = 30.0
LOOK_S = 0.2


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardware", "a real board")
    group.addoption("--rig", default="", help="port of the rig, a Pico with plain MicroPython")
    group.addoption("--bench", default=str(bench_data.FILE), help="wiring of the bench")
    group.addoption("--answer", type=float, default=ANSWER_S, help="seconds that the table is waited for")
    group.addoption("--device-key", default="", help="file with the table's device key: tests at its prompt need it")


def _answer_s(request: pytest.FixtureRequest) -> float:
    return float(request.config.getoption("--answer"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(Invalid):
        report.invalid = str(call.excinfo.value)  # it stays a failure for the exit code: nothing was proved
    return report


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """A test whose bench did nothing is neither passed nor failed: it is shown as INVALID, and so counted."""
    return ("invalid", "I", "INVALID") if hasattr(report, "invalid") else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = terminalreporter.getreports("invalid")
    if reports:
        terminalreporter.section("invalid: nothing can be said of the table")
        for report in reports:
            terminalreporter.write_line(f"{report.nodeid}: {report.invalid}")


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
    with Client.open(place, _answer_s(request)) as table:
        if table.hello.serial != bench["table_serial"]:
            raise Invalid(f"{place} leads to table {table.hello.serial}, the bench's is {bench['table_serial']}")
    return place


@pytest.fixture
def client(request: pytest.FixtureRequest, address: str) -> Iterator[Client]:
    with Client.open(address, _answer_s(request)) as table:
        yield table


def at_prompt(request: pytest.FixtureRequest, address: str) -> Chip:
    """The table at its prompt, asked for with its key."""
    key = read_key(Path(_given(request, "--device-key", NO_KEY)))
    with Client.open(address, _answer_s(request)) as table:
        command(table, key, "RESTART", reason="CONSOLE")
    found: list[Chip] = []

    def there() -> bool:
        try:
            found.append(Chip(address))
        except WheelwrightError:
            return False
        return True

    if not wait(there, _answer_s(request)):
        raise Invalid("the table did not give its prompt")
    return found[0]


@pytest.fixture(scope="module")
def chip(request: pytest.FixtureRequest, address: str) -> Iterator[Chip]:
    """The table at its prompt; after the last test of a file it plays again."""
    found = at_prompt(request, address)
    yield found
    found.reset()
    found.close()


@pytest.fixture
def image() -> Path:
    """The image that was built here, which the table is to run."""
    path = ROOT / "build" / "WHEEL_PICO" / "wheelwright-WHEEL_PICO.uf2"
    if not path.with_suffix(".json").exists():
        pytest.skip(NO_IMAGE)
    return path


@pytest.fixture
def rig(request: pytest.FixtureRequest, address: str, bench: dict[str, Any]) -> Iterator[Rig]:
    """The rig with its wires tried; the table plays."""
    other = Chip(_given(request, "--rig", NO_RIG))
    pins = ChipPins(other)
    pins.drive(bench["power"]["rig"], bench["power"]["on"])
    table = at_prompt(request, address)
    check_wires(bench_data.wires(bench), pins, ChipPins(table))
    table.reset()
    table.close()

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
