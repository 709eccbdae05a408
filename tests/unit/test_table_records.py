"""Every record that a table writes has the fields that are declared for its kind, and the host replays them all."""

from __future__ import annotations

import pytest
from tabletop import codes
from tabletop.journal import fields, kinds
from tabletop.table import hidden
from tabletop.table.phases import COMMANDS, TRANSITIONS
from tabletop.table.records import Stop
from wheelwright.replay import Summary, replay

from tests.conftest import ROOT
from tests.vm import seated_table
from tests.vm.bonus_table import begun, finish, table_of
from tests.vm.dealer import (
    SEVEN_TIMES,
    TEN,
    TWO_TIMES,
    VOID,
    Dealer,
    Flash,
    change_mode,
    clear,
    configuration,
    sign,
)  # fmt: skip


def eventful() -> Dealer:
    """A table to which everything has happened that makes a record."""
    dealer = Dealer(Flash(24))
    dealer.spin("SECTION", 3)
    for sections in ((TEN,), (TWO_TIMES, SEVEN_TIMES, TEN)):
        dealer.open_round([1, "10", 1000], [2, "1", 5000])
        for _ in range(3):
            dealer.spin("SHORT_SPIN", turns_milli=900, notes=["ROLLED_BACK"])
        for section in sections:
            dealer.spin("SECTION", section)
        dealer.press(VOID)
        dealer.send("VOID", reason="seen wrong", operator="ann")
        dealer.send("SETTLE")
        dealer.pass_time(6000)
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer.press(VOID)
    dealer.rest("SECTION", TEN)
    dealer.send("VOID", reason="off")
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer = dealer.again()
    for _ in range(3):
        dealer.spin("FAULT", faults=["INDEX_MISMATCH"])
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 21))
    dealer.key(False)
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    change_mode(dealer, True)
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.send("SET_TIME", unix_ms=5)
    dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
    dealer.pass_time(6000)
    dealer.key(True)
    dealer.send("CONFIGURE", **configuration(dealer, {"min_turns": 4}))
    dealer.send("CORRECT", **sign(dealer, "CORRECT", record=9, text="b", reason="typing error", operator="ann"))
    dealer.key(False)
    hidden.commit(dealer.table, "must hit", 7)
    hidden.disclose(dealer.table, "must hit")
    draws = dealer.table.rng.draws()
    draws.weighted("picked", [1, 2, 3])
    for _ in range(13):
        draws.watch("stuck", None, 54, 5)
    with pytest.raises(Stop):
        draws.watch("stuck", None, 54, 5)
    return dealer


def test_every_record_has_the_declared_fields() -> None:
    seen = set()
    bonus = table_of("luxor")
    begun(bonus)
    finish(bonus)
    cards = seated_table.table_of("match_the_dealer")
    seated_table.closed(cards)
    cards.refused("GIVE", given=["chips", 1, "D1"])
    seated_table.finish(cards)
    for name, payload in eventful().records() + bonus.records() + cards.records():
        seen.add(name)
        fields.check(getattr(kinds, name), payload)
    assert seen == {title for title, _ in fields.KINDS.values()} - {"TORN", "ROUND_HELD", "CALIBRATED"}


def test_the_host_replays_every_round_to_the_same_result() -> None:
    records = [(number, name, payload) for number, (name, payload) in enumerate(eventful().records(), 1)]
    summary = Summary()
    rounds = list(replay(records, summary))
    assert [played.problem for played in rounds] == [None] * 5
    assert (summary.settled, summary.voided, summary.different, summary.open) == (4, 1, 0, 0)


def test_a_settlement_of_twenty_seats_fits_a_record() -> None:
    top = 10**12
    dealer = Dealer(
        Flash(24), settings={"seats": 20, "min_mills": 1, "max_mills": top, "payout_limit_mills": top}
    )
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[seat, spot, top] for seat in range(1, 21) for spot in ("10", "20", "40")])
    dealer.send("NO_MORE_BETS")
    for _ in range(25):
        dealer.spin("SECTION", SEVEN_TIMES)
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"
    assert len(dealer.last("SETTLED")["pays"]) == 20


def test_every_phase_can_be_reached_and_left_and_every_refusal_has_advice() -> None:
    reached = {"BOOT"}
    for _ in TRANSITIONS:
        reached |= {after for before in reached for after in TRANSITIONS[before]}
    assert reached == set(TRANSITIONS)
    for phases, advice in COMMANDS.values():
        assert set(phases) <= set(TRANSITIONS)
        assert advice
    for phase in TRANSITIONS:
        assert "TILT" in TRANSITIONS[phase] or phase == "TILT"


def test_every_code_and_tilt_that_the_table_gives_is_in_the_list() -> None:
    import re

    source = "".join(path.read_text() for path in (ROOT / "firmware" / "tabletop" / "table").glob("*.py"))
    given = {int(code) for code in re.findall(r"(?:Refused\(|return )(\d{4})\b", source)}
    assert given >= {4001, 4002, 4003, 4007, 4008}
    assert given <= set(codes.ERRORS)
