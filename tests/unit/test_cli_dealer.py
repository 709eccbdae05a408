"""The dealer plays whatever the wheel does to its end, and leaves no round in the air when it is stopped."""

import os
import signal
import threading
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.rules import dreamcatcher as game
from wheelwright.dealer import Dealer
from wheelwright.errors import Refused, WheelwrightError
from wheelwright.interrupt import heard, stopped
from wheelwright.logbook.arrivals import Arrivals
from wheelwright.messages import Gap
from wheelwright.playing import Playing, Pusher
from wheelwright.watching import settlement

from tests.conftest import examples
from tests.unit.fake_table import FakeTable

BETS = [[1, "10", 2000], [2, "1", 5000]]
TEN, ONE, SEVEN_TIMES = 9, 2, 0


class At:
    """A dealer at a fake table whose wheel does what `turns` says, one a spin."""

    def __init__(self, turns=(), patience_s=5.0, late=False):
        self.table = FakeTable()
        self.turns = list(turns)
        self.kept, self.shown, self.spins = [], [], []
        self.arrivals = Arrivals(self.kept.extend, self.show)
        self.dealer = Dealer(self.table, self.arrivals, self.spin, patience_s)
        self.table.send = self.arrivals.take
        self.table.flush()
        self.late = late

    def show(self, kind, payload):
        self.shown.append(kind)

    def spin(self, nth):
        self.spins.append(nth)
        if self.turns:
            turn = self.turns.pop(0)
            if self.late:  # the wheel takes its time, and the records come on another thread
                threading.Thread(target=self.table.turn, args=(turn,)).start()
            else:
                self.table.turn(turn)


def test_a_round_is_opened_wagered_closed_spun_and_settled():
    at = At([TEN])
    settled = at.dealer.play(BETS)
    assert settled["pays"] == [[1, "10", 2000, 10, 20000, False]]
    assert at.table.phase == "TEST"
    assert [call for call in at.table.calls if call != "STATUS"] == ["OPEN_BETS", "WAGER", "NO_MORE_BETS", "SETTLE"]
    assert at.kept == at.table.journal.raws
    assert at.shown == at.table.journal.kinds


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from(["SHORT_SPIN", "BETWEEN_SECTIONS", "FAULT", SEVEN_TIMES, 27]), max_size=6),
       st.integers(0, 53).filter(lambda section: game.LAYOUT[section] in game.ODDS))  # fmt: skip
def test_any_void_and_bonus_spins_are_spun_again_until_a_number_comes(before, last):
    at = At([*before, last])
    settled = at.dealer.play(BETS)
    assert settled["section"] == last
    assert at.spins == list(range(1, len(before) + 2))
    assert at.kept == at.table.journal.raws


def test_records_that_come_late_and_from_another_thread_are_waited_for():
    at = At(["SHORT_SPIN", SEVEN_TIMES, ONE], late=True)
    assert at.dealer.play(BETS)["multiplier"] == 7


def test_a_round_without_wagers_can_be_played():
    assert At([ONE]).dealer.play([])["pays"] == []


def test_a_refused_wager_leaves_the_round_open_and_takes_nothing():
    at = At()
    with pytest.raises(Refused, match="E-3001"):
        at.dealer.play([[1, "3", 5000]])
    assert at.table.phase == "BETS_OPEN"
    assert at.dealer.stop() == "round 1 was voided and all wagers returned"
    assert at.table.phase == "TEST"


def test_a_turn_that_was_no_spin_of_the_round_is_followed_by_another_try():
    at, tries = At(), []

    def stray_then_ten(nth):
        tries.append(nth)
        if len(tries) == 1:
            at.table.write("SPIN", round=1, spin=0, counted=False, outcome="SECTION", turns_milli=500, direction=1,
                           faults=[], notes=[], top_mturns_s=1, source="PHYSICAL", layout=bytes(8), why="EARLY",
                           test=True)  # fmt: skip
        else:
            at.table.turn(TEN)

    at.dealer._spin = stray_then_ten
    assert at.dealer.play(BETS)["section"] == TEN
    assert tries == [1, 1]


def test_a_round_voided_at_the_table_ends_without_a_settlement():
    at = At()
    at.dealer._spin = lambda nth: at.table.do_void("DEALER")
    assert at.dealer.play(BETS) is None
    assert at.table.phase == "TEST"


def stands_in(table, stage):
    """Opens a round and brings it to `stage`; to SPINNING it goes by itself."""
    table.call("OPEN_BETS")
    table.call("WAGER", bets=BETS)
    if stage != "BETS_OPEN":
        table.call("NO_MORE_BETS")
    if stage == "BONUS":
        table.turn(SEVEN_TIMES)
    if stage == "RESULT":
        table.turn(TEN)


@pytest.mark.parametrize("stage", ["BETS_OPEN", "NO_MORE_BETS", "SPINNING", "BONUS", "RESULT"])
def test_an_open_round_is_taken_up_again_wherever_it_stands(stage):
    at = At([TEN])
    table = at.table
    stands_in(table, stage)
    if stage == "SPINNING":
        table.start_spin()
        threading.Timer(0.05, table.end_spin, [TEN]).start()
    assert table.phase == stage
    assert at.dealer.resume()["symbol"] == "10"
    assert table.phase == "TEST"


@pytest.mark.parametrize("stage", ["BETS_OPEN", "NO_MORE_BETS", "BONUS", "RESULT"])
@pytest.mark.parametrize("since", [0, 200])
def test_an_open_round_is_taken_up_also_when_all_its_records_are_in_the_log_already(stage, since):
    at = At([TEN], patience_s=0.5)
    table = at.table
    stands_in(table, stage)
    for _ in range(since):  # the result stands there for long: the key is turned, hosts come and go
        table.write("SERVICE", on=True)
    assert table.phase == stage
    take_up(at)
    settled = at.dealer.resume()
    assert (settled["symbol"], settled["round"]) == ("10", 1)
    assert table.phase == "TEST"
    at.turns = [ONE]
    assert at.dealer.play(BETS)["symbol"] == "1", "the next round has a settlement of its own"


def take_up(at):
    """What comes to the dealer from now on begins after the last record, as without a log or with a whole one."""
    status = at.table.call("STATUS")
    at.dealer.settled = settlement(at.table, status, status["last"] + 1)
    at.kept.clear()
    at.arrivals = Arrivals(at.kept.extend, at.show)
    at.arrivals.last = status["last"]
    at.dealer._arrivals = at.arrivals
    at.table.subscribe(status["last"] + 1, at.arrivals.take_record)


def test_a_round_that_was_settled_at_the_table_meanwhile_is_told_as_settled_and_not_as_voided():
    at = At()

    def spun_and_settled(nth):
        at.table.turn(TEN)
        at.table.do_settle()

    at.dealer._spin = spun_and_settled
    assert at.dealer.play(BETS)["symbol"] == "10"


def test_a_result_whose_record_the_table_no_longer_has_is_closed_and_named_instead_of_waited_for():
    at = At(patience_s=0.5)
    at.table.call("OPEN_BETS")
    at.table.call("NO_MORE_BETS")
    at.table.turn(TEN)
    take_up(at)
    at.dealer.settled = {}
    with pytest.raises(WheelwrightError, match="E-7013"):
        at.dealer.resume()
    assert at.table.phase == "TEST"


def test_a_round_that_somebody_else_opened_is_never_voided_by_stopping():
    at = At()
    at.table.call("OPEN_BETS")
    assert at.dealer.stop() == "round 1 stays open in phase BETS_OPEN"
    assert at.table.phase == "BETS_OPEN"


def test_nothing_is_taken_up_when_no_round_is_open():
    assert At().dealer.resume() is None


def test_a_wheel_that_nobody_spins_is_named_after_the_patience_is_over():
    with pytest.raises(WheelwrightError, match=r"E-7020.*NO_MORE_BETS.*spin the wheel"):
        At([], patience_s=0.05).dealer.play(BETS)


def test_a_tilt_ends_the_waiting_with_its_own_words_and_an_old_one_does_not():
    at = At()

    def tilts(nth):
        at.table.tilts = [21]
        at.table.write("TILT", tilt=21, detail={"count": 3})

    at.dealer._spin = tilts
    with pytest.raises(WheelwrightError, match=r"E-7021.*T-21.*in 3 spins"):
        at.dealer.play(BETS)
    at = At([TEN])
    at.table.write("TILT", tilt=21, detail={"count": 3})
    assert at.dealer.play(BETS)["section"] == TEN


def test_the_error_that_ends_the_link_ends_the_waiting_and_what_came_before_is_kept():
    at = At()

    def unplugged(nth):
        at.table.start_spin()
        at.arrivals.take(WheelwrightError(7006, port="COM5", reason="unplugged"))

    at.dealer._spin = unplugged
    with pytest.raises(WheelwrightError, match="E-7006"):
        at.dealer.play(BETS)
    assert at.kept == at.table.journal.raws


STAGES = ["before", "OPEN_BETS", "WAGER", "NO_MORE_BETS", "spin", "spinning", "bonus", "SETTLE", "after"]


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_at_any_stage_leaves_a_defined_phase_and_keeps_every_record(stage):
    at = At()

    def stop():
        at.arrivals.take(KeyboardInterrupt())

    if stage in ("before", "after"):
        stop()
    else:
        call = at.table.call

        def call_and_stop(name, **args):
            reply = call(name, **args)
            if name == stage:
                stop()
            return reply

        at.table.call = call_and_stop

    def spin(nth):
        if stage == "spin":
            stop()
        elif stage == "spinning":
            at.table.start_spin()
            stop()
        elif stage == "bonus" and nth == 1:
            at.table.turn(SEVEN_TIMES)
            stop()
        else:
            at.table.turn(TEN)

    at.dealer._spin = spin
    with pytest.raises(KeyboardInterrupt):
        [at.dealer.play(BETS) for _ in range(2)]
    words = at.dealer.stop()
    expected = {"spinning": "SPINNING", "bonus": "BONUS"}.get(stage, "TEST")
    assert at.table.phase == expected
    assert ("stays open" in words) == (expected != "TEST")
    assert ("voided" in words) == (stage in ("OPEN_BETS", "WAGER", "NO_MORE_BETS", "spin"))
    assert at.kept == at.table.journal.raws


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_sigterm_is_heard_between_two_steps_as_ctrl_c_is_and_its_second_one_at_once(number):
    at = At()
    at.dealer._spin = lambda nth: os.kill(os.getpid(), number)
    with heard(at.arrivals.take):
        with pytest.raises(KeyboardInterrupt) as wish:
            at.dealer.play(BETS)
        assert stopped(wish.value, at.dealer.stop()).code == {signal.SIGINT: 9902, signal.SIGTERM: 9903}[number]
        with pytest.raises(type(wish.value)):
            os.kill(os.getpid(), number)
    assert at.table.phase == "TEST"


def playing(at):
    """What `wheelwright play` does around the dealer, at the fake table."""
    made = object.__new__(Playing)
    made.dealer, made._client, made._store, made._stack = at.dealer, at.table, None, ExitStack()
    return made


@pytest.mark.parametrize("code", [4007, 7016, 7204, 7205, 7206, 9901])
def test_whatever_ends_a_round_before_its_spin_says_what_became_of_it(code):
    at = At()

    def play(spin):
        def fails(nth):
            spin()
            raise WheelwrightError(code)

        at.dealer._spin = fails
        with playing(at):
            at.dealer.play(BETS)

    with pytest.raises(WheelwrightError, match=rf"E-{code} .*; round 1 was voided and all wagers returned"):
        play(lambda: None)
    assert at.table.phase == "TEST"
    with pytest.raises(WheelwrightError, match=rf"E-{code} .*; round 2 stays open in phase SPINNING"):
        play(at.table.start_spin)


def test_an_error_before_any_round_says_nothing_of_rounds():
    at = At()
    with pytest.raises(WheelwrightError) as error, playing(at):
        raise WheelwrightError(7206, outcome="symbol 7x")
    assert "round" not in str(error.value)


@pytest.mark.parametrize("words", ["nonsense", "section 54", "section ²", "symbol 3", "number 1", "", "Short"])
def test_a_way_to_end_that_does_not_exist_is_named_before_the_table_is_touched(words):
    with pytest.raises(WheelwrightError, match="E-9006") as error:
        Pusher("127.0.0.1:1", ["short", words], 1)
    assert error.value.exit_code == 2
    with pytest.raises(WheelwrightError, match="E-9000"):
        Pusher(None, ["short"], 1)


def test_ctrl_c_while_records_are_being_kept_loses_none():
    at = At([TEN])
    kept, struck = [], []

    def keep(raws):
        if not struck:
            struck.append(True)
            raise KeyboardInterrupt
        kept.extend(raws)

    at.arrivals._keep = keep
    with pytest.raises(KeyboardInterrupt):
        at.dealer.play(BETS)
    at.dealer.stop()
    assert kept == at.table.journal.raws


def test_records_that_came_together_with_ctrl_c_are_neither_lost_nor_waited_for():
    at = At()
    at.arrivals.take(KeyboardInterrupt())
    at.table.do_open_bets()
    with pytest.raises(KeyboardInterrupt):
        at.arrivals.catch_up(99)
    at.dealer.stop()
    assert at.kept == at.table.journal.raws
    assert at.shown == at.table.journal.kinds


def test_records_that_the_table_no_longer_has_are_counted_as_a_gap():
    at = At()
    at.arrivals.take(Gap(3, 7))
    at.arrivals.catch_up(7)
    assert at.arrivals.gaps == [(3, 7)]
    assert at.arrivals.last == 7


def test_a_table_that_stops_sending_is_named(monkeypatch):
    monkeypatch.setattr("wheelwright.logbook.arrivals.CATCH_UP_S", 0.01)
    at = At()
    with pytest.raises(WheelwrightError, match="E-7010"):
        at.arrivals.catch_up(99)
