"""The table's clock: real time while the wheel rests, as fast as wanted while it turns.

`pace` 1 is real time, N is N times faster, 0 as fast as the table can tick. It holds while the wheel moves and
until it has settled; then the clock follows real time again, and `wait` sleeps until a socket has bytes.
"""

import time

from tabletop.const import const
from tabletop.ticks import MASK

_SETTLE_US = const(3_000_000)  # goes on at `pace` after the wheel has come to rest: longer than any settle window


class Reset(BaseException):
    """The chip restarts, and `main.py` begins anew; not an Exception, so that no part of the table can swallow it."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


class Clock:
    """Times since power-on; ticks begin at `start_ms`, so that a test can begin just before they wrap."""

    def __init__(self, wheel, doors, hand, pace: int = 1, start_ms: int = 0, watchdog_ms: int = 8000):
        self.wheel = wheel
        self.doors = doors
        self.hand = hand
        self.pace = pace
        self.start_ms = start_ms
        self.watchdog_ms = watchdog_ms
        self.start_us = start_ms * 1000
        self.hurry_until_us = _SETTLE_US  # start-up too
        self.unfed_ms = -1  # the watchdog sleeps until it is fed for the first time
        self._now_us = 0
        self._began_us = self._real_us = time.ticks_us()

    def now_us(self) -> int:
        """Microseconds since power-on."""
        if not self.hurrying():
            self._pass(1, MASK)
        elif not self.pace:
            self._real_us = time.ticks_us()
        return self._now_us

    def _pass(self, pace: int, most_us: int) -> None:
        real = time.ticks_us()
        self._now_us += min(time.ticks_diff(real, self._real_us) * pace, most_us)
        self._real_us = real

    def us(self) -> int:
        return (self.now_us() + self.start_us) & MASK

    def ms(self) -> int:
        return (self.now_us() // 1000 + self.start_ms) & MASK

    def line_ms(self) -> int:
        """Ticks for the link: whoever is at the other end lives in real time, however fast the wheel turns."""
        return (time.ticks_diff(time.ticks_us(), self._began_us) // 1000 + self.start_ms) & MASK

    def uptime_ms(self) -> int:
        return self.now_us() // 1000

    def stand_still(self) -> None:
        """The program hangs: nothing more happens until the watchdog bites."""
        self._now_us += self.watchdog_ms * 1000
        raise Reset("WATCHDOG")

    def hurry(self, ms: int) -> None:
        """Runs at `pace` for the next `ms` whatever the wheel does: somebody waits for something of the table's."""
        self.hurry_until_us = max(self.hurry_until_us, self.now_us() + ms * 1000)

    def hurrying(self) -> bool:
        return self.wheel.moving or self._now_us < self.hurry_until_us

    def work(self, ms: int = 1) -> None:
        """The watchdog counts `ms`; 1 is what a chip takes to read a page of flash, check it and hash it."""
        if self.unfed_ms >= 0:
            self.unfed_ms += ms
            if self.unfed_ms > self.watchdog_ms:
                raise Reset("WATCHDOG")

    def wait(self, ms: int) -> None:
        """Lets `ms` pass, or less when a socket has something."""
        self.work(ms)
        if self.wheel.moving:
            self.hurry_until_us = self._now_us + _SETTLE_US
        if not self.hurrying():
            self._serve(ms)
        elif self.pace == 0:
            self._serve(0)
            self._now_us += ms * 1000
        else:
            real_us = max(0, ms * 1000 // self.pace - time.ticks_diff(time.ticks_us(), self._real_us))
            self._serve(real_us // 1000)
            if real_us < 1000:
                time.sleep_us(real_us)
            # On a busy computer the table gets slow, not blind: the wheel moves no further than in a tick.
            self._pass(self.pace, ms * 1000)
        self.now_us()
        self.hand.look()

    def _serve(self, ms: int) -> None:
        if self.doors.serve(ms):
            self.hand.serve()
