"""The table's clock on the chip: ticks of its microsecond timer, and an uptime that goes on where they wrap."""

import time

from tabletop.ticks import PERIOD


class Clock:
    def __init__(self, board):
        self.us = time.ticks_us
        self.ms = self.line_ms = time.ticks_ms
        self.board = board
        self._began_ms: int = time.ticks_ms()  # type: ignore[assignment]
        self._last_ms = self._began_ms
        self._periods = 0  # how often the ticks have begun again

    def _look(self) -> int:
        """The ticks now. Whoever looks less often than once in PERIOD (12.4 days) loses one of them."""
        now_ms: int = time.ticks_ms()  # type: ignore[assignment]
        if now_ms < self._last_ms:
            self._periods += 1
        self._last_ms = now_ms
        return now_ms

    def uptime_ms(self) -> int:
        now_ms = self._look()
        return self._periods * PERIOD + now_ms - self._began_ms

    def wait(self, ms: int) -> None:
        """Lets `ms` pass, or less when the link has bytes; lamps and displays are served meanwhile."""
        self._look()  # once a tick: nobody may ask for the uptime in weeks
        self.board.serve()
        for _ in self.board.bytes_come.ipoll(ms):
            return
