"""Every wager on cards or dice with its power cut at every flash operation of a round, and again while it resumes.

The round goes on where its records say; the meter is neither lost nor counted twice, hits included; hidden values are
chosen and opened once. `-s` prints how many points were cut.
"""

from __future__ import annotations

from typing import Any

import pytest
from tabletop.rules.rounds import follow
from wheelwright.replay import Summary, replay

from tests.unit.test_game_power_cuts import TornFlash, resumed, states
from tests.vm.dealer import Dealer, Hal, PowerCut
from tests.vm.seated_table import METERED, ROUNDS, act, finish, reset


def prepared(game: str, flash: TornFlash) -> None:
    """A table that has a meter to lose: from a round before, and of Must-Hit-By one that hits in the next."""
    dealer = Dealer(flash, game=game)
    dealer.send("OPEN_BETS")
    if game != "must_hit_by":
        finish(dealer)
        return
    value = dealer.table.rng.draws().look(dealer.table.play.round.state["meter"]["hidden"])
    dealer.send("VOID", reason="prepared")
    dealer.send("RESET_METER", **reset(dealer, mills=100_000 + value - 50))  # a wager of $5 adds 100 mills
    dealer.hal.inputs.bits = 0
    dealer.tick()


def expected(game: str, flash: TornFlash) -> Any:
    """The meter after the round of ROUNDS, when nothing is cut."""
    dealer = Dealer(flash, Hal(flash, game=game), game=game)
    dealer.send("OPEN_BETS")
    settled = finish(dealer)
    return (dealer.last("METER")["meter"] if game in METERED else None), settled["pays"]


def copy_of(flash: TornFlash) -> TornFlash:
    other = TornFlash(flash.sectors)
    other.pages = list(flash.pages)
    other.vault = TornFlash(1)
    other.vault.pages = list(flash.vault.pages)
    return other


def play(dealer: Dealer) -> None:
    dealer.send("OPEN_BETS")
    while dealer.table.play.round is not None:
        act(dealer)


@pytest.mark.slow
@pytest.mark.parametrize("game", ROUNDS)
def test_a_cut_at_any_flash_operation_neither_loses_nor_doubles_what_the_round_moves(game: str) -> None:
    start = TornFlash(24)
    prepared(game, start)
    wanted, pays = expected(game, copy_of(start))
    assert pays
    points = 0
    for left in (0, 100, 256):
        cut_at = 0
        while True:
            cut_at += 1
            flash = copy_of(start)
            flash.left = left
            dealer = Dealer(flash, Hal(flash, game=game), game=game)
            before = dealer.table.play.number
            flash.cut_at = cut_at
            try:
                play(dealer)
                break
            except PowerCut:
                points += 1
            dealer = resumed(flash, game, 1 + cut_at % 7)
            assert not dealer.table.tilts.open
            round_ = dealer.table.play.round
            if round_ is not None:
                assert dealer.phase == round_.phase()
                assert round_.given is None, "the step was not finished"
                if game != "must_hit_by":  # whether a hidden value was exceeded, only the next record tells a host
                    assert round_.state == states(dealer.records())[-1]
            elif dealer.table.play.number == before:  # cut before it was opened
                dealer.send("OPEN_BETS")
            settled = finish(dealer)
            assert winners(game, settled["pays"]) == winners(game, pays)
            if wanted is not None:
                kept = dealer.last("METER")["meter"]
                assert kept == wanted
            records = dealer.records()
            numbered = [(number, kind, payload) for number, (kind, payload) in enumerate(records, 1)]
            summary = Summary()
            assert [one.problem for one in replay(numbered, summary) if one.problem] == []
            names = [payload["name"] for kind, payload in records if kind == "OPENED"]
            assert len(names) == len(set(names)), "a hidden value was opened twice"
    print(f"{game}: {points} cut points")
    assert points > 15


def winners(game: str, pays: list[list[Any]]) -> list[Any]:
    """Who is handed what; a Dynamic Pay is drawn anew by every table, so of that wager by whom alone."""
    return [row[:2] if game == "monster_dynamic" else row for row in pays]


def test_follow_gives_the_meter_of_every_round_from_its_records_alone() -> None:
    dealer = Dealer(TornFlash(24), game="match_the_dealer")
    for _ in range(3):
        dealer.send("OPEN_BETS")
        finish(dealer)
    current = None
    kept = None
    for kind, payload in dealer.records():
        current = follow(current, kind, payload)
        if kind == "METER":
            kept = payload["meter"]
        if kind == "ROUND_OPENED" and kept is not None:
            assert payload["meter"] == {key: value for key, value in kept.items() if key != "recent"}
    assert kept is not None
    assert kept["hits"] == 3
