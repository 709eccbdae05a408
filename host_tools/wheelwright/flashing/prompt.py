"""The MicroPython prompt of a board, through mpremote: files, and what the board says of itself."""

from __future__ import annotations

import ast
import contextlib
import io
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mpremote.transport import Transport, TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport
from serial import SerialException

from wheelwright.errors import WheelwrightError
from wheelwright.flashing.image import MICROPYTHON

ANSWER_S = 30.0  # without a byte; a board hashes its whole program in one answer
ENTER_S = 2.0
QUIET_S = 0.2
RAW = b"\x01"
BANNER = b"raw REPL; CTRL-B to exit\r\n"
BY_HAND = ("turn the service key, hold VOID and NO MORE BETS, press the reset button (RUN, pin 30 of the module) "
           "or power up, then give the command again")
LITTLEFS_OWN = 2  # blocks of an empty file system
_OVERLAY = "from tabletop.hal.rp2 import overlay"
_WHO = "(sys.implementation[0], tuple(sys.implementation[1])[:3])"
_MAKE = """
import os
p = ""
for part in %r.split("/")[1:]:
    p += "/" + part
    try: os.stat(p)
    except OSError: os.mkdir(p)
"""
_REMOVE = """
import os
def remove(path):
    try: kind = os.stat(path)[0]
    except OSError: return
    if kind & 0x4000:
        for entry in os.ilistdir(path): remove(path + "/" + entry[0])
        os.rmdir(path)
    else: os.remove(path)
remove(%r)
"""
_FOLDERS = """
import os
try: print([entry[0] for entry in os.ilistdir(%r) if entry[1] & 0x4000])
except OSError: print([])
"""
_FORMAT = """
import rp2, vfs
from wheel_build import REGIONS
device = rp2.Flash(start=0, len=REGIONS["files"][1])
try: vfs.umount("/")
except OSError: pass
vfs.VfsLfs2.mkfs(device, progsize=256)
vfs.mount(vfs.VfsLfs2(device, progsize=256), "/")
"""


class _Board(SerialTransport):  # type: ignore[misc]
    """mpremote's own patience of 10 s is fixed."""

    def exec_raw(self, command: str, timeout: float | None = None, data_consumer: Any = None) -> Any:
        return super().exec_raw(command, ANSWER_S if timeout is None else timeout, data_consumer)

    def enter(self) -> None:
        """To the raw prompt, also when the board was asked for it before and answers several times. TransportError."""
        with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints what it heard instead
            self.enter_raw_repl(soft_reset=False, timeout_overall=ENTER_S)
        self.serial.timeout = QUIET_S
        end = time.monotonic() + ENTER_S
        while self.serial.read(1000) and time.monotonic() < end:
            pass
        self.serial.write(RAW)
        self.serial.timeout = ANSWER_S
        if not self.read_until(1, BANNER, timeout_overall=ENTER_S).endswith(BANNER):
            raise TransportError("no steady prompt")


class Raised(WheelwrightError):
    """Code on the board raised; the board is still there."""


class Prompt:
    """`deploy.Files` of the board at `port`, at its raw prompt."""

    def __init__(self, port: str, board: Transport) -> None:
        self.port = port
        self._board = board
        self._doing = "beginning"

    @classmethod
    def open(cls, port: str) -> Prompt:
        """E-7005; E-7330: no prompt; a running table takes the question for noise."""
        try:
            board = _Board(port, timeout=ENTER_S)
        except (TransportError, OSError, SerialException) as error:
            raise WheelwrightError(7330, port=port, reason=str(error), advice="see: wheelwright doctor") from None
        except (ValueError, KeyError) as error:  # an address that pyserial does not know
            raise WheelwrightError(7005, port=port, reason=str(error)) from None
        prompt = cls(port, board)
        try:
            board.enter()
        except (TransportError, OSError, SerialException) as error:
            prompt.close()
            raise WheelwrightError(7330, port=port, reason=str(error) or "no answer", advice=BY_HAND) from None
        return prompt

    @contextmanager
    def _words(self) -> Iterator[None]:
        try:
            yield
        except TransportExecError as error:
            reason = (error.error_output.strip().splitlines() or ["it failed"])[-1]
            raise Raised(7337, port=self.port, doing=self._doing, reason=reason) from None
        except (TransportError, OSError, SerialException) as error:
            raise WheelwrightError(7337, port=self.port, doing=self._doing, reason=str(error)) from None

    def _run(self, doing: str, code: str) -> None:
        self._doing = doing
        with self._words():
            self._board.exec(code)

    def _tell(self, doing: str, expression: str) -> Any:
        self._doing = doing
        with self._words():
            return self._board.eval(expression)

    def tell(self, doing: str, setup: str, expression: str) -> Any:
        """The value of `expression` on the board after `setup`; E-7337 with what it was `doing`."""
        if setup:
            self._run(doing, setup)
        return self._tell(doing, expression)

    def report(self) -> Mapping[str, Any]:
        """What the board is. E-7331: it runs no image of ours."""
        who = self.ours()
        try:
            self._run("saying what it is", _OVERLAY)
            facts: Mapping[str, Any] = self._tell("saying what it is", "overlay.report()")
        except Raised as error:  # our module is absent, or cannot be loaded
            raise WheelwrightError(7331, port=self.port, reason=f"{who}: {error.fields['reason']}") from None
        return facts

    def ours(self) -> str:
        """`MicroPython 1.25.0` under an image of ours. E-7331: it is another, or the image is not ours."""
        self._run("saying what it is", "import sys")
        name, version = self._tell("saying what it is", _WHO)
        who = f"{'MicroPython' if name == 'micropython' else name} {_words(version)}"
        oldest, newest = MICROPYTHON
        if name != "micropython" or not oldest <= tuple(version[:2]) <= newest:
            raise WheelwrightError(7331, port=self.port, reason=f"it runs {who}, an image is built on MicroPython "
                                   f"{_words(oldest)} to {_words(newest)}")  # fmt: skip
        try:
            self._run("saying what it is", "import wheel_build")
        except Raised as error:
            raise WheelwrightError(7331, port=self.port, reason=f"{who}: {error.fields['reason']}") from None
        return who

    def room(self) -> tuple[int, int]:
        """Free blocks of a file system that `format` would make, and bytes of a block."""
        self._run("telling its region of files", "from wheel_build import REGIONS\nimport rp2\n"
                  "device = rp2.Flash(start=0, len=REGIONS['files'][1])")  # fmt: skip
        blocks, block = self._tell("telling its region of files", "(device.ioctl(4, 0), device.ioctl(5, 0))")
        return int(blocks) - LITTLEFS_OWN, int(block)

    def program(self) -> str:
        """Hash of image and modules, in hex, as a table that starts now will report it."""
        self._run("hashing its program", f"{_OVERLAY}\noverlay.modules.clear()\n"
                  "overlay.modules.update(overlay.whole(overlay.image_hash()))\n"
                  "from tabletop.hal.rp2 import program\nimport hashlib\nsha = hashlib.sha256()\n"
                  "for _, data in program.chunks(): sha.update(data)")  # fmt: skip
        return bytes(self._tell("hashing its program", "sha.digest()")).hex()

    def hash(self, path: str) -> str:
        self._run(f"reading {path}", _OVERLAY)
        return str(self._tell(f"reading {path}", f"overlay.file_hash({path!r})"))

    def folders(self, folder: str) -> list[str]:
        self._doing = f"listing {folder}"
        with self._words():
            out = self._board.exec(_FOLDERS % folder)
        return [str(name) for name in ast.literal_eval(out.decode())]

    def make_folder(self, path: str) -> None:
        self._run(f"making {path}", _MAKE % path)

    def write(self, path: str, data: bytes) -> None:
        self._doing = f"writing {path}"
        with self._words():
            self._board.fs_writefile(path, data)

    def rename(self, path: str, to: str) -> None:
        self._run(f"renaming {path}", f"import os\nos.rename({path!r}, {to!r})")

    def remove(self, path: str) -> None:
        self._run(f"removing {path}", _REMOVE % path)

    def run(self, code: str) -> str:
        """What `code` prints on the board; E-7337 with the last line of its traceback."""
        self._doing = "running a piece of code"
        with self._words():
            return bytes(self._board.exec(code)).decode(errors="replace").replace("\r\n", "\n")

    def format(self) -> None:
        """Makes an empty file system in the region of files; no other region can be reached by it."""
        self._run("making a file system", _FORMAT)

    def restart(self) -> None:
        """Starts the board anew: the table runs."""
        self._doing = "restarting"
        with self._words():
            self._board.exec_raw_no_follow("import machine\nmachine.reset()")

    def close(self) -> None:
        with contextlib.suppress(OSError, SerialException):
            self._board.close()

    def __enter__(self) -> Prompt:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _words(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
