"""The generator at start, over restarts and when its noise fails (field cases 30, 31, 35, 37)."""

from tabletop.chance import generator as module
from tabletop.chance.draws import Draws
from tabletop.chance.generator import Generator
from tabletop.chance.noise import NoiseSource, RngFailed

try:
    from tests.vm.flash import Dice
except ImportError:
    from flash import Dice


class Noise:
    """Repeatable noise for tests; `dead` makes it stick."""

    def __init__(self, seed):
        self.dice = Dice(seed)
        self.dead = False
        self.samples = 0

    def __call__(self, buf):
        self.samples += len(buf)
        for i in range(len(buf)):
            buf[i] = 7 if self.dead else self.dice.below(256)


def started(seed=1, serial="WW-0001", boot=1, noise=None):
    return Generator(NoiseSource(noise or Noise(seed), 8, 7000), [serial, boot, b"program"])


def first_draws(generator, n=16):
    draws = Draws(generator.bytes, lambda *draw: None)
    return [draws.uniform("section", 54) for _ in range(n)]


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return str(raised.args[0])
    raise AssertionError("no %s" % error.__name__)


def test_case_30_twenty_power_cycles_give_twenty_different_beginnings():
    lists = [first_draws(started(seed=start, boot=start)) for start in range(1, 21)]
    prefixes = {tuple(draws[:6]) for draws in lists}
    assert len(prefixes) == 20


def test_case_30_even_noise_that_repeats_gives_no_repetition_over_boots_and_tables():
    same_noise = [first_draws(started(seed=1, boot=boot))[:6] for boot in range(1, 21)]
    same_noise += [first_draws(started(seed=1, serial="WW-%04d" % table))[:6] for table in range(2, 12)]
    assert len({tuple(draws) for draws in same_noise}) == 30


def test_case_35_a_restored_table_draws_other_numbers_because_its_noise_is_fresh():
    before = first_draws(started(seed=5, boot=9), 6)
    after = first_draws(started(seed=6, boot=9), 6)
    assert before != after


def test_the_same_entropy_gives_the_same_draws():
    assert first_draws(started(seed=3)) == first_draws(started(seed=3)) != first_draws(started(seed=4))


def test_no_sample_of_the_startup_test_is_used_and_entropy_and_nonce_are_fresh():
    noise = Noise(2)
    started(noise=noise)
    block = -(-320000 // 7000)
    assert noise.samples == -(-1024 // block) * block + 2 * block
    generator = started(noise=noise)
    before = noise.samples
    generator.reseed()
    assert noise.samples == before + block


def test_a_reseed_and_a_cycle_change_what_comes_next():
    plain = started().bytes(16)
    reseeded = started()
    reseeded.reseed()
    cycled = started()
    cycled.cycle()
    assert len({plain, reseeded.bytes(16), cycled.bytes(16)}) == 3


def test_the_generator_reseeds_itself_when_its_interval_is_over():
    noise = Noise(4)
    generator = started(noise=noise)
    before = noise.samples
    for _ in range(1024):
        generator.bytes(1)
    assert noise.samples == before
    generator.bytes(1)
    assert noise.samples > before


def test_noise_that_dies_stops_every_draw_for_good_and_there_is_no_fall_back():
    noise = Noise(4)
    generator = started(noise=noise)
    noise.dead = True
    assert fails(RngFailed, generator.reseed) == "repetition count"
    assert generator.failed == "repetition count"
    noise.dead = False
    for call in (generator.reseed, generator.cycle, lambda: generator.bytes(4)):
        assert fails(RngFailed, call) == "repetition count"
    seen = []
    draws = Draws(generator.bytes, lambda *draw: seen.append(draw))
    fails(RngFailed, draws.uniform, "section", 54)
    assert (seen, draws.number) == ([], 0)


def test_noise_that_is_nearly_bad_for_too_long_stops_the_table_for_good_as_well():
    noise = Noise(4)
    generator = started(noise=noise)
    sound, runs = noise.dice.below, [0]

    def short_runs(n):  # six equal samples again and again: discarded each time, never long enough to fail
        runs[0] += 1
        return runs[0] // 6 % 200

    noise.dice.below = short_runs
    assert fails(RngFailed, generator.reseed) == "intermittent"
    noise.dice.below = sound
    for call in (generator.reseed, lambda: generator.bytes(1)):
        assert fails(RngFailed, call) == "intermittent"


def test_a_table_with_dead_noise_or_a_wrong_known_answer_never_starts():
    noise = Noise(4)
    noise.dead = True
    assert fails(RngFailed, lambda: started(noise=noise)) == "repetition count"
    real = module.known_answer
    module.known_answer = lambda: False
    try:
        assert fails(RngFailed, started) == "known answer"
    finally:
        module.known_answer = real


def test_draw_numbers_go_on_where_the_journal_ended():
    log = []
    for boot in (1, 2, 3):
        last = log[-1][0] if log else 0
        draws = Draws(started(boot=boot).bytes, lambda *draw: log.append(draw), last)
        for _ in range(6):
            draws.uniform("section", 54)
    assert [number for number, _, _, _ in log] == list(range(1, 19))
