"""What a run of checks on a table came to, as data: every report of it is made from this and from nothing else.

All of it is frozen, and built with keywords. Times are seconds since 1970 (UTC), meters are integers (money in mills),
bytes are lower-case hex. A value that cannot be (a PASS outside its limits, an end before its start) is a ValueError
when it is made. Its JSON is described by `docs/schemas/run.json`, which is made from these classes.
"""

import math
from pathlib import Path
from typing import Any, Literal

import msgspec

from wheelwright.errors import WheelwrightError

FORMAT: Literal[1] = 1  # of the JSON; a reader refuses any other
Verdict = Literal["PASS", "FAIL", "INVALID", "SKIPPED"]  # INVALID: the check itself could not be made as it must be
VERDICTS: tuple[Verdict, ...] = ("PASS", "FAIL", "INVALID", "SKIPPED")
Meters = dict[str, dict[str, int]]  # {"live": {"rounds": 3, "wagered_mills": 15000}, "test": {...}}, as STATUS says


class _Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Immutable; JSON with a field that is not known is refused."""


class Series(_Frozen, frozen=True, kw_only=True):
    """One line of a plot; `style` says how its points are drawn."""

    name: str
    points: list[tuple[float, float]]
    style: Literal["line", "points", "bars", "limit"] = "line"  # limit: a dashed line of a bound

    def __post_init__(self) -> None:
        if not all(math.isfinite(number) for point in self.points for number in point):
            raise ValueError(f"a point of {self.name} is no number")


class Plot(_Frozen, frozen=True, kw_only=True):
    """A picture of what was measured. `polar`: x is an angle in turns, 0 at the top, clockwise as on the wheel."""

    title: str
    x: str  # what the axis shows, with its unit: "seconds"
    y: str
    series: list[Series]
    polar: bool = False


class Check(_Frozen, frozen=True, kw_only=True):
    """One test. A number as `measured` lies within `low` .. `high` (both included, None: open) or the test failed.

    `expected` says in words what the bounds cannot ("each line toggles"). `detail` is what was seen, `cause` what a
    failure most likely comes from, `next_step` what to do about it.
    """

    name: str  # its name on the command line: "encoder_lines"
    title: str  # its name for people: "Encoder lines"
    verdict: Verdict
    started_s: float
    ended_s: float
    measured: int | float | str | None = None
    low: int | float | None = None
    high: int | float | None = None
    expected: str = ""
    unit: str = ""
    detail: str = ""
    cause: str = ""
    next_step: str = ""
    plot: Plot | None = None

    def __post_init__(self) -> None:
        numbers = (self.started_s, self.ended_s, self.measured, self.low, self.high)
        if not all(math.isfinite(number) for number in numbers if isinstance(number, int | float)):
            raise ValueError(f"check {self.name} holds what is no number")
        if self.ended_s < self.started_s:
            raise ValueError(f"check {self.name} ended before it began")
        if self.verdict == "PASS" and not self.within:
            raise ValueError(f"check {self.name} cannot pass: {self.measured} is not within its limits")

    @property
    def within(self) -> bool:
        """Whether the measured number lies within its limits; True for what is no number."""
        value = self.measured
        if value is None or isinstance(value, str):
            return True
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


class Adjustment(_Frozen, frozen=True, kw_only=True):
    """Something that was set, or a part that was replaced: what, how it was before and how it is now."""

    what: str
    before: str
    after: str
    at_s: float
    part: bool = False  # a part replaced; else a setting


class Head(_Frozen, frozen=True, kw_only=True):
    """Where a journal ended: its last record and that record's hash."""

    number: int
    hash: str


class Record(_Frozen, frozen=True, kw_only=True):
    """One journal record of the log extract, in words; `live` when it moves a live meter."""

    number: int
    kind: str
    text: str
    hash: str
    live: bool = False


class Run(_Frozen, frozen=True, kw_only=True):
    """A whole run of checks on one table."""

    format: Literal[1] = FORMAT
    # the table
    serial: str
    firmware: str  # version
    program: str  # seeded HMAC-SHA-256 of the program, as VERIFY gave it
    program_seed: str  # the seed of that
    program_sha256: str  # the same without a seed, as HELLO gives it
    game: str  # what the table plays: "dreamcatcher"
    emulated: bool  # a virtual table or an emulated chip, no real one: the report is marked EMULATED
    test_mode: bool  # the table was in test mode for the checks: the report is marked TEST
    # who and why
    technician: str
    licence: str  # of the technician
    reason: str
    started_s: float
    ended_s: float
    tool: str  # version of the host tool
    # what was found and done
    checks: list[Check]
    meters_before: Meters
    meters_after: Meters
    journal_before: Head
    journal_after: Head
    asset: str = ""  # the house's number of the table
    table: str = ""  # where it stands: "pit 3, table 12"
    port: str = ""
    adjustments: list[Adjustment] = []
    log: list[Record] = []  # the extract: every record from `journal_before` on, up to `journal_after`
    complete: bool = True  # False: it was interrupted, and can be resumed
    seal: dict[str, str] | msgspec.UnsetType = msgspec.UNSET  # of the file that it was read from, no part of the run

    def __post_init__(self) -> None:
        if not (math.isfinite(self.started_s) and math.isfinite(self.ended_s)) or self.ended_s < self.started_s:
            raise ValueError("the run ended before it began")
        names = [check.name for check in self.checks]
        if len(set(names)) < len(names):
            raise ValueError("two checks have the same name")

    @property
    def verdict(self) -> Verdict:
        """FAIL with a failed check; INVALID with an invalid one, an end too early, or meters that moved or may have;
        else PASS.

        A run that checked nothing is SKIPPED: it must not read as one that passed.
        """
        found = {check.verdict for check in self.checks}
        if "FAIL" in found:
            return "FAIL"
        if "INVALID" in found or not self.complete or self.moved or not self.proved:
            return "INVALID"
        return "PASS" if "PASS" in found else "SKIPPED"

    @property
    def moved(self) -> list[str]:
        """The live meters that are not as they were before, and the records that moved one: must be empty."""
        before, after = self.meters_before.get("live", {}), self.meters_after.get("live", {})
        changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        return changed + [f"record {record.number} {record.kind}" for record in self.log if record.live]

    @property
    def proved(self) -> bool:
        """Whether the report can say that no live meter moved: there are some, and no record of the run is missing."""
        return bool(self.meters_before.get("live") and self.meters_after.get("live")) and not self.missing

    @property
    def missing(self) -> int:
        """How many records of the run the extract lacks; with one away, nothing proves that no meter moved."""
        there = {record.number for record in self.log}
        first, last = self.journal_before.number + 1, self.journal_after.number
        return max(last - first + 1, 0) - sum(first <= number <= last for number in there)


def to_json(run: Run) -> bytes:
    """The run as JSON, two spaces a level, the same bytes for the same run; without the seal of any file."""
    run = msgspec.structs.replace(run, seal=msgspec.UNSET)
    return msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n"


def from_json(data: bytes, path: Path | str = "the run") -> Run:
    """The run of `to_json`. E-9012: it is no such JSON, or says what cannot be."""
    try:
        return msgspec.json.decode(data, type=Run)
    except (ValueError, OverflowError, RecursionError) as error:
        raise WheelwrightError(9012, path=path, reason=str(error)) from None


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of `to_json`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Run)}
