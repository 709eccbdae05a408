"""A run of checks as data: nothing that cannot be, the same after JSON, as its published schema says."""

import json
import math

import jsonschema
import pytest
from wheelwright.errors import WheelwrightError
from wheelwright.reports.run import VERDICTS, Record, Run, Series, from_json, schema, to_json

from tests.conftest import ROOT
from tests.unit.report_runs import CHECKS, STARTED, check, run

SCHEMA = ROOT / "docs" / "schemas" / "run.json"


def schema_text() -> str:
    return json.dumps(schema(), indent=1) + "\n"


def test_json_gives_the_same_run_back() -> None:
    assert from_json(to_json(run())) == run()


def test_the_published_schema_is_the_one_of_the_classes_and_the_json_keeps_to_it() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run: make golden"
    validator = jsonschema.Draft202012Validator(schema())
    validator.validate(json.loads(to_json(run())))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**json.loads(to_json(run())), "more": 1})


@pytest.mark.parametrize(
    "change",
    [{"more": 1}, {"serial": 1}, {"checks": [{"name": "x"}]}, {"format": 2}, {"ended_s": 0.0}, {"ended_s": "later"},
     {"meters_after": {"live": {"rounds": 1.5}}}],
)  # fmt: skip
def test_json_that_is_no_run_is_one_sentence(change: dict[str, object]) -> None:
    data = json.dumps({**json.loads(to_json(run())), **change}).encode()
    with pytest.raises(WheelwrightError) as caught:
        from_json(data, "RUN.json")
    assert caught.value.code == 9012 and "RUN.json" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"[", b"[]", b"\xff", b"[" * 100_000, b"{}"])
def test_no_json_at_all_is_the_same_sentence(data: bytes) -> None:
    with pytest.raises(WheelwrightError) as caught:
        from_json(data)
    assert caught.value.code == 9012


def test_no_check_passes_outside_its_limits() -> None:
    assert check(measured=2400.0, low=2399.5, high=2400.0).within
    assert not check(measured=2401, verdict="FAIL").within
    for outside in (2399, 2401, math.nan, math.inf):
        with pytest.raises(ValueError):
            check(measured=outside)
    with pytest.raises(ValueError):
        check(ended_s=STARTED)
    with pytest.raises(ValueError):
        Series(name="x", points=[(0.0, math.nan)])
    with pytest.raises(ValueError):
        run(checks=[check(), check()])


def test_the_verdict_is_never_better_than_what_was_found() -> None:
    assert run().verdict == "PASS"
    assert run(checks=[]).verdict == run(checks=CHECKS[2:]).verdict == "SKIPPED"
    assert run(complete=False).verdict == "INVALID"
    for verdict in VERDICTS[1:3]:
        assert run(checks=[*CHECKS, check("bad", verdict=verdict, measured=None)]).verdict == verdict
    both = [check("a", verdict="FAIL", measured=None), check("b", verdict="INVALID", measured=None)]
    assert run(checks=both).verdict == "FAIL"


def test_a_live_meter_that_moved_is_named_and_spoils_the_run() -> None:
    def meters(rounds: int) -> dict[str, dict[str, int]]:
        return {"live": {"rounds": rounds}, "test": {"rounds": 9}}

    moved: Run = run(meters_before=meters(12), meters_after=meters(13))
    assert moved.moved == ["rounds"] and moved.verdict == "INVALID"
    there_and_back = run(log=[Record(number=42, kind="SETTLED", text="", hash="", live=True)])
    assert there_and_back.moved == ["record 42 SETTLED"] and there_and_back.verdict == "INVALID"
