"""The bench at a virtual table: a healthy one passes, each fault is named, and the table is left as it was."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright.bench import running, session, technician
from wheelwright.bench.finding import Found
from wheelwright.bench.tests import BY_NAME, TESTS
from wheelwright.cli import ending
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.reports import files
from wheelwright.reports.run import Check
from wheelwright.supervising import command, read_key
from wheelwright.virtual import BENCH_HEAP, VirtualTable, board_file

from tests.json_shapes import fits
from tests.unit.test_bench_judging import told

pytestmark = pytest.mark.virtual

KEY = read_key(board_file("VIRTUAL"))
# fault, value, the test that finds it, its name there, what is needed to mend it
FAULTS = (
    ("a_dead", 1, "encoder_lines", "line A is dead"),
    ("b_dead", 1, "encoder_lines", "line B is dead"),
    ("freeze", 1, "encoder_lines", "the encoder gives nothing"),
    ("b_loose", 150, "encoder_lines", "line B fails now and then: a loose crimp"),
    ("swapped", 1, "encoder_lines", "A and B are swapped"),
    ("counts", 2000, "counts_a_turn", "another number of counts a turn"),
    ("index_dead", 1, "index", "the index line is dead"),
    ("index_noise", 60, "index", "the index line has noise"),
    ("index_width", 5, "index", "the index is not as wide as the table expects"),
    ("clapper_dead", 1, "clapper", "the clapper's switch never closes"),
    ("clapper_stuck", 1, "clapper", "the clapper's switch never opens"),
    ("clapper_worn", 100, "clapper", "the clapper misses pegs now and then"),
    ("slips", 200, "clapper", "the coupling slips"),
    ("friction", 300, "coast_down", "the bearing is tired"),
    ("button_stuck", 2, "inputs", "a contact is closed all the time"),
    ("button_dead", 1, "inputs", "a contact does not close"),
    ("led_dead", 1, "leds", "a LED stays dark"),
    ("digits_dead", 2, "digits", "a display stays dark"),
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path_factory.mktemp("table"), pace=30, heap=BENCH_HEAP) as table:
        yield table


def bench_at(table: VirtualTable, **words: Any) -> session.Bench:
    return session.Bench(Client.open(table.address), technician.Virtual(lambda: table.hand, table.restart), **words)


@pytest.mark.parametrize(("fault", "value", "test", "words"), FAULTS, ids=[row[0] for row in FAULTS])
def test_an_injected_fault_is_found_and_named(
    table: VirtualTable, fault: str, value: int, test: str, words: str
) -> None:
    table.hand("fault", fault=fault, value=value)
    bench = bench_at(table)
    try:
        run = running.Running(bench, running.Who(), table.address)
        run.run([test])
        found = run.end()
    finally:
        bench.client.close()
        table.hand("fault", fault=fault, value=0)
        table.hand("pass", ms=1500)
    assert found.verdict == "FAIL"
    assert words in found.checks[0].cause
    assert found.checks[0].next_step
    told(Found("FAIL", found.checks[0].measured, found.checks[0].low, found.checks[0].high))


@pytest.mark.parametrize(("fault", "test"), [("digits_dead", "leds"), ("led_dead", "digits")])
def test_a_dead_display_is_no_dark_led_and_a_dark_led_no_dead_display(
    table: VirtualTable, fault: str, test: str
) -> None:
    table.hand("fault", fault=fault, value=2)
    bench = bench_at(table)
    try:
        assert BY_NAME[test].run(bench).verdict == "PASS"
        bench.end()
    finally:
        bench.client.close()
        table.hand("fault", fault=fault, value=0)


def test_a_run_whose_reports_cannot_be_written_is_kept_and_gone_on_with(
    table: VirtualTable, tool: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise WheelwrightError(8010, path=tmp_path, reason="No space left on device")

    words = ("bench", "link", "--port", table.address, "--report", tmp_path, "--key", tmp_path / "key.pem")
    with monkeypatch.context() as patched:
        patched.setattr(files, "write", full)
        status, out, err = tool(*words)
    assert status == 6
    assert "PASS: table" in out
    assert "E-8010" in err and "unfinished.json" in err and "--resume" in err
    status, out, err = tool(*words, "--resume")
    assert (status, "Nothing to go on with" in err, out.count("report: ")) == (0, False, 4)
    assert not list(tmp_path.glob("*unfinished*"))
    assert "Nothing to go on with" in tool(*words, "--resume")[2]


def test_a_hand_on_the_wheel_is_named_and_is_no_verdict_on_the_bearing(table: VirtualTable) -> None:
    class Rough(technician.Virtual):
        def spin(self, direction: int) -> bool:
            done = super().spin(direction)
            table.hand("stop", ms=300, after_ms=2500)
            return done

    bench = session.Bench(Client.open(table.address), Rough(lambda: table.hand))
    try:
        run = running.Running(bench, running.Who(), table.address)
        run.run(["coast_down"])
        check = run.end().checks[0]
    finally:
        bench.client.close()
    assert check.verdict == "INVALID"
    assert "a hand or an object stopped the wheel" in check.cause


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["wheelwright", *map(str, words)])
        status = ending.outcome()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def test_a_healthy_table_passes_every_test_with_a_report_in_every_form(
    tool: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """Under three minutes is asked for; it takes about ten seconds."""
    status, out, _ = tool(
        "bench", "--virtual", "--json", "--report", tmp_path, "--technician", "ann", "--licence", "L-77",
        "--asset", "A-12", "--table", "pit 3", "--reason", "monthly", "--key", tmp_path / "key.pem",
    )  # fmt: skip
    assert status == 0, out
    shown = json.loads(out)
    fits("bench", shown)
    assert shown["verdict"] == "PASS"
    assert [check["name"] for check in shown["checks"]] == [test.name for test in TESTS]
    assert {check["name"] for check in shown["checks"] if check["verdict"] == "SKIPPED"} <= {"wager_sensors"}
    assert shown["seconds"] < 60
    assert sorted(Path(path).suffix for path in shown["reports"]) == [".html", ".json", ".pdf", ".xml"]
    run = files.read(next(Path(path) for path in shown["reports"] if path.endswith(".json")))
    assert (run.technician, run.licence, run.asset, run.table) == ("ann", "L-77", "A-12", "pit 3")
    assert run.proved and not run.moved and run.emulated and run.test_mode
    assert {check.name for check in run.checks if check.plot} == {"sections", "coast_down"}
    assert [one.what for one in run.adjustments] == ["time of day (UTC)"]
    assert running.earlier_losses(tmp_path, run.serial, run.ended_s) == (
        next(check.measured for check in run.checks if check.name == "coast_down"),
    )
    assert not list(tmp_path.glob("*unfinished*"))


@pytest.mark.parametrize(("words", "code"), [
    (("bench",), "E-9001"), (("bench", "--virtual", "--port", "socket://127.0.0.1:1"), "E-9001"),
    (("bench", "--virtual", "no_such_test"), "E-9001"), (("bench", "--virtual", "--resume"), "E-9001"),
    (("bench", "--virtual", "--asset", "A" * 61), "E-9000"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused_before_any_table_is_touched(
    tool: Callable[..., tuple[int, str, str]], words: tuple[str, ...], code: str
) -> None:
    status, _, err = tool(*words)
    assert (status, err[:6]) == (2, code)


def go_live(table: VirtualTable) -> None:
    with Client.open(table.address) as client:
        table.hand("key", key="SERVICE", on=True)
        table.hand("pass", ms=100)
        command(client, KEY, "TEST_MODE", on=False)
        table.hand("key", key="SERVICE", on=False)
        table.hand("pass", ms=100)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path / "live", pace=30, live=1, heap=BENCH_HEAP) as table:
        go_live(table)
        yield table


def mode_of(table: VirtualTable) -> tuple[bool, str, int]:
    with Client.open(table.address) as client:
        for _ in range(100):  # a lease ends at a moment of rest
            status = client.call("STATUS")
            if not status["test"]:
                break
            table.hand("pass", ms=50)
        return status["test"], status["phase"], status["meters"]["live"]["wagered_mills"]


def test_a_live_table_is_tested_in_test_mode_and_left_live_with_no_meter_moved(live: VirtualTable) -> None:
    bench = bench_at(live)
    with pytest.raises(WheelwrightError, match="E-7402"):
        bench.enter_test()
    bench.client.close()
    bench = bench_at(live, device_key=KEY)
    run = running.Running(bench, running.Who(), live.address)
    run.run(["refused_spins", "power_cut"])
    found = run.end()
    bench.client.close()
    assert [check.verdict for check in found.checks] == ["PASS", "PASS"], found.checks
    assert found.proved and not found.moved
    assert mode_of(live) == (False, "READY", 0)


class Interrupting(technician.Virtual):
    """Ctrl-C while a round of the bench is open and its wheel turns."""

    def short(self, seed: int) -> bool:
        super().short(seed)
        raise KeyboardInterrupt


def test_a_run_that_is_interrupted_leaves_the_table_as_it_was(live: VirtualTable) -> None:
    bench = session.Bench(Client.open(live.address), Interrupting(lambda: live.hand), device_key=KEY)
    run = running.Running(bench, running.Who(), live.address)
    with pytest.raises(KeyboardInterrupt), running.given_back(bench):
        run.run(["refused_spins"])
    bench.client.close()
    live.hand.rest()
    live.hand("pass", ms=3000)
    assert mode_of(live) == (False, "READY", 0)


class Unplugging(technician.Virtual):
    """The table's power goes in the middle of a spin, and comes back."""

    def __init__(self, table: VirtualTable) -> None:
        super().__init__(lambda: table.hand)
        self._table = table

    def spin(self, direction: int) -> bool:
        super().spin(direction)
        self._table.restart()
        return True


def test_a_table_that_goes_away_in_mid_test_ends_the_run_and_it_can_be_gone_on_with(
    live: VirtualTable, tmp_path: Path
) -> None:
    bench = session.Bench(Client.open(live.address), Unplugging(live), device_key=KEY)
    run = running.Running(bench, running.Who(), live.address, tmp_path)
    with pytest.raises(WheelwrightError) as gone, running.given_back(bench):
        run.run(["link", "program", "encoder_lines", "index"])
    bench.client.close()
    assert 7000 <= gone.value.code < 7100
    assert mode_of(live) == (False, "READY", 0)

    again = bench_at(live, device_key=KEY)
    run = running.Running(again, running.Who(), live.address, tmp_path)
    assert run.resume() == ["link", "program"]
    checks: list[Check] = []
    run.run(["encoder_lines", "index"], checks.append)
    found = run.end()
    again.client.close()
    assert [check.name for check in found.checks] == ["link", "program", "encoder_lines", "index"]
    assert {check.verdict for check in found.checks} == {"PASS"}
    assert found.complete and found.proved
    run.reported()
    assert not list(tmp_path.glob("*unfinished*"))


def test_a_run_of_another_table_is_not_gone_on_with(table: VirtualTable, tmp_path: Path) -> None:
    bench = bench_at(table)
    run = running.Running(bench, running.Who(), table.address, tmp_path)
    run.run(["link"])
    path = running.unfinished(tmp_path, table.serial)
    path.write_text(path.read_text().replace(table.serial, "VT-000002"))
    with pytest.raises(WheelwrightError, match="E-7404"):
        running.Running(bench, running.Who(), table.address, tmp_path).resume()
    bench.end()
    bench.client.close()
