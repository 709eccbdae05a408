"""Records that point to other records, held against them: hidden values when they are opened, and corrections.

A hidden value must give the hash that was published when it was chosen. One that is void since somebody had the prompt
is chosen anew at the start that says so, and stays unknown: a note. A correction must name the record that it
corrects by its hash, and a further one a second person. What only stays open is a note, no fault.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.chance.commitment import opens
from tabletop.journal import kinds
from tabletop.person import person

Payload = Mapping[str, Any]
KINDS = frozenset((kinds.BOOT, kinds.COMMITTED, kinds.OPENED, kinds.CORRECTION))


@dataclass(slots=True)
class Hidden:
    """A value that is committed to: its name and the newest of its COMMITTED records."""

    name: str
    payload: Payload


@dataclass(slots=True)
class Pledges:
    """Takes the records of KINDS in order; `notes` says at the end what stayed open or cannot be known."""

    hash_of: Callable[[int], bytes | None]
    notes: list[str] = field(default_factory=list)
    _hidden: dict[int, Hidden] = field(default_factory=dict)
    _opened: dict[int, int] = field(default_factory=dict)  # COMMITTED record -> the record that opened it
    _corrected: set[int] = field(default_factory=set)  # records that were corrected, and corrections
    _prompt: bool = False  # the table started after somebody had its prompt

    def wrong(self, number: int, kind: int, payload: Payload, complete: bool) -> str | None:
        """Why record `number` cannot be, None when it can; `complete` when the log holds every record before it."""
        try:
            if kind == kinds.BOOT:
                self._prompt = payload["reason"] == "CONSOLE"
                return None
            if kind == kinds.COMMITTED:
                return self._commit(number, payload, complete)
            if kind == kinds.OPENED:
                return self._open(number, payload, complete)
            return self._correct(number, payload)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return f"its payload lacks what its kind says ({error})"

    def end(self) -> list[str]:
        """The notes, when there are no more records."""
        left = [f"{one.name} is still hidden (record {number})" for number, one in sorted(self._hidden.items())]
        return self.notes + left

    def _commit(self, number: int, payload: Payload, complete: bool) -> str | None:
        name, of = payload["name"], payload.get("of")
        if payload.get("again"):
            before = self._hidden.pop(of, None)  # type: ignore[arg-type]
            if before is None and complete:
                return f"it moves record {of} up, which hides no value"
            same = ("name", "hash", "range", "salt", "least", "void")
            if before is not None and any(before.payload.get(key) != payload.get(key) for key in same):
                return f"it moves record {of} up with another content"
        elif payload.get("void"):
            before = self._hidden.pop(of, None)  # type: ignore[arg-type]
            cut_off = before is not None and before.payload.get("void")  # the start that chose it anew
            if not self._prompt and not cut_off:
                return f"it makes {name} void, but nobody had the prompt before this start"
            if before is None and complete:
                return f"it makes record {of} void, which hides no value"
            if before is not None and any(before.payload[key] != payload[key] for key in ("name", "range")):
                return f"it makes record {of} void with another name or range"
            self.notes.append(f"{name} of record {of} is void: somebody had the prompt; it was chosen anew in {number}")
        elif any(one.name == name for one in self._hidden.values()):
            return f"{name} was hidden already"
        self._hidden[number] = Hidden(name, payload)
        return None

    def _open(self, number: int, payload: Payload, complete: bool) -> str | None:
        name, of = payload["name"], payload["of"]
        if of in self._opened:
            return f"{name} of record {of} was opened before, in record {self._opened[of]}"
        hidden = self._hidden.pop(of, None)
        if hidden is None:
            if complete:
                return f"{name} was never committed to in record {of}"
            self.notes.append(f"{name}, opened in record {number}, was committed to in record {of}, which is not here")
        elif hidden.name != name:
            return f"record {of} hid {hidden.name}, not {name}"
        elif not opens(hidden.payload["hash"], payload["value"], payload["nonce"]):
            return f"the value of {name} is not the one that record {of} committed to"
        elif not hidden.payload.get("least", 0) <= payload["value"] < hidden.payload["range"]:
            return f"the value of {name} is outside of the range of record {of}"
        self._opened[of] = number
        return None

    def _correct(self, number: int, payload: Payload) -> str | None:
        of, second = payload["of"], payload.get("second", "")
        if of >= number:
            return f"it corrects record {of}, which comes later"
        known = self.hash_of(of)
        if known is not None and known != payload["hash"]:
            return f"it corrects record {of} with another hash than that record has"
        if of in self._corrected and _same(second, payload["operator"]):
            return f"it corrects record {of} again without a second person"
        self._corrected |= {of, number}
        return None


def _same(second: str, operator: str) -> bool:
    """Whether there is no second person: as a table compares names."""
    return not person(second) or person(second) == person(operator)
