"""The meter of a progressive wager: nothing is lost below a mill, and only a win or a correction takes it down."""

from tabletop.rules.progressive import meter

try:
    from tests.vm.progressive_round import error_of
except ImportError:  # on the VM this folder itself is on the path
    from progressive_round import error_of

PARAMETERS = {"seed": 1000000, "reseed": meter.RESERVE, "increment": 1500, "reserve": 600, "limit": 0}


def parameters(**changes):
    made = dict(PARAMETERS)
    made.update(changes)
    return made


def conserved(on):
    """Whether all that came in is somewhere: `contributed` is exact, in 1/10,000 mill."""
    rates = on["parameters"]["increment"] + on["parameters"]["reserve"]
    inside = on["current"] + on["reserve"] + on["overflow"] + on["won"] - on["house"] - on["corrected"]
    return inside * meter.RATE + on["rest"] + on["reserve_rest"] == on["wagered"] * rates


def test_a_meter_starts_at_its_initial_seed():
    on = meter.opened(PARAMETERS)
    assert (on["current"], on["reserve"], on["house"]) == (1000000, 0, 1000000)


def test_a_wager_adds_15_percent_to_the_meter_and_6_percent_to_the_reserve():
    on = meter.contribute(meter.opened(PARAMETERS), 1000)
    assert (on["current"], on["reserve"], on["wagers"], on["wagered"]) == (1000150, 60, 1, 1000)


def test_what_is_below_a_mill_is_kept_until_it_is_one():
    on = meter.opened(parameters(increment=1, reserve=3))
    for n in range(1, 10001):
        on = meter.contribute(on, 7)  # 7/10,000 and 21/10,000 of a mill
        assert conserved(on), n
    assert (on["current"], on["rest"], on["reserve"], on["reserve_rest"]) == (1000007, 0, 21, 0)


def test_a_share_is_rounded_down_and_the_rest_of_it_stays_on_the_meter():
    on = meter.opened(parameters(seed=1000019))
    on, mills = meter.win(on, 10, "a")
    assert mills == 100001
    assert on["current"] == 900018
    assert (on["wins"], on["hits"], on["won"]) == (1, 0, 100001)
    assert conserved(on)


def test_a_hit_pays_the_whole_meter_and_the_reserve_is_the_next_start():
    on = meter.opened(PARAMETERS)
    for _ in range(500):
        on = meter.contribute(on, 5000)
    on, mills = meter.win(on, 100, "a")
    assert mills == 1000000 + 500 * 750
    assert (on["current"], on["reserve"], on["hits"], on["house"]) == (500 * 300, 0, 1, 1000000)
    assert conserved(on)


def test_a_reseed_of_a_fixed_amount_takes_the_reserve_as_far_as_it_goes_and_the_house_pays_the_rest():
    on = meter.contribute(meter.opened(parameters(reseed=1000000)), 5000)
    on, _ = meter.win(on, 100, "a")
    assert (on["current"], on["reserve"], on["house"]) == (1000000, 0, 2000000 - 300)
    assert conserved(on)
    for _ in range(4000):
        on = meter.contribute(on, 5000)
    on, _ = meter.win(on, 100, "b")
    assert (on["current"], on["reserve"]) == (1000000, 4000 * 300 - 1000000)
    assert conserved(on)


def test_a_meter_stops_at_its_limit_and_the_overflow_comes_back_when_there_is_room():
    on = meter.opened(parameters(limit=1000100))
    on = meter.contribute(on, 1000)
    assert (on["current"], on["overflow"]) == (1000100, 50)
    on = meter.contribute(on, 1000)
    assert (on["current"], on["overflow"]) == (1000100, 200)
    on, mills = meter.win(on, 10, "a")
    assert mills == 100010
    assert (on["current"], on["overflow"]) == (1000100 - 100010 + 200, 0)
    assert conserved(on)


def test_other_parameters_take_effect_after_the_next_hit_and_not_before():
    on = meter.change(meter.opened(PARAMETERS), parameters(increment=1000, reseed=3000000))
    on, _ = meter.win(meter.contribute(on, 1000), 10, "a")
    assert on["parameters"] == PARAMETERS
    on, _ = meter.win(on, 100, "b")
    assert on["parameters"]["increment"] == 1000
    assert (on["current"], on["next"]) == (3000000, {})


def test_parameters_of_now_wait_for_the_next_hit_and_are_forgotten_when_they_change_back():
    on = meter.opened(PARAMETERS)
    assert meter.governed(on, dict(PARAMETERS)) is on
    other = parameters(increment=1000)
    waiting = meter.governed(on, other)
    assert (waiting["parameters"], waiting["next"]) == (PARAMETERS, other)
    assert meter.governed(waiting, other) is waiting
    assert meter.governed(waiting, PARAMETERS)["next"] == {}
    hit, _ = meter.win(waiting, 100, "a")
    assert (hit["parameters"], hit["next"]) == (other, {})


def test_the_last_25_hits_are_kept_however_many_smaller_wins_come_after_them():
    on = meter.opened(parameters(reseed=1000000))
    for n in range(30):
        on, _ = meter.win(on, 100, n)
    assert on["recent"] == [[n, 1000000] for n in range(5, 30)]
    for n in range(30, 70):
        on, _ = meter.win(on, 10, n)
    assert [entry[0] for entry in on["recent"]] == list(range(5, 30))
    assert (on["hits"], on["wins"]) == (30, 70)


def test_a_correction_is_counted_and_never_above_the_limit():
    on = meter.correct(meter.opened(parameters(limit=2000000)), 999000)
    assert (on["current"], on["corrected"]) == (999000, -1000)
    assert conserved(on)
    assert error_of(meter.correct, on, 2000001) == (
        "a corrected meter is 2000001, but must be a whole number from 0 to 2000000"
    )


def test_a_correction_holds_while_the_limit_keeps_something_off_the_meter():
    on = meter.opened(parameters(limit=1000100))
    for _ in range(10):
        on = meter.contribute(on, 1000)
    assert (on["current"], on["overflow"]) == (1000100, 1400)
    reserve = on["reserve"]
    on = meter.correct(on, 900000)
    assert (on["current"], on["overflow"], on["reserve"]) == (900000, 0, reserve + 1400)
    assert conserved(on)
    assert meter.contribute(on, 1000)["current"] == 900150


def test_parameters_that_cannot_be_are_refused_with_place_and_limit():
    assert error_of(meter.opened, parameters(limit=999999)) == "a start of 1000000 is above the meter's limit of 999999"
    assert error_of(meter.opened, parameters(reserve=8501)) == (
        "reserve is 8501, but must be a whole number from 0 to 8500"
    )
    assert error_of(meter.opened, {"seed": 1}) == "a meter has the parameters seed, reseed, increment, reserve, limit"


def test_nothing_but_a_win_or_a_correction_lowers_a_meter():
    on = meter.opened(parameters(limit=1050000))
    seen = 1
    for _ in range(3000):  # wins of shares and hits in an order without a period of its own
        seen = seen * 75 % 65537
        if seen % 40 == 0:
            on, _ = meter.win(on, 100 if seen % 3 == 0 else 10, seen)
        else:
            after = meter.contribute(on, (1 + seen % 5) * 1000)
            assert after["current"] >= on["current"]
            on = after
        assert conserved(on)
        assert on["current"] <= 1050000
