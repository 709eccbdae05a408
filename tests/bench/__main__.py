"""`python -m tests.bench [host|device|table|traces|chance|wagers ...] [--json FILE]`"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.bench import (
    chance,
    chip,
    chip_heap,
    chip_scenes,
    device,
    games,
    host,
    linked,
    logbook,
    noise,
    table,
    traces,
    wagers,
)  # fmt: skip
from tests.bench.figures import print_table

PARTS = {
    "traces": traces, "device": device, "table": table, "noise": noise, "host": host, "logbook": logbook,
    "games": games, "wagers": wagers, "linked": linked, "chance": chance, "chip": chip, "chip_scenes": chip_scenes,
    "chip_heap": chip_heap,
}  # fmt: skip
WITHIN = ("chip_heap",)  # of another part: measured alone only when it is named


def main() -> None:
    """Measures the named parts, all by default."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (all)")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    given = parser.parse_args()
    found = {}
    for name in given.parts or [part for part in PARTS if part not in WITHIN]:
        figures = list(PARTS[name].figures())
        print_table((PARTS[name].__doc__ or name).splitlines()[0], figures)
        found[name] = [figure.as_json() for figure in figures]
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


main()
