"""Calibration at a virtual table: what was measured comes true, what does not add up is refused, all can be undone."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wheelwright import calibrating, calibrating_lamps, calibration, supervising
from wheelwright.bench import session, technician
from wheelwright.bench.tests import BY_NAME
from wheelwright.cli import ending
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.link import Client
from wheelwright.virtual import BENCH_HEAP, VirtualTable, board_file

from tests.json_shapes import fits

pytestmark = pytest.mark.virtual

KEY = supervising.read_key(board_file("VIRTUAL"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    with VirtualTable(tmp_path / "table", pace=30, heap=BENCH_HEAP) as table:
        yield table


def bench_at(table: VirtualTable) -> session.Bench:
    return session.Bench(Client.open(table.address), technician.Virtual(lambda: table.hand))


def written(bench: session.Bench, calibrated: dict[str, Any]) -> int:
    bench.technician.touch("SERVICE", True)
    bench.await_phase("SERVICE")
    record = calibrating.write(bench, KEY, calibrated, "ann")
    bench.technician.touch("SERVICE", False)
    return record


def shifted(table: VirtualTable) -> None:
    table.hand("fault", fault="slip", value=7300)  # the coupling was fitted anew, 7.3 sections further on
    table.hand("spin", speed_mturns_s=400, direction=1)
    table.hand.rest()
    table.hand("pass", ms=2500)


CASES: tuple[tuple[str, Callable[[VirtualTable], object], dict[str, Any]], ...] = (
    ("index elsewhere", shifted, {"counts_per_turn": 2400, "direction": 1}),
    ("another encoder", lambda table: table.hand("fault", fault="counts", value=2000),
     {"counts_per_turn": 2000, "direction": 1}),
    ("a wider index", lambda table: table.hand("fault", fault="index_width", value=5),
     {"counts_per_turn": 2400, "direction": 1, "index_width_counts": 5}),
    ("lines swapped", lambda table: table.hand("fault", fault="swapped", value=1),
     {"counts_per_turn": 2400, "direction": -1}),
)  # fmt: skip


@pytest.mark.parametrize(("change", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_was_measured_comes_true_survives_a_restart_and_can_be_undone(
    table: VirtualTable, change: Callable[[VirtualTable], object], wanted: dict[str, Any]
) -> None:
    change(table)
    bench = bench_at(table)
    found = calibrating.propose(bench)
    assert {name: found.after[name] for name in wanted} == wanted
    assert found.before == {}
    assert found.differences
    record = written(bench, found.after)
    assert calibrating.came_true(bench) is True
    assert calibrating.propose(bench).differences == []  # measured again, it is the same
    assert calibrating.current(bench) == (found.after, {})
    bench.catch_up()
    assert [one["operator"] for one in bench.payloads(30)] == ["ann"]
    assert record in bench.rows
    bench.client.close()
    table.reset()
    bench = bench_at(table)
    assert calibrating.current(bench) == (found.after, {})
    assert bench.wheel.direction == wanted["direction"]
    written(bench, {})
    assert calibrating.current(bench) == ({}, found.after)
    assert bench.wheel.counts_per_turn == 2400
    bench.client.close()


def test_strips_that_are_wired_otherwise_are_found_out_put_right_and_given_back(table: VirtualTable) -> None:
    table.hand("fault", fault="rim_wired", value=711)  # RGB, backward, LED 1 at the eighth place
    bench = bench_at(table)
    found = calibrating.propose_lamps(bench, True, 50, 3)
    assert found.before == {}
    assert {name: found.after.get(name) for name in ("rim", "inner", "tiles", "leds", "digits")} == {
        "rim": ["RGB", 7, -1], "inner": None, "tiles": None, "leds": 50, "digits": 3}  # fmt: skip
    assert [name for name, _, _ in found.differences] == ["rim", "leds", "digits"]
    written(bench, {**found.after, "leds": 40})
    assert calibrating_lamps.came_true(bench) is True
    assert BY_NAME["leds"].run(bench).verdict == "PASS", "dimmed LEDs are no dead ones"
    written(bench, {**found.after, "leds": 100})
    again = calibrating.propose_lamps(bench, True, None, None)
    assert again.differences == [] and again.after["rim"] == ["RGB", 7, -1], "measured through it, it is the same"
    bench.end()
    shown = bench.call("DISPLAY")["rim"]
    told = table.hand("lights")
    assert (bytes.fromhex(told["rim"]), told["bright"]) == (shown, 3), "a player sees what the scene has drawn"
    wheel = calibrating.propose(bench)  # the wheel next: the lamps stay
    assert wheel.after["rim"] == ["RGB", 7, -1] and wheel.after["counts_per_turn"] == 2400
    assert bench.wheel.counts_per_turn == 2400, "a calibration of lamps alone leaves the wheel as it was"
    written(bench, found.after)
    bench.end()
    told, shown = table.hand("lights"), bench.call("DISPLAY")["rim"]
    assert bytes.fromhex(told["rim"]) == bytes(value // 2 for value in shown), "half as bright"
    written(bench, {})
    assert calibrating_lamps.came_true(bench) is False, "wired otherwise again"
    assert table.hand("lights")["bright"] == 8
    with pytest.raises(Refused, match=r"E-4011 .*rim"):
        written(bench, {**found.after, "rim": ["RGB", 162, 1]})
    assert calibrating.current(bench)[0] == {}
    bench.client.close()


def test_a_table_with_the_memory_of_a_real_one_takes_all_of_it_and_has_it_after_a_restart(tmp_path: Path) -> None:
    with VirtualTable(tmp_path / "table", pace=30) as table:
        lamps = {"rim": ["RGB", 7, -1], "inner": ["BRG", 1, 1], "leds": 50, "digits": 12}
        wanted = {"version": 2, "serial": table.serial, "counts_per_turn": 2400, "direction": 1, "index_at": 3, **lamps}
        bench = bench_at(table)
        written(bench, wanted)
        bench.client.close()
        table.reset()
        table.hand("pass", ms=500)
        with Client.open(table.address) as client:
            assert client.call("CALIBRATE")["calibration"] == wanted
            client.call("OPEN_BETS")
            client.call("VOID", reason="test")
            assert client.call("STATUS")["tilts"] == []


def test_the_bench_holds_the_clapper_against_the_window_of_the_calibration(table: VirtualTable) -> None:
    bench = bench_at(table)
    measured = calibrating.propose(bench).after
    written(bench, measured)
    found = BY_NAME["clapper"].run(bench)
    assert found.verdict == "PASS" and "when calibrated" in found.detail
    low, high = measured["window"]
    written(bench, {**measured, "window": [low - 100, high + 100]})
    found = BY_NAME["clapper"].run(bench)
    assert (found.verdict, found.fault) == ("FAIL", "clapper_moved")
    bench.client.close()


@pytest.mark.parametrize(("fault", "value", "cause"), [
    ("slips", 200, "the coupling slips"), ("b_loose", 150, "line B fails now and then"),
    ("index_dead", 1, "the index line is dead"), ("clapper_worn", 100, "the clapper misses pegs"),
    ("a_dead", 1, "line A is dead"),
])  # fmt: skip
def test_a_wheel_whose_numbers_do_not_add_up_is_refused_with_the_likely_cause(
    table: VirtualTable, fault: str, value: int, cause: str
) -> None:
    table.hand("fault", fault=fault, value=value)
    bench = bench_at(table)
    with pytest.raises(WheelwrightError, match=rf"E-7410 .*{cause}"):
        calibrating.propose(bench)
    assert calibrating.current(bench) == ({}, {})
    bench.client.close()


def test_a_calibration_of_another_table_or_edited_by_hand_is_refused_by_tool_and_table(
    table: VirtualTable, tmp_path: Path
) -> None:
    other = {"version": 1, "serial": "VT-000002", "counts_per_turn": 2000, "direction": 1, "index_at": 0, "window": []}
    path = tmp_path / "wheel.json"
    calibration.save(path, other)
    with pytest.raises(WheelwrightError, match="E-7414"):
        calibration.read(path, table.serial)
    assert calibration.read(path, "VT-000002") == other
    path.write_text(json.dumps(json.loads(path.read_text()) | {"sum": 1}))
    with pytest.raises(WheelwrightError, match="E-9012"):
        calibration.read(path, "VT-000002")
    bench = bench_at(table)
    for wrong in (
        other, {**other, "serial": table.serial, "counts_per_turn": 7},
        {**other, "serial": table.serial, "index_at": -1}, {**other, "serial": table.serial, "direction": 2},
        {**other, "serial": table.serial, "index_width_counts": 38},
    ):  # fmt: skip
        with pytest.raises(Refused, match="E-4011"):
            written(bench, wrong)
    assert calibrating.current(bench) == ({}, {})
    bench.client.close()


def test_the_brightness_is_set_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--virtual", "--leds", "60", "--digits", "15", "--operator", "ann",
             "--device-key", str(board_file("VIRTUAL"))]  # fmt: skip
    monkeypatch.setattr("sys.argv", ["wheelwright", "calibrate", *words, "--json"])
    assert ending.outcome() == 0
    told = json.loads(capsys.readouterr().out)
    fits("calibrate", told)
    assert told["record"] and (told["after"]["leds"], told["after"]["digits"]) == (60, 15)
    monkeypatch.setattr("sys.argv", ["wheelwright", "calibrate", *words, "--undo"])
    assert ending.outcome() == 2
    assert capsys.readouterr().err.startswith("E-9001 ")


def test_a_dry_run_measures_and_says_what_it_would_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--virtual", "--dry-run", "--operator", "ann", "--device-key", str(board_file("VIRTUAL")), "--json"]
    monkeypatch.setattr("sys.argv", ["wheelwright", "calibrate", *words])
    assert ending.outcome() == 0
    told = json.loads(capsys.readouterr().out)
    fits("calibrate", told)
    assert told["record"] is None and told["after"]["counts_per_turn"] == 2400
