"""What keeps this computer from talking to a table: each finding with the one command that mends it.

Looks and tells; changes nothing. The computer is handed in as `Computer`, so that tests can have any.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from serial.tools import list_ports

from wheelwright import __version__
from wheelwright.flashing.flash import Board
from wheelwright.flashing.image import boards_folder
from wheelwright.flashing.usb import RASPBERRY_PI, Usb
from wheelwright.holders import PROC, holder_of, text, unseen

PYTHON = (3, 11)
RULE = Path("/etc/udev/rules.d/70-wheelwright.rules")
OURS = boards_folder() / "udev" / RULE.name
SEIZERS = {  # process -> why it is a trouble, and what ends it (field case 17)
    "ModemManager": ("ModemManager sends AT commands to every new serial port", "sudo systemctl restart ModemManager"),
    "brltty": ("brltty takes USB serial adapters for braille displays",
               "sudo systemctl mask --now brltty.service brltty-udev.service"),
}
INSTALL_RULE = f"sudo cp {OURS} {RULE.parent}/ && sudo udevadm control --reload && sudo udevadm trigger"


@dataclass(frozen=True)
class Finding:
    """`state` is `ok`, `look` (may be a trouble) or `wrong`; `mend` is a command, or words when no command helps."""

    name: str
    state: str
    text: str
    mend: str = ""


@dataclass
class Port:
    """A serial port of a table's USB id. `holder` is who has it open (program and number), empty when nobody does.

    `hidden`: programs of other users run, of which this user cannot see what they have open.
    """

    name: str
    serial: str = ""
    readable: bool = True
    group: str = ""
    holder: str = ""
    hidden: bool = False


@dataclass
class Computer:
    """What `examine` looks at."""

    python: tuple[int, int] = PYTHON
    system: str = "linux"
    user: str = "you"
    ports: list[Port] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    processes: set[str] = field(default_factory=set)
    rule: str = ""  # text of the installed udev rule
    our_rule: str = ""
    tables: dict[str, str] = field(default_factory=dict)  # port -> version of the table there


def examine(computer: Computer, version: str = __version__) -> list[Finding]:
    """Every finding, in the order in which they are to be mended."""
    found = [_python(computer)]
    if computer.system == "linux":
        found += _linux(computer)
    found += _ports(computer)
    found += _bootloaders(computer.boards)
    for port, table in computer.tables.items():
        if table != version:
            found.append(Finding("version", "wrong", f"the table at {port} runs {table}, this tool is {version}",
                                 "wheelwright flash IMAGE.uf2, or install the tool of the table's version"))
        else:
            found.append(Finding("version", "ok", f"the table at {port} runs {table}, as this tool does"))
    return found


def _python(computer: Computer) -> Finding:
    have = ".".join(map(str, computer.python))
    if computer.python < PYTHON:
        return Finding("python", "wrong", f"Python {have} is too old", "install Python 3.11 or newer")
    return Finding("python", "ok", f"Python {have}")


def _linux(computer: Computer) -> Iterable[Finding]:
    current = computer.rule == computer.our_rule and bool(computer.rule)
    if not current:
        text = "the udev rule is of another version" if computer.rule else "the udev rule is not installed"
        shut = any(not port.readable for port in computer.ports)
        yield Finding("udev", "wrong" if shut else "look", text, INSTALL_RULE)
    else:
        yield Finding("udev", "ok", "the udev rule is installed")
    for name, (why, mend) in SEIZERS.items():
        if name in computer.processes:
            # our rule keeps ModemManager off; brltty takes other adapters than ours too, so it is told in any case
            state = "ok" if name == "ModemManager" and current else "look"
            yield Finding(name, state, f"{name} runs: {why}", "" if state == "ok" else
                          (f"{INSTALL_RULE} && {mend}" if name == "ModemManager" else mend))


def _ports(computer: Computer) -> Iterable[Finding]:
    if not computer.ports:
        yield Finding("ports", "look", "no board is plugged in",
                      "plug one in; if it is, try another cable: many only charge")
    for port in computer.ports:
        if not port.readable:
            mend = f"sudo usermod -aG {port.group} {computer.user}, then log in again" if port.group else INSTALL_RULE
            yield Finding("permission", "wrong", f"{computer.user} may not open {port.name}", mend)
        elif port.holder:
            number = port.holder.split()[-1]
            yield Finding("busy", "wrong", f"{port.name} is held by {port.holder}",
                          f"close that program (kill {number})")
        else:
            free = "no program of this user has it open; sudo wheelwright doctor sees all" if port.hidden else "free"
            yield Finding("port", "ok", f"{port.name} ({port.serial or 'no serial number'}): {free}")


def _bootloaders(boards: Iterable[Board]) -> Iterable[Finding]:
    for board in boards:
        if board.state == "unmounted":
            yield Finding("drive", "look", f"the drive of a {board.chip} in its boot loader is not mounted",
                          f"udisksctl mount -b {board.port}")
        elif board.state == "bootloader":
            yield Finding("bootloader", "look", f"a {board.chip} waits in its boot loader at {board.port}",
                          "wheelwright flash IMAGE.uf2, or unplug it and plug it in again")


def this_computer(proc: Path = PROC) -> Computer:
    """Looks at the machine it runs on. Asks no table: opening a port would disturb who holds it."""
    user = os.environ.get("USER", "") or "this user"
    return Computer(
        python=(sys.version_info.major, sys.version_info.minor), system=sys.platform, user=user,
        ports=[_port(item.device, item.serial_number or "", proc) for item in list_ports.comports()
               if item.vid == RASPBERRY_PI],
        boards=list(Usb().boards()), processes=_processes(proc), rule=text(RULE), our_rule=text(OURS),
    )  # fmt: skip


def _port(device: str, serial: str, proc: Path) -> Port:
    readable = os.access(device, os.R_OK | os.W_OK) or sys.platform == "win32"
    group = ""
    if not readable:
        try:
            group = Path(device).group()
        except (OSError, KeyError, NotImplementedError):
            group = ""
    return Port(device, serial, readable, group, holder_of(device, proc), bool(unseen(proc)))


def _processes(proc: Path) -> set[str]:
    return {text(path).strip() for path in proc.glob("[0-9]*/comm")}
