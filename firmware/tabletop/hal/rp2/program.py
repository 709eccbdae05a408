"""Every byte of the program in flash, from the boot stage to the last constant, for its hash.

The end is read from the Pico SDK's binary info, as the host tool reads it from the image file.
"""

import struct
import sys

import machine
import uctypes

from tabletop.hal.rp2.registers import FLASH

CHUNK = 4096
_INFO_START = 0x7188EBF2
_INFO_END = 0xE71AA390
_ID_AND_INT = 5
_PROGRAM_END = 0x68F465DE


def length() -> int:
    """Bytes of program. RuntimeError when the image does not say."""
    mem = machine.mem32
    for at in range(FLASH, FLASH + 0x1000, 4):
        if mem[at] & 0xFFFFFFFF == _INFO_START and mem[at + 16] & 0xFFFFFFFF == _INFO_END:
            for slot in range(mem[at + 4], mem[at + 8], 4):
                # entries are packed, and mem32 reads whole words only
                kind, _tag, number, value = struct.unpack("<HHII", uctypes.bytearray_at(mem[slot], 12))
                if kind == _ID_AND_INT and number == _PROGRAM_END:
                    return value - FLASH
    raise RuntimeError("the image has no binary info")


def chunks():
    """Yields (name, bytes) of the image and of the modules that stand in for some of it."""
    yield from image()
    overlay = sys.modules.get("tabletop.hal.rp2.overlay")  # _boot.py loads it when there are any
    if overlay:
        yield from overlay.chunks()


def image():
    """Yields ("flash", bytes) from first to last."""
    end = length()
    for at in range(0, end, CHUNK):
        yield "flash", uctypes.bytearray_at(FLASH + at, min(CHUNK, end - at))
