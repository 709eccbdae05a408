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


@contextmanager
def put_off() -> Iterator[None]:
    """Ctrl-C is raised only at the end: for a second of work, such as loading a library, that it would leave broken."""
    wishes: list[KeyboardInterrupt] = []
    with heard(wishes.append):
        yield
    if wishes:
        raise KeyboardInterrupt
