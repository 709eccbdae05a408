"""The plug pulled, the table restarted, a second tool: at any step of bench, calibration and diagnosis.

Every command that a test gives is a step. `LONG=N` tries N steps of each, in both ways, instead of one in one.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright import calibrating, calibrating_lamps, supervising
from wheelwright.bench import running, session, technician
from wheelwright.bench.tests import TESTS
from wheelwright.diagnosis import evidence
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.virtual import BENCH_HEAP, VirtualTable, board_file

from tests.virtual.test_virtual_bench import go_live

pytestmark = pytest.mark.virtual
WAYS = ("unplugged", "restarted")
KEY = supervising.read_key(board_file("VIRTUAL"))
TRIES = int(os.environ.get("LONG", "1"))
# Every test with one way, and with both when there is time.
EACH = [(test.name, way) for n, test in enumerate(TESTS) for way in (WAYS if TRIES > 1 else WAYS[n % 2 : n % 2 + 1])]
STEPS = {"link": 19, "encoder_lines": 60, "leds": 10, "digits": 15, "inputs": 20, "power_cut": 8, "refused_spins": 12}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path_factory.mktemp("live"), pace=30, live=1, heap=BENCH_HEAP) as table:
        go_live(table)
        yield table


class Cut(session.Bench):
    """A bench that does `what` to its table as it gives the command number `left`."""

    left = -1

    def after(self, left: int, what: Callable[[], object]) -> None:
        self.left, self._what = left, what

    def call(self, name: str, **args: Any) -> dict[str, Any]:
        self.left -= 1
        if self.left == 0:
            self._what()
        return super().call(name, **args)


def bench_at(table: VirtualTable) -> Cut:
    return Cut(Client.open(table.address), technician.Virtual(lambda: table.hand, table.restart), device_key=KEY)


def ways(table: VirtualTable, bench: Cut) -> dict[str, Callable[[], object]]:
    """How a table goes: its plug is pulled, or it starts anew."""
    return {"unplugged": lambda: bench.client._port.close(), "restarted": table.reset}


def as_it_was(table: VirtualTable, lamps_s: float = 0.0) -> None:
    """Live, no round open, no tilt; within `lamps_s`, if any, the lamps are its own again (a lease of 5 s)."""
    table.hand("key", key="SERVICE", on=False)
    table.hand.rest()
    table.hand("pass", ms=3000)
    with Client.open(table.address) as client:
        for _ in range(100):
            status = client.call("STATUS")
            if not status["test"] and status["phase"] == "READY":
                break
            table.hand("pass", ms=50)
        assert (status["test"], status["phase"], status["tilts"]) == (False, "READY", [])
        assert status["meters"]["live"]["wagered_mills"] == 0
        end = time.monotonic() + lamps_s
        while table.hand("lights")["tower"] != client.call("DISPLAY")["tower"] and time.monotonic() < end:
            time.sleep(0.1)
        assert not lamps_s or table.hand("lights")["tower"] == client.call("DISPLAY")["tower"]


def steps(name: str) -> list[int]:
    draw = random.Random(name)
    return [draw.randint(1, STEPS.get(name, 4)) for _ in range(TRIES)]


@pytest.mark.parametrize(("name", "way"), EACH)
def test_a_table_that_goes_at_any_step_of_any_test_is_as_it_was_and_the_run_goes_on(
    table: VirtualTable, tmp_path: Path, name: str, way: str
) -> None:
    for step in steps(f"{name} {way}"):
        bench = bench_at(table)
        run = running.Running(bench, running.Who(), table.address, tmp_path)
        bench.after(step, ways(table, bench)[way])
        gone = None
        try:
            with running.given_back(bench):
                run.run([name])
                run.end()
        except WheelwrightError as error:
            gone = error
        assert gone is None or (7000 <= gone.code < 7100 and "\n" not in str(gone)), gone
        assert [check.verdict for check in run.checks] in (["INVALID"], ["PASS"], ["SKIPPED"]), run.checks
        bench.client.close()
        as_it_was(table, 20.0 if name == "leds" else 0.0)
    again = bench_at(table)
    left = running.Running(again, running.Who(), table.address, tmp_path)
    assert set(left.resume()) <= {name}, "what was not done is done again"
    again.client.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_goes_while_it_is_calibrated_has_the_one_calibration_or_the_other(
    table: VirtualTable, way: str
) -> None:
    bench = bench_at(table)
    before = calibrating.current(bench)[0]
    bench.client.close()
    wanted = {"version": 2, "serial": table.serial, "index_at": 7}
    for step in (3, *steps(way)):
        bench = bench_at(table)
        bench.after(step, ways(table, bench)[way])
        with pytest.raises(WheelwrightError) as gone:  # noqa: PT012
            table.hand("key", key="SERVICE", on=True)
            bench.await_phase("SERVICE")
            calibrating.write(bench, KEY, wanted, "ann")
            calibrating_lamps.propose(bench, wanted)
        assert 7000 <= gone.value.code < 7100, gone.value
        bench.client.close()
        as_it_was(table)
        bench = bench_at(table)
        assert calibrating.current(bench)[0] in (before, wanted)
        bench.client.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_goes_while_its_wheel_is_measured_or_looked_at_is_left_as_it_was(
    table: VirtualTable, way: str
) -> None:
    for work in (lambda at: calibrating.propose(at), lambda at: evidence.of_table(at, set(), spin=True)):
        bench = bench_at(table)
        bench.after(40, ways(table, bench)[way])
        with pytest.raises(WheelwrightError) as gone:
            work(bench)
        assert 7000 <= gone.value.code < 7100, gone.value
        bench.client.close()
        as_it_was(table)


def test_case_53_a_second_tool_on_the_port_is_told_so_and_the_bench_goes_on(table: VirtualTable) -> None:
    bench = bench_at(table)
    run = running.Running(bench, running.Who(), table.address)

    def second() -> None:
        with pytest.raises(WheelwrightError, match="E-7002"):
            Client.open(table.address)

    bench.after(5, second)
    run.run(["link", "rng"])
    found = run.end()
    bench.client.close()
    assert [check.verdict for check in found.checks] == ["PASS", "PASS"]
    assert bench.left < 0, "the second tool came in the middle"
    as_it_was(table)
