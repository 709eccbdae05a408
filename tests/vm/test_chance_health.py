"""Noise health tests: each cut-off, the value just short of it, start-up, and a source that fails for good."""

from tabletop.chance.health import DISCARD, FAILED, OK, Health, cutoffs_for
from tabletop.chance.noise import NoiseSource, RngFailed
from tabletop.digest import sha256

try:
    from tests.vm.flash import Dice
except ImportError:
    from flash import Dice

BYTES = cutoffs_for(8, 6000)  # repetition 6 / 11, proportion 31 / 44 of 512
BITS = cutoffs_for(1, 500)  # repetition 61 / 121, proportion 810 / 847 of 1024


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return str(raised.args[0])
    raise AssertionError("no %s" % error.__name__)


def counting(n, start=0):
    """Samples in which nothing repeats soon."""
    return bytes([(start + i) & 0xFF for i in range(n)])


def test_the_repetition_count_discards_and_fails_exactly_at_its_cutoffs():
    for cutoffs, discard, fail in ((BYTES, 6, 11), (BITS, 61, 121)):
        assert cutoffs[1:3] == (discard, fail)
        for run, expected in ((discard - 1, OK), (discard, DISCARD), (fail - 1, DISCARD), (fail, FAILED)):
            tests = Health(cutoffs)
            assert tests.feed(bytes([0]) + bytes([1]) * run + bytes([0])) == expected, run
            assert tests.failed == ("repetition count" if expected == FAILED else "")


def test_a_run_is_counted_over_the_edge_of_two_blocks():
    tests = Health(BYTES)
    assert tests.feed(counting(20) + b"\x77" * 5) == OK
    assert tests.feed(b"\x77" + counting(20)) == DISCARD
    tests = Health(BYTES)
    assert tests.feed(b"\x77" * 10) == DISCARD
    assert tests.feed(b"\x77") == FAILED


def proportion(hits, window, spread):
    """One window whose first sample comes `hits` times in all, never twice in a row."""
    out = bytearray(counting(window))
    for i in range(window):
        out[i] = 0xA0 if i % 2 == 0 and i // 2 < hits else 1 + i % spread
    return out


def test_the_proportion_test_discards_and_fails_exactly_at_its_cutoffs():
    for hits, expected in ((30, OK), (31, DISCARD), (43, DISCARD), (44, FAILED)):
        tests = Health(BYTES)
        assert tests.feed(proportion(hits, 512, 100)) == expected, hits
        assert tests.failed == ("adaptive proportion" if expected == FAILED else "")


def test_the_proportion_test_starts_afresh_with_each_window_of_512():
    tests = Health(BYTES)
    first = proportion(30, 512, 100)
    assert tests.feed(first) == OK
    assert tests.feed(first) == OK, "30 of 512 twice is no 60"
    shifted = counting(512)
    tests = Health(BYTES)
    assert tests.feed(shifted[:-1]) == OK
    assert tests.feed(b"\xa0" + first) == OK, "the last sample of a window is no reference"


def test_binary_samples_are_judged_over_1024():
    for ones, expected in ((809, OK), (810, DISCARD), (846, DISCARD), (847, FAILED)):
        tests = Health(BITS)
        samples = bytearray(1024)
        for i in range(1024):  # spread evenly, so that the repetition count stays silent
            samples[1023 - i] = (i + 1) * ones // 1024 - i * ones // 1024
        assert samples[0] == 1
        assert sum(samples) == ones
        assert tests.feed(samples) == expected, ones


def test_a_failure_for_good_stays_whatever_comes():
    tests = Health(BYTES)
    assert tests.feed(bytes(11)) == FAILED
    for _ in range(3):
        assert tests.feed(counting(256)) == FAILED
    assert tests.failed == "repetition count"


def test_sound_noise_is_never_discarded():
    dice = Dice(1)
    tests = Health(cutoffs_for(8, 7000))
    for _ in range(60):
        assert tests.feed(dice.bytes(256)) == OK
    assert (tests.samples, tests.discards) == (60 * 256, 0)


def test_the_startup_test_passes_over_1024_samples_and_starts_again_after_a_discard():
    tests = Health(BYTES)
    assert tests.feed(counting(1023)) == OK
    assert tests.startup_left == 1
    assert tests.feed(b"\x01" * 6) == DISCARD
    assert tests.startup_left == 1024
    for block in range(4):
        assert tests.startup_left == 1024 - 256 * block
        assert tests.feed(counting(256, 7)) == OK
    assert tests.startup_left == 0
    assert tests.feed(b"\x01" * 6) == DISCARD
    assert tests.startup_left == 0, "start-up is over"


def test_a_board_with_an_untabled_noise_setting_is_refused_with_key_and_limits():
    assert fails(ValueError, cutoffs_for, 4, 1000) == "noise.bits is 4, but must be 1 or 8"
    text = fails(ValueError, cutoffs_for, 1, 2000)
    assert text.startswith("noise.h_milli is 2000, but must be one of [100, 200, ")


class Script:
    """Noise that follows a list of blocks, then goes on counting."""

    def __init__(self, *blocks):
        self.blocks = list(blocks)
        self.reads = 0
        self.given = []

    def __call__(self, buf):
        self.reads += 1
        block = self.blocks.pop(0) if self.blocks else counting(len(buf), self.reads * 31)
        for i in range(len(buf)):
            buf[i] = block[i % len(block)]
        self.given.append(bytes(buf))


def test_entropy_is_the_hash_of_a_whole_tested_block_with_64_bits_to_spare():
    for h_milli, samples in ((8000, 40), (6000, 54), (1000, 320)):
        noise = Script()
        source = NoiseSource(noise, 8, h_milli)
        assert source.entropy() == sha256(noise.given[-1])
        assert len(noise.given[0]) == samples
        assert noise.reads == -(-1024 // samples) + 1, "no block of the start-up test is used"
        assert source.entropy() == sha256(noise.given[-1])
        assert noise.reads == -(-1024 // samples) + 2


def test_a_discarded_block_is_not_used_and_the_next_good_one_is():
    noise = Script()
    source = NoiseSource(noise, 8, 6000)
    source.entropy()
    noise.blocks = [b"\x05" * 7 + counting(47, 100)]
    out = source.entropy()
    assert source.health.discards == 1
    assert out == sha256(noise.given[-1]) != sha256(noise.given[-2])


def test_a_dead_a_stuck_and_a_slowly_dying_source_fail_for_good():
    for blocks, test in (
        ([bytes(64)] * 99, "repetition count"),
        ([b"\xff" * 64] * 99, "repetition count"),
        ([b"\x00\x01" * 32] * 99, "adaptive proportion"),
        ([counting(64)] * 40 + [b"\x55" * 64], "repetition count"),
    ):
        source = NoiseSource(Script(*blocks), 8, 6000)
        assert fails(RngFailed, lambda source=source: [source.entropy() for _ in range(60)]) == test
        assert fails(RngFailed, source.entropy) == test
        assert fails(RngFailed, source.raw) == test


def test_a_source_that_is_always_nearly_bad_fails_instead_of_stopping_the_table():
    noise = Script()
    source = NoiseSource(noise, 8, 6000)
    source.raw()
    reads = noise.reads
    noise.blocks = [b"\x05" * 7 + counting(47, 100)] * 200
    assert fails(RngFailed, source.raw) == "intermittent"
    assert noise.reads - reads == 64


def test_no_noise_is_left_in_memory_after_use():
    source = NoiseSource(Script(), 8, 6000)
    source.entropy()
    assert bytes(source._block) == bytes(54)


def test_the_number_of_startup_samples_is_the_one_of_800_90b():
    assert Health(BYTES).startup_left == 1024
