"""A run of checks as a technician would leave it, for the tests of its reports."""

from typing import Any

from wheelwright.reports.run import Adjustment, Check, Head, Plot, Record, Run, Series

STARTED = 1_750_000_000.0


def check(name: str = "encoder_counts", **changes: Any) -> Check:
    values: dict[str, Any] = {
        "name": name, "title": name.replace("_", " ").capitalize(), "verdict": "PASS", "measured": 2400, "low": 2400,
        "high": 2400, "unit": "counts a turn", "started_s": STARTED + 10, "ended_s": STARTED + 14.5,
        "detail": "ten turns forward, ten backward",
    }  # fmt: skip
    return Check(**{**values, **changes})


COAST = Plot(
    title="Coast-down", x="seconds", y="turns/s",
    series=[
        Series(name="this run", points=[(t / 2, 1.2 * (1 - t / 40)) for t in range(41)]),
        Series(name="least", points=[(0.0, 0.1), (20.0, 0.1)], style="limit"),
    ],
)  # fmt: skip
CHECKS = [
    check(plot=COAST),
    check("clapper", measured="54 pegs", low=None, high=None, expected="54 pegs a turn", unit=""),
    check("power_cut", verdict="SKIPPED", measured=None, low=None, high=None, detail="nobody there to pull the plug"),
]


def run(**changes: Any) -> Run:
    values: dict[str, Any] = {
        "serial": "VT-000001", "asset": "1207", "table": "pit 3, table 12", "port": "/dev/ttyACM0",
        "firmware": "0.1.0", "program": "ab" * 32, "program_seed": "5eed" * 8, "program_sha256": "cd" * 32,
        "game": "dreamcatcher", "emulated": True, "test_mode": True, "technician": "A. Müller", "licence": "T-4711",
        "reason": "wheel stops early", "started_s": STARTED, "ended_s": STARTED + 130, "tool": "0.1.0",
        "checks": CHECKS,
        "adjustments": [
            Adjustment(what="counts a turn", before="2399", after="2400", at_s=STARTED + 60),
            Adjustment(what="clapper leaf", before="worn", after="new, part 88-12", at_s=STARTED + 80, part=True),
        ],
        "meters_before": {"live": {"rounds": 12, "wagered_mills": 60000}, "test": {"rounds": 0, "wagered_mills": 0}},
        "meters_after": {"live": {"rounds": 12, "wagered_mills": 60000}, "test": {"rounds": 2, "wagered_mills": 10000}},
        "journal_before": Head(number=41, hash="11" * 32), "journal_after": Head(number=43, hash="22" * 32),
        "log": [
            Record(number=42, kind="MODE", text="test mode on", hash="33" * 32),
            Record(number=43, kind="MODE", text="test mode off", hash="22" * 32),
        ],
    }  # fmt: skip
    return Run(**{**values, **changes})
