"""Writing an image to a board: a sequence of states, each with a deadline and with words for what to do when it fails.

    CHECK -> ENTER -> DRIVE -> WRITE -> BOARD -> READ_BACK -> done

Everything that can be known is checked before the first byte: the image, the chip, and that exactly one board is meant
(field cases 23, 27, 28). The outside world - ports, drives, time - is handed in as `World`; `wheelwright.usb` has
the real one, the tests a simulated one that can be unplugged at any step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from wheelwright.errors import WheelwrightError
from wheelwright.image import Image, Layout, check_image

Found = TypeVar("Found")

POLL_S = 0.1
DRIVE_S = 30.0  # a person has to find the BOOTSEL button
BOARD_S = 20.0
BY_HAND = "unplug the board, hold its BOOTSEL button, plug it in again, and let go"


@dataclass(frozen=True)
class Board:
    """A board on the bus. `state` is `table`, `console` or `bootloader`; `serial` is the USB serial number.

    `serial` is empty in the boot loader of an RP2040, which does not tell it; then `chip` is all that is known.
    """

    port: str
    serial: str
    state: str
    chip: str


@dataclass(frozen=True)
class Answer:
    """What a table says of itself."""

    serial: str
    version: str
    program: bytes


class World(Protocol):
    """Ports, drives and time."""

    def boards(self) -> Sequence[Board]: ...
    def enter_bootloader(self, board: Board) -> bool: ...  # False: only a hand can do it
    def copy(self, image: Image, board: Board) -> None: ...  # OSError when it fails
    def ask(self, board: Board) -> Answer | None: ...  # None: it does not answer (yet)
    def now(self) -> float: ...
    def wait(self, seconds: float) -> None: ...


def choose(boards: Sequence[Board], wanted: str = "") -> Board:
    """The board meant: the one with serial number (or port) `wanted`, else the only one. Never the first by luck."""
    if wanted:
        found = [board for board in boards if wanted in (board.serial, board.port)]
        if not found:
            raise WheelwrightError(7311, wanted=wanted, known=_list(boards))
    else:
        found = list(boards)
        if not found:
            raise WheelwrightError(7310)
    if len(found) > 1:
        raise WheelwrightError(7312, known=_list(found))
    return found[0]


def _list(boards: Sequence[Board]) -> str:
    words = [f"{board.serial or 'unknown serial'} at {board.port} ({board.chip}, {board.state})" for board in boards]
    return "; ".join(words) or "none"


@dataclass(frozen=True)
class Step:
    """One line of progress: the state entered and what it means."""

    state: str
    text: str


class Flasher:
    """Flashes `image` to one board of `layout`. Iterate `steps()`; the last one is `DONE`."""

    def __init__(self, world: World, image: Image, layout: Layout, wanted: str = "") -> None:
        self.world = world
        self.image = image
        self.layout = layout
        self.wanted = wanted
        self.copy_failed = ""

    def steps(self) -> Iterator[Step]:
        """Raises E-73xx at the first thing that is wrong; before `WRITE` nothing has been written."""
        world, image = self.world, self.image
        yield Step("CHECK", f"checking {image.path.name}")
        check_image(image, self.layout)
        program = image.program_hash()
        board = choose(world.boards(), self.wanted)
        if board.chip and board.chip != image.chip:
            raise WheelwrightError(7304, path=image.path, image=image.chip, board=board.chip)
        serial = board.serial
        others = {other.port for other in world.boards()} - {board.port}

        if board.state != "bootloader":
            yield Step("ENTER", f"asking {serial} for its boot loader")
            if not world.enter_bootloader(board):
                yield Step("BY_HAND", BY_HAND)
        yield Step("DRIVE", "waiting for the boot loader's drive")
        drive = self._until(DRIVE_S, lambda: self._drive(others), 7313, advice=BY_HAND)
        if drive.chip != image.chip:
            raise WheelwrightError(7304, path=image.path, image=image.chip, board=drive.chip)

        yield Step("WRITE", f"writing {len(image.blocks) * 256 // 1024} KB; do not unplug")
        try:
            world.copy(image, drive)
        except OSError as error:
            # The drive vanishes with its last block, and some systems still wanted to write attributes to it
            # (field case 27): the board itself says below whether it has the image.
            self.copy_failed = error.strerror or str(error)

        yield Step("BOARD", "waiting for the table to start")
        reason = self.copy_failed or "it went dark"
        answer = self._until(BOARD_S, lambda: self._answer(serial, others), 7314, reason=reason)
        yield Step("READ_BACK", "reading version and program hash back")
        if answer.program != program:
            raise WheelwrightError(7315, serial=answer.serial, found=answer.program.hex()[:16], want=program.hex()[:16])
        yield Step("DONE", f"{answer.serial} runs version {answer.version}, program {program.hex()[:16]}")

    def _drive(self, others: set[str]) -> Board | None:
        """The one boot loader that was not there before; several are a choice nobody made."""
        found = [board for board in self.world.boards() if board.state == "bootloader" and board.port not in others]
        if len(found) > 1:
            raise WheelwrightError(7312, known=_list(found))
        return found[0] if found else None

    def _answer(self, serial: str, others: set[str]) -> Answer | None:
        """Of the board that was flashed: by serial number when that was known, else by being new."""
        for board in self.world.boards():
            mine = board.serial == serial if serial else board.port not in others
            if mine and board.state != "bootloader":
                return self.world.ask(board)
        return None

    def _until(self, seconds: float, look: Callable[[], Found | None], code: int, **fields: object) -> Found:
        """Waits for what `look` finds; the error `code` when the deadline has passed."""
        deadline = self.world.now() + seconds
        while True:
            found = look()
            if found is not None:
                return found
            if self.world.now() >= deadline:
                raise WheelwrightError(code, seconds=int(seconds), **fields)
            self.world.wait(POLL_S)
