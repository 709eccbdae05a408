"""The report of a run: one page, nothing beside it, and what failed cannot be overlooked."""

import re
from html.parser import HTMLParser
from pathlib import Path

import cbor2
import pytest
import tabletop.journal.record as record_format
from tabletop.journal import fields
from tabletop.rules import dreamcatcher as game
from tabletop.rules.rounds import no_meters
from wheelwright import __version__, report
from wheelwright.pictures import sections_hit, spin_speed
from wheelwright.replay import Summary, replay
from wheelwright.report import Check, Report

from tests.unit.logs import Journal

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden" / "report.html"


def made(**changes):
    log = Journal()
    log.start()
    log.play([[1, "10", 2000], [2, "1", 5000]], ["SHORT_SPIN", 0, 9])
    log.play([[3, "40", 1000]], [2])
    records = [
        (number, fields.name(raw[3]), cbor2.loads(raw[record_format.HEADER : -record_format.TRAILER]))
        for number, raw in enumerate(log.raws, 1)
    ]
    values = {
        "table": {"serial": "VT-000001", "firmware": "0.1.0", "boot": "1"}, "emulated": True, "test": True,
        "started_s": 1_750_000_000.0, "ended_s": 1_750_000_021.5, "layout": game.LAYOUT, "seed": 7,
        "checks": [Check("self-test", True, "codec, rules, journal: ok"), Check("replay", True, "2 rounds the same")],
        "rounds": list(replay(records, Summary())), "speed": [(0.0, 0.0), (0.5, 1.2), (4.0, 0.6), (8.0, 0.0)],
        "speed_of": "spin 3 of round 1", "head_number": len(log.raws), "head_hash": "ab" * 32,
        "meters_before": no_meters(), "meters_after": log.meters,
    }  # fmt: skip
    return Report(**{**values, **changes})


class Page(HTMLParser):
    """What a reader sees, and what the page would load from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.words, self.loads, self.open = [], [], []
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value[:1] != "#"]

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_tells_the_whole_run():
    page = Page(report.html(made()))
    for words in ("VT-000001", "EMULATED", "TEST", "seed 7", "Every check held.", "2025-06-15", "21.5 s",
                  "seat 1 $2.00 on 10", "short spin", "section 0 (7x)", "10 x7", "seat 1 $140.00 at 70 to 1",
                  "no winners", "test wagered $0.00 $8.00", "test rounds 0 2", "live paid $0.00 $0.00",
                  "ab" * 32, "spin 3 of round 1"):  # fmt: skip
        assert words in page.text, words
    assert page.loads == []


def test_a_check_that_failed_is_said_at_the_top_and_in_its_row():
    page = Page(report.html(made(checks=[Check("chain", False, "record 9 is wrong")])))
    assert "Not every check held." in page.text
    assert "FAILED chain record 9 is wrong" in page.text
    assert "Every check held." not in page.text


def test_a_round_that_replayed_differently_is_marked():
    changed = made()
    changed.rounds[1].problem = "round 2 was settled with symbol 5"
    text = Page(report.html(changed)).text
    assert "round 2 was settled with symbol 5" in text
    assert "DIFFERS" in text


def test_a_real_table_in_live_play_bears_no_mark():
    text = Page(report.html(made(emulated=False, test=False))).text
    assert "EMULATED" not in text
    assert not re.search(r"\bTEST\b", text)


def test_what_comes_from_the_table_cannot_become_markup():
    hostile = "<script>alert(1)</script>"
    page = report.html(made(table={"serial": hostile}, checks=[Check(hostile, True, hostile)]))
    assert hostile not in page
    assert "&lt;script&gt;" in page


def test_a_run_without_a_measured_spin_has_no_picture_of_one():
    assert "Speed over" not in report.html(made(speed=()))


def test_only_counted_spins_that_gave_a_section_are_hits():
    hits = made().hits()
    assert sum(hits) == 3
    assert (hits[0], hits[9], hits[2]) == (1, 1, 1)


@pytest.mark.parametrize("picture", [
    lambda: sections_hit([1] * 54, game.LAYOUT), lambda: spin_speed([(0, 1), (1, 0)]),
])  # fmt: skip
def test_a_picture_is_the_same_each_time_and_stands_alone(picture):
    one, two = picture(), picture()
    assert one == two
    assert one.startswith("<svg")
    assert "<!DOCTYPE" not in one


def test_the_page_is_the_golden_one_but_for_its_pictures(tmp_path):
    path = tmp_path / "new" / "report.html"
    report.write(made(), path)
    page = re.sub(r"<svg.*?</svg>", "<svg/>", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert page.replace(f"wheelwright {__version__}<", "wheelwright VERSION<") == GOLDEN.read_text(encoding="utf-8")
