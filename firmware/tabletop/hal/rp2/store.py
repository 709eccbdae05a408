"""The journal's block device: a raw region of flash that no file system, no image and no `_boot` touches.

An erase masks interrupts for 45 ms typically and 400 ms at worst, while PIO and DMA go on: the caller erases only
when the wheel rests (docs/architecture.md, journal).
"""

import rp2

PAGE = 256
SECTOR = 4096
_ERASE = 6  # ioctl of the block protocol


class Store:
    """`start` is the region's offset in the storage area, in bytes; `size` a whole number of sectors."""

    page = PAGE
    sector = SECTOR

    def __init__(self, start: int, size: int):
        self.sectors = size // SECTOR
        self._flash = rp2.Flash(start=start, len=size)
        self._page = bytearray(PAGE)

    def read(self, addr: int, buf) -> None:
        """Fills `buf` from `addr`."""
        self._check(addr, len(buf))
        self._flash.readblocks(addr // SECTOR, buf, addr % SECTOR)

    def program(self, addr: int, buf) -> None:
        """Clears the bits of one page, or a part of it, that are 0 in `buf`."""
        n = len(buf)
        self._check(addr, n)
        first = addr % PAGE
        if first + n > PAGE:
            raise ValueError("program crosses a page at %d" % addr)
        if n < PAGE:  # the chip programs whole pages; bits of 1 leave a cell as it is
            page = self._page
            for i in range(PAGE):
                page[i] = 0xFF
            for i in range(n):
                page[first + i] = buf[i]
            buf = page
            addr -= first
        self._flash.writeblocks(addr // SECTOR, buf, addr % SECTOR)

    def erase(self, sector: int) -> None:
        """Sets all bits of a sector."""
        self._check(sector * SECTOR, SECTOR)
        self._flash.ioctl(_ERASE, sector)

    def _check(self, addr: int, n: int) -> None:
        if addr < 0 or addr + n > self.sectors * SECTOR:
            raise ValueError("no such flash address: %d" % addr)
