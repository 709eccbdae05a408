"""Writing an image to a board: a sequence of states, each with a deadline and with words for what to do when it fails.

    CHECK -> ENTER -> DRIVE -> WRITE -> BOARD -> READ_BACK -> done

Everything that can be known is checked before the first byte: the image, the chip, and that exactly one board is meant
(field cases 23, 27, 28). The outside world - ports, drives, time - is handed in as `World`; `wheelwright.flashing.usb`
has the real one, the tests a simulated one that can be unplugged at any step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from wheelwright.errors import WheelwrightError
from wheelwright.flashing.image import Image, Layout, check_image

Found = TypeVar("Found")

LOOK_S = 0.5  # a table that starts makes no event; what is plugged or mounted ends the wait at once
DRIVE_S = 30.0  # a person has to find the BOOTSEL button
BOARD_S = 20.0
PROGRAM_CHANGED = 42
BY_HAND = "unplug the board, hold its BOOTSEL button, plug it in again, and let go"


@dataclass(frozen=True)
class Board:
    """A board on the bus. `state` is `table` (its port), `bootloader` (its drive) or `unmounted` (its drive's device).

    `serial` is the USB serial number; a boot loader's drive does not tell it: then `chip` is all that is known.
    """

    port: str
    serial: str
    state: str
    chip: str


@dataclass(frozen=True)
class Answer:
    """What a table says of itself; `last` is the number of its newest journal record, `tilts` are those open."""

    serial: str
    version: str
    program: bytes
    last: int = 0
    tilts: tuple[int, ...] = ()

    def words(self) -> str:
        """Who runs what, and what is left to do when the table waits for its new program to be approved."""
        text = f"{self.serial} runs version {self.version}, program {self.program.hex()[:16]}"
        if PROGRAM_CHANGED in self.tilts:
            text += f"; T-{PROGRAM_CHANGED} until it is approved: wheelwright clear {PROGRAM_CHANGED} --port PORT"
        return text


class World(Protocol):
    """Ports, drives and time."""

    def boards(self) -> Sequence[Board]: ...
    def enter_bootloader(self, board: Board) -> bool: ...  # False: only a hand can do it
    def copy(self, image: Image, board: Board) -> None: ...  # OSError when it fails
    def ask(self, board: Board) -> Answer | None: ...  # None: it does not answer (yet)
    def now(self) -> float: ...
    def wait(self, seconds: float) -> None: ...  # at most; less when something was plugged, unplugged or mounted


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
    """Flashes `image` to one board of `layout`. Iterate `steps()`; the last one is `DONE` (of a rehearsal: `READY`).

    `wanted` is a serial number, a port or a drive; `drive` is the folder that shall be written, when it was named.
    """

    def __init__(self, world: World, image: Image, layout: Layout, wanted: str = "", drive: str = "") -> None:
        self.world = world
        self.image = image
        self.layout = layout
        self.wanted = wanted
        self.drive = drive
        self.copy_failed = ""
        self.answer: Answer | None = None  # of the table, after it was flashed
        self.board: Board | None = None

    def steps(self, rehearse: bool = False) -> Iterator[Step]:
        """Raises E-73xx at the first thing that is wrong; before `WRITE` nothing has been written."""
        world, image = self.world, self.image
        yield Step("CHECK", f"checking {image.path.name}")
        check_image(image, self.layout)
        program = image.program_hash()
        board = self.board = choose(world.boards(), self.wanted)
        if board.chip and board.chip != image.chip:
            raise WheelwrightError(7304, path=image.path, image=image.chip, board=board.chip)
        others = {other.port for other in world.boards()} - {board.port, self.drive}
        before = world.ask(board) if board.state == "table" else None
        name = f"table {before.serial} ({before.version})" if before else board.serial or board.port
        if rehearse:
            yield Step("READY", f"{image.path.name} may be written to {name} at {board.port}; nothing was written")
            return

        if board.state == "table":
            yield Step("ENTER", f"asking {name} for its boot loader")
            if not world.enter_bootloader(board):
                yield Step("BY_HAND", BY_HAND)
        yield Step("DRIVE", "waiting for the boot loader's drive")
        drive = until(world, DRIVE_S, lambda: self._drive(others), lambda: self._no_drive(others))
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
        lost = WheelwrightError(7314, seconds=int(BOARD_S), reason=reason)
        answer = until(world, BOARD_S, lambda: self._answer(board, others), lambda: lost)
        yield Step("READ_BACK", "reading version and program hash back")
        self._compare(answer, before, program)
        self.answer = answer
        yield Step("DONE", answer.words())

    def _compare(self, answer: Answer, before: Answer | None, program: bytes) -> None:
        """The table is the one that was meant, runs the image's program, and has kept its journal."""
        if before and answer.serial != before.serial:
            raise WheelwrightError(7318, found=answer.serial, serial=before.serial)
        if answer.program != program:
            raise WheelwrightError(7315, serial=answer.serial, found=answer.program.hex()[:16], want=program.hex()[:16])
        if before and answer.last < before.last:
            raise WheelwrightError(7319, serial=answer.serial, found=answer.last, last=before.last)

    def _drive(self, others: set[str]) -> Board | None:
        """The drive that was named, else the one boot loader that was not there before; of several none was chosen."""
        found = [board for board in self.world.boards() if board.state == "bootloader" and board.port not in others]
        if self.drive:
            return next((board for board in found if board.port == self.drive), None)
        if len(found) > 1:
            raise WheelwrightError(7312, known=_list(found))
        return found[0] if found else None

    def _no_drive(self, others: set[str]) -> WheelwrightError:
        for board in self.world.boards():
            if board.state == "unmounted" and board.port not in others:
                return WheelwrightError(7316, device=board.port)
        return WheelwrightError(7313, seconds=int(DRIVE_S), advice=BY_HAND)

    def _answer(self, flashed: Board, others: set[str]) -> Answer | None:
        """Of the board that was flashed: by serial number when that was known, else by being new."""
        for board in self.world.boards():
            mine = board.serial == flashed.serial if flashed.serial else board.port not in others
            if mine and board.state == "table":
                return self.world.ask(board)
        return None


def until(
    world: World, seconds: float, look: Callable[[], Found | None], late: Callable[[], WheelwrightError]
) -> Found:
    """Waits for what `look` finds; raises what `late` gives when the deadline has passed."""
    deadline = world.now() + seconds
    while True:
        found = look()
        if found is not None:
            return found
        left = deadline - world.now()
        if left <= 0:
            raise late()
        world.wait(min(LOOK_S, left))
