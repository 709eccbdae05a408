"""Live monitoring: what must raise an alert, and what must not (field cases 33 and 35)."""

from tabletop.chance.monitor import FIRST_LOOK, QUANTILES, Monitor, Tally, chi_square_milli, critical_milli

try:
    from tests.vm.flash import Dice
except ImportError:
    from flash import Dice

FAIR = [1] * 54


def feed(tally, outcomes):
    """All alerts, with the number of the draw that raised each."""
    alerts = []
    for outcome in outcomes:
        alert = tally.add(outcome)
        if alert:
            alerts.append((tally.draws, alert))
    return alerts


def fair(n, cells=54, seed=1):
    dice = Dice(seed)
    return [dice.below(cells) for _ in range(n)]


def test_case_33_a_section_that_never_comes_is_named_at_756_draws():
    outcomes = [outcome for outcome in fair(900) if outcome != 37][:756]
    monitor = Monitor()
    alerts = []
    for outcome in outcomes:
        alert = monitor.add("section", FAIR, outcome)
        if alert:
            alerts.append(alert)
    assert alerts == ["section: outcome 37 never came in 756 draws"]
    assert monitor.alert == alerts[0]


def test_fair_outcomes_raise_nothing():
    for seed in range(1, 9):
        assert feed(Tally(FAIR), fair(3200, seed=seed)) == []
    assert feed(Tally([1, 1]), fair(2000, cells=2)) == []
    weights = [1, 2, 4, 8, 16, 32, 937]
    dice = Dice(3)
    outcomes = []
    for _ in range(3000):
        value = dice.below(1000)
        i = 0
        while value >= weights[i]:
            value -= weights[i]
            i += 1
        outcomes.append(i)
    assert feed(Tally(weights), outcomes) == []


def test_one_section_twice_as_likely_is_found():
    dice = Dice(2)
    outcomes = []
    for _ in range(756 * 8):
        value = dice.below(55)
        outcomes.append(17 if value == 54 else value)
    alerts = feed(Tally(FAIR), outcomes)
    assert alerts
    assert alerts[0][1].startswith("chi-square ")
    assert alerts[0][0] in (756 << look for look in range(4))


def test_looks_come_at_doubling_numbers_of_draws_only():
    tally = Tally(FAIR)
    assert FIRST_LOOK * 54 == 756
    looked = []
    tally._skewed = lambda: looked.append(tally.draws) or ""
    feed(tally, fair(756 * 5))
    assert looked == [756, 1512, 3024]


def test_case_35_the_first_six_draws_of_an_earlier_start_are_an_alarm():
    earlier = [3, 50, 17, 17, 0, 42]
    monitor = Monitor()
    monitor.remember([9, 9, 9, 1, 2, 3])
    monitor.remember(earlier)
    alerts = [monitor.add("section", FAIR, outcome) for outcome in earlier]
    assert alerts == [""] * 5 + ["section: the first 6 draws are those of an earlier start"]
    assert monitor.start == earlier
    assert monitor.alert
    later = [monitor.add("section", FAIR, 1) for _ in range(20)]
    assert "repeat" in later[-1]
    assert monitor.alert == alerts[-1], "the first alarm stays"
    other = Monitor()
    other.remember(earlier)
    for outcome in earlier[:5] + [41]:
        assert other.add("section", FAIR, outcome) == ""


def test_a_start_of_coin_flips_is_compared_over_34_of_them():
    flips = fair(34, cells=2, seed=9)
    monitor = Monitor()
    monitor.remember(flips)
    alerts = [monitor.add("coin", [1, 1], flip) for flip in flips]
    assert alerts[:-1] == [""] * 33
    assert alerts[-1].startswith("coin: the first 34")


def test_a_generator_that_goes_in_a_circle_is_an_alarm():
    for period in (1, 3, 20, 50):
        circle = fair(period, seed=period)
        alerts = feed(Tally(FAIR), (circle * 60)[:120])
        assert alerts, period
        assert "repeat" in alerts[0][1]
        assert alerts[0][0] <= period + 14
    assert not [each for each in feed(Tally([1, 1]), [0, 1] * 40) if "repeat" in each[1]], "64 flips cannot say 40 bits"


def test_chi_square_is_the_textbook_sum():
    counts, weights = [18, 22, 35, 25], [1, 1, 1, 1]
    expected = sum([(count - 25) ** 2 / 25 for count in counts])
    assert chi_square_milli(counts, weights) == (int(expected * 1000), 4)
    counts, weights = [10, 50, 40], [1, 4, 5]
    expected = 0 + 100 / 40 + 100 / 50
    assert chi_square_milli(counts, weights) == (int(expected * 1000), 3)


def test_cells_that_expect_fewer_than_five_are_taken_together():
    counts, weights = [60, 30, 2, 3, 4, 1], [60, 30, 3, 3, 3, 1]
    assert chi_square_milli(counts, weights) == (0, 3), "2 + 3 + 4 + 1 where 10 are expected"
    too_few = chi_square_milli([60, 35, 5], [60, 38, 2])  # even together: counted with the first cell, 65 of 62
    assert too_few == (int(1000 * 9 / 62) + int(1000 * 9 / 38), 2)
    assert chi_square_milli([1, 0], [1, 1])[1] == 0


def test_the_limit_grows_with_cells_and_looks():
    assert 95000 < critical_milli(54, 0) < 97000  # 0.025 % at 53 degrees of freedom is 95.8
    assert critical_milli(54, 1) > critical_milli(54, 0) > critical_milli(53, 0)
    assert len(QUANTILES) == 16
    for look in range(15):
        assert QUANTILES[look] < QUANTILES[look + 1]
