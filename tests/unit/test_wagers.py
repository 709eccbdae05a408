"""The wagers of the progressive seeds in the tool: scripts and their page."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop import cbor
from tabletop.journal import fields, kinds
from tabletop.rules import GAMES as PLAYED
from tabletop.rules import progressive
from wheelwright import configuration
from wheelwright.adjudicate import adjudicate
from wheelwright.configuration import complete
from wheelwright.errors import WheelwrightError
from wheelwright.games import GAMES, game_named
from wheelwright.odds import wagers
from wheelwright.replay import Summary, replay
from wheelwright.scripts import records_of_script, script_of_records
from wheelwright.wagers import WAGERS

from tests.conftest import ROOT, examples
from tests.unit.test_odds_cli import tool as tool  # a fixture

Tool = Callable[..., tuple[int, str, str]]
PATH = ROOT / "docs" / "wagers.md"
PAGE = PATH.read_text(encoding="utf-8")
SPOT = "Match the Dealer"
ROUND: dict[str, Any] = {
    "game": "match_the_dealer", "settings": {"paytable": 3}, "meter": {"current": 5_000_000, "reserve": 700},
    "inputs": [
        ["wager", 1, SPOT, 1000], ["wager", 2, SPOT, 1000], ["no_more_bets"], ["chips", 3, "D1"], ["chips", 2, "D1"],
        ["hand", 1, "KD KS"], ["hand", 2, "3H KH"], ["dealt", "KD"], ["validate", 1, "F1"], ["validate", 2, "F1"],
    ],
}  # fmt: skip


def price_rows(name: str) -> list[str]:
    """The rows of the page's table of prices: percent of the stake, and dollars."""
    prices = wagers.prices(complete(WAGERS[name], {}, "the page"), True)
    return ["| " + " | ".join([one.which, *one.cells().values()]) + " |" for one in prices]


def price_head(page: str, name: str) -> str:
    """The head line of that table, of which each wager has its own."""
    return next(line for line in page.splitlines() if line.startswith(f"| price of `{name}` |"))


def section(name: str) -> str:
    return re.split(r"^## ", PAGE.split(f"(`{name}`)", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_a_scripted_round_says_what_each_seat_is_handed_and_what_was_refused() -> None:
    found = adjudicate(ROUND)
    assert found["finished"]
    assert [(paid["seat"], paid["handed_mills"], paid["by"]) for paid in found["paid"]] == [
        (1, 75_000, "INVENTORY"), (2, 2_000, "INVENTORY"),
    ]  # fmt: skip
    refusals = [step["refused"] for step in found["steps"] if "refused" in step]
    assert refusals == [
        "E-3022 3 chips were counted, but 2 progressive wagers were accepted: "
        "count both again; the floorperson decides, or the round is voided"
    ]
    meter = found["steps"][-1]["state"]["meter"]
    assert (meter["current"], meter["reserve"]) == (5_000_300, 820)


ROUNDS: dict[str, dict[str, Any]] = {
    "match_the_dealer": ROUND,
    "players_edge": {"inputs": [
        *(["wager", seat, "Player's Edge 21", 5000] for seat in (1, 2, 3)), ["no_more_bets"],
        ["hand", 1, "7S 7S"], ["hand", 2, "5S 6S"], ["hand", 3, "KS 7H"], ["card", 1, "7S"],
        ["double", 2, 5000, "2S"], ["rescue", 2], ["dealer", "7D KH"],
    ]},
    "match_up_down": {"inputs": [
        ["wager", 1, "Match-Up", 1000], ["wager", 1, "Match-Down", 1000], ["no_more_bets"], ["hand", 1, "KD 3S"],
        ["dealt", "KH"], ["hole", "3S"],
    ]},
    "monster_match": {"inputs": [
        ["wager", 1, "Monster Match", 5000], ["wager", 2, "Monster Match", 5000], ["no_more_bets"], ["chips", 2, "D1"],
        ["hand", 1, "KD KD"], ["hand", 2, "KS KS"], ["dealt", "KD KD"], ["validate", 1, "F1"], ["validate", 2, "F1"],
        ["documented", 1],
    ]},
    "monster_dynamic": {"inputs": [
        ["wager", 1, "Monster Match Dynamic", 1000], ["no_more_bets"], ["chips", 1, "D1"], ["hand", 1, "KD KH"],
        ["dealt", "KS KC"], ["validate", 1, "F1"],
    ], "draws": [["dynamic pays", 0], ["combination 1", 1], ["pay of combination 1", 9]]},
    "pai_gow": {"inputs": [
        ["wager", 1, "Pai Gow Poker", 5000], ["wager", 2, "Tiger 9", 1000], ["no_more_bets"], ["low", "9S 4H"],
    ]},
    "dice": {"inputs": [["wager", 1, "Sum", 1000], ["wager", 2, "Match 1", 1000], ["no_more_bets"], ["dice", 6, 1, 1]]},
    "must_hit_by": {"inputs": [
        ["wager", 1, "progressive payout", 1000], ["no_more_bets"], ["chips", 1, "D1"], ["validate", 1, "F1"],
        ["documented", 1],
    ], "draws": [["must-hit-by 1", 100000, 0], ["must-hit-by 2", 7]]},
}  # fmt: skip


class Stored:
    """The rules of a wager, whose state goes through the journal's CBOR before every step."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def step(self, state: dict[str, Any], given: tuple[Any, ...], draws: Any) -> Any:
        return self._rules.step(cbor.loads(cbor.dumps(state)), given, draws)


@pytest.mark.parametrize("name", WAGERS)
def test_a_round_that_is_stored_and_read_again_before_every_step_goes_on_alike(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = {**ROUNDS[name], "game": name}
    found = adjudicate(script)
    assert found["finished"]
    rules = Stored(WAGERS[name].rules)
    monkeypatch.setattr(type(WAGERS[name]), "rules", property(lambda _game: rules))
    assert adjudicate(script) == found


def test_wagers_that_are_pushed_count_as_returned_and_the_super_bonus_is_an_effect() -> None:
    assert adjudicate({**ROUNDS["pai_gow"], "game": "pai_gow"})["returned_mills"] == 5000
    found = adjudicate({**ROUNDS["players_edge"], "game": "players_edge"})
    assert found["collected_mills"] == 5000
    assert found["returned_mills"] == 5000 + 5000  # the rescued half, and a push at 17
    assert ["super bonus", 1, 1000000, 1] in found["steps"][-1]["effects"]


@pytest.mark.parametrize("name", ["pai_gow", "players_edge"])
def test_a_price_that_the_text_does_not_allow_is_not_simulated(tool: Tool, name: str) -> None:
    status, out, _ = tool("odds", name)
    assert status == 0
    assert "depends on how" in out or "Tiger 9 in 3.226 %" in out
    status, _, err = tool("odds", name, "--simulate", 10)
    assert status == 2
    assert "E-9001 --simulate cannot be 10: its chances are not in the text" in err


@pytest.mark.parametrize(
    ("meter", "reason"),
    [
        (5, "it must be"), ({"reserve": 1}, "it must be"), ({"current": 1, "hits": 2}, "it must be"),
        ({"current": -1}, "the meter is -1"), ({"current": "much"}, "the meter is 'much'"),
        ({"current": 1, "reserve": None}, "the reserve is None"),
    ],
)  # fmt: skip
def test_a_meter_that_cannot_be_is_refused_with_its_place(meter: Any, reason: str) -> None:
    with pytest.raises(WheelwrightError, match=f"meter: {reason}") as refused:
        adjudicate({**ROUND, "meter": meter})
    assert refused.value.code == 9013


def test_a_game_without_a_meter_takes_none() -> None:
    with pytest.raises(WheelwrightError, match=r"dreamcatcher has no meter"):
        adjudicate({"game": "dreamcatcher", "meter": {"current": 1}})


DRAWS: dict[str, list[list[Any]]] = {  # of what a table does by itself
    "must_hit_by": [["must-hit-by 1", 100000, 0], ["must-hit-by 2", 77]],
    "monster_dynamic": [["dynamic pays", 0], ["combination 1", 0], ["pay of combination 1", 0]],
}
words = st.one_of(st.integers(-2, 8), st.sampled_from(["AS AS", "KD", "", "D1", SPOT, "10H 10H", "A S", "é"]))
names = st.sampled_from(sorted({name for wager in WAGERS.values() for name, _ in wager.inputs} | {"wager"}))


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(WAGERS)), st.lists(st.tuples(names, st.lists(words, max_size=4)), max_size=8))
def test_any_script_is_played_or_refused_in_one_sentence(name: str, inputs: list[Any]) -> None:
    rules = WAGERS[name].rules
    start = [["wager", 1, rules.SPOTS[0], rules.DEFAULTS.get("wager_mills", 1000)], ["no_more_bets"]]
    if "chips" in dict(WAGERS[name].inputs):
        start.append(["chips", 1, "D1"])
    given = [*start, *([word, *rest] for word, rest in inputs)]
    script = {"game": name, "inputs": given, "draws": DRAWS.get(name, [])}
    refusals = []
    try:
        steps = len(adjudicate(script)["steps"])
    except WheelwrightError as error:
        refusals.append(error.code)
    assert refusals == [9013] or (not refusals and steps >= len(given))


@pytest.mark.parametrize("name", WAGERS)
def test_inputs_and_settings_of_a_wager_are_on_the_page(name: str) -> None:
    wager, text = WAGERS[name], section(name)
    for word, meaning in wager.inputs:
        assert f"| `{word}` | {meaning} |" in PAGE
    for draw in wager.draws:
        assert f"| `{draw.name}` | {draw.range} | {draw.decides} |" in text
    for key, meaning in wager.settings.items():
        assert f"| `{key}` | {meaning} |" in text + PAGE.split("## ", 2)[1], key
    assert set(wager.settings) == set(wager.rules.DEFAULTS)


@pytest.mark.parametrize("name", WAGERS)
def test_the_prices_on_the_page_are_those_that_the_tool_computes(name: str) -> None:
    table = PAGE.split(price_head(PAGE, name), 1)[1].split("\n\n", 1)[0].splitlines()
    assert table[2:] == price_rows(name), "run: make golden"
    one = wagers.prices(complete(WAGERS[name], {}, "the page"), False)[0]
    assert price_head(PAGE, name) == f"| price of `{name}` | {' | '.join(one.cells())} |"


def test_the_script_on_the_page_is_one_that_plays() -> None:
    assert adjudicate(json.loads(PAGE.split("```json", 1)[1].split("```", 1)[0]))["finished"]


def test_what_the_text_leaves_open_is_said_until_a_file_sets_it() -> None:
    wager = WAGERS["match_the_dealer"]
    assert complete(wager, {}, "the test").examples == ("reseed", "stake_back", "decks_of")
    assert complete(wager, {"reseed": "SEED"}, "the test").examples == ("stake_back", "decks_of")


def test_a_table_of_a_wheel_or_bonus_game_loads_nothing_of_the_wagers() -> None:
    """Only where a round or a table of theirs begins are they imported, inside a function."""
    assert set(WAGERS) == set(progressive.WAGERS)
    assert not set(WAGERS) & (set(PLAYED) | set(GAMES))
    package = ROOT / "firmware" / "tabletop"
    meters = package / "table" / "kept_meter.py"
    theirs = {meters} | {path for path in package.rglob("*.py") if "progressive" in str(path.relative_to(package))}
    loading = [path for path in package.rglob("*.py") if "table.kept_meter" in path.read_text()]
    assert set(loading) < theirs, "the kept meter is theirs, too"
    for path in sorted(package.rglob("*.py")):
        if path not in theirs:
            for node in ast.parse(path.read_text()).body:
                named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                named += [alias.name for alias in node.names] if isinstance(node, (ast.ImportFrom, ast.Import)) else []
                assert not any("progressive" in name for name in named), path


def test_a_name_that_is_neither_game_nor_wager_is_refused_with_all_that_are() -> None:
    with pytest.raises(WheelwrightError, match=r"dreamcatcher.*match_the_dealer") as refused:
        game_named("keno")
    assert refused.value.code == 9010


def test_odds_prints_a_line_a_paytable_and_a_configured_one_result_by_result(tool: Tool, tmp_path: Path) -> None:
    status, out, _ = tool("odds", "match_the_dealer")
    assert status == 0
    assert "left open by the text, set by a file: reseed, stake_back, decks_of" in out
    assert out.count("paytable") == 40
    file = tmp_path / "match.json"
    file.write_text(json.dumps({"game": "match_the_dealer", "settings": {"decks": 8, "paytable": 6}}))
    status, out, _ = tool("odds", "match_the_dealer", "--config", file, "--simulate", 3000)
    assert status == 0
    assert "one non-suited and one suited match" in out
    assert "100 to 1" in out
    assert "simulated 3000 rounds of 635c.1, 8 decks, paytable 6: agrees" in out
    status, out, _ = tool("odds", "match_the_dealer", "--config", file, "--json")
    found = json.loads(out)
    assert found["prices"][0]["meter"]["seed_mills"] == 1_000_000
    assert found["prices"][0]["results"][2]["pays"] == "100 to 1"


@pytest.mark.parametrize("option", ["--trigger=3/54", "--levers", "--db=x.db", "--plot=x.svg"])
def test_odds_of_a_wager_refuses_what_only_a_bonus_game_has(tool: Tool, option: str) -> None:
    status, _, err = tool("odds", "match_the_dealer", option)
    assert status == 2
    assert "E-9001" in err


def test_explain_tells_a_wager_without_speaking_of_a_wheel(tool: Tool) -> None:
    status, out, _ = tool("adjudicate", "--explain", "match_the_dealer")
    assert status == 0
    assert "none: cards or dice decide" in out
    assert "wheel decides" not in out


def test_a_table_is_configured_with_a_wager_as_with_a_game(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps({"game": "match_the_dealer", "settings": {"paytable": 3}, "table": {"min_turns": 3}}))
    flat = configuration.for_table(file)
    assert (flat["game"], flat["paytable"], flat["min_turns"]) == ("match_the_dealer", 3, 3)
    configuration.check_for_table(file, flat, "dreamcatcher")


@pytest.mark.parametrize("name", WAGERS)
def test_a_scripted_round_gives_the_records_of_a_table_and_these_the_round_again(name: str) -> None:
    script = {**ROUNDS[name], "game": name}
    records = records_of_script(script)
    for kind, payload in records:
        fields.check(getattr(kinds, kind), payload)
    again = script_of_records(records)
    found, told = adjudicate(script), adjudicate(again)
    for key in ("paid", "collected_mills", "returned_mills", "finished", "layout", "paytable"):
        assert told[key] == found[key], key
    assert told["steps"][-1]["state"] == found["steps"][-1]["state"]
    numbered = [(number, kind, payload) for number, (kind, payload) in enumerate(records, 1)]
    summary = Summary()
    assert [one.problem for one in replay(numbered, summary)] == [None]
    assert summary.settled == 1


def test_the_settings_of_a_wager_are_signed_with_their_price_and_taken_with_the_signature(
    tool: Tool, tmp_path: Path
) -> None:
    file, key = tmp_path / "match.json", tmp_path / "key.pem"
    file.write_text(json.dumps({"game": "match_the_dealer", "settings": {"paytable": 3}}))
    status, out, _ = tool("odds", "match_the_dealer", "--config", file, "--key", key)
    assert status == 0
    assert "signed: " in out
    approved = configuration.approval(file, None, False)
    assert len(approved["signer"]) == len(approved["hash"]) == 32
    file.write_text(json.dumps({"game": "match_the_dealer", "settings": {"paytable": 4}}))
    with pytest.raises(WheelwrightError, match="E-8106"):
        configuration.approval(file, None, False)
