"""Derives the cut-offs of the noise health tests from their formulas: `python -m wheelwright.rng.cutoffs`.

NIST SP 800-90B, for samples of min-entropy H and a false alarm probability alpha:
repetition count (4.4.1)     C = 1 + ceil(-log2(alpha) / H)
adaptive proportion (4.4.2)  C = 1 + CRITBINOM(W, 2^-H, 1 - alpha), W = 1024 for binary samples, else 512
The output is `firmware/tabletop/chance/cutoffs.py`, to the letter; a test compares the two.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

DISCARD_BITS = 30  # alpha = 2^-30: throw the block away
FAIL_BITS = 60  # alpha = 2^-60: the source has failed for good
BINARY_H_MILLI = (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
BYTES_H_MILLI = (500, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000)


def repetition(h_milli: int, alpha_bits: int) -> int:
    """The repetition count's cut-off."""
    return 1 + -(-alpha_bits * 1000 // h_milli)


def proportion(h_milli: int, alpha_bits: int, window: int) -> int:
    """The adaptive proportion test's cut-off, summing the binomial's upper tail downward with 120 digits."""
    with localcontext() as context:
        context.prec = 120
        p = Decimal(2) ** (-Decimal(h_milli) / 1000)
        q = 1 - p
        alpha = Decimal(2) ** -alpha_bits
        term = p**window  # P(X = window)
        tail = Decimal(0)  # P(X > k)
        for k in range(window, 0, -1):
            if tail + term > alpha:
                return 1 + k
            tail += term
            term = term * k * q / ((window - k + 1) * p)
    return 1


def row(h_milli: int, window: int) -> tuple[int, int, int, int]:
    """(repetition discard, repetition fail, proportion discard, proportion fail), none beyond the window."""
    return (
        repetition(h_milli, DISCARD_BITS), repetition(h_milli, FAIL_BITS),
        proportion(h_milli, DISCARD_BITS, window), proportion(h_milli, FAIL_BITS, window),
    )  # fmt: skip


def module() -> str:
    """The firmware module's text."""
    lines = [
        '"""Cut-offs of the noise health tests, written by `python -m wheelwright.rng.cutoffs`: do not edit.',
        "",
        "Thousandths of a bit of entropy a sample, repetition discard, fail, proportion discard, fail;",
        f"discard at a false alarm probability of 2^-{DISCARD_BITS}, fail at 2^-{FAIL_BITS}.",
        '"""',
    ]
    for name, rows, window in (("BINARY", BINARY_H_MILLI, 1024), ("BYTES", BYTES_H_MILLI, 512)):
        lines += ["", f"# window {window}; text, as tuples would take five times the memory", f'{name} = """']
        lines += [" ".join(map(str, (h_milli, *row(h_milli, window)))) for h_milli in rows]
        lines += ['"""']
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(module(), end="")
