"""Virtual tables: starts the firmware on the MicroPython VM, and moves its wheel, buttons and keys.

    with VirtualTable() as table:
        client = Client.open(table.address)
        table.hand("spin", speed_mturns_s=900)

`wheelwright.hand.Hand` alone attaches to a table that already runs (`wheelwright sim` prints its address).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import tabletop

from wheelwright import json_text
from wheelwright.bridge import PtyBridge
from wheelwright.compiling.compiled import program
from wheelwright.errors import WheelwrightError
from wheelwright.hand import Hand, Order

HEAP = "200k"
BONUS_HEAP = "304k"  # of a table with a bonus game: decision 50
BENCH_HEAP = "256k"  # of one that is tested: its faults, and what its hand tells, are no code of a real table
START_S = 20.0


def micropython() -> str:
    """The MicroPython program: `$MICROPYTHON`, else the one beside this Python, else on the path. E-7201."""
    named = os.environ.get("MICROPYTHON")
    if named:
        found = shutil.which(named)
    else:
        beside = Path(sys.executable).parent / "micropython"
        found = str(beside) if beside.exists() else shutil.which("micropython")
    if found is None:
        raise WheelwrightError(7201, program=named or "micropython")
    return os.path.abspath(found)  # a table runs in a folder of its own


def _boards() -> Path:
    # As packed with the tool (pyproject.toml), or in a checkout.
    packed = Path(__file__).resolve().parent / "boards"
    return packed if packed.is_dir() else Path(tabletop.__file__).resolve().parent.parent.parent / "boards"


def board_file(name: str) -> Path:
    """The board file of a board of ours, or a path to one. E-7207."""
    path = Path(name)
    if path.suffix != ".json":
        path = _boards() / name / "board.json"
    try:
        board = json_text.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WheelwrightError(7207, board=name, reason=str(error)) from None
    if not (isinstance(board, dict) and board.get("emulated")):
        raise WheelwrightError(7207, board=name, reason="not a board for the virtual table")
    return path


class VirtualTable:
    """One table process. `options` are the firmware's own: pace, at_milli, noise, clock_ms, live, serial, cut_after ...

    `folder` keeps the flash image `flash.bin` and `table.log` (a temporary one, removed at the end, when not given).
    `address` is the port for a client: `socket://...`, or with `pty` the path of a pseudo terminal.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        board: str = "VIRTUAL",
        pty: bool = False,
        heap: str = "",
        **options: int | str,
    ) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="wheelwright-") if folder is None else None
        self.folder = Path(self._temporary.name) if self._temporary else Path(folder or ".")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._board = board
        self._options = dict(options)
        self._heap = heap or (HEAP if self._game() in ("", "dreamcatcher") else BONUS_HEAP)
        self._with_pty = pty
        self._lock: int | None = None  # keeps a second table off the flash
        self._pty: PtyBridge | None = None
        self._hand: Hand | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.ready: Order = {}
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def _game(self) -> str:
        """The game of the table, "" where nobody names one."""
        board = json.loads(board_file(self._board).read_text(encoding="utf-8"))
        return str(self._options.get("game") or board.get("game", ""))

    @property
    def log(self) -> Path:
        """What the process wrote to its standard error."""
        return self.folder / "table.log"

    @property
    def flash(self) -> Path:
        return self.folder / "flash.bin"

    @property
    def address(self) -> str:
        return self._pty.path if self._pty else str(self.ready["link"])

    @property
    def hand_address(self) -> str:
        return str(self.ready["hand"])

    @property
    def serial(self) -> str:
        return str(self.ready["serial"])

    @property
    def hand(self) -> Hand:
        """The hand, connected at first use: `table.hand("press", button="START")`."""
        if self._hand is None:
            self._hand = Hand(self.hand_address)
        return self._hand

    def start(self) -> None:
        """Powers the table on and waits until it is ready. E-7201, E-7202, E-7203, E-7208, E-7209, E-7210."""
        lock = self._own_flash()
        arguments = {"board": board_file(self._board).resolve(), "flash": self.flash.resolve(), "tied": 1}
        environment = dict(os.environ, MICROPYPATH=".frozen")
        command = [micropython(), "-X", f"heapsize={self._heap}", "-m", "main"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command + [f"{key}={value}" for key, value in (arguments | self._options).items()],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment,
                cwd=program(),  # every module remembers the path that it came by: the shorter, the more memory
                start_new_session=True,  # Ctrl-C is for the tool, which then ends the table in order
                pass_fds=[lock],  # the flash is in use as long as the table lives, whatever became of the tool
            )  # fmt: skip
        self._lines = queue.Queue()
        threading.Thread(target=self._listen, args=(self._process, self._lines, self.log), daemon=True).start()
        self.wait_ready()
        if self._with_pty and self._pty is None:
            self._pty = PtyBridge(str(self.ready["link"]))

    def _own_flash(self) -> int:
        if self._lock is None:
            self._lock = os.open(self.folder / "flash.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WheelwrightError(7210, path=self.flash) from None
        return self._lock

    def wait_ready(self, seconds: float = START_S) -> None:
        """Waits for the line that says the table is ready; once more after each reset."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise WheelwrightError(7202, seconds=seconds, reason="no word from it", details=self.log) from None
        if line is None:
            raise self.death()
        self.ready = json.loads(line)
        for name in ("link", "hand"):  # the same ports after a restart
            self._options[name] = str(self.ready[name]).rpartition(":")[2]

    def death(self) -> WheelwrightError:
        """The error for a process that ended by itself, with the last line it wrote."""
        assert self._process is not None
        status = self._process.wait()
        tail = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        if tail and "incompatible .mpy" in tail[0]:
            return WheelwrightError(7209, program=micropython())
        return WheelwrightError(7203, status=status, reason=tail[0] if tail else "no message", details=self.log)

    def wait_end(self, seconds: float = START_S) -> int:
        """Waits for the process to end by itself; its exit code."""
        assert self._process is not None
        return self._process.wait(seconds)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Cuts the power: the process ends at this instant."""
        self._drop_hand()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._hang_up()

    def restart(self, **options: int | str) -> None:
        """Powers on again, after `kill` too: same flash, same addresses, and other `options` if given."""
        self.kill()
        self._options |= options
        self.start()

    def reset(self, reason: str = "RUN_PIN") -> None:
        """Resets the chip: the wheel stays as it is, everything else starts anew."""
        self.hand("reset", reason=reason)
        self._drop_hand()
        self.wait_ready()

    def close(self) -> None:
        """Ends the table in order and removes what was temporary."""
        if self.running and self.ready:
            with contextlib.suppress(WheelwrightError):
                self.hand("quit", 2.0)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait_end(2.0)
        self.kill()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._pty is not None:
            self._pty.close()
            self._pty = None
        if self._temporary is not None:
            self._temporary.cleanup()

    def _drop_hand(self) -> None:
        if self._hand is not None:
            self._hand.close()
            self._hand = None

    def _hang_up(self) -> None:
        assert self._process is not None
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    @staticmethod
    def _listen(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None], log: Path) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed under us
            for line in process.stdout:
                if line.startswith(b"{"):
                    lines.put(line)
                else:  # MicroPython writes tracebacks to standard output
                    with log.open("ab") as file:
                        file.write(line)
        lines.put(None)

    def __enter__(self) -> VirtualTable:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
