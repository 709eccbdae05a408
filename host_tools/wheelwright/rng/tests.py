"""Statistical tests of outcomes: chi-square, serial pairs, runs, gaps, missing outcomes, each with a p-value.

Knuth, The Art of Computer Programming 2, section 3.3.2; the distributions are SciPy's. Together the tests raise a false
alarm once in 1000 files: each gets an equal share (Bonferroni). What so many samples could have shown is said too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from wheelwright import wording
from wheelwright.errors import WheelwrightError

FALSE_ALARM = 0.001  # of all tests together
LEAST_EXPECTED = 5  # counts a cell, for chi-square
MOST_RANGE = 65_536
MOST_SAMPLES = 1 << 27  # 16 MB of raw bits; they take 20 bytes of memory each
_TEXT = bytes(range(32, 127)) + b"\t\r\n"

Values = NDArray[np.int64]


@dataclass(frozen=True)
class Result:
    """One test: what it looked at, its p-value, None when there were too few samples for it."""

    name: str
    looked_at: str
    p: float | None

    def passed(self, tests: int) -> bool:
        """True unless the p-value is below this test's share of the false alarms, on either side for chance itself."""
        return self.p is None or self.p >= FALSE_ALARM / tests


@dataclass(frozen=True)
class Verdict:
    """All tests of one file; `range` is the number of different outcomes, `counts` how often each came."""

    samples: int
    range: int
    counts: list[int]
    results: list[Result]
    visible_percent: float  # the smallest bias of one outcome that this many samples show nine times of ten

    @property
    def tested(self) -> int:
        return sum(one.p is not None for one in self.results)

    @property
    def passed(self) -> bool:
        return self.tested > 0 and all(one.passed(self.tested) for one in self.results)

    def words(self) -> str:
        """The verdict in one plain sentence."""
        if not self.tested:
            return f"nothing can be said: too few for any test ({wording.count(self.samples, 'sample')})"
        if self.passed:
            return f"no fault found in {wording.count(self.samples, 'sample')} by {wording.count(self.tested, 'test')}"
        failed = ", ".join(one.name for one in self.results if not one.passed(self.tested))
        return f"FAULT: {failed} would come by chance less than once in {round(1 / FALSE_ALARM)} files"

    def limits(self) -> list[str]:
        """What these samples can and cannot show."""
        least = _least_samples(self.range, self.tested)
        if math.isinf(self.visible_percent):
            bias = "So few samples show no bias of a single outcome, however large."
        else:
            bias = (
                f"A single outcome that comes {float(f'{self.visible_percent:.2g}'):g} % more or less often than it "
                "should would be found in nine of ten such files; a smaller bias would most likely not."
            )
        return [
            f"Seen: {wording.count(self.samples, 'sample')} of {wording.count(self.range, 'outcome')}.",
            bias,
            f"An outcome that never comes would be found from {wording.count(least, 'sample')} on.",
            "No test of outcomes can show that they cannot be foretold: that rests on the noise source, its health "
            "tests and the published generator (docs/rng.md).",
        ]


def read(path: Path, note: dict[str, Any]) -> tuple[Values, int]:
    """The outcomes in a file and their range: decimal, one a line, or packed raw bits (range 2). E-9012."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or str(error)) from error
    if not data.strip():
        raise WheelwrightError(9012, path=path, reason="it is empty")
    raw = is_raw(data, note)
    if (8 if raw else 1 / 2) * len(data) > MOST_SAMPLES:
        reason = f"it holds more than {MOST_SAMPLES:,} samples: split it, and test each part"
        raise WheelwrightError(9012, path=path, reason=reason)
    if raw:
        return np.unpackbits(np.frombuffer(data, np.uint8)).astype(np.int64), 2
    try:
        values = np.array([int(line) for line in data.split()], np.int64)
    except (ValueError, OverflowError) as error:
        raise WheelwrightError(9012, path=path, reason=f"not one whole number a line: {error}") from None
    n = int(note.get("range", int(values.max()) + 1 if len(values) else 1))
    if len(values) and not (int(values.min()) >= 0 and int(values.max()) < n):
        raise WheelwrightError(9012, path=path, reason=f"an outcome is outside of 0 to {n - 1}")
    return values, n


def is_raw(data: bytes, note: dict[str, Any]) -> bool:
    """True for packed raw bits, as the note says, or the bytes themselves when there is none: text is no noise."""
    return bool(note.get("what", "outcomes" if not data.translate(None, _TEXT) else "raw") == "raw")


def run(values: Values, n: int, more: Sequence[Result] = ()) -> Verdict:
    """Every test over `values`, each 0 .. n - 1; `more` are results of other tests of the same file."""
    if not 2 <= n <= MOST_RANGE:
        advice = f"test outcomes of a range of 2 to {MOST_RANGE}, named with --range where no note tells it"
        raise WheelwrightError(9001, option="range", value=n, advice=advice)
    counts = np.bincount(values, minlength=n) if len(values) else np.zeros(n, np.int64)
    results = [test(values, n) for test in (chi_square, serial, runs, gap, missing)] + list(more)
    return Verdict(len(values), n, [int(count) for count in counts], results, _visible_percent(len(values), n))


def _chi_square(observed: NDArray[Any], expected: NDArray[Any]) -> float:
    found = float((((observed - expected) ** 2) / expected).sum())
    return float(stats.chi2.sf(found, len(observed) - 1))


def chi_square(values: Values, n: int) -> Result:
    """Each outcome as often as any other."""
    if len(values) < LEAST_EXPECTED * n:
        return Result("chi-square", f"needs {wording.count(LEAST_EXPECTED * n, 'sample')}", None)
    counts = np.bincount(values, minlength=n)
    return Result("chi-square", f"{n} outcomes", _chi_square(counts, np.full(n, len(values) / n)))


def serial(values: Values, n: int) -> Result:
    """Pairs that follow one another without overlap: does an outcome tell the next? Large ranges are cut into parts."""
    pairs = len(values) // 2
    parts = min(n, math.isqrt(pairs // LEAST_EXPECTED))
    if parts < 2:
        return Result("serial", f"needs {8 * LEAST_EXPECTED} samples", None)
    edges = np.arange(parts + 1) * n // parts
    sizes = np.diff(edges) / n
    part = np.searchsorted(edges, values[: 2 * pairs], side="right") - 1
    table = np.bincount(part[0::2] * parts + part[1::2], minlength=parts * parts)
    expected = np.outer(sizes, sizes).ravel() * pairs
    return Result("serial", f"{parts} x {parts} kinds of pairs", _chi_square(table, expected))


def runs(values: Values, n: int) -> Result:
    """Wald and Wolfowitz: how often the lower half of the outcomes gives way to the upper."""
    low = values * 2 < n - 1 if n % 2 else values * 2 < n
    if n % 2:  # the middle outcome is in neither half
        low = low[values * 2 != n - 1]
    a, b = int(low.sum()), int((~low).sum())
    total = a + b
    if min(a, b) < 20:
        return Result("runs", "needs 20 outcomes of each half", None)
    found = 1 + int((low[1:] != low[:-1]).sum())
    mean = 2 * a * b / total + 1
    variance = 2 * a * b * (2 * a * b - total) / (total * total * (total - 1))
    return Result("runs", f"{found} runs of low and high", float(2 * stats.norm.sf(abs(found - mean) / variance**0.5)))


def gap(values: Values, n: int) -> Result:
    """How long the first outcomes (one, or a tenth of all) stay away, and return: a geometric distribution."""
    some = max(1, n // 10)
    at = np.flatnonzero(values < some)
    share = some / n
    gaps = np.diff(at) - 1
    longest = 0
    while longest < 60 and len(gaps) * (1 - share) ** (longest + 1) >= LEAST_EXPECTED:
        longest += 1
    if longest < 2:
        return Result("gap", "too few returns", None)
    chances = np.array([share * (1 - share) ** k for k in range(longest)] + [(1 - share) ** longest])
    observed = np.bincount(np.minimum(gaps, longest), minlength=longest + 1)
    keep = chances * len(gaps) >= LEAST_EXPECTED
    if keep.sum() < 2:
        return Result("gap", "too few returns", None)
    observed, chances = _merged(observed, chances, keep)
    return Result("gap", f"{len(gaps)} returns of {some} of {n} outcomes", _chi_square(observed, chances * len(gaps)))


def _least_samples(n: int, tests: int) -> int:
    """So many samples are enough for `missing` to fail as one of `tests` tests."""
    return math.ceil(math.log(FALSE_ALARM / (max(1, tests) * n)) / math.log1p(-1 / n))


def missing(values: Values, n: int) -> Result:
    """Every outcome came at least once: the chance that a fair source leaves any of them out is n (1 - 1/n)^samples."""
    least = _least_samples(n, 1)
    if len(values) < least:
        return Result("missing", f"needs {wording.count(least, 'sample')}", None)
    absent = np.flatnonzero(np.bincount(values, minlength=n) == 0)
    if not len(absent):
        return Result("missing", f"all of {n} outcomes came", 1.0)
    words = f"outcome {absent[0]} never came" + (f", and {len(absent) - 1} more" if len(absent) > 1 else "")
    return Result("missing", words, n * math.exp(len(values) * math.log1p(-1 / n)))


def _merged(observed: Any, chances: Any, keep: Any) -> tuple[Any, Any]:
    """Cells that expect too little, put together into the first that is kept."""
    first = int(np.flatnonzero(keep)[0])
    seen, chance = observed[keep].copy(), chances[keep].copy()
    place = int(keep[:first].sum())
    seen[place] += observed[~keep].sum()
    chance[place] += chances[~keep].sum()
    return seen, chance


def _visible_percent(samples: int, n: int) -> float:
    """The bias of one outcome (in percent of its chance) that chi-square finds nine times of ten."""
    if samples < LEAST_EXPECTED * n:
        return math.inf
    limit = stats.chi2.isf(FALSE_ALARM / 4, n - 1)
    low, high = 0.0, 1e9
    for _ in range(80):
        middle = (low + high) / 2
        if stats.ncx2.sf(limit, n - 1, middle) < 0.9:
            low = middle
        else:
            high = middle
    # One outcome with chance (1 + d) / n: non-centrality is samples * d^2 / (n - 1).
    return 100 * math.sqrt(high * (n - 1) / samples)

