"""The chip: RP2040 and RP2350. In: pins, flash, USB and UART. Out: the `hal` of docs/architecture.md.

Nothing here may mask interrupts, format flash, or allocate in `poll`, `read` and the light refresh.
"""
