"""Continuous health tests on raw noise samples: NIST SP 800-90B, sections 4.3 and 4.4.

Every sample passes the repetition count and the adaptive proportion test before anything is done with it. Each test has
two cut-offs: at the first the block in hand is thrown away (chance 2^-30 in sound noise), at the second the source has
failed for good (2^-60).
"""

from tabletop.chance.cutoffs import BINARY, BYTES
from tabletop.const import const

OK = 0
DISCARD = 1
FAILED = 2

_STARTUP = const(1024)  # samples that must pass before the first one is used (4.3, item 4)


def cutoffs_for(bits: int, h_milli: int) -> tuple:
    """Cut-offs for samples of `bits` bits (1 or 8) that hold `h_milli` thousandths of a bit of entropy each.

    (window, repetition discard, repetition fail, proportion discard, proportion fail). ValueError when not tabled.
    """
    if bits != 1 and bits != 8:
        raise ValueError("noise.bits is %r, but must be 1 or 8" % (bits,))
    known = []
    for line in (BINARY if bits == 1 else BYTES).strip().split("\n"):
        row = [int(word) for word in line.split()]
        if row[0] == h_milli:
            return (1024 if bits == 1 else 512,) + tuple(row[1:])
        known.append(row[0])
    raise ValueError("noise.h_milli is %r, but must be one of %s" % (h_milli, known))


class Health:
    """The state of both tests over one source. A failure stays; only a new object starts again."""

    def __init__(self, cutoffs: tuple):
        self.window, self._rct_discard, self._rct_fail, self._apt_discard, self._apt_fail = cutoffs
        self.samples = 0  # all that were tested
        self.discards = 0  # blocks thrown away
        self.failed = ""  # name of the test that failed for good
        self.startup_left = _STARTUP
        self._last = -1
        self._run = 0
        self._reference = -1
        self._hits = 0
        self._left = 0  # samples to come in this window

    def feed(self, samples: bytes | bytearray) -> int:
        """Tests one block of raw samples, one a byte: OK, DISCARD or FAILED. No block is used while `startup_left`."""
        if self.failed:
            return FAILED
        verdict = OK
        for sample in samples:
            if sample == self._last:  # 4.4.1
                self._run += 1
                if self._run >= self._rct_discard:
                    verdict = DISCARD
                    if self._run >= self._rct_fail:
                        self.failed = "repetition count"
                        return FAILED
            else:
                self._last = sample
                self._run = 1
            if self._left == 0:  # 4.4.2
                self._reference = sample
                self._hits = 1
                self._left = self.window - 1
            else:
                self._left -= 1
                if sample == self._reference:
                    self._hits += 1
                    if self._hits >= self._apt_discard:
                        verdict = DISCARD
                        if self._hits >= self._apt_fail:
                            self.failed = "adaptive proportion"
                            return FAILED
        self.samples += len(samples)
        if verdict == DISCARD:
            self.discards += 1
            if self.startup_left:
                self.startup_left = _STARTUP
        elif self.startup_left:
            self.startup_left = max(0, self.startup_left - len(samples))
        return verdict
