"""What a report says, as rows of text: the page and the PDF show the same words, each in its own way."""

import time
from typing import NamedTuple

from wheelwright import wording
from wheelwright.reports.run import Check, Run
from wheelwright.wording import measure

SUMMARY = {
    "PASS": "Every check passed.",
    "FAIL": "NOT every check passed.",
    "INVALID": "This run proves nothing.",
    "SKIPPED": "Nothing was checked.",
}


class Line(NamedTuple):
    """One check as shown."""

    verdict: str
    title: str
    measured: str
    expected: str
    remarks: list[str]
    took: str


def when(seconds: float) -> str:
    """A time in UTC, to the second."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))


def clean(text: str) -> str:
    """The text on one line, without signs that a page or terminal obeys."""
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in text)


def marks(run: Run) -> list[str]:
    """What must not be overlooked on any page of the report."""
    return [mark for mark, on in (("EMULATED", run.emulated), ("TEST", run.test_mode)) if on]


def summary(run: Run) -> str:
    """One sentence about the whole run, with the reason when it proves nothing."""
    reasons = [
        *([] if run.complete else ["it was interrupted"]),
        *([f"what must not move has moved ({', '.join(run.moved)})"] if run.moved else []),
        *([] if run.proved else ["nothing proves that no live meter moved"]),
    ]
    invalid = [check.title for check in run.checks if check.verdict == "INVALID"]
    reasons += [f"{title} could not be checked as it must be" for title in invalid]
    text = SUMMARY[run.verdict] + (f" ({'; '.join(reasons)})" if reasons else "")
    left = [check.title for check in run.checks if check.verdict == "SKIPPED"]
    if left and run.verdict == "PASS":
        text = f"Every check that was made passed. NOT made: {', '.join(left)}."
    return clean(text)


def facts(run: Run) -> list[tuple[str, str]]:
    """Name and value of what was checked, by whom and when."""
    rows = [
        ("serial number", run.serial),
        ("asset number", run.asset),
        ("table", run.table),
        ("game", run.game),
        ("firmware", run.firmware),
        ("program, seeded HMAC-SHA-256", run.program),
        ("seed of it", run.program_seed),
        ("program, SHA-256", run.program_sha256),
        ("port", run.port),
        ("technician", run.technician),
        ("licence", run.licence),
        ("reason", run.reason),
        ("start", when(run.started_s)),
        ("end", when(run.ended_s)),
        ("tool", f"wheelwright {run.tool}"),
    ]
    return [(name, clean(value) or "-") for name, value in rows]


def line(check: Check) -> Line:
    """One check in words."""
    told = check.verdict in ("FAIL", "INVALID")
    remarks = [
        check.detail,
        f"Likely cause: {check.cause}" if check.cause and told else "",
        f"Next: {check.next_step}" if check.next_step and told else "",
    ]
    return Line(
        check.verdict,
        clean(check.title),
        clean("-" if check.measured is None else measure(check.measured, check.unit)),
        clean(limits(check)),
        [clean(remark) for remark in remarks if remark],
        f"{check.ended_s - check.started_s:.1f} s",
    )


def limits(check: Check) -> str:
    """The range that a measured value must lie in."""
    low, high, unit = check.low, check.high, check.unit
    if low is None and high is None:
        bounds = ""
    elif low is not None and high is not None:
        bounds = measure(low, unit) if low == high else f"{measure(low, '')} to {measure(high, unit)}"
    else:
        bounds = f"at least {measure(low, unit)}" if low is not None else f"at most {measure(high, unit)}"
    return ", ".join(part for part in (bounds, check.expected) if part) or "-"


def meters(run: Run) -> list[tuple[str, str, str, str]]:
    """(meter, before, after, whether it moved); money as dollars."""
    rows = []
    for mode in sorted({*run.meters_before, *run.meters_after}):
        before, after = run.meters_before.get(mode, {}), run.meters_after.get(mode, {})
        for name in sorted({*before, *after}):
            was, now = before.get(name), after.get(name)
            moved = "no" if was == now else "YES" if mode == "live" else "yes, in test"
            rows.append((f"{mode} {name.removesuffix('_mills')}", _meter(name, was), _meter(name, now), moved))
    return rows


def _meter(name: str, value: int | None) -> str:
    if value is None:
        return "-"
    return wording.money(value) if name.endswith("_mills") else str(value)


def proof(run: Run) -> str:
    """Whether a live meter moved, and how that is known."""
    first, last = run.journal_before.number + 1, run.journal_after.number
    if run.moved:
        return clean(f"LIVE METERS MOVED: {', '.join(run.moved)}.")
    if run.missing:
        verb = "is" if run.missing == 1 else "are"
        return f"NOT PROVED: {wording.count(run.missing, 'record')} of records {first} to {last} {verb} missing here."
    if not run.proved:
        return "NOT PROVED: the table gave no live meters."
    told = "the journal got no record" if last < first else f"no record of the journal, {first} to {last}, moves one"
    return f"No live meter moved: each reads the same before and after, and {told}."


def heads(run: Run) -> list[tuple[str, str, str]]:
    """(when, record, hash) of the journal's head before and after."""
    return [
        ("before", str(run.journal_before.number), clean(run.journal_before.hash)),
        ("after", str(run.journal_after.number), clean(run.journal_after.hash)),
    ]


def changes(run: Run) -> list[tuple[str, str, str, str, str]]:
    """(when, what kind, what, before, after) of adjustments and parts."""
    return [
        (when(one.at_s), "part" if one.part else "setting", clean(one.what), clean(one.before), clean(one.after))
        for one in run.adjustments
    ]
