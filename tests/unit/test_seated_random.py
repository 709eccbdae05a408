"""Evenings at tables of cards and dice in which anything comes at any time: no round sticks, no meter loses a mill.

Wagers, chips, inputs, keys, tilts, restarts, resets and settings in random order, possible or not. `LONG=N` plays N
evenings of each game instead of 3.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from tabletop.link.endpoint import Refused
from tabletop.rules.rounds import follow
from wheelwright.games import game_named
from wheelwright.seated_dealer import due

from tests.vm.dealer import clear, configuration, sign
from tests.vm.seated_table import RESET_KEY, ROUNDS, act, chip, code_of, give, table_of

EVENINGS = int(os.environ.get("LONG", "3"))
ACTS = 150
MADE_UP = 61  # the tilt that this test raises; any other one is a defect
INPUTS: list[list[Any]] = [
    ["misdeal", "m"], ["award", 1, 5, "1/1"], ["select", 1], ["roll", 6, 1, 1, 6, 1, 1], ["chips", 3, " "],
    ["hand", 1, "ZZ"], ["hand", 2, "KD 10H KD"], ["hand", 8, "AS"], ["dealt", " "], ["take_back", 1], ["take_back", 0],
    ["chips", -1, "D1"], ["validate", 1, "D1"], ["validate", 7, "F1"], ["documented", 7], ["documented", 0],
]  # fmt: skip


class Evening:
    """One table, and whatever people do at it."""

    def __init__(self, game: str, seed: int) -> None:
        self.draw = random.Random(f"{game} {seed}")
        self.game, self.dealer = game, table_of(game, sectors=48)

    def ask(self, name: str, **args: Any) -> None:
        try:
            self.dealer.send(name, **args)
        except Refused:
            pass

    def play(self) -> None:
        try:
            act(self.dealer) if self.dealer.table.play.round is not None else self.open()
        except (Refused, IndexError):  # what ROUNDS does next is not what this round waits for
            pass

    def open(self) -> None:
        self.dealer.pass_time(6000)
        self.ask("OPEN_BETS")

    def wager(self) -> None:
        draw, offered = self.draw, ROUNDS[self.game][0]
        bets = [list(bet) for bet in draw.sample(offered, draw.randint(1, len(offered)))]
        if draw.random() < 0.3:
            bets[0][0], bets[0][2] = draw.choice((0, 1, 8, 1 << 40)), draw.choice((-1, 1, 999, 10**12))
        self.ask("WAGER", bets=bets)

    def enter(self) -> None:
        given = list(self.draw.choice(ROUNDS[self.game][1] + INPUTS))
        right = given[0] == "validate" and self.draw.random() < 0.8
        self.ask("GIVE", given=given, **({"mac": code_of(given[2])} if right else {}))

    def button(self) -> None:
        self.ask(self.draw.choice(("OPEN_BETS", "NO_MORE_BETS", "NO_MORE_BETS", "SETTLE")))

    def void(self) -> None:
        self.ask("VOID", reason=self.draw.choice(("spilled", "", "y" * 70)))

    def move_a_chip(self) -> None:
        chip(self.dealer, self.draw.randint(1, 7), self.draw.random() < 0.6)

    def restart(self) -> None:
        self.dealer = self.dealer.again()

    def tilt(self) -> None:
        self.dealer.table.stop(MADE_UP, {"test": "made up"})
        if self.draw.random() < 0.5:
            self.restart()
        self.mend(self.draw.random() < 0.5)

    def mend(self, configures: bool = False) -> None:
        dealer = self.dealer
        dealer.key(True)
        if configures:
            seats = self.draw.choice((6, 7))
            self.ask("CONFIGURE", **configuration(dealer, {"game": self.game, "seats": seats}))
        for tilt in list(dealer.table.tilts.open):
            self.ask("CLEAR_TILT", **clear(dealer, tilt))
        dealer.key(False)

    def reset(self) -> None:
        dealer = self.dealer
        dealer.key(True)
        dealer.hal.inputs.bits |= RESET_KEY
        dealer.tick()
        mills = self.draw.choice(({}, {"mills": 105_000}, {"mills": 0}, {"mills": 10**13}))
        self.ask("RESET_METER", **sign(dealer, "RESET_METER", reason="r", operator="ann", **mills))
        dealer.hal.inputs.bits &= ~RESET_KEY
        dealer.key(False)

    def change_mode(self) -> None:
        dealer = self.dealer
        if dealer.table.play.test and self.draw.random() < 0.5:
            dealer.table.records.lease = 77  # of a session that is over
            return
        dealer.key(True)
        self.ask("TEST_MODE", **sign(dealer, "TEST_MODE", on=self.draw.random() < 0.5))
        dealer.key(False)

    def anchor(self) -> None:
        journal = self.dealer.table.journal
        self.ask("ANCHOR", number=journal.last, hash=journal.head)

    def end(self) -> None:
        """Whatever is open is ended as its dealer would."""
        for _ in range(80):
            dealer = self.dealer
            dealer.hal.inputs.bits = 0
            dealer.tick(3)
            round_ = dealer.table.play.round
            if round_ is None:
                return
            if dealer.phase == "TILT":
                self.mend()
            elif dealer.phase == "RESULT":
                dealer.send("SETTLE")
            elif dealer.phase == "BETS_OPEN":
                dealer.send("VOID", reason="the end of the evening")
            else:
                dealer.pass_time(2100)  # a wrong code may have been given
                give(dealer, *due(game_named(self.game), round_.state, self.draw))
        raise AssertionError(f"the round does not end: {dealer.phase}, {round_.state}")


WHAT = {"play": 20, "wager": 12, "enter": 24, "button": 16, "void": 3, "move_a_chip": 8, "restart": 3, "tilt": 2,
        "reset": 3, "change_mode": 3, "anchor": 2}  # fmt: skip


def balanced(meter: dict[str, Any]) -> bool:
    """Whether all that was ever on it is accounted for, to the 1/10,000 mill (see `meter`)."""
    rate = meter["parameters"]["increment"] + meter["parameters"]["reserve"]
    there = meter["current"] + meter["reserve"] + meter["overflow"] + meter["won"]
    added = (there - meter["house"] - meter["corrected"]) * 10_000 + meter["rest"] + meter["reserve_rest"]
    return bool(added == meter["wagered"] * rate)


@pytest.mark.parametrize("game", ROUNDS)
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_whatever_comes_in_whatever_order_rounds_end_once_and_meters_balance(game: str, seed: int) -> None:
    evening = Evening(game, seed)
    for _ in range(ACTS):
        name = evening.draw.choices(list(WHAT), list(WHAT.values()))[0]
        getattr(evening, name)()
        evening.dealer.tick(2)
        table = evening.dealer.table
        assert (set(table.tilts.open) <= {MADE_UP}, table.dead) == (True, []), (name, table.tilts.open)
    evening.end()
    round_, settled = None, []
    for kind, payload in evening.dealer.records():
        round_ = follow(round_, kind, payload)  # ValueError where the records are not what the rules give
        if kind == "SETTLED":
            settled.append(payload["round"])
        if kind == "METER":
            assert balanced(payload["meter"]), payload
    assert round_ is None
    assert len(settled) == len(set(settled)), "a round is paid once"
