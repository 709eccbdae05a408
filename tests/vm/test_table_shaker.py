"""A table with a player-activated shaker: who starts it, what is recorded, and what is left of a shake after a cut."""

from tabletop.hal.virtual.shaker import Shaker as Cup

try:
    from tests.vm.dealer import Dealer, Flash, PowerCut
    from tests.vm.seated_table import give, table_of
except ImportError:  # on the VM this folder itself is on the path
    from dealer import Dealer, Flash, PowerCut
    from seated_table import give, table_of

BETS = [[1, "Sum", 1000], [3, "Match 1", 1000], [7, "Beat It", 1000]]
SHAKE_3 = 1 << 17
ONE_BUTTON = 128
LONG_MS = 12000


def table(kind="PLAYER", game="dice", flash=None):
    if flash is None:
        dealer = table_of(game, settings={"shaker": kind})
    else:
        dealer = Dealer(flash, game=game, settings={"shaker": kind})
    dealer.tick(50)
    return dealer


def ready(kind="PLAYER", game="dice"):
    """Wagers are closed and seat 3 is selected."""
    dealer = table(kind, game)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[list(bet) for bet in BETS] if game == "dice" else [[3, "Tiger 9", 1000]])
    dealer.send("NO_MORE_BETS")
    dealer.tick()
    if kind == "PLAYER":
        give(dealer, "select", 3)
        dealer.tick()
    return dealer


def run(dealer, ms):
    dealer.tick(ms // 10)


def shakes(dealer):
    """(outcome, reason) of every shake that ended, of this round."""
    given = [told["given"] for kind, told in dealer.records() if kind == "GIVEN"]
    return [(one[1], one[2]) for one in given if one[0] == "shake"]


def handed(settled):
    """(seat, mills) of the settlement."""
    return [(pay[0], pay[4]) for pay in settled["pays"]]


def started(dealer):
    return len([1 for kind, told in dealer.records() if kind == "GIVEN" and told["given"][0] == "shaking"])


def reasons(dealer):
    """Why buttons were pressed in vain, as recorded."""
    return [told["detail"]["reason"] for kind, told in dealer.records() if kind == "REFUSED" and told["code"] == 3041]


def test_the_selected_players_button_shakes_and_the_dice_settle_the_round():
    dealer = ready()
    dealer.press(SHAKE_3)
    assert dealer.hal.cup.driven and started(dealer) == 1
    run(dealer, LONG_MS)
    assert not dealer.hal.cup.driven
    assert shakes(dealer) == [("SHAKEN", "")]
    reply = give(dealer, "roll", 6, 1, 1, 6, 1, 1)
    assert reply["step"] == "DONE" and dealer.phase == "RESULT"
    assert dealer.table.play.round.state["start"] == 7  # eight counted from the dealer: the seventh seat
    dealer.send("SETTLE")
    assert handed(dealer.last("SETTLED")) == [(1, 4000), (3, 7000), (7, 51000)]


def test_lamp_and_displays_say_whose_button_and_what_comes_next():
    dealer = table()
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[list(bet) for bet in BETS])
    dealer.send("NO_MORE_BETS")
    dealer.tick(3, 50)
    lights = dealer.hal.lights
    assert (lights.bits >> 8, lights.texts[0], lights.texts[1]) == (0b1000101, "SELE", "3")
    give(dealer, "select", 3)
    dealer.tick(3, 50)
    assert (lights.bits >> 8, lights.texts[0], lights.texts[1]) == (0b100, "PUSH", "S-3")
    dealer.press(SHAKE_3)
    dealer.tick(3, 50)
    assert lights.texts[0] == "roLL"
    run(dealer, LONG_MS)
    assert lights.texts[0] == "diCE"


def test_the_one_button_that_is_handed_round_is_the_selected_players():
    dealer = ready()
    dealer.press(ONE_BUTTON)
    assert dealer.hal.cup.driven


def test_buttons_that_start_nothing_and_what_of_them_is_recorded():
    dealer = table()
    dealer.press(SHAKE_3)
    dealer.send("OPEN_BETS")
    dealer.press(SHAKE_3)
    dealer.send("WAGER", bets=[list(bet) for bet in BETS])
    dealer.press(SHAKE_3)
    dealer.send("NO_MORE_BETS")
    dealer.press(SHAKE_3)  # nobody is selected
    assert started(dealer) == 0 and reasons(dealer) == []
    assert dealer.refused("GIVE", given=["select", 2])[0] == 3042
    give(dealer, "select", 3)
    dealer.tick()
    for _ in range(5):  # again and again: one record
        dealer.press(SHAKE_3 << 2)
    assert reasons(dealer) == ["NOT_SELECTED"] and not dealer.hal.cup.driven
    dealer.press(SHAKE_3)
    for _ in range(20):
        dealer.press(SHAKE_3)
        dealer.press(SHAKE_3 << 1)
    run(dealer, LONG_MS)
    assert (started(dealer), shakes(dealer), reasons(dealer)) == (1, [("SHAKEN", "")], ["NOT_SELECTED"])
    dealer.press(SHAKE_3)
    assert started(dealer) == 1


def test_every_fault_of_the_shaker_is_no_roll_and_no_dice_are_taken():
    wanted = {
        "motor stands": "NO_MOTION", "weak": "NO_MOTION", "sensor dead": "NO_MOTION", "sensor stuck": "SENSOR_STUCK",
        "sensor hums": "SENSOR_NOISE", "lid opens": "LID_OPENED", "lock opens": "UNLOCKED", "never calm": "NO_REST",
    }  # fmt: skip
    assert set(wanted) | {"lid bounces"} == set(Cup.FAULTS)
    dealer = ready()
    for fault in sorted(wanted):
        dealer.press(SHAKE_3)
        cup = dealer.hal.cup
        assert cup.driven, fault
        cup.fault, cup.fault_ms = fault, 0
        run(dealer, LONG_MS)
        assert shakes(dealer)[-1] == ("NO_ROLL", wanted[fault]), fault
        assert not cup.driven
        assert dealer.refused("GIVE", given=["roll", 6, 1, 1, 6, 1, 1])[0] == 4001
        cup.fault = ""
        run(dealer, 3000)
    dealer.press(SHAKE_3)
    run(dealer, LONG_MS)
    give(dealer, "roll", 6, 1, 1, 6, 1, 1)


def test_what_must_be_in_order_before_the_motor_starts_is_said():
    dealer = ready()
    for fault, why in (("lid opens", "LID_OPEN"), ("lock opens", "NOT_LOCKED"), ("sensor stuck", "SENSOR_STUCK")):
        dealer.hal.cup.fault, dealer.hal.cup.fault_ms = fault, 0
        run(dealer, 1000)
        dealer.press(SHAKE_3)
        assert not dealer.hal.cup.driven and reasons(dealer)[-1] == why
    assert started(dealer) == 0


def test_dice_that_were_read_differently_are_refused_with_both_readings():
    dealer = ready()
    dealer.press(SHAKE_3)
    run(dealer, LONG_MS)
    code, detail = dealer.refused("GIVE", given=["roll", 6, 2, 1, 5, 2, 1])
    assert (code, detail) == (3040, {"first": "red 6, blue 2 and 1", "second": "red 5, blue 2 and 1"})
    assert dealer.refused("GIVE", given=["roll", 7, 2, 1, 7, 2, 1])[0] == 3031
    assert dealer.refused("GIVE", given=["dice", 6, 2, 1])[0] == 4001
    assert dealer.last("REFUSED")["round"] == 1
    give(dealer, "roll", 6, 2, 1, 6, 1, 2)


def test_a_lid_that_opens_before_the_dice_are_read_asks_for_another_shake():
    dealer = ready()
    dealer.press(SHAKE_3)
    run(dealer, LONG_MS)
    dealer.hal.cup.lid = False
    run(dealer, 200)
    dealer.hal.cup.lid = True
    run(dealer, 200)
    assert shakes(dealer) == [("SHAKEN", ""), ("NO_ROLL", "LID_OPENED")]
    assert dealer.refused("GIVE", given=["roll", 6, 1, 1, 6, 1, 1])[0] == 4001


def test_a_tilt_in_the_middle_of_a_shake_stops_the_motor_and_it_is_none():
    dealer = ready()
    dealer.press(SHAKE_3)
    run(dealer, 2000)
    dealer.table.stop(61, {"test": "made up"})
    assert not dealer.hal.cup.driven
    run(dealer, LONG_MS)
    assert not dealer.hal.cup.driven
    dealer.key(True)
    dealer.table.tilts.clear(61, "ann")
    dealer.table.cleared()
    dealer.key(False)
    run(dealer, 1000)
    assert shakes(dealer) == [("NO_ROLL", "INTERRUPTED")]
    dealer.press(SHAKE_3)
    run(dealer, LONG_MS)
    assert shakes(dealer)[-1] == ("SHAKEN", "")


def test_a_round_that_is_voided_stops_the_motor():
    dealer = ready()
    dealer.press(SHAKE_3)
    run(dealer, 2000)
    dealer.send("VOID", reason="a drink was spilled")
    dealer.tick()
    assert not dealer.hal.cup.driven and dealer.table.play.round is None


def test_pai_gow_needs_the_start_of_the_deal_before_the_cards():
    dealer = ready(game="pai_gow")
    assert dealer.refused("GIVE", given=["low", "9S 4H"])[0] == 4001
    dealer.press(SHAKE_3)
    run(dealer, LONG_MS)
    assert give(dealer, "roll", 4, 3, 3, 4, 3, 3)["step"] == "BEGIN"
    assert dealer.table.play.round.state["start"] == 1
    assert give(dealer, "low", "9S 4H")["step"] == "DONE"


def shaken_by_hand():
    """Three shakes with the lid on, then rest, then the lid is off."""
    dealer = ready("MANUAL")
    dealer.tick(3)
    core = dealer.table.bonus.core
    assert started(dealer) == 1  # the lid is on
    now_ms = dealer.hal.clock.ms()
    for _ in range(3):
        for n in range(6):
            core.motion(now_ms + 50 * n, 1)
            core.motion(now_ms + 50 * n + 4, 0)
        run(dealer, 700)
        now_ms = dealer.hal.clock.ms()
    run(dealer, 1500)
    dealer.hal.cup.lid = False
    run(dealer, 200)
    assert shakes(dealer) == [("SHAKEN", "")]
    return dealer


def test_a_manual_shaker_is_counted_by_its_sensor():
    give(shaken_by_hand(), "roll", 6, 1, 1, 6, 1, 1)


def test_no_dice_are_taken_once_the_lid_of_a_manual_shaker_was_on_again():
    dealer = shaken_by_hand()
    dealer.hal.cup.lid = True
    run(dealer, 200)
    assert shakes(dealer) == [("SHAKEN", ""), ("NO_ROLL", "LID_CLOSED")]
    assert started(dealer) == 2  # the lid is on: the dealer may shake again
    dealer.hal.cup.lid = False
    run(dealer, 200)
    assert shakes(dealer)[-1] == ("NO_ROLL", "NO_MOTION")
    assert dealer.refused("GIVE", given=["roll", 6, 1, 1, 6, 1, 1])[0] == 4001


def finish(dealer):
    """Whatever is left of the round, by what its state says."""
    for _ in range(40):
        round_ = dealer.table.play.round
        if round_ is None:
            return
        if dealer.phase == "RESULT":
            dealer.send("SETTLE")
        elif dealer.phase == "BETS_OPEN":
            if round_.state["bets"]:
                dealer.send("NO_MORE_BETS")
            else:
                dealer.send("WAGER", bets=[list(bet) for bet in BETS])
        elif not round_.state["seat"]:
            give(dealer, "select", 3)
        elif round_.state["shake"] == "SHAKEN":
            give(dealer, "roll", 6, 1, 1, 6, 1, 1)
        else:
            run(dealer, 1500)
            dealer.press(SHAKE_3)
            run(dealer, LONG_MS)
        dealer.tick(3)
    raise AssertionError("the round does not end")


def test_a_cut_at_every_change_of_the_flash_never_makes_a_roll_of_an_unfinished_shake():
    # law 2: what was running when the power went has no result; the round goes on
    changes = 0
    cut_at = 0
    interrupted = 0
    while True:
        cut_at += 1
        flash = Flash(24)
        dealer = table(flash=flash)
        dealer.send("OPEN_BETS")
        flash.cut_at = cut_at
        try:
            finish(dealer)
        except PowerCut:
            pass
        else:
            changes = cut_at
            break
        dealer = dealer.again()
        dealer.tick(50)
        round_ = dealer.table.play.round
        if round_ is not None and round_.state["start"] < 0:
            assert round_.state["shake"] == "", cut_at
            interrupted += ("NO_ROLL", "INTERRUPTED") in shakes(dealer)
            assert not dealer.hal.cup.driven
        finish(dealer)
        settled = [told for kind, told in dealer.records() if kind == "SETTLED"]
        assert [handed(told) for told in settled] == [[(1, 4000), (3, 7000), (7, 51000)]], cut_at
    assert changes > 6 and interrupted >= 2


def test_a_restart_after_the_dice_were_read_is_no_shake_that_was_cut_off():
    for game in ("dice", "pai_gow"):
        dealer = ready("PLAYER", game)
        dealer.press(SHAKE_3)
        run(dealer, LONG_MS)
        give(dealer, "roll", 6, 1, 1, 6, 1, 1)
        given = len([kind for kind, _ in dealer.records() if kind == "GIVEN"])
        again = table("PLAYER", game, flash=dealer.flash)
        again.tick(20)
        assert (again.table.tilts.open, again.phase) == ({}, dealer.phase), game
        assert len([kind for kind, _ in again.records() if kind == "GIVEN"]) == given, game


def test_lids_opened_again_and_again_leave_the_room_that_the_round_needs_for_its_end():
    dealer = ready("MANUAL")
    before = 0
    while dealer.table.journal.last > before:
        before = dealer.table.journal.last
        for on in (False, True):
            dealer.hal.cup.lid = on
            run(dealer, 100)
    assert (dealer.phase, dealer.table.show.view.refused, dealer.table.journal.free()) == ("NO_MORE_BETS", 4003, 119)
    assert dealer.table.bonus.core.phase == 0, "and no dice are taken"
    dealer.send("VOID", reason="no")
    assert dealer.last("ROUND_VOIDED")


def test_what_can_be_done_again_and_again_in_a_round_leaves_room_for_its_end():
    dealer = ready()
    free, dealer.table.journal.free = dealer.table.journal.free, lambda: 119
    assert dealer.refused("GIVE", given=["select", 1])[0] == 4003
    dealer.table.journal.free = free
    dealer.send("VOID", reason="no")
    dealer.pass_time(6000)
    dealer.send("OPEN_BETS")
    dealer.table.journal.free = lambda: 119
    assert dealer.refused("WAGER", bets=[[1, "Sum", 1000]]) == (4003, {"free": 119, "need": 120})
    dealer.send("VOID", reason="no")
    assert dealer.last("ROUND_VOIDED")
