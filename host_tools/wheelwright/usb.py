"""The real world of `wheelwright flash`: USB serial ports, the boot loader's drive, and time."""

from __future__ import annotations

import os
import string
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import serial
from serial.tools import list_ports

from wheelwright.errors import WheelwrightError
from wheelwright.flash import Answer, Board
from wheelwright.image import Image, layouts
from wheelwright.link import Client

RASPBERRY_PI = 0x2E8A
ASK_S = 2.0
CONSOLE_S = 0.5
RAW_REPL = b"raw REPL"
BOOTLOADER = b"import machine\nmachine.bootloader()\n\x04"


def chip_of_drive(info: str) -> str:
    """RP2040 or RP2350 from the text of INFO_UF2.TXT; empty for any other board's drive."""
    for line in info.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Board-ID":
            return {"RPI-RP2": "RP2040", "RP2350": "RP2350"}.get(value.strip(), "")
    return ""


def chip_of_product(product: str | None) -> str:
    """The chip of a board that says its name on USB; empty when it is no board of ours."""
    found = layouts().get(product or "")
    return found.chip if found else ""


def mounts() -> list[Path]:
    """Folders at which drives may be mounted."""
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").glob("*"))
    try:
        lines = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return []
    return [Path(line.split()[1].replace("\\040", " ")) for line in lines if " vfat " in line]


class Usb:
    """`flash.World` of this computer."""

    def boards(self) -> Sequence[Board]:
        """Serial ports with Raspberry Pi's USB id, and boot loader drives."""
        found = [Board(port.device, port.serial_number or "", "table", chip_of_product(port.product))
                 for port in list_ports.comports() if port.vid == RASPBERRY_PI]
        for folder in mounts():
            try:
                chip = chip_of_drive((folder / "INFO_UF2.TXT").read_text(errors="replace"))
            except OSError:
                continue
            if chip:
                found.append(Board(str(folder), "", "bootloader", chip))
        return found

    def enter_bootloader(self, board: Board) -> bool:
        """Only the console can be told; a running table is sent to its boot loader by hand."""
        try:
            with serial.Serial(board.port, timeout=CONSOLE_S, write_timeout=CONSOLE_S, exclusive=True) as port:
                port.write(b"\r\x03\x01")  # a table takes this for noise
                if RAW_REPL not in port.read(400):
                    return False
                port.write(BOOTLOADER)
                return True
        except (OSError, serial.SerialException) as error:
            raise WheelwrightError(7006, port=board.port, reason=str(error)) from error

    def copy(self, image: Image, board: Board) -> None:
        """Writes the file and waits until the system has handed it to the board."""
        with open(Path(board.port) / image.path.name, "wb", buffering=0) as file:
            file.write(image.path.read_bytes())
            os.fsync(file.fileno())

    def ask(self, board: Board) -> Answer | None:
        """Serial number, version and program of the table; None while it does not answer."""
        try:
            with Client.open(board.port, ASK_S) as table:
                return Answer(table.hello.serial, table.hello.version, table.hello.program)
        except WheelwrightError:
            return None

    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
