"""Chance: raw noise, tested sample by sample, becomes unbiased draws that are journalled before they are used.

    noise (hardware) -> health -> SHA-256 -> HMAC_DRBG -> rejection sampling -> named draw -> commit -> value

In: a function that reads raw noise samples, the table's serial and boot number, and a function that commits a draw.
Out: draws. It must never use a clock, a modulo, MicroPython's `random` or an untested sample, never go on after a
failed health test, and never let a draw be seen before it is committed. `docs/rng.md` describes it for a laboratory.
"""
