"""Where the chip's registers are, for both chips; addresses from the RP2040 and RP2350 datasheets."""

import sys

RP2350 = "RP2350" in sys.implementation._machine

PIO0 = 0x50200000
PIO1 = 0x50300000
RXF0 = 0x20  # receive FIFO of state machine 0; the next ones follow word by word
TXF0 = 0x10
DMA = 0x50000000  # 0x40 bytes a channel

GPIO_IN = 0xD0000004  # SIO: the levels of all pins

DREQ_PIO0_RX0 = 4
DREQ_PIO1_TX0 = 8
DREQ_NONE = 0x3F

TIMER_US = 0x400B0028 if RP2350 else 0x40054028  # low word of the microsecond timer, the one behind time.ticks_us
WATCHDOG = 0x400D8000 if RP2350 else 0x40058000
WATCHDOG_REASON = WATCHDOG + 0x08
WATCHDOG_SCRATCH1 = WATCHDOG + 0x10
WATCHDOG_SCRATCH0 = WATCHDOG + 0x0C  # words 0-3 are free; SDK and boot ROM use 4-7
CHIP_RESET = 0x4010002C if RP2350 else 0x40064008
HAD_RUN_PIN = 1 << (17 if RP2350 else 16)
ROSC_RANDOM_BIT = 0x400E801C if RP2350 else 0x4006001C
TRNG = 0x400F0000  # RP2350 only

KEPT = (0x20082000 if RP2350 else 0x20042000) - 16384 - 16  # end of SRAM, WHEEL_STACK and WHEEL_KEPT of mpconfigboard.h

FLASH = 0x10000000
