"""What a table with a bonus game does, in words: every game from its records, step by step, to the pay."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console
from tabletop.rules import game_named
from wheelwright import wording
from wheelwright.bonus_dealer import BonusDealer, sample
from wheelwright.console import LiveView
from wheelwright.game_words import Follower, picture, said
from wheelwright.games import GAMES
from wheelwright.logbook.arrivals import Arrivals

from tests.vm.bonus_table import GAMES as BONUS
from tests.vm.bonus_table import begun, finish, table_of

WORDS = {
    "wonderspins": ("the characters show", "the inner wheel stops on", "the wheel stops on", "spins left"),
    "money_mountain": ("the jackpot is", "the wheel stops on", "award", "spins left"),
    "new_york": ("the buildings show", "the light stops on building", "the torch"),
    "luxor": ("the grid shows", "lightning strikes", "shuffled and hidden", "seat 1 takes 2 (PLAYER)", "the symbols"),
    "mgm_grand": ("seat 3 takes", "blue ball 1", "disco ball 1", "the spots hold"),
    "bellagio": ("the combinations pay", "machine 3", "the meters show", "Bellagio icons"),
}  # fmt: skip


def records(game: str) -> list[tuple[str, dict[str, Any]]]:
    dealer = table_of(game)
    begun(dealer)
    finish(dealer)
    return dealer.records()


@pytest.mark.parametrize("game", BONUS)
def test_every_step_is_told_as_soon_as_its_draws_are_there(game: str) -> None:
    follower = Follower()
    told: list[str] = []
    last: list[str] = []
    for kind, payload in records(game):
        told += filter(None, [follower.record(kind, payload)])
        last = follower.picture() or last
    text = "; ".join(told)
    for words in WORDS[game]:
        assert words in text
    assert last
    assert follower.round is None
    assert follower.picture() == []


@pytest.mark.parametrize("game", BONUS)
def test_a_view_prints_words_and_no_raw_draws_and_ends_with_the_pay(game: str) -> None:
    out = io.StringIO()
    view = LiveView(GAMES[game].layout, Console(file=out, width=200), live=False)
    for kind, payload in records(game):
        view.record(kind, payload)
    text = out.getvalue()
    assert "draw 1 " not in text
    assert "the next step" not in text
    assert " to 1" in text
    assert "pay seat 1" in text


def test_a_round_whose_beginning_was_not_seen_is_told_record_by_record() -> None:
    follower = Follower()
    whole = records("luxor")
    at = [kind for kind, _ in whole].index("BETS_CLOSED")
    assert [follower.record(kind, payload) for kind, payload in whole[at:]] == [""] * len(whole[at:])
    assert follower.picture() == []


def test_hidden_awards_are_not_told_before_they_are_revealed() -> None:
    state = {"phase": "CHOICE", "grid": [777] * 21}
    assert "777" not in " ".join(picture(state))
    assert "777" in " ".join(picture({**state, "phase": "DONE"}))


def test_every_effect_of_every_game_has_words_or_is_told_by_the_settlement() -> None:
    settled = {"collect", "result", "odds", "pay", "done", "accept", "close", "return", "refuse"}
    for game in BONUS:
        doc = game_named(game).step.__doc__ or ""
        for name in re.findall(r'\("(\w+)"', doc[doc.index("effects:") :]):
            assert name in settled or said([[name, 1, 1, 1, 1]]), name


@pytest.mark.parametrize("game", BONUS)
def test_a_sample_round_is_one_that_the_rules_take(game: str) -> None:
    rules = GAMES[game].rules
    for seed in range(20):
        spot, bets, choices = sample(GAMES[game], seed)
        state, effects = rules.step(rules.new(1, rules.DEFAULTS), ("wagers", bets))
        assert effects[0][0] == "accept"
        assert state["bets"]
        assert spot in rules.SPOTS
        assert bool(choices) is ("timeout" in dict(GAMES[game].inputs))
        assert (spot, bets, choices) == sample(GAMES[game], seed)
        assert 4 in [seat for seat, _, _ in sample(GAMES[game], seed, among=[4])[1]], "who is to choose has a wager"


def test_a_settlement_of_a_bonus_game_is_told_with_what_minimum_and_maximum_changed() -> None:
    odds = [[1, 3, 7, "MINIMUM"], [2, 45, 45, ""]]
    assert wording.result({"odds": odds}) == "choice 1 7 to 1 (minimum; came to 3), choice 2 45 to 1"
    assert wording.result({"odds": []}) == "no wager took part"


@pytest.mark.parametrize("seats", [1, 2, 3, 7])
@pytest.mark.parametrize("game", BONUS)
def test_wagers_are_made_up_for_the_seats_that_the_table_has(game: str, seats: int) -> None:
    asked: list[int] = []
    calls: list[tuple[str, Any]] = []

    def make_up(of_table: int) -> Any:
        asked.append(of_table)
        return sample(GAMES[game], 4, "", of_table)[1:]

    class Opened:
        """A table that was configured to so many seats."""

        def call(self, name: str, **args: Any) -> dict[str, Any]:
            calls.append((name, args))
            return {"round": 1}

    arrivals = Arrivals(lambda raws: None, lambda kind, payload: None)
    arrivals.waiting.append(("ROUND_OPENED", {"round": 1, "settings": {"seats": seats}}))
    dealer = BonusDealer(Opened(), arrivals, lambda nth: None, spot="x", make_up=make_up)
    dealer.open([])
    assert asked == [seats]
    (bets,) = [args["bets"] for name, args in calls if name == "WAGER"]
    assert len(bets) == min(3, seats)
    assert all(1 <= seat <= seats for seat, _, _ in bets)
    assert set(dealer._choices) <= {seat for seat, _, _ in bets}
    arrivals.waiting.clear()
    dealer.open([[9, "x", 1000]])
    assert calls[-1] == ("WAGER", {"bets": [[9, "x", 1000]]})
    assert asked == [seats], "wagers that somebody names are placed as they are"
