"""What one table sets otherwise than its board: the limits are those of a build, and a start holds to them."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import MagicMock

import pytest
from tabletop.hal.rp2 import own

from tests.conftest import ROOT
from tests.unit.test_boards import checks

BOARD: dict[str, Any] = json.loads((ROOT / "boards" / "WHEEL_PICO" / "table.json").read_text())


def test_the_limits_are_those_by_which_an_image_is_built() -> None:
    named = {name: tuple(limits) for name, limits in own.NUMBERS.items() if name != "flash_sectors"}  # of tests alone
    assert named == {name: checks.NUMBERS[name] for name in named}
    assert {name: tuple(limits) for name, limits in own.MILLIAMPERES.items()} == checks.MILLIAMPERES
    assert own.LEAST_BRIGHTNESS == checks.LEAST_BRIGHTNESS


@pytest.mark.parametrize(("name", "limits"), own.NUMBERS.items())
def test_the_last_number_within_is_taken_and_the_next_is_not(name: str, limits: list[int]) -> None:
    board = {**BOARD, "led_milliamps": {"full": 60, "idle": 1, "budget": 100_000}}
    for value in limits:
        assert own.taken(board, {name: value})[name] == value
    for value in (limits[0] - 1, limits[1] + 1, float(limits[0]), str(limits[0]), True, None):
        assert own.wrong(board, {name: value}).startswith(name)


@pytest.mark.parametrize(("settings", "said"), [
    ([], "they are no map"), ({"sections": 54}, "there is no sections"), ({"noise": {"bits": 8}}, "there is no noise"),
    ({"rim_leds": 54}, "there is no rim_leds"), ({"live": 1}, "live is 1"), ({"rs485": "true"}, "rs485 is true"),
    ({"links": []}, "links is []"), ({"links": ["usb", "radio"]}, "links is"), ({"game": ""}, "game is"),
    ({"led_milliamps": 8000}, "led_milliamps is 8000"),
    ({"led_milliamps": {"most": 1}}, "there is no led_milliamps.most"),
    ({"led_milliamps": {"budget": 0}}, "led_milliamps.budget is 0"),
    ({"led_milliamps": {"full": 1}}, "led_milliamps.full is 1, but must be more than idle, 1"),
    ({"led_milliamps": {"budget": 4000}}, "686 LEDs need 4733 mA, led_milliamps.budget is 4000"),
])  # fmt: skip
def test_what_a_table_cannot_set_is_named(settings: Any, said: str) -> None:
    assert own.wrong(BOARD, settings).startswith(said)


def test_a_part_of_the_current_is_set_and_the_rest_stays_as_the_board_has_it() -> None:
    found = own.taken(BOARD, {"led_milliamps": {"budget": 5000}, "rs485": True})
    assert found["led_milliamps"] == {"full": 60, "idle": 1, "budget": 5000}
    assert found == {**BOARD, "rs485": True, "led_milliamps": found["led_milliamps"]}
    assert BOARD["led_milliamps"]["budget"] == 8000


def test_a_start_with_settings_beyond_the_limits_ends_before_anything_is_driven(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = load("board")
    for name, value in (("BOARD", BOARD), ("REGIONS", {"files": (0, 1), "identity": (1, 1)}), ("Store", MagicMock())):
        monkeypatch.setattr(board, name, value)
    monkeypatch.setattr(board.identity, "read", lambda _store: {"board": {"led_milliamps": {"budget": 1}}})
    driven = [MagicMock() for _ in range(3)]
    for name, part in zip(("Wheel", "Panel", "Strips"), driven, strict=True):
        monkeypatch.setattr(board, name, part)
    with pytest.raises(ValueError, match=r"^E-7366 .*budget is 1; correct them with: wheelwright identity write"):
        board.Board("POWER_ON")
    assert not any(part.called for part in driven)
