"""From a board's table to its prompt, and back to a table that answers."""

from __future__ import annotations

from wheelwright.errors import WheelwrightError
from wheelwright.flashing.flash import BOARD_S, Answer, Board, until
from wheelwright.flashing.prompt import Prompt
from wheelwright.flashing.usb import Usb

START_S = BOARD_S  # also for the prompt after RESTART


def to_prompt(world: Usb, board: Board) -> Prompt:
    """The board's prompt: asked for with the device key of `world`, else where it is already. E-7330, E-7337."""
    if not world.restart(board, "CONSOLE"):
        return Prompt.open(board.port)
    refused: list[WheelwrightError] = []

    def look() -> Prompt | None:
        for found in same(world, board):
            try:
                return Prompt.open(found.port)
            except WheelwrightError as error:
                refused.append(error)
        return None

    return until(world, START_S, look, lambda: refused[-1] if refused else WheelwrightError(
        7337, port=board.port, doing="going to its prompt", reason="it did not come back"))  # fmt: skip


def back_at_table(world: Usb, board: Board) -> Answer:
    """What the table says that has started after its prompt. E-7337."""
    lost = WheelwrightError(7337, port=board.port, doing="starting", reason=f"no table answers in {BOARD_S:.0f} s")

    def ask() -> Answer | None:
        return next(iter(filter(None, map(world.ask, same(world, board)))), None)

    return until(world, BOARD_S, ask, lambda: lost)


def same(world: Usb, board: Board) -> list[Board]:
    """Where the board is now: by serial number, else by port."""
    return [found for found in world.boards() if found.state == "table" and
            (found.serial == board.serial if board.serial else found.port == board.port)]  # fmt: skip
