"""Whole rounds on a real table with the real journal: the order of records, of lamps, and what does not count."""

try:
    from tests.vm.dealer import NO_MORE_BETS, SEVEN_TIMES, START, TEN, TWO_TIMES, VOID, Dealer, Flash
except ImportError:
    from dealer import NO_MORE_BETS, SEVEN_TIMES, START, TEN, TWO_TIMES, VOID, Dealer, Flash

ROUND = ["ROUND_OPENED", "WAGERS", "BETS_CLOSED", "SPIN_STARTED", "SPIN", "SETTLED", "ROUND_CLOSED"]


def test_a_round_by_the_dealers_buttons():
    dealer = Dealer()
    assert dealer.phase == "READY"
    dealer.press(START)
    assert dealer.phase == "BETS_OPEN"
    assert dealer.send("WAGER", bets=[[1, "10", 1000], [2, "1", 3000]]) == {"round": 1, "count": 2, "mills": 4000}
    dealer.press(NO_MORE_BETS)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.push()
    assert dealer.phase == "SPINNING"
    assert dealer.last("SPIN_STARTED") == {"round": 1, "spin": 1, "section": 20}
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "RESULT"
    dealer.press(START)
    assert dealer.phase == "SETTLED"
    dealer.press(START)
    assert dealer.phase == "BETS_OPEN"
    assert dealer.kinds() == ROUND + ["ROUND_OPENED"]
    settled = dealer.last("SETTLED")
    assert settled["pays"] == [[1, "10", 1000, 10, 10000, False]]
    assert settled["collected"] == 3000
    assert settled["meters"]["live"] == {"rounds": 1, "wagered_mills": 4000, "paid_mills": 10000}


def test_the_settled_round_stays_up_for_its_time_and_then_the_table_is_ready():
    dealer = Dealer(settings={"settled_show_ms": 3000})
    dealer.open_round()
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.tick(1, 2999)
    assert dealer.phase == "SETTLED"
    dealer.tick(1, 1)
    assert dealer.phase == "READY"


def test_case_51_the_show_time_is_right_over_the_wrap_of_the_clock():
    dealer = Dealer(settings={"settled_show_ms": 3000})
    dealer.hal.clock.first_tick = (1 << 30) - dealer.hal.clock.now_ms - 1500
    dealer.open_round()
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.tick(1, 2999)
    assert dealer.phase == "SETTLED"
    assert dealer.hal.clock.ms() < 3000
    dealer.tick(1, 1)
    assert dealer.phase == "READY"


def test_two_times_then_seven_times_then_ten_pays_140_to_1():
    dealer = Dealer()
    dealer.open_round([3, "10", 1000])
    dealer.spin("SECTION", TWO_TIMES)
    assert dealer.phase == "BONUS"
    dealer.tick(5)
    assert dealer.hal.lights.texts[1] == "2"
    dealer.spin("SECTION", SEVEN_TIMES)
    assert dealer.phase == "BONUS"
    dealer.spin("SHORT_SPIN", turns_milli=1200)
    assert dealer.phase == "BONUS"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"
    assert dealer.last("SETTLED")["pays"] == [[3, "10", 1000, 140, 140000, False]]


def test_void_spins_and_doubts_are_spun_again_with_the_reason_shown():
    for outcome, faults, text in (
        ("SHORT_SPIN", (), "Shor"), ("BETWEEN_SECTIONS", (), "PEG"), ("FAULT", ("CLAPPER_STUCK",), "Err"),
    ):  # fmt: skip
        dealer = Dealer()
        dealer.open_round([1, "1", 1000])
        dealer.spin(outcome, faults=faults, turns_milli=2999)
        assert dealer.phase == "NO_MORE_BETS"
        spin = dealer.last("SPIN")
        assert spin["counted"]
        assert spin["outcome"] == outcome
        assert spin["faults"] == list(faults)
        assert "section" not in spin
        assert spin["start"] == 20
        assert spin["turns_milli"] == 2999
        dealer.tick(5)
        assert dealer.hal.lights.texts[0] == text


def test_nothing_is_shown_before_it_is_in_the_journal():
    dealer = Dealer()
    seen = []

    def on_show(index, text):
        if index == 0 and text == "10":
            last = dealer.table.journal.last
            dealer.table.journal.read(last)
            seen.append(dealer.kinds()[-2:])

    dealer.hal.lights.on_show = on_show
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer.tick(20)
    assert dealer.hal.lights.texts[0] == ""
    dealer.rest("SECTION", TEN)
    dealer.tick(20)
    assert seen == [["SPIN", "SETTLED"]]
    assert dealer.hal.lights.texts[0] == "10"


def test_case_60_a_nudge_while_bets_are_open_is_no_spin_and_a_turn_is_noted():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    dealer.push(100)
    dealer.rest("SHORT_SPIN", turns_milli=249)
    assert dealer.kinds() == ["ROUND_OPENED"]
    dealer.push(100)
    dealer.rest("SHORT_SPIN", turns_milli=250)
    spin = dealer.last("SPIN")
    assert not spin["counted"]
    assert spin["why"] == "BETS_OPEN"
    assert spin["spin"] == 0
    assert dealer.phase == "BETS_OPEN"


def test_a_wheel_that_turned_before_no_more_bets_does_not_count():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[1, "10", 1000]])
    dealer.push(2000)
    dealer.send("NO_MORE_BETS")
    dealer.tick(10)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.last("SPIN")["why"] == "BETS_OPEN"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"


def test_a_spin_of_an_idle_table_is_noted_and_is_no_result():
    dealer = Dealer()
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "READY"
    assert dealer.kinds() == ["SPIN"]
    spin = dealer.last("SPIN")
    assert (spin["round"], spin["spin"], spin["counted"], spin["why"]) == (0, 0, False, "READY")


def test_a_nudge_after_no_more_bets_begins_no_spin():
    dealer = Dealer()
    dealer.open_round()
    dealer.push(249)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.rest("SHORT_SPIN", turns_milli=249)
    assert dealer.kinds()[-1] == "BETS_CLOSED"
    dealer.push(250)
    assert dealer.phase == "SPINNING"


def test_a_motion_that_began_before_the_round_was_voided_does_not_count_in_the_next():
    dealer = Dealer()
    dealer.open_round()
    dealer.push(200)
    dealer.send("VOID", reason="test")
    dealer.open_round([1, "10", 1000])
    dealer.sensor.turns_milli = 3500
    dealer.tick()
    assert dealer.phase == "NO_MORE_BETS"
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.last("SPIN")["why"] == "NO_MORE_BETS"


def test_a_fault_that_moves_no_encoder_is_a_spin_too():
    dealer = Dealer()
    dealer.open_round()
    dealer.rest("FAULT", faults=["ENCODER_CLAPPER_MISMATCH"], turns_milli=0)
    assert dealer.kinds()[-2:] == ["SPIN_STARTED", "SPIN"]
    assert dealer.phase == "NO_MORE_BETS"


def test_case_62_from_the_third_short_spin_of_a_round_its_record_has_an_alert():
    dealer = Dealer()
    dealer.open_round([1, "1", 1000])
    alerts = []
    for turns in (670, 800, 900, 1050):
        dealer.spin("SHORT_SPIN", turns_milli=turns)
        spin = dealer.last("SPIN")
        assert (spin["turns_milli"], spin["start"], spin["top_mturns_s"]) == (turns, 20, 900)
        alerts.append(spin.get("alert"))
    assert alerts == [None, None, "SHORT_SPINS", "SHORT_SPINS"]
    assert dealer.phase == "NO_MORE_BETS"


def test_case_63_void_in_a_spin_wins_over_any_later_result():
    for by_button in (True, False):
        dealer = Dealer()
        dealer.open_round([1, "10", 1000])
        dealer.push(3500)
        if by_button:
            dealer.press(VOID)
        else:
            assert dealer.send("VOID", reason="object") == {"round": 1, "returned": 0, "what": "SPIN"}
        assert dealer.phase == "NO_MORE_BETS"
        void = dealer.last("SPIN")
        assert (void["counted"], void["why"], void["spin"], void["turns_milli"]) == (False, "DEALER_VOID", 1, 3500)
        dealer.tick(10)
        assert dealer.phase == "NO_MORE_BETS"
        assert dealer.hal.lights.texts[0] == "Uoid"
        assert dealer.refused("VOID", reason="again")[0] == 4008
        dealer.rest("SECTION", TEN)
        assert dealer.phase == "NO_MORE_BETS"
        stray = dealer.last("SPIN")
        assert (stray["counted"], stray["why"], stray["spin"]) == (False, "DEALER_VOID", 0)
        dealer.spin("SECTION", TEN)
        assert dealer.phase == "RESULT"
        assert dealer.last("SPIN")["spin"] == 2


def test_case_63_void_and_result_in_the_same_tick_is_void():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push(3500)
    dealer.hal.inputs.bits = VOID
    dealer.rest("SECTION", TEN)
    assert dealer.phase == "NO_MORE_BETS"
    assert "SETTLED" not in dealer.kinds()


def test_case_63_after_a_result_void_is_a_dispute_and_erases_nothing():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    reply = dealer.send("VOID", reason="wrong section", operator="ann")
    assert reply == {"round": 1, "returned": 0, "what": "DISPUTE"}
    assert dealer.phase == "RESULT"
    assert dealer.last("DISPUTE") == {"round": 1, "reason": "wrong section", "operator": "ann"}
    dealer.send("SETTLE")
    dealer.press(VOID)
    assert dealer.phase == "SETTLED"
    assert dealer.last("DISPUTE") == {"round": 1, "reason": "BUTTON"}
    assert dealer.kinds()[-4:] == ["SETTLED", "DISPUTE", "ROUND_CLOSED", "DISPUTE"]


def test_void_in_a_bonus_round_voids_the_spin_and_keeps_the_multiplier():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TWO_TIMES)
    assert dealer.refused("VOID", reason="x")[0] == 4001
    dealer.push()
    dealer.press(VOID)
    assert dealer.phase == "BONUS"
    dealer.rest("SECTION", SEVEN_TIMES)
    assert dealer.phase == "BONUS"
    dealer.spin("SECTION", TEN)
    assert dealer.last("SETTLED")["multiplier"] == 2


def test_void_before_the_spin_returns_all_wagers():
    for closed in (False, True):
        dealer = Dealer()
        dealer.send("OPEN_BETS")
        dealer.send("WAGER", bets=[[1, "10", 1000], [2, "1", 3000]])
        if closed:
            dealer.send("NO_MORE_BETS")
        assert dealer.send("VOID", reason="mistake")["returned"] == 4000
        assert dealer.last("ROUND_VOIDED") == {"round": 1, "reason": "mistake", "returned": 4000}
        assert dealer.phase == "READY"
        assert dealer.send("OPEN_BETS") == {"round": 2}


def test_a_refused_command_says_phase_and_advice_and_changes_nothing():
    dealer = Dealer()
    last = dealer.table.journal.last
    for name, args in (
        ("WAGER", {"bets": [[1, "1", 1000]]}), ("NO_MORE_BETS", {}), ("SETTLE", {}), ("VOID", {"reason": "x"}),
        ("CLEAR_TILT", {"tilt": 21, "operator": "ann"}),
    ):  # fmt: skip
        code, detail = dealer.refused(name, **args)
        assert code == 4001
        assert detail["phase"] == "READY"
        assert detail["command"] == name
        assert detail["advice"]
    assert dealer.table.journal.last == last
    assert dealer.phase == "READY"


def test_bad_wagers_are_refused_by_the_rules_and_leave_no_record():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    last = dealer.table.journal.last
    for bet, code in (
        ([1, "3", 1000], 3001), ([1, "5", 999], 3002), ([1, "5", 500001], 3003), ([1, "5", -1000], 3004),
        ([9, "5", 1000], 3005),
    ):  # fmt: skip
        assert dealer.refused("WAGER", bets=[[1, "1", 1000], bet])[0] == code
    assert dealer.refused("WAGER", bets=[[1, "1", 1000]] * 61)[0] == 4007
    assert dealer.table.journal.last == last
    assert dealer.send("NO_MORE_BETS") == {"round": 1, "count": 0, "mills": 0}
    assert dealer.refused("WAGER", bets=[[1, "1", 1000]])[0] == 3006


def test_wagers_that_do_not_fit_a_record_are_refused_with_how_many_do_and_change_nothing():
    for game, spot, bets in (("wonderspins", "2 Wonderspins", 60), ("new_york", "New York, New York", 60)):
        dealer = None
        dealer = Dealer(Flash(24), game=game)
        dealer.send("OPEN_BETS")
        last = dealer.table.journal.last
        many = [[1 + at % 7, spot, 1000] for at in range(bets)]
        code, detail = dealer.refused("WAGER", bets=many)
        assert (code, detail["count"]) == (4007, bets)
        limit = detail["limit"]
        assert 20 < limit < bets
        assert (dealer.phase, dealer.table.journal.last) == ("BETS_OPEN", last)
        assert not dealer.table.tilts.open
        assert dealer.table.play.round.wagered_mills() == 0
        assert dealer.refused("WAGER", bets=many[: limit + 1])[1]["limit"] == limit
        assert dealer.send("WAGER", bets=many[:limit])["mills"] == 1000 * limit
        assert dealer.table.journal.last == last + 1


def test_a_wager_names_the_command_that_made_it():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[1, "1", 1000]])
    assert dealer.last("WAGERS") == {"round": 1, "bets": [[1, "1", 1000]], "cmd": [77, 1]}


def test_a_button_pressed_in_vain_shows_its_code():
    dealer = Dealer()
    dealer.press(NO_MORE_BETS)
    dealer.tick(10)
    assert dealer.hal.lights.texts[1] == "4001"
    dealer.pass_time(2000)
    assert dealer.hal.lights.texts[1] == ""


def test_a_button_held_down_acts_once():
    dealer = Dealer()
    dealer.hal.inputs.bits = START
    dealer.tick(200)
    assert dealer.phase == "BETS_OPEN"


def test_texts_too_long_for_a_record_are_refused():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    assert dealer.refused("VOID", reason="x" * 65)[0] == 4009
    assert dealer.send("VOID", reason="x" * 64)["round"] == 1


def test_nothing_is_allocated_in_a_tick_without_events():
    import gc

    if not hasattr(gc, "mem_alloc"):
        return
    for moving in (False, True):
        dealer = Dealer()
        dealer.open_round()
        if moving:
            dealer.push()
        dealer.tick(20)
        table = dealer.table
        clock = dealer.hal.clock
        gc.collect()
        before = gc.mem_alloc()
        for _ in range(100):
            clock.now_ms += 10
            table.tick()
        assert gc.mem_alloc() - before < 64, (moving, gc.mem_alloc() - before)


def test_a_button_held_down_does_not_speak_for_another():
    dealer = Dealer()
    dealer.hal.inputs.bits = NO_MORE_BETS
    dealer.tick(2)
    dealer.press(START)
    assert dealer.phase == "BETS_OPEN"


def test_an_idle_table_does_not_redraw_what_has_not_changed():
    dealer = Dealer()
    dealer.tick(100)
    frames = []
    dealer.hal.lights.rim = frames.append
    dealer.tick(200)
    assert not frames
    dealer.press(START)
    dealer.tick(10)
    assert 1 <= len(frames) <= 2
