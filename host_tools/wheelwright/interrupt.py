"""Ctrl-C and SIGTERM as one wish to stop: the first is heard at the next safe place, a second one stops at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from wheelwright.errors import WheelwrightError

SIGNALS = (signal.SIGINT, signal.SIGTERM)
asked: list[KeyboardInterrupt] = []  # every wish so far: a library on its way may make another error of one


class Terminated(KeyboardInterrupt):
    """The wish of a program (SIGTERM): everything unwinds as at Ctrl-C, but for the code at the end."""


def wish(number: int) -> KeyboardInterrupt:
    """What a signal asks for."""
    asked.append(Terminated() if number == signal.SIGTERM else KeyboardInterrupt())
    return asked[-1]


def stopped(by: BaseException, advice: str) -> WheelwrightError:
    """E-9902, or E-9903 where a program asked; `advice` says what became of the work."""
    return WheelwrightError(9903 if isinstance(by, Terminated) else 9902, advice=advice)


@contextmanager
def heard(tell: Callable[[KeyboardInterrupt], None]) -> Iterator[None]:
    """While inside, the first wish is given to `tell` (it must be safe in a signal handler) instead of raised."""
    asked = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise wish(number)
        asked = True
        tell(wish(number))

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def put_off() -> Iterator[None]:
    """A wish is raised only at the end: for a second of work, such as loading a library, that it would leave broken."""
    wishes: list[KeyboardInterrupt] = []
    with heard(wishes.append):
        yield
    if wishes:
        raise wishes[0]
