"""Previews: the same round for the same seed, LEDs where the scenes lit them, and nothing written when it cannot be."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from wheelwright import preview, seated_preview
from wheelwright.cli import ending
from wheelwright.games import GAMES
from wheelwright.wagers import WAGERS


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["wheelwright", *map(str, words)])
        return ending.outcome(), *capsys.readouterr()

    return run


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_is_the_same_for_a_seed_and_differs_for_another(name: str, tmp_path: Path) -> None:
    made = []
    for n, seed in enumerate((1, 1, 2)):
        path = tmp_path / f"{n}.png"
        assert preview.preview(GAMES[name], seed, path) == 1
        made.append(path.read_bytes())
    assert made[0] == made[1] != made[2]
    with Image.open(tmp_path / "0.png") as image:
        assert image.size == preview.SIZE


@pytest.mark.parametrize("name", WAGERS)
def test_a_round_of_cards_or_dice_is_drawn_the_same_for_a_seed_up_to_its_end(name: str, tmp_path: Path) -> None:
    states = list(seated_preview.states(WAGERS[name], 3))
    assert states[-1]["phase"] == "DONE"
    assert states == list(seated_preview.states(WAGERS[name], 3))
    assert preview.preview(WAGERS[name], 3, tmp_path / "a.png") == 1
    assert preview.preview(WAGERS[name], 3, tmp_path / "a.gif") > 3
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == preview.SIZE


def test_every_dynamic_pay_is_in_the_pictures_before_a_card_is() -> None:
    raised = [state for state in seated_preview.states(WAGERS["monster_dynamic"], 2) if state["phase"] == "CARDS"]
    first = raised[0]
    assert not first["hands"]
    pictures = {
        seated_preview.picture(WAGERS["monster_dynamic"], first, ms * 1024, preview.SIZE).tobytes() for ms in range(3)
    }
    assert len(pictures) == len(first["dynamic"])


@pytest.mark.parametrize("name", GAMES)
def test_a_round_is_shown_step_by_step_to_its_end(name: str) -> None:
    steps = list(preview.steps(GAMES[name], 3))
    assert steps[-1].state["phase"] == "DONE"
    assert all(step.stay_ms >= preview.STEP_MS for step in steps)


def test_a_physical_wheel_turns_before_its_result_is_shown() -> None:
    lamps = preview.Lamps(GAMES["dreamcatcher"])
    step = next(step for step in preview.steps(GAMES["dreamcatcher"], 1) if step.spin >= 0)
    lamps.draw(step, 0)
    assert lamps.digits == ["", "", ""]
    lamps.draw(step, preview.SPIN_MS)
    assert lamps.digits[0] == GAMES["dreamcatcher"].rules.LAYOUT[step.spin]
    white = [n for n in range(54) if lamps.rim[n * 9] == lamps.rim[n * 9 + 1] == lamps.rim[n * 9 + 2] > 60]
    assert step.spin in white


def test_a_lit_led_is_seen_and_a_dark_one_is_nearly_black() -> None:
    lamps = preview.Lamps(GAMES["luxor"])
    lamps.tiles.dot(0, 0, 0xFF0000)  # green, in the order of the LEDs
    image = lamps.picture()
    assert image.getpixel((396, 90)) == (36, 255, 42)
    assert image.getpixel((404, 90)) == (36, 36, 42)


@pytest.mark.slow
def test_a_gif_moves(tool: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    path = tmp_path / "new_york.gif"
    status, out, _ = tool("preview", "new_york", "--out", path, "--json")
    assert status == 0
    frames = json.loads(out)["frames"]
    with Image.open(path) as image:
        assert image.is_animated
        assert image.n_frames == frames > 10


def test_what_cannot_be_drawn_is_refused(tool: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    assert "E-9001" in tool("preview", "luxor", "--out", tmp_path / "luxor.jpg")[2]
    assert "E-9010" in tool("preview", "roulette", "--out", tmp_path / "x.png")[2]
    assert "E-8010" in tool("preview", "luxor", "--out", tmp_path / "no" / "x.png")[2]


def test_the_digits_are_those_of_the_table_timer_and_odds_paid_included() -> None:
    lamps = preview.Lamps(GAMES["mgm_grand"])
    steps = list(preview.steps(GAMES["mgm_grand"], 1))
    asked = next(step for step in steps if step.state["phase"] == "CHOICE")
    lamps.draw(asked, 0)
    assert lamps.digits[0] == str(asked.state["settings"]["choice_ms"] // 1000)
    lamps.draw(asked, asked.stay_ms - 1)
    assert lamps.digits[0] == "1"
    lamps.draw(steps[-1], steps[-1].stay_ms)
    paid = next(effect[4] for effect in steps[-1].effects if effect[0] == "pay")
    assert lamps.digits[::2] == ["PAY", str(paid)]
