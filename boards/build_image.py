"""Builds the firmware image of a board: `python boards/build_image.py [BOARD [FOLDER]]`; `make image` calls it.

MicroPython comes from Debian trixie's source packages through a private apt configuration, so that nothing of the
machine's own packages changes; or from an upstream checkout named by MICROPY_DIR (1.25 to 1.29, with submodules
lib/pico-sdk, lib/tinyusb and lib/mbedtls). All lands in FOLDER (build/ unless named); a second call compiles only
what changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import stage
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import image

BUILD = stage.ROOT / "build"
SUITE = "trixie"
SOURCES = ("micropython", "mbedtls")            # Debian source packages
BINARIES = ("pico-sdk-source", "tinyusb-source")  # Debian packages that carry sources
TOOLS = {  # program -> Debian package that has it
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib",
    "cmake": "cmake", "ninja": "ninja-build", "gcc": "build-essential", "make": "make",
}

FETCHERS = {"apt-get": "apt", "dpkg": "dpkg", "dpkg-source": "dpkg-dev"}


class Stop(Exception):
    """One sentence that ends the build."""


def missing_tools() -> str:
    """The Debian packages that this machine lacks for a build, or an empty string."""
    names = [package for program, package in TOOLS.items() if shutil.which(program) is None]
    if not os.environ.get("MICROPY_DIR") and not (BUILD / "micropython" / "complete").exists():
        names += [package for program, package in FETCHERS.items() if shutil.which(program) is None]
    return " ".join(names)


def run(*words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Runs one command; its output is kept and shown only when it fails."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        tail = "\n".join(done.stdout.splitlines()[-40:])
        raise Stop(f"{tail}\n{words[0]} ended with {done.returncode}; the lines above say why")
    return done.stdout


def private_apt(folder: Path) -> dict[str, str]:
    """Environment in which apt knows only SUITE, keeps its state in `folder`, and leaves the machine's alone."""
    sites = [line for line in run("apt-get", "indextargets", "--format", "$(SITE)").split()
             if not line.rstrip("/").endswith("security")]
    if not sites:
        raise Stop("this machine's apt names no mirror: set MICROPY_DIR to an upstream checkout instead")
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{kind} {sites[0]} {SUITE} main\n" for kind in ("deb", "deb-src"))
    (folder / "sources.list").write_text(lines)
    (folder / "apt.conf").write_text(
        f'Dir::Etc::SourceList "{folder}/sources.list";\nDir::Etc::SourceParts "-";\n'
        f'Dir::State::Lists "{folder}/lists";\nDir::Cache "{folder}/cache";\nAPT::Sandbox::User "root";\n'
    )
    return dict(os.environ, APT_CONFIG=str(folder / "apt.conf"))


def unpack_source(folder: Path, package: str, into: Path) -> None:
    archives = [path for path in folder.glob(f"{package}_*.orig.tar.*") if path.suffix != ".asc"]
    if len(archives) != 1:
        raise Stop(f"apt gave {len(archives)} source archives of {package} where one was expected")
    into.mkdir(parents=True, exist_ok=True)
    run("tar", "-xf", archives[0], "-C", into, "--strip-components=1")


def debian_sources() -> Path:
    """The MicroPython tree from Debian packages, downloaded and put together once."""
    home = BUILD / "micropython"
    if (home / "complete").exists():
        return home / "tree"
    if home.exists():
        shutil.rmtree(home)
    download = home / "download"
    download.mkdir(parents=True)
    print(f"fetching {', '.join(SOURCES + BINARIES)} of Debian {SUITE}")
    env = private_apt(home / "apt")
    run("apt-get", "update", env=env)
    run("apt-get", "source", "--download-only", *SOURCES, cwd=download, env=env)
    run("apt-get", "download", *BINARIES, cwd=download, env=env)
    for package in download.glob("*.deb"):
        run("dpkg", "-x", package, home / "unpacked")
    tree = home / "tree"
    unpack_source(download, "micropython", tree)
    for name in ("pico-sdk", "tinyusb", "mbedtls"):  # empty folders in the source package
        if (tree / "lib" / name).exists():
            shutil.rmtree(tree / "lib" / name)
    unpack_source(download, "mbedtls", tree / "lib" / "mbedtls")
    for name, sign in (("pico-sdk", "pico_sdk_init.cmake"), ("tinyusb", "src/tusb.h")):
        found = home / "unpacked" / "usr" / "src" / name
        if not (found / sign).exists():
            raise Stop(f"the Debian package of {name} has no {sign} where trixie's had it")
        (tree / "lib" / name).symlink_to(os.path.relpath(found, tree / "lib"))
    library = tree / "lib" / "micropython-lib" / "README.md"  # CMake stops without it; nothing of it is used
    library.parent.mkdir(exist_ok=True)
    library.touch()
    (home / "versions.txt").write_text("".join(f"{path.name}\n" for path in sorted(download.iterdir())))
    shutil.rmtree(home / "apt")
    (home / "complete").touch()
    return tree


def micropython_version(folder: Path) -> tuple[int, ...]:
    """(1, 25, 0) of a MicroPython tree, from py/mpconfig.h; () when it does not say."""
    header = folder / "py" / "mpconfig.h"
    text = header.read_text(errors="replace") if header.exists() else ""
    found = dict(re.findall(r"#define MICROPY_VERSION_(MAJOR|MINOR|MICRO)\s+(\d+)", text))
    return tuple(int(found[part]) for part in ("MAJOR", "MINOR", "MICRO")) if len(found) == 3 else ()


def upstream_sources(folder: Path) -> Path:
    version = micropython_version(folder)
    oldest, newest = image.MICROPYTHON
    if not oldest <= version[:2] <= newest:
        found = "MicroPython " + ".".join(map(str, version)) if version else "no MicroPython that says its version"
        raise Stop(str(WheelwrightError(7350, path=folder, found=found, oldest="1.25", newest="1.29")))
    for part in ("ports/rp2/CMakeLists.txt", "lib/pico-sdk/pico_sdk_init.cmake", "lib/tinyusb/src/tusb.h"):
        if not (folder / part).exists():
            raise Stop(f"MICROPY_DIR={folder} has no {part}: name a MicroPython checkout and run "
                       "'make -C ports/rp2 submodules' in it")
    return folder.resolve()


def environment(tree: Path, folder: Path) -> dict[str, str]:
    """What makes two builds equal: no clock, no hash seed, no path of this machine, not our commit as MicroPython's."""
    env = dict(os.environ, SOURCE_DATE_EPOCH=str(stage.commit()[1]), LC_ALL="C", TZ="UTC", PYTHONHASHSEED="0")
    env["GIT_CEILING_DIRECTORIES"] = f"{folder}:{BUILD}"
    flags = f"-ffile-prefix-map={tree}=micropython -ffile-prefix-map={folder}=build -ffile-prefix-map={stage.ROOT}=."
    env["CFLAGS"] = env["CXXFLAGS"] = env["ASMFLAGS"] = flags
    return env


def check_stack(symbols: str) -> None:
    """Stop when something lies where the C stack of mpconfigboard.h reaches, by the `symbols` as nm prints them.

    It goes from the end of the memory over both scratch banks into the main one, whose end the heap leaves free.
    """
    at = {name: int(address, 16) for address, _, name in map(str.split, symbols.splitlines())}
    for bank in ("scratch_x", "scratch_y"):
        begin, end = (at.get(f"__{bank}_{part}__") for part in ("start", "end"))
        if begin is None or begin != end:
            raise Stop(f"the linker put something into .{bank}, or does not say: the C stack of mpconfigboard.h "
                       "would overwrite it; keep the bank empty, or give the stack less")


def build(board: str, folder: Path) -> Path:
    """Builds `board` in `folder`; returns the UF2 image."""
    staged = folder / board / "frozen"
    try:
        table = stage.layout(board)
        stage.frozen_tree(board, staged)
    except ValueError as wrong:  # one sentence a line
        raise Stop(str(wrong)) from wrong
    named = os.environ.get("MICROPY_DIR")
    tree = upstream_sources(Path(named)) if named else debian_sources()
    env = environment(tree, folder)
    label = hashlib.sha256(str(tree).encode()).hexdigest()[:8] if named else "debian"
    cross = folder / "mpy-cross" / label
    plain = {key: value for key, value in env.items() if key not in ("CFLAGS", "CXXFLAGS", "ASMFLAGS")}
    if not (cross / "mpy-cross").exists():
        print("building mpy-cross")
        run("make", "-C", tree / "mpy-cross", f"-j{os.cpu_count()}", f"BUILD={cross}", env=plain)
    env["MICROPY_MPYCROSS"] = str(cross / "mpy-cross")
    work = folder / board / f"cmake-{label}"
    env["WHEEL_STAGE"] = str(staged)
    print(f"building {board}")
    if not (work / "build.ninja").exists():
        run("cmake", "-S", tree / "ports" / "rp2", "-B", work, "-G", "Ninja", f"-DMICROPY_BOARD={board}",
            f"-DMICROPY_BOARD_DIR={stage.BOARDS / board}", "-DPICO_NO_PICOTOOL=1", env=env)
    run("ninja", "-C", work, env=env)
    check_stack(run("arm-none-eabi-nm", "--defined-only", work / "firmware.elf"))
    binary = (work / "firmware.bin").read_bytes()
    out = folder / board / f"wheelwright-{board}.uf2"
    out.write_bytes(image.write_uf2(binary, int(table["uf2_family"], 16)))
    found = image.read_image(out)
    image.check_image(found, image.Layout.of(table))
    facts = dict(stage.identity(board), program=found.program_hash().hex(), bytes=len(binary),
                 image_sha256=hashlib.sha256(out.read_bytes()).hexdigest())
    out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n")
    return out


def main(words: list[str]) -> int:
    board = words[0] if words else "WHEEL_PICO"
    folder = Path(words[1]).resolve() if len(words) > 1 else BUILD
    boards = sorted(path.parent.name for path in stage.BOARDS.glob("*/mpconfigboard.cmake"))
    try:
        if board not in boards:
            raise Stop(f"there is no board {board}: name one of {', '.join(boards)}")
        lacking = missing_tools()
        if lacking:
            raise Stop(f"the toolchain is missing: apt-get install {lacking}")
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / ".image.lock", "w") as lock:  # two builds in one tree would tread on each other
            fcntl.flock(lock, fcntl.LOCK_EX)
            out = build(board, folder)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    facts = json.loads(out.with_suffix(".json").read_text())
    print(f"{os.path.relpath(out, stage.ROOT)}: {facts['bytes']} bytes")
    print(f"version {facts['version']}, commit {facts['commit']}")
    print(f"program {facts['program']}\nimage   {facts['image_sha256']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
