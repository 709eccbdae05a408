"""Images are checked before a byte is written: wrong chip, damage, size, and what they would overwrite."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import image

from tests.conftest import examples

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59
PICO = image.layouts()["WHEEL_PICO"]
PROGRAM = PICO.regions["program"][1]


def program(size: int = 4096, board: str = "WHEEL_PICO", length: int | None = None) -> bytes:
    """A program with binary info and mark, as the linker and the build make them."""
    data = bytearray(b"\x5a" * size)
    identity = {"board": board, "chip": "RP2040", "version": "1.2.3", "commit": "abc"}
    mark = image.MARK + json.dumps(identity).encode() + b"\0"
    data[1024:1024 + len(mark)] = mark
    entry = image.FLASH + 0x305  # packed: not aligned
    data[0x305:0x305 + 12] = struct.pack("<HHII", 5, 0x5052, 0x68F465DE, image.FLASH + (length or size))
    data[0x200:0x204] = struct.pack("<I", entry)
    data[0x100:0x114] = struct.pack("<5I", 0x7188EBF2, image.FLASH + 0x200, image.FLASH + 0x204, 0, 0xE71AA390)
    return bytes(data)


def written(path: Path, data: bytes, family: int = RP2040, base: int = image.FLASH) -> Path:
    path.write_bytes(image.write_uf2(data, family, base))
    return path


def code_of(path: Path, target: image.Layout = PICO) -> tuple[int, str]:
    with pytest.raises(WheelwrightError) as caught:
        image.check_image(image.read_image(path), target)
    return caught.value.code, str(caught.value)


def test_a_good_image_is_read_back_whole(tmp_path: Path) -> None:
    data = program(5000, length=4990)
    found = image.read_image(written(tmp_path / "x.uf2", data))
    image.check_image(found, PICO)
    assert found.data()[:5000] == data
    assert found.chip == "RP2040"
    assert found.identity == {"board": "WHEEL_PICO", "chip": "RP2040", "version": "1.2.3", "commit": "abc"}
    assert found.program_hash() == hashlib.sha256(data[:4990]).digest()
    assert found.ranges() == [(image.FLASH, image.FLASH + 5120)]


@settings(max_examples=examples(30))
@given(st.binary(min_size=1, max_size=2000))
def test_any_content_survives_uf2(data: bytes) -> None:
    raw = image.write_uf2(data, RP2350)
    assert len(raw) % 512 == 0
    back = b"".join(raw[at + 32:at + 288] for at in range(0, len(raw), 512))
    assert back[:len(data)] == data
    assert not any(back[len(data):])


def test_case_27_an_image_for_the_other_chip_is_refused_with_both_names(tmp_path: Path) -> None:
    code, text = code_of(written(tmp_path / "x.uf2", program(), RP2350))
    assert code == 7304
    assert "is for RP2350, the board is RP2040" in text
    assert "nothing was written" in text


def test_an_image_for_another_board_with_the_same_chip_is_refused(tmp_path: Path) -> None:
    code, text = code_of(written(tmp_path / "x.uf2", program(board="OTHER_PICO")))
    assert code == 7307
    assert "OTHER_PICO" in text
    assert "WHEEL_PICO" in text


def test_case_23_one_page_into_the_data_region_is_refused_naming_both_ranges(tmp_path: Path) -> None:
    code, text = code_of(written(tmp_path / "x.uf2", program(PROGRAM + 256)))
    assert code == 7305
    assert "0x10000000..0x100a00ff" in text
    assert "files at 0x100a0000..0x100fcfff" in text


def test_case_23_an_image_that_just_fills_the_program_region_is_taken(tmp_path: Path) -> None:
    image.check_image(image.read_image(written(tmp_path / "x.uf2", program(PROGRAM))), PICO)


@pytest.mark.parametrize("region", ["files", "secret", "identity", "journal", "reserved"])
def test_case_23_a_single_page_into_any_region_is_refused_with_its_name(region: str, tmp_path: Path) -> None:
    start, size = PICO.regions[region]
    code, text = code_of(written(tmp_path / "x.uf2", b"\0" * 256, base=image.FLASH + start + size - 256))
    assert code == 7305
    assert f"reaches {region} at" in text


def test_an_image_beyond_flash_is_refused(tmp_path: Path) -> None:
    code, text = code_of(written(tmp_path / "x.uf2", b"\0" * 256, base=image.FLASH + PICO.flash_bytes))
    assert code == 7305
    assert "outside flash" in text


def blocks(data: bytes) -> list[bytearray]:
    raw = image.write_uf2(data, RP2040)
    return [bytearray(raw[at:at + 512]) for at in range(0, len(raw), 512)]


@pytest.mark.parametrize(("name", "spoil"), [
    ("empty", lambda parts: []),
    ("cut in a block", lambda parts: [b"".join(parts)[:-1]]),
    ("last block missing", lambda parts: parts[:-1]),
    ("middle block missing", lambda parts: [*parts[:2], *parts[3:]]),
    ("block twice", lambda parts: [*parts, parts[0]]),
    ("first magic", lambda parts: [b"\0" * 4 + parts[0][4:], *parts[1:]]),
    ("last magic", lambda parts: [parts[0][:508] + b"\0" * 4, *parts[1:]]),
    ("two chips", lambda parts: [parts[0][:28] + struct.pack("<I", RP2350) + parts[0][32:], *parts[1:]]),
    ("odd size", lambda parts: [parts[0][:16] + struct.pack("<I", 100) + parts[0][20:], *parts[1:]]),
    ("odd address", lambda parts: [parts[0][:12] + struct.pack("<I", image.FLASH + 1) + parts[0][16:], *parts[1:]]),
])  # fmt: skip
def test_a_damaged_image_is_named_as_damaged(name: str, spoil: object, tmp_path: Path) -> None:
    path = tmp_path / "x.uf2"
    assert callable(spoil)
    path.write_bytes(b"".join(bytes(part) for part in spoil(blocks(program()))))
    assert code_of(path)[0] == 7302, name


@pytest.mark.parametrize(("family", "flags"), [(0x12345678, 0x2000), (0, 0)])
def test_an_image_for_an_unknown_chip_is_named(family: int, flags: int, tmp_path: Path) -> None:
    parts = blocks(program())
    for part in parts:
        part[8:12] = struct.pack("<I", flags)
        part[28:32] = struct.pack("<I", family)
    (tmp_path / "x.uf2").write_bytes(b"".join(parts))
    assert code_of(tmp_path / "x.uf2")[0] == 7303


def test_an_absent_image_is_named_with_how_to_build_one(tmp_path: Path) -> None:
    code, text = code_of(tmp_path / "none.uf2")
    assert code == 7301
    assert "make image" in text


def test_an_image_without_binary_info_has_no_program_hash(tmp_path: Path) -> None:
    found = image.read_image(written(tmp_path / "x.uf2", b"\0" * 4096))
    with pytest.raises(WheelwrightError) as caught:
        found.program_hash()
    assert caught.value.code == 7306
