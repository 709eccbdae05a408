"""The one way to write a file: whole or not at all, whatever the disk does, and what was there stays until then.

Written under another name in the same folder, brought to the disk, and only then given its own name. A device or a
pipe is written to as it is. Every fault is E-8010.
"""

import errno
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from wheelwright.errors import WheelwrightError


def write(path: Path, data: bytes | str, *, secret: bool = False, new: bool = False) -> None:
    """Write one file, text as UTF-8; `secret` is for its owner only, `new` takes the place of no other."""
    with placed(path, secret=secret, new=new) as part:
        part.write_bytes(_bytes(data))


def write_all(contents: Mapping[Path, bytes | str]) -> None:
    """Write several files: none gets its name before all are on the disk. Their folders are made when missing."""
    with ExitStack() as parts:
        written = []
        for path, data in contents.items():
            with named(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                part, target = parts.enter_context(_part(path))
                part.write_bytes(_bytes(data))
                _bring(part)
            written.append((path, part, target))
        for path, part, target in written:
            with named(path):
                os.replace(part, target)


@contextmanager
def placed(path: Path, *, secret: bool = False, new: bool = False) -> Iterator[Path]:
    """A path to write to, which becomes `path` at the end of the block and is gone when the block fails."""
    with named(path):
        if path.exists() and not path.is_file():
            yield path
            return
        with _part(path, secret=secret) as (part, target):
            yield part
            _bring(part)
            if new:
                os.link(part, target)
            else:
                os.replace(part, target)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn what the system says into E-8010 with the name of the file."""
    try:
        yield
    except OSError as error:
        raise WheelwrightError(8010, path=path, reason=error.strerror or str(error)) from error


@contextmanager
def _part(path: Path, *, secret: bool = False) -> Iterator[tuple[Path, Path]]:
    """(the other name, what `path` leads to); in the end nothing is left under the other name."""
    target = path.resolve()  # a link stays a link
    there = target.exists()
    if there and not target.is_file():
        raise OSError(errno.EEXIST, "it is no ordinary file")
    if there and not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".{target.name[:80]}-{secrets.token_hex(4)}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o666))
    try:
        if there:
            with suppress(OSError):
                part.chmod(target.stat().st_mode & 0o777)
        yield part, target
    finally:
        part.unlink(missing_ok=True)


def _bring(part: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _bytes(data: bytes | str) -> bytes:
    return data.encode() if isinstance(data, str) else data
