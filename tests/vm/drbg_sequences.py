"""Random lives of a DRBG, the same ones on both interpreters and on any implementation that is handed in.

`micropython drbg_sequences.py COUNT` prints the hash of everything that our generator gave out.
"""

import hashlib
import sys

try:
    from tests.vm.flash import Dice
except ImportError:
    from flash import Dice


def live(make, seed):
    """One life: instantiate, then 2 to 7 requests and reseeds with inputs of all lengths. Yields each output."""
    dice = Dice(seed)

    def some(*lengths):
        return bytes(dice.bytes(lengths[dice.below(len(lengths))]))

    drbg = make(some(32, 33, 48, 64), some(16, 17, 32), some(0, 1, 31, 32, 55, 64, 200))
    for _ in range(2 + dice.below(6)):
        if dice.below(3) == 0:
            drbg.reseed(some(32, 40, 64), some(0, 0, 1, 32, 65, 100))
        yield drbg.generate((1, 16, 31, 32, 33, 64, 100, 255)[dice.below(8)], some(0, 0, 1, 16, 64, 130))
    if hasattr(drbg, "close"):
        drbg.close()


def main(count):
    from tabletop.chance.drbg import HmacDrbg

    everything = hashlib.sha256()
    for seed in range(count):
        for out in live(HmacDrbg, seed):
            everything.update(out)
    print(everything.digest().hex())


if __name__ == "__main__":
    main(int(sys.argv[1]))
