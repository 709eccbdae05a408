"""What a table takes up after a power cut; the cut at every flash operation is in `tests/vm/test_table_cuts.py`."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vm.dealer import TEN, Dealer, Flash, Hal, change_mode, clear


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
