"""An emulated chip at its console: runs pieces of MicroPython on it, with everything else of a table on its pins.

The emulator runs only inside `run` and `pass_ms`, so a test has it standing still in between.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mpremote.transport import Transport

from tests.conftest import Failed
from tests.emulated.table import IMAGE, EmulatedTable

RAW, END = b"\x01", b"\x04"
LONGEST_S = 240.0


class ChipConsole:
    """A started chip in raw REPL. Keywords are those of `EmulatedTable`."""

    def __init__(self, image: Path = IMAGE, **options: Any) -> None:
        self.loop = asyncio.new_event_loop()
        self.table = EmulatedTable(image, **options)
        self.received = bytearray()
        self.table.bytes_out = self.received.extend
        self.table.ask_for_console()
        self.loop.run_until_complete(self.table.start())
        self.enter()

    def enter(self) -> None:
        """Into the raw REPL of a chip that is starting; what it says before the host listens is lost, so ask again."""
        self.received.clear()
        deadline = self.table.ms + 2000
        while b">>> " not in self.received:
            if self.table.ms > deadline:
                raise TimeoutError("the console does not answer")
            self.table.send(b"\r\n")
            self.pass_ms(20)
        self.until(lambda: b"exit\r\n>" in self.received, RAW.decode())

    def until(self, done: Callable[[], bool], send: str = "") -> None:
        """Runs the emulator until `done`."""
        self.table.send(send.encode())
        self.loop.run_until_complete(self._until(done))

    async def _until(self, done: Callable[[], bool]) -> None:
        deadline = self.loop.time() + LONGEST_S
        while not done():
            await asyncio.sleep(0)
            if self.table.error is not None:
                raise RuntimeError("the emulator stands still") from self.table.error
            if self.loop.time() > deadline:
                raise TimeoutError(f"after {LONGEST_S} s: {bytes(self.received[-400:])!r}")

    def pass_ms(self, ms: float) -> None:
        end = self.table.ms + ms
        self.until(lambda: self.table.ms >= end)

    def run(self, code: str) -> str:
        """Runs `code` on the chip; what it printed. Failed with the traceback when it raised."""
        self.start(code)
        return self.finish()

    def start(self, code: str) -> None:
        """Hands `code` over and lets it begin; `finish` waits for its end."""
        self.received.clear()
        self.until(lambda: b"OK" in self.received, code + END.decode())

    def finish(self) -> str:
        self.until(lambda: self.received.count(END) >= 2)
        out, error, _ = bytes(self.received).partition(b"OK")[2].split(END, 2)
        self.received.clear()
        if error:
            raise Failed(out.decode() + error.decode())
        return out.decode().replace("\r\n", "\n")

    def close(self) -> None:
        self.table.stop()
        self.loop.run_until_complete(asyncio.sleep(0.05))
        self.loop.close()


class Console(Transport):  # type: ignore[misc]
    """mpremote's file functions over the emulated chip's prompt."""

    def __init__(self, chip: ChipConsole) -> None:
        self.chip = chip

    def exec(self, command: str, data_consumer: Any = None) -> bytes:
        return self.chip.run(command).encode()

    def eval(self, expression: str) -> Any:
        return ast.literal_eval(self.chip.run(f"print(repr({expression}))").strip())
