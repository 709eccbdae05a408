"""Boards as data: wiring, budgets and flash maps that could not be built are named before anything is built."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wheelwright.errors import WheelwrightError

from tests.conftest import ROOT, examples

BOARDS = ROOT / "boards"
NAMES = ("WHEEL_PICO", "WHEEL_PICO2")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BOARDS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


checks = load("checks")
wiring = load("wiring")
stage = load("stage")
build_image = load("build_image")


@pytest.fixture
def wires() -> Any:
    return copy.deepcopy(wiring.load())


def table(board: str) -> dict[str, Any]:
    return json.loads((BOARDS / board / "table.json").read_text())


def test_the_wiring_of_the_tree_is_sound(wires: Any) -> None:
    assert checks.wiring(wires) == []


@pytest.mark.parametrize("path", list(wiring.made_files(wiring.load())), ids=lambda path: path.name)
def test_every_file_made_from_the_wiring_is_current(path: Path) -> None:
    assert path.read_text() == wiring.made_files(wiring.load())[path], "run python boards/wiring.py --write"


def test_a_pin_used_twice_is_named_with_both_signals(wires: Any) -> None:
    next(entry for entry in wires["pins"] if entry["signal"] == "START")["pin"] = 8
    assert checks.wiring(wires) == ["GP8 is used twice, by INDEX and START; move one of them"]


def test_a_missing_signal_is_named(wires: Any) -> None:
    wires["pins"] = [entry for entry in wires["pins"] if entry["signal"] != "CLAPPER"]
    assert checks.wiring(wires) == ["signal CLAPPER is missing: every table has one"]


def test_a_missing_expander_signal_is_named(wires: Any) -> None:
    wires["expander_in"] = wires["expander_in"][:-1]
    assert checks.wiring(wires) == ["signal SHAKE_7 is missing: every table has one"]


@pytest.mark.parametrize("pin", [23, 24, 25, 29, 30, -1])
def test_a_pin_that_the_module_does_not_have_is_named(wires: Any, pin: int) -> None:
    next(entry for entry in wires["pins"] if entry["signal"] == "DOOR")["pin"] = pin
    assert f"signal DOOR: GP{pin} is no free pin of a Pico; use one of GP0-22, 26-28" in checks.wiring(wires)


def test_encoder_lines_that_are_no_pair_are_named(wires: Any) -> None:
    next(entry for entry in wires["pins"] if entry["signal"] == "ENCODER_B")["pin"] = 27
    assert any("ENCODER_B must be on the pin after ENCODER_A" in line for line in checks.wiring(wires))


def test_a_bit_of_an_expander_used_twice_is_named(wires: Any) -> None:
    wires["expander_out"][1]["bit"] = 0
    assert checks.wiring(wires) == ["expander_out: bit 0 is used twice, by LAMP_1 and LAMP_2"]


def entry_of(wires: Any, name: str) -> Any:
    return next(entry for side in ("pins", *checks.SIDES) for entry in wires[side] if entry["signal"] == name)


@pytest.mark.parametrize(("name", "key", "value", "said"), [
    ("EXPAND_CLOCK", "pin", 27, "GP27 is not the clock of SPI 0; use one of GP2, GP6, GP18, GP22"),
    ("LINK_RX", "pin", 28, "GP28 is not the receiver of UART 0"),
    ("CLAPPER", "direction", "out", "signal CLAPPER: direction is 'out'; it is in"),
    ("DIGITS_CS", "active", "high", "signal DIGITS_CS: active is 'high'; it is low"),
    ("START", "pull", "none", "signal START: pull is 'none'; it is up"),
    ("ENCODER_B", "active", "high", "ENCODER_A and ENCODER_B must be active alike"),
    ("INDEX", "level", "5 V by 74AHCT125", "signal INDEX: 5 V by 74AHCT125 is nothing for a pin that goes in"),
    ("INDEX", "level", "12 V", "signal INDEX: level is '12 V'; it is one of 3.3 V"),
    ("DOOR", "connector", "J9-1", "there is no place J9-1; connectors are J1, J2, J3, J4, J5, J6"),
    ("DOOR", "connector", "J5-0", "there is no place J5-0"),
    ("DOOR", "pin", True, "signal DOOR: pin is True, but must be a whole number"),
    ("DOOR", "what", "", "signal DOOR: what is '', but must be a text"),
    ("DOOR", "signal", "SEAT_1", "signal SEAT_1 is behind expander_in, not on a pin"),
    ("DOOR", "signal", "BELL", "signal BELL is none of this firmware"),
    ("SEAT_1", "bit", 15, "SEAT_1 is on bit 15; the firmware reads it from bit 0"),
    ("VOID_LAMP", "bit", 15, "START_LAMP, NO_MORE_BETS_LAMP, VOID_LAMP must follow one another"),
    ("LAMP_1", "bit", 16, "LAMP_1 is on bit 16; there are 16"),
    ("LAMP_1", "signal", "INDEX", "expander_out: INDEX does not belong there"),
])  # fmt: skip
def test_what_cannot_be_soldered_or_used_is_named(wires: Any, name: str, key: str, value: Any, said: str) -> None:
    entry_of(wires, name)[key] = value
    assert any(said in line for line in checks.wiring(wires)), checks.wiring(wires)


@pytest.mark.parametrize("key", list(checks.ENTRY))
def test_a_part_of_an_entry_that_is_missing_is_named(wires: Any, key: str) -> None:
    del entry_of(wires, "DOOR")[key]
    assert any(f"{key} is missing" in line for line in checks.wiring(wires))


@pytest.mark.parametrize(("key", "value"), [
    ("rim_leds", -1), ("tile_leds", "512"), ("digits", 0), ("watchdog_ms", 8389), ("counts_per_turn", 215),
    ("baud", None), ("live", 1), ("links", []), ("regions", {}), ("led_milliamps", {"full": 60, "idle": 60}),
    ("noise", {"bits": 1}), ("uf2_family", "0xe48bff59"), ("chip", "RP2350"), ("board", ""), ("flash_bytes", 1 << 22),
])  # fmt: skip
def test_a_board_with_numbers_that_no_table_has_is_refused_by_name(key: str, value: Any) -> None:
    assert any(key in line for line in checks.table({**table("WHEEL_PICO"), key: value}))


def parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part of a JSON value, itself included."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in parts(part, (*path, key)))]


NONSENSE = [None, True, -1, 0, 1, 5, 27, 99, 1 << 40, 0.5, "", "up", "out", "low", "INDEX", "J9-9", "x" * 99, [], {},
            [[]], {"signal": "DOOR"}]  # fmt: skip
FREE = ("about", "what", "connectors", "connector", "pin", "active", "level", "bit")  # where a builder has a choice
FREE_NUMBERS = (*checks.NUMBERS, *checks.MILLIAMPERES, *checks.NOISE, "live", "links", "board")


def spoilt(data: st.DataObject, value: Any) -> tuple[Any, tuple[Any, ...], Any]:
    """`value` with one part taken away, put twice, or replaced; the part's path, and what was put there."""
    found = copy.deepcopy(value)
    path = data.draw(st.sampled_from(parts(found)[1:]))
    holder = found
    for key in path[:-1]:
        holder = holder[key]
    put = data.draw(st.sampled_from([*NONSENSE, "GONE", "TWICE"]))
    if put == "GONE":
        del holder[path[-1]]
    elif put == "TWICE" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[path[-1]]))
    else:
        holder[path[-1]] = put
    return found, path, put


@given(st.data())
@settings(max_examples=examples(400))
def test_no_spoilt_wiring_is_taken_or_ends_in_a_traceback(data: st.DataObject) -> None:
    sound = wiring.load()
    wires, path, put = spoilt(data, sound)
    wrong = checks.wiring(wires)
    assert all(len(line) > 10 and "\n" not in line for line in wrong)
    if not wrong and wires != sound:
        optional = path[0] == "pins" and sound["pins"][path[1]]["signal"] in checks.OPTIONAL and put == "GONE"
        assert optional or path[0] == "about" or path[-1] in FREE or path[0] == "connectors", (path, put)
        pins = [entry["pin"] for entry in wires["pins"]]
        assert len(set(pins)) == len(pins) and set(pins) <= set(checks.USABLE)
        assert all(wiring.made_files(wires).values())


@given(st.data())
@settings(max_examples=examples(200))
def test_no_spoilt_board_is_taken_or_ends_in_a_traceback(data: st.DataObject) -> None:
    sound = table("WHEEL_PICO")
    facts, path, put = spoilt(data, sound)
    wrong = checks.table(facts)
    if not wrong and facts != sound:
        assert path[0] in (*FREE_NUMBERS, "led_milliamps", "noise"), (path, put)
        assert checks.budget(facts) == []
        assert facts["rim_leds"] == 3 * facts["sections"]


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "\xff"])
def test_a_file_that_is_no_json_is_one_sentence(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wiring.json"
    path.write_bytes(text.encode("latin-1"))
    monkeypatch.setattr(wiring, "load", lambda: checks.load(path, checks.WIRING))
    assert wiring.main([]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("E-7351 the wiring cannot be built: wiring.json is no JSON")


def test_the_sentences_of_the_build_are_those_of_the_tools_table() -> None:
    for code, words in ((7351, checks.WIRING), (7352, checks.TABLE), (7353, checks.STALE)):
        said = WheelwrightError(code, reason="R", board="B", path="R")
        assert str(said) == words.format("R", board="B")


@pytest.mark.parametrize(("version", "taken"), [
    ((1, 25, 0), True), ((1, 29, 3), True), ((1, 24, 1), False), ((1, 19, 1), False), ((1, 30, 0), False), ((), False),
])  # fmt: skip
def test_a_micropython_of_another_version_is_named_before_anything_is_built(
    version: tuple[int, ...], taken: bool, tmp_path: Path
) -> None:
    for part in ("ports/rp2/CMakeLists.txt", "lib/pico-sdk/pico_sdk_init.cmake", "lib/tinyusb/src/tusb.h"):
        (tmp_path / part).parent.mkdir(parents=True)
        (tmp_path / part).write_text("")
    (tmp_path / "py").mkdir()
    names = ("MAJOR", "MINOR", "MICRO")
    lines = [f"#define MICROPY_VERSION_{name} {number}\n" for name, number in zip(names, version, strict=False)]
    (tmp_path / "py" / "mpconfig.h").write_text("".join(lines))
    if taken:
        assert build_image.upstream_sources(tmp_path) == tmp_path
    else:
        found = ".".join(map(str, version)) or "says its version"
        with pytest.raises(build_image.Stop, match=f"E-7350 MICROPY_DIR=.* {found}; .* on MicroPython 1.25 to 1.29"):
            build_image.upstream_sources(tmp_path)


BANKS = ("20040000 ? __scratch_x_end__\n20040000 ? __scratch_x_start__\n"
         "20041000 ? __scratch_y_end__\n20041000 ? __scratch_y_start__\n20042000 B __StackTop\n")


def test_an_image_with_something_where_the_c_stack_reaches_is_not_built() -> None:
    build_image.check_stack(BANKS)
    for bank, end in (("x", "20040000 ? __scratch_x_end__"), ("y", "20041000 ? __scratch_y_end__")):
        for symbols in (BANKS.replace(end, end.replace("000 ?", "800 ?")), BANKS.replace(end + "\n", "")):
            with pytest.raises(build_image.Stop, match=f"into .scratch_{bank}"):
                build_image.check_stack(symbols)


@pytest.mark.parametrize("board", NAMES)
def test_the_leds_fit_the_current_budget(board: str) -> None:
    assert checks.table(table(board)) == []


def test_an_led_count_that_breaks_the_budget_is_refused_and_the_one_just_inside_is_not() -> None:
    facts = {"board": "X", "rim_leds": 0, "inner_leds": 0, "tile_leds": 0,
             "led_milliamps": {"full": 61, "idle": 1, "budget": 7000}}  # 7 mA each at 10 %
    assert checks.budget({**facts, "rim_leds": 1000}) == []
    (found,) = checks.budget({**facts, "rim_leds": 1001})
    assert "1001 LEDs need 7007 mA at 10 % brightness, the budget is 7000 mA" in found


@pytest.mark.parametrize("board", NAMES)
def test_the_flash_map_has_no_gap_and_no_overlap_and_agrees_with_the_c_header(board: str) -> None:
    facts = table(board)
    at = 0
    for name, start, size in facts["regions"]:
        assert start == at, name
        assert size % 4096 == 0, name
        at += size
    assert at == facts["flash_bytes"]
    regions = {name: (start, size) for name, start, size in facts["regions"]}
    header = (BOARDS / board / "mpconfigboard.h").read_text()
    numbers = dict(re.findall(r"#define (\w+)\s+\((\d+)\)", header))
    base = int(numbers["MICROPY_HW_FLASH_STORAGE_BASE"])
    assert base == regions["files"][0] == regions["program"][1]
    assert base + int(numbers["MICROPY_HW_FLASH_STORAGE_BYTES"]) == regions["reserved"][0]


@pytest.mark.parametrize("board", NAMES)
def test_case_21_the_image_does_not_answer_a_port_opened_at_1200_baud(board: str) -> None:
    header = (BOARDS / board / "mpconfigboard.h").read_text()
    assert re.search(r"MICROPY_HW_USB_CDC_1200BPS_TOUCH\s+\(0\)", header)


def test_no_start_up_file_of_the_image_can_format_anything() -> None:
    names = {"mkfs", "ioctl", "writeblocks"}
    for path in [*(BOARDS / "frozen").glob("*.py"), *(ROOT / "firmware").glob("*.py"),
                 *(ROOT / "firmware" / "tabletop" / "hal" / "rp2").glob("start.py")]:
        used = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
        assert not used & names, path


@pytest.mark.parametrize("board", NAMES)
def test_the_image_freezes_the_firmware_and_not_the_virtual_table(board: str, tmp_path: Path) -> None:
    folder, names = stage.frozen_tree(board, tmp_path)
    assert folder == str(tmp_path)
    assert list(names) == sorted(names)
    wanted = {"main.py", "_boot.py", "wheel_build.py", "tabletop/hal/rp2/board.py", "tabletop/table/controller.py"}
    assert wanted <= set(names)
    assert not [name for name in names if "virtual" in name]
    space: dict[str, Any] = {}
    exec((tmp_path / "wheel_build.py").read_text(), space)  # noqa: S102 - our own file, as the chip runs it
    assert space["REGIONS"]["journal"] == tuple(next(row[1:] for row in table(board)["regions"] if row[0] == "journal"))
    assert space["BOARD"]["board"] == board


def _one_pin_twice(wires: Any, _facts: Any) -> str:
    wires["pins"][0]["pin"] = wires["pins"][1]["pin"]
    return "is used twice, by LINK_TX and LINK_RX"


def _a_signal_too_few(wires: Any, _facts: Any) -> str:
    wires["pins"] = [entry for entry in wires["pins"] if entry["signal"] != "INDEX"]
    return "signal INDEX is missing"


def _leds_too_many(_wires: Any, facts: Any) -> str:
    facts["tile_leds"] = 4096
    return "E-7352 the board WHEEL_PICO cannot be: 4270 LEDs need"


def _a_wire_moved_by_hand(wires: Any, _facts: Any) -> str:
    at = {entry["signal"]: entry for entry in wires["pins"]}
    at["SHAKER"]["pin"], at["SHAKER_LOCK"]["pin"] = at["SHAKER_LOCK"]["pin"], at["SHAKER"]["pin"]
    return "pins.py is not made from this wiring: run python boards/wiring.py --write"


@pytest.mark.parametrize("spoil", [_one_pin_twice, _a_signal_too_few, _leds_too_many, _a_wire_moved_by_hand])
def test_a_build_names_what_cannot_be_wired_before_anything_is_built(
    spoil: Any, wires: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    facts = table("WHEEL_PICO")
    words = spoil(wires, facts)
    monkeypatch.setattr(wiring, "load", lambda: wires)
    monkeypatch.setattr(stage, "layout", lambda board: facts)
    monkeypatch.setattr(build_image, "BUILD", tmp_path)
    monkeypatch.setattr(build_image, "missing_tools", lambda: "")
    monkeypatch.setattr(build_image, "run", lambda *words, **more: pytest.fail(f"it ran {words}"))
    assert build_image.main(["WHEEL_PICO"]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.endswith("nothing was built\n")
    assert not list(tmp_path.rglob("*.py"))


def test_a_second_staging_rewrites_nothing(tmp_path: Path) -> None:
    stage.frozen_tree("WHEEL_PICO", tmp_path)
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.py")}
    (tmp_path / "left_over.py").write_text("")
    stage.frozen_tree("WHEEL_PICO", tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.py")} == stamps


def wide_literals(path: Path) -> list[str]:
    """Literals in viper functions that armv6m code would load from a word that frozen code does not align."""
    found = []
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef) and any("viper" in ast.dump(mark) for mark in function.decorator_list):
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and type(node.value) is int:
                    value = abs(node.value)
                    bits = value.bit_length() - ((value & -value).bit_length() - 1 if value else 0)
                    if bits > 8 and value > 0xFFFF:
                        found.append(f"{path.name}:{node.lineno} {node.value:#x}")
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "firmware").rglob("*.py")), ids=lambda path: path.stem)
def test_no_viper_code_holds_a_literal_that_frozen_armv6m_code_would_misread(path: Path) -> None:
    assert wide_literals(path) == []


def test_the_check_sees_a_wide_literal_and_lets_the_widest_short_one_pass(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    body = "return a & 0x3FFFFFFF | 0xFFFF | 0xFF0000 | 0x1FF00"
    source.write_text(f"@micropython.viper\ndef f(a: int) -> int:\n    {body}\n")
    assert sorted(wide_literals(source)) == ["x.py:3 0x1ff00", "x.py:3 0x3fffffff"]


def long_numbers(path: Path) -> list[str]:
    """Numbers of constant tuples that freezing makes long integers: arithmetic with those allocates on the chip."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Tuple) and all(
            isinstance(part, ast.Constant | ast.Tuple | ast.UnaryOp | ast.USub | ast.Load) for part in ast.walk(node)
        ):
            found += [
                f"{path.name}:{part.lineno} {part.value:#x}" for part in ast.walk(node)
                if isinstance(part, ast.Constant) and type(part.value) is int and part.value > 0x1FFF
            ]  # fmt: skip
    return found


@pytest.mark.parametrize("part", ["scenes", "sensing", "hal", "chance", "journal"])
def test_nothing_that_runs_often_computes_with_numbers_that_freezing_makes_long(part: str) -> None:
    paths = sorted((ROOT / "firmware" / "tabletop" / part).rglob("*.py"))
    assert paths
    assert [found for path in paths for found in long_numbers(path)] == []


def test_the_check_sees_a_long_number_in_a_tuple_and_lets_lists_pass(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    source.write_text("A = (0x1FFF, 0x2000)\nB, C = 0x304000, 1\nD = [0x304000, 1]\nE = f(0x304000, 2)\n")
    assert long_numbers(source) == ["x.py:1 0x2000", "x.py:2 0x304000"]
