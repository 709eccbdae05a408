"""Clues and their ranking: what a journal, counters and a live look say, and the page of how well that does."""

from types import SimpleNamespace
from typing import Any

import pytest
from wheelwright.bench.finding import CAUSES, Found
from wheelwright.cli import ending
from wheelwright.diagnosis import clues, evidence, ranking
from wheelwright.diagnosis.clues import Boot, Clue
from wheelwright.logbook.store import as_row

from tests import diagnosis as measured
from tests.unit.logs import Journal


def spin(outcome: str = "SECTION", *faults: str, notes: tuple[str, ...] = (), turns: int = 3400, top: int = 900) -> Any:
    return {"outcome": outcome, "faults": list(faults), "notes": list(notes), "turns_milli": turns, "top_mturns_s": top}


MISMATCH, INDEX, STUCK = "ENCODER_CLAPPER_MISMATCH", "INDEX_MISMATCH", "CLAPPER_STUCK"


@pytest.mark.parametrize(("spins", "first"), [
    ([spin()] * 6, ""),
    ([spin("FAULT", MISMATCH, turns=0)] * 3, "a_dead"),
    ([spin("FAULT", MISMATCH, INDEX)] * 3, "b_loose"),
    ([spin("FAULT", INDEX, notes=("INDEX_MISSING",))] * 3, "index_dead"),
    ([spin("FAULT", INDEX)] * 3, "index_wanders"),
    ([spin("FAULT", STUCK), spin("FAULT", STUCK, MISMATCH)], "clapper_stuck"),
    ([spin("FAULT", STUCK, MISMATCH)] * 3, "slips"),
    ([spin("FAULT", MISMATCH)] * 3, "clapper_worn"),
    ([spin("FAULT", "OBSTRUCTED")] * 2 + [spin()] * 4, "hand"),
    ([spin(turns=2000)] * 4, "bearing"),  # 0.20 turns/s2
    ([spin(turns=2400)] * 4, ""),  # 0.169
    ([spin(turns=4000)] * 4 + [spin(turns=3000)] * 4, "bearing"),  # from 0.101 to 0.135
    ([spin(turns=4000)] * 4 + [spin(turns=3200)] * 4, ""),
])  # fmt: skip
def test_a_pattern_of_spins_points_to_its_cause(spins: list[Any], first: str) -> None:
    found = ranking.ranked(clues.of_spins(spins))
    assert (found[0].fault if found else "") == first


def test_lines_that_the_journal_cannot_tell_apart_are_named_with_equal_weight() -> None:
    found = ranking.ranked(clues.of_spins([spin("FAULT", MISMATCH, turns=0)] * 3))
    assert {one.fault for one in found} == {"a_dead", "b_dead", "encoder_dead"}
    assert len({one.score for one in found}) == 1


def test_an_index_that_never_came_may_be_one_of_another_width() -> None:
    found = ranking.ranked(clues.of_spins([spin("FAULT", INDEX, notes=("INDEX_MISSING",))] * 3))
    assert [one.fault for one in found] == ["index_dead", "index_width"]
    for fault in ("index_width", "index_ungated", "index_inverted"):
        journal = clues.of_spins([spin("FAULT", INDEX, notes=("INDEX_MISSING",))] * 3)
        assert [one.fault for one in ranking.ranked([*journal, Clue(fault, 10, "seen")])] == [fault]


def test_a_table_that_starts_again_and_again_has_a_weak_supply_and_one_that_is_switched_off_at_night_has_not() -> None:
    assert not clues.of_boots([Boot(n, "POWER_ON", 8 * 3_600_000) for n in range(9)])
    assert not clues.of_boots([Boot(n, "POWER_ON", 5000) for n in range(2)])
    assert clues.of_boots([Boot(n, "POWER_ON", 5000) for n in range(3)])[0].fault == "brown_out"
    assert clues.of_boots([Boot(1, "WATCHDOG", 10**9)])[0].fault == "restarts"


def test_noise_on_the_line_is_blamed_on_modem_manager_only_where_it_runs() -> None:
    assert not clues.of_link({"bad_cobs": 0, "empty": 9}, {"ModemManager"})
    assert ranking.ranked(clues.of_link({"bad_cobs": 4}, {"bash"}))[0].fault == "link_noise"
    assert ranking.ranked(clues.of_link({"bad_cobs": 4}, {"ModemManager"}))[0].fault == "modem_manager"


def test_what_was_measured_takes_back_what_it_explains_and_leads() -> None:
    journal = clues.of_spins([spin("FAULT", MISMATCH, turns=0)] * 3)
    look = clues.of_look({"encoder_lines": Found("FAIL", fault="a_dead"), "index": Found("FAIL", fault="index_dead")})
    found = ranking.ranked(journal + look)
    assert found[0].fault == "a_dead"
    assert found[0].certainty == "nearly certain"
    assert "index_dead" not in [one.fault for one in found]


def test_a_ranking_in_words_has_evidence_and_the_next_thing_to_check() -> None:
    words = ranking.lines(ranking.ranked([Clue("b_loose", 4, "counts were lost"), Clue("hand", 1, "held")]))
    assert words[0] == "1. encoder line B fails now and then: a loose crimp (possible, 80 %)"
    assert words[1].strip() == "counts were lost"
    assert words[2].strip().startswith("next: wiggle the plug")
    assert ranking.lines([]) == ["nothing speaks for a fault"]


def test_a_tilt_that_is_open_is_told_and_never_nothing() -> None:
    tilts = evidence.open_tilts({"tilts": [41, 61], "detail": {"41": {"task": "lights", "reason": "it died"}}})
    words = ranking.lines([], tilts)
    assert words[0] == "tilt T-41 is open: task lights stopped: it died"
    assert words[1].startswith("     next: note the text")
    assert words[2].startswith("tilt T-61 is open: ")
    assert [one["tilt"] for one in ranking.tilts_as_json(tilts)] == ["T-41", "T-61"]


def test_tilts_of_a_log_are_those_raised_and_not_cleared_and_those_that_a_start_repeats() -> None:
    journal = Journal()
    journal.put("BOOT", reason="POWER_ON", tilts=[42])
    journal.put("TILT", tilt=21, detail={})
    journal.put("TILT", tilt=41, detail={"task": "lights", "reason": "it died"})
    journal.put("TILT_CLEARED", tilt=21, operator="ann")
    assert [one.label for one in evidence.left_open(map(as_row, journal.raws))] == ["T-41", "T-42"]


@pytest.mark.parametrize(("bounds", "gaps", "anchor", "wanted"), [
    ((1, 9), [], 9, []), ((4, 9), [], 9, [(1, 3)]), ((1, 9), [(3, 4)], 0, [(3, 4)]), ((1, 9), [], 12, [(10, 12)]),
])  # fmt: skip
def test_records_that_a_log_lacks_are_named(
    bounds: tuple[int, int], gaps: list[tuple[int, int]], anchor: int, wanted: list[tuple[int, int]]
) -> None:
    held = SimpleNamespace(number=anchor) if anchor else None
    store: Any = SimpleNamespace(bounds=lambda _: bounds, gaps=lambda _: gaps, anchor=lambda _: held)
    assert evidence.missing(store, "T-1") == wanted


@pytest.mark.parametrize(("options", "said"), [
    (("--db", "x.db", "--port", "/dev/none"), "E-9001 --db cannot be given with --port"),
    (("--db", "x.db", "--virtual"), "E-9001 --db cannot be given with --virtual"),
])  # fmt: skip
def test_a_table_and_a_log_at_once_are_refused(
    options: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["wheelwright", "diagnose", *options])
    assert ending.outcome() == 2
    assert said in capsys.readouterr().err


def test_the_page_has_a_row_for_every_fault_that_is_measured_and_most_are_named_first() -> None:
    page = measured.PAGE.read_text(encoding="utf-8")
    for head, least in zip(measured.HEADS, (0.5, 0.95), strict=True):
        rows = [line.split("|")[1:4] for line in page.split(head + "\n")[1].splitlines()[1:] if line.startswith("|")]
        rows = rows[: len(measured.CASES)]
        assert [row[0].strip() for row in rows] == list(measured.CASES)
        right, of = (sum(int(row[1].split()[place]) for row in rows) for place in (0, 2))
        assert right >= least * of
    assert {cause for cause in measured.CASES if cause != measured.NONE} <= set(CAUSES)
