"""The statistical tests find what is wrong, let pass what is fair, and say what they cannot see."""

import json
import secrets
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from wheelwright import dieharder, rng_capture, rng_report, rng_tests
from wheelwright.errors import WheelwrightError

from tests.conftest import examples

FAIR = np.random.Generator(np.random.PCG64(1)).integers(0, 54, 50_000)  # the sequence of a known generator


def failed(values: np.ndarray, n: int = 54) -> set[str]:
    verdict = rng_tests.run(values.astype(np.int64), n)
    return {one.name for one in verdict.results if not one.passed(verdict.tested)}


def test_fair_outcomes_pass_every_test_and_all_tests_ran() -> None:
    verdict = rng_tests.run(FAIR, 54)
    assert verdict.passed
    assert verdict.tested == 4
    assert "no fault found in 50000 samples by 4 tests" in verdict.words()


def test_bytes_of_the_operating_system_pass_as_raw_bits() -> None:
    bits = np.unpackbits(np.frombuffer(secrets.token_bytes(20_000), np.uint8)).astype(np.int64)
    verdict = rng_tests.run(bits, 2)
    assert all(one.p is None or one.p > 1e-6 for one in verdict.results)  # once in 250,000 runs of this test


@pytest.mark.parametrize(
    ("what", "values", "finds"),
    [
        ("an outcome that never comes", FAIR[FAIR != 37], "chi-square"),
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
