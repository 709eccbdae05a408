"""A journal that people fill with what they do in vain leaves room to end the round, and no wager is lost in it."""

from __future__ import annotations

from tests.vm.seated_table import chip, closed, finish, give, table_of

SPOT = "Match the Dealer"


def test_refusals_without_end_leave_room_to_end_the_round() -> None:
    dealer = table_of("match_the_dealer")
    closed(dealer)
    for _ in range(500):
        assert dealer.refused("GIVE", given=["chips", 2, "D1"])[0] == 3022
    written = len([kind for kind, _ in dealer.records() if kind == "REFUSED"])
    assert 20 < written < 500
    assert finish(dealer)["pays"]
    assert not dealer.table.tilts.open


def test_a_sensor_that_flickers_is_refused_for_lack_of_room_and_the_round_ends() -> None:
    dealer = table_of("match_the_dealer")
    dealer.send("OPEN_BETS")
    for _ in range(300):
        chip(dealer, 4)
        chip(dealer, 4, False)
    assert not dealer.table.tilts.open
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts[1] == "4003"
    dealer.send("NO_MORE_BETS")
    assert dealer.table.play.round.state["bets"] == [], "no chip lies there"
    dealer.send("SETTLE")
    assert dealer.last("METER")["meter"]["wagers"] == 0


def test_a_chip_that_was_refused_for_lack_of_room_is_a_wager_at_the_lock_out() -> None:
    dealer = table_of("match_the_dealer")
    dealer.send("OPEN_BETS")
    for _ in range(300):
        chip(dealer, 4)
        chip(dealer, 4, False)
    chip(dealer, 4)
    dealer.send("NO_MORE_BETS")
    assert [bet[0] for bet in dealer.table.play.round.state["bets"]] == [4]
    for given in (["chips", 1, "D1"], ["hand", 4, "3S 4S"], ["dealt", "KD"]):
        give(dealer, *given)
    dealer.send("SETTLE")
    assert dealer.last("METER")["meter"]["wagers"] == 1
