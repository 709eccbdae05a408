"""Robert Brown's dieharder (Debian package) over a file of raw bits, in slices, so that a small file is enough.

By itself dieharder reads a short file again from its start, and what it makes of few p-values together is wrong. So
each slice of the file goes to a process of its own for one p-value, no test sees a byte twice, and what the slices gave
is held against chance here. What the tests below need was measured with dieharder 3.31.1 on perfect numbers.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scipy import stats

from wheelwright import wording
from wheelwright.rng.tests import Result

MOST_SLICES = 100  # as many p-values as dieharder takes by default
SLICE_S = 300.0  # for one slice; the slowest test takes about one second
MISSING = "not run: dieharder is not installed (Debian package dieharder)"
OUTCOMES = "not run: dieharder tests raw bits, and these are outcomes"
_SILENT = "gave no answer"  # as on a file of zeros
_CALL = ("-p", "1", "-g", "200", "-c", ",", "-D", "pvalues", "-D", "assessment")


class Setting(NamedTuple):
    """One of dieharder's tests: its number, length of tuples (0: none), samples, and bytes that a slice needs."""

    name: str
    number: int
    ntuple: int
    samples: int
    size: int


TESTS = (
    Setting("3d sphere", 12, 0, 4_000, 68_000),
    Setting("monobit", 100, 0, 10_000, 84_000),
    Setting("runs of bits", 101, 0, 10_000, 84_000),
    Setting("2d circle", 11, 0, 8_000, 100_000),
    Setting("bits", 200, 1, 10_000, 124_000),
    Setting("minimum distance", 201, 2, 10_000, 124_000),
    Setting("parking lot", 10, 0, 12_000, 150_000),
    Setting("birthdays", 0, 0, 100, 158_500),
    Setting("permutations of 3", 202, 3, 10_000, 164_000),
    Setting("pairs of bits", 200, 2, 10_000, 204_000),
    Setting("permutations of 5", 202, 5, 10_000, 244_000),
    Setting("fours of bits", 200, 4, 10_000, 365_000),
    Setting("runs up and down", 15, 0, 100_000, 805_000),
    Setting("serial", 102, 0, 100_000, 805_000),
    Setting("lagged sums", 203, 1, 100_000, 1_205_000),
    Setting("ones in a stream", 8, 0, 256_000, 1_290_000),
    Setting("rank 6x8", 3, 0, 100_000, 2_820_000),
    Setting("rank 32x32", 2, 0, 40_000, 5_300_000),
    Setting("ones in bytes", 9, 0, 256_000, 6_300_000),
    Setting("craps", 16, 0, 200_000, 6_300_000),
    Setting("operm5", 1, 0, 1_000_000, 8_010_000),
    Setting("bitstream", 4, 0, 2_097_152, 9_450_000),
    Setting("squeeze", 13, 0, 100_000, 9_700_000),
)


def found() -> str | None:
    """The program, when it is installed."""
    return shutil.which("dieharder")


def slices(size: int) -> int:
    """How many slices the tests take of a file of `size` bytes, together."""
    return sum(_slices(test, size) for test in TESTS)


def run(path: Path, program: str, advance: Callable[[int], None] = lambda _n: None) -> list[Result]:
    """Every test for which the file is large enough; the others say what they need. `advance(1)` after each slice."""
    size = path.stat().st_size
    results = []
    with path.open("rb") as file:
        for test in TESTS:
            file.seek(0)
            answers = []
            for _ in range(_slices(test, size)):
                answers.append(_ask(program, test, file.read(test.size)))
                advance(1)
            results.append(_result(test, answers))
    return results


def summary(results: list[Result]) -> str:
    """Which part of the tests the file was large enough for."""
    run = sum(one.p is not None for one in results)
    silent = sum(one.looked_at == _SILENT for one in results)
    words = f"{run} of its tests were run, for {len(results) - run - silent} the file is too small"
    return f"{words}, {silent} {_SILENT}" if silent else words


def _slices(test: Setting, size: int) -> int:
    return min(MOST_SLICES, size // test.size)


def _ask(program: str, test: Setting, data: bytes) -> list[tuple[float, str]]:
    """What dieharder says of one slice: p-value and its own word for it, for each number that the test gives."""
    tuples = ("-n", str(test.ntuple)) if test.ntuple else ()
    call = [program, "-d", str(test.number), "-t", str(test.samples), *tuples, *_CALL]
    done = subprocess.run(call, input=data, capture_output=True, check=False, timeout=SLICE_S)
    rows = [line.split(",") for line in done.stdout.decode("ascii", "replace").splitlines()
            if "," in line and not line.startswith("#")]  # fmt: skip
    return [(float(p), word.strip()) for p, word in rows]


def _result(test: Setting, answers: list[list[tuple[float, str]]]) -> Result:
    """One p-value of all slices: are theirs spread evenly, and is the most extreme one no rarer than chance?"""
    name = f"dieharder: {test.name}"
    if not answers:
        return Result(name, f"needs {test.size:,} bytes", None)
    kinds = len(answers[0])
    if not kinds or any(len(answer) != kinds for answer in answers):
        return Result(name, _SILENT, None)
    columns = [[answer[kind][0] for answer in answers] for kind in range(kinds)]
    even = min(float(stats.kstest(column, "uniform").pvalue) for column in columns)
    extreme = min(2 * min(p, 1 - p) for column in columns for p in column) * len(answers)
    words = [word for answer in answers for _, word in answer]
    said = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(sorted(words)))
    looked_at = f"{wording.count(len(answers), 'slice')} of {test.size:,} bytes, {said}"
    return Result(name, looked_at, min(1.0, 2 * kinds * min(even, extreme)))
