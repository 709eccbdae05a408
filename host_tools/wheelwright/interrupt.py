"""Ctrl-C as a wish: the first one is heard at the next safe place, a second one stops at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heard(tell: Callable[[KeyboardInterrupt], None]) -> Iterator[None]:
    """While inside, the first Ctrl-C calls `tell` (it must be safe in a signal handler) instead of raising."""
    asked = False

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        tell(KeyboardInterrupt())

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
