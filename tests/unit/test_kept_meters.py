"""A host that replays a log finds a meter that was lost, doubled or moved by nobody."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from wheelwright.replay import Summary, replay

from tests.vm.dealer import Dealer
from tests.vm.seated_table import finish, reset, table_of

Records = list[tuple[int, str, dict[str, Any]]]


@pytest.fixture(scope="module")
def journal() -> Records:
    """Two rounds with a hit each, a correction, and a third round."""
    dealer: Dealer = table_of("match_the_dealer")
    for _ in range(2):
        dealer.send("OPEN_BETS")
        finish(dealer)
    dealer.send("RESET_METER", **reset(dealer))
    dealer.hal.inputs.bits = 0
    dealer.tick()
    dealer.send("OPEN_BETS")
    finish(dealer)
    return [(number, kind, payload) for number, (kind, payload) in enumerate(dealer.records(), 1)]


def problem(records: Records) -> str | None:
    summary = Summary()
    return next((one.problem for one in replay(records, summary) if one.problem), None)


def changed(journal: Records, kind: str, nth: int, change: Any) -> Records:
    records = copy.deepcopy(journal)
    change([payload for _, name, payload in records if name == kind][nth])
    return records


def test_meters_that_follow_from_round_to_round_and_by_a_correction_are_sound(journal: Records) -> None:
    assert problem(journal) is None


@pytest.mark.parametrize(
    ("kind", "nth", "change", "sentence"),
    [
        ("ROUND_OPENED", 1, lambda p: p["meter"].update(current=5), "round 2 began on another meter than was kept"),
        ("ROUND_OPENED", 1, lambda p: p.pop("meter"), "round 2 began on another meter than was kept"),
        ("METER", 0, lambda p: p["meter"].update(current=5), "round 1 kept another meter than the rules give"),
        ("METER", 0, lambda p: p["meter"].update(reserve=7), "round 1 kept another meter than the rules give"),
        ("METER", 1, lambda p: p["meter"]["recent"].pop(0), "round 2 kept other hits than those of before and its own"),
        ("METER", 2, lambda p: p.pop("operator"), "the meter of match_the_dealer was set by nobody, for no reason"),
        ("METER", 2, lambda p: p["meter"].update(hits=9), "changed more than what it shows"),
        ("METER", 2, lambda p: p["meter"].update(current=7), "changed more than what it shows"),
        ("GIVEN", 0, lambda p: p.update(mills=1), "names other mills than the rules give"),
        ("GIVEN", 0, lambda p: p.pop("mills"), "names other mills than the rules give"),
        ("SETTLED", 0, lambda p: p["pays"].pop(), "round 1 was settled with pays"),
    ],
)  # fmt: skip
def test_a_meter_or_contribution_that_was_tampered_with_is_named(
    journal: Records, kind: str, nth: int, change: Any, sentence: str
) -> None:
    found = problem(changed(journal, kind, nth, change))
    assert found is not None
    assert sentence in found


def test_a_round_that_is_closed_without_its_meter_is_named(journal: Records) -> None:
    left = [(kind, payload) for _, kind, payload in journal if kind != "METER" or payload.get("round") != 2]
    found = problem([(number, kind, payload) for number, (kind, payload) in enumerate(left, 1)])
    assert found == "round 2 was closed before its meter was kept"


def test_a_log_that_begins_in_the_middle_believes_the_first_meter_it_sees(journal: Records) -> None:
    first = next(number for number, kind, payload in journal if kind == "ROUND_OPENED" and payload["round"] == 2)
    assert problem(journal[first - 1 :]) is None
