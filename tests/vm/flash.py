"""A NOR flash for tests: counts operations, refuses what real flash cannot do, and shows what a power cut leaves.

Programming clears bits of one blank 256-byte page; an erase sets a 4096-byte sector to FF. `before(op, address, data)`
is called before every change, so that a test can look at what the flash would hold if the power went at that moment:
`half_done` makes that image. A sector whose erase was cut stays `weak`, even if it looks blank, until it is erased
whole; programming it is an error of the journal, like programming a page twice with anything but zeros.
"""

PAGE = 256
SECTOR = 4096
BLANK = b"\xff" * PAGE
PROGRAM_CUTS = ("before", "1 byte", "40 bytes", "half", "all but 1 byte", "some bits", "all but 1 bit", "done")
ERASE_CUTS = ("before", "first half", "second half", "mixture", "rising bits", "all zero", "blank", "done")


class PowerCut(Exception):
    pass


class Dice:
    """Repeatable numbers on both interpreters (a 32-bit xorshift; for tests only)."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 88172645) & 0xFFFFFFFF or 1

    def below(self, n):
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return (x >> 3) % n

    def bytes(self, n):
        out = bytearray(n)
        for i in range(n):
            out[i] = self.below(256)
        return out


class Flash:
    page = PAGE
    sector = SECTOR

    def __init__(self, sectors):
        self.data = bytearray(sectors * SECTOR)
        self.new(sectors)

    def new(self, sectors):
        """As from the maker: every bit erased, `sectors` sectors in use of those there is memory for."""
        self.sectors = sectors
        for at in range(0, len(self.data), PAGE):
            self.data[at : at + PAGE] = BLANK
        self.weak = set()
        self.reads = self.programs = self.erases = 0
        self.before = None
        return self

    def copy_to(self, other):
        other.data[:] = self.data
        other.sectors = self.sectors
        other.weak = set(self.weak)
        other.before = None
        return other

    def copy(self):
        return self.copy_to(Flash(len(self.data) // SECTOR))

    def read(self, address, buf):
        assert address + len(buf) <= self.sectors * SECTOR, "read behind the end"
        self.reads += 1
        buf[:] = memoryview(self.data)[address : address + len(buf)]

    def program(self, address, buf):
        assert address % PAGE == 0
        assert len(buf) == PAGE
        assert address // SECTOR not in self.weak, "programmed into a sector that was not erased to the end"
        assert blank(self.data, address, PAGE) or not any(buf), "programmed a page that is not blank"
        if self.before:
            self.before("program", address, buf)
        self.programs += 1
        self.data[address : address + PAGE] = buf

    def erase(self, sector):
        if self.before:
            self.before("erase", sector * SECTOR, None)
        self.erases += 1
        start = sector * SECTOR
        for at in range(start, start + SECTOR, PAGE):
            self.data[at : at + PAGE] = BLANK
        self.weak.discard(sector)


def blank(data, start, length):
    return all(data[at:at + PAGE] == BLANK for at in range(start, start + length, PAGE))


def half_done(image, op, address, data, how, dice):
    """Changes `image`, a copy of the flash, into what is left when the power goes during the operation."""
    if how == "before":
        return
    if op == "program":
        if how == "1 byte":
            image.data[address : address + 1] = bytes(data[:1])
        elif how == "40 bytes":
            image.data[address : address + 40] = bytes(data[:40])
        elif how == "half":
            image.data[address : address + PAGE // 2] = bytes(data[: PAGE // 2])
        elif how == "some bits":
            for i in range(PAGE):
                image.data[address + i] = data[i] | dice.below(256)
        else:
            image.data[address : address + PAGE] = bytes(data)
            last = PAGE - 1
            while data[last] == 0xFF:
                last -= 1
            if how == "all but 1 byte":
                image.data[address + last] = 0xFF
            elif how == "all but 1 bit":
                bit = dice.below(last * 8 + 8)
                while data[bit // 8] >> bit % 8 & 1:
                    bit = dice.below(last * 8 + 8)
                image.data[address + bit // 8] |= 1 << bit % 8
        return
    half_erased(image, address, how, dice)


def half_erased(image, start, how, dice):
    image.weak.add(start // SECTOR)
    if how == "done":
        image.weak.discard(start // SECTOR)
    for at in range(start, start + SECTOR, PAGE):
        page = bytearray(image.data[at : at + PAGE])
        first = at < start + SECTOR // 2
        if how == "blank" or how == "done" or how == ("first half" if first else "second half"):
            page[:] = BLANK
        elif how == "all zero":
            page = bytearray(PAGE)
        elif how == "rising bits":
            for i in range(PAGE):
                page[i] |= dice.below(256) & dice.below(256)
        elif how == "mixture":  # page by page: rubbish, one bit risen, as it was, blank
            fate = dice.below(4)
            if fate == 0:
                page = dice.bytes(PAGE)
            elif fate == 1:
                page[dice.below(PAGE)] |= 1 << dice.below(8)
            elif fate == 2:
                page[:] = BLANK
        image.data[at : at + PAGE] = page
