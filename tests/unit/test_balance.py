"""`wheelwright balance`: a wheel that leans is found, a level one is left in peace, and few spins claim nothing."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.rules.dreamcatcher import LAYOUT
from wheelwright.balance import power, tests, words
from wheelwright.balance.evidence import ALPHA, KINDS, SECTIONS
from wheelwright.balance.spins import KINDS as KINDS_OF_RECORDS
from wheelwright.balance.spins import Spin, read_shifts, spins
from wheelwright.balance.verdict import judge
from wheelwright.errors import WheelwrightError
from wheelwright.logbook.store import as_row

from tests.conftest import ROOT
from tests.unit.logs import SERIAL, Journal, stored
from tests.unit.test_cli import tool  # noqa: F401

SEEDS = range(20)
PAGE = (ROOT / "docs" / "balance.md").read_text(encoding="utf-8")


def spun(count, seed, weights=None, **same):
    """Spins that end where the weights say, from anywhere, either way."""
    draw = np.random.default_rng(seed)
    chances = np.ones(SECTIONS) if weights is None else np.asarray(weights)
    ends = draw.choice(SECTIONS, count, p=chances / chances.sum())
    starts, ways = draw.integers(0, SECTIONS, count), draw.choice([1, -1], count)
    return [Spin(int(end), int(start), int(way), 0.0, **same)
            for end, start, way in zip(ends, starts, ways)]  # fmt: skip


def heavy(lean, at=20):
    return [1 + lean * math.cos(2 * math.pi * (section - at) / SECTIONS) for section in range(SECTIONS)]


# what is found


def test_case_64_level_wheels_of_20_seeds_give_at_most_one_alert_at_any_number_of_spins():
    alerts = [seed for seed in SEEDS if any(judge(spun(10_000, seed)[:n]).alerts for n in (20, 500, 3000, 10_000))]
    assert len(alerts) <= 1, alerts


def test_case_64_a_heavy_spot_of_10_percent_is_found_in_10_000_spins():
    verdicts = [judge(spun(10_000, seed, heavy(0.1))) for seed in SEEDS]
    found = [one for one in verdicts if one.results.alerts[:1] == ["heavy spot"]]
    assert len(found) >= 18  # its computed chance is 0.99
    assert all(min((one.results.lean.section - 20) % 54, (20 - one.results.lean.section) % 54) <= 5 for one in found)


def test_one_section_twice_as_often_is_found_and_named():
    weights = np.ones(SECTIONS)
    weights[7] = 2
    look = judge(spun(8_000, 1, weights)).results
    assert look.alerts[0] == "one section" and look.counts.index(max(look.counts)) == 7


def test_sections_that_differ_in_no_simple_pattern_are_found():
    weights = [1.3 if section % 2 else 0.7 for section in range(SECTIONS)]  # pegs of two heights
    assert judge(spun(8_000, 1, weights)).results.alerts[0] == "any pattern"


def test_a_lean_each_way_that_the_sum_hides_is_found_by_direction():
    there = [spin._replace(direction=1) for spin in spun(6_000, 1, heavy(0.3, 10))]
    back = [spin._replace(direction=-1) for spin in spun(6_000, 2, heavy(0.3, 37))]
    verdict = judge([*there, *back])
    assert not verdict.results.alerts
    assert {look.name for look in verdict.alerts} == {"results of forward spins", "results of backward spins"}


def test_a_dealer_who_throws_the_same_distance_is_found_and_no_other():
    draw = np.random.default_rng(3)
    own = [spin._replace(dealer="ann") for spin in spun(3_000, 1)]
    thrown = []
    for spin in spun(3_000, 2, dealer="bob"):
        on = int(draw.normal(13, 12)) * spin.direction
        thrown.append(spin._replace(section=(spin.start + on) % SECTIONS))
    verdict = judge([*own, *thrown])
    assert not verdict.results.alerts
    assert {look.name for look in verdict.alerts} == {"distance from the start", "distance from the start, dealer bob"}


# what can be shown


@pytest.mark.parametrize("count", [500, 5_000])
def test_the_smallest_lean_that_is_stated_is_found_nine_times_out_of_ten(count):
    lean = judge(spun(count, 0)).smallest_lean
    found = sum("heavy spot" in judge(spun(count, seed, heavy(lean))).results.alerts for seed in range(150))
    assert 0.82 < found / 150 < 0.97, found  # three standard deviations


def test_the_smallest_excess_that_is_stated_is_found_nine_times_out_of_ten():
    weights = np.ones(SECTIONS)
    share = (1 + judge(spun(5_000, 0)).smallest_excess) / SECTIONS
    weights[30] = share * (SECTIONS - 1) / (1 - share)
    found = sum("one section" in judge(spun(5_000, seed, weights)).results.alerts for seed in range(150))
    assert 0.82 < found / 150 < 0.97, found


def test_the_page_states_the_power_that_the_tool_computes():
    needed = {kind: judge([]).results.needed(kind) for kind in KINDS}
    rows = re.findall(r"^\| ([\d,]+) \| ([\d.]+) % \| ([\d.]+) % \|$", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for spins_, lean, excess in rows:
        count = int(spins_.replace(",", ""))
        assert power.smallest_lean(count, needed["heavy spot"]) == pytest.approx(float(lean) / 100, rel=0.05)
        assert power.smallest_excess(count, needed["one section"]) == pytest.approx(float(excess) / 100, rel=0.05)


def test_power_grows_with_the_spins_and_there_is_none_in_a_few():
    needed = 7.0
    leans = [power.smallest_lean(count, needed) for count in (300, 1_000, 10_000, 100_000)]
    assert leans == sorted(leans, reverse=True) and leans[-1] < 0.05
    assert power.smallest_lean(0, needed) is None is power.smallest_lean(20, needed)
    assert power.smallest_excess(2, needed) is None


@pytest.mark.parametrize("count", [1, 20, 500, 20_000])
def test_case_64_no_number_of_spins_is_called_proof_that_a_wheel_is_fair(count):
    said = "\n".join(words.lines(judge(spun(count, 1)), LAYOUT))
    assert "fair" not in said and "no proof that there is none" in said
    assert ("too few" in said) is (count < 50)
    assert count < 50 or "they cannot show a smaller" in said


@settings(max_examples=25)
@given(st.lists(st.integers(0, 53), max_size=300))
def test_evidence_is_a_mean_of_1_after_one_more_spin_whatever_came_before(ended):
    """What makes it valid however often one looks: on a level wheel it cannot be expected to grow."""
    counts = [ended.count(section) for section in range(SECTIONS)]
    for test, _ in KINDS.values():
        now = test(counts)
        after = [test([*counts[:at], counts[at] + 1, *counts[at + 1 :]]) for at in range(SECTIONS)]
        assert math.isclose(sum(math.exp(one - now) for one in after) / SECTIONS, 1, rel_tol=1e-9)


def test_all_looks_and_kinds_together_use_up_one_alpha_and_no_more():
    verdict = judge([*spun(100, 1, dealer="ann"), *spun(100, 2, dealer="bob")])
    assert len(verdict.looks) == 8
    assert math.isclose(spent(verdict), ALPHA * (0.75 + 0.25 * 2 / 3))


def spent(verdict):
    return sum(math.exp(-look.needed(kind)) for look in verdict.looks for kind in KINDS)


def test_a_list_of_dealers_that_grows_changes_nobody_s_share_and_uses_up_one_alpha():
    """With one share divided anew among all, three dealers one after the other had 1.65 % instead of 1 %."""
    spins_ = [spin for dealer in range(200, 0, -1) for spin in spun(1, dealer, dealer=f"d{dealer}")]
    before = {}
    for many in (1, 2, 3, 200):
        looks = {look.name: look.needed("heavy spot") for look in judge(spins_[:many]).looks}
        assert before.items() <= looks.items()
        before = looks
    assert ALPHA * 0.99 < spent(judge(spins_)) <= ALPHA


def test_each_dealer_s_spins_are_counted_and_told_with_what_they_show():
    verdict = judge([*spun(30, 1), *spun(2_000, 2, dealer="bob"), *spun(3, 3, dealer="ann")])
    assert verdict.dealers == {"": 30, "bob": 2_000, "ann": 3} == words.as_json(verdict)["dealers"]
    said = words.lines(verdict, LAYOUT)
    assert "30 spins at times of no dealer in the list" in said
    assert "dealer ann: 3 spins, too few to show any habit" in said
    assert any(re.fullmatch(r"dealer bob: 2000 spins, a lean of [12]\d % or more is found", line) for line in said)
    assert not words.by_dealer(judge(spun(30, 1)))


def test_an_alert_about_distances_speaks_of_the_throw_and_of_no_heavy_spot():
    near = [spin._replace(section=(spin.start + 13 * spin.direction) % 54) for spin in spun(80, 1)]
    exact = judge([*spun(4_000, 1), *near])
    habit = judge([spin._replace(section=(spin.start + spin.direction * spin.section) % 54)
                   for spin in spun(3_000, 1, heavy(0.4, 23))])  # fmt: skip
    for verdict, told, name in ((exact, r"spins ended 13 sections on from where they began \d+ times", "one exact"),
                                (habit, "spins end about 2[1-5] sections on from where they began", "one distance")):
        (look,) = [one for one in verdict.alerts if one.name == "distance from the start"]
        line = next(line for line in words.seen(verdict, LAYOUT) if "distance" in line)
        assert re.search(told, line) and "heavy spot" not in line and "level wheel" not in line
        assert words.short(look).startswith(f"distance from the start, {name}")


def test_the_tests_of_the_textbooks_are_those_of_the_textbooks():
    counts = [10] * SECTIONS
    assert tests.chi_square(counts) == 1 and tests.chi_square([4] * SECTIONS) is None
    counts[5] = 30
    mean = sum(counts) / SECTIONS
    square = sum((seen - mean) ** 2 / mean for seen in counts)
    from scipy.stats import chi2

    assert math.isclose(tests.chi_square(counts), chi2.sf(square, 53))
    assert math.isclose(tests.harmonic([1 + 0.2 * x for x in heavy(0.5)]).lean, 0.1 / 1.2, rel_tol=1e-9)
    assert tests.harmonic(heavy(0.5)).section == 20
    uniform = [tests.first_harmonic(judge(spun(1_000, seed)).results.counts) for seed in range(200)]
    assert 0.02 < sum(p < 0.1 for p in uniform) / 200 < 0.18


# from the log to the sentence


def log(sections, **changes):
    made = Journal()
    made.start()
    for number, section in enumerate(sections):
        values = {"round": 1, "spin": number + 1, "counted": True, "test": False, "layout": b"", "section": section,
                  "outcome": "SECTION", "turns_milli": 4000, "direction": 1, "faults": [], "notes": [],
                  "top_mturns_s": 900, "source": "PHYSICAL", "start": 3, **changes}  # fmt: skip
        made.put("SPIN", **values)
    return made


def test_spins_of_a_log_have_the_time_of_the_table_s_clock_and_the_dealer_of_that_time(tmp_path):
    made = log([5])
    made.put("TIME_SET", unix_ms=1_000_000_000_000, was_ms=0)
    for payload in ({"section": 6}, {"outcome": "SHORT_SPIN"}, {"source": "DEALER"}):
        values = {"round": 1, "spin": 1, "counted": True, "test": True, "layout": b"", "section": 6, "direction": -1,
                  "outcome": "SECTION", "turns_milli": 4000, "faults": [], "notes": [], "top_mturns_s": 900,
                  "source": "PHYSICAL"}  # fmt: skip
        made.put("SPIN", **{**values, **payload})
    shifts = tmp_path / "shifts.csv"
    shifts.write_text("dealer,from,to\nann,2001-09-09T01:46:40+00:00,2001-09-09T02:46:40Z\n")
    rows = [row for row in map(as_row, made.raws) if row.kind in KINDS_OF_RECORDS]
    first, second = spins(SERIAL, rows, read_shifts(shifts))
    assert first == Spin(5, 3, 1, rows[0].at_ms / 1000, False, "")
    shifts.write_bytes(b"\xef\xbb\xbf" + shifts.read_bytes())  # as Excel writes it
    assert list(spins(SERIAL, rows, read_shifts(shifts)))[1].dealer == "ann"
    assert second == Spin(6, None, -1, 1_000_000_000.01, True, "ann")


@pytest.mark.parametrize(("text", "words_"), [
    ("dealer,from\nann,2001-09-09T01:46:40Z\n", "columns are dealer, from, to"),
    ("dealer,from,to\nann,2001-09-09T01:46:40,2001-09-09T02:46:40Z\n", "line 2: .* no offset from UTC"),
    ("dealer,from,to\nann,2001-09-09T02:46:40Z,2001-09-09T01:46:40Z\n", "line 2: a dealer, and an end after"),
    ("dealer,from,to\nann,yesterday,2001-09-09T01:46:40Z\n", "line 2: Invalid isoformat"),
    ("dealer,from,to\nann,2001-09-09T01:00:00Z,2001-09-09T03:00:00Z\nbob,2001-09-09T02:00:00Z,2001-09-09T04:00:00Z\n",
     "ann and bob deal at the same time"),
    ("\xff", "columns"), (None, "No such file"),
])  # fmt: skip
def test_a_list_of_shifts_that_cannot_be_read_is_one_sentence(tmp_path, text, words_):
    path = tmp_path / "shifts.csv"
    if text is not None:
        path.write_text(text + ("ann\n" if text == "\xff" else ""), encoding="latin-1" if text == "\xff" else "utf-8")
    with pytest.raises(WheelwrightError, match=words_ if text != "\xff" else "decode") as caught:
        read_shifts(path)
    assert caught.value.code == 9012


@pytest.mark.parametrize("changes", [
    {"section": 54}, {"section": None}, {"start": -1}, {"direction": 0}, {"section": "1"},
])  # fmt: skip
def test_a_record_that_no_wheel_could_write_is_named(tool, tmp_path, changes):  # noqa: F811
    db = stored(tmp_path / "table.db", log([1], **changes))
    ended = tool("balance", "--db", db)
    assert ended.status == 1 and ended.err.startswith("E-8101 record 2 ")


def test_the_command_says_what_it_saw_and_draws_the_wheel(tool, tmp_path):  # noqa: F811
    db = stored(tmp_path / "table.db", log([spin.section for spin in spun(600, 4)]))
    ended = tool("balance", "--db", db, "--plot", tmp_path / "wheel.svg")
    assert ended.status == 0 and "600 spins gave a section, 600 forward and 0 backward" in ended.out
    assert (tmp_path / "wheel.svg").read_text().startswith("<svg")
    told = tool("balance", "--db", db, "--json").json
    assert told["spins"] == 600 and not told["alert"] and len(told["looks"]) == 4


def test_an_alert_is_exit_code_1_and_names_what_leans(tool, tmp_path):  # noqa: F811
    db = stored(tmp_path / "table.db", log([spin.section for spin in spun(600, 4, heavy(0.9))]))
    ended = tool("balance", "--db", db, "--json")
    assert ended.status == 1 and ended.err.startswith("E-8108 the wheel of table WW-0007 is not level, or not left")
    assert json.loads(ended.out.splitlines()[0])["alert"]


def test_records_that_are_missing_in_the_middle_are_named_and_change_no_exit_code(tool, tmp_path):  # noqa: F811
    made = log(range(50))
    made.raws = made.raws[:9] + made.raws[12:20] + made.raws[21:]
    db = stored(tmp_path / "table.db", made)
    ended = tool("balance", "--db", db)
    assert ended.status == 0 and "46 spins" in ended.out
    assert "records 10 to 12 are missing: spins in them are not counted" in ended.out
    assert "record 21 is missing" in ended.out
    assert tool("balance", "--db", db, "--from", 13, "--json").json["gaps"] == [[21, 21]]
    assert tool("balance", "--db", db, "--from", 12, "--to", 20, "--json").json["gaps"] == [[10, 12]]


def test_a_log_without_such_spins_is_one_sentence(tool, tmp_path):  # noqa: F811
    db = stored(tmp_path / "table.db", log([1, 2]))
    assert tool("balance", "--db", db, "--from", "9").err.startswith("E-8015 ")
    assert tool("balance", "--db", db, "--plot", tmp_path / "x.gif").err.startswith("E-9001 ")
    assert tool("balance", "--db", db, "--plot", tmp_path / "no" / "x.png").err.startswith("E-8010 ")
