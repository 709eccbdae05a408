"""The generator in the table: started, watched, failing closed, recorded before use, and never asked by a wheel."""

import gc
import sys

try:
    from tests.vm.dealer import TEN, Dealer, Flash, Hal, PowerCut, clear, stopped
except ImportError:
    from dealer import TEN, Dealer, Flash, Hal, PowerCut, clear, stopped

from tabletop.drawn import weighted_index
from tabletop.journal import kinds
from tabletop.table.loaned import give_back
from tabletop.table.records import Stop


def test_a_start_makes_known_answer_and_start_up_test_and_says_so():
    dealer = Dealer()
    assert dealer.last("SELF_TEST")["results"]["rng"] == "ok"
    status = dealer.send("STATUS")
    assert (status["rng"], status["draws"]) == ("ok", 0)
    assert dealer.table.rng._load()._noise.health.samples >= 1024 + 320 + 320


def test_noise_that_is_stuck_at_the_start_is_tilt_61_and_no_round_opens():
    flash = Flash()
    hal = Hal(flash)
    hal.stuck = True
    dealer = Dealer(flash, hal)
    assert dealer.phase == "TILT"
    assert dealer.table.tilts.open == {61: {"test": "repetition count"}}
    assert dealer.last("SELF_TEST")["results"]["rng"] == "repetition count"
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 61})
    assert stopped(dealer.table.rng.draws) == (61, {"test": "repetition count"})
    assert dealer.refused("RNG_RAW", bits=8)[0] == 4001


def test_noise_that_fails_while_the_table_runs_stops_the_next_round_and_nothing_falls_back():
    dealer = Dealer()
    rng = dealer.table.rng.draws()
    rng.uniform("section", 54)
    before = dealer.table.journal.last
    dealer.hal.stuck = True
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 61})
    assert dealer.phase == "TILT"
    assert [name for name, _ in dealer.records()][before:] == ["TILT"]
    assert stopped(rng.uniform, "section", 54)[0] == 61
    dealer.hal.stuck = False
    assert stopped(rng.uniform, "section", 54)[0] == 61, "sound again is not enough"
    assert dealer.table.journal.last == before + 1
    assert rng.number == 1


def test_a_failed_generator_is_cleared_only_in_service_and_only_when_the_noise_is_sound():
    dealer = Dealer()
    dealer.table.rng.draws()
    dealer.hal.stuck = True
    dealer.refused("OPEN_BETS")
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 61)) == (1009, {})
    dealer.key(True)
    assert dealer.refused("CLEAR_TILT", **clear(dealer, 61)) == (4004, {"tilt": 61, "reason": "repetition count"})
    dealer.hal.stuck = False
    assert dealer.send("CLEAR_TILT", **clear(dealer, 61)) == {"tilts": []}
    dealer.key(False)
    dealer.open_round([1, "10", 1000])
    assert dealer.table.rng.draws().uniform("section", 54) < 54


def test_an_intermittent_failure_costs_a_block_and_stops_nothing():
    dealer = Dealer()
    dealer.table.rng.draws()
    noise = dealer.table.rng.source._noise
    sound, calls = noise._read, []

    def read(buf):
        sound(buf)
        if not calls:  # 31 equal samples are a discard at H = 1, 61 a failure for good
            buf[100:140] = bytes(40)
        calls.append(1)

    noise._read = read
    dealer.open_round([1, "10", 1000])
    assert noise.health.discards == 1
    assert len(calls) > 1
    assert dealer.phase == "NO_MORE_BETS"
    assert not dealer.table.tilts.open


def test_a_spin_of_the_wheel_never_draws():
    dealer = Dealer()
    given = []
    dealer.table.rng.draws()
    real = dealer.table.rng.source._generator.bytes
    dealer.table.rng.source._generator.bytes = lambda n: given.append(n) or real(n)
    for _ in range(3):
        dealer.open_round([1, "10", 1000])
        number = dealer.table.records.draws
        del given[:]
        dealer.push()
        dealer.rest("SECTION", TEN)
        dealer.send("SETTLE")
        assert (dealer.table.records.draws, given) == (number, [])
        dealer.pass_time(6000)
    assert dealer.table.records.draws == 0
    assert not [name for name, _ in dealer.records() if name == "DRAW"]


def test_case_38_a_draw_is_in_the_journal_before_anybody_has_it():
    dealer = Dealer()
    rng = dealer.table.rng.draws()
    value = rng.uniform("section", 54)
    assert dealer.last("DRAW") == {"number": 1, "name": "section", "ranges": [54], "values": [value]}
    weights = [1, 0, 2, 5]
    index = rng.weighted("picked", weights)
    record = dealer.last("DRAW")
    assert (record["weights"], weighted_index(weights, record["values"][0])) == (weights, index)
    order = rng.shuffle("order", 5)
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert dealer.last("DRAW")["ranges"] == [5, 4, 3, 2]
    dealer.flash.cut_at = 1
    try:
        rng.uniform("section", 54)
        raise AssertionError("the value of a draw that is not committed was seen")
    except PowerCut:
        pass


def test_case_37_the_time_of_day_changes_no_draw():
    # unset, 23 November and 29 December of four years, a leap day, the last second of a year
    dates = (0, 1290470400000, 1293580800000, 1353628800000, 1356739200000, 1416700800000, 1419811200000, 1709164800000,
             1767225599000, 1798502400000)  # fmt: skip
    expected = None
    for unix_ms in dates:
        dealer = None  # the VM has no room for two tables
        dealer = Dealer()
        if unix_ms:
            dealer.send("SET_TIME", unix_ms=unix_ms)
        assert dealer.send("STATUS").get("unix_ms", 0) // 1000 == unix_ms // 1000
        draws = dealer.table.rng.draws()
        found = [draws.uniform("section", 54) for _ in range(16)]
        expected = expected or found
        assert found == expected, unix_ms


def test_case_35_the_number_of_a_draw_never_goes_back():
    dealer = Dealer()
    for _ in range(3):
        dealer.table.rng.draws().uniform("section", 54)
    dealer = dealer.again()
    assert dealer.table.records.draws == 3
    assert dealer.last("BOOT")["draws"] == 3
    dealer.open_round([1, "10", 1000])
    dealer.table.rng.draws().uniform("section", 54)
    dealer.spin("SECTION", TEN)
    assert dealer.last("SETTLED")["draws"] == 4
    assert dealer.again().table.records.draws == 4


def test_cases_30_and_35_a_restored_table_draws_other_numbers():
    lists = []
    for seed in range(20):
        hal = Hal(Flash(4))
        hal._noise = seed + 1  # fresh noise, as any start has
        dealer = Dealer(hal.store, hal)
        lists.append([dealer.table.rng.draws().uniform("section", 54) for _ in range(6)])
        dealer = hal = None
    for i in range(20):
        for j in range(i):
            assert lists[i] != lists[j]


def test_two_boots_with_the_very_same_noise_draw_other_numbers():
    dealer = Dealer()
    first = [dealer.table.rng.draws().uniform("section", 54) for _ in range(6)]
    dealer = dealer.again()  # the stand-in's noise begins anew, as after a restored backup
    assert [dealer.table.rng.draws().uniform("section", 54) for _ in range(6)] != first


def test_case_35_draws_that_come_again_latch_an_alarm_and_block_rounds():
    dealer = Dealer()
    outcomes = [3, 50, 7, 22, 41, 0, 13, 9] * 2
    assert shown(dealer, outcomes) == (62, {"reason": dealer.last("ALERT")["alert"]})
    alert = dealer.last("ALERT")
    assert "repeat" in alert["alert"]
    assert dealer.send("STATUS")["alert"] == alert["alert"]
    dealer.tick(10)
    assert dealer.hal.lights.state == "alert"
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 62})
    dealer = dealer.again()
    assert dealer.phase == "TILT", "a restart does not forget it"
    assert dealer.refused("OPEN_BETS") == (4002, {"tilt": 62})
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 62))
    dealer.key(False)
    assert dealer.send("OPEN_BETS")["round"] == 1


def shown(dealer, outcomes):
    """What stops the table when its monitor is shown these outcomes of 54."""
    rng = dealer.table.rng.draws()

    def watch():
        for outcome in outcomes:
            rng.watch("section", None, 54, outcome)

    return stopped(watch)


def test_case_35_draws_that_come_again_are_a_tilt_whatever_alarm_came_before_and_whatever_room_is_left():
    dealer = Dealer()
    dealer.table.rng.alert = "another one"
    outcomes = [3, 50, 7, 22, 41, 0, 13, 9] * 2
    assert shown(dealer, outcomes)[0] == 62
    assert dealer.last("TILT")["tilt"] == 62
    dealer = None
    dealer = Dealer()
    dealer.table.rng.draws()
    write = dealer.table.records.write

    def full(kind, payload):
        if kind == kinds.ALERT:
            raise Stop(52)
        return write(kind, payload)

    dealer.table.records.write = full
    assert shown(dealer, outcomes)[0] == 52
    assert dealer.last("TILT")["tilt"] == 62


def test_case_35_a_start_that_draws_what_an_earlier_start_drew_is_found():
    dealer = Dealer()
    values = [dealer.table.rng.draws().uniform("section", 54) for _ in range(6)]
    dealer = dealer.again()
    assert shown(dealer, values)[0] == 62
    assert "earlier start" in dealer.last("ALERT")["alert"]


def test_case_33_an_outcome_that_never_comes_is_an_alert_and_changes_no_draw():
    dealer = Dealer(Flash(8))
    rng = dealer.table.rng.draws()
    state = 5
    for _ in range(756):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        outcome = (state >> 12) % 53
        rng.watch("section", None, 54, outcome + (outcome >= 37))
    alert = dealer.last("ALERT")["alert"]
    assert alert == "section: outcome 37 never came in 756 draws"
    assert dealer.table.rng.alert == alert
    assert dealer.send("OPEN_BETS")["round"] == 1, "an alert is for people"


def test_a_table_that_never_draws_holds_no_generator_and_a_laboratory_gets_one_for_a_while():
    dealer = Dealer()
    rng = dealer.table.rng
    assert rng.source is None
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    assert rng.source is None
    dealer.send("RNG_RAW", bits=8)
    held = rng.source
    dealer.send("RNG_RAW", bits=8)
    assert rng.source is held is not None
    dealer.tick(60, 100)
    assert rng.source is None
    dealer.send("RNG_OUTCOMES", n=1, range=54)
    dealer.send("OPEN_BETS")
    assert rng.source is None
    rng.draws()
    dealer.send("VOID", reason="")
    dealer.tick(60, 100)
    assert rng.source is not None


def test_a_laboratory_gets_raw_noise_and_outcomes_through_the_very_function_of_the_draws():
    dealer = Dealer()
    reply = dealer.send("RNG_RAW", bits=1000)
    assert (len(reply["data"]), reply["bits"], reply["emulated"], reply["test"]) == (125, 1, False, False)
    assert 300 < sum([bin(byte).count("1") for byte in reply["data"]]) < 700
    reply = dealer.send("RNG_OUTCOMES", n=32, range=54)
    assert len(reply["values"]) == 32
    assert min(reply["values"]) >= 0
    assert 20 < max(reply["values"]) < 54
    assert dealer.table.records.draws == 0
    for name, args in (("RNG_RAW", {"bits": 0}), ("RNG_RAW", {"bits": 1025}), ("RNG_OUTCOMES", {"n": 33, "range": 2}),
                       ("RNG_OUTCOMES", {"n": 1, "range": 0}), ("RNG_OUTCOMES", {"n": 1, "range": (1 << 32) + 1})):
        assert dealer.refused(name, **args)[0] == 4009
    dealer.send("OPEN_BETS")
    assert dealer.refused("RNG_RAW", bits=8)[0] == 4001


def test_weights_that_cannot_be_are_refused_and_draw_nothing():
    dealer = Dealer()
    for weights in ([1, -1], [0, 0], [], [1 << 32, 1], [1.5], [True]):
        try:
            dealer.table.rng.draws().weighted("picked", weights)
            raise AssertionError(weights)
        except ValueError:
            pass
    assert dealer.table.records.draws == 0
    assert dealer.table.rng.draws().uniform("section", 54) < 54
    assert "weights" not in dealer.last("DRAW")


def test_between_rounds_the_state_moves_on_and_each_round_has_fresh_entropy():
    dealer = Dealer()
    dealer.table.rng.draws()
    drbg = dealer.table.rng.source._generator._drbg
    before = drbg._v
    dealer.pass_time(3000)
    assert drbg._v != before
    requests = drbg.requests
    assert requests > 1
    dealer.send("OPEN_BETS")
    assert drbg.requests == 1
    before = drbg._v
    dealer.pass_time(3000)
    assert drbg._v == before, "in a round nothing moves by itself"


def test_memory_is_given_back_when_nearly_none_is_left():
    if not hasattr(gc, "mem_free"):
        return
    names = ["made_up_%d" % number for number in range(70)]  # a list of all modules takes a kilobyte
    for name in names:
        sys.modules[name] = sys
    full = [None] * 1500  # a megabyte
    try:
        for at in range(len(full)):
            full[at] = bytearray(700)
    except MemoryError:
        full[at // 2] = full[at // 4] = None  # so much is left in one piece, twice
    try:
        assert full[-1] is None, "the memory was to be full"
        give_back("nothing")
    finally:
        full = None
        for name in names:
            del sys.modules[name]
