"""`wheelwright deploy` through mpremote to a real MicroPython: its prompt, its littlefs, and its imports."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial
from tabletop.hal.rp2 import overlay
from wheelwright.cli import ending
from wheelwright.compiling.compiled import compile_for
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import deploy, prompt, usb
from wheelwright.flashing.deploying import Deployment
from wheelwright.flashing.flash import Board
from wheelwright.flashing.prompt import Prompt

from tests.conftest import need_micropython
from tests.json_shapes import fits
from tests.unit.fake_board import KEY, Bench, FakeBoard
from tests.unit.test_cli import Ended
from tests.unit.vm_board import PROGRAM, VmBoard
from tests.unit.vm_table import Table

pytestmark = pytest.mark.vm
NAME_OF = "from tabletop.rules import dreamcatcher, rounds\nprint(dreamcatcher.NAME, rounds.__name__)"
IMAGE = hashlib.sha256(b"the image").hexdigest()


def changed(name: str) -> dict[str, bytes]:
    """Two modules of which one has another NAME."""
    return {
        "tabletop/rules/dreamcatcher": compile_for("x64", "x.py", f"NAME = {name!r}\n".encode() + b"PAD = 'x'\n" * 300),
        "tabletop/rules/rounds": compile_for("x64", "y.py", f"WHO = {name!r}\n".encode()),
    }


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VmBoard]:
    vm = VmBoard(need_micropython(), tmp_path)
    yield vm
    vm.power_off()


def put(board: VmBoard, modules: dict[str, bytes], cut_at: int = 0) -> None:
    try:
        with Prompt.open(board.prompt(cut_at)) as files:
            list(deploy.deploy(files, "port", modules))
    finally:
        board.power_off()


def test_deployed_modules_are_imported_in_place_of_the_images_and_are_part_of_the_programs_hash(board: VmBoard) -> None:
    assert board.run(NAME_OF) == "dreamcatcher tabletop.rules.rounds"
    assert board.run(PROGRAM) == IMAGE
    put(board, changed("first"))
    assert board.run(NAME_OF) == "first tabletop.rules.rounds"
    files = [changed("first")[name] for name in sorted(changed("first"))]
    assert board.run(PROGRAM) == hashlib.sha256(b"the image" + b"".join(files)).hexdigest()
    put(board, changed("second"))
    assert board.run(NAME_OF) == "second tabletop.rules.rounds"
    with Prompt.open(board.prompt()) as found:
        list(deploy.clear(found))
        assert found.program() == IMAGE
    assert board.run(NAME_OF) == "dreamcatcher tabletop.rules.rounds"


def test_case_26_power_cut_in_the_flash_under_an_update_starts_one_version_whole(board: VmBoard) -> None:
    put(board, changed("first"))
    before = board.flash.read_bytes()
    found = []
    for cut_at in (1, 4, 9, 16, 25, 36, 49, 60, 70, 80):
        board.flash.write_bytes(before)
        with contextlib.suppress(WheelwrightError):  # none where the cut comes after the end
            put(board, changed("second"), cut_at)
        found.append(board.run(NAME_OF + "\nprint(getattr(rounds, 'WHO', ''))").split())
        put(board, changed("second"))
        assert board.run(NAME_OF) == "second tabletop.rules.rounds"
    assert all(name == who for name, _, who in found)
    assert [name for name, _, _ in found] == sorted(name for name, _, _ in found), "first, and from some cut on second"
    assert found[0][0] == "first"


def test_a_board_without_files_says_so_and_is_not_formatted_unasked(tmp_path: Path) -> None:
    vm = VmBoard(need_micropython(), tmp_path, formatted=False)
    with pytest.raises(WheelwrightError, match="E-7332"):
        put(vm, changed("first"))
    assert set(vm.flash.read_bytes()) == {0xFF}


def deployed_formatted(vm: VmBoard, modules: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """`deploy --format` at this board's prompt, as far as it comes."""
    prompt = Prompt.open(vm.prompt())
    deployment = Deployment(Bench([]), "", [vm.folder], format=True)
    monkeypatch.setattr("wheelwright.flashing.deploying.to_prompt", lambda *_: prompt)
    board = SimpleNamespace(chip="RP2040", serial="E661", port="p")
    monkeypatch.setattr("wheelwright.flashing.deploying.choose", lambda *_: board)
    monkeypatch.setattr("wheelwright.flashing.deploying.deploy.module_of", lambda _path: "tabletop/rules/luxor")
    monkeypatch.setattr("wheelwright.flashing.deploying.compiled", lambda *_: modules)
    try:
        list(deployment.steps())
    finally:
        vm.power_off()


@pytest.mark.parametrize(("data", "code"), [
    (b"M\x05\x00\x1fold", "E-7334"), (b"M\x06\x00\x1f" + bytes(86 * 4096), "E-7333"),
])  # fmt: skip
def test_case_25_what_the_board_would_not_load_or_has_no_room_for_is_named_before_its_files_are_wiped(
    data: bytes, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vm = VmBoard(need_micropython(), tmp_path)
    put(vm, changed("first"))
    before = vm.flash.read_bytes()
    with pytest.raises(WheelwrightError, match=code):
        deployed_formatted(vm, {"tabletop/rules/luxor": data}, monkeypatch)
    assert vm.flash.read_bytes() == before


def test_the_room_that_format_is_checked_against_is_that_of_an_empty_file_system(tmp_path: Path) -> None:
    vm = VmBoard(need_micropython(), tmp_path)
    with Prompt.open(vm.prompt()) as prompt:
        assert prompt.room() == (prompt.report()["free"], prompt.report()["block"]) == (91, 4096)
    vm.power_off()


def test_a_prompt_that_was_asked_for_before_and_answers_late_is_understood(board: VmBoard) -> None:
    port = board.prompt()
    with serial.Serial(port, exclusive=False) as earlier:
        earlier.write(b"\r\x03\r\x01\r\x01")  # as sent to a board that was just starting
    with Prompt.open(port) as found:
        assert found.run("print(6 * 7)") == "42\n"


def test_a_prompt_of_another_firmware_is_told_apart(board: VmBoard) -> None:
    (board.tree / "wheel_build.py").unlink()
    with pytest.raises(WheelwrightError, match="E-7331"):
        put(board, changed("first"))


@pytest.mark.parametrize(("implementation", "said"), [
    ("('micropython', (1, 19, 1), 0)", "it runs MicroPython 1.19.1, an image is built on MicroPython 1.25 to 1.29"),
    ("('micropython', (1, 30, 0), 0)", "it runs MicroPython 1.30.0"),
    ("('circuitpython', (9, 2, 0), 0)", "it runs circuitpython 9.2.0"),
])  # fmt: skip
def test_a_micropython_of_another_version_is_named_before_anything_is_written(
    implementation: str, said: str, board: VmBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = board.flash.read_bytes()
    monkeypatch.setattr(prompt, "_WHO", prompt._WHO.replace("sys.implementation", implementation))
    with pytest.raises(WheelwrightError, match=f"E-7331 .*{said}.*nothing was written"):
        put(board, changed("first"))
    assert board.flash.read_bytes() == before


@pytest.mark.parametrize("spoil", ["raise ValueError('incompatible .mpy file')", "import sys\nsys.implementation.none"])
def test_an_overlay_that_the_board_cannot_load_is_named_as_no_image_of_ours(spoil: str, board: VmBoard) -> None:
    (board.tree / "wheel_build.py").write_text("from rp2 import *\n" + spoil)
    board.start = lambda cut_at=0: bare_start(board)  # type: ignore[method-assign]
    with pytest.raises(WheelwrightError, match=r"E-7331 .*MicroPython 1\.\d+\.\d+: (ValueError|AttributeError)"):
        put(board, changed("first"))


def bare_start(board: VmBoard) -> Path:
    """A start in which nothing of ours is loaded, as on a stock MicroPython with our files on it."""
    path = board.folder / "start.py"
    path.write_text(f"import sys\nsys.path[:] = ['.frozen', {str(board.tree)!r}]\n")
    return path


def test_a_board_pulled_out_in_an_update_is_one_sentence_that_says_what_was_under_way(board: VmBoard) -> None:
    with Prompt.open(board.prompt()) as files:
        steps = deploy.deploy(files, "port", changed("first"))
        while next(steps).state != "SEND":
            pass
        board.power_off()
        with pytest.raises(WheelwrightError, match=r"E-7337 .* while making .*program.* goes on with what is missing"):
            next(steps)


def test_a_board_at_its_prompt_is_sent_to_its_boot_loader_without_a_key(board: VmBoard) -> None:
    port = board.prompt()
    assert usb.Usb().enter_bootloader(Board(port, "", "table", "RP2040"))
    assert board.process is not None
    assert board.process.wait(30) == 0


@pytest.fixture
def tool(
    board: VmBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ended]]:
    """Runs the command on a table that is this board; its files are compiled for the machine that runs the VM."""
    (tmp_path / "key").write_text(KEY.hex())
    table = Table(tmp_path, board)
    monkeypatch.setattr(usb, "Usb", lambda *words: Bench([table], *words))
    monkeypatch.setitem(deploy.NATIVE, "RP2040", "x64")
    monkeypatch.delenv("WHEELWRIGHT_PORT", raising=False)

    def run(*words: str | Path) -> Ended:
        typed = ["wheelwright", "deploy", "--device-key", tmp_path / "key", *words]
        monkeypatch.setattr(sys, "argv", [str(word) for word in typed])
        status = ending.outcome()
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return Ended(status, said.out, said.err)

    yield run
    table.unplug()


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "work" / "tabletop" / "rules" / "dreamcatcher.py"
    path.parent.mkdir(parents=True)
    path.write_text("NAME = 'mine'\n")
    return path


def test_a_table_is_sent_to_its_prompt_gets_the_module_and_proves_that_it_runs_it(
    tool: Callable[..., Ended], board: VmBoard, module: Path
) -> None:
    ended = tool(module, "--json")
    assert ended.status == 0, ended.err
    fits("deploy", ended.json)
    assert ended.json["steps"] == ["CONSOLE", "CHECK", "SEND", "SWITCH", "BOARD", "DONE"]
    assert ended.json["modules"] == ["tabletop/rules/dreamcatcher"]
    assert board.run(NAME_OF) == "mine tabletop.rules.rounds"
    assert ended.json["program"] == board.run(PROGRAM) != IMAGE
    ended = tool("--clear", "--json")
    assert ended.status == 0, ended.err
    assert ended.json["program"] == IMAGE
    assert board.run(NAME_OF) == "dreamcatcher tabletop.rules.rounds"


def test_case_28_with_two_boards_and_no_choice_neither_is_stopped_and_with_one_only_that(
    module: Path, tmp_path: Path
) -> None:
    tables = [FakeBoard(tmp_path), FakeBoard(tmp_path, serial="E6613893AAAAAAAA", table="W-000002")]
    with pytest.raises(WheelwrightError, match="E-7312"):
        list(Deployment(Bench(tables, key=KEY), "", [module]).steps())
    assert [table.asked for table in tables] == [[], []]
    steps = Deployment(Bench(tables, key=KEY), tables[1].serial, [module]).steps()
    assert next(steps).state == "CONSOLE"
    with pytest.raises(WheelwrightError):  # this one has no prompt to give
        next(steps)
    assert [table.asked for table in tables] == [[], ["CONSOLE"]]
    for table in tables:
        table.unplug()


def test_a_module_that_cannot_be_deployed_leaves_the_table_at_play(tool: Callable[..., Ended], tmp_path: Path) -> None:
    ended = tool(tmp_path / "key")
    assert ended.status == 8
    assert ended.err.startswith("E-7335 ")
    assert tool().err.startswith("E-9000 ")


@pytest.mark.parametrize(("at", "left"), [("write", "modules of before are whole"), ("restart", "when it is reset")])
def test_ctrl_c_in_an_update_says_what_it_leaves_behind(
    at: str, left: str, tool: Callable[..., Ended], module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Prompt, at, interrupted)
    ended = tool(module)
    assert ended.status == 130
    assert ended.err.startswith("E-9902 ")
    assert left in ended.err


def test_a_table_without_its_key_is_told_how_the_prompt_is_reached_by_hand(
    board: VmBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt, "ENTER_S", 0.1)
    table = FakeBoard(tmp_path)
    assert table.served is not None
    with pytest.raises(WheelwrightError, match=r"E-7330 .*turn the service key, hold VOID and NO MORE BETS"):
        Prompt.open(table.served.address)
    table.unplug()


def test_the_board_and_the_tool_read_one_manifest() -> None:
    version = deploy.Version(IMAGE, changed("first"))
    image, name, hashes = overlay.parse(version.manifest())
    assert (image, name) == (IMAGE, version.name)
    assert hashes == {path: hashlib.sha256(data).hexdigest() for path, data in changed("first").items()}
