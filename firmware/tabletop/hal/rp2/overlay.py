"""Compiled modules in files that stand in for those of the image: a developer's change without a new image.

`wheelwright deploy` writes them:

    FOLDER/manifest                            a line `IMAGE VERSION`, then one for each: `SHA-256 tabletop/rules/luxor`
    FOLDER/VERSION/tabletop/rules/luxor.mpy

The manifest comes last and by one rename, so that the version it names is whole. When one of its files is not as it
says, or it was made for another image, every module is the image's own. The program's hash covers the files too.
"""

import binascii
import hashlib
import sys

FOLDER = "/program"
MANIFEST = "/manifest"
_CHUNK = 1024

modules: dict = {}  # full name -> path of its file, of those that stand in
_swapped: list = []  # (package, its own __path__) while a module of it is being found


def parse(text: str) -> "tuple[str, str, dict]":
    """(image, version, {module path: SHA-256 in hex}) of a manifest; ValueError when it is none."""
    lines = text.split("\n")
    image, version = lines[0].split(" ")
    hashes = {}
    for line in lines[1:]:
        if line:
            digest, name = line.split(" ")
            hashes[name] = digest
    return image, version, hashes


def manifest() -> str:
    """Its text; "" when there is none."""
    try:
        with open(FOLDER + MANIFEST) as file:
            return file.read()
    except OSError:
        return ""


def chunks():
    """Yields (path, bytes) of the files that stand in, in the order of the manifest."""
    for name in sorted(modules):
        path = modules[name]
        with open(path, "rb") as file:
            while True:
                data = file.read(_CHUNK)
                if not data:
                    break
                yield path, data


def file_hash(path: str) -> str:
    """SHA-256 of a file in hex; "" when it cannot be read."""
    sha = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while True:
                data = file.read(_CHUNK)
                if not data:
                    break
                sha.update(data)
    except OSError:
        return ""
    return binascii.hexlify(sha.digest()).decode()


def whole(image: str) -> dict:
    """{full module name: path} of the version that the manifest names, or {}: for another image, damaged, or absent."""
    try:
        made_for, version, hashes = parse(manifest())
    except ValueError:
        return {}
    found = {}
    for name in hashes:
        path = "%s/%s/%s.mpy" % (FOLDER, version, name)
        if made_for != image or file_hash(path) != hashes[name]:
            return {}
        found[name.replace("/", ".")] = path
    return found


def image_hash() -> str:
    """SHA-256 of the program in flash, in hex: what `wheelwright flash` compares."""
    from tabletop.hal.rp2 import program

    sha = hashlib.sha256()
    for _, data in program.image():
        sha.update(data)
    return binascii.hexlify(sha.digest()).decode()


def start() -> None:
    """Puts the modules of a whole version before those of the image, for every import from now on."""
    import builtins

    modules.update(whole(image_hash()))
    if modules:
        builtins.__import__ = _import_over(builtins.__import__)


def _import_over(original):
    """`__import__` that finds a module of `modules` in its file: the `__path__` of its package points there meanwhile.

    A package's submodules are looked for in one folder only, so files cannot simply come first in `sys.path`.
    """

    def restore():
        while _swapped:
            package, own = _swapped.pop()
            package.__path__ = own

    def load(name):
        parent = name[: name.rindex(".")]
        package = original(parent, None, None, ("",), 0)
        _swapped.append((package, package.__path__))
        package.__path__ = modules[name][: modules[name].rindex("/")]
        try:
            original(name, None, None, ("",), 0)
        finally:
            restore()

    def over(name, scope=None, local=None, names=None, level=0):
        restore()  # the module that imports this one has been found
        parts = names if isinstance(names, tuple) else ()  # the VM itself gives True for a submodule that it looks for
        for full in [name] + ["%s.%s" % (name, part) for part in parts]:
            if full in modules and full not in sys.modules:
                load(full)
        return original(name, scope, local, names, level)

    return over


def report() -> dict:
    """What `wheelwright deploy` has to know of this board; `block` (bytes) and `free` (blocks) are 0 without files."""
    import os

    from wheel_build import COMMIT, VERSION

    try:
        block, _, _, free = os.statvfs(FOLDER[: FOLDER.rindex("/")] or "/")[:4]
    except OSError:
        block = free = 0
    return {"version": VERSION, "commit": COMMIT, "image": image_hash(), "mpy": sys.implementation._mpy,
            "folder": FOLDER, "block": block, "free": free, "manifest": manifest()}  # fmt: skip
