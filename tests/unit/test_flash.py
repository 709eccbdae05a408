"""Flashing, step by step, in a world that can be unplugged at any of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import image
from wheelwright.flashing.flash import BOARD_S, DRIVE_S, Answer, Board, Flasher, choose

from tests.unit.test_image import PICO, RP2350, program, written

ONE = Board("/dev/a", "E66138", "table", "RP2040")
TWO = Board("/dev/b", "E66199", "table", "RP2040")


class Simulated:
    """Boards by port. `hand_after` s a person enters the boot loader; `lost` is the step at which ONE is unplugged."""

    def __init__(self, boards: Sequence[Board] = (ONE,), *, commands: bool = True, hand_after: float | None = None,
                 lost: str = "", copy_error: bool = False, keeps: bool = False) -> None:
        self.present = {board.port: board for board in boards}
        self.commands, self.hand_after, self.lost, self.copy_error, self.keeps = \
            commands, hand_after, lost, copy_error, keeps
        self.time = 0.0
        self.hashes = dict.fromkeys(self.present, b"old")
        self.written: list[str] = []
        self.back_at: float | None = None
        self.asked: Board | None = None

    def boards(self) -> list[Board]:
        if self.asked and self.hand_after is not None and self.time >= self.hand_after:
            self._bootloader(self.asked)
        if self.back_at is not None and self.time >= self.back_at:
            self.back_at = None
            if self.lost != "BOARD":
                self.present["/dev/c"] = Board("/dev/c", ONE.serial, "table", "RP2040")  # under another name
        return list(self.present.values())

    def _bootloader(self, board: Board) -> None:
        self.present.pop(board.port, None)
        self.asked = None
        if self.lost != "DRIVE":
            self.present["drive"] = Board("drive", "", "bootloader", board.chip)

    def enter_bootloader(self, board: Board) -> bool:
        self.asked = board
        if self.commands:
            self._bootloader(board)
        return self.commands

    def copy(self, found: image.Image, board: Board) -> None:
        if self.lost == "WRITE":
            self.present.pop(board.port)
            raise OSError(5, "Input/output error")
        self.written.append(board.port)
        self.present.pop(board.port)
        self.back_at = self.time + 2.0
        if not self.keeps:
            self.hashes["/dev/c"] = found.program_hash()
        if self.copy_error:
            raise OSError(5, "Input/output error")

    def ask(self, board: Board) -> Answer | None:
        return Answer("W-1", "1.2.3", self.hashes.get(board.port, b"old"))

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def good(tmp_path: Path) -> image.Image:
    return image.read_image(written(tmp_path / "new.uf2", program()))


def flash(world: Simulated, found: image.Image, wanted: str = "") -> list[str]:
    return [step.state for step in Flasher(world, found, PICO, wanted).steps()]


def failure(world: Simulated, found: image.Image, wanted: str = "") -> tuple[int, str]:
    with pytest.raises(WheelwrightError) as caught:
        flash(world, found, wanted)
    return caught.value.code, str(caught.value)


def test_a_board_is_flashed_by_command_and_read_back_under_its_new_name(good: image.Image) -> None:
    world = Simulated()
    assert flash(world, good) == ["CHECK", "ENTER", "DRIVE", "WRITE", "BOARD", "READ_BACK", "DONE"]
    assert world.written == ["drive"]


def test_a_board_that_takes_no_command_is_entered_by_hand_and_told_how(good: image.Image) -> None:
    steps = list(Flasher(Simulated(commands=False, hand_after=25.0), good, PICO).steps())
    by_hand = next(step for step in steps if step.state == "BY_HAND")
    assert "hold its BOOTSEL button" in by_hand.text
    assert steps[-1].state == "DONE"


def test_a_hand_that_comes_too_late_ends_with_words_and_nothing_written(good: image.Image) -> None:
    world = Simulated(commands=False, hand_after=DRIVE_S + 5)
    code, text = failure(world, good)
    assert code == 7313
    assert "BOOTSEL" in text
    assert not world.written


def test_case_28_two_boards_and_no_choice_are_refused_with_both_serials(good: image.Image) -> None:
    world = Simulated((ONE, TWO))
    code, text = failure(world, good)
    assert code == 7312
    assert "E66138" in text
    assert "E66199" in text
    assert not world.written


def test_case_28_with_a_choice_the_other_board_is_not_touched(good: image.Image) -> None:
    world = Simulated((TWO, ONE))
    assert flash(world, good, "E66138")[-1] == "DONE"
    assert world.present[TWO.port] == TWO
    assert world.hashes[TWO.port] == b"old"


def test_case_28_a_boot_loader_that_was_there_before_is_not_the_chosen_board(good: image.Image) -> None:
    world = Simulated((ONE, Board("stray", "", "bootloader", "RP2040")), commands=False)
    code, _ = failure(world, good, "E66138")
    assert code == 7313
    assert not world.written


def test_a_serial_number_that_is_not_there_is_named_with_those_that_are(good: image.Image) -> None:
    code, text = failure(Simulated((ONE, TWO)), good, "E00000")
    assert code == 7311
    assert "E66138" in text


def test_no_board_at_all_is_named(good: image.Image) -> None:
    assert failure(Simulated(()), good)[0] == 7310


def test_case_27_an_image_for_the_other_chip_is_refused_before_the_boot_loader_is_entered(tmp_path: Path) -> None:
    world = Simulated()
    wrong = image.read_image(written(tmp_path / "x.uf2", program(), RP2350))
    code, text = failure(world, wrong)
    assert code == 7304
    assert "RP2350" in text
    assert world.present == {ONE.port: ONE}


def test_case_27_a_chip_that_only_its_boot_loader_names_is_still_refused(good: image.Image) -> None:
    world = Simulated((Board("drive", "", "bootloader", "RP2350"),))
    assert failure(world, good)[0] == 7304
    assert not world.written


def test_case_27_a_copy_error_with_the_drive_gone_is_success_when_the_table_says_so(good: image.Image) -> None:
    assert flash(Simulated(copy_error=True), good)[-1] == "DONE"


def test_case_27_a_copy_error_and_the_old_program_is_no_success(good: image.Image) -> None:
    code, text = failure(Simulated(copy_error=True, keeps=True), good)
    assert code == 7315
    assert "flash again" in text


def test_case_20_a_flash_that_changed_nothing_is_noticed(good: image.Image) -> None:
    assert failure(Simulated(keeps=True), good)[0] == 7315


@pytest.mark.parametrize(("step", "code"), [("DRIVE", 7313), ("WRITE", 7314), ("BOARD", 7314)])
def test_a_board_unplugged_at_any_step_ends_with_what_to_do(good: image.Image, step: str, code: int) -> None:
    world = Simulated(lost=step)
    found, text = failure(world, good)
    assert found == code
    assert "BOOTSEL" in text
    assert world.time <= DRIVE_S + BOARD_S + 1


def test_case_23_the_image_is_checked_before_anything_else(tmp_path: Path) -> None:
    size = PICO.regions["program"][1]
    world = Simulated((ONE, TWO))
    code, _ = failure(world, image.read_image(written(tmp_path / "x.uf2", program(size + 256))))
    assert code == 7305
    assert world.present == {ONE.port: ONE, TWO.port: TWO}


def test_a_port_can_be_the_choice_too() -> None:
    assert choose([ONE, TWO], "/dev/b") is TWO
