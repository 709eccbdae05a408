"""Measures the diagnosis on virtual tables with each fault in them: `python -m tests.diagnosis [SEEDS]`.

Each table has four spins in its journal before it is asked, of speeds and pegs that the seed gives; then it is
diagnosed from journal and counters alone, and once more with a live look. The tables of `docs/diagnosis.md` are its.
"""

from __future__ import annotations

import random
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wheelwright.bench import session, technician
from wheelwright.diagnosis import evidence
from wheelwright.diagnosis.ranking import Suspect, ranked
from wheelwright.link import Client
from wheelwright.virtual import BENCH_HEAP, VirtualTable

PAGE = Path(__file__).resolve().parent.parent / "docs" / "diagnosis.md"
NONE = "none"
SPINS = 4
# cause -> the fault of the virtual table, and its value; those without are made by `_afflict`
CASES: dict[str, tuple[str, int] | None] = {
    NONE: None, "a_dead": ("a_dead", 1), "b_dead": ("b_dead", 1), "encoder_dead": ("freeze", 1),
    "b_loose": ("b_loose", 150), "swapped": ("swapped", 1), "wrong_encoder": ("counts", 2000),
    "index_dead": ("index_dead", 1), "index_noise": ("index_noise", 60), "index_width": ("index_width", 5),
    "clapper_dead": ("clapper_dead", 1),
    "clapper_stuck": ("clapper_stuck", 1), "clapper_worn": ("clapper_worn", 100), "slips": ("slips", 200),
    "bearing": ("friction", 300), "hand": None, "brown_out": None, "modem_manager": None, "link_noise": None,
    "button_stuck": ("button_stuck", 2),
}  # fmt: skip


class Rough(technician.Virtual):
    """Spins as the seed gives them; with `holds`, a hand stops each one."""

    def __init__(self, table: VirtualTable, seed: int, holds: bool) -> None:
        super().__init__(lambda: table.hand)
        self._draw = random.Random(seed)
        self._holds = holds

    def spin(self, direction: int) -> bool:
        hand = self._hand()
        hand.rest()
        hand("spin", speed_mturns_s=self._draw.randint(820, 1150), direction=direction,
             noise=self._draw.randrange(1, 1 << 31))  # fmt: skip
        if self._holds:
            hand("stop", ms=300, after_ms=self._draw.randint(2000, 3000))
        return True


def _afflict(table: VirtualTable, cause: str, seed: int) -> None:
    fault = CASES[cause]
    if fault is not None:
        table.hand("fault", fault=fault[0], value=fault[1])
    elif cause == "brown_out":
        for _ in range(4):
            table.restart()
    elif cause in ("modem_manager", "link_noise"):
        junk = b"AT\rAT+GCAP\rAT+CGMM\0" if cause == "modem_manager" else random.Random(seed).randbytes(400) + b"\0"
        host, _, number = table.address.removeprefix("socket://").rpartition(":")
        with socket.create_connection((host, int(number))) as line:
            line.sendall(junk)
            table.hand("pass", ms=200)


def diagnosed(cause: str, seed: int, look: bool = True) -> tuple[list[Suspect], list[Suspect]]:
    """What is said of a table with this fault: by journal and counters alone, and with a live look."""
    with VirtualTable(pace=30, heap=BENCH_HEAP) as table:
        _afflict(table, cause, seed)
        someone = Rough(table, seed, cause == "hand")
        for nth in range(SPINS):
            someone.spin(1 - 2 * (nth % 2))
            someone.settle()
        bench = session.Bench(Client.open(table.address), someone)
        processes = {"ModemManager"} if cause == "modem_manager" else set()
        alone = ranked(evidence.of_table(bench, processes, spin=False))
        looked = ranked(evidence.of_table(bench, processes, spin=True)) if look else []
        bench.client.close()
    return alone, looked


def first(suspects: list[Suspect]) -> str:
    return suspects[0].fault if suspects else NONE


def matrix(counts: dict[str, Counter[str]], seeds: int) -> Iterator[str]:
    """Rows of a table of Markdown: a fault, how often it was named first, and what else was."""
    for cause, named in counts.items():
        right = named[cause]
        others = ", ".join(f"{what} {times}" for what, times in named.most_common() if what != cause)
        yield f"| {cause} | {right} of {seeds} | {others or '-'} |"


def filled(page: str, head: str, rows: list[str]) -> str:
    before, _, after = page.partition(head + "\n")
    rest = after.split("\n")
    end = next(i for i, line in enumerate(rest) if not line.startswith("|"))
    return before + head + "\n|---|---|---|\n" + "\n".join(rows) + "\n" + "\n".join(rest[end:])


HEADS = (
    "| injected | named first, journal alone | named instead |",
    "| injected | named first, with a live look | named instead |",
)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    counts: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = ({}, {})
    for cause in CASES:
        for seed in range(1, seeds + 1):
            for place, suspects in enumerate(diagnosed(cause, seed)):
                counts[place].setdefault(cause, Counter())[first(suspects)] += 1
        print(cause, dict(counts[0][cause]), dict(counts[1][cause]), flush=True)
    page = PAGE.read_text(encoding="utf-8")
    for head, one in zip(HEADS, counts, strict=True):
        page = filled(page, head, list(matrix(one, seeds)))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
