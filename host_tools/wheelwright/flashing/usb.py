"""The real world of `wheelwright flash`: USB serial ports, the boot loader's drive, and time."""

from __future__ import annotations

import os
import shutil
import string
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from wheelwright.errors import WheelwrightError
from wheelwright.flashing.flash import Answer, Board
from wheelwright.flashing.image import Image, layouts
from wheelwright.flashing.plugging import Plugging
from wheelwright.link import Client
from wheelwright.ports import Candidate, candidates, open_port
from wheelwright.supervising import command

RASPBERRY_PI = 0x2E8A
ASK_S = 2.0
CONSOLE_S = 0.5
PICOTOOL_S = 120.0
RAW_REPL = b"raw REPL"
INTERRUPT_AND_RAW = b"\r\x03\x01"  # a table takes this for noise
BOOTLOADER = b"import machine\nmachine.bootloader()\n\x04"
LABELS = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}  # of the boot loaders' drives, and Board-ID in their INFO_UF2.TXT
BY_LABEL = Path("/dev/disk/by-label")
GONE = 7006


def chip_of_drive(info: str) -> str:
    """RP2040 or RP2350 from the text of INFO_UF2.TXT; empty for any other board's drive."""
    for line in info.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Board-ID":
            return LABELS.get(value.strip(), "")
    return ""


def chip_of_product(product: str | None) -> str:
    """The chip of a board that says its name on USB; empty when it is no board of ours."""
    found = layouts().get((product or "").split(" - ")[0])
    return found.chip if found else ""


def mounts() -> list[Path]:
    """Folders at which drives may be mounted."""
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").glob("*"))
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    return [Path(line.split()[1].replace("\\040", " ")) for line in lines if " vfat " in line]


class Usb:
    """`flash.World` of this computer. `port` and `drive` are looked at even when no USB device has them.

    With `key`, the device key, a running table is asked for its boot loader; without, only a console can be.
    """

    def __init__(self, port: str = "", drive: str = "", key: bytes = b"", *,
                 serial_ports: Callable[[], Sequence[Candidate]] = candidates,
                 folders: Callable[[], Sequence[Path]] = mounts, labels: Path = BY_LABEL) -> None:  # fmt: skip
        self._port = port
        self._named = drive
        self._key = key
        self._serial_ports = serial_ports
        self._folders = folders
        self._labels = labels
        self._picotool = shutil.which("picotool")
        self._plugging: Plugging | None = None

    @property
    def has_key(self) -> bool:
        """Whether a running table can be asked to restart."""
        return bool(self._key)

    def boards(self) -> Sequence[Board]:
        """Serial ports with Raspberry Pi's USB id, and boot loaders."""
        ports = [port for port in self._serial_ports() if port.vendor == RASPBERRY_PI]
        ports.sort(key=lambda port: (len(port.address), port.address))
        # of a board with two ports the second is the link, beside its console (tabletop.hal.rp2.ports)
        links = {port.serial_number or port.address: port for port in ports}
        found = [Board(port.address, port.serial_number, "table", chip_of_product(port.description))
                 for port in links.values()]
        if self._port and all(board.port != self._port for board in found) and self._is_there(self._port):
            found.append(Board(self._port, "", "table", ""))
        return found + self._bootloaders()

    @staticmethod
    def _is_there(port: str) -> bool:
        return "://" in port or Path(port).exists()

    def _bootloaders(self) -> list[Board]:
        found, mounted = [], set()
        for folder in dict.fromkeys([Path(self._named)] if self._named else self._folders()):
            try:
                chip = chip_of_drive((folder / "INFO_UF2.TXT").read_text(encoding="utf-8", errors="replace"))
            except OSError:
                continue
            if chip:
                mounted.add(chip)
                found.append(Board(str(folder), "", "bootloader", chip))
        for label, chip in LABELS.items():
            device = self._labels / label
            if not self._named and chip not in mounted and device.exists():
                found.append(Board(str(device), "", "bootloader" if self._picotool else "unmounted", chip))
        return found

    def enter_bootloader(self, board: Board) -> bool:
        """Tells the table, with the device key, or the console. False: it takes a hand. Refused: the table will not."""
        try:
            return self.restart(board, "UPDATE") or self._ask_console(board)
        except WheelwrightError as error:
            if error.code == GONE:
                raise WheelwrightError(7317, port=board.port, reason=error.fields.get("reason", "?")) from None
            raise

    def restart(self, board: Board, reason: str) -> bool:
        """Has the table start anew (`RESTART`); False without a key, or when no table answers."""
        if not self._key:
            return False
        try:
            table = Client.open(board.port, ASK_S)
        except WheelwrightError as error:
            if error.code == 7004:  # silent: it may be at its console
                return False
            raise
        with table:
            command(table, self._key, "RESTART", reason=reason)
        return True

    @staticmethod
    def _ask_console(board: Board) -> bool:
        port = open_port(board.port)
        try:
            port.write(INTERRUPT_AND_RAW)
            heard, end = b"", time.monotonic() + CONSOLE_S
            while RAW_REPL not in heard:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                heard = (heard + port.read(left))[-1000:]
            port.write(BOOTLOADER)
            return True
        finally:
            port.close()

    def copy(self, image: Image, board: Board) -> None:
        """Writes the file and waits until the system has handed it to the board; picotool where no drive is mounted."""
        if board.port.startswith(str(self._labels)) and self._picotool:
            run = subprocess.run([self._picotool, "load", "-v", "-x", str(image.path)], capture_output=True, text=True,
                                 timeout=PICOTOOL_S, check=False)  # fmt: skip
            if run.returncode:
                said = (run.stderr or run.stdout).strip().splitlines()
                raise OSError(run.returncode, f"picotool: {said[-1] if said else 'it failed'}")
            return
        with open(Path(board.port) / image.path.name, "wb", buffering=0) as file:
            left = memoryview(image.path.read_bytes())
            while left:
                left = left[file.write(left):]
            os.fsync(file.fileno())

    def ask(self, board: Board) -> Answer | None:
        """Serial number, version, program and journal's end of the table; None while it does not answer."""
        try:
            with Client.open(board.port, ASK_S) as table:
                status = table.call("STATUS")
                hello = table.hello
                return Answer(hello.serial, hello.version, hello.program, int(status["last"]), tuple(status["tilts"]))
        except WheelwrightError:
            return None

    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        if self._plugging is None:
            self._plugging = Plugging()
        self._plugging.wait(seconds)
