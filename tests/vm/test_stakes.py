"""What all bonus games share: wagers within their limits, the main wheel's outcome, pays and voids."""

from tabletop import cbor
from tabletop.rules import new_york as game
from tabletop.rules import stakes, weights

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

Draws, error_of, step = bonus_round.Draws, bonus_round.error_of, bonus_round.step
SPOT = "New York, New York"


def fresh():
    return game.new(1, bonus_round.settings_of(game))


def refusal(state, *wager):
    after, effects = step(game, state, ("wager",) + wager)
    assert after == state
    return effects


def test_a_wager_below_above_or_outside_the_layout_is_refused_and_the_limits_themselves_are_not():
    assert refusal(fresh(), 1, SPOT, 999) == [("refuse", 3002, {"mills": 999, "limit": 1000})]
    assert refusal(fresh(), 1, SPOT, 500001) == [("refuse", 3003, {"mills": 500001, "limit": 500000})]
    assert refusal(fresh(), 1, "40", 5000) == [("refuse", 3001, {"spot": "40"})]
    assert refusal(fresh(), 8, SPOT, 5000) == [("refuse", 3005, {"seat": 8, "limit": 7})]
    assert refusal(fresh(), 1, SPOT, 0) == [("refuse", 3004, {"mills": 0})]
    for mills in (1000, 500000):
        assert step(game, fresh(), ("wager", 7, SPOT, mills))[1] == [("accept", 7, SPOT, mills)]


def test_wagers_of_a_seat_on_a_spot_are_one_wager_and_several_are_taken_all_or_none():
    state, _ = step(game, fresh(), ("wagers", [[1, SPOT, 300000], [2, SPOT, 1000], [1, SPOT, 200000]]))
    assert state["bets"] == [[1, SPOT, 500000], [2, SPOT, 1000]]
    after, effects = step(game, state, ("wagers", [[2, SPOT, 1000], [1, SPOT, 1]]))
    assert effects == [("refuse", 3003, {"mills": 500001, "limit": 500000})]
    assert after == state


def test_after_no_more_bets_no_wager_is_taken():
    state, _ = step(game, fresh(), ("no_more_bets",))
    assert refusal(state, 1, SPOT, 5000) == [("refuse", 3006, {})]
    assert error_of(game.step, state, ("no_more_bets",)) == "no more bets in phase BEGIN of round 1; due in BETS"


def test_the_game_begins_only_with_its_own_outcome_and_after_no_more_bets():
    assert error_of(game.step, fresh(), ("begin", SPOT), None) == (
        "the main wheel's outcome in phase BETS of round 1; due in BEGIN"
    )
    state, _ = step(game, fresh(), ("wager", 1, SPOT, 5000))
    state, _ = step(game, state, ("no_more_bets",))
    assert error_of(game.step, state, ("begin", "Luxor"), None) == "Luxor is no outcome that begins new_york"
    assert error_of(game.step, state, ("dance",), None) == "dance is no input of new_york"


def test_a_void_before_the_bonus_game_returns_the_wagers():
    state, _ = step(game, fresh(), ("wager", 1, SPOT, 5000))
    state, effects = step(game, state, ("void", "player left"))
    assert effects == [("return", 1, SPOT, 5000), ("done",)]
    assert state["phase"] == "VOID"


def test_minimum_and_maximum_change_only_what_is_outside_them():
    assert stakes.within(4, 5, 1000) == (5, "MINIMUM")
    assert stakes.within(5, 5, 1000) == (5, "")
    assert stakes.within(1000, 5, 1000) == (1000, "")
    assert stakes.within(1001, 5, 1000) == (1000, "MAXIMUM")


def test_limits_of_the_layout_must_fit_each_other():
    def refused(**changes):
        return error_of(lambda: bonus_round.settings_of(game, **changes))

    assert refused(max_mills=999) == "max_mills is 999, below min_mills 1000"
    assert refused(min_mills=0) == "min_mills is 0, but must be a whole number from 1 to 1000000000000"
    assert refused(seats=21) == "seats is 21, but must be a whole number from 1 to 10"
    assert refused(seats=True) == "seats is True, but must be a whole number from 1 to 10"


def test_a_weighted_table_totals_at_most_32_bits():
    weights.check("t", [[2, 2**32 - 2], [3, 1]], 2, 3)
    assert "the sum of the weights is 4294967296" in error_of(weights.check, "t", [[2, 2**32 - 1], [3, 1]], 2, 3)
    assert error_of(weights.check, "t", 7, 2, 3) == "t is no list, but must hold 1 to 64"
    long = [[n, 1] for n in range(65)]
    assert error_of(weights.check, "t", long, 0, 99) == "t holds 65 entries, but must hold 1 to 64"


def test_state_and_settings_fit_a_journal_record():
    for name in ("wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio"):
        module = __import__("tabletop.rules." + name, None, None, ["step"])
        state = module.new(1, bonus_round.settings_of(module))
        assert cbor.loads(cbor.dumps(state)) == state
