"""Starts `tests.emulated.serve` in a process of its own and waits until the table on the chip runs."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from wheelwright import round_trip, session
from wheelwright.hand import Hand

from tests.conftest import ROOT

START_S = 300.0  # an emulated second costs up to a minute on a busy machine


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """A host as patient as emulated time is slow, and only for so long.

    At its usual pace it would say HELLO again before the chip has read the first, and give up after what is a tenth of
    a second for the chip.
    """
    defaults = session.Session.__init__.__kwdefaults__
    assert defaults is not None
    with (
        patch.object(session, "HELLO_EVERY_S", 10.0),
        patch.multiple(round_trip, FIRST_S=5.0, MOST_S=30.0),
        patch.dict(defaults, tries=20),
    ):
        yield


class Process:
    """An emulated table: `.address` (link), `.hand`. `options` are those of serve (`flash="x.bin"`, `console=True`)."""

    def __init__(self, log: Path, **options: str | int | bool) -> None:
        words = [sys.executable, "-m", "tests.emulated.serve"]
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
        self._patience = contextlib.ExitStack()
        self._patience.enter_context(patience())
        self._log = log.open("w")
        self.log = log
        self.process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=self._log)
        self.address, self.hand_address, self.serial = self._ready()
        self.hand = Hand(self.hand_address)

    def _ready(self) -> tuple[str, str, str]:
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], START_S)
        line = self.process.stdout.readline() if readable else b""
        if not line:
            self.process.kill()
            raise RuntimeError(f"the emulator did not start: {self.log.read_text()[-2000:]}")
        ready = json.loads(line)
        return ready["link"], ready["hand"], ready["serial"]

    def until(self, what: str, seconds: float = START_S) -> dict[str, object]:
        """Waits until one of the displays shows `what`; the lights then."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            lights = self.hand("lights", timeout=60)
            if what in lights["digits"]:
                return lights
            time.sleep(0.2)
        raise TimeoutError(f"no display showed {what} within {seconds} s; they show {lights['digits']}")

    def blank(self) -> None:
        """Forgets what the displays show, as a spark would: what is seen next is new."""
        self.hand("upset")

    def run_for(self, ms: float, seconds: float = START_S) -> None:
        """Lets emulated time pass."""
        end = self.hand("state", timeout=60)["ms"] + ms
        deadline = time.monotonic() + seconds
        while self.hand("state", timeout=60)["ms"] < end:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{ms} emulated ms took longer than {seconds} s")
            time.sleep(0.05)

    def close(self) -> None:
        self._patience.close()
        with contextlib.suppress(OSError):
            self.hand.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._log.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
