"""Pages and sectors of the journal's flash: what is blank, and where whole records stand."""

from tabletop.journal import record

PAGE = 256  # programming unit
BLANK = b"\xff" * PAGE


class Ring:
    """A block device seen as sectors of pages, with the one buffer that every record passes through.

    The device has `.page` = 256, `.sector` (bytes) and `.sectors`; `read(address, buf)`, `program(address, page)` and
    `erase(sector)`.
    """

    def __init__(self, device):
        if device.page != PAGE or device.sector % PAGE or device.sector < record.MAX or device.sectors < 4:
            raise ValueError(
                "the journal cannot use %d sectors of %d bytes in pages of %d"
                % (device.sectors, device.sector, device.page)
            )
        self.device = device
        self.sectors = device.sectors
        self.pages = device.sector // PAGE
        self.buf = bytearray(record.MAX)
        self.view = memoryview(self.buf)
        self.size = 0  # of the record that find() found
        self._page_views = [self.view[i : i + PAGE] for i in range(0, record.MAX, PAGE)]
        self.spare = bytearray(PAGE)  # what put() reads back

    def _address(self, sector: int, page: int) -> int:
        return (sector * self.pages + page) * PAGE

    def blank(self, sector: int, page: int) -> bool:
        """True when every bit of the page is erased. Overwrites the start of the buffer."""
        view = self._page_views[0]
        self.device.read(self._address(sector, page), view)
        return view == BLANK

    def used(self, sector: int, page: int) -> int:
        """The page behind the last one that is not blank, looking from `page` on; `page` when all are blank."""
        for last in range(self.pages - 1, page - 1, -1):
            if not self.blank(sector, last):
                return last + 1
        return page

    def load(self, sector: int, page: int) -> int:
        """Reads the record that starts at this page into the buffer: its size in bytes, or 0 when no whole one does."""
        address = self._address(sector, page)
        self.device.read(address, self._page_views[0])
        size = record.size(self.buf)
        pages = (size + PAGE - 1) // PAGE
        if not size or page + pages > self.pages:
            return 0
        for i in range(1, pages):
            self.device.read(address + i * PAGE, self._page_views[i])
        return size if record.intact(self.view[:size]) else 0

    def find(self, sector: int, page: int, number: int) -> int:
        """The first page from `page` on where a whole record starts (record `number`, unless that is 0); -1 if none.

        Whole records are stepped over, so a payload is never taken for a record; anything else page by page.
        Its size is left in `self.size`, its bytes in the buffer.
        """
        while page < self.pages:
            self.size = self.load(sector, page)
            if not self.size:
                page += 1
            elif number and record.number(self.buf) != number:
                page += (self.size + PAGE - 1) // PAGE
            else:
                return page
        return -1

    def head(self, sector: int) -> int:
        """The number of the first whole record of a sector; 0 when it has none. A blank first page ends the search:
        records fill a sector from the front."""
        if self.blank(sector, 0) or self.find(sector, 0, 0) < 0:
            return 0
        return record.number(self.buf)

    def put(self, sector: int, page: int, pages: int) -> bool:
        """Programs the buffer's first pages and reads them back; False when the flash did not take them.

        Allocates nothing, so that only the flash can fail between the first byte of a record and its last.
        """
        address = self._address(sector, page)
        for i in range(pages):
            self.device.program(address + i * PAGE, self._page_views[i])
        for i in range(pages):
            self.device.read(address + i * PAGE, self.spare)
            if self._page_views[i] != self.spare:
                return False
        return True

    def strike(self, sector: int, page: int, pages: int) -> bool:
        """Clears every bit of pages that were programmed: no record starts there any more. False when one still may.

        A page that once read back wrong may read right tomorrow, and its record would then be there a second time.
        """
        address = self._address(sector, page)
        for i in range(PAGE):
            self.spare[i] = 0
        for i in range(pages):
            self.device.program(address + i * PAGE, self.spare)
        return not self.load(sector, page)
