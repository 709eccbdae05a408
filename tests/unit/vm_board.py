"""A board at its prompt: the Unix port of MicroPython on a pty, with littlefs on a flash that outlives it."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import tty
from pathlib import Path

from tests.conftest import ROOT

SIZE = 94 * 4096  # as the files region of WHEEL_PICO
START = '''
import os, sys, vfs
sys.path[:] = [".frozen", {tree!r}]

class Flash:
    """A file; operation `cut_at` is done by half, and none after it."""
    def __init__(self, path, cut_at):
        self.file = open(path, "r+b")
        self.operations, self.cut_at = 0, cut_at
    def readblocks(self, n, buf, offset=0):
        self.file.seek(n * 4096 + offset)
        self.file.readinto(buf)
    def writeblocks(self, n, buf, offset=0):
        self.operations += 1
        if 0 < self.cut_at < self.operations:
            raise OSError(5)
        self.file.seek(n * 4096 + offset)
        self.file.write(buf[: len(buf) // 2] if self.operations == self.cut_at else buf)
        self.file.flush()
        if self.operations == self.cut_at:
            raise OSError(5)
    def ioctl(self, what, arg):
        if what == 4: return {size} // 4096
        if what == 5: return 4096
        if what == 6:
            self.writeblocks(arg, b"\\xff" * 4096)
            return 0

flash = Flash({path!r}, {cut_at})
try:
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/flash")
except OSError:
    pass
from tabletop.hal.rp2 import overlay
overlay.FOLDER = "/flash/program"
overlay.start()
'''
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
        machine = "import sys\nmem32 = None\ndef reset(): sys.exit(0)\nbootloader = reset\n"
        (self.tree / "machine.py").write_text(machine)
        (self.tree / "wheel_build.py").write_text("VERSION, COMMIT = '1.2.3', 'abc'\n")
        self.process: subprocess.Popen[bytes] | None = None
        self.ends: tuple[int, int] = (-1, -1)
        if formatted:
            self.run(MAKE_FILES)

    def start(self, cut_at: int = 0) -> Path:
        path = self.folder / "start.py"
        path.write_text(START.format(tree=str(self.tree), path=str(self.flash), size=SIZE, cut_at=cut_at))
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
