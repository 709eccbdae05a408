"""Draws that were written down: given in their order, and refused when they are not what the game asks for."""

from tabletop.rules.scripted import Scripted

try:
    from tests.vm import bonus_round
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round

error_of = bonus_round.error_of


def test_recorded_draws_are_given_again_in_their_order():
    records = [["inner wheel", 12, 3, 41], ["who", 2, 1, 42], ["grid", 3, [2, 0, 1], 43], ["pays", 5, [4, 1], 44]]
    script = Scripted(records)
    assert script.uniform("inner wheel", 12) == 3
    assert script.weighted("who", [0, 7]) == 1
    assert script.shuffle("grid", 3) == [2, 0, 1]
    assert script.choose("pays", 2, 5) == [4, 1]
    script.finish()


def test_a_script_that_runs_out_names_the_draw_that_is_missing():
    script = Scripted([["a", 2, 1]])
    script.uniform("a", 2)
    assert error_of(script.uniform, "b", 54) == "draw 2 (b of 54) is missing: there are 1"


def test_a_script_with_one_draw_too_many_names_it():
    script = Scripted([["a", 2, 1], ["b", 2, 0]])
    script.uniform("a", 2)
    assert error_of(script.finish) == "draw 2 (b) is one too many: the round used 1"


def test_the_last_value_of_a_range_is_taken_and_the_one_above_is_refused():
    assert Scripted([["a", 12, 11]]).uniform("a", 12) == 11
    for value in (12, -1, True, "3", None):
        text = error_of(Scripted([["a", 12, value]]).uniform, "a", 12)
        assert text == "draw 1 (a) is %s, but must be from 0 to 11" % value


def test_a_draw_of_another_name_or_range_is_refused():
    assert "is named a, but the game draws b" in error_of(Scripted([["a", 2, 1]]).uniform, "b", 2)
    assert "is of 3, but the game draws of 2" in error_of(Scripted([["a", 3, 1]]).uniform, "a", 2)
    assert Scripted([["a", 0, 1]]).uniform("a", 2) == 1  # 0: a script that leaves the range out


def test_a_choice_of_weight_zero_is_refused():
    assert error_of(Scripted([["a", 2, 0]]).weighted, "a", [0, 1]) == "draw 1 (a) is 0, which has weight 0"


def test_a_shuffle_or_choice_must_hold_each_number_once():
    assert "must be a list of 3 numbers" in error_of(Scripted([["a", 3, [0, 1]]]).shuffle, "a", 3)
    assert "holds 1 twice" in error_of(Scripted([["a", 3, [0, 1, 1]]]).shuffle, "a", 3)
    assert "must be from 0 to 2" in error_of(Scripted([["a", 3, [0, 1, 3]]]).shuffle, "a", 3)
    assert "must be a list of 2 numbers" in error_of(Scripted([["a", 9, [1, 2, 3]]]).choose, "a", 2, 9)
