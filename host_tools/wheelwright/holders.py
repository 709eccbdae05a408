"""Who holds a port: the program that has locked it, else one that has it open, as far as this user may see."""

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def holder_of(device: str, proc: Path = PROC, but: int = 0) -> str:
    """Program and number, such as `minicom 4711`; empty for none. `but` is a process that does not count.

    A lock says more than an open file: the far end of a pseudo terminal keeps the near end open as well.
    """
    target = os.path.realpath(device)
    for number in (*_locking(target, proc), *_opening(target, proc)):
        if number != str(but):
            return _named(proc / number)
    return ""


def _locking(target: str, proc: Path) -> Iterator[str]:
    """Whoever has a lock on it, of any user: our own tools lock the port that they open."""
    try:
        file = os.stat(target).st_ino
    except OSError:
        return
    for line in text(proc / "locks").splitlines():  # 1: FLOCK ADVISORY WRITE 4711 00:06:123 0 EOF
        words = line.split()
        if len(words) > 5 and words[5].rpartition(":")[2] == str(file) and (proc / words[4]).exists():
            yield words[4]


def _opening(target: str, proc: Path) -> Iterator[str]:
    for folder in proc.glob("[0-9]*"):
        try:
            if any(os.path.realpath(link) == target for link in (folder / "fd").iterdir()):
                yield folder.name
        except OSError:
            continue  # another user's, or just ended


def unseen(proc: Path = PROC) -> list[str]:
    """Programs of which this user may not see what they have open, without those of the kernel (they run no file)."""
    found = []
    for folder in proc.glob("[0-9]*"):
        if text(folder / "cmdline") and not os.access(folder / "fd", os.R_OK):
            found.append(_named(folder))
    return found


def _named(folder: Path) -> str:
    return f"{text(folder / 'comm').strip() or 'a program'} {folder.name}"


def text(path: Path) -> str:
    """What a file of the system says; nothing when it is not there or not for this user."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
