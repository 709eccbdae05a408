"""Bonus games on the table: inputs, steps, timer, lamps; what is refused and why; what a restart takes up."""

import gc

from tabletop import cbor
from tabletop.journal import fields, kinds
from tabletop.link.endpoint import Refused
from tabletop.rules.rounds import follow
from tabletop.scenes import bonus
from tabletop.table.records import Stop

try:
    from tests.vm.bonus_table import SPOTS, act, begun, draws_of, finish, open_game, pass_step, table_of, waits_for
    from tests.vm.dealer import NO_MORE_BETS, START, TEN, VOID, Dealer, Flash, clear, configuration
except ImportError:
    from bonus_table import SPOTS, act, begun, draws_of, finish, open_game, pass_step, table_of, waits_for
    from dealer import NO_MORE_BETS, START, TEN, VOID, Dealer, Flash, clear, configuration


def whole_round(game):
    """One round of a game, its records held against their declaration and against the rules; SETTLED."""
    dealer = table_of(game)
    begun(dealer)
    settled = finish(dealer)
    current = None
    for kind, payload in dealer.records():
        fields.check(getattr(kinds, kind), payload)
        current = follow(current, kind, payload)
    assert current is None
    assert settled["source"] == ("PHYSICAL+RNG" if game == "wonderspins" else "RNG")
    assert settled["layout"] == dealer.table.settings.game.layout_hash()
    assert settled["paytable"] == dealer.table.settings.game.paytable_hash()
    assert settled["meters"]["live"]["wagered_mills"] == 7000
    assert [pay[0] for pay in settled["pays"]] == [1, 3]
    assert dealer.phase == "SETTLED"
    return settled


def test_wonderspins_is_played_to_its_end():
    assert whole_round("wonderspins")["detail"] == {"extra_spin_deducts": False}


def test_money_mountain_is_played_to_its_end():
    assert "jackpot" in whole_round("money_mountain")["detail"]


def test_new_york_is_played_to_its_end():
    assert 2 <= whole_round("new_york")["odds"][0][2] <= 500


def test_luxor_is_played_to_its_end():
    assert 2 in [row[0] for row in whole_round("luxor")["odds"]]


def test_mgm_grand_is_played_to_its_end():
    assert 2 in [row[0] for row in whole_round("mgm_grand")["odds"]]


def test_bellagio_is_played_to_its_end():
    assert "bonus" in whole_round("bellagio")["detail"]


def test_a_choice_that_is_early_late_repeated_impossible_or_not_the_seats_own_is_refused_with_its_reason():
    dealer = table_of("mgm_grand")
    spot = open_game(dealer)
    last = dealer.table.journal.last
    assert dealer.refused("CHOOSE", seat=1, choice=1) == (3007, {"seat": 1})
    dealer.send("BEGIN", spot=spot)
    assert dealer.refused("BEGIN", spot=spot)[0] == 4001
    last = dealer.table.journal.last
    assert dealer.refused("CHOOSE", seat=1, choice=5) == (3010, {"choice": 5, "limit": 4})
    assert dealer.refused("CHOOSE", seat=2, choice=1) == (3011, {"seat": 2})
    assert dealer.table.journal.last == last, "what is refused is no record"
    dealer.send("CHOOSE", seat=1, choice=1)
    assert dealer.refused("CHOOSE", seat=1, choice=2) == (3009, {"seat": 1, "choice": 1})
    dealer.send("CHOOSE", seat=3, choice=4)
    assert dealer.refused("CHOOSE", seat=3, choice=2) == (3008, {"seat": 3})
    assert dealer.refused("PRESS", seat=1) == (4013, {"command": "PRESS", "game": "mgm_grand"})
    finish(dealer)
    assert dealer.refused("CHOOSE", seat=3, choice=2)[0] == 4001


def test_a_press_out_of_turn_or_of_a_seat_without_a_wager_is_refused():
    dealer = table_of("money_mountain")
    begun(dealer)
    assert dealer.refused("PRESS", seat=2) == (3011, {"seat": 2})
    dealer.send("PRESS", seat=1)
    assert dealer.refused("PRESS", seat=1) == (3012, {"seat": 1, "phase": "REELS"})


def test_a_game_begins_on_its_own_spots_only_and_a_dreamcatcher_has_no_bonus_game():
    dealer = table_of("wonderspins")
    open_game(dealer)
    assert dealer.refused("BEGIN", spot="10") == (
        4009, {"field": "spot", "value": "10", "choice": "2 Wonderspins, 5 Wonderspins"},
    )  # fmt: skip
    dealer = Dealer()
    assert dealer.refused("BEGIN", spot="10")[0] == 4001
    dealer.open_round([1, "10", 1000])
    assert dealer.refused("BEGIN", spot="10") == (4013, {"command": "BEGIN", "game": "dreamcatcher"})
    assert dealer.refused("CHOOSE", seat=1, choice=1)[0] == 4013


def test_a_round_without_a_wager_on_the_spot_collects_and_plays_no_game():
    dealer = table_of("wonderspins")
    open_game(dealer)
    dealer.send("BEGIN", spot="5 Wonderspins")
    assert dealer.phase == "RESULT"
    settled = dealer.last("SETTLED")
    assert (settled["collected"], settled["pays"], settled["odds"]) == (7000, [], [])
    assert settled["meters"]["live"]["wagered_mills"] == 7000
    assert draws_of(dealer.records()) == []


def test_the_timer_is_shown_and_at_its_end_the_table_draws_for_who_has_not_chosen():
    dealer = table_of("luxor")
    begun(dealer)
    while waits_for(dealer) != "CHOICE":
        act(dealer)
    dealer.tick(5, 50)
    status = dealer.send("STATUS")
    assert status["step"] == "CHOICE"
    assert 14000 < status["timer_ms"] <= 15000
    assert dealer.table.commands.live(0)["timer_ms"] == status["timer_ms"]
    assert dealer.hal.lights.texts[0] == "15"
    dealer.send("CHOOSE", seat=3, choice=7)
    dealer.tick(100, 100)
    assert dealer.hal.lights.texts[0] == "5"
    assert dealer.send("STATUS")["timer_ms"] == status["timer_ms"] - 10000, "a choice does not prolong the time"
    dealer.tick(60, 100)
    assert dealer.last("DRAW")["name"] == "choice of seat 1"
    assert dealer.table.play.round is None or waits_for(dealer) != "CHOICE"
    assert dealer.refused("CHOOSE", seat=1, choice=7)[0] == 3008
    assert "timer_ms" not in dealer.send("STATUS")


def test_after_a_restart_the_time_for_choices_begins_again_and_choices_made_stand():
    dealer = table_of("bellagio")
    begun(dealer)
    dealer.tick(100, 100)
    dealer.send("CHOOSE", seat=1, choice=2)
    assert dealer.send("STATUS")["timer_ms"] < 6000
    dealer = dealer.again()
    assert dealer.phase == "BONUS"
    assert dealer.send("STATUS")["timer_ms"] > 13000
    assert dealer.refused("CHOOSE", seat=1, choice=3)[0] == 3009
    assert finish(dealer)["pays"][0][0] == 1


def test_the_start_button_does_the_obvious_next_thing_and_its_lamp_says_so():
    dealer = table_of("money_mountain")
    open_game(dealer)
    dealer.tick(5, 50)
    assert dealer.hal.lights.bits & START
    dealer.press(START)
    assert (dealer.phase, waits_for(dealer)) == ("BONUS", "PRESS")
    dealer.tick(5, 50)
    assert dealer.hal.lights.bits & START
    dealer.press(START)
    assert waits_for(dealer) == "REELS"
    assert dealer.last("GIVEN")["given"] == ["press", 0]
    dealer.tick(5, 50)
    assert not dealer.hal.lights.bits & START
    two_ways = table_of("wonderspins")
    open_game(two_ways)
    two_ways.press(START)
    assert two_ways.phase == "NO_MORE_BETS", "which of two spots it was, only the dealer knows"


def test_the_dealers_buttons_make_a_choice_for_a_player():
    dealer = table_of("mgm_grand")
    begun(dealer)
    dealer.tick(5, 50)
    assert dealer.hal.lights.bits & (START | NO_MORE_BETS) == NO_MORE_BETS, "first one must be offered"
    last = dealer.table.journal.last
    for choice in (1, 2, 3, 4, 1, 2):
        dealer.press(NO_MORE_BETS)
        dealer.tick(5, 50)
        assert dealer.hal.lights.texts[1] == "1-%d" % choice
    assert dealer.hal.lights.bits & (START | NO_MORE_BETS) == START | NO_MORE_BETS
    assert dealer.table.journal.last == last, "what is offered is no record"
    dealer.press(START)
    assert dealer.last("GIVEN")["given"] == ["choose", 1, 2]
    dealer.tick(5, 50)
    assert dealer.hal.lights.texts[1] == ""
    dealer.press(START)
    assert dealer.last("GIVEN")["given"] == ["choose", 1, 2], "nothing is offered to seat 3 yet"
    dealer.press(NO_MORE_BETS)
    dealer.send("CHOOSE", seat=3, choice=4)
    dealer.press(START)
    assert dealer.last("GIVEN")["given"] == ["choose", 3, 4], "the offer was made while seat 3 chose by itself"
    dealer.tick(5, 50)
    assert not dealer.hal.lights.bits & (START | NO_MORE_BETS), "nobody is asked to choose any more"
    finish(dealer)


def test_a_step_stays_on_the_lamps_as_long_as_it_moves_and_no_shorter_than_step_ms():
    for step_ms, wanted in ((0, 3600), (9000, 9000)):
        dealer = table_of("new_york", settings={"step_ms": step_ms})
        begun(dealer)
        pass_step(dealer)  # the light
        dealer.tick((wanted - 200) // 100, 100)
        assert waits_for(dealer) == "TORCH"
        dealer.tick(4, 100)
        assert dealer.phase == "RESULT"


def test_the_lamps_end_on_what_was_recorded():
    dealer = table_of("wonderspins", inner_leds=12)
    begun(dealer)
    pass_step(dealer)
    section = [payload["values"][0] for kind, payload in dealer.records() if kind == "DRAW"][6]
    dealer.tick(10, 400)
    ring = dealer.hal.lights.ring
    lit = [n for n in range(12) if ring[3 * n : 3 * n + 3] == b"\xa0\xa0\xa0"]
    assert lit == [section]
    canvas = bytes(dealer.hal.lights.matrix)
    assert any(canvas)
    assert dealer.hal.lights.texts[0] in ("2", "3"), "spins left"
    settled = finish(dealer)
    dealer.tick(2, 50)
    assert dealer.hal.lights.texts[1] == str(settled["odds"][0][2]), "the meter"
    dealer.pass_time(6000)
    dealer.tick(2, 50)
    assert not any(dealer.hal.lights.matrix), "the next round begins in the dark"


def test_the_outer_wheel_counts_only_after_the_inner_wheel_and_void_spins_are_spun_again():
    dealer = table_of("wonderspins")
    open_game(dealer)
    dealer.spin("SECTION", 30)
    assert dealer.last("SPIN")["counted"] is False, "the main wheel is another wheel"
    dealer.send("BEGIN", spot=SPOTS["wonderspins"])
    dealer.spin("SECTION", 30)
    assert dealer.last("SPIN")["counted"] is False, "the inner wheel comes first"
    while waits_for(dealer) == "INNER":
        pass_step(dealer)
    before = dict(dealer.table.play.round.state)
    for outcome in ("SHORT_SPIN", "BETWEEN_SECTIONS"):
        dealer.spin(outcome)
        assert dealer.phase == "BONUS"
        assert dealer.table.play.round.state == before
    dealer.push()
    dealer.press(VOID)
    dealer.rest("SECTION", 30)
    assert dealer.table.play.round.state == before, "a spin that the dealer voided decides nothing"
    dealer.spin("SECTION", 30)
    assert dealer.table.play.round.state["meter"] == before["multipliers"][0]


def test_a_round_can_be_voided_before_its_game_begins_and_not_after():
    dealer = table_of("luxor")
    open_game(dealer)
    assert dealer.send("VOID", reason="door")["returned"] == 7000
    begun(dealer)
    assert dealer.refused("VOID", reason="door")[0] == 4001


def test_noise_that_fails_in_the_middle_of_a_step_stops_play_and_later_the_same_draws_go_on():
    dealer = table_of("luxor")
    spot = open_game(dealer)
    drawing = dealer.table.rng.draws()
    taken = drawing.bytes
    left = [9]

    def failing(n):
        left[0] -= 1
        if left[0] < 0:
            raise Stop(61, test="stuck")
        return taken(n)

    drawing._source = failing
    assert dealer.refused("BEGIN", spot=spot)[0] == 4002
    assert dealer.phase == "TILT"
    before = draws_of(dealer.records())
    assert 0 < len(before) < 22
    assert dealer.send("STATUS")["step"] == "BEGIN", "nothing of the step is told"
    for again in (False, True):
        if again:
            dealer = dealer.again()
            assert dealer.phase == "TILT"
            assert draws_of(dealer.records()) == before, "no draw while a tilt stands"
        else:
            dealer.tick(5, 50)
            dealer.spin("SECTION", TEN)  # somebody turns the wheel, which interrupts no step
            assert dealer.last("SPIN")["spin"] == 0
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 61))
    dealer.key(False)
    assert (dealer.phase, waits_for(dealer)) == ("BONUS", "STRIKES")
    finish(dealer)
    after = draws_of(dealer.records())
    assert after[: len(before)] == before
    assert [payload["number"] for kind, payload in dealer.records() if kind == "DRAW"] == list(range(1, len(after) + 1))


def contradiction(records):
    current = None
    try:
        for kind, payload in records:
            current = follow(current, kind, payload)
    except ValueError as error:
        return str(error)
    return ""


def test_draws_that_are_not_those_of_the_step_contradict_the_rules():
    dealer = table_of("new_york")
    begun(dealer)
    finish(dealer)
    records = dealer.records()
    at = [n for n in range(len(records)) if records[n][0] == "DRAW"]
    assert contradiction(records) == ""
    without = records[: at[3]] + records[at[3] + 1 :]
    assert contradiction(without) == "draw 5 is building 4, but the game draws building 3"
    without = records[: at[12]] + records[at[12] + 1 :]
    assert "the draw building 12 is not in the journal" in contradiction(without)
    twice = records[: at[12] + 1] + [("DRAW", dict(records[at[12]][1], number=14))] + records[at[12] + 1 :]
    assert contradiction(twice) == "draw 14 (building 12) is one too many"
    named = list(records)
    named[at[0]] = ("DRAW", dict(records[at[0]][1], name="torch"))
    assert contradiction(named) == "draw 1 is torch, but the game draws multiplier"
    outside = list(records)
    outside[at[0]] = ("DRAW", dict(records[at[0]][1], values=[200]))
    assert contradiction(outside) == "draw 1 (multiplier) has 200 outside of 200"
    stray = records[: at[0] - 1] + [records[at[0]]]
    assert "belongs to no step" in contradiction(stray)
    wrong = [
        (kind, dict(payload, odds=[[0, 2, 500, ""]]) if kind == "SETTLED" else payload) for kind, payload in records
    ]
    assert "settled with odds" in contradiction(wrong)
    late = records[:-1] + [("GIVEN", {"round": 1, "given": ["next"]})]
    assert "came out of turn" in contradiction(late)


def test_a_journal_whose_draws_contradict_the_rules_stops_play_at_the_start():
    dealer = table_of("new_york")
    spot = open_game(dealer)
    table = dealer.table
    table.journal.append(kinds.GIVEN, cbor.dumps({"round": 1, "given": ["begin", spot]}), 0)
    payload = {"number": 1, "name": "light", "ranges": [12], "values": [3], "round": 1}
    table.journal.append(kinds.DRAW, cbor.dumps(payload), 0)
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert dealer.table.tilts.open == {53: {"reason": "draw 1 is light, but the game draws multiplier"}}


def test_a_settlement_of_all_seats_with_different_choices_fits_a_record():
    dealer = table_of("luxor", settings={"seats": 10, "max_mills": 10**10, "payout_limit_mills": 10**12})
    begun(dealer, *[(seat, 10**10) for seat in range(1, 11)])
    while waits_for(dealer) != "CHOICE":
        act(dealer)
    for seat in range(1, 11):
        dealer.send("CHOOSE", seat=seat, choice=2 * seat)
    pass_step(dealer)
    assert dealer.phase == "RESULT"
    assert len(dealer.last("SETTLED")["odds"]) == 10


def test_another_game_is_a_matter_of_configuration_between_rounds():
    dealer = Dealer(Flash(24))
    dealer.key(True)
    code, detail = dealer.refused("CONFIGURE", **configuration(dealer, {"game": "luxor", "awards": [[4, 1]]}))
    assert (code, detail["reason"]) == (4011, "awards[0] is 4, but must be a whole number from 5 to 1000")
    dealer.send("CONFIGURE", **configuration(dealer, {"game": "luxor", "awards": [[5, 1]]}))
    dealer.key(False)
    assert dealer.table.links.identity()["capabilities"] == ["luxor"]
    for _ in range(2):
        assert dealer.refused("WAGER", bets=[[1, "10", 1000]])[0] == 4001
        dealer.send("OPEN_BETS")
        assert dealer.refused("WAGER", bets=[[1, "10", 1000]])[0] == 3001
        dealer.send("WAGER", bets=[[1, "Luxor", 1000]])
        dealer.send("VOID", reason="")
        dealer = dealer.again()
    dealer.key(True)
    dealer.send("CONFIGURE", **configuration(dealer, {"game": "dreamcatcher"}))
    dealer.key(False)
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"


def test_another_game_follows_a_round_that_is_over_and_none_that_is_open():
    dealer = Dealer(Flash(24))
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.tick(200, 50)
    dealer.key(True)
    dealer.send("CONFIGURE", **configuration(dealer, {"game": "luxor"}))
    dealer.key(False)
    assert dealer.phase == "READY"
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[1, "Luxor", 1000]])
    dealer.table.stop(61, {"test": "made up"})
    dealer.key(True)
    code, detail = dealer.refused("CONFIGURE", **configuration(dealer, {"game": "dreamcatcher"}))
    assert (code, detail["reason"]) == (4011, "the round that is open is of luxor")
    dealer.send("CONFIGURE", **configuration(dealer, {"game": "luxor", "step_ms": 1000}))
    dealer.send("CLEAR_TILT", **clear(dealer, 61))
    dealer.key(False)
    dealer.send("WAGER", bets=[[2, "Luxor", 1000]])
    finish(dealer)


def test_settings_too_long_for_the_record_of_a_round_are_refused():
    dealer = Dealer()
    dealer.key(True)
    for rows, words in ((35, "the settings of bellagio have "), (41, "it has ")):
        awards = [[[n, 1] for n in range(1, rows)]] * 5
        code, detail = dealer.refused("CONFIGURE", **configuration(dealer, {"game": "bellagio", "awards": awards}))
        assert code == 4011
        assert detail["reason"].startswith(words), detail
        assert "bytes, more than" in detail["reason"]


def test_how_long_the_lamps_need_for_a_step():
    assert bonus.stay_ms([]) == 0
    assert bonus.stay_ms([("outer", 5, "Bird")]) == 0, "a physical wheel has been looked at already"
    assert bonus.stay_ms([("outer", 5, 3, 3)]) > bonus.TURN_MS
    assert bonus.stay_ms([("ball", "blue", 1, 0, 2)] * 4) > 4 * bonus.BALL_MS


def test_a_frame_of_a_running_scene_allocates_nothing():
    if not hasattr(gc, "mem_alloc"):
        return
    for game in SPOTS:
        dealer = table_of(game, inner_leds=12)
        begun(dealer)
        for _ in range(3):
            act(dealer)
        dealer.tick(2, 50)
        show = dealer.table.show
        now_ms = dealer.hal.clock.ms()
        show.show(now_ms)
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        for frame in range(20):
            show.show(now_ms + 40 * frame)
        grown = gc.mem_alloc() - before
        gc.enable()
        assert grown < 64, (game, grown)


def numbers(dealer):
    """Of all draws."""
    return [payload["number"] for kind, payload in dealer.records() if kind == "DRAW"]


def test_draws_that_come_a_second_time_stop_a_game_at_once_and_the_same_round_goes_on_when_that_is_cleared():
    dealer = table_of("money_mountain")
    begun(dealer)
    while not numbers(dealer):
        act(dealer)
    monitor = dealer.table.rng.draws().watched.monitor
    codes = []
    monitor.add = lambda *_: "reel: the last 8 draws repeat those of 9 draws before"
    while dealer.phase == "BONUS":
        try:
            act(dealer)
        except Refused as refused:
            codes.append(refused.code)
    assert codes in ([], [4002])
    assert dealer.phase == "TILT"
    before = draws_of(dealer.records())
    dealer = dealer.again()
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [62]
    dealer.tick(40, 60)
    assert draws_of(dealer.records()) == before, "nothing is drawn while the tilt is open"
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 62))
    dealer.key(False)
    finish(dealer)
    assert draws_of(dealer.records())[: len(before)] == before
    assert numbers(dealer) == list(range(1, len(numbers(dealer)) + 1))
    assert contradiction([one for one in dealer.records() if one[1].get("round") == 1]) == ""


def test_a_journal_without_erased_room_stops_play_in_a_game_and_the_same_round_goes_on_when_there_is_some():
    dealer = table_of("bellagio")
    journal = dealer.table.journal
    filler = cbor.dumps({"on": False})
    while journal.ready() > 70:
        journal.append(kinds.SERVICE, filler, 0)
    dealer.key(True)
    dealer.key(False)
    dealer = dealer.again()
    journal = dealer.table.journal
    idle = journal.idle
    journal.idle = lambda: False  # as if the link were never quiet
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    begun(dealer)
    while dealer.phase != "TILT":
        act(dealer)
    assert dealer.table.tilts.open == {52: {}}
    before = draws_of(dealer.records())
    assert before
    journal.idle = idle
    while journal.idle():
        pass
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 52))
    dealer.key(False)
    finish(dealer)
    assert draws_of(dealer.records())[: len(before)] == before
    assert numbers(dealer) == list(range(1, len(numbers(dealer)) + 1)), "a draw that found no room took a number"
    assert contradiction([one for one in dealer.records() if one[1].get("round") == 1]) == ""
