"""Power cut before and after every flash operation of whole rounds: the table resumes that very round (design 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tabletop.rules.rounds import Round, follow

from tests.vm.dealer import SEVEN_TIMES, TEN, TWO_TIMES, Dealer, Flash, Hal, PowerCut, change_mode, clear

Step = Callable[[Dealer], object]


def opens(dealer: Dealer) -> None:
    dealer.send("OPEN_BETS")


def wagers(dealer: Dealer) -> None:
    dealer.send("WAGER", bets=[[1, "10", 1000], [2, "1", 3000]])


def closes(dealer: Dealer) -> None:
    dealer.send("NO_MORE_BETS")


def settles(dealer: Dealer) -> None:
    dealer.send("SETTLE")


def voids(dealer: Dealer) -> None:
    dealer.send("VOID", reason="test")


def pushes(dealer: Dealer) -> None:
    dealer.push()


def rests(outcome: str, section: int = -1, faults: tuple[str, ...] = ()) -> Step:
    def step(dealer: Dealer) -> None:
        dealer.rest(outcome, section, faults=faults)

    return step


ROUNDS: dict[str, list[Step]] = {
    "plain": [opens, wagers, closes, pushes, rests("SECTION", TEN), settles],
    "bonus": [
        opens, wagers, closes, pushes, rests("SECTION", TWO_TIMES), pushes, rests("SHORT_SPIN"),
        pushes, rests("SECTION", SEVEN_TIMES), pushes, voids, rests("SECTION", TEN), pushes, rests("SECTION", TEN),
        settles,
    ],
    "voided": [opens, wagers, closes, pushes, rests("BETWEEN_SECTIONS"), voids],
    "tilted": [opens, wagers, closes] + [pushes, rests("FAULT", faults=("INDEX_MISMATCH",))] * 3,
}  # fmt: skip


def follow_all(dealer: Dealer) -> Round | None:
    """The open round, by following every record of the journal: it is never at odds with itself."""
    current = None
    for kind, payload in dealer.records():
        current = follow(current, kind, payload)
    return current


def results(dealer: Dealer) -> dict[tuple[int, int], int]:
    """(round, spin) -> how many SPIN records ended it."""
    count: dict[tuple[int, int], int] = {}
    for kind, payload in dealer.records():
        if kind == "SPIN" and payload["spin"]:
            key = payload["round"], payload["spin"]
            count[key] = count.get(key, 0) + 1
    return count


def check(dealer: Dealer) -> None:
    """What must hold of a table that has just started, wherever its power was cut before."""
    current = follow_all(dealer)
    assert all(n == 1 for n in results(dealer).values())
    if dealer.phase == "TILT":
        assert list(dealer.table.tilts.open) == [21]
        dealer.key(True)
        dealer.send("CLEAR_TILT", **clear(dealer, 21))
        dealer.key(False)
        current = follow_all(dealer)
    assert dealer.phase == ("READY" if current is None else current.phase())
    if current is not None and current.owed is not None:
        assert current.settled is not None, "a result was not settled at the start"


def finish(dealer: Dealer) -> None:
    """Plays the round to its end."""
    if dealer.phase == "BETS_OPEN":
        closes(dealer)
    if dealer.phase in ("NO_MORE_BETS", "BONUS"):
        dealer.spin("SECTION", TEN)
    if dealer.phase == "RESULT":
        settles(dealer)
        dealer.pass_time(6000)
    assert dealer.phase == "READY"


def drawn(dealer: Dealer) -> list[tuple[int, int]]:
    """Sections of all counted spins so far, with their round."""
    return [
        (payload["round"], payload["section"])
        for kind, payload in dealer.records()
        if kind == "SPIN" and payload["counted"] and payload["outcome"] == "SECTION"
    ]


@pytest.mark.parametrize("name", ROUNDS)
def test_a_power_cut_at_any_flash_operation_resumes_that_very_round(name: str) -> None:
    steps = ROUNDS[name]
    cut_at = 0
    while True:
        cut_at += 1
        dealer = Dealer()
        dealer.flash.cut_at = cut_at
        shown: list[str] = []
        dealer.hal.lights.on_show = lambda index, text, shown=shown: shown.append(text) if index == 0 else None
        done = 0
        try:
            for step in steps:
                step(dealer)
                done += 1
                dealer.pass_time(200)
        except PowerCut:
            pass
        if done == len(steps):
            break
        dealer = dealer.again()
        check(dealer)
        if "10" in shown:
            assert drawn(dealer)[-1] == (1, TEN), "a result was shown that is not in the journal"
        before = drawn(dealer)
        again = dealer.again()
        check(again)
        assert drawn(again)[: len(before)] == before, "a second cut changed what was drawn"
        finish(again)
        assert again.table.play.meters["live"]["wagered_mills"] in (0, 4000)
    assert cut_at > 6


def test_a_cut_during_the_start_itself_loses_nothing() -> None:
    for name in ("plain", "tilted"):
        for until in range(1, len(ROUNDS[name])):
            for cut_at in range(1, 8):
                dealer = Dealer()
                for step in ROUNDS[name][:until]:
                    step(dealer)
                flash = dealer.flash
                flash.cut_at = cut_at
                try:
                    Dealer(flash).pass_time(100)
                except PowerCut:
                    pass
                flash.cut_at = 0
                dealer = dealer.again()
                check(dealer)
                finish(dealer)


def test_a_wheel_that_still_turns_after_the_cut_does_not_count() -> None:
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push(3500)
    flash = dealer.flash
    dealer = Dealer(flash, boot=False)
    dealer.table.boot()
    dealer.sensor.moving = True
    dealer.tick()
    spin = dealer.last("SPIN")
    assert (spin["spin"], spin["counted"], spin["why"], spin["outcome"]) == (1, False, "POWER_CUT", "NONE")
    dealer.sensor.turns_milli = 3200
    dealer.pass_time(3000)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.last("SPIN")["why"] == "POWER_CUT"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"


def test_a_start_that_takes_long_does_not_make_a_spin_of_a_wheel_that_turns_all_the_while() -> None:
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    hal = Hal(dealer.flash)

    def program() -> Iterator[tuple[str, bytes]]:
        hal.clock.now_ms += 3000
        yield from Hal.program(hal)

    hal.program = program
    dealer = Dealer(dealer.flash, hal, boot=False)
    dealer.table.boot()
    dealer.sensor.moving = True
    dealer.tick()
    dealer.sensor.turns_milli = 3200
    dealer.pass_time(3000)
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "NO_MORE_BETS"
    assert (dealer.last("SPIN")["counted"], dealer.last("SPIN")["why"]) == (False, "POWER_CUT")


def test_a_round_is_finished_with_the_minimum_of_turns_it_was_opened_with() -> None:
    dealer = Dealer(settings={"min_turns": 5})
    dealer.open_round([1, "10", 1000])
    dealer.settings = {}
    dealer = dealer.again()
    dealer.push()
    assert dealer.sensor.config.min_turns == 5
    dealer.rest("SHORT_SPIN", turns_milli=4000)
    dealer.spin("SECTION", TEN, turns_milli=5000)
    dealer.send("SETTLE")
    dealer.open_round()
    dealer.push()
    assert dealer.sensor.config.min_turns == 3


def test_meters_and_mode_are_those_of_before_the_restart() -> None:
    dealer = Dealer(Flash(8))
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    change_mode(dealer, True)
    assert dealer.phase == "TEST"
    dealer.open_round([1, "10", 2000])
    dealer.spin("SECTION", TEN)
    meters = {
        "live": {"rounds": 1, "wagered_mills": 1000, "paid_mills": 10000},
        "test": {"rounds": 1, "wagered_mills": 2000, "paid_mills": 20000},
    }
    for _ in range(3):
        assert dealer.table.play.meters == meters
        dealer = dealer.again()
    assert dealer.phase == "RESULT"
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    assert dealer.phase == "TEST"
    dealer = dealer.again()
    assert dealer.phase == "TEST"
    assert dealer.send("OPEN_BETS") == {"round": 3}
    for kind, payload in dealer.records():
        if kind in ("ROUND_OPENED", "SPIN", "SETTLED"):
            assert payload["test"] is (payload["round"] > 1)


def test_a_journal_that_contradicts_the_rules_stops_play() -> None:
    from tabletop import cbor
    from tabletop.journal import kinds

    dealer = Dealer(Flash())
    dealer.open_round([1, "10", 1000])
    wrong = {"round": 1, "section": TEN, "symbol": "10", "multiplier": 1, "collected": 0, "pays": [], "test": False,
             "meters": dealer.table.play.meters}  # fmt: skip
    dealer.table.journal.append(kinds.SETTLED, cbor.dumps(wrong), 0)
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert dealer.table.tilts.open == {53: {"reason": "round 1 was settled out of turn"}}
    dealer.key(True)
    code, detail = dealer.refused("CLEAR_TILT", **clear(dealer, 53))
    assert (code, detail["reason"]) == (4004, "round 1 was settled out of turn")
