"""A board at its prompt: the Unix port of MicroPython on a pty, with the regions of WHEEL_PICO on a flash that outlives
it and a littlefs in that of files."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import tty
from pathlib import Path

from tests.conftest import ROOT

TABLE = json.loads((ROOT / "boards" / "WHEEL_PICO" / "table.json").read_text())
REGIONS = {name: (start, size) for name, start, size in TABLE["regions"]}
BASE = REGIONS["files"][0]  # where rp2.Flash begins
SIZE = REGIONS["reserved"][0] - BASE
RP2 = '''
class Flash:
    """A part of a file; of all operations, number `cut_at` is done by half and none after it."""
    path, cut_at, operations = {path!r}, 0, 0
    def __init__(self, start=0, len={size}):
        self.file = open(self.path, "r+b")
        self.start, self.len = start, len
    def readblocks(self, n, buf, offset=0):
        self.file.seek(self.start + n * 4096 + offset)
        self.file.readinto(buf)
    def writeblocks(self, n, buf, offset=None):
        if offset is None:
            offset = 0
            self._write(n, 0, b"\\xff" * 4096)
        self._write(n, offset, buf)
    def _write(self, n, offset, buf):
        Flash.operations += 1
        cut = Flash.cut_at
        if 0 < cut < Flash.operations:
            raise OSError(5)
        self.file.seek(self.start + n * 4096 + offset)
        self.file.write(buf[: len(buf) // 2] if Flash.operations == cut else buf)
        self.file.flush()
        if Flash.operations == cut:
            raise OSError(5)
    def ioctl(self, what, arg):
        if what == 4: return self.len // 4096
        if what == 5: return 4096
        if what == 6:
            self._write(arg, 0, b"\\xff" * 4096)
            return 0
'''
MACHINE = '''
import sys
mem32 = None
def unique_id(): return bytes(range(8))
def reset(): sys.exit(0)
bootloader = reset
'''
START = '''
import os, sys, vfs
sys.path[:] = [".frozen", {tree!r}]
import rp2
rp2.Flash.cut_at = {cut_at}
from wheel_build import REGIONS
flash = rp2.Flash(0, REGIONS["files"][1])
try:
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/flash")
except OSError:
    pass
from tabletop.hal.rp2 import overlay
overlay.FOLDER = "/flash/program"
overlay.start()
'''
PROGRAM = ("from tabletop.hal.rp2 import program\nimport hashlib\nsha = hashlib.sha256()\n"
           "for _, data in program.chunks(): sha.update(data)\nprint(sha.digest().hex())")  # fmt: skip
SERIAL = ("from tabletop.hal.rp2 import identity\nfrom tabletop.hal.rp2.store import Store\n"
          "start, size = REGIONS['identity']\n"
          "print(identity.serial(identity.read(Store(start - REGIONS['files'][0], size))))")  # fmt: skip
MAKE_FILES = "vfs.VfsLfs2.mkfs(flash, progsize=256)"
IMAGE = '''def image():
    yield "flash", b"the image"
'''


class VmBoard:
    """`prompt()` starts it at its prompt and returns the port; `run(code)` starts it, runs that, and ends it."""

    def __init__(self, micropython: str, folder: Path, formatted: bool = True) -> None:
        self.micropython, self.folder = micropython, folder
        self.flash = folder / "flash.bin"
        self.flash.write_bytes(b"\xff" * SIZE)
        self.tree = folder / "tree"
        shutil.copytree(ROOT / "firmware" / "tabletop", self.tree / "tabletop")
        program = self.tree / "tabletop/hal/rp2/program.py"
        text = program.read_text()
        program.write_text(text[: text.index("def image()")] + IMAGE)
        (self.tree / "machine.py").write_text(MACHINE)
        (self.tree / "rp2.py").write_text(RP2.format(path=str(self.flash), size=SIZE))
        (self.tree / "wheel_build.py").write_text(f"VERSION, COMMIT = '1.2.3', 'abc'\nREGIONS = {REGIONS!r}\n"
                                                  f"BOARD = {TABLE!r}\n")
        self.process: subprocess.Popen[bytes] | None = None
        self.ends: tuple[int, int] = (-1, -1)
        if formatted:
            self.run(MAKE_FILES)

    def start(self, cut_at: int = 0) -> Path:
        path = self.folder / "start.py"
        path.write_text(START.format(tree=str(self.tree), cut_at=cut_at))
        return path

    def run(self, code: str) -> str:
        path = self.start()
        path.write_text(path.read_text() + code + "\n")
        done = subprocess.run([self.micropython, "-X", "heapsize=200k", str(path)], capture_output=True, text=True,
                              check=False, cwd=self.folder)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def prompt(self, cut_at: int = 0) -> str:
        far, near = self.ends = pty.openpty()
        tty.setraw(near)
        self.process = subprocess.Popen([self.micropython, "-X", "heapsize=200k", "-i", str(self.start(cut_at))],
                                        stdin=far, stdout=far, stderr=far, start_new_session=True)  # fmt: skip
        return os.ttyname(near)

    def region(self, name: str) -> bytes:
        """The content of a region of the flash."""
        start, size = REGIONS[name]
        return self.flash.read_bytes()[start - BASE : start - BASE + size]

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def power_off(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
            for end in self.ends:
                os.close(end)
