"""`wheelwright flash` as typed, on fake boards behind real ptys and real folders."""

from __future__ import annotations

import hashlib
import json
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from wheelwright.cli import ending
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import image, usb
from wheelwright.flashing.plugging import Plugging
from wheelwright.supervising import read_key

from tests.json_shapes import fits
from tests.unit.fake_board import KEY, SERIAL, Bench, FakeBoard
from tests.unit.test_cli import Ended
from tests.unit.test_image import PROGRAM, RP2350, program, written

Flash = Callable[..., Ended]


@pytest.fixture
def boards() -> Iterator[list[FakeBoard]]:
    found: list[FakeBoard] = []
    yield found
    for board in found:
        board.unplug()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return written(tmp_path / "new.uf2", program(20_000))


@pytest.fixture
def flash(tmp_path: Path, boards: list[FakeBoard], monkeypatch: pytest.MonkeyPatch,
          capsys: pytest.CaptureFixture[str]) -> Flash:  # fmt: skip
    """Runs the command on `boards`."""
    (tmp_path / "key").write_text(KEY.hex() + "\n")
    monkeypatch.setattr(usb, "Usb", lambda *words: Bench(boards, *words))
    monkeypatch.delenv("WHEELWRIGHT_PORT", raising=False)

    def run(*words: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", ["wheelwright", "flash", *map(str, words)])
        status = ending.outcome()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Ended(status, captured.out, captured.err)

    return run


def test_a_table_is_flashed_by_signed_command_and_read_back(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path))
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status == 0, ended.err
    assert "T-42 until it is approved: wheelwright clear 42" in ended.out
    boards[0].asked.clear()
    ended = flash(good, "--device-key", tmp_path / "key", "--json")
    assert ended.status == 0, ended.err
    assert boards[0].asked == ["UPDATE"]
    assert boards[0].written == good.read_bytes()
    said = ended.json
    fits("flash", said)
    assert said["steps"] == ["CHECK", "ENTER", "DRIVE", "WRITE", "BOARD", "READ_BACK", "DONE"]
    assert (said["serial"], said["usb_serial"], said["written"]) == ("W-000001", SERIAL, True)
    assert said["program"] == image.read_image(good).program_hash().hex()


def test_without_the_device_key_the_hand_is_told_what_to_do(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usb, "CONSOLE_S", 0.05)
    boards.append(FakeBoard(tmp_path))
    ended = flash(good)
    assert ended.status == 8
    assert "hold its BOOTSEL button" in ended.out
    assert ended.err.startswith("E-7313 ")
    assert boards[0].asked == []
    assert boards[0].written is None


def test_a_board_that_waits_in_its_boot_loader_is_flashed_without_any_key(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path))
    boards[0].unplug()
    boards[0].bootloader()
    assert flash(good, "--drive", boards[0].drive).status == 0
    assert boards[0].written == good.read_bytes()


@pytest.mark.parametrize(("turned", "digits", "code"), [(False, KEY.hex(), "E-1009"), (True, "00" * 32, "E-1008")])
def test_a_table_that_refuses_its_boot_loader_is_left_as_it_is(
    turned: bool, digits: str, code: str, flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path, key_turned=turned))
    (tmp_path / "key").write_text(digits)
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status == 7
    assert ended.err.startswith(code)
    assert boards[0].served is not None


@pytest.mark.parametrize(("lost", "code"), [("ENTER", "E-70"), ("DRIVE", "E-7313"), ("WRITE", "E-7314"),
                                            ("BOARD", "E-7314")])  # fmt: skip
def test_a_board_unplugged_at_any_step_is_one_sentence_with_what_to_do(
    lost: str, code: str, flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path, lost=lost))
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status in (3, 8)
    assert ended.err.startswith(code), ended.err
    assert ended.err.count("\n") == 1


def test_a_board_that_goes_while_it_is_asked_is_told_apart_from_a_table_that_refuses(
    boards: list[FakeBoard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards.append(FakeBoard(tmp_path))
    world = Bench(boards, key=KEY)
    board = world.boards()[0]

    def gone(*_: object, **__: object) -> None:
        raise WheelwrightError(7006, port=board.port, reason="unplugged or ended")

    monkeypatch.setattr(usb, "command", gone)
    with pytest.raises(WheelwrightError, match=r"E-7317 .* went away .* nothing was written"):
        world.enter_bootloader(board)


def test_case_28_two_boards_and_no_choice_are_listed_and_neither_is_touched(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards += [FakeBoard(tmp_path), FakeBoard(tmp_path, serial="E6613893AAAAAAAA", table="W-000002")]
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status == 8
    assert ended.err.startswith("E-7312 ")
    assert all(board.serial in ended.err for board in boards)
    assert [board.asked for board in boards] == [[], []]


def test_case_28_with_a_choice_only_that_board_changes(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards += [FakeBoard(tmp_path, serial="E6613893AAAAAAAA", table="W-000002"), FakeBoard(tmp_path)]
    assert flash(good, "--device-key", tmp_path / "key", "--serial", SERIAL).status == 0
    assert boards[1].written == good.read_bytes()
    assert (boards[0].asked, boards[0].written) == ([], None)


def test_case_28_another_table_that_comes_back_is_no_success(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    class Swapped(FakeBoard):
        def take(self, path: Path) -> None:
            self.words["serial"] = "W-000009"
            super().take(path)

    boards.append(Swapped(tmp_path))
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status == 8
    assert ended.err.startswith("E-7318 table W-000009 came back, not W-000001")


def test_case_20_a_flash_that_takes_nothing_is_noticed(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path, keeps=True))
    assert flash(good, "--device-key", tmp_path / "key").err.startswith("E-7315 ")


def test_a_rehearsal_asks_and_writes_nothing(
    flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path
) -> None:
    boards.append(FakeBoard(tmp_path))
    ended = flash(good, "--device-key", tmp_path / "key", "--dry-run")
    assert ended.status == 0
    assert "nothing was written" in ended.out
    assert (boards[0].asked, boards[0].written) == ([], None)


@pytest.mark.parametrize(("content", "family", "code"), [
    (program(), RP2350, "E-7304"), (program(PROGRAM + 256), None, "E-7305"), (program(board="OTHER"), None, "E-7307"),
    (b"\0" * 8192, None, "E-7308"), (b"", None, "E-7302"),
])  # fmt: skip
def test_case_23_and_27_a_wrong_image_is_named_before_a_board_is_looked_for(
    content: bytes, family: int | None, code: str, flash: Flash, boards: list[FakeBoard], tmp_path: Path
) -> None:
    path = written(tmp_path / "x.uf2", content, *([family] if family else []))
    boards.append(FakeBoard(tmp_path))
    ended = flash(path, "--device-key", tmp_path / "key")
    assert ended.status == 8
    assert ended.err.startswith(code), ended.err
    assert boards[0].asked == []


@pytest.mark.parametrize("spoil", ["program", "image_sha256"])
def test_an_image_that_is_not_the_one_its_json_describes_is_refused(
    spoil: str, flash: Flash, good: Path
) -> None:
    facts = {"program": image.read_image(good).program_hash().hex(),
             "image_sha256": hashlib.sha256(good.read_bytes()).hexdigest()}  # fmt: skip
    good.with_suffix(".json").write_text(json.dumps(facts))
    assert flash(good).err.startswith("E-7310 "), "the image is whole: only a board is missing"
    good.with_suffix(".json").write_text(json.dumps({**facts, spoil: "00" * 32}))
    assert flash(good).err.startswith("E-7302 ")


@pytest.mark.parametrize(("at", "left"), [
    ("enter_bootloader", "starts again when it is unplugged"), ("copy", "flash again"), ("ask", "nothing was written"),
])  # fmt: skip
def test_ctrl_c_at_any_step_says_what_it_leaves_behind(
    at: str, left: str, flash: Flash, boards: list[FakeBoard], good: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    boards.append(FakeBoard(tmp_path))
    monkeypatch.setattr(Bench, at, interrupted)
    ended = flash(good, "--device-key", tmp_path / "key")
    assert ended.status == 130
    assert ended.err.startswith("E-9902 ")
    assert left in ended.err


def test_a_drive_that_nobody_mounts_names_the_command_that_does(
    boards: list[FakeBoard], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wheelwright.flashing.flash import Flasher

    (tmp_path / "RPI-RP2").touch()
    monkeypatch.setattr("shutil.which", lambda name: None)
    world = Bench(boards, labels=tmp_path)
    found = image.read_image(good)
    with pytest.raises(WheelwrightError, match=f"E-7316 .*udisksctl mount -b {tmp_path}/RPI-RP2"):
        list(Flasher(world, found, image.layout_of(found)).steps())


@pytest.mark.parametrize("works", [True, False])
def test_picotool_writes_where_no_drive_is_mounted(
    works: bool, boards: list[FakeBoard], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "bin" / "picotool"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/said\n' + ("" if works else "echo no device >&2\nexit 3\n"))
    tool.chmod(0o755)
    (tmp_path / "RPI-RP2").touch()
    monkeypatch.setenv("PATH", str(tool.parent), prepend=os.pathsep)
    world = usb.Usb(serial_ports=list, folders=list, labels=tmp_path)
    board = world.boards()[0]
    assert (board.state, board.chip) == ("bootloader", "RP2040")
    if works:
        world.copy(image.read_image(good), board)
    else:
        with pytest.raises(OSError, match="picotool: no device"):
            world.copy(image.read_image(good), board)
    assert (tmp_path / "said").read_text().split() == ["load", "-v", "-x", str(good)]


def test_a_wait_ends_at_the_event_and_not_at_its_deadline() -> None:
    near, far = os.pipe()
    plugging = Plugging()
    plugging.watch(near, select.POLLIN)
    os.write(far, b"!")
    plugging.wait(3600.0)
    os.close(near)
    os.close(far)


@pytest.mark.parametrize(("text", "reason"), [("", "has 0"), ("12zz", "no key"), ("00" * 31, "has 31")])
def test_a_key_file_that_holds_no_key_is_named(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(WheelwrightError, match=f"E-9012 .*{reason}"):
        read_key(tmp_path / "key")
