"""A table of wagers on cards or dice: sensors, lock-out, what people enter, the meter between rounds and its key."""

from tabletop import cbor
from tabletop.journal.record import MAX_PAYLOAD
from tabletop.rules.progressive import meter as meters
from tabletop.rules.rounds import follow

try:
    from tests.vm.dealer import clear, configuration, sign
    from tests.vm.seated_table import (
        METERED,
        ROUNDS,
        award,
        chip,
        closed,
        code_of,
        configured,
        finish,
        give,
        last_refusal,
        meter,
        reset,
        table_of,
        told,
    )
except ImportError:  # on the VM this folder itself is on the path
    from dealer import clear, configuration, sign
    from seated_table import (
        METERED,
        ROUNDS,
        award,
        chip,
        closed,
        code_of,
        configured,
        finish,
        give,
        last_refusal,
        meter,
        reset,
        table_of,
        told,
    )

SPOT = "Match the Dealer"
MATCH = "match_the_dealer"


def test_every_wager_of_the_seeds_plays_a_round_to_its_end():
    for game in ROUNDS:
        dealer = table_of(game)
        assert dealer.phase == "READY", dealer.table.tilts.open
        dealer.send("OPEN_BETS")
        settled = finish(dealer)
        assert dealer.table.play.round is None
        assert settled["source"] == dealer.table.settings.game.SOURCE
        assert not dealer.table.tilts.open
        assert settled["meters"]["live"]["rounds"] == 1
        assert (game in METERED) == bool([kind for kind, _ in dealer.records() if kind == "METER"])
        dealer = None  # the VM has no room for two tables


def test_what_seats_are_handed_is_in_the_settlement_from_the_inventory_or_by_slip():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    settled = finish(dealer)
    assert settled["pays"] == [[1, "SLIP", 1000, 0, 1000450, False], [7, "INVENTORY", 1000, 0, 8000, False]]
    assert (settled["collected"], settled["returned"]) == (1000, 0)
    assert settled["meters"]["live"]["paid_mills"] == 1008450
    assert dealer.send("GAMES")["games"]["1"]["paid"] == 1008450


def test_a_chip_on_a_sensor_is_a_wager_and_lights_the_lamp_of_its_seat():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    chip(dealer, 3)
    assert dealer.table.play.round.state["bets"] == [[3, SPOT, 1000]]
    dealer.tick(1, 50)
    assert dealer.hal.lights.bits >> 8 == 1 << 2
    chip(dealer, 3, False)
    assert dealer.table.play.round.state["bets"] == []
    assert dealer.last("GIVEN")["given"] == ["take_back", 3, SPOT]
    chip(dealer, 7)
    dealer.send("NO_MORE_BETS")
    assert dealer.last("BETS_CLOSED")["mills"] == 1000


def test_a_chip_after_no_more_bets_is_refused_and_written_down():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    chip(dealer, 1)
    dealer.send("NO_MORE_BETS")
    chip(dealer, 2)
    assert last_refusal(dealer) == (["wager", 2, SPOT, 1000], 3006)
    assert dealer.table.play.round.state["bets"] == [[1, SPOT, 1000]]
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts[1] == "3006"
    chip(dealer, 1, False)  # the dealer collects: that takes nothing back
    assert dealer.table.play.round.state["bets"] == [[1, SPOT, 1000]]
    assert dealer.refused("WAGER", bets=[[4, SPOT, 1000]]) == (3006, {})


def test_a_second_wager_of_a_seat_is_refused_and_written_down():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[2, SPOT, 1000]])
    chip(dealer, 2)
    assert last_refusal(dealer) == (["wager", 2, SPOT, 1000], 3021)
    assert dealer.refused("WAGER", bets=[[1, SPOT, 1000], [2, SPOT, 1000]]) == (3021, {"seat": 2})
    assert dealer.table.play.round.state["bets"] == [[2, SPOT, 1000]], "all or none"


def test_a_chip_that_moves_during_a_tilt_is_the_wager_of_the_seat_where_it_lies():
    for at_once in (False, True):
        dealer = table_of(MATCH)
        dealer.send("OPEN_BETS")
        chip(dealer, 1)
        dealer.table.stop(21, {"count": 3})
        chip(dealer, 1, False)
        chip(dealer, 2)
        dealer.key(True)
        dealer.send("CLEAR_TILT", **clear(dealer, 21))
        dealer.key(False)
        if not at_once:
            dealer.tick()
            assert dealer.table.play.round.state["bets"] == [[2, SPOT, 1000]]
        dealer.send("NO_MORE_BETS")
        assert dealer.table.play.round.state["bets"] == [[2, SPOT, 1000]]
        dealer = None  # the VM has no room for two tables


def test_a_chip_that_moves_while_the_power_is_off_is_the_wager_of_the_seat_where_it_lies():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[5, SPOT, 1000]])
    chip(dealer, 1)
    chip(dealer, 4)
    inputs = dealer.hal.inputs
    inputs.bits = 128 << 2 | 128 << 4
    dealer = dealer.again(inputs=inputs)
    dealer.tick()
    assert dealer.table.play.round.state["bets"] == [[seat, SPOT, 1000] for seat in (2, 4, 5)]
    assert not [kind for kind, _ in dealer.records() if kind == "REFUSED"]


def test_no_more_bets_is_refused_while_chips_and_wagers_of_the_sensors_differ():
    dealer = table_of(MATCH)
    configured(dealer, seats=6)
    dealer.send("OPEN_BETS")
    chip(dealer, 7)
    assert last_refusal(dealer) == (["wager", 7, SPOT, 1000], 3005)
    assert dealer.refused("NO_MORE_BETS") == (3005, {"seat": 7, "limit": 6})
    assert dealer.phase == "BETS_OPEN"
    chip(dealer, 7, False)
    chip(dealer, 1)
    free, dealer.table.journal.free = dealer.table.journal.free, lambda: 99
    chip(dealer, 1, False)  # the wager cannot be taken back
    assert dealer.refused("NO_MORE_BETS")[0] == 4003
    dealer.table.journal.free = free
    dealer.send("NO_MORE_BETS")
    assert dealer.last("BETS_CLOSED")["count"] == 0


def test_only_a_wager_that_came_by_the_sensor_goes_with_the_chip():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[[1, SPOT, 1000]])
    chip(dealer, 1)
    assert last_refusal(dealer) == (["wager", 1, SPOT, 1000], 3021)
    chip(dealer, 1, False)
    assert dealer.table.play.round.state["bets"] == [[1, SPOT, 1000]]
    chip(dealer, 1)
    dealer.send("NO_MORE_BETS")
    assert dealer.last("BETS_CLOSED")["count"] == 1


def test_a_round_that_was_held_knows_which_wagers_came_by_a_sensor():
    wagers = [
        ("WAGERS", {"round": 1, "bets": [[2, SPOT, 1000]], "cmd": [7, 9]}),
        ("WAGERS", {"round": 1, "bets": [[1, SPOT, 1000]]}),
        ("WAGERS", {"round": 1, "bets": [[3, SPOT, 1000]]}),
        ("GIVEN", {"round": 1, "given": ["take_back", 3]}),
        ("WAGERS", {"round": 1, "bets": [[4, SPOT, 1000]]}),
    ]
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    opened = ("ROUND_OPENED", dealer.last("ROUND_OPENED"))
    from tabletop.rules.held import essence  # a table gives it back

    for records in ([opened] + wagers, list(essence([opened] + wagers))):
        round_ = None
        for kind, payload in records:
            round_ = follow(round_, kind, payload)
        round_._end_step()
        assert round_.sensed == 0b1001
        assert round_.state["bets"] == [[seat, SPOT, 1000] for seat in (1, 2, 4)]
    closed = [("BETS_CLOSED", {"round": 1, "count": 3, "mills": 3000})]
    assert [kind for kind, _ in essence([opened] + wagers + closed)] == ["ROUND_OPENED", "WAGERS", "BETS_CLOSED"]


def test_bets_are_not_opened_while_a_sensor_is_stuck_on():
    dealer = table_of(MATCH)
    chip(dealer, 5)
    assert dealer.refused("OPEN_BETS") == (3036, {"seat": 5})
    assert last_refusal(dealer) == (["open"], 3036)
    chip(dealer, 5, False)
    assert dealer.send("OPEN_BETS")["round"] == 1


def test_a_count_of_chips_that_differs_stops_the_round_with_both_numbers():
    dealer = table_of(MATCH)
    closed(dealer)
    assert dealer.refused("GIVE", given=["chips", 2, "D1"]) == (3022, {"chips": 2, "accepted": 3})
    assert last_refusal(dealer) == (["chips", 2, "D1"], 3022)
    assert dealer.phase == "NO_MORE_BETS"
    assert dealer.refused("GIVE", given=["hand", 1, "AS AS"])[0] == 4001
    give(dealer, "chips", 3, "D1")
    assert dealer.last("GIVEN") == {"round": 1, "given": ["chips", 3, "D1"], "mills": 3000}


def test_a_hand_before_its_wager_and_cards_that_no_shoe_holds_are_refused_and_written_down():
    dealer = table_of(MATCH)
    closed(dealer)
    give(dealer, "chips", 3, "D1")
    assert dealer.refused("GIVE", given=["hand", 2, "3S 4S"]) == (3025, {"seat": 2})
    assert dealer.refused("GIVE", given=["hand", 1, "10H 4S"]) == (3023, {"card": "10H", "size": 48})
    for seat, cards in ((1, "AS AS"), (3, "AS AS"), (7, "AS AS")):
        give(dealer, "hand", seat, cards)
    assert dealer.refused("GIVE", given=["dealt", "AS"]) == (3024, {"card": "AS", "count": 7, "limit": 6})
    assert last_refusal(dealer) == (["dealt", "AS"], 3024)
    give(dealer, "misdeal", "read wrongly")
    assert dealer.refused("GIVE", given=["hand", 1, "AS"]) == (3029, {"found": 1, "limit": 2})
    assert dealer.refused("GIVE", given=["hand", 1, "AS\tAS"]) == (3029, {"found": 1, "limit": 2}), "blanks only"


def test_the_dealer_cannot_validate_himself_however_he_types_his_code():
    dealer = table_of(MATCH)
    closed(dealer)
    for given in ROUNDS[MATCH][1][:5]:
        give(dealer, *given)
    for code in ("D1", " d1 "):
        assert dealer.refused("GIVE", given=["validate", 1, code]) == (3028, {"operator": code})
        assert last_refusal(dealer) == (["validate", 1, code], 3028)
    assert dealer.refused("GIVE", given=["validate", 1, " "]) == (3030, {})
    assert dealer.refused("GIVE", given=["validate", 7, "F1"]) == (3027, {"seat": 7, "next": 1})


def test_a_floorperson_validates_with_a_code_of_his_own_which_no_record_holds():
    dealer = table_of(MATCH)
    closed(dealer)
    for given in ROUNDS[MATCH][1][:5]:
        give(dealer, *given)
    given = ["validate", 1, "F1"]
    wrong = ({}, {"mac": b""}, {"mac": code_of("F2")}, {"mac": code_of("F1", b"k" * 32)}, {"mac": code_of("F1")[:7]})
    for more in wrong:
        assert dealer.refused("GIVE", given=given, **more) == (3037, {"operator": "F1"})
        assert last_refusal(dealer) == (given, 3037)
        before = len(dealer.records())
        for mac in (code_of("F1"), b"0000"):  # a right one too: nobody learns anything by trying
            assert dealer.refused("GIVE", given=given, mac=mac) == (3043, {"seconds": 2})
        assert len(dealer.records()) == before
        dealer.pass_time(2000)
    dealer.send("GIVE", given=["validate", 1, " f1"], mac=code_of("F1"))
    for number in range(1, dealer.table.journal.last + 1):
        assert code_of("F1") not in bytes(dealer.table.journal.read(number))


def test_nobody_needs_a_code_in_test_mode():
    dealer = table_of(MATCH)
    dealer.table.play.test = True
    dealer.table.enter("TEST")
    closed(dealer)
    for given in ROUNDS[MATCH][1][:5]:
        give(dealer, *given)
    dealer.send("GIVE", given=["validate", 1, "F1"])


def test_an_input_of_another_game_or_shape_is_refused():
    dealer = table_of(MATCH)
    closed(dealer)
    for given in ([], ["spin", 1], ["hand", 1], ["hand", "1", "AS AS"], ["chips", "3", "D1"], [3]):
        assert dealer.refused("GIVE", given=given)[0] == 4009, given
    assert dealer.refused("GIVE", given=["dice", 1, 2, 3]) == (4013, {"command": "dice", "game": MATCH})
    assert dealer.refused("GIVE", given=["chips", 3, "D" * 65])[0] == 4009
    assert dealer.refused("BEGIN", spot=SPOT)[0] == 4013
    assert not [kind for kind, _ in dealer.records() if kind == "REFUSED"]


def test_a_round_is_void_before_the_count_only():
    dealer = table_of(MATCH)
    closed(dealer)
    assert dealer.send("VOID", reason="chips differ")["returned"] == 3000
    assert dealer.phase == "READY"
    closed(dealer)
    give(dealer, "chips", 3, "D1")
    assert dealer.refused("VOID", reason="too late")[0] == 4001


def test_nobody_wagered_and_the_round_is_over_at_once():
    dealer = table_of(MATCH)
    closed(dealer, [])
    assert dealer.phase == "RESULT"
    dealer.send("SETTLE")
    assert dealer.last("SETTLED")["pays"] == []


def test_the_meter_goes_on_from_round_to_round_and_over_a_power_cut():
    dealer = table_of(MATCH)
    for _ in range(2):
        closed(dealer, [[1, SPOT, 1000]])
        for given in (["chips", 1, "D1"], ["hand", 1, "3S 4S"], ["dealt", "KD"]):
            give(dealer, *given)
        dealer.send("SETTLE")
    assert meter(dealer)["current"] == 1000300
    dealer = dealer.again()
    assert dealer.send("STATUS")["meter_mills"] == 1000300
    dealer.tick(1, 50)
    dealer.send("OPEN_BETS")
    assert dealer.last("ROUND_OPENED")["meter"]["current"] == 1000300
    assert len(dealer.table.records.kept) == 2  # APPROVED and one METER


def test_a_hit_is_kept_with_its_round_and_seat_and_the_last_25_of_them():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    finish(dealer)
    kept = meter(dealer)
    assert kept["recent"] == [[[1, 1], 1000450]]
    assert (kept["hits"], kept["won"]) == (1, 1000450)
    kept["recent"] = [[[n, 1], 1000000] for n in range(30, 55)]
    dealer.table.bonus._keep(kept)
    dealer.send("OPEN_BETS")
    finish(dealer)
    recent = meter(dealer)["recent"]
    assert len(recent) == meters.KEPT
    assert recent[-1][0] == [2, 1]
    assert recent[0][0] == [31, 1]


def test_the_largest_meter_with_all_its_hits_fits_a_record_and_opens_a_round_with_any_settings():
    dealer = table_of("monster_dynamic")
    top = 10**12
    on = meters.opened({"seed": top, "reseed": top, "increment": 9000, "reserve": 1000, "limit": top})
    on = meters.change(on, on["parameters"])
    for key in on:
        if type(on[key]) is int:
            on[key] = top
    on["hidden"] = "must-hit-by 1000000"
    on["recent"] = [[[1000000, 7], top]] * 25
    payload = {"game": "must_hit_by", "test": False, "meter": on, "round": 1000000, "of": 10**6, "again": True}
    assert len(cbor.dumps(payload)) <= MAX_PAYLOAD
    del on["recent"]
    configured(dealer, raises=[[2**24] * 10] * 4, combinations=[2**24] * 4, counts=[2**24] * 3, limit_mills=top)
    dealer.send("OPEN_BETS")
    opened = dealer.last("ROUND_OPENED")
    opened["meter"], opened["round"] = on, 10**6
    assert len(cbor.dumps(opened)) <= MAX_PAYLOAD


def test_other_parameters_take_effect_after_the_next_hit():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    configured(dealer, limit_mills=5000000)
    finish(dealer)  # as it was opened, with a hit
    assert meter(dealer)["parameters"]["limit"] == 0
    dealer.send("OPEN_BETS")
    finish(dealer)
    assert meter(dealer)["parameters"]["limit"] == 5000000


def test_a_test_round_never_moves_the_live_meter():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    finish(dealer)
    live = meter(dealer)
    dealer.table.play.test = True
    dealer.table.enter("TEST")
    dealer.send("OPEN_BETS")
    assert "meter" not in dealer.last("ROUND_OPENED")
    finish(dealer)
    assert dealer.last("METER")["test"]
    dealer.table.play.test = False
    dealer.table.enter("READY")
    dealer.send("OPEN_BETS")
    opened = dealer.last("ROUND_OPENED")["meter"]
    assert opened["current"] == live["current"]


def test_the_meter_is_reset_with_its_own_key_beside_that_of_service():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    finish(dealer)
    wrong = sign(dealer, "RESET_METER", key=b"k" * 32, reason="mine", operator="eve")
    assert dealer.refused("RESET_METER", **wrong) == (1008, {})
    assert last_refusal(dealer) == (["reset", 0, "eve"], 1008)
    assert dealer.refused("RESET_METER", **sign(dealer, "RESET_METER", reason="mine", operator="eve")) == (1009, {})
    assert last_refusal(dealer) == (["reset", 0, "eve"], 1009)
    assert dealer.refused("RESET_METER", **reset(dealer, keys=False)) == (1013, {})
    assert last_refusal(dealer) == (["reset", 0, "ann"], 1013)
    number = dealer.send("RESET_METER", **reset(dealer))["record"]
    assert number == dealer.table.journal.last
    kept = dealer.last("METER")
    assert kept["meter"]["current"] == 1000000
    assert kept["meter"]["corrected"] == 1000000 - 180
    assert (kept["reason"], kept["operator"]) == ("wrong after a repair", "ann")


def test_a_meter_above_its_limit_or_of_a_game_without_one_is_not_set():
    dealer = table_of(MATCH)
    configured(dealer, limit_mills=2000000)
    code, detail = dealer.refused("RESET_METER", **reset(dealer, mills=2000001))
    assert (code, detail["field"], detail["value"]) == (4009, "mills", 2000001)
    assert last_refusal(dealer) == (["reset", 2000001, "ann"], 4009)
    assert dealer.send("RESET_METER", **reset(dealer, mills=2000000))["record"]
    dealer = table_of("dice")
    assert dealer.refused("RESET_METER", **reset(dealer)) == (4013, {"command": "RESET_METER", "game": "dice"})


def test_a_meter_is_not_reset_by_nobody_or_for_nothing():
    dealer = table_of(MATCH)
    for field in ("operator", "reason"):
        for nothing in ("", " ", "\u200b"):
            args = {"operator": "ann", "reason": "wrong after a repair"}
            reset(dealer)
            args[field] = nothing
            code, detail = dealer.refused("RESET_METER", **sign(dealer, "RESET_METER", **args))
            assert (code, detail["field"]) == (4009, field)


def linked():
    """A table that has joined the meter "house", whose host is there."""
    dealer = table_of(MATCH, digits=3)
    configured(dealer, linked="house")
    dealer.send("LINKED", **told(dealer, 5000000))
    return dealer


def test_a_share_of_a_linked_meter_is_claimed_waits_for_the_host_and_is_paid_as_it_says():
    dealer = linked()
    closed(dealer)
    for given in ROUNDS[MATCH][1][:5]:
        give(dealer, *given)
    assert dealer.table.play.round.state["meter"]["current"] == 1000000, "it contributes to the shared meter"
    assert dealer.refused("GIVE", **award(dealer, 1, 5, "1/1"))[0] == 4001, "nobody has claimed it"
    give(dealer, "validate", 1, "F1")
    told_of = dealer.last("GIVEN")
    assert len(told_of.pop("nonce")) == 16
    assert told_of == {"round": 1, "given": ["validate", 1, "F1"], "share": 100}
    assert dealer.refused("GIVE", given=["validate", 1, "F1"]) == (3034, {"seat": 1})
    assert dealer.refused("GIVE", given=["validate", 7, "F1"])[0] == 3027
    assert dealer.refused("GIVE", given=["misdeal", "a card too many"])[0] == 4001, "the host has it"
    assert dealer.phase == "BONUS"
    assert dealer.refused("GIVE", **award(dealer, 7, 5, "1/7"))[0] == 4001, "a win at odds is no share"
    assert dealer.refused("GIVE", **award(dealer, 1, 5, "2/1"))[0] == 4001, "that is the win of another round"
    dealer.send("GIVE", **award(dealer, 1, 4321000, "1/1"))
    assert dealer.refused("GIVE", **award(dealer, 1, 5, "1/1")) == (3035, {"seat": 1, "identity": "1/1"})
    for given in ROUNDS[MATCH][1][6:]:
        give(dealer, *given)
    dealer.send("SETTLE")
    assert dealer.last("SETTLED")["pays"][0] == [1, "SLIP", 1000, 0, 4321000, False]
    kept = meter(dealer)
    assert (kept["passed_on"], kept["awarded"], kept["current"], kept["hits"]) == (3000, 4321000, 1000000, 1)


def test_an_award_is_taken_of_the_host_alone_and_never_above_the_meter_that_it_named():
    dealer = linked()
    closed(dealer)
    for given in ROUNDS[MATCH][1][:6]:
        give(dealer, *given)
    forged = dict(award(dealer, 1, 4321000, "1/1"), given=["award", 1, 4321001, "1/1"])  # signed for another amount
    for args in ({"given": ["award", 1, 4321000, "1/1"]}, award(dealer, 1, 4321000, "1/1", key=b"k" * 32), forged):
        assert dealer.refused("GIVE", **args) == (1008, {})
        assert last_refusal(dealer) == (args["given"], 1008)
    code, detail = dealer.refused("GIVE", **award(dealer, 1, 5000001, "1/1"))
    assert (code, detail["value"]) == (4009, 5000001)
    assert last_refusal(dealer) == (["award", 1, 5000001, "1/1"], 4009)
    assert dealer.phase == "BONUS", "the round still waits: nothing is spoilt"
    dealer.send("GIVE", **award(dealer, 1, 5000000, "1/1"))


def claimed(skipped=0):
    """A linked table whose seat 1 waits for its share; `skipped`: what was drawn before is another journal's."""
    dealer = linked()
    for _ in range(skipped):
        dealer.hal.entropy(0)
    closed(dealer)
    for given in ROUNDS[MATCH][1][:6]:
        give(dealer, *given)
    return dealer


def test_an_award_of_another_meter_another_claim_or_a_journal_before_is_not_taken():
    dealer = claimed()
    before = award(dealer, 1, 4321000, "1/1")
    dealer = None  # the VM has no room for two tables
    dealer = claimed(1)  # the same round of a journal that was begun anew, under the same key
    fresh = award(dealer, 1, 4321000, "1/1")
    assert before["given"] == fresh["given"]
    other = award(dealer, 1, 4321000, "1/1", meter=b"another")
    unsaid = award(dealer, 7, 4321000, "1/7")  # signed over no claim, as that of another seat is
    unsaid["given"] = fresh["given"]
    for args in (before, other, unsaid):
        assert dealer.refused("GIVE", **args) == (1008, {})
    dealer.settings = dict(dealer.table.settings.rules, game=MATCH)
    dealer = dealer.again()  # the claim is in the journal
    dealer.send("LINKED", **told(dealer, 5000000))
    dealer.send("GIVE", **fresh)
    assert dealer.last("GIVEN")["given"] == ["award", 1, 4321000, "1/1"]


def test_a_linked_table_shows_what_its_host_says_and_opens_no_round_without_it():
    dealer = table_of(MATCH, digits=3)
    assert dealer.refused("LINKED", meter="house", mills=1, test=False, parameters={})[0] == 4013, "it is not linked"
    configured(dealer, linked="house")
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts[2] == "", "nobody has named it"
    assert dealer.refused("OPEN_BETS") == (4014, {"seconds": 10})
    assert dealer.refused("LINKED", **told(dealer, -7))[0] == 4009
    assert dealer.refused("OPEN_BETS") == (4014, {"seconds": 10}), "what was refused is no word of a host"
    dealer.send("LINKED", **told(dealer, 2000000))
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts[2] == "2000.00"
    code, detail = dealer.refused("RESET_METER", **reset(dealer, mills=5000))
    assert (code, detail["command"], last_refusal(dealer)[1]) == (4001, "RESET_METER", 4001), "it is not this table's"
    dealer.key(False)
    dealer.send("LINKED", **told(dealer, 2000000))
    assert dealer.send("STATUS")["meter_mills"] == 2000000
    dealer.tick(1, 9900)
    closed(dealer)
    give(dealer, "chips", 3, "D1")
    dealer.tick(1, 20000)
    for given in ROUNDS[MATCH][1][1:6]:
        give(dealer, *given)  # a round goes on without it, up to the share
    dealer.send("GIVE", **award(dealer, 1, 5000, "1/1"))
    for given in ROUNDS[MATCH][1][6:]:
        give(dealer, *given)
    dealer.send("SETTLE")
    assert dealer.refused("OPEN_BETS") == (4014, {"seconds": 10})


def test_only_the_host_of_the_meter_that_the_table_has_joined_is_believed():
    dealer = table_of(MATCH)
    configured(dealer, linked="house")
    right = told(dealer, 2000000)
    unsigned = dict(right)
    del unsigned["mac"]
    assert len(dealer.send("LINKED", **unsigned)["nonce"]) == 16, "it only asks, and the nonce before is void"
    for args in (right, told(dealer, 2000000, key=b"k" * 32), dict(told(dealer, 2000000), mills=3000000)):
        assert dealer.refused("LINKED", **args) == (1008, {})
    game = dealer.table.settings.game
    others = {"meter": "house-2", "test": True, "parameters": game.parameters(dict(game.DEFAULTS, wager_mills=5000))}
    for field in others:
        code, detail = dealer.refused("LINKED", **told(dealer, 2000000, **{field: others[field]}))
        assert (code, detail["field"]) == (4009, field)
    assert dealer.refused("OPEN_BETS") == (4014, {"seconds": 10})
    assert "meter_mills" not in dealer.send("STATUS")
    once = told(dealer, 2000000)
    dealer.send("LINKED", **once)
    assert dealer.refused("LINKED", **once) == (1008, {}), "it is heard once"
    configured(dealer, linked="house-2")
    assert dealer.refused("OPEN_BETS") == (4014, {"seconds": 10}), "that was the host of another meter"


def test_a_table_joins_and_leaves_a_linked_meter_between_its_rounds_only():
    dealer = linked()
    closed(dealer)
    dealer.table.stop(61, {"test": "made up"})
    dealer.key(True)
    for settings in ({"linked": "house-2"}, {}, {"linked": "house", "seats": 6}):
        settings["game"] = MATCH
        code, detail = dealer.refused("CONFIGURE", **configuration(dealer, settings))
        assert (code, detail["command"]) == (4001, "CONFIGURE"), settings
    lamps = {"game": MATCH, "linked": "house", "step_ms": 900}
    assert dealer.send("CONFIGURE", **configuration(dealer, lamps))["record"]


def test_a_number_that_is_given_as_a_text_is_shown_as_one():
    game = table_of(MATCH).table.settings.game
    for key, words in (("paytable", "paytable is '1', but must be a whole number"), ("decks", "decks is '6', but")):
        refused = ""
        try:
            game.validate(dict(game.DEFAULTS, **{key: words.split("'")[1]}))
        except ValueError as error:
            refused = str(error)
        assert words in refused


def test_the_name_of_a_linked_meter_is_a_text():
    game = table_of(MATCH).table.settings.game
    for name in ("", "house", False):
        game.validate(dict(game.DEFAULTS, linked=name))
    for name in (True, 7, None, "n" * 49):
        refused = ""
        try:
            game.validate(dict(game.DEFAULTS, linked=name))
        except ValueError as error:
            refused = str(error)
        assert "link new" in refused, name


def test_a_linked_table_that_is_cut_off_at_its_claim_still_waits_for_the_host():
    dealer = linked()
    closed(dealer)
    for given in ROUNDS[MATCH][1][:6]:
        give(dealer, *given)
    settings = dict(dealer.table.settings.rules, game=MATCH)
    dealer.settings = settings
    dealer = dealer.again()
    assert dealer.phase == "BONUS"
    assert dealer.refused("GIVE", given=["validate", 1, "F1"]) == (3034, {"seat": 1})
    assert dealer.refused("GIVE", **award(dealer, 1, 4321000, "1/1"))[0] == 4009, "the host names the meter first"
    dealer.send("LINKED", **told(dealer, 4321000))
    dealer.send("GIVE", **award(dealer, 1, 4321000, "1/1"))
    assert dealer.last("GIVEN")["given"] == ["award", 1, 4321000, "1/1"]


def test_the_displays_show_step_seat_and_meter():
    dealer = table_of(MATCH, digits=3)
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts[2] == "1000.00"
    closed(dealer)
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts == {0: "Coun", 1: "3", 2: "1000.00"}
    for given in ROUNDS[MATCH][1][:5]:
        give(dealer, *given)
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts == {0: "UALi", 1: "S-1", 2: "1000.45"}
    assert dealer.hal.lights.bits >> 8 == 0b1000001
    give(dealer, "validate", 1, "F1")
    give(dealer, "documented", 1)
    dealer.tick(1, 50)
    assert dealer.hal.lights.texts == {0: "UALi", 1: "S-7", 2: "0.18"}


def test_dynamic_pays_are_shown_before_a_card_is_known():
    dealer = table_of("monster_dynamic")
    closed(dealer)
    give(dealer, "chips", 2, "D1")
    raised = dealer.table.play.round.state["dynamic"]
    assert raised
    seen = set()
    for _ in range(80):
        dealer.tick(1, 50)
        seen.add(dealer.hal.lights.texts[1])
    assert len(seen) == len(raised)
    assert all("-" in text for text in seen)


def test_a_tilt_stops_every_input_and_the_sensors():
    dealer = table_of(MATCH)
    dealer.send("OPEN_BETS")
    dealer.table.stop(21, {"count": 3})
    chip(dealer, 1)
    assert dealer.table.play.round.state["bets"] == []
    assert dealer.refused("GIVE", given=["chips", 0, "D1"]) == (4002, {"tilt": 21})


def test_a_refused_void_keeps_no_meter_that_the_round_still_moves():
    for game in ("match_the_dealer", "monster_match", "must_hit_by"):
        dealer = table_of(game)
        dealer.send("OPEN_BETS")
        dealer.send("WAGER", bets=[list(bet) for bet in ROUNDS[game][0]])
        before = len(dealer.records())
        assert dealer.refused("VOID", reason="x" * 65)[0] == 4009
        assert len(dealer.records()) == before, game
        finish(dealer)
        kept, stands = dealer.last("METER")["meter"], dealer.table.play.shown.state["meter"]
        assert (kept["current"], kept["hits"]) == (stands["current"], stands["hits"]), game


def test_a_share_of_nothing_is_named_and_the_round_goes_on():
    dealer = table_of("match_the_dealer", settings={"linked": "house"})
    dealer.tick(5)
    dealer.send("LINKED", **told(dealer, 1000))
    closed(dealer)
    for given in ROUNDS["match_the_dealer"][1][:6]:
        give(dealer, *given)
    dealer.send("GIVE", **award(dealer, 1, 0, "1/1"))
    assert dealer.last("GIVEN")["given"] == ["award", 1, 0, "1/1"]
    assert dealer.refused("GIVE", **award(dealer, 1, 5, "1/1"))[0] == 3035
