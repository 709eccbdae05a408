"""Reading wheel traces: what is right is played on both interpreters, what is not is named with its line."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from tabletop.sensing.config import FAULTS
from wheelwright.errors import WheelwrightError
from wheelwright.traces.trace import COLUMNS, MAGIC, find_traces, read_trace, run_trace, run_traces

from tests.conftest import ROOT, need_micropython

TRACES = ROOT / "tests" / "data" / "traces"
EXPECTED = json.loads((TRACES / "expected.json").read_text())
GOOD = (MAGIC, "# counts_per_turn: 2400", "# sections: 54", "# start_position_counts: 592", "# ends_us: 900", COLUMNS,
        "0,0,0,0,0", "300,1,0,0,0", "500,1,1,0,0")


def write(folder: Path, *lines: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def refused(path: Path) -> WheelwrightError:
    with pytest.raises(WheelwrightError) as caught:
        read_trace(path)
    assert str(path) in str(caught.value)
    return caught.value


def right(events: list[dict[str, object]], expected: dict[str, object]) -> bool:
    """As tests/data/traces/README.md reads expected.json."""
    outcomes = [event["outcome"] for event in events]
    if "fault" in expected:
        reported = {fault for event in events for fault in event["faults"]}
        return bool(reported & set(expected["fault"])) and "SECTION" not in outcomes
    if "results_any_of" in expected:
        return any(outcomes == [result["outcome"] for result in results] for results in expected["results_any_of"])
    results = list(expected["results"])
    for event in events:
        if results and event["outcome"] == results[0]["outcome"]:
            result = results.pop(0)
            if event["section"] != result.get("section") or event["direction"] != result["direction"]:
                return False
            if abs(event["turns"] - result["turns"]) > 0.1 or event["faults"]:
                return False
        elif event["outcome"] not in expected.get("allow_extra", []):
            return False
    return not results


@pytest.fixture(scope="module")
def on_vm() -> dict[str, list[dict[str, object]]]:
    return {item["file"]: item["events"] for item in run_traces([TRACES], vm=True, micropython=need_micropython())}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_public_trace_comes_out_right(name: str) -> None:
    events = run_trace(TRACES / f"{name}.csv.gz")
    assert right(events, EXPECTED[name]), events


@pytest.mark.vm
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_public_trace_is_the_same_on_the_vm(name: str, on_vm: dict[str, list[dict[str, object]]]) -> None:
    assert on_vm[name] == run_trace(TRACES / f"{name}.csv.gz")


def test_a_spin_that_is_still_under_way_when_the_trace_ends_is_no_event(tmp_path: Path) -> None:
    lines = gzip.decompress((TRACES / "clean_forward_2400.csv.gz").read_bytes()).decode().splitlines()
    rests_us = int(lines[-1].split(",")[0])
    for ends_us, outcomes in ((rests_us, []), (rests_us + 900_000, []), (rests_us + 1_100_000, ["SECTION"])):
        cut = [f"# ends_us: {ends_us}" if line.startswith("# ends_us") else line for line in lines]
        assert [event["outcome"] for event in run_trace(write(tmp_path, *cut))] == outcomes


def test_a_trace_without_its_start_is_homed_by_the_index(tmp_path: Path) -> None:
    for name in ("clean_forward_2400", "clean_backward_4096", "rolls_back", "clean_forward_2160"):
        lines = gzip.decompress((TRACES / f"{name}.csv.gz").read_bytes()).decode().splitlines()
        path = write(tmp_path, *(line for line in lines if "start_position" not in line))
        assert read_trace(path).start_count == -1
        assert right(run_trace(path), EXPECTED[name])


@pytest.mark.parametrize("first_us", [0, (1 << 30) - 1_000_000, (1 << 30) - 9_000_000, 3 << 30])
def test_case_51_times_beyond_the_wrap_are_times_like_any_other(tmp_path: Path, first_us: int) -> None:
    lines = gzip.decompress((TRACES / "fast_forward_2400.csv.gz").read_bytes()).decode().splitlines()
    later = []
    for line in lines:
        time, comma, levels = line.partition(",")
        if line.startswith("# ends_us: "):
            line = f"# ends_us: {int(line[11:]) + first_us}"
        elif time.isdigit() and int(time) > 0:
            line = f"{int(time) + first_us}{comma}{levels}"
        later.append(line)
    event, = run_trace(write(tmp_path, *later))
    plain, = run_trace(TRACES / "fast_forward_2400.csv.gz")
    assert plain | {"t_us": 0} == event | {"t_us": 0}
    assert abs(event["t_us"] - plain["t_us"] - first_us) <= 10_000


def test_an_event_has_the_words_of_the_design() -> None:
    event, = run_trace(TRACES / "obstructed.csv.gz")
    assert list(event) == ["outcome", "section", "turns", "direction", "faults", "notes", "t_us"]
    assert event["section"] is None
    assert set(event["faults"]) <= {name for _, name in FAULTS}
    json.dumps(event, allow_nan=False)


def test_files_and_folders_come_in_order(tmp_path: Path) -> None:
    write(tmp_path, *GOOD, name="b.csv")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress("\n".join(GOOD).encode()))
    write(tmp_path, "not a trace", name="README.md")
    assert run_traces([tmp_path]) == [{"file": "a", "events": []}, {"file": "b", "events": []}]
    assert [path.name for path in find_traces([tmp_path / "b.csv", tmp_path])] == ["b.csv", "a.csv.gz", "b.csv"]


def test_other_numbers_of_sections_are_taken(tmp_path: Path) -> None:
    lines = [line.replace("sections: 54", "sections: 24") for line in GOOD]
    assert read_trace(write(tmp_path, *lines)).sections == 24


def test_edges_of_one_microsecond_are_taken_in_order(tmp_path: Path) -> None:
    trace = read_trace(write(tmp_path, *GOOD, "500,0,1,0,0"))
    assert [word >> 4 for word in trace.words] == [0, 300, 200, 0]


def test_long_gaps_are_kept_to_the_microsecond(tmp_path: Path) -> None:
    lines = [line.replace("900", "2000000900") for line in GOOD]
    trace = read_trace(write(tmp_path, *lines, "2000000500,0,1,0,0"))
    assert sum(word >> 4 for word in trace.words) == 2_000_000_500
    assert {word & 15 for word in trace.words[3:-1]} == {0b1100}


def test_lines_that_a_windows_program_ended_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\r\n".join([*GOOD, ""]).encode())
    assert read_trace(path) == read_trace(write(tmp_path, *GOOD))._replace(name="t")


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (("300,1,0,0,0", "300,1,0,0,0\n299,1,1,0,0"), 7105, "line 9: time goes back from 300 to 299"),
        (("300,1,0,0,0", "300,2,0,0,0"), 7106, "line 8: '2' is no level"),
        (("300,1,0,0,0", "300,1,0,0,x"), 7106, "line 8: 'x' is no level"),
        (("300,1,0,0,0", "300,1,0,0"), 7107, "line 8: not a row"),
        (("300,1,0,0,0", "300,1,0,0,0,0"), 7107, "line 8: not a row"),
        (("300,1,0,0,0", "-5,1,0,0,0"), 7107, "line 8: not a row"),
        (("300,1,0,0,0", "1_0,1,0,0,0"), 7107, "line 8: not a row"),
        (("300,1,0,0,0", ""), 7107, "line 8: not a row"),
        ((COLUMNS, "t_us,A,B,C,Z"), 7104, "no column line t_us,A,B,Z,C"),
        ((COLUMNS + "\n", ""), 7104, "no column line"),
        (("# counts_per_turn: 2400\n", ""), 7103, "no header line '# counts_per_turn: ...'"),
        (("# sections: 54\n", ""), 7103, "no header line '# sections: ...'"),
        (("# ends_us: 900\n", ""), 7103, "no header line '# ends_us: ...'"),
        (("turn: 2400", "turn: 24.5"), 7109, "line 2: counts_per_turn is '24.5', not a whole number"),
        (("turn: 2400", "turn: many"), 7109, "line 2: counts_per_turn is 'many'"),
        (("turn: 2400", "turn: 215"), 7109, "line 2: counts_per_turn 215 is not in 216..40000"),
        (("turn: 2400", "turn: 40001"), 7109, "line 2: counts_per_turn 40001"),
        (("sections: 54", "sections: 1"), 7109, "line 3: sections 1 is not in"),
        (("counts: 592", "counts: -3"), 7109, "line 4: start_position_counts is '-3'"),
        (("ends_us: 900", "ends_us: " + "9" * 12), 7109, "line 5: ends_us has more than 11 digits"),
        (("ends_us: 900", "ends_us: " + "9" * 5000), 7109, "line 5: ends_us has more than 11 digits"),
        (("300,1,0,0,0", "3" * 12 + ",1,0,0,0"), 7109, "line 8: t_us has more than 11 digits"),
        (("300,1,0,0,0", "3" * 5000 + ",1,0,0,0"), 7109, "line 8: t_us has more than 11 digits"),
        (("ends_us: 900", "ends_us: 499"), 7109, "line 5: ends_us 499 is before the last row, 500"),
        ((MAGIC, "# wheel-trace 2"), 7102, "does not begin with '# wheel-trace 1'"),
        (("\n".join(GOOD[6:]), ""), 7102, "it has no row"),
    ],
    ids=lambda value: str(value).replace("\n", "/")[:40],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, change: tuple[str, str], code: int, says: str
) -> None:
    text = "\n".join(GOOD)
    assert change[0] in text
    path = tmp_path / "t.csv"
    path.write_text(text.replace(*change, 1))
    error = refused(path)
    assert error.code == code
    assert says in str(error)


def test_what_is_no_trace_at_all_is_named(tmp_path: Path) -> None:
    packed = gzip.compress("\n".join(GOOD).encode())
    for name, content, says in (
        ("empty.csv", b"", "it is empty"),
        ("empty.csv.gz", gzip.compress(b""), "it is empty"),
        ("cut.csv.gz", packed[:-12], "the compressed data end too early"),
        ("plain.csv.gz", "\n".join(GOOD).encode(), "it is not compressed"),
        ("spoilt.csv.gz", packed[:20] + b"\xff\xff" + packed[22:], "the compressed data are damaged"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "does not begin with"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        error = refused(path)
        assert error.code == 7102
        assert says in str(error)
    assert refused(tmp_path / "absent.csv").code == 7101
    with pytest.raises(WheelwrightError) as caught:
        run_traces([tmp_path / "absent"])
    assert caught.value.code == 7101
    (tmp_path / "folder").mkdir()
    with pytest.raises(WheelwrightError) as caught:
        run_traces([tmp_path / "folder"])
    assert caught.value.code == 7101


def test_a_program_that_is_not_micropython_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, *GOOD)
    for program in (str(tmp_path / "absent"), "/bin/false"):
        with pytest.raises(WheelwrightError) as caught:
            run_traces([path], vm=True, micropython=program)
        assert caught.value.code == 7108


# what has no end, or too much before it


def test_a_device_or_a_pipe_is_no_recording(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe):
        with pytest.raises(WheelwrightError, match=r"E-7102 .*no ordinary file"):
            read_trace(path)


@pytest.mark.parametrize("size", [-1, 0, 1])
@pytest.mark.parametrize("name", ["long.csv", "long.csv.gz"])
def test_a_recording_is_unpacked_up_to_a_bound_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    path = tmp_path / name
    data = (MAGIC + "\n").encode() + b"\n" * 5000
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    monkeypatch.setattr("wheelwright.traces.trace.MOST_BYTES", len(data) - size)
    with pytest.raises(WheelwrightError, match=r"E-7102 .*more than" if size > 0 else "E-7104"):
        read_trace(path)


def test_a_header_that_says_two_things_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text(f"{MAGIC}\n# sections: 54\n# counts_per_turn: 216\n# sections: 52\n{COLUMNS}\n0,0,0,0,0\n")
    with pytest.raises(WheelwrightError, match=r"E-7109 .*line 4: sections stands there twice"):
        read_trace(path)
