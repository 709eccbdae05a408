"""The programme of a run: all of it from the seed, and nothing in it that the table would refuse."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tabletop.rules import dreamcatcher as game
from wheelwright import aim
from wheelwright.programme import programme
from wheelwright.run import while_open

from tests.conftest import examples

SEEDS = st.integers(0, 2**40)


@settings(max_examples=examples(60), deadline=None)
@given(SEEDS, st.integers(5, 40))
def test_every_wager_is_one_that_the_rules_take(seed, rounds):
    planned = programme(seed, rounds)
    assert len(planned) == rounds
    for one in planned:
        _, effects = game.step(game.new(1, dict(game.DEFAULTS)), ("wagers", one.bets))
        assert [effect[0] for effect in effects] == ["accept"] * len(one.bets)


@settings(max_examples=examples(60), deadline=None)
@given(SEEDS, st.integers(5, 12), st.integers(5, 12))
def test_a_longer_run_of_a_seed_begins_like_a_shorter_one(seed, one, other):
    both = min(one, other)
    assert programme(seed, one)[:both] == programme(seed, other)[:both]


@settings(max_examples=examples(60), deadline=None)
@given(SEEDS)
def test_five_rounds_show_everything_that_a_run_has_to_show(seed):
    aims = [one.aim(1) for one in programme(seed, 5)]
    assert {"short", "between", "roll-back"} < set(aims)
    assert any(words in ("symbol 2x", "symbol 7x") for words in aims)
    for words in aims:
        aim.wanted(words)


@settings(max_examples=examples(60), deadline=None)
@given(SEEDS)
def test_every_wrong_wager_is_one_that_the_rules_refuse_whatever_was_wagered_before(seed):
    bets = programme(seed, 1)[0].bets
    state, _ = game.step(game.new(1, dict(game.DEFAULTS)), ("wagers", bets))
    for what, command, args, code in while_open(bets):
        if command == "WAGER":
            assert game.step(state, ("wagers", args["bets"]))[1][0][:2] == ("refuse", code), what


def test_after_what_was_planned_any_number_will_do():
    first = programme(1, 5)[0]
    assert [first.aim(nth) for nth in (1, 2, 9)] == ["number"] * 3


def test_two_seeds_give_two_programmes():
    assert programme(1, 8) != programme(2, 8)
