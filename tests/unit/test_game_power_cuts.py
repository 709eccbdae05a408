"""Every bonus game with its power cut at every flash operation of a whole round, and again while it resumes.

The round goes on with the draws it had: none twice, none skipped; nothing was shown that the journal does not hold; the
end is what the rules give for the journal's draws. `-s` prints how many points were cut.
"""

from __future__ import annotations

from typing import Any

import pytest
from tabletop.rules.rounds import Round, follow
from wheelwright.adjudicate import adjudicate
from wheelwright.scripts import script_of_records

from tests.vm.bonus_table import GAMES, act, begun, draws_of, finish
from tests.vm.dealer import BLANK, Dealer, Flash, Hal, PowerCut

Records = list[tuple[str, dict[str, Any]]]


class TornFlash(Flash):
    """A flash whose cut program leaves the first `left` bytes of the page written."""

    left = 0

    def program(self, address: int, buf: Any) -> None:
        if self.cut_at == 1 and self.left:
            self.pages[address // self.page] = bytes(buf[: self.left]) + BLANK[self.left :]
        super().program(address, buf) if self.cut_at != 1 else self._change()


def table_of(game: str, flash: Flash) -> Dealer:
    return Dealer(flash, game=game)


def states(records: Records) -> list[dict[str, Any]]:
    """Every state of the round that these records give, in their order; contradictions raise."""
    current: Round | None = None
    found: list[dict[str, Any]] = []
    for kind, payload in records:
        before = current
        current = follow(current, kind, payload)
        for round_ in (before, current):
            if round_ is not None and (not found or found[-1] != round_.state):
                found.append(round_.state)
    if current is not None and current.given is not None:
        current.go_on()
        found.append(current.state)
    return found


def play(dealer: Dealer, shown: list[dict[str, Any]]) -> None:
    """A whole round; `shown` collects the states that lamps, replies and live values were given."""
    lights = dealer.hal.lights

    def look(*_: object) -> None:
        round_ = dealer.table.play.shown
        if round_ is not None and (not shown or shown[-1] is not round_.state):
            shown.append(round_.state)

    lights.on_show, lights.rim = look, look
    begun(dealer)
    look()
    while dealer.table.play.round is not None:
        act(dealer)
        look()


def numbers(records: Records) -> list[int]:
    return [payload["number"] for kind, payload in records if kind == "DRAW"]


def resumed(flash: Flash, game: str, cut_at: int) -> Dealer:
    """A table started on this flash; when its start is cut too, the next one."""
    flash.cut_at = cut_at
    try:
        dealer = Dealer(flash, Hal(flash, game=game), game=game)
        dealer.tick(3, 50)
    except PowerCut:
        flash.cut_at = 0
        dealer = Dealer(flash, Hal(flash, game=game), game=game)
    flash.cut_at = 0
    return dealer


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_cut_at_any_flash_operation_resumes_the_game_with_the_same_draws(game: str) -> None:
    points = 0
    for left in (0, 100, 256):
        cut_at = 0
        while True:
            cut_at += 1
            flash = TornFlash(24)
            flash.left = left
            dealer = table_of(game, flash)
            flash.cut_at = cut_at
            shown: list[dict[str, Any]] = []
            try:
                play(dealer, shown)
                break
            except PowerCut:
                points += 1
            flash.cut_at = 0
            found = Dealer(flash, Hal(flash, game=game), game=game, boot=False)
            found.table.journal.open(0)
            before = draws_of(found.records())
            dealer = resumed(flash, game, 1 + cut_at % 7)
            assert not dealer.table.tilts.open
            records = dealer.records()
            assert draws_of(records)[: len(before)] == before, "a draw of before the cut is not there"
            known = states(records)
            for state in shown:
                assert state in known, "something was shown that the journal does not hold"
            round_ = dealer.table.play.round
            if round_ is None:
                continue
            assert dealer.phase == round_.phase()
            assert round_.given is None, "the step was not finished"
            assert round_.state == known[-1]
            settled = finish(dealer)
            records = dealer.records()
            assert draws_of(records)[: len(before)] == before
            assert numbers(records) == list(range(1, len(numbers(records)) + 1)), "a draw twice, or one skipped"
            states(records)
            told = adjudicate(script_of_records([one for one in records if one[1].get("round") == 1]))
            assert [list(pay.values()) for pay in told["pays"]] == settled["pays"]
            assert dealer.table.play.meters["live"]["rounds"] == 1
    print(f"{game}: {points} cut points")
    assert points > 60
