"""`wheelwright odds` and `wheelwright adjudicate`: what they print, their JSON, and what they refuse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wheelwright import signatures
from wheelwright.cli import ending
from wheelwright.configuration import complete
from wheelwright.games import GAMES
from wheelwright.odds import price
from wheelwright.odds.levers import levers

from tests.unit.logs import journal, stored

Tool = Callable[..., tuple[int, str, str]]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tool:
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["wheelwright", *map(str, words)])
        status = ending.outcome()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def test_the_price_of_dreamcatcher_is_printed_and_given_as_json(tool: Tool) -> None:
    status, out, _ = tool("odds", "dreamcatcher")
    assert status == 0
    for text in ("95.342 %", "95.513 %", "91.239 %", "96.581 %", "92.735 %", "90.812 %"):
        assert f"return of a wager  {text}" in out
    status, out, _ = tool("odds", "dreamcatcher", "--json")
    found = json.loads(out)
    assert found["prices"][0]["return_exact"] == "2231/2340"
    assert found["sections"] == "equal"


def test_a_script_is_printed_as_the_records_of_a_table(tool: Tool, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    inputs = [["wager", 1, "40", 5000], ["no_more_bets"], ["spin", "SECTION", 31]]
    file.write_text(json.dumps({"game": "dreamcatcher", "inputs": inputs}))
    status, out, _ = tool("adjudicate", file, "--records")
    assert status == 0
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["kind"] for one in found] == [
        "ROUND_OPENED", "WAGERS", "BETS_CLOSED", "SPIN_STARTED", "SPIN", "SETTLED", "ROUND_CLOSED",
    ]  # fmt: skip
    assert found[-2]["payload"]["pays"] == [[1, "40", 5000, 40, 200000, False]]
    file.write_text(json.dumps({"game": "dreamcatcher", "inputs": inputs[::-1]}))
    assert "E-9013 inputs[0]: the end of a spin in phase BETS" in tool("adjudicate", file, "--records")[2]


def test_a_configuration_is_signed_with_what_it_is_worth_and_a_changed_one_is_not_sent(
    tool: Tool, tmp_path: Path
) -> None:
    file, key = tmp_path / "luxor.json", tmp_path / "key.pem"
    file.write_text('{"game": "luxor", "settings": {"awards": [[5, 1]]}}')
    status, out, _ = tool("odds", "luxor", "--config", file, "--key", key, "--json")
    assert status == 0
    signature = Path(json.loads(out)["signature"])
    statement = signatures.check(file)
    assert statement["settings"] == json.loads(out)["settings"]
    assert statement["mean_odds"] == {"Luxor": json.loads(out)["prices"][0]["mean_odds_exact"]}
    device = tmp_path / "device.hex"
    device.write_text("00" * 32)
    configure = ("configure", file, "--device-key", device, "--operator", "ann", "--port", tmp_path / "none")
    assert f"E-8106 {file} is not as its signer left it: key " in tool(*configure, "--public-key", "00" * 32)[2]
    assert tool(*configure, "--public-key", statement["public_key"])[2].startswith("E-7001 "), "on to the port"
    file.write_text(file.read_text().replace("[5, 1]", "[6, 1]"))
    assert "its content was changed after it was signed" in tool(*configure)[2]
    signature.unlink()
    assert "there is no signature luxor.json.sig" in tool(*configure, "--public-key", statement["public_key"])[2]
    assert "there is no signature luxor.json.sig (--unsigned sends it all the same)" in tool(*configure)[2]
    assert tool(*configure, "--unsigned")[2].startswith("E-7001 "), "on to the port"
    assert "E-9001 --unsigned" in tool(*configure, "--unsigned", "--public-key", statement["public_key"])[2]
    signatures.sign(file, {"records": 5}, signatures.key(key))
    assert "what was signed and priced are other settings" in tool(*configure)[2]
    assert tool("odds", "luxor", "--key", key)[2].startswith("E-9001 ")


def test_examples_are_marked_as_examples_until_a_file_sets_them(tool: Tool, tmp_path: Path) -> None:
    _, out, _ = tool("odds", "new_york")
    assert "examples, not approved mathematics: awards, light, torch, multipliers" in out
    file = tmp_path / "new_york.json"
    settings = {"awards": [[5, 1]], "light": [1, 1], "torch": [1, 0], "multipliers": [[1, 1]]}
    file.write_text(json.dumps({"game": "new_york", "settings": settings}))
    _, out, _ = tool("odds", "new_york", "--config", file, "--trigger", "3/54")
    assert "examples" not in out
    assert "mean odds          5.000000 to 1 (exact)" in out
    assert "return of a wager  33.333 %" in out


def test_a_simulation_that_agrees_says_so_and_one_that_does_not_fails(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, _ = tool("odds", "new_york", "--simulate", 1500, "--seed", 4)
    assert status == 0
    assert "simulated 1500 rounds" in out
    assert ": agrees;" in out
    from wheelwright.odds import simulation

    honest = simulation.play

    def doubled(*given: Any) -> tuple[int, str]:
        odds, note = honest(*given)
        return odds * 2, note

    monkeypatch.setattr(simulation, "play", doubled)
    monkeypatch.setattr(simulation.os, "cpu_count", lambda: 1)
    status, out, err = tool("odds", "new_york", "--simulate", 1500, "--json")
    assert status == 1
    assert "E-8104" in err
    assert json.loads(out.splitlines()[0])["prices"][0]["simulation"]["agrees"] is False


@pytest.mark.slow
def test_levers_show_which_weights_move_the_price_and_which_do_not(tool: Tool) -> None:
    _, out, _ = tool("odds", "new_york", "--levers")
    assert "doubling torch[1]" in out
    assert "changes nothing: light[0], light[1]" in out
    _, out, _ = tool("odds", "money_mountain", "--levers", "--json")
    places = [lever["place"] for lever in json.loads(out)["levers"]]
    assert "jackpots[0] (500)" in places
    fixed = [lever["place"] for lever in json.loads(out)["levers"] if not lever["changes"]]
    assert fixed
    assert all(place.startswith("segments") for place in fixed), "the rule fixes their sum"


@pytest.mark.parametrize(("game", "given", "key", "at", "place"), [
    ("money_mountain", {"jackpots": [[500, 1]], "mystery": [[1, 1]], "segments": [[2, 54]]}, "reels", (0, 0),
     "reels[0][0] (award)"),
    ("money_mountain", {"jackpots": [[500, 1]], "mystery": [[1, 1]], "segments": [[2, 54]]}, "reels", (8, 1),
     "reels[8][1] (no award)"),
    ("new_york", {"awards": [[2, 3], [9, 5]]}, "awards", (1, 1), "awards[1] (9)"),
    ("new_york", {"light": [1, 2]}, "torch", (1,), "torch[1]"),
    ("mgm_grand", {}, "landings", (2,), "landings[2]"),
    ("mgm_grand", {}, "landings", (4,), "landings[4]"),
])  # fmt: skip
def test_a_lever_is_the_price_with_that_weight_doubled_by_hand(
    game: str, given: dict[str, Any], key: str, at: tuple[int, ...], place: str
) -> None:
    configuration = complete(GAMES[game], given, "test")
    settings = json.loads(json.dumps(configuration.settings))
    *way, last = at
    holder = settings[key]
    for index in way:
        holder = holder[index]
    holder[last] *= 2
    before, after = price(configuration), price(complete(GAMES[game], settings, "test"))
    found = {lever.place: lever for lever in levers(configuration)}
    assert found[place].changes == [one.mean - before[0].mean for one in after]
    assert list(found[place].choices) == ([one.choice for one in after] if len(after) > 1 else [])


def test_what_no_table_takes_is_not_signed(tool: Tool, tmp_path: Path) -> None:
    file, key = tmp_path / "luxor.json", tmp_path / "key.pem"
    rows = [[300 + n, 40000] for n in range(64)]
    for settings in ({"awards": rows, "multipliers": [[1 + n, 70000] for n in range(64)]}, {"seats": 99}):
        file.write_text(json.dumps({"game": "luxor", "settings": settings}))
        assert tool("odds", "luxor", "--config", file, "--key", key)[2].startswith("E-9011 ")
        assert not signatures.signature_of(file).exists()


def test_the_settings_of_a_wager_are_signed_with_their_price_too(tool: Tool, tmp_path: Path) -> None:
    file, key = tmp_path / "match.json", tmp_path / "key.pem"
    file.write_text('{"game": "match_the_dealer", "settings": {"paytable": 99}}')
    status, _, err = tool("odds", "match_the_dealer", "--config", file, "--key", key)
    assert status == 2
    assert "paytable" in err
    assert not signatures.signature_of(file).exists()
    file.write_text('{"game": "match_the_dealer", "settings": {}}')
    assert tool("odds", "match_the_dealer", "--config", file, "--key", key)[0] == 0
    assert signatures.signature_of(file).exists()


def test_a_plot_of_pays_that_are_not_listed_needs_a_simulation(tool: Tool, tmp_path: Path) -> None:
    path = tmp_path / "w.svg"
    status, _, err = tool("odds", "wonderspins", "--plot", path)
    assert (status, err.split()[0], path.exists()) == (2, "E-9001", False)
    assert "add --simulate N" in err


def test_a_plot_is_an_svg_that_is_the_same_every_time(tool: Tool, tmp_path: Path) -> None:
    pictures = []
    for n in range(2):
        path = tmp_path / f"{n}.svg"
        assert tool("odds", "luxor", "--simulate", 300, "--plot", path)[0] == 0
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    assert b"Luxor, exact" in pictures[0]
    assert b"300 simulated" in pictures[0]


def test_the_wheel_of_a_log_is_measured_and_priced(tool: Tool, tmp_path: Path) -> None:
    log = stored(tmp_path / "table.db", journal(rounds=40, seed=3))
    status, out, _ = tool("odds", "dreamcatcher", "--db", log, "--json")
    assert status == 0
    sections = json.loads(out)["sections"]
    assert len(sections) == 54
    assert sum(sections) >= 40
    _, out, _ = tool("odds", "dreamcatcher", "--db", log)
    assert f"wheel as measured in {sum(sections)} spins" in out
    assert "E-9014" in tool("odds", "wonderspins", "--db", log)[2]
    assert "has no physical wheel" in tool("odds", "luxor", "--db", log)[2]


@pytest.mark.parametrize(("words", "text"), [
    (("odds", "roulette"), "E-9010"),
    (("odds", "luxor", "--config", "/absent.json"), "E-9012"),
    (("odds", "luxor", "--trigger", "5/0"), "E-9001"),
    (("odds", "luxor", "--trigger", "55/54"), "E-9001"),
    (("odds", "dreamcatcher", "--trigger", "1/54"), "E-9001"),
    (("adjudicate",), "E-9000"),
    (("adjudicate", "/absent.json"), "E-9012"),
    (("adjudicate", "--explain", "roulette"), "E-9010"),
])  # fmt: skip
def test_wrong_use_is_refused_with_its_number(tool: Tool, words: tuple[str, ...], text: str) -> None:
    status, _, err = tool(*words)
    assert status == 2
    assert text in err


def test_a_script_is_adjudicated_to_one_json_value(tool: Tool, tmp_path: Path) -> None:
    script = tmp_path / "round.json"
    script.write_text(json.dumps({
        "game": "dreamcatcher",
        "inputs": [["wager", 1, "40", 5000], ["no_more_bets"], ["spin", "SECTION", 0], ["spin", "SECTION", 31]],
    }))  # fmt: skip
    status, out, _ = tool("adjudicate", script)
    assert status == 0
    assert json.loads(out)["pays"][0]["odds_to_1"] == 280
    script.write_text('{"game": "dreamcatcher", "inputs": [["spin", "SECTION", 0]]}')
    status, _, err = tool("adjudicate", script)
    assert status == 2
    assert "in phase BETS of round 1" in err
    assert "E-9013 inputs[0]" in err


def test_a_game_is_explained_for_people_and_as_json(tool: Tool) -> None:
    _, out, _ = tool("adjudicate", "--explain", "wonderspins")
    assert "inner wheel          [12] the section of the inner wheel, clockwise from 0" in out
    assert "wagers on 2 Wonderspins, 5 Wonderspins" in out
    _, out, _ = tool("adjudicate", "--explain", "dreamcatcher")
    assert "none: a physical wheel decides" in out
    _, out, _ = tool("adjudicate", "--explain", "bellagio", "--json")
    assert json.loads(out)["settings"]["combinations"]["example"][0] == ["Seven", "Seven", "Seven"]
