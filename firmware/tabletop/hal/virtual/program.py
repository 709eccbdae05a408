"""Every byte of the program that runs, in a fixed order, for its hash."""

import os
import sys

import tabletop

CHUNK = 512


def chunks():
    """Yields (name, bytes): `boot.py`, `main.py`, then the package by name; a name comes again for each chunk."""
    package = tabletop.__file__.rpartition("/")[0]
    start = sys.argv[0].rpartition("/")[0] or "."
    buf = bytearray(CHUNK)
    for name in ("boot.py", "main.py"):
        yield from _file(start + "/" + name, name, buf)
    yield from _folder(package, "tabletop", buf)


def _folder(path: str, name: str, buf):
    for entry in sorted(os.listdir(path)):
        inner = path + "/" + entry
        if entry.endswith(".py") or entry.endswith(".mpy"):
            yield from _file(inner, name + "/" + entry, buf)
        elif os.stat(inner)[0] & 0x4000 and entry != "__pycache__":
            yield from _folder(inner, name + "/" + entry, buf)


def _file(path: str, name: str, buf):
    with open(path, "rb") as file:
        while True:
            n = file.readinto(buf)
            if not n:
                return
            yield name, memoryview(buf)[:n]
