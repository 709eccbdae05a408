"""The entropy source: raw noise samples, tested, conditioned to 32 bytes of full entropy (SP 800-90B)."""

from tabletop.chance.health import DISCARD, FAILED, Health, cutoffs_for
from tabletop.const import const
from tabletop.digest import sha256

# 3.1.5.1.2: SHA-256 gives full entropy when 64 bits more than its 256 go in.
_INPUT_BITS = const(256 + 64)
_MAX_DISCARDS = const(64)  # blocks of one request, so that a source that is nearly bad cannot stop the table for ever


class RngFailed(Exception):
    """No draw can be made until the table has been in service; `.args[0]` names the test that failed."""


class NoiseSource:
    """`read(buf)` fills a bytearray with raw samples, one a byte, straight from the hardware and not whitened.

    `bits` a sample (1 or 8) and `h_milli`, thousandths of a bit of entropy a sample, are settings of the board.
    """

    def __init__(self, read, bits: int, h_milli: int):
        self._read = read
        self.health = Health(cutoffs_for(bits, h_milli))
        self._block = bytearray((_INPUT_BITS * 1000 + h_milli - 1) // h_milli)

    def raw(self) -> bytearray:
        """The next block of tested raw samples, in a buffer that is used again (also what a laboratory gets to see).

        Makes the start-up test first. RngFailed when the source has failed for good.
        """
        health, block = self.health, self._block
        discards = 0
        while discards < _MAX_DISCARDS:
            usable = not health.startup_left
            self._read(block)
            verdict = health.feed(block)
            if verdict == FAILED:
                break
            if verdict == DISCARD:
                discards += 1
            elif usable:
                return block
        raise RngFailed(health.failed or "intermittent")

    def entropy(self) -> bytes:
        """32 bytes of full entropy. RngFailed as for `raw`."""
        block = self.raw()
        out = sha256(block)
        for i in range(len(block)):
            block[i] = 0
        return out

    def end(self) -> None:
        """Forgets the source for good."""
        self._read = self.health = self._block = None  # type: ignore[assignment]
