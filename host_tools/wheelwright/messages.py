"""What goes between a session and its caller: commands, and what the table said."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tabletop.link import schema

from wheelwright.errors import WheelwrightError


@dataclass(frozen=True)
class Hello:
    """What the table said of itself."""

    protocol: int
    schema: bytes
    version: str
    serial: str
    program: bytes
    boot: int
    reset: str
    test: bool
    capabilities: tuple[str, ...]
    window: int
    frame: int
    emulated: bool = False  # its noise, wheel and lamps are a computer's

    @property
    def compatible(self) -> bool:
        """Whether everything may be used; else only the core messages may."""
        return self.protocol == schema.PROTOCOL and self.schema == schema.schema_hash()


class Record(NamedTuple):
    """A journal record as it came."""

    number: int
    data: bytes


class Gap(NamedTuple):
    """Records that the table no longer has, both ends included."""

    first: int
    last: int


class Live(NamedTuple):
    """Live values; `dropped` of them were lost before these."""

    values: dict[str, Any]
    dropped: int


@dataclass
class Command:
    """One command on its way; `reply` or `error` is set when it is `done`."""

    name: str
    number: int
    payload: bytes
    sequence: int = 0
    tries: int = 0
    sent_at: float = 0.0
    done: bool = False
    reply: dict[str, Any] = field(default_factory=dict)
    error: WheelwrightError | None = None
