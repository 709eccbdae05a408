"""A board on a pty whose boot loader is a folder: what `wheelwright.flashing.usb` sees of a Pico, unplugged at will."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tabletop.digest import hmac_sha256
from tabletop.link import schema
from tabletop.link.endpoint import Refused
from wheelwright.flashing import image, usb
from wheelwright.flashing.flash import Board
from wheelwright.ports import Candidate

from tests.unit.link_line import Journal
from tests.unit.link_table import ServedOnPty

KEY = bytes(range(32))
SERIAL = "E66138935F6A8A28"
NONCE = bytes(16)


class FakeBoard:
    """Runs `program` (its hash) as a table, or waits in its boot loader. `lost` is where it is unplugged: ENTER, DRIVE,
    WRITE, BOARD; `keeps` is a flash that takes nothing."""

    def __init__(self, folder: Path, *, serial: str = SERIAL, lost: str = "", keeps: bool = False,
                 key_turned: bool = True, table: str = "W-000001") -> None:  # fmt: skip
        self.serial, self.lost, self.keeps, self.key_turned = serial, lost, keeps, key_turned
        self.drive = folder / f"RPI-RP2-{serial}"
        self.words: dict[str, Any] = {"serial": table, "program": b"old" + bytes(29)}
        self.written: bytes | None = None
        self.asked: list[str] = []
        self.leaving = False
        self.tilts: list[int] = []
        self.served: ServedOnPty | None = None
        self.power_on()

    def power_on(self) -> None:
        self.served = ServedOnPty(Journal(9), **self.words)
        self.served.table = self  # type: ignore[assignment]
        self.served.restart()
        self.served.__enter__()

    def __call__(self, name: str, args: dict[str, Any], origin: list[int]) -> dict[str, Any]:
        """A command of the link."""
        if name == "STATUS":
            return {"phase": "READY", "test": False, "tilts": self.tilts, "round": 0, "first": 1, "last": 9,
                    "anchored": 0, "free": 100, "uptime_ms": 5000, "moving": False, "homed": True,
                    "section": 0}  # fmt: skip
        if name == "CHALLENGE":
            return {"nonce": NONCE}
        assert name == "RESTART", name
        if args["mac"] != hmac_sha256(KEY, schema.to_sign(NONCE, schema.number_of(name), args)):
            raise Refused(1008)
        if not self.key_turned:
            raise Refused(1009)
        self.asked.append(args["reason"])
        self.leaving = True
        return {}

    def look(self) -> None:
        """What has become of the board since: asked for its boot loader, it leaves its port and is a drive."""
        if self.leaving:
            self.leaving = False
            self.unplug()
            if self.lost != "DRIVE":
                self.bootloader()

    def bootloader(self) -> None:
        self.drive.mkdir()
        (self.drive / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")

    def unplug(self) -> None:
        if self.served:
            self.served.pull_the_plug()
            self.served = None
        shutil.rmtree(self.drive, ignore_errors=True)

    def take(self, path: Path) -> None:
        """The last block has come: the drive goes, the new program starts."""
        self.written = path.read_bytes()
        if not self.keeps:
            self.words["program"] = image.read_image(path).program_hash()
        self.unplug()
        self.tilts = [42]
        if self.lost != "BOARD":
            self.power_on()

    def candidates(self) -> list[Candidate]:
        self.look()
        if not self.served:
            return []
        return [Candidate(self.served.address, self.serial, "WHEEL_PICO", usb.RASPBERRY_PI, 5)]


class Bench(usb.Usb):
    """The tool's own world, on fake boards; its clock goes on only while it waits."""

    def __init__(self, boards: list[FakeBoard], port: str = "", drive: str = "", key: bytes = b"", **more: Any) -> None:
        self.fakes = boards
        self.time = 0.0
        super().__init__(port, drive, key, serial_ports=lambda: [one for fake in boards for one in fake.candidates()],
                         folders=lambda: [fake.drive for fake in boards], **more)  # fmt: skip

    def enter_bootloader(self, board: Board) -> bool:
        for fake in self.fakes:
            if fake.lost == "ENTER":
                fake.unplug()
        return super().enter_bootloader(board)

    def copy(self, found: image.Image, board: Board) -> None:
        fake = next(fake for fake in self.fakes if str(fake.drive) == board.port)
        if fake.lost == "WRITE":
            fake.unplug()
        super().copy(found, board)
        fake.take(fake.drive / found.path.name)

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += seconds
