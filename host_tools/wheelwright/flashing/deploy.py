"""A developer's modules onto a board, in files over those of its image: what to send, and in which order.

The order keeps a board whole when power, plug or host fail at any moment: each file goes under another name, is read
back as a hash, and is renamed; the manifest, which alone makes a version count, goes last in the same way; the version
before is removed after that. What is there already is not sent again. The board's part is `tabletop.hal.rp2.overlay`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tabletop.hal.rp2 import overlay

from wheelwright.errors import WheelwrightError
from wheelwright.flashing.flash import Step

NEW = ".new"
NATIVE = {"RP2040": "armv6m", "RP2350": "armv7emsp"}
ARCHES = ("", "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp", "xtensa", "xtensawin",
          "rv32imc", "rv64imc")  # fmt: skip  # of py/persistentcode.h
SPARE_BLOCKS = 4  # the manifest, and what littlefs copies on write
FOLDER_BLOCKS = 2  # littlefs keeps a folder twice
FIXED = ("boot", "main", "__init__")
IN_IMAGE = "build an image with it and flash that"


class Files(Protocol):
    """The board's file system. Every method raises WheelwrightError 7337 when the board goes away."""

    def report(self) -> Mapping[str, Any]: ...  # `overlay.report`
    def hash(self, path: str) -> str: ...  # SHA-256 in hex; "" when there is no such file
    def folders(self, folder: str) -> list[str]: ...  # names of the folders in it; none when it is absent
    def make_folder(self, path: str) -> None: ...  # with those above it; may be there
    def write(self, path: str, data: bytes) -> None: ...
    def rename(self, path: str, to: str) -> None: ...
    def remove(self, path: str) -> None: ...  # a file, or a folder with all in it; may be absent


@dataclass(frozen=True)
class Version:
    """Modules (`tabletop/rules/luxor` -> .mpy) for the image of hash `image`."""

    image: str
    modules: Mapping[str, bytes]

    @property
    def name(self) -> str:
        return hashlib.sha256(self._lines().encode()).hexdigest()[:12]

    def _lines(self) -> str:
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in self.modules.items()}
        return "".join(f"{hashes[name]} {name}\n" for name in sorted(hashes))

    def manifest(self) -> str:
        """As `overlay.parse` reads it."""
        return f"{self.image} {self.name}\n{self._lines()}"

    def blocks(self, block: int, there: Iterable[str] = ()) -> int:
        """Blocks that it takes besides the modules that are `there`, at most."""
        names = [name for name in self.modules if name not in set(there)]
        folders = {parent for name in self.modules for parent in Path(name).parents} if names else set()
        size = sum(-(-len(self.modules[name]) // block) for name in names)
        return size + FOLDER_BLOCKS * len(folders) + SPARE_BLOCKS


def module_of(path: Path) -> str:
    """`tabletop/rules/luxor` of .../tabletop/rules/luxor.py. E-7335: it is no module that a file can stand in for."""
    parts = path.resolve().with_suffix("").parts
    reason = ""
    if path.suffix != ".py" or not path.is_file():
        reason = "it is no Python file"
    elif "tabletop" not in parts[:-1] or parts[-1] in FIXED:
        reason = "only modules inside the package tabletop can, not packages themselves and not what starts the board"
    elif "virtual" in parts:
        reason = "it is of the virtual table"
    elif path.stem == "overlay":
        reason = "it is what loads the others"
    if reason:
        raise WheelwrightError(7335, path=path, reason=reason, advice=IN_IMAGE)
    at = len(parts) - 2 - parts[-2::-1].index("tabletop")
    return "/".join(parts[at:])


def check_format(name: str, data: bytes, mpy: int) -> None:
    """Raises E-7334 when a MicroPython whose `sys.implementation._mpy` is `mpy` would not load the module."""
    version, minor, arch = mpy & 0xFF, mpy >> 8 & 3, mpy >> 10
    found, its_minor, its_arch = data[1], data[2] & 3, data[2] >> 2 & 0xF
    native = its_arch != 0
    if data[:1] != b"M" or found != version or (native and (its_minor, its_arch) != (minor, arch)):
        raise WheelwrightError(7334, module=name, found=_format(found, its_minor, its_arch),
                               takes=_format(version, minor, arch))  # fmt: skip


def _format(version: int, minor: int, arch: int) -> str:
    native = ARCHES[arch] if arch < len(ARCHES) else f"machine {arch}"
    return f"{version}.{minor} {native}" if native else str(version)


def check(files: Files, modules: Mapping[str, bytes]) -> Mapping[str, Any]:
    """What the board says of itself; E-7334 when it would not load one of the modules."""
    facts = files.report()
    for name, data in modules.items():
        check_format(name, data, facts["mpy"])
    return facts


def check_room(version: Version, free: int, block: int, there: Iterable[str] = ()) -> None:
    """Raises E-7333 when `free` blocks of `block` bytes do not hold the version, of which some modules are `there`."""
    need = version.blocks(block, there)
    if need > free:
        raise WheelwrightError(7333, need=need, free=free, block=block)


def deploy(files: Files, port: str, modules: Mapping[str, bytes]) -> Iterator[Step]:
    """Puts `modules` on the board, as the only ones. Nothing is written before the step SEND."""
    facts = check(files, modules)
    if not facts["block"]:
        raise WheelwrightError(7332, port=port)
    version = Version(facts["image"], modules)
    base = facts["folder"]
    home = f"{base}/{version.name}"
    stale = [name for name in files.folders(base) if name not in (version.name, _running(facts))]
    yield Step("CHECK", f"{len(modules)} modules over image {facts['version']} ({facts['commit']})")

    for name in stale:  # of updates that never came to their end: no manifest names them
        files.remove(f"{base}/{name}")
    free = files.report()["free"] if stale else facts["free"]
    sound = {name for name, data in modules.items()
             if files.hash(f"{home}/{name}.mpy") == hashlib.sha256(data).hexdigest()}  # fmt: skip
    check_room(version, free, facts["block"], sound)

    for name, data in modules.items():
        if name in sound:
            yield Step("KEEP", f"{name} is there already")
            continue
        yield Step("SEND", f"{name} ({len(data)} bytes)")
        _put(files, f"{home}/{name}.mpy", data)
    yield Step("SWITCH", f"version {version.name}")
    _put(files, base + overlay.MANIFEST, version.manifest().encode())
    for name in files.folders(base):
        if name != version.name:
            files.remove(f"{base}/{name}")


def clear(files: Files) -> Iterator[Step]:
    """Takes every module off the board, the manifest first: from then on the image's own count."""
    facts = files.report()
    yield Step("CLEAR", f"image {facts['version']} ({facts['commit']}) alone")
    base = facts["folder"]
    files.remove(base + overlay.MANIFEST)
    files.remove(base)


def _running(facts: Mapping[str, Any]) -> str:
    """The version that the manifest names; "" for none."""
    try:
        return overlay.parse(facts["manifest"])[1]
    except ValueError:
        return ""


def _put(files: Files, path: str, data: bytes) -> None:
    """Writes a file so that under its name it is whole or not there. E-7336."""
    files.make_folder(path.rpartition("/")[0])
    files.write(path + NEW, data)
    if files.hash(path + NEW) != hashlib.sha256(data).hexdigest():
        raise WheelwrightError(7336, path=path)
    files.rename(path + NEW, path)
