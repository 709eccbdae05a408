"""The statistical tests find what is wrong, let pass what is fair, and say what they cannot see."""

import json
import secrets
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from scipy import stats
from wheelwright.errors import WheelwrightError
from wheelwright.link import Client
from wheelwright.rng import capture as rng_capture
from wheelwright.rng import dieharder
from wheelwright.rng import report as rng_report
from wheelwright.rng import tests as rng_tests

from tests.conftest import examples

FAIR = np.random.Generator(np.random.PCG64(1)).integers(0, 54, 50_000)  # the sequence of a known generator


def failed(values: np.ndarray, n: int = 54) -> set[str]:
    verdict = rng_tests.run(values.astype(np.int64), n)
    return {one.name for one in verdict.results if not one.passed(verdict.tested)}


def test_fair_outcomes_pass_every_test_and_all_tests_ran() -> None:
    verdict = rng_tests.run(FAIR, 54)
    assert verdict.passed
    assert verdict.tested == 5
    assert "no fault found in 50000 samples by 5 tests" in verdict.words()


def test_bytes_of_the_operating_system_pass_as_raw_bits() -> None:
    bits = np.unpackbits(np.frombuffer(secrets.token_bytes(20_000), np.uint8)).astype(np.int64)
    verdict = rng_tests.run(bits, 2)
    assert all(one.p is None or one.p > 1e-6 for one in verdict.results)  # once in 250,000 runs of this test


@pytest.mark.parametrize(
    ("what", "values", "finds"),
    [
        ("an outcome that never comes", FAIR[FAIR != 37], "chi-square"),
        ("one that never comes, in few samples", FAIR[FAIR != 37][:670], "missing"),
        ("one that comes half as often again", np.concatenate([FAIR, np.full(460, 7)]), "chi-square"),
        ("a remainder of a byte", np.arange(256 * 200) % 256 % 54, "chi-square"),
        ("a counter", np.arange(50_000) % 54, "serial"),
        ("the one before, again", np.where(np.arange(50_000) % 10 == 1, np.roll(FAIR, 1), FAIR), "serial"),
        ("low and high in turn", np.where(np.arange(50_000) % 2, FAIR % 27, 27 + FAIR % 27), "runs"),
        ("long runs", np.sort(FAIR.reshape(-1, 10)).ravel(), "runs"),
        ("a wheel that turns by at most nine", np.cumsum(FAIR % 10) % 54, "gap"),
    ],
)
def test_a_bad_sequence_is_found(what: str, values: np.ndarray, finds: str) -> None:
    assert finds in failed(values), what


def test_the_chi_square_is_the_one_of_scipy() -> None:
    counts = np.bincount(FAIR, minlength=54)
    assert rng_tests.chi_square(FAIR, 54).p == pytest.approx(stats.chisquare(counts).pvalue)


def test_false_alarms_of_all_tests_together_are_as_rare_as_said() -> None:
    draw = np.random.Generator(np.random.PCG64(2))
    alarms = sum(not rng_tests.run(draw.integers(0, 54, 3000), 54).passed for _ in range(examples(400)))
    assert alarms <= 4  # 0.4 are expected; five come by chance less than once in 15,000


def test_the_smallest_bias_that_is_named_is_found_and_a_tenth_of_it_is_not() -> None:
    draw = np.random.Generator(np.random.PCG64(3))
    visible = rng_tests.run(FAIR, 54).visible_percent / 100

    def found(bias: float) -> int:
        chances = np.full(54, (1 - (1 + bias) / 54) / 53)
        chances[5] = (1 + bias) / 54
        files = [draw.choice(54, 50_000, p=chances) for _ in range(20)]
        return sum("chi-square" in failed(values) for values in files)

    assert found(visible) >= 14
    assert found(visible / 10) <= 1


def test_too_few_samples_say_nothing_and_do_not_pass() -> None:
    verdict = rng_tests.run(FAIR[:10], 54)
    assert not verdict.passed
    assert "too few" in verdict.words()
    assert "So few samples show no bias of a single outcome, however large." in verdict.limits()
    assert not any("inf" in line for line in rng_tests.run(FAIR[:3], 2 ** 16).limits())


def test_a_file_that_holds_something_else_is_refused_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.txt"
    path.write_text("1\n54\n")
    with pytest.raises(WheelwrightError, match="outside of 0 to 53"):
        rng_tests.read(path, {"what": "outcomes", "range": 54})
    path.write_text("1\nx\n")
    with pytest.raises(WheelwrightError, match="not one whole number a line"):
        rng_tests.read(path, {"what": "outcomes"})
    with pytest.raises(WheelwrightError, match="E-9012"):
        rng_tests.read(tmp_path / "absent", {})
    for text, words in (("", "it is empty"), (" \n", "it is empty"), ("1\n-4\n", "outside of 0 to 1"),
                        ("nothing\n", "not one whole number a line"), ("9" * 30, "not one whole number")):  # fmt: skip
        path.write_text(text)
        with pytest.raises(WheelwrightError, match=f"E-9012.*{words}"):
            rng_tests.read(path, {})
    for n in (0, -3, "x", 1.5, True, None):
        rng_capture.note_of(path).write_text(json.dumps({"what": "outcomes", "range": n}))
        with pytest.raises(WheelwrightError, match=r"E-9012.*range is .* whole number from 1"):
            rng_capture.read_note(path)


@pytest.mark.parametrize("n", [1, 65_537])
def test_a_range_that_says_nothing_or_too_much_is_refused_with_its_limits(n: int) -> None:
    with pytest.raises(WheelwrightError, match=f"range cannot be {n}: test outcomes of a range of 2 to 65536, named"):
        rng_tests.run(np.zeros(300, np.int64), n)


def test_a_large_bias_is_a_plain_number() -> None:
    assert "comes 110 % more or less often" in rng_tests.run(np.arange(3240) % 54, 54).limits()[1]


def test_a_file_that_would_not_fit_into_memory_is_to_be_split(tmp_path: Path) -> None:
    path = tmp_path / "noise.bin"
    with path.open("wb") as file:
        file.truncate(rng_tests.MOST_SAMPLES // 8 + 1)
    with pytest.raises(WheelwrightError, match="more than 134,217,728 samples: split it"):
        rng_tests.read(path, {"what": "raw"})


def test_bytes_without_a_note_are_raw_bits_and_text_is_not(tmp_path: Path) -> None:
    path = tmp_path / "noise.bin"
    path.write_bytes(secrets.token_bytes(64) + b"\x00")
    assert [len(rng_tests.read(path, {})[0]), rng_tests.read(path, {})[1]] == [520, 2]


@pytest.mark.parametrize("n", [2, 3, 54, 1000])
def test_an_outcome_that_never_comes_is_found_from_the_number_of_samples_that_is_named(n: int) -> None:
    draw = np.random.Generator(np.random.PCG64(n))
    for fewer, found in ((0, True), (1, False)):
        values = draw.integers(1, n, rng_tests._least_samples(n, 5) - fewer)
        one = rng_tests.missing(values, n)
        assert one.looked_at.startswith("outcome 0 never came")
        assert one.passed(5) is not found


class Table:
    """A client of a table that goes away after three answers."""

    hello = SimpleNamespace(serial="T-1", boot=1, version="0", program=bytes(32))

    def __init__(self, end: BaseException) -> None:
        self.end, self.left = end, 3

    def call(self, name: str, **args: int) -> dict[str, object]:
        self.left -= 1
        if self.left < 0:
            raise self.end
        marks = {"emulated": True, "test": True}
        if name == "RNG_RAW":
            return {"data": bytes(args["bits"] // 8), "bits": 1, **marks}
        return {"values": [7] * args["n"], **marks}


@pytest.mark.parametrize("end", [KeyboardInterrupt(), WheelwrightError(7201, program="x")])
def test_what_was_taken_before_ctrl_c_or_a_lost_link_is_kept_with_a_true_note(
    tmp_path: Path, end: BaseException
) -> None:
    bits, lines = tmp_path / "noise.bin", tmp_path / "outcomes.txt"
    with pytest.raises(type(end)):
        rng_capture.raw(cast(Client, Table(end)), 10**6, bits, print)
    with pytest.raises(type(end)):
        rng_capture.outcomes(cast(Client, Table(end)), 10**6, 54, lines, print)
    assert (bits.stat().st_size, rng_capture.read_note(bits)["bits"]) == (3 * 128, 3 * 1024)
    assert (len(lines.read_text().splitlines()), rng_capture.read_note(lines)["count"]) == (96, 96)
    assert rng_capture.read_note(lines)["emulated"] is True


@pytest.mark.parametrize("place", ["absent/out.txt", ".", "/dev/null"])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_taken(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nobody = cast(Client, None)  # a table that is asked fails the test
    for take in (lambda: rng_capture.outcomes(nobody, 5, 54, Path(place), print),
                 lambda: rng_capture.raw(nobody, 8, Path(place), print)):
        with pytest.raises(WheelwrightError, match="E-8010"):
            take()
    assert list(tmp_path.iterdir()) == []


def test_the_report_says_how_many_samples_were_seen_what_they_cannot_show_and_that_a_table_is_emulated(
    tmp_path: Path,
) -> None:
    path = tmp_path / "outcomes.txt"
    path.write_text("".join(f"{value}\n" for value in FAIR))
    rng_capture.note_of(path).write_text(json.dumps({"what": "outcomes", "range": 54, "emulated": True, "test": True}))
    note = rng_capture.read_note(path)
    values, n = rng_tests.read(path, note)
    page = rng_report.report(path, note, rng_tests.run(values, n), dieharder.OUTCOMES)
    for words in ("Seen: 50000 samples of 54 outcomes.", "no fault found", "EMULATED", "cannot be foretold",
                  "a smaller bias would most likely not", "<svg", "not run: dieharder"):
        assert words in page, words
