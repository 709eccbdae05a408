"""One measured figure, and the table that prints them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

Found = TypeVar("Found")


@dataclass
class Figure:
    """`ratio` is value / against (or against / value where less is better): 1 or more means as good as `peer`."""

    name: str
    value: float
    unit: str
    peer: str = ""
    against: float = 0.0
    less_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as good as the peer; None without one."""
        if not self.against or not self.value:
            return None
        return self.against / self.value if self.less_is_better else self.value / self.against

    def as_json(self) -> dict[str, Any]:
        """With the ratio."""
        return {**asdict(self), "ratio": self.ratio}


def timed(work: Callable[[], Found]) -> tuple[float, Found]:
    """Seconds of wall clock that `work` took, and what it returned."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def computed(work: Callable[[], Found]) -> tuple[float, Found]:
    """Seconds of processor time on one core: what other programs do on this machine does not count."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def print_table(title: str, figures: Iterable[Figure]) -> None:
    """One line a figure, with its ratio."""
    print(f"\n{title}")
    for figure in figures:
        ratio = figure.ratio
        beside = f"{ratio:8.2f} x  {figure.peer} ({figure.against:,.6g})" if ratio is not None else figure.peer
        print(f"  {figure.name:<46} {figure.value:>14,.6g} {figure.unit:<10} {beside}", flush=True)
