"""Lays out exactly what an image freezes: `tabletop` without the virtual HAL, start-up files, the image's identity.

Used by the board manifests (also in a plain upstream build) and by build_image.py. Files are rewritten only when
their content changes, so a second build compiles nothing again.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import checks
import wiring

BOARDS = Path(__file__).resolve().parent
ROOT = BOARDS.parent
MARK = "WHEELWRIGHT-IMAGE "


def layout(board: str) -> dict:
    """The table.json of a board; ValueError with one sentence when it is no JSON."""
    return checks.load(BOARDS / board / "table.json", checks.TABLE)


def version() -> str:
    text = (ROOT / "firmware" / "tabletop" / "__init__.py").read_text()
    return text.split('VERSION = "')[1].split('"')[0]


def _git(*words: str) -> str:
    run = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def commit() -> tuple[str, int]:
    """Hash and time of the last commit that touched firmware or boards; `+` when the tree differs from it.

    Outside a repository (a source archive) the hash is `unknown` and the time is that of the archive's epoch.
    """
    words = _git("log", "-1", "--format=%h %ct", "--", "firmware", "boards").split()
    if len(words) != 2:
        return "unknown", int(os.environ.get("SOURCE_DATE_EPOCH", "1767225600"))
    changed = _git("status", "--porcelain", "--", "firmware", "boards")
    return words[0] + ("+" if changed else ""), int(words[1])


def sources() -> dict[str, Path]:
    """Path inside the image -> file, of everything frozen that is written by hand."""
    firmware = ROOT / "firmware"
    found = {}
    for path in firmware.rglob("*.py"):
        name = path.relative_to(firmware).as_posix()
        if not name.startswith("tabletop/hal/virtual/"):
            found[name] = path
    for path in (BOARDS / "frozen").glob("*.py"):
        found[path.name] = path
    return found


def identity(board: str) -> dict:
    facts = layout(board)
    return {"board": board, "chip": facts["chip"], "version": version(), "commit": commit()[0]}


def build_module(board: str) -> str:
    """Source of the frozen `wheel_build`: who the image is, and the board as data."""
    mark = MARK + json.dumps(identity(board), sort_keys=True)
    facts = layout(board)
    regions = {name: (start, size) for name, start, size in facts.pop("regions")}
    return (
        '"""Made by boards/stage.py: the identity of this image and the board it is for."""\n'
        f"MARK = {mark!r}\nVERSION = {version()!r}\nCOMMIT = {commit()[0]!r}\n"
        f"REGIONS = {regions!r}\nBOARD = {facts!r}\n"
    )


def write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def frozen_tree(board: str, out: Path | None = None) -> tuple[str, tuple[str, ...]]:
    """Stages the tree of `board`; returns its folder and the sorted script names, as `freeze()` wants them.

    ValueError names all that is wrong with the wiring or the current budget, a line each, before anything is laid out.
    """
    wrong = wiring.faults(wiring.load(), [layout(board)])
    if wrong:
        raise ValueError("\n".join(wrong))
    tree = out or Path(os.environ.get("WHEEL_STAGE") or ROOT / "build" / board / "frozen")
    wanted = {name: path.read_text() for name, path in sources().items()}
    wanted["wheel_build.py"] = build_module(board)
    for name, text in wanted.items():
        write_if_changed(tree / name, text)
    for path in tree.rglob("*.py"):
        if path.relative_to(tree).as_posix() not in wanted:
            path.unlink()
    return str(tree), tuple(sorted(wanted))
