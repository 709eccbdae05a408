"""dieharder over slices of a file: perfect numbers pass, bad ones are found, and what was not run is said."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from wheelwright.cli.app import app
from wheelwright.rng import capture as rng_capture
from wheelwright.rng import dieharder
from wheelwright.rng import tests as rng_tests

SIZE = 260_000  # bytes: eleven of the tests get a slice or more
WORDS = np.random.Generator(np.random.PCG64(5)).integers(0, 1 << 32, SIZE // 4, dtype=np.uint32)


@pytest.fixture
def program() -> str:
    """dieharder; without it the test is skipped, or failed where REQUIRE_ALL=1 (CI)."""
    found = dieharder.found()
    if found is None:
        sentence = "dieharder is missing: apt-get install dieharder"
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return found


def written(folder: Path, words: np.ndarray) -> Path:
    path = folder / "noise.bin"
    path.write_bytes(words.astype("<u4").tobytes())
    rng_capture.note_of(path).write_text(json.dumps({"what": "raw"}))
    return path


def test_perfect_numbers_pass_and_each_test_that_was_not_run_says_what_it_needs(program: str, tmp_path: Path) -> None:
    path = written(tmp_path, WORDS)
    done: list[int] = []
    results = dieharder.run(path, program, done.append)
    assert len(done) == dieharder.slices(SIZE) == 20
    assert len(results) == len(dieharder.TESTS)
    for test, one in zip(dieharder.TESTS, results, strict=True):
        if test.size > SIZE:
            assert (one.p, one.looked_at) == (None, f"needs {test.size:,} bytes")
        else:
            assert one.passed(len(results)), one
            assert "PASSED" in one.looked_at
    assert dieharder.summary(results) == "11 of its tests were run, for 12 the file is too small"


@pytest.mark.parametrize(
    ("what", "words", "finds"),
    [
        ("each word, then its complement", np.stack([WORDS, ~WORDS], 1).ravel()[: SIZE // 4], "pairs of bits"),
        ("one byte that is always the same", WORDS | 0xFF, "bits"),
        ("words in rising runs of five", np.sort(WORDS[:65_000].reshape(-1, 5)).ravel(), "permutations of 5"),
        ("one slice that is stuck", np.where(np.arange(SIZE // 4) < 21_000, 0x55555555, WORDS), "runs of bits"),
    ],
)
def test_bad_numbers_are_found(what: str, words: np.ndarray, finds: str, program: str, tmp_path: Path) -> None:
    results = dieharder.run(written(tmp_path, words), program)
    failed = {one.name for one in results if not one.passed(len(results))}
    assert f"dieharder: {finds}" in failed, what


def test_the_tool_reports_both_batteries_and_one_verdict(program: str, tmp_path: Path) -> None:
    path = written(tmp_path, np.stack([WORDS, ~WORDS], 1).ravel()[: SIZE // 4])
    done = CliRunner().invoke(app, ["rng", "test", str(path), "--json"])
    found = json.loads(done.stdout.splitlines()[0])
    assert done.exit_code == 1
    assert "dieharder: pairs of bits" in found["verdict"]
    assert found["p"]["chi-square"] > 0.001
    assert "11 of its tests were run" in found["dieharder"]
    page = Path(found["report"]).read_text()
    assert "11 of its tests were run, for 12 the file is too small" in page
    assert "needs 9,700,000 bytes" in page


def test_without_dieharder_or_with_outcomes_the_report_says_that_it_was_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "outcomes.txt"
    path.write_text("".join(f"{word % 54}\n" for word in WORDS[:3000]))
    assert "these are outcomes" in CliRunner().invoke(app, ["rng", "test", str(path)]).stdout
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    path = written(tmp_path, WORDS[:3000])
    assert dieharder.MISSING in CliRunner().invoke(app, ["rng", "test", str(path)]).stdout


def test_a_program_that_gives_no_answer_is_no_pass(tmp_path: Path) -> None:
    path = written(tmp_path, WORDS[:18_000])
    results = dieharder.run(path, str(shutil.which("true")))
    assert {one.looked_at for one in results if "needs" not in one.looked_at} == {"gave no answer"}
    assert dieharder.summary(results).endswith("1 gave no answer")
    assert rng_tests.run(np.zeros(0, np.int64), 2, results).passed is False
