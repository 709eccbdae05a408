"""Scripted rounds: played by the rules of the table; refused with place, value and limit when they make no sense."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop.journal import fields, kinds
from tabletop.rules import dreamcatcher, rounds
from wheelwright.adjudicate import Noted, adjudicate, explain
from wheelwright.errors import WheelwrightError
from wheelwright.games import GAMES, game_named
from wheelwright.odds import EQUAL
from wheelwright.odds.simulation import Seeded, play, wheel_of
from wheelwright.replay import Summary, replay
from wheelwright.scripts import records_of_script, script_of_records

WONDERSPINS: dict[str, Any] = {
    "game": "wonderspins",
    "round": 7,
    "inputs": [
        ["wager", 1, "2 Wonderspins", 5000], ["wager", 2, "5 Wonderspins", 1000], ["no_more_bets"],
        ["begin", "2 Wonderspins"], ["spin", "BETWEEN_SECTIONS", -1], ["spin", "SECTION", 4], ["spin", "SECTION", 0],
    ],
    "draws": [
        ["start Rabbit", 0], ["start Cat", 0], ["start Crown", 0], ["start Bird", 0], ["start Mouse", 0],
        ["start Hat", 4, 3], ["inner wheel", 12, 0], ["inner character", 5], ["inner wheel", 1], ["inner character", 0],
    ],
}  # fmt: skip


def changed(**changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(WONDERSPINS)), **changes}


def refusal(script: Any) -> str:
    with pytest.raises(WheelwrightError) as caught:
        adjudicate(script)
    return str(caught.value)


def test_a_scripted_round_gives_its_result_and_every_step() -> None:
    found = adjudicate(WONDERSPINS)
    assert found["finished"]
    assert found["result"] == ["PHYSICAL+RNG", {"extra_spin_deducts": False}]
    assert found["odds"] == [{"choice": 0, "total": 20, "odds_to_1": 20, "changed_by": ""}]
    assert found["pays"] == [{
        "seat": 1, "spot": "2 Wonderspins", "stake_mills": 5000, "odds_to_1": 20, "win_mills": 100000, "limited": False,
    }]  # fmt: skip
    assert found["collected_mills"] == 1000
    inputs = [step["input"][0] for step in found["steps"]]
    assert inputs == ["wager", "wager", "no_more_bets", "begin", "next", "spin", "spin", "next", "spin"]
    assert found["steps"][4]["draws"] == [["inner wheel", 12, 0], ["inner character", 6, 5]]
    assert found["steps"][5]["effects"] == [["respin", "BETWEEN_SECTIONS"]]
    assert found["steps"][-1]["state"]["meter"] == 20
    assert json.loads(json.dumps(found))["layout"] == found["layout"]


def test_a_round_without_all_of_its_inputs_is_played_as_far_as_it_goes() -> None:
    script = changed()
    script["inputs"] = script["inputs"][:4]
    script["draws"] = script["draws"][:8]
    found = adjudicate(script)
    assert (found["finished"], found["phase"], found["result"]) == (False, "SPIN", None)


def test_what_the_rules_refuse_to_a_player_is_a_step_with_its_sentence() -> None:
    script = changed()
    script["inputs"].insert(0, ["wager", 1, "2 Wonderspins", 999])
    step = adjudicate(script)["steps"][0]
    assert step["refused"] == "E-3002 a wager of 999 mills is below the minimum of 1000: raise the wager"


def test_a_script_that_runs_out_of_draws_is_refused_at_the_input_that_needs_one() -> None:
    text = refusal(changed(draws=WONDERSPINS["draws"][:-1]))
    assert text.startswith("E-9013 inputs[5], what follows: draw 10 (inner character of 6) is missing: there are 9:")


def test_a_script_with_one_draw_too_many_is_refused() -> None:
    text = refusal(changed(draws=[*WONDERSPINS["draws"], ["inner wheel", 3]]))
    assert "draw 11 (inner wheel) is one too many: the round used 10" in text


@pytest.mark.parametrize("value", [12, -1, "3", True, None, 1.0])
def test_a_draw_outside_its_range_is_refused_with_value_and_limit(value: Any) -> None:
    draws = json.loads(json.dumps(WONDERSPINS["draws"]))
    draws[6] = ["inner wheel", value]
    assert f"draw 7 (inner wheel) is {value}, but must be from 0 to 11" in refusal(changed(draws=draws))


def test_a_draw_of_another_name_or_range_is_refused() -> None:
    draws = json.loads(json.dumps(WONDERSPINS["draws"]))
    assert "draw 7 is named outer wheel, but the game draws inner wheel" in refusal(
        changed(draws=[*draws[:6], ["outer wheel", 3], *draws[7:]])
    )
    draws[6] = ["inner wheel", 10, 3]
    assert "is of 10, but the game draws of 12" in refusal(changed(draws=draws))


def test_a_result_of_a_wheel_that_is_not_spinning_is_refused() -> None:
    inputs = [*WONDERSPINS["inputs"][:3], ["spin", "SECTION", 4]]
    assert "inputs[3]: a spin in phase BEGIN of round 7; due in SPIN" in refusal(changed(inputs=inputs))
    assert "inputs[7]: a spin in phase DONE of round 7; due in SPIN" in refusal(
        changed(inputs=[*WONDERSPINS["inputs"], ["spin", "SECTION", 4]])
    )


@pytest.mark.parametrize(("written", "reason"), [
    (["spin", "SECTION", 54], "section 54 is not on the outer wheel (0 to 53)"),
    (["spin", "SECTION"], "spin has 1 arguments, but needs 2"),
    (["spin", "MAYBE", 4], "outcome MAYBE is not one of SECTION, SHORT_SPIN, BETWEEN_SECTIONS, FAULT"),
    (["spin", "SECTION", "4"], "'4' of spin must be a whole number"),
    (["spin", "SECTION", True], "True of spin must be a whole number"),
    (["press", 1], "press is no input of wonderspins"),
    (["next"], "next is no input of wonderspins"),
    ("spin", "it is 'spin', but must be a list"),
    ([], "it is [], but must be a list"),
])  # fmt: skip
def test_an_input_that_makes_no_sense_is_refused_with_its_place(written: Any, reason: str) -> None:
    inputs = [*WONDERSPINS["inputs"][:5], written]
    text = refusal(changed(inputs=inputs))
    assert "E-9013 inputs[5]" in text
    assert reason in text


@pytest.mark.parametrize(("script", "reason"), [
    ([], "E-9013 script: it must be an object"),
    ({"game": "roulette", "inputs": []}, "E-9010 there is no game roulette"),
    ({"game": "luxor", "surplus": 1}, "E-9013 script: it must be an object"),
    ({"game": 5}, "E-9013 script: it must be an object"),
    ({"game": "luxor", "inputs": 5}, "E-9013 inputs: it is 5, but must be a list"),
    ({"game": "luxor", "draws": [["award 1"]]}, "E-9013 draws[0]: it is ['award 1'], but must be [NAME, VALUE]"),
    ({"game": "luxor", "draws": [["award 1", 0, 3]]}, "range 0 of award 1 must be a whole number from 1"),
    ({"game": "luxor", "settings": []}, "E-9013 settings: it is [], but must be an object"),
    ({"game": "luxor", "round": "1"}, "E-9013 round: it is '1', but must be a whole number from 1"),
    ({"game": "luxor", "round": 0}, "E-9013 round: it is 0, but must be a whole number from 1"),
    ({"game": "luxor", "settings": {"strikes": [1]}}, "E-9011 the settings in the script are refused: strikes: the"),
])  # fmt: skip
def test_a_script_of_a_wrong_shape_is_refused(script: Any, reason: str) -> None:
    assert reason in refusal(script)


def code_of(script: Any) -> int:
    """The number of the refusal, 0 for a result; any other exception goes on."""
    try:
        adjudicate(script)
    except WheelwrightError as error:
        return error.code
    return 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.floats(allow_nan=False) | st.text(max_size=4)
    | st.sampled_from(["wager", "begin", "spin", "SECTION", "choose", "Luxor", "void"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(sorted(GAMES)), st.lists(json_values, max_size=4), st.lists(json_values, max_size=3))
def test_no_script_ends_in_anything_but_a_result_or_a_numbered_refusal(name: str, inputs: Any, draws: Any) -> None:
    assert code_of({"game": name, "inputs": inputs, "draws": draws}) in (0, 9013)


@given(st.sampled_from(sorted(GAMES)), st.data())
def test_no_settings_end_in_anything_but_a_numbered_refusal(name: str, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(game_named(name).settings)))
    assert code_of({"game": name, "settings": {key: data.draw(json_values)}}) in (0, 9011)


class Recorded:
    """Rules that note every input, so that a simulated round becomes a script."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.inputs, self.state = rules, [], None
        self.AUTOMATIC = getattr(rules, "AUTOMATIC", ())
        self.new = rules.new

    def step(self, state: Any, given: Any, draws: Any = None) -> Any:
        if given != ("next",):
            self.inputs.append(list(given))
        self.state, effects = self.rules.step(state, given, draws)
        return self.state, effects


def simulated_script(name: str, seed: int) -> tuple[dict[str, Any], int, Any]:
    """A round that the simulation played, as a script; with its odds and last state."""
    import random

    game = game_named(name)
    recorded, draws = Recorded(game.rules), Noted(Seeded(random.Random(seed)))
    spot = sorted(getattr(game.rules, "SPOTS", ("1",)))[0]
    odds, _ = play(recorded, dict(game.rules.DEFAULTS), spot, None, draws, wheel_of(EQUAL))  # type: ignore[arg-type]
    taken = [draw for draw in draws.take() if draw[0] != "wheel"]
    return {"game": name, "inputs": recorded.inputs, "draws": taken}, odds, recorded.state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(8))
def test_a_simulated_round_is_adjudicated_to_the_same_result(name: str, seed: int) -> None:
    script, odds, state = simulated_script(name, seed)
    found = adjudicate(json.loads(json.dumps(script)))
    assert found["finished"]
    assert [pay["odds_to_1"] for pay in found["pays"]] == ([odds] if odds >= 0 else [])
    for key, value in found["steps"][-1]["state"].items():
        assert value == state[key], key


@pytest.mark.parametrize("name", GAMES)
def test_the_explanation_names_every_draw_input_and_setting_that_the_game_uses(name: str) -> None:
    game, told = game_named(name), explain(game_named(name))
    assert set(told["settings"]) == set(game.rules.DEFAULTS)
    known = {draw["name"] for draw in told["draws"]}
    used: set[str] = set()
    inputs: set[str] = set()
    for seed in range(12):
        script, _, _ = simulated_script(name, seed)
        used |= {draw[0] for draw in script["draws"]}
        inputs |= {written[0] for written in script["inputs"]}

    def spelled(draw: str) -> str:
        parts = draw.split()
        return draw if draw in known else " ".join("N" if part.isdigit() else part for part in parts)

    assert {spelled(draw) for draw in used} == known
    assert inputs <= set(told["inputs"])
    assert set(told["inputs"]) - inputs <= {"void", "choose"}


def told(script: Any) -> dict[str, Any]:
    """What `adjudicate` says without the steps."""
    return {key: value for key, value in adjudicate(script).items() if key not in ("steps", "examples")}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_script_becomes_records_that_replay_and_that_become_the_script_again(name: str, seed: int) -> None:
    script, _, _ = simulated_script(name, seed)
    records = records_of_script(json.loads(json.dumps(script)))
    for kind, payload in records:
        fields.check(getattr(kinds, kind), payload)
    summary = Summary()
    assert [one.problem for one in replay(((n + 1, *record) for n, record in enumerate(records)), summary)] == [None]
    assert summary.settled == 1
    again = script_of_records(records)
    assert (again["inputs"], again["draws"]) == (script["inputs"], script["draws"])
    assert told(again) == told(script)


def test_what_the_rules_refuse_in_a_script_is_in_none_of_its_records() -> None:
    script = changed()
    script["inputs"].insert(1, ["wager", 9, "2 Wonderspins", 5000])
    assert records_of_script(script) == records_of_script(changed())
    with pytest.raises(WheelwrightError, match="is missing: there are 9"):
        records_of_script(changed(draws=script["draws"][:-1]))


def test_a_voided_script_becomes_records_of_a_voided_round() -> None:
    records = records_of_script(changed(inputs=[*WONDERSPINS["inputs"][:3], ["void", "door"]], draws=[]))
    assert records[-1] == ("ROUND_VOIDED", {"round": 7, "reason": "door", "returned": 6000})
    assert script_of_records(records)["inputs"][-1] == ["void", "door"]


def test_a_journalled_round_becomes_a_script_with_the_same_result() -> None:
    opened = {
        "round": 3, "game": "dreamcatcher", "test": True, "layout": dreamcatcher.layout_hash(),
        "paytable": dreamcatcher.paytable_hash(), "settings": dict(dreamcatcher.DEFAULTS), "min_turns": 3,
    }  # fmt: skip
    records: list[tuple[str, dict[str, Any]]] = [
        ("ROUND_OPENED", opened), ("WAGERS", {"round": 3, "bets": [[1, "40", 5000], [2, "1", 1000]]}),
        ("BETS_CLOSED", {"round": 3, "count": 2, "mills": 6000}),
        ("SPIN", {"round": 3, "spin": 0, "counted": False}),
        ("SPIN", {"round": 3, "spin": 1, "counted": True, "outcome": "SHORT_SPIN"}),
        ("SPIN", {"round": 3, "spin": 2, "counted": True, "outcome": "SECTION", "section": 27}),
        ("SPIN", {"round": 3, "spin": 3, "counted": True, "outcome": "SECTION", "section": 31}),
    ]  # fmt: skip
    script = script_of_records(records)
    found = adjudicate(json.loads(json.dumps(script)))
    assert [(pay["odds_to_1"], pay["win_mills"]) for pay in found["pays"]] == [(80, 400000)]
    assert found["collected_mills"] == 1000
    assert found["round"] == 3
    assert rounds.Round(opened).number == 3
    voided = script_of_records([*records[:3], ("ROUND_VOIDED", {"reason": "door", "returned": 6000})])
    assert adjudicate(voided)["returned_mills"] == 6000
    with pytest.raises(WheelwrightError, match="must be ROUND_OPENED"):
        script_of_records(records[1:])
