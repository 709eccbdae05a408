"""Raw noise, one sample a byte, as the health tests of SP 800-90B want it: unwhitened and straight from the source.

RP2040: the ring oscillator's random bit. RP2350: the TRNG's von-Neumann-free sample bits. An emulated board has no
noise; its oscillator reads constant, and the health tests must trip on it. So they must on a TRNG that has stopped: its
samples are 0 from there on.
"""

import micropython

from tabletop.hal.rp2.registers import ROSC_RANDOM_BIT, RP2350, TRNG


@micropython.viper
def _ring_oscillator(buf: ptr8, n: int, bit: ptr32):
    i = 0
    while i < n:
        buf[i] = bit[0] & 1
        wait = 40  # about 1 us: samples nearer to one another repeat the oscillator's phase
        while wait:
            wait -= 1
        i += 1


@micropython.viper
def _trng(buf: ptr8, n: int, trng: ptr32):
    trng[0x138 >> 2] = 0xB  # bypass the von Neumann corrector, CRNGT and autocorrelation: raw bits
    trng[0x130 >> 2] = 200  # clocks between samples
    trng[0x12C >> 2] = 1
    i = 0
    patience = 1
    while i < n:
        if patience:
            patience = 1 << 17  # turns of the loop, 10 ms or more; 192 samples are due after 0.3 ms
        while patience and not trng[0x110 >> 2] & 1:  # EHR_VALID
            patience -= 1
        word = 0
        while word < 6:
            value = trng[(0x114 >> 2) + word] if patience else 0  # of a source that has stopped nothing is believed
            bit = 0
            while bit < 32 and i < n:
                buf[i] = (value >> bit) & 1
                i += 1
                bit += 1
            word += 1
        trng[0x108 >> 2] = 0xF


def raw(buf) -> None:
    """Fills `buf` with samples of 0 or 1."""
    if RP2350:
        _trng(buf, len(buf), TRNG)
    else:
        _ring_oscillator(buf, len(buf), ROSC_RANDOM_BIT)
