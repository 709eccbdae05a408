"""docs/rng.md says what the code does: its cut-off table and its numbers."""

from __future__ import annotations

import re

from tabletop.chance import cutoffs, drbg, generator, monitor

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "rng.md").read_text()


def rows(table: str) -> dict[int, tuple[int, ...]]:
    """H in thousandths of a bit -> cut-offs."""
    read = [tuple(int(word) for word in line.split()) for line in table.strip().splitlines()]
    return {row[0]: row[1:] for row in read}


def test_the_cutoff_table_is_the_firmwares() -> None:
    printed: dict[str, dict[int, tuple[int, ...]]] = {"BINARY": {}, "BYTES": {}}
    for line in PAGE.splitlines():
        cells = re.findall(r"\| (\d\.\d) \| (\d+, \d+, \d+, \d+) ", line)
        if line.startswith(("| 0", "| 1")):
            for table, (h, numbers) in zip(("BINARY", "BYTES"), cells, strict=False):
                printed[table][round(float(h) * 1000)] = tuple(int(n) for n in numbers.split(", "))
    assert printed["BINARY"] == rows(cutoffs.BINARY)
    assert printed["BYTES"] == rows(cutoffs.BYTES)


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    assert "Start-up: 1024 samples" in PAGE
    assert "After 64 discards" in PAGE
    assert f"| 2^48 | {generator._INTERVAL}, and" in PAGE
    assert f"| {drbg.MAX_REQUEST:,} | {drbg.MAX_REQUEST:,} |" in PAGE
    assert f"after {monitor.FIRST_LOOK}, 28, 56" in PAGE
    assert f"the last {monitor.MEMORY} draws, as long as {monitor.RUN_BITS} bits" in PAGE
    assert f"a start, {monitor.START_BITS} bits" in PAGE
