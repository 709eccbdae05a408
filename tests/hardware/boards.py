"""Real boards as the tests see them: a chip at its prompt, and its pins."""

from __future__ import annotations

from wheelwright.flashing.prompt import Prompt, Raised

from tests.conftest import Failed


class Chip:
    """A board at its prompt; `run` as of the emulated one (`tests.emulated.console.ChipConsole`)."""

    def __init__(self, port: str) -> None:
        self._prompt = Prompt.open(port)

    def run(self, code: str) -> str:
        """What `code` printed; Failed with the last line of its traceback."""
        try:
            return self._prompt.run(code)
        except Raised as raised:
            raise Failed(str(raised.fields["reason"])) from None

    def reset(self) -> None:
        self._prompt.restart()

    def close(self) -> None:
        self._prompt.close()


class ChipPins:
    """Pins of a board at its prompt."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        chip.run("from machine import Pin")

    def drive(self, pin: int, level: int) -> None:
        self.chip.run(f"Pin({pin}, Pin.OUT, value={level})")

    def release(self, pin: int) -> None:
        self.chip.run(f"Pin({pin}, Pin.IN)")

    def level(self, pin: int) -> int:
        return int(self.chip.run(f"print(Pin({pin}, Pin.IN, Pin.PULL_UP).value())"))


