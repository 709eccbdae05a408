"""Real boards as the tests see them: a chip at its prompt, and its pins."""

from __future__ import annotations

from wheelwright.prompt import Prompt


class Chip:
    """A board at its prompt; `run` as of the emulated one (`tests.emulated.console.ChipConsole`)."""

    def __init__(self, port: str) -> None:
        self._prompt = Prompt.open(port)

    def run(self, code: str) -> str:
        """What `code` printed; WheelwrightError E-7337 with the last line of its traceback."""
        return self._prompt.run(code)

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


