"""Game settings from a file: complete, checked by the rules of the table, refused with file, key, value and limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from wheelwright.configuration import check_for_table, complete, for_table, load
from wheelwright.errors import WheelwrightError
from wheelwright.games import GAMES, game_named


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.json"
    path.write_text(text)
    return path


def refusal(path: Path, name: str | None = None) -> str:
    with pytest.raises(WheelwrightError) as caught:
        load(path, name)
    return str(caught.value)


def test_a_file_changes_what_it_names_and_the_rest_stays_an_example(tmp_path: Path) -> None:
    path = written(tmp_path, '{"game": "new_york", "settings": {"torch": [1, 1], "seats": 5}}')
    found = load(path)
    assert found.settings["torch"] == [1, 1]
    assert found.settings["awards"] == found.game.rules.DEFAULTS["awards"]
    assert found.examples == ("awards", "light", "multipliers")


def test_a_value_that_breaks_a_limit_is_refused_with_file_place_value_and_limit(tmp_path: Path) -> None:
    path = written(tmp_path, '{"game": "luxor", "settings": {"awards": [[4, 1]]}}')
    reason = "awards[0] is 4, but must be a whole number from 5 to 1000"
    assert refusal(path).startswith(f"E-9011 the settings in {path} are refused: {reason}")


@pytest.mark.parametrize(("text", "reason"), [
    ('{"game": "luxor"}', 'it must hold {"game": NAME, "settings": {...}} alone'),
    ('{"game": "luxor", "settings": []}', "settings an object"),
    ('{"game": ["luxor"], "settings": {}}', "game must be a text"),
    ('{"game": "luxor", "settings": {"seats": 1, "seats": 2}}', "key seats stands there twice"),
    ('{"game": "luxor", ', "E-9012"),
    ('{"game": "roulette", "settings": {}}', "E-9010 there is no game roulette"),
    ('{"game": "luxor", "settings": {"factor": 2}}', "factor is not a setting of this game"),
    ('{"game": "luxor", "settings": {"seats": 2.0}}', "seats is 2.0, but must be a whole number"),
])  # fmt: skip
def test_a_file_of_a_wrong_shape_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    assert reason in refusal(written(tmp_path, text))


def test_a_file_for_another_game_or_none_at_all_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, '{"game": "luxor", "settings": {}}')
    assert "it is for luxor, not for bellagio" in refusal(path, "bellagio")
    assert "E-9012" in refusal(tmp_path / "absent.json")


def test_a_fingerprint_names_exactly_one_set_of_settings() -> None:
    prints = {complete(game, {}, "the test").fingerprint() for game in GAMES.values()}
    assert len(prints) == len(GAMES)
    luxor = game_named("luxor")
    same = complete(luxor, {"choice_ms": luxor.rules.DEFAULTS["choice_ms"]}, "the test")
    assert same.fingerprint() == complete(luxor, {}, "the test").fingerprint()
    assert complete(luxor, {"choice_ms": 9999}, "the test").fingerprint() != same.fingerprint()


def test_a_configuration_goes_to_the_table_flat_and_may_hold_settings_of_the_table(tmp_path: Path) -> None:
    text = '{"game": "luxor", "settings": {"seats": 5}, "table": {"step_ms": 900}}'
    path = written(tmp_path, text)
    flat = {"game": "luxor", "seats": 5, "step_ms": 900}
    assert for_table(path) == flat
    check_for_table(path, flat, "dreamcatcher")
    assert load(path).settings["seats"] == 5
    assert for_table(written(tmp_path, '{"max_mills": 2000}')) == {"max_mills": 2000}


@pytest.mark.parametrize(("text", "words"), [
    ('{"game": "roulette", "settings": {}}', "E-9010 there is no game roulette"),
    ('{"game": "luxor", "settings": {"min_turns": 3}}', "min_turns is not a setting of this game"),
    ('{"game": "luxor", "settings": {}, "table": {"seats": 3}}', "seats is not a setting of the table; those"),
    ('{"game": "luxor", "settings": {"strikes": 7}}', "strikes is no list, but must hold 4"),
])  # fmt: skip
def test_game_and_table_keep_their_settings_apart(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(WheelwrightError) as caught:
        for_table(written(tmp_path, text))
    assert words in str(caught.value)


@pytest.mark.parametrize(("flat", "words"), [
    ({"game": "luxor", "strikes": [60, 25, 10]}, "strikes: the weight of 3 strikes is missing"),
    ({"game": "wonderspins", "starts": [[[1, 1]]] * 5}, "starts: the table of Hat is missing"),
    ({"game": "money_mountain", "reels": [[1, 14]] * 8}, "reels holds 8 entries, but must hold 9"),
    ({"game": "luxor", "payout_limit_mills": 1000}, "the minimum cannot be kept"),
    ({"game": "luxor", "awards": [[5, 1], [1001, 1]]}, "but must be a whole number from 5 to 1000"),
    ({"game": "roulette"}, "game roulette is not one of"),
    ({"awards": [[5, 1]]}, "awards is not a setting of dreamcatcher"),
    ({"game": "luxor", "step_ms": -1}, "step_ms is -1, but must be a whole number from 0 to 60000"),
    ({"game": "bellagio", "awards": [[[n, 1] for n in range(1, 41)]] * 5}, "bytes, more than"),
])  # fmt: skip
def test_what_a_table_would_refuse_is_refused_before_it_is_sent(
    tmp_path: Path, flat: dict[str, object], words: str
) -> None:
    with pytest.raises(WheelwrightError) as caught:
        check_for_table(tmp_path / "game.json", flat, "dreamcatcher")
    assert caught.value.code == 9011
    assert words in str(caught.value)
