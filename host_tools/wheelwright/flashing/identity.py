"""The identity of a board: serial number, asset number and device key, written once at its prompt (boards/README.md).

The key is made here, kept in the host's key file before the board gets it, and told by no command of ours afterwards:
a board says only the check number of its key. What is there is replaced by whoever has its key, and by nobody else.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tabletop.digest import hmac_sha256

from wheelwright import whole
from wheelwright.errors import WheelwrightError
from wheelwright.flashing.at_prompt import back_at_table, to_prompt
from wheelwright.flashing.flash import Answer, Board, Step, choose
from wheelwright.flashing.prompt import Prompt
from wheelwright.flashing.usb import Usb
from wheelwright.supervising import KEY_BYTES, read_key

CHECK = b"check number of a device key"
NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
MOST_ASSET = 64
_HERE = """
from wheel_build import REGIONS
from tabletop import cbor
from tabletop.digest import hmac_sha256
from tabletop.hal.rp2 import identity
from tabletop.hal.rp2.store import Store
from tabletop.journal import kinds, record
from tabletop.journal.ring import PAGE, Ring
def region(name):
    start, size = REGIONS[name]
    return Store(start - REGIONS["files"][0], size)
def here():
    damaged, values = "", {}
    try: values = identity.read(region("identity"))
    except identity.Damaged as error: damaged = str(error)
    except ValueError: damaged = "no CBOR"
    key = values.pop("key", b"")
    check = "".join(["%02x" % byte for byte in hmac_sha256(key, CHECK)[:4]]) if key else ""
    return {"serial": identity.serial(values), "values": values, "check": check, "damaged": damaged}
def last_start(ring):
    heads = [ring.head(sector) for sector in range(ring.sectors)]
    for head in sorted([head for head in heads if head], reverse=True):
        sector, page, serial = heads.index(head), 0, ""
        while page < ring.pages:
            page = ring.find(sector, page, 0)
            if page < 0: break
            found = record.decode(ring.view[:ring.size])
            if found.kind == kinds.BOOT: serial = cbor.loads(bytes(found.payload))["serial"]
            page += -(-ring.size // PAGE)
        if serial: return serial
    return ""
def write(values):
    sector, data = region("identity"), identity.pack(values)
    sector.erase(0)
    for at in range((len(data) - 1) // PAGE * PAGE, -1, -PAGE):  # what says that it is one comes last
        sector.program(at, data[at:at + PAGE])
    return identity.read(sector) == values
def erase_journal():
    journal = region("journal")
    for sector in range(journal.sectors): journal.erase(sector)
"""

_OWN = """
from wheel_build import BOARD
from tabletop.hal.rp2 import own
"""


class AtPrompt(Protocol):
    """A board at its prompt: `wheelwright.flashing.prompt.Prompt`."""

    port: str

    def tell(self, doing: str, setup: str, expression: str) -> Any: ...


@dataclass(frozen=True)
class Identity:
    """What a board says of itself. `check` is the check number of its key; "" when it has none."""

    serial: str
    asset: str
    check: str
    damaged: str  # why the sector cannot be read; "" when it can, or is blank
    values: Mapping[str, Any]  # all but the key

    @property
    def given(self) -> bool:
        """Whether somebody has given it one."""
        return bool(self.values) or bool(self.check)

    def as_json(self) -> dict[str, Any]:
        return {"serial": self.serial, "asset": self.asset, "check": self.check, "given": self.given,
                "damaged": self.damaged, "board": self.values.get("board", {})}  # fmt: skip

    def words(self) -> str:
        if self.damaged:
            return f"its identity is damaged ({self.damaged}); by its flash chip it is {self.serial}"
        if not self.given:
            return f"it has no identity; by its flash chip it is {self.serial}"
        own = "".join(f", {name} {value}" for name, value in sorted(self.values.get("board", {}).items()))
        return f"table {self.serial}, asset {self.asset or 'none'}, key of check number {self.check or 'none'}{own}"


def check_number(key: bytes) -> str:
    """Eight hex digits by which two people see that they speak of one key, and that tell nothing of it."""
    return hmac_sha256(key, CHECK)[:4].hex()


def read(prompt: AtPrompt) -> Identity:
    """The identity of the board at its prompt, without its key."""
    found = prompt.tell("telling its identity", f"CHECK = {CHECK!r}{_HERE}", "here()")
    values = dict(found["values"])
    return Identity(found["serial"], str(values.get("asset", "")), found["check"], found["damaged"], values)


def write(
    prompt: AtPrompt, before: Identity, serial: str, asset: str, key: bytes, *, erase: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> Identity:  # fmt: skip
    """Gives the board this identity, and keeps what else was in its own, its settings too where none are given.

    E-7362, E-7364, E-7366; nothing is written then.

    The journal keeps to one serial number: another one than its last start's needs `erase`, which empties it.
    """
    journal = prompt.tell("reading its journal", "", 'last_start(Ring(region("journal")))')
    serial = serial or (before.serial if before.given else "") or journal or before.serial
    if journal and journal != serial and not erase:
        raise WheelwrightError(7362, port=prompt.port, journal=journal, serial=serial)
    own = before.values.get("board", {}) if settings is None else dict(settings)
    fault = prompt.tell("checking its settings", _OWN, f"own.wrong(BOARD, {own!r})") if own else ""
    if fault:
        raise WheelwrightError(7366, reason=fault)
    if erase:
        prompt.tell("erasing its journal", "", "erase_journal()")
    values = {**before.values, "serial": serial, "key": key, **({"asset": asset} if asset else {})}
    values = {**values, "board": own} if own else {name: values[name] for name in values if name != "board"}
    if not prompt.tell("writing its identity", "", f"write({values!r})"):
        raise WheelwrightError(7364, port=prompt.port)
    return read(prompt)


def new_key(path: Path) -> bytes:
    """The key in `path`; made there, readable by its owner alone, when there is no such file. E-9012, E-8010."""
    if path.exists():
        return read_key(path)
    made = secrets.token_bytes(KEY_BYTES)
    whole.write(path, made.hex() + "\n", secret=True, new=True)
    return made


class Commissioning:
    """Iterate `steps()`. `wanted` names the board on USB; `key_file` is where the new key is or is to be."""

    def __init__(self, world: Usb, wanted: str, key_file: Path, serial: str = "", asset: str = "",
                 old_key: bytes = b"", *, erase: bool = False,
                 settings: Mapping[str, Any] | None = None) -> None:  # fmt: skip
        if serial and not NUMBER.fullmatch(serial):
            raise WheelwrightError(9001, option="--table", value=repr(serial),
                                   advice="use up to 32 letters, digits, dots and hyphens, such as W-000012")
        if len(asset.encode()) > MOST_ASSET:
            raise WheelwrightError(9001, option="--asset", value=repr(asset), advice=f"use at most {MOST_ASSET} bytes")
        if settings is not None and not isinstance(settings, dict):
            raise WheelwrightError(7366, reason="they are no JSON object")
        self.world, self.wanted, self.key_file = world, wanted, key_file
        self.serial, self.asset, self.old_key, self.erase, self.settings = serial, asset, old_key, erase, settings
        self.identity: Identity | None = None
        self.answer: Answer | None = None

    def steps(self) -> Iterator[Step]:
        """Raises E-73xx; before the step WRITE nothing is written but the key file."""
        board = choose([board for board in self.world.boards() if board.state == "table"], self.wanted)
        yield Step("CONSOLE", f"asking {board.serial or board.port} for its prompt")
        with table_stopped(self.world, board) as prompt:
            before = read(prompt)
            yield Step("CHECK", before.words())
            key = self._key(board.port, before)
            yield Step("WRITE", f"the key of {self.key_file}, check number {check_number(key)}; do not unplug")
            self.identity = write(prompt, before, self.serial, self.asset, key, erase=self.erase,
                                  settings=self.settings)  # fmt: skip
        yield Step("BOARD", "waiting for the table to start")
        answer = self.answer = back_at_table(self.world, board)
        if answer.serial != self.identity.serial:
            raise WheelwrightError(7318, found=answer.serial, serial=self.identity.serial)
        yield Step("DONE", f"{self.identity.words()}; keep {self.key_file} as you keep the service key")

    def _key(self, port: str, before: Identity) -> bytes:
        """The new key, which is in its file by then. E-7360, E-7361: what is there is not ours to replace."""
        if before.check and not self.old_key:
            raise WheelwrightError(7360, port=port, serial=before.serial)
        if before.check and before.check != check_number(self.old_key):
            raise WheelwrightError(7361, serial=before.serial, check=before.check, found=check_number(self.old_key))
        return new_key(self.key_file)


@contextmanager
def table_stopped(world: Usb, board: Board) -> Iterator[Prompt]:
    """The prompt of a board with an image of ours; however it ends, the table starts again. E-7330, E-7331."""
    with to_prompt(world, board) as prompt:
        try:
            prompt.ours()
            yield prompt
        finally:
            with suppress(WheelwrightError):  # a board that went away has said so already
                prompt.restart()


def show(world: Usb, wanted: str) -> Identity:
    """The identity of a board. A table is only asked to its prompt with its key: without, E-7365 says what is known."""
    board = choose([board for board in world.boards() if board.state == "table"], wanted)
    answer = None if world.has_key else world.ask(board)
    if answer:
        raise WheelwrightError(7365, port=board.port, serial=answer.serial)
    with table_stopped(world, board) as prompt:
        return read(prompt)
