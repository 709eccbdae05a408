"""docs/games.md says of every game what the tool says, with the prices that it computes."""

from __future__ import annotations

import json
import re

import pytest
from tabletop.rules import stakes
from wheelwright.adjudicate import adjudicate
from wheelwright.configuration import complete
from wheelwright.games import GAMES
from wheelwright.odds import price

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return re.split(r"^## ", PAGE.split(f"(`{name}`)", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("name", GAMES)
def test_draws_inputs_and_settings_of_a_game_are_on_the_page(name: str) -> None:
    game, text = GAMES[name], section(name)
    for draw in game.draws:
        assert f"| `{draw.name}` | {draw.range} | {draw.decides} |" in text
    for pair in (*game.inputs, *game.settings.items()):
        if pair[0] not in stakes.LIMITS:
            assert f"| `{pair[0]}` | {pair[1]} |" in text


@pytest.mark.parametrize("name", GAMES)
def test_the_prices_on_the_page_are_those_of_the_examples(name: str) -> None:
    text = section(name)
    for one in price(complete(GAMES[name], {}, "the test")):
        row = re.search(rf"^\| {re.escape(one.spot)} \| (.*) \|$", text, re.MULTILINE)
        assert row, one.spot
        cells = [cell.strip() for cell in row[1].split("|")]
        assert cells[0] == f"{float(one.mean):.4f}"
        assert cells[2] == f"{float(100 * one.hit):.3f} %"
        assert cells[3] == f"{float(100 * one.minimum):.3f} %, {float(100 * one.maximum):.3f} %"
        assert cells[4] == f"{float(100 * one.jackpot):.3f} %"


def test_the_script_on_the_page_is_one_that_plays() -> None:
    script = json.loads(PAGE.split("```json", 1)[1].split("```", 1)[0])
    assert adjudicate(script)["finished"]
