"""Nothing of a table waits for the clock to come round: lamps, generator and link at any age of it (field case 51)."""

from tabletop import ticks
from tabletop.table.links import Links

try:
    from tests.vm.dealer import TEN, Dealer, Flash, Hal, configuration
except ImportError:
    from dealer import TEN, Dealer, Flash, Hal, configuration

DAY = 86_400_000
AGES = (0, 7 * DAY, 12 * DAY, ticks.PERIOD - 60_000, ticks.PERIOD - 1500)  # of the clock when the table starts


def aged(age_ms, **how):
    flash = Flash(32)
    hal = Hal(flash)
    hal.clock.first_tick = ticks.add(age_ms, -hal.clock.now_ms)
    return Dealer(flash, hal, **how)


def shows(dealer, tower):
    """The table shows this within a second."""
    dealer.tick(100)
    assert dealer.hal.lights.state == tower, (dealer.hal.clock.ms(), dealer.phase, dealer.hal.lights.state)


def test_case_51_the_lamps_follow_the_table_at_any_age_of_the_clock():
    for age in AGES:
        dealer = None
        dealer = aged(age)
        dealer.send("OPEN_BETS")
        shows(dealer, "bets")
        dealer.send("NO_MORE_BETS")
        dealer.spin("SECTION", TEN)
        dealer.tick(10)
        assert dealer.hal.lights.texts[0] == "10"
        dealer.table.stop(41, {"task": "x", "reason": "y"})
        shows(dealer, "tilt")


def test_case_51_the_lamps_of_another_game_are_alive_at_any_age_of_the_clock():
    for age in AGES:
        dealer = None
        dealer = aged(age)
        dealer.key(True)
        dealer.send("CONFIGURE", **configuration(dealer, {"game": "wonderspins"}))
        dealer.key(False)
        dealer.send("OPEN_BETS")
        shows(dealer, "bets")
        dealer.table.stop(41, {"task": "x", "reason": "y"})
        shows(dealer, "tilt")


def test_case_51_lamps_and_wheel_are_watched_after_a_week_in_which_nothing_happened():
    dealer = Dealer()
    for days in (7, 6, 13):
        dealer.tick(days * 24, DAY // 24)
        dealer.send("OPEN_BETS")
        shows(dealer, "bets")
        dealer.send("NO_MORE_BETS")
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.tick(2, 5000)
        assert dealer.phase == "READY"
        assert not dealer.table.tilts.open


def test_case_51_a_table_that_does_not_draw_lets_its_generator_go_at_any_age_of_the_clock():
    for age in AGES:
        dealer = None
        dealer = aged(age)
        dealer.send("RNG_RAW", bits=64)
        dealer.tick(70, 100)
        assert dealer.table.rng.source is None, age


def test_case_51_room_is_made_at_any_age_of_the_clock():
    for age in AGES:
        dealer = None
        dealer = aged(age)
        asked = [0]

        def idle(asked=asked):
            asked[0] += 1

        dealer.table.journal.idle = idle
        dealer.tick(30)
        assert asked[0], age


def test_case_51_a_line_that_was_still_for_a_week_is_quiet():
    dealer = Dealer()
    for age in AGES:
        assert Links([], dealer.table).quiet(age), "nothing has ever come"
