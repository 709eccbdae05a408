"""The live view: the ring shows the layout clockwise with the current section on top, and gives way to lines."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tabletop.rules import dreamcatcher as game
from wheelwright import wording
from wheelwright.console import LiveView, Scene
from wheelwright.ring import MIN_HEIGHT, MIN_WIDTH, ring

from tests.conftest import examples
from tests.unit.logs import journal
from tests.unit.test_replay import records

SPIN = {
    "round": 3, "spin": 1, "counted": True, "outcome": "SECTION", "section": 9, "turns_milli": 4219, "direction": -1,
    "faults": [], "notes": ["ROLLED_BACK"], "test": True,
}  # fmt: skip


def signs(lines):
    """The ring's signs clockwise from the top, found again from what is drawn."""
    height, width = len(lines), max(len(line.plain) for line in lines)
    words = []
    for row, line in enumerate(lines[1:], 1):
        column = 0
        for word in line.plain.split(" "):
            if word:
                words.append((row - (height - 1) / 2 - 0.5, (column + len(word) // 2) - width / 2, word))
            column += len(word) + 1
    return words


@settings(max_examples=examples(54), deadline=None)
@given(st.integers(0, 53))
def test_the_ring_shows_every_section_once_with_the_current_one_on_top(section):
    lines = ring(game.LAYOUT, section, [])
    shown = signs(lines)
    assert sorted(word for _, _, word in shown) == sorted(game.LAYOUT)
    top = min(shown, key=lambda word: (word[0], abs(word[1])))
    assert top[2] == game.LAYOUT[section]
    assert lines[0].plain.strip() == "v"


def test_the_next_section_stands_to_the_right_of_the_clapper_as_the_layout_runs_clockwise():
    shown = [word for word in signs(ring(game.LAYOUT, 0, [])) if word[0] < -9]
    row = [word[2] for word in sorted(shown, key=lambda word: word[1])]
    at = row.index("7x")
    assert row[at + 1] == game.LAYOUT[1]
    assert row[at - 1] == game.LAYOUT[53]


def test_only_the_current_section_is_highlighted():
    lines = ring(game.LAYOUT, 31, [])
    lit = [line.plain[span.start : span.end] for line in lines for span in line.spans if "reverse" in str(span.style)]
    assert "".join(lit) == "40"
    assert not [span for line in ring(game.LAYOUT, -1, []) for span in line.spans if "reverse" in str(span.style)]


def test_the_middle_of_the_ring_tells_the_story_and_never_leaves_the_ring():
    lines = ring(game.LAYOUT, 3, ["round 7", "x" * 300])
    assert all(len(line.plain) <= 76 for line in lines)
    assert sum("round 7" in line.plain for line in lines) == 1


def test_a_test_round_that_is_open_already_is_marked_from_the_first_picture_on():
    scene = Scene(game.LAYOUT)
    scene.telemetry({"phase": "NO_MORE_BETS", "round": 4, "test": True})
    assert scene.middle()[:2] == ["round 4 TEST", "no more bets"]


def test_a_scene_follows_telemetry_and_records():
    scene = Scene(game.LAYOUT)
    scene.record("ROUND_OPENED", {"round": 3, "test": True})
    scene.telemetry({"phase": "SPINNING", "section": 5, "turns_milli": 2999, "speed_mturns_s": -1250})
    assert scene.middle()[:2] == ["round 3 TEST", "spinning"]
    assert scene.middle()[3] == "2.99 turns  1.25 turns/s"
    scene.record("SPIN", SPIN)
    assert scene.section == 9
    assert scene.result == "section 9 (10)"
    scene.record("SETTLED", {"symbol": "10", "multiplier": 2, "pays": [[1, "10", 2000, 20, 40000, False]]})
    assert scene.result == "10 x2: seat 1 $40.00 at 20 to 1"
    scene.record("SPIN", {"counted": False, "outcome": "NONE"})
    assert scene.result.startswith("10 x2")


def test_the_middle_of_the_ring_says_by_what_a_bonus_multiplies():
    scene = Scene(game.LAYOUT)
    scene.record("ROUND_OPENED", {"round": 3, "test": False})
    assert scene.middle()[2] == ""
    for symbol, shown in (("2x", "x2"), ("7x", "x14")):
        scene.record("SPIN", {**SPIN, "section": game.LAYOUT.index(symbol)})
        scene.telemetry({"phase": "BONUS"})
        assert scene.middle()[1:3] == ["bonus", shown]
        scene.record("SPIN", {**SPIN, "outcome": "SHORT_SPIN"})
        assert scene.middle()[2] == shown, "a spin that is void costs no multiplier"
    scene.record("SPIN", SPIN)
    assert scene.middle()[2] == "x14"
    scene.record("ROUND_CLOSED", {"round": 3})
    assert scene.middle()[2] == ""


def test_who_looks_on_from_the_middle_of_a_bonus_sees_its_multiplier_too():
    scene = Scene(game.LAYOUT)
    scene.telemetry({"phase": "BONUS", "round": 4, "test": False, "multiplier": 2})
    assert scene.middle()[2] == "x2"
    scene.record("SPIN", {**SPIN, "section": game.LAYOUT.index("7x")})
    assert scene.middle()[2] == "x14"


def shown(width, height, is_terminal, live):
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=is_terminal, width=width, height=height, color_system=None,
                      legacy_windows=False, _environ={"TERM": "xterm"})  # fmt: skip
    with LiveView(game.LAYOUT, console, live=live) as view:
        view.telemetry({"phase": "BETS_OPEN", "section": 3, "speed_mturns_s": 0})
        view.record("ROUND_CLOSED", {"round": 3})
        if view._live:
            view._live.refresh()
    return stream.getvalue()


@pytest.mark.parametrize(("width", "height", "is_terminal", "live", "drawn"), [
    (120, 40, True, True, True), (80, 24, True, True, True), (MIN_WIDTH - 1, 40, True, True, False),
    (120, MIN_HEIGHT, True, True, False),
    (120, 40, False, True, False), (120, 40, True, False, False),
])  # fmt: skip
def test_the_view_is_a_ring_where_there_is_room_and_plain_lines_elsewhere(width, height, is_terminal, live, drawn):
    text = shown(width, height, is_terminal, live)
    assert ("bets open" in text) == drawn
    assert ("\x1b[" in text) == drawn
    if height > MIN_HEIGHT + 1:
        assert "round 3: closed" in text
    if not drawn:
        assert text == "round 3: closed\n"


def test_every_record_of_an_honest_log_has_its_own_words():
    for _, kind, payload in records(journal(2)):
        words = wording.record(kind, payload)
        assert not words.startswith(kind)
        assert "\n" not in words


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from([*wording._WORDS, "KIND_99"]), st.dictionaries(
    st.sampled_from(["round", "spin", "outcome", "pays", "tilt", "detail", "results", "passed", "bets", "counted"]),
    st.one_of(st.integers(), st.text(max_size=3), st.lists(st.integers(), max_size=2))))  # fmt: skip
def test_no_payload_leaves_the_words_speechless(kind, payload):
    assert wording.record(kind, payload)


@pytest.mark.parametrize(("mills", "words"), [
    (0, "$0.00"), (12500, "$12.50"), (25, "$0.025"), (1, "$0.001"), (1234567890, "$1,234,567.89"), (-5000, "-$5.00"),
])  # fmt: skip
def test_money_is_shown_to_the_mill_and_never_rounded(mills, words):
    assert wording.money(mills) == words


@pytest.mark.parametrize(("milli", "words"), [(2999, "2.99 turns"), (3000, "3.00 turns"), (9, "0.00 turns")])
def test_turns_are_never_rounded_up_to_a_turn_that_was_not_made(milli, words):
    assert wording.turns(milli) == words
