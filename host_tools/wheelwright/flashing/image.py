"""Firmware images: reading and writing UF2, who an image is, and whether it may be written to a board.

Pure apart from reading the file. Everything that can be wrong with an image is found here, before a byte is written
(field cases 23 and 27). UF2 is Microsoft's published format; the end of the program is found through the Pico SDK's
"binary info", which is in every image that the SDK links.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wheelwright import json_text
from wheelwright.errors import WheelwrightError

FLASH = 0x10000000                                  # where the chips map their flash
FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350", 0xE48BFF5A: "RP2350 (RISC-V)", 0xE48BFF57: "absolute"}
MARK = b"WHEELWRIGHT-IMAGE "
MICROPYTHON = ((1, 25), (1, 29))                    # oldest and newest release that an image is built on

_BLOCK = struct.Struct("<8I476sI")
_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
_FAMILY_PRESENT = 0x2000
_NOT_MAIN_FLASH = 0x0001
_PAYLOAD = 256

_INFO_START, _INFO_END = 0x7188EBF2, 0xE71AA390      # binary info markers (pico/binary_info/defs.h)
_ID_AND_INT, _PROGRAM_END = 5, 0x68F465DE            # entry type, and the entry that holds __flash_binary_end


def write_uf2(data: bytes, family: int, base: int = FLASH) -> bytes:
    """`data`, to lie at `base`, as UF2 blocks of 256 bytes; the last is filled with zeros."""
    total = -(-len(data) // _PAYLOAD)
    blocks = []
    for number in range(total):
        chunk = data[number * _PAYLOAD:(number + 1) * _PAYLOAD].ljust(_PAYLOAD, b"\0")
        blocks.append(_BLOCK.pack(*_MAGIC[:2], _FAMILY_PRESENT, base + number * _PAYLOAD, _PAYLOAD, number, total,
                                  family, chunk.ljust(476, b"\0"), _MAGIC[2]))
    return b"".join(blocks)


@dataclass(frozen=True)
class Layout:
    """A board's flash: regions by name as (start, size), offsets from the start of flash."""

    board: str
    chip: str
    flash_bytes: int
    regions: dict[str, tuple[int, int]]

    @classmethod
    def of(cls, table: Mapping[str, object]) -> Layout:
        """From a board's table.json."""
        regions: object = table["regions"]
        assert isinstance(regions, Sequence)
        return cls(str(table["board"]), str(table["chip"]), int(str(table["flash_bytes"])),
                   {str(name): (int(start), int(size)) for name, start, size in regions})


def boards_folder() -> Path:
    """What is known of boards: packed with the tool, else the tree's own boards/."""
    here = Path(__file__).resolve().parent.parent
    packed = here / "boards"
    return packed if packed.exists() else here.parent.parent / "boards"


def layouts() -> dict[str, Layout]:
    """Every board this tool knows, by name."""
    return {path.parent.name: Layout.of(json.loads(path.read_text(encoding="utf-8")))
            for path in boards_folder().glob("*/table.json")}


@dataclass
class Image:
    """The content of one UF2 file. `blocks` maps addresses to 256-byte payloads."""

    path: Path
    family: int
    blocks: dict[int, bytes]
    identity: dict[str, str] = field(default_factory=dict)

    @property
    def chip(self) -> str:
        return FAMILIES.get(self.family, f"unknown family {self.family:#010x}")

    def ranges(self) -> list[tuple[int, int]]:
        """Address ranges written, as (first, last + 1), joined and in order."""
        out: list[tuple[int, int]] = []
        for address in sorted(self.blocks):
            end = address + len(self.blocks[address])
            if out and out[-1][1] == address:
                out[-1] = (out[-1][0], end)
            else:
                out.append((address, end))
        return out

    def data(self) -> bytes:
        """The bytes of the first range."""
        first, end = self.ranges()[0]
        return b"".join(self.blocks[address] for address in sorted(self.blocks) if first <= address < end)

    def program_hash(self) -> bytes:
        """SHA-256 of the program, first byte to last, as the table computes it over its own flash."""
        data = self.data()
        return hashlib.sha256(data[:program_length(data, self.path)]).digest()


def program_length(data: bytes, path: Path) -> int:
    """Bytes of program, from the image's own binary info; E-7306 when it has none."""
    for at in range(0, min(len(data), 0x1000) - 20, 4):
        start, first, last, _mapping, end = struct.unpack_from("<5I", data, at)
        if start == _INFO_START and end == _INFO_END:
            for slot in range(first - FLASH, last - FLASH, 4):
                entry, = struct.unpack_from("<I", data, slot)
                kind, _tag, number, value = struct.unpack_from("<HHII", data, entry - FLASH)
                if kind == _ID_AND_INT and number == _PROGRAM_END:
                    return int(value) - FLASH
    raise WheelwrightError(7306, path=path)


def read_image(path: Path) -> Image:
    """Reads a UF2 file. Raises E-7301 (absent), E-7302 (damaged) or E-7303 (made for no chip we know)."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise WheelwrightError(7301, path=path, reason=error.strerror or str(error)) from error

    def damaged(reason: str) -> WheelwrightError:
        return WheelwrightError(7302, path=path, reason=reason)

    if not raw or len(raw) % _BLOCK.size:
        raise damaged(f"{len(raw)} bytes are no whole number of 512-byte blocks")
    blocks: dict[int, bytes] = {}
    families: dict[int, int] = {}
    totals: set[int] = set()
    seen: set[int] = set()
    for index in range(len(raw) // _BLOCK.size):
        first, second, flags, address, size, number, total, family, payload, last = \
            _BLOCK.unpack_from(raw, index * _BLOCK.size)
        if (first, second, last) != _MAGIC:
            raise damaged(f"block {index} is no UF2 block")
        if flags & _NOT_MAIN_FLASH:
            continue
        if not flags & _FAMILY_PRESENT:
            raise WheelwrightError(7303, path=path, family="none")
        if FAMILIES.get(family) == "absolute":  # RP2350 errata block of other tools; written nowhere near our regions
            continue
        if size != _PAYLOAD or address % _PAYLOAD:
            raise damaged(f"block {index} has {size} bytes for {address:#x}")
        if number in seen or address in blocks:
            raise damaged(f"block {number} is there twice")
        seen.add(number)
        totals.add(total)
        families[family] = index
        blocks[address] = payload[:size]
    if len(families) != 1:
        raise damaged("it mixes chips" if families else "it holds nothing for flash")
    if totals != {len(blocks)} or seen != set(range(len(blocks))):
        raise damaged(f"blocks that are missing: {max(totals) - len(blocks)}")
    family = next(iter(families))
    if family not in FAMILIES:
        raise WheelwrightError(7303, path=path, family=f"{family:#010x}")
    found = Image(path, family, blocks)
    found.identity = _identity(found.data())
    return found


def _identity(data: bytes) -> dict[str, str]:
    """The mark that boards/stage.py freezes: board, chip, version, commit. Empty for images of others."""
    at = data.find(MARK)
    if at < 0:
        return {}
    text = data[at + len(MARK):at + len(MARK) + 400].split(b"\0")[0].decode("ascii", "replace")
    try:
        return {str(key): str(value) for key, value in json.JSONDecoder().raw_decode(text)[0].items()}
    except (ValueError, AttributeError):
        return {}


def check_image(image: Image, target: Layout) -> None:
    """Raises when writing `image` to a board of `target` would be wrong; nothing has been written then.

    E-7304 made for another chip, E-7305 touches what is not the program's, E-7307 made for another board, E-7308 of
    others: stock MicroPython formats what it cannot mount.
    """
    if image.chip != target.chip:
        raise WheelwrightError(7304, path=image.path, image=image.chip, board=target.chip)
    start, size = target.regions["program"]
    for first, end in image.ranges():
        if first < FLASH + start or end > FLASH + start + size:
            raise WheelwrightError(7305, path=image.path, range=_range(first, end), **_touched(first, end, target))
    if not image.identity:
        raise WheelwrightError(7308, path=image.path)
    if image.identity.get("board") != target.board:
        raise WheelwrightError(7307, path=image.path, image=image.identity.get("board"), board=target.board)


def layout_of(image: Image) -> Layout:
    """Of the board that the image was made for; E-7308 when it does not say, E-7307 when there is no such board."""
    if not image.identity:
        raise WheelwrightError(7308, path=image.path)
    known = layouts()
    board = image.identity.get("board", "")
    if board not in known:
        raise WheelwrightError(7307, path=image.path, image=board, board=" or ".join(sorted(known)))
    return known[board]


def check_facts(image: Image) -> None:
    """The image is the one that the build described in the .json beside it; E-7302 when not. No such file, no check."""
    try:
        facts = json_text.parse(image.path.with_suffix(".json").read_text(encoding="utf-8"))
        wanted = str(facts["program"]), str(facts["image_sha256"])
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WheelwrightError(7302, path=image.path, reason=f"its .json cannot be read ({error})") from None
    if wanted != (image.program_hash().hex(), hashlib.sha256(image.path.read_bytes()).hexdigest()):
        raise WheelwrightError(7302, path=image.path, reason="it is not the image that its .json describes")


def _touched(first: int, end: int, target: Layout) -> dict[str, object]:
    """The region, other than the program's, that the range reaches; the end of flash when it goes past that."""
    for name, (start, size) in target.regions.items():
        if name != "program" and first < FLASH + start + size and end > FLASH + start:
            return {"region": name, "region_range": _range(FLASH + start, FLASH + start + size)}
    return {"region": "outside flash", "region_range": _range(FLASH, FLASH + target.flash_bytes)}


def _range(first: int, end: int) -> str:
    return f"{first:#010x}..{end - 1:#010x}"
