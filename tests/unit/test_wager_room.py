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
    bets = list(dealer.table.play.round.state["bets"])
    dealer.send("NO_MORE_BETS")
    if bets:
        give(dealer, "chips", len(bets), "D1")
        for seat, _spot, _mills in bets:
            give(dealer, "hand", seat, "3S 4S")
        give(dealer, "dealt", "KD")
    dealer.send("SETTLE")
    assert dealer.last("METER")["meter"]["wagers"] == len(bets)
