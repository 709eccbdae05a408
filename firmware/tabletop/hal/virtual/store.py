"""The journal's flash: a file that behaves as NOR flash does, and may lose power at a chosen operation.

Programming only clears bits; erasing sets a whole sector to FF. Every operation is in the file when it returns
(the file is not buffered), so a killed process is a power cut. The host's own power is not part of the model.
"""

import os

POWER_CUT = 75  # exit code of a process whose power was cut on order
PAGE = 256


def power_cut():
    """The process ends at once; what was written to the store is all that is left."""
    raise SystemExit(POWER_CUT)


class Store:
    """Block device of `sectors` sectors over the file at `path`, made filled with FF when missing.

    `cut_after` n > 0: power fails in the n-th operation from now, with `cut_percent` of its bytes done.
    """

    page = PAGE
    sector = 4096

    def __init__(self, path: str, sectors: int, cut_after: int = 0, cut_percent: int = 50):
        self.sectors = sectors
        self.cut_after = cut_after
        self.cut_percent = cut_percent
        self.calls = 0
        self.on_read = None  # called after each read
        self._page = bytearray(PAGE)
        try:
            size = os.stat(path)[6]
        except OSError:
            size = 0
        if size == 0:
            with open(path, "wb") as image:
                self._blank(image, sectors * self.sector)
        elif size != sectors * self.sector:
            raise ValueError("flash image %s has %d bytes, the board has %d" % (path, size, sectors * self.sector))
        self._file = open(path, "r+b")

    def read(self, addr: int, buf) -> None:
        """Fills `buf` from `addr`."""
        self._check(addr, len(buf))
        self._file.seek(addr)
        if self._file.readinto(buf) != len(buf):
            raise OSError("flash image is short")
        if self.on_read:
            self.on_read()

    def program(self, addr: int, buf) -> None:
        """Clears the bits of one page, or a part of it, that are 0 in `buf`."""
        n = len(buf)
        self._check(addr, n)
        if addr % PAGE + n > PAGE:
            raise ValueError("program crosses a page at %d" % addr)
        done = self._count(n)
        page = memoryview(self._page)[:done]
        self._file.seek(addr)
        self._file.readinto(page)
        for i in range(done):
            page[i] &= buf[i]
        self._file.seek(addr)
        self._file.write(page)
        if done < n or self.calls == self.cut_after:
            power_cut()

    def erase(self, sector: int) -> None:
        """Sets all bits of a sector."""
        self._check(sector * self.sector, self.sector)
        done = self._count(self.sector)
        self._file.seek(sector * self.sector)
        self._blank(self._file, done)
        if self.calls == self.cut_after:
            power_cut()

    def close(self) -> None:
        self._file.close()

    def _count(self, n: int) -> int:
        if 0 < self.cut_after <= self.calls:
            power_cut()  # somebody caught the exit: there is no power to go on with
        self.calls += 1
        return n * self.cut_percent // 100 if self.calls == self.cut_after else n

    def _check(self, addr: int, n: int) -> None:
        if addr < 0 or addr + n > self.sectors * self.sector:
            raise ValueError("no such flash address: %d" % addr)

    def _blank(self, image, n: int) -> None:
        page = self._page
        for i in range(PAGE):
            page[i] = 0xFF
        while n > 0:
            n -= image.write(page if n >= PAGE else memoryview(page)[:n])
