"""Draws without bias, proved by feeding every possible source value; their order of commit; commitments."""

from tabletop.chance import commitment
from tabletop.chance.draws import Draws, uniform
from tabletop.drawn import check_weights, chosen, weighted_index

try:
    from tests.vm.flash import Dice
except ImportError:
    from flash import Dice


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return str(raised)
    raise AssertionError("no %s" % error.__name__)


class Bytes:
    """A source that gives out listed values and counts how often it was asked."""

    def __init__(self, values):
        self.values = list(values)
        self.asked = []

    def __call__(self, n):
        self.asked.append(n)
        return self.values.pop(0).to_bytes(n, "big")


def everything(n, size=1):
    """Counts of each outcome and of the rejections, over every value that `size` bytes can have."""
    counts, rejected = [0] * n, 0
    for value in range(256**size):
        source = Bytes([value, 0])
        result = uniform(source, n)
        if len(source.asked) == 2:
            assert result == 0
            rejected += 1
        else:
            counts[result] += 1
    return counts, rejected


def test_case_29_every_section_comes_equally_often_over_all_source_values():
    counts, rejected = everything(54)
    assert counts == [4] * 54
    assert rejected == 40
    # the top two bits are cut off: over the 64 values of six bits each section once, 10 rejections
    six_bits = [uniform(Bytes([value]), 54) for value in range(54)]
    assert six_bits == list(range(54))
    for value in range(54, 64):
        assert uniform(Bytes([value, 17]), 54) == 17


def test_every_range_up_to_256_is_exactly_uniform():
    for n in (1, 2, 3, 5, 7, 12, 37, 64, 65, 127, 128, 129, 255, 256):
        counts, rejected = everything(n)
        assert min(counts) == max(counts) > 0, n
        assert sum(counts) + rejected == 256
        assert rejected < 128, "at least every second value is used"


def test_ranges_of_two_bytes_are_exactly_uniform_too():
    for n in (257, 1000):
        seen = {}
        rejected = 0
        for value in range(0, 65536, 1 if n == 257 else 7):
            source = Bytes([value, 0])
            result = uniform(source, n)
            if len(source.asked) == 2:
                rejected += 1
            else:
                assert result == value % (512 if n == 257 else 1024)
                seen[result] = seen.get(result, 0) + 1
        if n == 257:
            assert len(seen) == 257
            assert min(seen.values()) == max(seen.values()) == 128


def test_the_largest_range_uses_four_bytes_and_the_edges_are_reached():
    assert uniform(Bytes([2**32 - 1]), 2**32) == 2**32 - 1
    assert uniform(Bytes([0]), 2**32) == 0
    source = Bytes([2**32 - 1, 5])
    assert uniform(source, 2**32 - 1) == 5
    assert source.asked == [4, 4]
    for n in (0, -1, 2**32 + 1):
        assert "range" in fails(ValueError, uniform, Bytes([1]), n)


def test_case_32_a_shuffle_of_three_gives_each_of_six_orders_equally_often():
    orders = {}
    for first in range(3):
        for second in range(2):
            order = tuple(chosen(3, [first, second, 0]))
            orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 6
    assert set(orders.values()) == {1}


def test_case_32_any_item_of_54_can_stay_last_and_can_go_anywhere():
    stay = chosen(54, [0] * 54)
    assert stay == list(range(54))
    for place in range(54):
        values = [0] * 54
        values[place] = 53 - place
        assert chosen(54, values)[place] == 53


def test_a_shuffle_draws_one_value_less_than_items_each_from_what_is_left():
    log = []
    dice = Dice(3)
    draws = Draws(dice.bytes, lambda *draw: log.append(draw))
    order = draws.shuffle("deck", 54)
    assert sorted(order) == list(range(54))
    number, name, ranges, values = log[0]
    assert (number, name, ranges) == (1, "deck", list(range(54, 1, -1)))
    assert order == chosen(54, values + [0]), "the record alone gives the order again"
    assert draws.shuffle("one", 1) == [0]
    assert "cannot" in fails(ValueError, draws.shuffle, "none", 0)


def test_a_choice_of_k_gives_every_ordered_choice_equally_often():
    seen = {}
    for first in range(5):
        for second in range(4):
            pick = tuple(chosen(5, [first, second]))
            seen[pick] = seen.get(pick, 0) + 1
    assert len(seen) == 20
    assert set(seen.values()) == {1}
    log = []
    draws = Draws(Dice(4).bytes, lambda *draw: log.append(draw))
    picked = draws.choose("lucky", 5, 37)
    assert len(set(picked)) == 5
    assert log[0][2] == [37, 36, 35, 34, 33]
    assert picked == chosen(37, log[0][3])
    assert "cannot" in fails(ValueError, draws.choose, "x", 6, 5)
    assert "cannot" in fails(ValueError, draws.choose, "x", 0, 5)


def test_a_weighted_choice_is_exactly_as_likely_as_its_weight():
    weights = [3, 0, 1, 4, 0, 2]
    counts = [0] * 6
    for value in range(10):
        counts[weighted_index(weights, value)] += 1
    assert counts == weights
    log = []
    draws = Draws(Dice(5).bytes, lambda *draw: log.append(draw))
    for _ in range(50):
        index = draws.weighted("multiplier", weights)
        assert weights[index]
        assert index == weighted_index(weights, log[-1][3][0])
        assert log[-1][2] == [10]


def test_weights_that_are_negative_empty_or_too_large_are_refused():
    assert check_weights([2**32 - 1, 1]) == 2**32
    assert fails(ValueError, check_weights, [1, -1]) == "weight 1 is -1, but must be a whole number from 0"
    assert "weight 0 is True" in fails(ValueError, check_weights, [True, 2])
    assert "weight 1 is '2'" in fails(ValueError, check_weights, [1, "2"])
    for weights in ([], [0, 0], [2**32, 1]):
        assert "the sum of the weights is %d," % sum(weights) in fails(ValueError, check_weights, weights)
    log = []
    draws = Draws(Dice(5).bytes, lambda *draw: log.append(draw))
    fails(ValueError, draws.weighted, "m", [0, 0])
    assert (draws.number, log) == (0, [])
    fails(ValueError, weighted_index, [1, 2], 3)


def test_case_31_every_draw_reads_the_source_and_carries_a_running_number():
    log = []
    source = Bytes(list(range(10, 20)))
    draws = Draws(source, lambda *draw: log.append(draw), 41)
    for i in range(10):
        asked = len(source.asked)
        assert draws.uniform("section", 54) == 10 + i
        assert len(source.asked) == asked + 1
    assert [number for number, _, _, _ in log] == list(range(42, 52))
    assert log[0] == (42, "section", [54], [10])


def test_a_draw_is_committed_before_it_is_seen_and_a_failed_commit_shows_nothing():
    seen, full = [], []

    def commit(number, name, ranges, values):
        if full:
            raise OSError("journal full")
        seen.append(number)

    draws = Draws(Dice(6).bytes, commit)
    draws.uniform("a", 54)
    full.append(True)
    fails(OSError, draws.uniform, "a", 54)
    assert draws.number == 1, "a draw that is not committed takes no number"
    full.clear()
    draws.uniform("a", 54)
    assert seen == [1, 2]


def test_a_commitment_opens_with_its_value_and_nonce_only():
    nonce = bytes(range(32))
    sealed = commitment.seal([54, 1234567], nonce)
    assert len(sealed) == 32
    assert commitment.opens(sealed, [54, 1234567], nonce)
    assert not commitment.opens(sealed, [54, 1234568], nonce)
    assert not commitment.opens(sealed, [54, 1234567], bytes(32))
    assert not commitment.opens(sealed, [54, 1234567], nonce[:31])
    assert not commitment.opens(sealed[:31], [54, 1234567], nonce)
    assert commitment.seal(1, nonce) != commitment.seal("1", nonce)
    assert "nonce" in fails(ValueError, commitment.seal, 1, bytes(16))


def test_a_commitment_is_the_sha256_of_the_cbor_list_of_value_and_nonce():
    import hashlib

    nonce = bytes(range(32))
    text = b"\x82\x19\x03\xe8\x58\x20" + nonce  # [1000, nonce]
    assert commitment.seal(1000, nonce) == hashlib.sha256(text).digest()
